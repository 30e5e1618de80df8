"""The cells of a study, and the line of each: what varies, what was simulated, what theory says."""

from __future__ import annotations

from typing import Any

import msgspec

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import defined

Row = dict[str, Any]


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """What to simulate; None takes the study's own default.

    Parameters
    ----------
    items, samples : tuple of int or None
        Numbers of items, and of samples an item.
    rates : tuple of float or None
        True rates of the entries.
    gap : float or None
        True difference of two entries, in [0, 1].
    cluster_size : int or None
        Items of a cluster; a last cluster may be smaller.
    rho : tuple of float or None
        Share of the variance of difficulty that items of a cluster have in common.
    k : int
        Tries that pass@k speaks of.
    shares : tuple of float
        Shares of the items that are memorised.
    solved : float
        Chance that a sample of a memorised item is right.
    difficulty, affinity : float
        Standard deviations in logits: of the items' difficulty, and of each entry's own turn on an item.
    missing : float
        Share of the outcomes that a ragged board lacks, below 1/2.
    failed : float
        Chance that an attempt breaks, which is a zero.
    tests, intervals : tuple of str or None
        Names; None takes all that fit.
    every : int
        Items from one look at a test to the next.
    margin : float
        Loss that is held to a margin while looking early.
    power : float
        Power that a visible difference is seen with.
    alpha, level : float
        Size of the tests, level of the intervals.
    draws : int
        Resamples of intervals that draw.
    top : int
        Entries of a board that are looked at, best first.
    replicates : int
        Simulated benchmarks of each cell.
    seed : int
        Seed of all streams.

    Raises
    ------
    MethodError
        A number outside its range.
    """

    items: tuple[int, ...] | None = None
    samples: tuple[int, ...] | None = None
    rates: tuple[float, ...] | None = None
    gap: float | None = None
    cluster_size: int | None = None
    rho: tuple[float, ...] | None = None
    k: int = 10
    shares: tuple[float, ...] = (0.05, 0.1, 0.2)
    solved: float = 0.97
    difficulty: float = 1.9
    affinity: float = 0.6
    missing: float = 0.3
    failed: float = 0.0
    tests: tuple[str, ...] | None = None
    intervals: tuple[str, ...] | None = None
    every: int = 10
    margin: float = 0.05
    power: float = 0.8
    alpha: float = 0.05
    level: float = 0.95
    draws: int = 499
    top: int = 3
    replicates: int = 20_000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, low in (("items", 2), ("samples", 1)):
            _each(name, getattr(self, name), low, float("inf"), "is at least")
        for name in ("cluster_size", "k", "top", "replicates", "draws", "every"):
            _each(name, (getattr(self, name),), 1, float("inf"), "is at least")
        for name in ("rates", "margin", "power", "alpha", "level"):
            values = getattr(self, name)
            _each(name, values if isinstance(values, tuple) else (values,), 0, 1, "lies strictly between")
        for name in ("rho", "shares", "solved", "failed", "gap"):
            values = getattr(self, name)
            _each(name, values if isinstance(values, tuple) else (values,), 0, 1, "lies in")
        for name in ("difficulty", "affinity"):
            _each(name, (getattr(self, name),), 0, 20, "lies in")
        _each("missing", (self.missing,), 0, 0.5, "lies strictly between")
        if self.seed < 0:
            raise MethodError(f"a seed is 0 or more; found {self.seed}")
        if self.failed >= 1 or self.replicates < 2:
            raise MethodError("failed is below 1 and replicates at least 2")


def _each(name: str, values: tuple[float | None, ...] | None, low: float, high: float, where: str) -> None:
    for value in values or ():
        if value is None:
            continue
        inside = low < value < high if "strictly" in where else low <= value <= high
        if not inside:
            limits = f"{low:g}" if high == float("inf") else f"{low:g} and {high:g}"
            raise MethodError(f"{name} {where} {limits}; found {value:g}")


def row(
    cell: Row, simulated: float, error: float, exact: float | None = None, more: Row | None = None
) -> Row:
    """Make a line of plain values; what is not a number becomes None.

    Parameters
    ----------
    cell : dict
        What varies.
    simulated, error : float
        Mean over replicates and its Monte Carlo error.
    exact : float or None
        By quadrature or by a sum over every table; None where there is none.
    more : dict or None
        Further columns: `normal` is by normal theory with variances by quadrature.
    """
    found = {"simulated": simulated, "mc_se": error, "exact": exact, **(more or {})}
    return {
        **cell,
        **{
            key: value if value is None or isinstance(value, int) else defined(value)
            for key, value in found.items()
        },
    }
