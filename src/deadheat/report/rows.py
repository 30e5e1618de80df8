"""Any document as a sheet of words: where the text formats begin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deadheat.errors import MethodError
from deadheat.report import (
    rows_audit,
    rows_board,
    rows_comparison,
    rows_early,
    rows_items,
    rows_other,
    rows_study,
    rows_votes,
)
from deadheat.report.grid import Sheet
from deadheat.results import Board, Comparisons, Coverage, Document, Plan, Study
from deadheat.results.audit import Audit
from deadheat.results.history import Records
from deadheat.results.items import Items
from deadheat.results.votes import VoteBoard, VoteComparisons
from deadheat.results.watch import Watch


def sheet(document: Document) -> Sheet:
    """Put any document into words.

    Parameters
    ----------
    document : Document
        A board, comparisons, a plan, a coverage curve, a study or an audit.

    Raises
    ------
    MethodError
        For a document of a type that no sheet is known for.
    """
    make = SHEETS.get(type(document))
    if make is None:
        raise MethodError(f"no text form for {type(document).__name__}; the json format takes any document")
    return make(document)


SHEETS: dict[type[Document], Callable[[Any], Sheet]] = {
    Board: rows_board.sheet,
    Comparisons: rows_comparison.sheet,
    Plan: rows_other.plan,
    Coverage: rows_other.coverage,
    Study: rows_study.sheet,
    Watch: rows_early.watch,
    Records: rows_early.records,
    Items: rows_items.items,
    Audit: rows_audit.audit,
    VoteBoard: rows_votes.board,
    VoteComparisons: rows_votes.comparisons,
}
