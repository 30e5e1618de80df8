"""Several comparisons with one baseline as a page shows them: in the table that boards have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deadheat.report import columns, numbers, pictures
from deadheat.report.figures import Mark, background, mark, place
from deadheat.report.grid import Field
from deadheat.report.html_board import Cell, Row, View, page_order, places, rules
from deadheat.report.html_rules import opened
from deadheat.report.names import Name, clean, parted
from deadheat.results import Comparison, Comparisons


def versus_one(document: Comparisons, id: str) -> View | None:
    """Make the view of several comparisons with one baseline, in the table that boards have.

    Parameters
    ----------
    document : Comparisons
    id : str
        Prefix of element ids on the page.

    Returns
    -------
    View or None
        None for a single pair, for several baselines, or where no difference has an interval.
    """
    pairs, drawn = document.comparisons, pictures.comparisons(document.comparisons)
    if len(pairs) < 2 or len({pair.b for pair in pairs}) > 1 or drawn is None:
        return None
    fields = _pair_fields(document)
    ticks = tuple((place(drawn.axis, t), word) for t, word in zip(drawn.axis.ticks, drawn.ticks, strict=True))
    back = background([x for x, _ in ticks], place(drawn.axis, 0.0))
    zones = drawn.zones or (None,) * len(pairs)
    names = parted([clean(pair.a) for pair in pairs])
    shown = tuple(field.column for field in fields)
    level = next((numbers.level(pair.interval.level) for pair in pairs if pair.interval), "")
    shown_first = opened(len(pairs))
    rows = tuple(
        _row(pair, name, fields, mark(drawn.axis, pair.difference, ends, zone))
        for pair, name, ends, zone in zip(pairs, names, drawn.ends, zones, strict=True)
    )
    return View(
        id=id,
        title=None,
        summary="",
        anchor=clean(pairs[0].b),
        columns=shown,
        rows=rows,
        ticks=ticks,
        lanes=0,
        crowd=0,
        interval=f"{level} interval",
        unit=columns.scale_of_pairs(pairs).points,
        choosable=False,
        visible=any(zones),
        best="",
        fold=f"{len(pairs) - shown_first:,} more" if shown_first < len(pairs) else "",
        open=shown_first,
        css="\n".join([f"#{id}{{{back}}}", *rules(id, shown, rows)]),
    )


def _row(pair: Comparison, name: Name, fields: Sequence[Field[Comparison]], drawn: Mark) -> Row:
    return Row(
        name=name,
        kind="" if pair.difference is not None else "withheld",
        tied=pair.verdict == "not separated",
        cells=tuple(Cell(field.column.key, field.word(pair)) for field in fields),
        mark=drawn,
        ties=(),
        tip="\n".join([name.full, *(clean(note.text) for note in pair.notes)]),
        doubt=False,
        best=False,
        cuts=(),
    )


def _pair_fields(document: Comparisons) -> list[Field[Comparison]]:
    fields = columns.of_pairs(
        document.comparisons, columns.scale_of_pairs(document.comparisons), document.methods.alpha
    )
    first = ("a", "difference", "verdict", "interval", "p", "p_adjusted")
    titles = {"a": "Entry", "difference": "Difference"}
    named = [
        replace(f, column=replace(f.column, title=titles.get(f.column.key, f.column.title))) for f in fields
    ]
    return page_order(named, first, {"verdict": 0, "p": 1, "p_adjusted": 1, "interval": 3})


def pair_sorts(document: Comparisons) -> dict[str, list[int]]:
    """Give for every column of `versus_one` the place of each row when sorted by it."""
    fields = columns.of_pairs(
        document.comparisons, columns.scale_of_pairs(document.comparisons), document.methods.alpha
    )
    return {f.column.key: places([f.sort(pair) for pair in document.comparisons]) for f in fields if f.sort}
