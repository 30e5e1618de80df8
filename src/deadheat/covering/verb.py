"""The verb `coverage`: what the promised level of an interval method is worth, at each true rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.report.sentences import sentences
from deadheat.results import Coverage, Methods, Note, claims
from deadheat.stats.score import exact_coverage as exact
from deadheat.version import VERSION

CURVE = 999  # rates of the curve unless asked otherwise: 0.001, 0.002, ..., 0.999


def coverage(
    method: str, items: int, *, level: float = 0.95, rates: Sequence[float] | None = None, step: float = 0.02
) -> Coverage:
    """Compute the exact coverage of an interval for a rate: a sum over every possible count, no simulation.

    Parameters
    ----------
    method : str
        A name of `exact_coverage.COVERAGE_METHODS`; ``bootstrap`` is the limit of the percentile bootstrap
        as its draws grow.
    items : int
        Items behind the rate, 1 or more.
    level : float
        Level that the interval claims.
    rates : sequence of float or None
        True rates of the curve, in [0, 1]; None takes 0.001, 0.002, ..., 0.999.
    step : float
        The minimum is taken over the rates step, 2 step, ..., 1 - step; 1/step is a whole number.

    Returns
    -------
    Coverage
        The curve, the minimum on the grid, the true infimum over all rates in (0, 1), the average over all
        rates alike, and the expected width at each rate of the curve.

    Raises
    ------
    MethodError
        An unknown method, no items, a level outside (0, 1), a rate outside [0, 1], or a step that does not
        divide 1.
    """
    if method not in exact.COVERAGE_METHODS:
        raise MethodError(f"no interval {method!r} on counts; known are {', '.join(exact.COVERAGE_METHODS)}")
    grid = _grid(step)
    at = np.arange(1, CURVE + 1) / (CURVE + 1) if rates is None else np.asarray(rates, dtype=np.float64)
    if not np.all((at >= 0) & (at <= 1)):
        raise MethodError(f"coverage at rates {list(map(float, at))} was asked for; a rate lies in [0, 1]")
    ends = exact.interval_ends(exact.COVERAGE_METHODS[method], items, level)
    on_grid = exact.coverage(ends, grid)
    lowest = int(np.flatnonzero(on_grid <= on_grid.min() + exact.SAME)[0])
    words = f"{grid[0]:g} to {grid[-1]:g} by {step:g}"
    infimum = exact.infimum(ends)
    curve, width = exact.coverage(ends, at), exact.expected_width(ends, at)
    claimed = claims.LowestCoverage(
        method=method,
        items=items,
        level=level,
        coverage=infimum.coverage,
        at=infimum.p,
        attained=infimum.attained,
        grid_lowest=float(on_grid.min()),
        grid=words,
    )
    return Coverage(
        version=VERSION,
        estimand=Estimand(),
        methods=Methods(interval=method, level=level),
        method=method,
        items=items,
        summary=sentences((claimed,)),
        claims=(claimed,),
        notes=_notes(infimum, float(on_grid.min())),
        curve=tuple(zip(map(float, at), map(float, curve), strict=True)),
        minimum={"p": float(grid[lowest]), "coverage": float(on_grid[lowest]), "grid": words},
        infimum=infimum._asdict(),
        mean=exact.mean_coverage(ends),
        width=tuple(zip(map(float, at), map(float, width), strict=True)),
    )


def _grid(step: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Multiples of step below 1, as quotients of whole numbers: ends that are fractions are met exactly."""
    parts = round(1 / step) if 1e-7 <= step <= 0.5 else 0
    if not parts or abs(parts * step - 1) > 1e-9:
        raise MethodError(
            f"a grid by {step} was asked for; 1/step is a whole number, 2 or more, such as 0.02"
        )
    return np.arange(1, parts) / parts


def _notes(infimum: exact.Infimum, minimum: float) -> tuple[Note, ...]:
    if minimum - infimum.coverage < 0.001:
        return ()
    text = (
        f"a grid hides the worst: coverage jumps at the ends of intervals, and its infimum is "
        f"{100 * (minimum - infimum.coverage):.1f} points below the minimum on this grid"
    )
    return (Note(code="grid-hides-worst", text=text),)
