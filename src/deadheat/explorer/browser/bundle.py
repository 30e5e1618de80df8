"""The engine's files that a page opened from disk carries, translated for the Python that runs in it."""

from __future__ import annotations

import ast
import base64
import gzip
import json
import re
from functools import cache
from pathlib import Path

from deadheat.explorer.browser.translate import translated

PACKAGE = Path(__file__).parent.parent.parent
HERE = "deadheat.explorer.browser"
START = f"{HERE}.driver"
# Files of this folder that stand where others would be imported from.
STANDING_IN = {
    "numpy": "numpy_",
    "scipy.special": "special",
    "statistics": "statistics_",
    "deadheat.results": "records_",
    "deadheat.estimand": "records_",
    "deadheat.report.sentences": "sentences_",
    "deadheat.report.voice": "sentences_",
}
# Whoever imports these is about data, which a page from disk has none of: names are there and never used.
DATA = {"deadheat.data.panel", "deadheat.data.table"}
LEFT_OUT = DATA | {"deadheat.stats.score.clustered"}
NATIVE = {"json", "math", "collections"}
MICROPYTHON = Path(__file__).parent / "micropython"
TEMPLATES = Path(__file__).parent.parent / "templates"


@cache
def sources() -> dict[str, str]:
    """Collect every file that the calculators need, by its path.

    Returns
    -------
    dict of str to str
        Paths below the root of the page's own file system, and translated sources.
    """
    found: dict[str, str] = {}
    left: dict[str, set[str]] = {}
    waiting = [(START, "")]
    while waiting:
        name, wanted = waiting.pop()
        path = f"{name.replace('.', '/')}.py"
        if name in STANDING_IN:
            stand_in = f"{HERE}.{STANDING_IN[name]}"
            found[path] = f"from {stand_in} import *\n"
            waiting.append((stand_in, ""))
            continue
        file = _file(name)
        if file is None:
            raise ModuleNotFoundError(f"the calculators of a page would need {name}", name=name)
        path = path if file.name != "__init__.py" else path.replace(".py", "/__init__.py")
        text = translated(file.read_text(encoding="utf-8"), plain=HERE in name)
        needed = _needed(text)
        if name in LEFT_OUT or DATA & {each for each, _ in needed}:
            left.setdefault(path, set()).add(wanted)
        elif path not in found:
            found[path] = text
            waiting += needed
    for path, names in left.items():
        found[path] = "".join(f"{each} = None\n" for each in sorted(names - {""}))
    for path in list(found):
        for folder in list(Path(path).parents)[:-1]:
            found.setdefault(f"{folder.as_posix()}/__init__.py", "")
    return dict(sorted(found.items()))


def engine() -> tuple[dict[str, str], str]:
    """Pack what runs in the page.

    Returns
    -------
    parts : dict of str to str
        ``code`` of the worker, the ``wasm`` it loads and the engine's ``files``: each compressed, in base 64.
    licence : str
        Under which the first two may be passed on.
    """
    python = (MICROPYTHON / "micropython.mjs").read_text(encoding="utf-8")
    # A worker from a page on disk is no module: nothing is exported, and it has no address of its own.
    python = re.sub(r"export\s+(?:default\s+\w+;|\{[^}]*\};?)|export\s+(?=async function)", "", python)
    python = python.replace("import.meta.url", '"x:/"')
    worker = (TEMPLATES / "worker.js").read_text(encoding="utf-8")
    parts = {
        "code": f"(async () => {{{python}\n{worker}}})();".encode(),
        "wasm": (MICROPYTHON / "micropython.wasm").read_bytes(),
        "files": json.dumps(sources()).encode(),
    }
    packed = {
        name: base64.b64encode(gzip.compress(part, 9, mtime=0)).decode() for name, part in parts.items()
    }
    return packed, (MICROPYTHON / "LICENSE").read_text(encoding="utf-8")


def _needed(text: str) -> list[tuple[str, str]]:
    """Modules that a file imports and that have to come along, each with the name that is taken from it."""
    pairs: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                inner = below in STANDING_IN or _file(below) is not None
                inner = inner and node.module not in STANDING_IN
                pairs.append((below, "") if inner else (node.module, alias.name))
        elif isinstance(node, ast.Import):
            pairs += [(alias.name, "") for alias in node.names]
    return [pair for pair in pairs if pair[0] not in NATIVE]


def _file(name: str) -> Path | None:
    """The file of a module of this package."""
    parts = name.split(".")
    if parts[0] != "deadheat":
        return None
    place = PACKAGE.joinpath(*parts[1:])
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file() and len(parts) > 1:
            return file
    return None
