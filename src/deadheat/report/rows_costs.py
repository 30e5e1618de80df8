"""Score against cost as a table, and as a picture."""

from __future__ import annotations

from collections.abc import Callable

from deadheat.report import numbers
from deadheat.report.figures import axis
from deadheat.report.grid import Column, Grid
from deadheat.report.html_studies import Curve, Curves
from deadheat.report.numbers import DASH, Scale
from deadheat.results.cost import CostLine, Costs

BOX = 1000  # width and height of the picture in its own unit


def amount(value: float | None) -> str:
    """Write a cost: three digits, or whole from a thousand on."""
    if value is None:
        return DASH
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def ordered(made: Costs) -> list[CostLine]:
    """Give the entries from the cheapest to the dearest, those of unknown cost last."""
    return sorted(made.lines, key=lambda line: (line.cost is None, line.cost or 0.0, line.entry))


def grid(made: Costs, how: Scale, name: Callable[[str | None], str]) -> Grid:
    """Set scores against costs, cheapest first."""
    columns = (
        Column("entry", "Entry", right=False),
        Column("cost", f"{made.column} per item"),
        Column("se", "SE", priority=4),
        Column("total", "Total", priority=3),
        Column("value", f"Score {how.unit}".rstrip()),
        Column("correlation", "Correlation", priority=5, tip="Of cost with score, over items."),
        Column("frontier", "Frontier", right=False),
        Column(
            "rival", "Beaten by", right=False, priority=2, tip="Costs no more, and is shown to be better."
        ),
    )
    rows = tuple(
        (
            name(line.entry),
            amount(line.cost),
            amount(line.se),
            amount(line.total),
            how.value(line.value),
            numbers.coefficient(line.correlation),
            _standing(line),
            DASH if line.rival is None else name(line.rival),
        )
        for line in ordered(made)
    )
    return Grid(columns, rows, f"Score against {made.column}")


def _standing(line: CostLine) -> str:
    if line.cost is None:
        return "unknown cost"
    if line.possible_with_error and not line.possible:
        return "possible, if costs vary"
    return "observed" if line.observed else "possible" if line.possible else "off"


def picture(made: Costs, how: Scale) -> list[Curves]:
    """Draw score against cost, with the frontier as observed as a line and the possible ones filled."""
    known = [line for line in ordered(made) if line.cost is not None and line.value is not None]
    if len(known) < 2:
        return []
    across = axis([(0.0, max((line.cost or 0.0) + (line.se or 0.0) for line in known))])
    scores = [(line.value or 0.0, line.value_se or 0.0) for line in known]
    upward = axis([(min(x - se for x, se in scores), max(x + se for x, se in scores))])

    def spot(line: CostLine) -> tuple[float, float, str]:
        words = f"{line.entry}: {how.value(line.value)} at {amount(line.cost)}"
        x, y = across.place(line.cost or 0.0), 1 - upward.place(line.value or 0.0)
        return round(100 * x, 2), round(100 * y, 2), words

    def curve(name: str, path: str, lines: list[CostLine], *, faint: bool = False) -> Curve:
        bars = []
        for line in lines:
            x, y, dx, dy = line.cost or 0.0, line.value or 0.0, line.se or 0.0, line.value_se or 0.0
            at, up = BOX * across.place(x), BOX * (1 - upward.place(y))
            ends = [BOX * across.place(max(x - dx, 0.0)), BOX * across.place(x + dx)]
            heights = [BOX * (1 - upward.place(end)) for end in (y - dy, y + dy)]
            bars.append(f"M{ends[0]:.5g},{up:.5g}H{ends[1]:.5g}M{at:.5g},{heights[0]:.5g}V{heights[1]:.5g}")
        return Curve(name, path, tuple(map(spot, lines)), "".join(bars), faint)

    corners: list[str] = []
    for line in known:
        if line.observed:
            x, y, _ = spot(line)
            corners += [f"{BOX * x / 100:.5g},{corners[-1].split(',')[1]}"] if corners else []
            corners.append(f"{BOX * x / 100:.5g},{BOX * y / 100:.5g}")
    curves = (
        curve("frontier as observed", " ".join(corners), [line for line in known if line.observed]),
        curve("may be on it", "", [line for line in known if line.possible and not line.observed]),
        curve("off it", "", [line for line in known if not line.possible], faint=True),
    )
    return [
        Curves(
            f"Score against {made.column}, with bars of one standard error",
            f"{made.column} per item",
            f"score {how.unit}".rstrip(),
            tuple(each for each in curves if each.points),
            tuple((round(100 * across.place(tick), 2), amount(tick)) for tick in across.ticks),
            tuple((round(100 * (1 - upward.place(tick)), 2), how.value(tick)) for tick in upward.ticks),
            (),
        )
    ]
