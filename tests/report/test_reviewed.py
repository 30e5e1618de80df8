"""Pages made from attempts, kept as words and marks to be reviewed: boards of every kind, a site, votes, …"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deadheat import items, rank_votes, read_votes, records
from deadheat.annotating.verb import annotate
from deadheat.cli import site_page
from deadheat.report import render
from deadheat.results import Document
from deadheat.results.votes import VoteBoard
from report import golden, real_boards
from report.real_boards import KINDS
from sites import document, entry, right, site_of
from test_voting import arena

SEVEN = 7
"""Entries of the small boards whose pages are reviewed."""


def annotated(folder: Path) -> str:
    """The page of a site: a board with results of four kinds, and one whose best entry publishes none."""
    rows = [
        entry("best", 90.0, right(27, 30)),
        entry("bare", 85.0, None),
        entry("next", 80.0, right(24, 30)),
        entry("false", 60.0, right(3, 30)),
        entry("far", 50.0, [0] * 15 + [1] * 15),
    ]
    made = document(*rows, board="Main")
    made["leaderboards"] += document(entry("top", 99.0, None), rows[2], rows[4], board="Other")[
        "leaderboards"
    ]
    site = site_of(folder, made)
    site = replace(site, file=msgspec.structs.replace(site.file, path="leaderboards.json", sha256=""))
    return site_page.page(site, annotate(site), (), None)


def voted(folder: Path) -> VoteBoard:
    """A board of votes."""
    arena(folder / "votes.csv", votes=400)
    found = rank_votes(read_votes(folder / "votes.csv"))
    files = tuple(msgspec.structs.replace(file, path="votes.csv") for file in found.provenance.files)
    return msgspec.structs.replace(found, provenance=msgspec.structs.replace(found.provenance, files=files))


MADE: dict[str, Callable[[Path], Document | str]] = {
    **{kind: lambda _, kind=kind: real_boards.board(kind, entries=SEVEN) for kind in KINDS},  # type: ignore[misc]
    "annotate": annotated,
    "votes": voted,
    "records": lambda _: records(real_boards.table("plain", SEVEN)),
    "items": lambda _: items(real_boards.table("plain", SEVEN)),
}


def test_votes_are_shown_in_the_table_of_boards(browser: Any, axe: str, tmp_path: Path) -> None:
    found = voted(tmp_path)
    path = tmp_path / "page.html"
    path.write_text(render(found, "html"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    cell = "rows => rows.map((row) => row.cells[1].textContent.trim())"
    rows = page.locator("table.rows tbody tr:not(.cut)")
    wanted = [
        "anchor" if s.vs_anchor is None else f"{100 * s.vs_anchor.win_probability:.1f}" for s in found.entries
    ]
    assert rows.evaluate_all(cell) == wanted
    verdicts = rows.evaluate_all("rows => rows.map((row) => row.cells[3].textContent.trim())")
    told = {"b": "behind", "a": "ahead", "not separated": "not separated"}
    assert verdicts[1:] == [told[s.vs_anchor.verdict] for s in found.entries[1:]]
    page.locator("th button[data-key=win]").click()
    page.locator("th button[data-key=win]").click()
    assert rows.evaluate_all(cell) in (wanted, wanted[::-1])
    page.evaluate(axe)
    violations = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert not violations, [(each["id"], each["nodes"][0]["html"]) for each in violations]
    assert complaints == []
    page.close()


@pytest.mark.parametrize("name", MADE)
def test_pages_of_what_was_computed_are_reviewed(name: str, tmp_path: Path) -> None:
    """The same of pages made from attempts: every kind of board, a site, votes, records and items."""
    made = MADE[name](tmp_path)
    golden.check(f"made-{name}.html", golden.bones(made if isinstance(made, str) else render(made, "html")))
