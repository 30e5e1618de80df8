"""The explorer as files that work when opened from disk: answers computed beforehand, calculators alive."""

from __future__ import annotations

import base64
import gzip
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from deadheat.errors import DeadheatError
from deadheat.explorer import page
from deadheat.explorer.board_view import Held, opened, shown
from deadheat.explorer.browser.bundle import engine
from deadheat.explorer.coverage_view import covers
from deadheat.explorer.plain_values import finite
from deadheat.explorer.query import Query
from deadheat.explorer.rerun_view import rerun
from deadheat.output import write_whole
from deadheat.stats.score.exact_coverage import COVERAGE_METHODS

Settings = dict[str, tuple[str, ...]]
# What is computed beforehand; the page offers these and no others.
RERUN: Settings = {
    "items": ("20", "50", "100", "200", "500", "1000", "2000"),
    "samples": ("1", "5"),
    "rate": ("0.02", "0.1", "0.3", "0.6", "0.9"),
    "redraw": ("items", "reruns"),
    "method": ("default", "wald", "clopper-pearson", "percentile"),
    "level": ("0.95",),
    "spread": ("1",),
    "seed": ("0",),
}
COVERAGE: Settings = {
    "items": ("10", "20", "50", "100", "200", "500"),
    "level": ("0.9", "0.95", "0.99"),
    "zoom": ("0 1", "0 0.1", "0.4 0.6", "0.9 1"),
}
LICENCE = "LICENSE-micropython.txt"


def keep(folder: str, paths: Sequence[str], told: Callable[[int, int], None]) -> Path:
    """Write the pages.

    Parameters
    ----------
    folder : str
        Made if need be; files of the same names are replaced.
    paths : sequence of str
        Files of the view *Your data*; none leave the view out.
    told : callable
        Is told what is done, and what there is in all.

    Returns
    -------
    Path
        The page to open.

    Raises
    ------
    DeadheatError
        The folder cannot be written, or the paths cannot be read.
    """
    held = opened(paths) if paths else None
    into = Path(folder)
    try:
        into.mkdir(parents=True, exist_ok=True)
        for name, text in _files(held, told):
            write_whole(into / name, text)
    except OSError as error:
        raise DeadheatError(f"{folder} cannot be written ({error.strerror or error})") from error
    return into / "index.html"


def _files(held: Held | None, told: Callable[[int, int], None]) -> Any:
    """Every file, by name, as it is made."""
    settings = {"rerun": RERUN, "coverage": COVERAGE}
    yield "index.html", page.index(settings, board=held is not None)
    yield "explore.css", page.asset("css")
    yield "explore.js", page.kept_script()
    parts, licence = engine()
    yield "engine.js", _script("engine", parts)
    yield LICENCE, licence
    scenes, sheets = _all(RERUN), list(itertools.product(COVERAGE["items"], COVERAGE["level"]))
    total = len(scenes) + len(sheets)
    answers = {}
    for done, given in enumerate(scenes):
        told(done, total)
        answers["&".join(sorted(f"{name}={value}" for name, value in given))] = _answer(rerun, given)
    yield "rerun.js", _script("rerun", _packed(answers))
    for done, (items, level) in enumerate(sheets):
        told(len(scenes) + done, total)
        found = {}
        for zoom in COVERAGE["zoom"]:
            start, stop = zoom.split()
            asked = {"methods": ",".join(COVERAGE_METHODS), "items": items, "level": level, "start": start,
                     "stop": stop}  # fmt: skip
            found[zoom] = _answer(covers, list(asked.items()))
        name = f"coverage-{items}-{level}"
        yield f"{name}.js", _script(name, _packed(found))
    if held is not None:
        from deadheat.report import render

        yield "board.js", _script("board", _packed(shown(held.board(Query(()), every_pair=False))))
        yield "board.html", render(held.board(Query(()), every_pair=True), "html")


def _all(settings: Settings) -> list[list[tuple[str, str]]]:
    """Every combination of the settings."""
    return [list(zip(settings, each, strict=True)) for each in itertools.product(*settings.values())]


def _answer(view: Callable[[Query], dict[str, Any]], given: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What the server would answer; a refusal is an answer too."""
    try:
        return view(Query(given))
    except DeadheatError as error:
        return {"error": str(error)}


def _packed(value: Any) -> str:
    packed = gzip.compress(msgspec.json.encode(finite(value)), 9, mtime=0)
    return base64.b64encode(packed).decode("ascii")


def _script(name: str, value: Any) -> str:
    """A file that hands a value to the page."""
    key, text = (msgspec.json.encode(each).decode() for each in (name, value))
    return f"(globalThis.deadheat ??= {{}})[{key}] = {text};\n"
