"""The page of an annotated site: its boards in the table that `rank` draws, with every entry as anchor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from deadheat.results import Board, Note, Score
from deadheat.results.annotation import HIDDEN

if TYPE_CHECKING:
    from deadheat.annotating.site_document import Part, Site
    from deadheat.data.table import Table
    from deadheat.results.annotation import Annotation, BoardStatistics, SiteBoard, SiteLine

MOST_PAIRS = 2_000
"""Entries up to which a page takes the tests of all pairs along."""


def page(site: Site, annotation: Annotation, chosen: Sequence[str], test: str | None) -> str:
    """Write the boards of a site as one page.

    Parameters
    ----------
    site : Site
        What was read.
    annotation : Annotation
        What it was annotated with: which entries count, their groups and the notes are taken from it.
    chosen : sequence of str
        Names of the boards; empty takes all that have per-item results, or else all.
    test : str or None
        The test that was asked for.
    """
    from deadheat.report.html import page_of
    from deadheat.report.style import PLAIN

    told = annotation.boards
    names = chosen or [name for name, board in told.items() if board.statistics.with_items] or list(told)
    parts = {part.name: part for part in site.boards}
    boards = tuple(_board(annotation, parts[name], told[name], test) for name in names)
    return page_of(boards, PLAIN, tuple(names))


def _board(annotation: Annotation, part: Part, told: SiteBoard, test: str | None) -> Board:
    """Rank the annotated entries; the others stand by their published rates and count for nothing."""
    statistics = told.statistics
    lines = [line for line in told.entries.values() if line.group is not None and statistics.columns]
    apart = [line for line in told.entries.values() if line not in lines]
    notes = [*_standing(statistics), *(f"{w.name or w.entry}: {w.reason}" for w in statistics.withheld)]
    doubts = tuple(Note(code="annotated", text=text.rstrip(".")) for text in notes) + statistics.doubts
    if not statistics.columns:
        doubts = (Note(code=HIDDEN, text=statistics.note[0].rstrip(".")), *doubts)
    if lines:
        board = _ranked(part, lines, statistics.alpha, statistics.anchor, test)
    else:
        from deadheat.report.sentences import sentences

        board = Board(
            version=annotation.version,
            estimand=annotation.estimand,
            methods=annotation.methods,
            summary=sentences(()),
            entries=(),
            groups=(),
            tie_lines=(),
        )
    return msgspec.structs.replace(
        board,
        notes=(*board.notes, *doubts),
        provenance=annotation.provenance,
        entries=tuple(_merged(board.entries, told, apart)),
        groups=statistics.groups if lines else (),
    )


def _standing(told: BoardStatistics) -> Iterator[str]:
    """Say how many entries have statistics, and what stands above the anchor although it has none."""
    from deadheat.report import phrases

    yield phrases.counted(told.annotated, told.entries, len(told.withheld))
    above = (told.above_without_items, told.level_without_items, told.above_withheld)
    if told.columns and told.anchor_name and any(above):
        yield phrases.standing(told.anchor_name, *above)


def _ranked(
    part: Part, lines: Sequence[SiteLine], alpha: float, anchor: str | None, test: str | None
) -> Board:
    from deadheat.ranking.verb import rank

    return rank(
        _table(part, lines),
        alpha=alpha,
        test=test,
        anchor=anchor if len(lines) > 1 else None,
        min_share=0,
        every_pair=len(lines) <= MOST_PAIRS,
    )


def _table(part: Part, lines: Sequence[SiteLine]) -> Table:
    """Make attempts of the per-item results of some entries."""
    from deadheat.data.table import Table

    results = {line.entry: line.outcomes for line in part.lines if line.outcomes is not None}
    used = [(line.entry, results[line.entry]) for line in lines]
    table = Table.from_columns(
        {
            "entry": np.repeat([entry for entry, _ in used], [len(found.known) for _, found in used]),
            "item": np.array(list(chain.from_iterable(found.known for _, found in used))),
            "score": np.concatenate([found.scores for _, found in used]),
        }
    )
    return replace(
        table,
        names={line.entry: line.name for line in lines if line.name},
        published={line.entry: line.published / 100 for line in lines if line.published is not None},
    )


def _merged(entries: Sequence[Score], told: SiteBoard, apart: Sequence[SiteLine]) -> Iterator[Score]:
    """Give ranked entries the groups of the annotation, the others between them by their published rates."""
    waiting = sorted(apart, key=lambda line: (line.published is None, -(line.published or 0.0)))
    for score in entries:
        rate = score.value if score.published is None else score.published
        while waiting and rate is not None and (waiting[0].published or -1.0) > 100 * rate:
            yield _bare(waiting.pop(0))
        yield msgspec.structs.replace(score, group=told.entries[score.entry].group)
    yield from map(_bare, waiting)


def _bare(line: SiteLine) -> Score:
    """An entry of which only the published rate is known, and why."""
    why = line.reason or "statistics are not shown here"
    published = None if line.published is None else line.published / 100
    note = Note(code=line.code or HIDDEN, text=why)
    return Score(entry=line.entry, name=line.name, published=published, notes=(note,))
