"""The record of a board along its dates, and the steps of it that stand, as one picture."""

from __future__ import annotations

from datetime import date

from deadheat.report import rows_early
from deadheat.report.figures import axis
from deadheat.report.html_studies import Curve, Curves
from deadheat.report.names import clean
from deadheat.results.history import Records

BOX = 1000  # width and height of the picture in its own unit


def charts(document: Records) -> list[Curves]:
    """Draw the record as steps, with a dot at each record that stands.

    Parameters
    ----------
    document : Records
        The result of looking at a history; without a second record there is nothing to draw.
    """
    held = [(document.start.date, document.start.entry, document.start.value, False)]
    held += [(step.date, step.entry, step.value, step.stands) for step in document.steps]
    days = [date.fromisoformat(day).toordinal() for day, *_ in held]
    if len(held) < 2 or days[0] == days[-1]:
        return []
    scale = rows_early.scale(document)
    upward = axis([(min(value for _, _, value, _ in held), max(value for _, _, value, _ in held))])
    across = [(day - days[0]) / (days[-1] - days[0]) for day in days]
    up = [1 - upward.place(value) for _, _, value, _ in held]
    corners = [(across[0], up[0])]
    for x, before, after in zip(across[1:], up, up[1:], strict=False):
        corners += [(x, before), (x, after)]
    words = [f"{day} {clean(entry)}: {scale.value(value)}" for day, entry, value, _ in held]
    points = tuple(
        (round(100 * x, 2), round(100 * y, 2), text) for x, y, text in zip(across, up, words, strict=True)
    )
    standing = tuple(point for point, (*_, stands) in zip(points, held, strict=True) if stands)
    path = " ".join(f"{BOX * x:.5g},{BOX * y:.5g}" for x, y in corners)
    return [
        Curves(
            "The record, and the records that stand",
            "date",
            f"score {scale.unit}".rstrip(),
            (Curve("record; a dot where it stands", path, standing),),
            ((0.0, held[0][0]), (100.0, held[-1][0])),
            tuple((round(100 * (1 - upward.place(tick)), 2), scale.value(tick)) for tick in upward.ticks),
            (),
        )
    ]
