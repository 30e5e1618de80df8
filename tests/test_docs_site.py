"""The built site in a browser: blocks are whole, pages have no violations, the sidebar names every page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from console import ROOT

WIDE = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    if shutil.which("zensical", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("zensical is not installed")
    folder = tmp_path_factory.mktemp("docs")
    shutil.copy(ROOT / "zensical.toml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


CUT = """[...document.querySelectorAll('.md-content pre > code')].filter(
    x => x.scrollWidth > x.clientWidth + 1 || x.innerText.split('\\n').some(
        line => line.length <= 96 && line.length * 7 > x.clientWidth)).length"""
# Buttons that copy a block are landmarks of one name: the theme's.
VIOLATIONS = """() => axe.run('.md-content').then(
    done => done.violations.map(each => each.id).filter(id => id != 'landmark-unique'))"""


def test_blocks_are_whole_and_pages_accessible(site, browser, axe) -> None:
    page = browser.new_page(viewport=WIDE)
    wide, violations = [], {}
    for path in sorted(site.rglob("index.html")):
        name = str(path.parent.relative_to(site))
        if name.startswith("formats/"):  # of one kind; that of a table is among the others
            continue
        page.goto(path.as_uri())
        page.add_script_tag(content=axe)
        if cut := page.evaluate(CUT):
            wide.append(f"{name}: {cut}")
        if bad := page.evaluate(VIOLATIONS):
            violations[name] = bad
    page.close()
    assert wide == []
    assert violations == {}


def test_the_glossary_is_in_order() -> None:
    text = (ROOT / "docs/vocabulary.md").read_text()
    terms = [term.lower() for term in re.findall(r"^\| (.+?) \| ", text, re.MULTILINE)][1:]
    assert terms == sorted(terms)
    assert len(terms) > 50
