"""The floors of the house: imports go down only, modules stay short, and each says what it is for."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "deadheat"
LONGEST = 300

# Lower floors know nothing of higher ones; a folder stands for every module in it.
FLOORS = {
    "version": 0,
    "errors": 1,
    "seeds": 1,
    "output": 1,
    "estimand": 1,
    "methods": 1,
    "demo": 1,
    "stats": 2,
    "results": 2,
    "data": 3,
    "readers": 4,
    "evidence": 4,
    "report": 4,
    "explorer": 6,
    "pytest_plugin": 6,
    "cli": 6,
    "__init__": 7,
    "__main__": 7,
}
VERBS = (
    "ranking",
    "comparing",
    "planning",
    "covering",
    "simulating",
    "auditing",
    "annotating",
    "watching",
    "voting",
    "recording",
    "itemising",
)
FLOORS |= dict.fromkeys(VERBS, 5)
FORBIDDEN = [
    ("readers", "report"),
    ("readers", "evidence"),
    ("report", "readers"),
    ("report", "evidence"),
    ("report", "stats"),
    ("stats", "results"),
    ("stats", "estimand"),
    *[(a, b) for a in VERBS for b in VERBS if a != b],
]
FOREIGN = {
    "stats": {"numpy", "scipy", "numba"},
    "errors": set(),
    "seeds": {"numpy"},
    "estimand": {"msgspec"},
    "results": {"msgspec"},
    "report": {"msgspec", "rich", "jinja2", "matplotlib", "markupsafe"},
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> list[str]:
    """Every module that a file imports, type-checking imports and those inside functions included."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found += (
                [node.module] if node.module != "deadheat" else [f"deadheat.{a.name}" for a in node.names]
            )
        elif isinstance(node, ast.ImportFrom) and node.level:
            pytest.fail(f"{path}: relative import")
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def rooms_used(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imports(path) if name.startswith("deadheat.")}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_module(path):
    text = path.read_text()
    assert len(text.splitlines()) <= LONGEST, "split the module: one module, one idea"
    first = ast.get_docstring(ast.parse(text))
    assert first, "the first line of a module says what it is for"
    assert first.split("\n")[0].rstrip().endswith((".", ";", "`", ":")), first
    here = room(path)
    assert here in FLOORS, f"give {here} a floor"
    for other in rooms_used(path) - {here}:
        if here == "__init__":
            continue
        assert FLOORS[other] <= FLOORS[here], f"{here} (floor {FLOORS[here]}) imports {other} from above"
        assert (here, other) not in FORBIDDEN, f"{here} must not know {other}"
    allowed = FOREIGN.get(here)
    if allowed is not None:
        outside = {name.split(".")[0] for name in imports(path)} - {"deadheat"} - _standard()
        assert outside <= allowed, f"{here} may import {allowed or 'nothing foreign'}"


def _standard() -> set[str]:
    import sys

    return set(sys.stdlib_module_names) | {"__future__"}


def test_no_circles():
    graph = {path: imports(path) for path in modules()}
    names = {".".join(("deadheat", *p.relative_to(PACKAGE).with_suffix("").parts)): p for p in graph}
    names |= {n.removesuffix(".__init__"): p for n, p in names.items() if n.endswith(".__init__")}
    done: set[Path] = set()

    def visit(path: Path, trail: tuple[Path, ...]) -> None:
        assert path not in trail, " -> ".join(str(p.relative_to(PACKAGE)) for p in (*trail, path))
        if path in done:
            return
        for name in graph[path]:
            if name in names and names[name] != path and names[name].name != "__init__.py":
                visit(names[name], (*trail, path))
        done.add(path)

    for path in graph:
        visit(path, ())


def test_public_names():
    import deadheat

    assert deadheat.__all__ == sorted(deadheat.__all__)
    for name in deadheat.__all__:
        assert getattr(deadheat, name) is not None
    assert set(deadheat._HOMES) == set(deadheat.__all__) - {"__version__"}


def test_no_machine_in_the_project():
    root = PACKAGE.parent.parent
    for path in [
        *modules(),
        root / "README.md",
        root / "requirements.lock",
        root / "requirements-dev.lock",
        root / "run",
        root / "pyproject.toml",
    ]:
        text = path.read_text()
        for word in ("/work" + "/", "file://", "--index" + "-url"):
            assert word not in text, f"{path} names a machine: {word}"


def test_every_claim_is_said_and_checked():
    from deadheat.report.sentences import sentence
    from deadheat.results.claims import code, leaves
    from truth.checkers import CHECKERS

    codes = {code(kind): kind for kind in leaves()}
    assert len(codes) == len(leaves()), "two claims share a code"
    assert set(codes) == set(CHECKERS), "every claim has a checker in tests/truth/checkers*.py"
    for name, kind in codes.items():
        assert sentence.dispatch(kind) is not sentence.dispatch(object), f"no sentence says {name}"


def test_checkers_stand_apart():
    folder = PACKAGE.parent.parent / "tests" / "truth"
    for path in [folder / "plain.py", *folder.glob("checkers*.py")]:
        assert not any(name.startswith("deadheat") for name in imports(path)), f"{path} must be independent"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_summary_is_made_of_claims(path):
    """A sentence without a claim cannot be written: a summary is `sentences(claims)` and nothing else."""
    name = str(path.relative_to(PACKAGE))
    if room(path) in ("report", "explorer"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.keyword) and node.arg == "summary":
            made = node.value.func if isinstance(node.value, ast.Call) else None
            called = made.id if isinstance(made, ast.Name) else getattr(made, "attr", None)
            assert called in ("sentences", "told"), f"{name}:{node.value.lineno} writes a summary by itself"
