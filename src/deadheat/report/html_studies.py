"""Pictures of a simulation study: curves over its cells, and how far intervals fall from their level."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.report import numbers, words
from deadheat.report.figures import axis, mark, place
from deadheat.report.html_charts import Chart, Forest, Line
from deadheat.report.rows_study import head, measured
from deadheat.report.rows_study import named as study_word
from deadheat.results import Study

Rows = Sequence[Mapping[str, Any]]

CURVES = 6  # that one picture can tell apart


@dataclass(frozen=True)
class Curve:
    """One line of a picture: its name, its path in a box 1000 wide and high, and its points in per cent.

    ``bars``: errors of the points, as an SVG path in the same box. ``faint``: points are hollow and grey.
    """

    label: str
    path: str
    points: tuple[tuple[float, float, str], ...]
    bars: str = ""
    faint: bool = False


@dataclass(frozen=True)
class Curves:
    """Several curves in one box; a logarithmic axis where the values of x span more than a factor of five."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    levels: tuple[tuple[float, str], ...]
    kind: str = "curves"

    def css(self, id: str) -> str:
        """Curves need no rules of their own."""
        return ""


@dataclass(frozen=True)
class Spec:
    """How a study is drawn: its x, what makes a line, what makes a picture of its own, which rows."""

    x: str
    line: str
    panel: tuple[str, ...]
    rows: Mapping[str, str]


SPECS = {
    "passk": Spec("samples", "estimator", ("rate", "entry", "items", "k"), {"quantity": "mean"}),
    "variance": Spec("items", "samples", ("rate", "entry"), {"quantity": "SD of the score"}),
    "calibration": Spec("items", "test", ("rate", "a", "b", "samples"), {}),
    "power": Spec("items", "samples", ("rate", "a", "b", "test"), {}),
    "mde": Spec("items", "samples", ("rate", "a", "b", "test"), {}),
    "flips": Spec("items", "quantity", ("entries", "samples"), {"ties": "broken at random"}),
    "ragged": Spec("items", "policy", ("entries", "missing", "share"), {}),
    "contamination": Spec("share", "known", ("rate", "entry", "items", "samples"), {"quantity": "inflation"}),
}
Y = {
    "passk": "pass@{k}",
    "variance": "SD of the score",
    "calibration": "Share of equal pairs that are separated",
    "power": "Power",
    "mde": "Smallest visible difference",
    "flips": "Share of replicates",
    "ragged": "Share with a wrong entry first",
    "contamination": "Added to the score",
}


def charts(document: Study) -> list[Chart | Curves]:
    """Draw a study.

    Parameters
    ----------
    document : Study
        The result of simulating.
    """
    if document.study == "coverage":
        return list(_forests(document))
    spec = SPECS.get(document.study)
    if spec is None:
        return []
    panels: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in document.rows:
        wanted = all(row.get(key) == value for key, value in spec.rows.items())
        if wanted and all(row.get(key) is not None for key in (spec.x, spec.line, "simulated")):
            panels.setdefault(tuple(row.get(key) for key in spec.panel), []).append(row)
    drawn = (_panel(document, spec, key, rows) for key, rows in panels.items())
    return [panel for panel in drawn if panel is not None]


