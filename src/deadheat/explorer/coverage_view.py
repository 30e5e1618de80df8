"""The view *Coverage*: what the promise of a method is worth at every true rate, exactly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.explorer.query import Query
from deadheat.report.words import method as named
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.score import exact_coverage as exact

POINTS = 800  # rates of a curve, whatever the zoom
GRID = np.arange(1, 50) / 50  # as the coverage verb: 0.02, 0.04, ..., 0.98
MOST_ENDS = 40_000  # items x methods


def covers(query: Query) -> dict[str, Any]:
    """Draw coverage against the true rate.

    Parameters
    ----------
    query : Query
        ``methods`` (names separated by commas), ``items``, ``level``, and the rates ``start`` and ``stop``.
    """
    names = list(dict.fromkeys((query.text("methods") or "wald,wilson,clopper-pearson").split(",")))
    items = query.whole("items", 20, 1, 20_000)
    level = query.real("level", 0.95, 0.5, 0.999)
    start, stop = query.real("start", 0.0, 0, 1), query.real("stop", 1.0, 0, 1)
    query.done()
    for name in names:
        if name not in exact.COVERAGE_METHODS:
            raise MethodError(
                f"methods {name[:40]!r} was asked for; there are {', '.join(exact.COVERAGE_METHODS)}"
            )
    if items * len(names) > MOST_ENDS:
        raise MethodError(
            f"{len(names)} methods on {items:,} items were asked for; items times "
            f"methods is at most {MOST_ENDS:,}"
        )
    if stop - start < 1e-6:
        raise MethodError(
            f"rates from {start:g} to {stop:g} were asked for; a range is at least 0.000001 wide"
        )
    at = start + (stop - start) * np.arange(POINTS + 1) / POINTS
    at[-1] = stop
    at = at[(at > 0) & (at < 1)]
    curves = [_curve(name, items, level, at, (start, stop)) for name in names]
    says = " ".join(curve["says"] for curve in curves)
    return {"items": items, "level": level, "start": start, "stop": stop, "p": at.tolist(), "curves": curves,
            "summary": says}  # fmt: skip


@lru_cache(maxsize=32)
def _ends(name: str, items: int, level: float) -> tuple[Bounds, exact.Infimum, float, tuple[float, float]]:
    ends = exact.interval_ends(exact.COVERAGE_METHODS[name], items, level)
    on_grid = exact.coverage(ends, GRID)
    lowest = int(np.flatnonzero(on_grid <= on_grid.min() + exact.SAME)[0])
    found = exact.infimum(ends), exact.mean_coverage(ends)
    return ends, *found, (float(GRID[lowest]), float(on_grid[lowest]))


def _curve(name: str, items: int, level: float, at: Any, within: tuple[float, float]) -> dict[str, Any]:
    ends, infimum, mean, (p, lowest) = _ends(name, items, level)
    here = infimum if within == (0.0, 1.0) else exact.infimum(ends, within)
    where = "at" if infimum.attained else "as the rate nears"
    label = "Bootstrap (limit)" if name == "bootstrap" else named(name)[:1].upper() + named(name)[1:]
    says = (
        f"{label}: at worst {100 * infimum.coverage:.1f} %, {where} {infimum.p:.4g}; "
        f"on the rates 0.02, 0.04, …, 0.98 at worst {100 * lowest:.1f} %, at {p:g}; "
        f"{100 * mean:.1f} % averaged over all rates."
    )
    return {
        "method": name,
        "label": label,
        "coverage": exact.coverage(ends, at).tolist(),
        "minimum": {"p": p, "coverage": lowest},
        "infimum": infimum._asdict(),
        "infimum_here": here._asdict(),
        "mean": mean,
        "says": says,
    }
