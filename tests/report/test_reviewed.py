"""Pages made from attempts, kept as words and marks to be reviewed: boards of every kind, a site, votes, …"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from deadheat import items, rank_votes, read_votes, records
from deadheat.annotating.verb import annotate
from deadheat.cli import site_page
from deadheat.report import render
from deadheat.results import Document
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


def voted(folder: Path) -> Document:
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


@pytest.mark.parametrize("name", MADE)
def test_pages_of_what_was_computed_are_reviewed(name: str, tmp_path: Path) -> None:
    """The same of pages made from attempts: every kind of board, a site, votes, records and items."""
    made = MADE[name](tmp_path)
    golden.check(f"made-{name}.html", golden.bones(made if isinstance(made, str) else render(made, "html")))