def _panel(document: Study, spec: Spec, key: tuple[Any, ...], rows: Rows) -> Curves | None:
    across = sorted({row[spec.x] for row in rows})
    if len(across) < 2:
        return None
    alpha = document.methods.alpha
    levels = [(alpha, f"α = {alpha:g}")] if document.study == "calibration" and alpha else []
    heights = [row["simulated"] for row in rows] + [level for level, _ in levels]
    least, most = min(heights), max(heights)
    upward = axis([(least if least > most / 2 else min(0.0, least), most)])  # 0 belongs to what is near it
    curved = across[0] > 0 and across[-1] > 5 * across[0]

    def at(x: float) -> float:
        low, high, value = (math.log(v) if curved else v for v in (across[0], across[-1], x))
        return (value - low) / (high - low)

    def up(y: float) -> float:
        return 1 - upward.place(y)

    lines: dict[Any, list[Mapping[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: float(row[spec.x])):
        lines.setdefault(row[spec.line], []).append(row)
    curves = tuple(
        Curve(
            _named(spec.line, name),
            " ".join(f"{1000 * at(p[spec.x]):.5g},{1000 * up(p['simulated']):.5g}" for p in points),
            tuple(
                (round(100 * at(p[spec.x]), 2), round(100 * up(p["simulated"]), 2), _told(spec, p))
                for p in points
            ),
        )
        for name, points in list(lines.items())[:CURVES]
    )
    about = ", ".join(
        _named(name, value)
        for name, value in zip(spec.panel, key, strict=True)
        if value is not None and name != "k"
    )
    return Curves(
        f"{_y(document.study, key, spec)}: {about}",
        f"{head(spec.x)}{' (logarithmic)' if curved else ''}",
        _y(document.study, key, spec),
        curves,
        _apart([(round(100 * at(x), 2), numbers.plain(x)) for x in across]),
        tuple((round(100 * up(tick), 2), numbers.plain(tick)) for tick in upward.ticks),
        tuple((round(100 * up(level), 2), text) for level, text in levels),
    )


def _y(study: str, key: tuple[Any, ...], spec: Spec) -> str:
    """Name what the curves show."""
    return Y[study].format_map(dict(zip(spec.panel, key, strict=True)))


def _told(spec: Spec, row: Mapping[str, Any]) -> str:
    """What a point says when it is pointed at."""
    about = f"{_named(spec.line, row[spec.line])}, {_named(spec.x, row[spec.x])}"
    return f"{about}: {measured(row['simulated'], row.get('mc_se'))}"


def _named(key: str, value: Any) -> str:
    """A value with its unit, as a legend has it."""
    if key in ("items", "samples"):
        return words.plural(int(value), key.removesuffix("s"))
    if key == "entries":
        return f"{value:,} entries"
    if key in ("rate", "share"):
        return f"{head(key).lower()} {numbers.percent(value)}"
    return f"{key} {numbers.plain(value)}" if key in ("a", "b") else study_word(key, value)


def _apart(ticks: Sequence[tuple[float, str]]) -> tuple[tuple[float, str], ...]:
    """Leave out labels that would touch the one before."""
    kept: list[tuple[float, str]] = []
    for place_, label in ticks:
        if not kept or place_ - kept[-1][0] >= 9:
            kept.append((place_, label))
    return tuple(kept)


def _forests(document: Study) -> list[Forest]:
    """A picture for each design: the coverage of every interval beside the level it claims."""
    level = document.methods.level
    designs: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in document.rows:
        if row.get("quantity") == "coverage" and row.get("simulated") is not None:
            designs.setdefault(tuple(row.get(key) for key in DESIGN), []).append(row)
    return [_forest(key, rows, level) for key, rows in designs.items()]


DESIGN = ("rate", "entry", "items", "samples", "clusters", "rho")


def _forest(key: tuple[Any, ...], rows: Rows, level: float | None) -> Forest:
    spans = {id(row): 2 * (row["mc_se"] or 0.0) for row in rows}
    ends = [(row["simulated"] - spans[id(row)], row["simulated"] + spans[id(row)]) for row in rows]
    drawn = axis([*ends, *([(level, level)] if level is not None else [])])
    named = dict(zip(DESIGN, key, strict=True))
    about = [_named(name, named[name]) for name in DESIGN[:4] if named[name] is not None]
    if named["clusters"] is not None:
        about.append(f"{named['clusters']} clusters, ρ = {numbers.plain(named['rho'])}")
    lines = tuple(
        Line(
            words.method(row["interval"]),
            f"{100 * row['simulated']:.1f} % ± {100 * (row['mc_se'] or 0.0):.1f}",
            mark(drawn, row["simulated"], end),
            tied=level is not None and end[0] <= level <= end[1],
        )
        for row, end in zip(rows, ends, strict=True)
    )
    ticks = tuple((place(drawn, tick), f"{100 * tick:.4g} %") for tick in drawn.ticks)
    title = f"Coverage, {', '.join(about)} (± two Monte Carlo errors)"
    return Forest(title, ticks, None if level is None else place(drawn, level), (), lines)
