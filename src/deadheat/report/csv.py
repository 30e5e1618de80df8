"""Documents as CSV: full precision, one flat table, nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from deadheat.report import rows_board
from deadheat.report.style import Style
from deadheat.results import (
    Board,
    Comparison,
    Comparisons,
    Coverage,
    Document,
    Interval,
    Plan,
    Study,
)
from deadheat.results.audit import Audit
from deadheat.results.history import Records
from deadheat.results.items import Items
from deadheat.results.votes import VoteBoard, VoteComparisons
from deadheat.results.watch import Watch

NESTED: dict[str, type[msgspec.Struct]] = {"interval": Interval, "vs_anchor": Comparison}
LEFT_OUT = {"cost", "curve", "own", "common", "against_margin", "flips", "bounds", "fitted"}
"""Records beside a comparison, which have no columns where they are not given."""
STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write the rows of every document under one header; columns are JSON paths joined by ``_``.

    Parameters
    ----------
    documents : tuple of Document
        Results in order.
    style : Style
        Not used: CSV looks the same everywhere.
    """
    rows = [row for document in documents for row in records(document)]
    header = list(dict.fromkeys(key for row in rows for key in row))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([guard(key) for key in header])
    writer.writerows([guard(row.get(key)) for key in header] for row in rows)
    return stream.getvalue()


def guard(value: Any) -> str:
    """Write a cell; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.lstrip(" ").startswith(STARTS_FORMULA) else value
    return ("true" if value else "false") if isinstance(value, bool) else repr(value)


def records(document: Document) -> list[dict[str, Any]]:
    """Give the main table of a document as flat records.

    Parameters
    ----------
    document : Document
        Any result document.
    """
    if isinstance(document, Board):
        if not document.categories:
            return [flat(score) for score in document.entries]
        return [
            {"category": name or None, **flat(score)}
            for name, part in rows_board.parts(document)
            if part is not None
            for score in part.entries
        ]
    if isinstance(document, Comparisons):
        if not document.categories:
            return [flat(pair) for pair in document.comparisons]
        return [{"category": None, **flat(pair)} for pair in document.comparisons] + [
            {"category": name, **flat(pair)} for name, pairs in document.categories.items() for pair in pairs
        ]
    if isinstance(document, VoteBoard):
        return [flat(line) for line in (*document.entries, *document.apart)]
    if isinstance(document, VoteComparisons):
        return [flat(pair) for pair in document.comparisons]
    if isinstance(document, Coverage):
        return [{"p": p, "coverage": coverage} for p, coverage in document.curve]
    if isinstance(document, Study):
        return [flat(row) for row in document.rows]
    if isinstance(document, Items):
        return [flat(line) for line in document.items]
    if isinstance(document, Records):
        return [flat(step) for step in document.steps]
    if isinstance(document, Watch):
        return [flat(look) for look in document.looks]
    if isinstance(document, Audit):
        parts = (*document.submissions, *document.denominators, *document.findings)
        return [flat(part) for part in parts]
    if isinstance(document, Plan):
        return [{**flat(document.assumptions), **flat(document.answer)}]
    return [flat(document)]


def flat(record: Any) -> dict[str, Any]:
    """Flatten a record: nested keys are joined by ``_``, notes become one text, other lists too.

    Parameters
    ----------
    record : Struct or dict
        A result or a part of one.
    """
    out: dict[str, Any] = {}
    _flatten(record, "", out)
    return out


def _flatten(value: Any, key: str, out: dict[str, Any]) -> None:
    name = key.rpartition("_")[2] if key not in NESTED else key
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            _flatten(getattr(value, field), f"{key}_{field}".lstrip("_"), out)
    elif value is None and key.removeprefix("vs_anchor_") in LEFT_OUT:
        return
    elif value is None and name in NESTED:
        for field in NESTED[name].__struct_fields__:
            _flatten(None, f"{key}_{field}", out)
    elif key == "rank" or (name == "bounds" and value is not None):
        out[f"{key}_low"], out[f"{key}_high"] = value or (None, None)
    elif name == "notes":
        out[key] = "; ".join(note.text for note in value or ())
    elif isinstance(value, Mapping):
        for field, item in value.items():
            _flatten(item, f"{key}_{field}".lstrip("_"), out)
    elif isinstance(value, Sequence) and value and isinstance(value[0], msgspec.Struct):
        return  # a table of its own, which one cell cannot hold
    elif isinstance(value, Sequence) and not isinstance(value, str):
        out[key] = "; ".join(str(item) for item in value)
    else:
        out[key] = value
