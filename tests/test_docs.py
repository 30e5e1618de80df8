"""Every name is documented, every link leads somewhere, every example prints what its page shows."""

import doctest
import importlib.util
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import deadheat
import deadheat.errors
from console import BLOCK, PAGES, ROOT, desk, printed, shown
from deadheat import methods
from deadheat.cli import options
from deadheat.cli.main import COMMANDS
from deadheat.evidence.order import ADJUSTMENTS
from deadheat.readers import readers
from deadheat.readers.export import TARGETS
from deadheat.report.renderers import RENDERERS
from deadheat.simulating.verb import STUDIES
from deadheat.stats.samples import metrics
from deadheat.stats.score import exact_coverage

DOCS = ROOT / "docs"
TEXTS = {page: page.read_text() for page in PAGES}
MADE = "<!-- Made by docs/reference/make.py"
WRITTEN = "\n".join(text for text in TEXTS.values() if MADE not in text)
METHODS = "\n".join(page.read_text() for page in sorted((DOCS / "methods").glob("*.md")))
NAMES = {
    "interval": methods.SCORES,
    "interval of a difference": methods.DIFFERENCES,
    "test": methods.TESTS,
    "coverage": exact_coverage.COVERAGE_METHODS,
    "adjustment": [*ADJUSTMENTS, "max-t"],
    "metric": [*metrics.METRICS, "maj@k", "self-consistency"],
    "study": STUDIES,
}


def names(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [p for p in PAGES if shown(TEXTS[p])], ids=names)
def test_examples_print_what_the_page_shows(page):
    code, space = 0, {}
    with desk():
        for example in shown(TEXTS[page]):
            if example.kind == "python":
                exec(example.text, space)
            elif example.kind == "pycon":
                found = doctest.DocTestParser().get_doctest(example.text, space, names(page), None, 0)
                assert doctest.DocTestRunner().run(found, clear_globs=False).failed == 0
                space |= found.globs
            elif example.text == "echo $?":
                assert example.output == f"{code}\n"
            elif not (example.peer and shutil.which(example.text.split()[0].replace("peer-", "")) is None):
                code, output = printed(example.text)
                assert output == example.output, f"{example.text}: run `python tests/console.py`"
                assert code == 0 or "echo $?" in TEXTS[page], output


@pytest.mark.parametrize("page", [p for p in PAGES if "```" in TEXTS[p]], ids=names)
def test_blocks_name_a_language(page):
    """A block is run (console, python, pycon) or of a kind that is only shown."""
    kinds = re.findall(r"^```(\S*)\n.*?^```$", TEXTS[page], re.DOTALL | re.MULTILINE)
    assert set(kinds) <= {"console", "python", "pycon", "bash", "text", "toml", "json", "yaml", "csv"}
    assert len(BLOCK.findall(TEXTS[page])) == sum(kind in ("console", "python", "pycon") for kind in kinds)


def anchors(text):
    """The anchors of a page's headings, made as the site makes them."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    found = set()
    for heading in re.findall(r"^#+ (.+)$", plain, re.MULTILINE):
        words = re.sub(r"[^\w\s-]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)).strip().lower()
        found.add(re.sub(r"[-\s]+", "-", words))
    return found


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", TEXTS[page])):
        if target.startswith(("https:", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if DOCS in page.parents:
            assert there == DOCS or DOCS in there.parents, f"{target} leads out of the site"
        if anchor:
            assert anchor in anchors(there.read_text()), target


@pytest.mark.parametrize("page", [*PAGES, *sorted(ROOT.glob("*.md"))], ids=names)
def test_pages_name_no_machine(page):
    for word in ("/work" + "/", "/root/", "/home/", "/tmp/", "file://", "localhost"):
        assert word not in page.read_text()


def test_every_page_is_found():
    """A page is in the navigation, or a page of the navigation links to it."""
    known = set(re.findall(r'"([\w/.-]+\.md)"', (ROOT / "zensical.toml").read_text()))
    assert all((DOCS / name).is_file() for name in known)
    linked = {
        str((DOCS / name).parent.joinpath(target).resolve().relative_to(DOCS))
        for name in known
        for target in re.findall(r"\]\(([\w/.-]+\.md)", (DOCS / name).read_text())
    }
    assert {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} - known - linked == set()


@pytest.mark.parametrize("verb", COMMANDS)
def test_verb_is_documented(verb):
    assert f"deadheat {verb}" in WRITTEN


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k, group in NAMES.items() for n in group])
def test_method_is_documented(kind, name):
    assert f"`{name}`" in METHODS, f"the {kind} {name} stands on no page of docs/methods"


@pytest.mark.parametrize("name", [*RENDERERS, *TARGETS])
def test_output_is_documented(name):
    assert f"`{name}`" in WRITTEN


@pytest.mark.parametrize("group", [options.ABOUT, options.INFERENCE, options.READING, options.OUTPUT])
def test_option_group_is_documented(group):
    assert group.name in TEXTS[DOCS / "reference/options.md"]


def test_every_option_is_documented():
    """What several verbs share stands on the page of options; the reference of the verb has all."""
    page = TEXTS[DOCS / "reference/options.md"]
    for kind in (options.About, options.Inference, options.Reading, options.Output):
        for name in kind.__dataclass_fields__:
            assert f"`--{name.replace('_', '-')}" in page, name


@pytest.mark.parametrize(
    "error",
    [e for _, e in inspect.getmembers(deadheat.errors, inspect.isclass) if issubclass(e, Exception)],
    ids=lambda e: e.__name__,
)
def test_error_is_documented(error):
    assert f"`{error.__name__}`" in TEXTS[DOCS / "reference/errors.md"]


def test_formats_have_pages():
    ours = {name for name, reader in readers().items() if reader.read.__module__.startswith("deadheat.")}
    pages = {page.stem for page in (DOCS / "formats").glob("*.md")} - {"index", "columns"}
    assert ours <= pages
    assert pages <= set(readers())


@pytest.mark.parametrize(
    "schema", sorted((ROOT / "src/deadheat/schemas").glob("*.json")), ids=lambda p: p.stem
)
def test_schema_is_documented(schema):
    assert f"`{schema.name}`" in TEXTS[DOCS / "reference/json.md"]


def test_made_pages_are_current():
    spec = importlib.util.spec_from_file_location("make_reference", DOCS / "reference/make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    for name, page in make.PAGES.items():
        assert (DOCS / name).read_text() == page(), "run `python docs/reference/make.py`"


def test_site_builds_without_a_warning(tmp_path):
    """The site builds with every warning an error, and asks nothing of the network."""
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    tool = Path(sys.executable).parent / "zensical"
    done = subprocess.run(
        [tool, "build", "--strict"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout + done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))
    for page in pages:
        fetched = re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"?https?:[^\">]+", page.read_text())
        assert [tag for tag in fetched if "canonical" not in tag] == []
