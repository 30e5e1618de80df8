"""A comparison that is told its items one by one, or in batches, and may be asked at any time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import DuplicateAttempt, MethodError, MissingScore, listed
from deadheat.methods import ANYTIME
from deadheat.results import Interval
from deadheat.results.watch import Look, Outcome, Stop
from deadheat.stats.anytime import betting
from deadheat.stats.anytime.betting import Side
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import LN10

CHUNK = 4096  # units whose bets are made at once
LARGEST = 700.0  # logarithms of e-values that are numbers of a float
THIRDS = np.array([1.0, -1.0, 0.0])


@dataclass
class _Bet:
    """One hypothesis about the mean difference, and what rejecting it says."""

    outcome: Outcome | None  # None: whoever is ahead
    side: Side
    mean: float
    totals: Floats = field(default_factory=lambda: np.zeros(0))
    best: float = -math.inf

    def add(self, u: Floats, counts: Floats) -> None:
        theta, log_weight = betting.bets(self.side, (self.mean + 1) / 2)
        if len(self.totals) == 0:
            self.totals = log_weight.copy()
        for start in range(0, len(u), CHUNK):
            part = slice(start, start + CHUNK)
            ones = np.ones(len(u[part]))
            self.totals += betting.log_factors(u[part], ones, (self.mean + 1) / 2, theta) @ counts[part]

    def log_e(self) -> float:
        return float(betting.log_sum(self.totals[:, None])[0]) if len(self.totals) else 0.0


class Monitor:
    """Evidence about a against b that is valid at every look.

    Parameters
    ----------
    margin : float or None
        Largest loss that does not matter.
    stop : str or None
        ``separated``: one of the two scores higher. ``margin``: a is non-inferior, or inferior, within the
        margin. ``equivalent``: the difference is smaller than the margin, or larger. None takes ``margin``
        where there is one, else ``separated``.
    alpha : float
        Chance of ever deciding wrongly.
    lower_is_better : bool
        Whether the lower score is the better one.

    Raises
    ------
    MethodError
        A margin that is missing, not needed or outside (0, 1).

    Notes
    -----
    Each item comes once, with its scores in [0, 1]: the mean of the samples where there are several. Items
    have to come in an order that has nothing to do with their difficulty. One call is one look.

    Examples
    --------
    >>> import deadheat as dh
    >>> monitor = dh.Monitor()
    >>> for item in range(12):
    ...     if monitor.update(f"q{item}", 1, 0):
    ...         break
    >>> monitor.items, monitor.outcome, round(monitor.p, 4)
    (7, 'a', 0.0373)
    """

    def __init__(
        self,
        *,
        margin: float | None = None,
        stop: Stop | None = None,
        alpha: float = 0.05,
        lower_is_better: bool = False,
    ) -> None:
        self.stop: Stop = stop or ("separated" if margin is None else "margin")
        self.margin, self.alpha = margin, alpha
        self._sign = -1 if lower_is_better else 1
        self._bets = _hypotheses(self.stop, margin, alpha)
        self._names: set[Any] = set()
        self._values: dict[float, int] = {}
        self._many: list[Floats] = []
        self._total = 0.0
        self.items = 0
        self.outcome: Outcome | None = None

    @property
    def decided(self) -> bool:
        """Whether a look has decided; what comes after changes nothing about it."""
        return self.outcome is not None

    @property
    def difference(self) -> float:
        """Mean of a - b over the items so far; NaN before the first."""
        return self._sign * self._total / self.items if self.items else math.nan

    @property
    def p(self) -> float:
        """Always-valid p of what would stop: of the largest e-value so far."""
        return min(1.0, math.exp(-self._lead().best)) if self.items else 1.0

    def update(self, item: Any, a: ArrayLike, b: ArrayLike) -> bool:
        """Take one item, or a batch of items, and look once.

        Parameters
        ----------
        item : str, sequence or None
            Id of the item, or of each; None where they have none and cannot be told apart.
        a, b : float or array_like
            Scores in [0, 1].

        Returns
        -------
        bool
            Whether it is decided.

        Raises
        ------
        DuplicateAttempt
            An item that came before; nothing of the batch is taken.
        MissingScore
            A score that is not a number in [0, 1]; nothing of the batch is taken.
        """
        first, second = (np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in (a, b))
        names = None if item is None else [item] if np.ndim(a) == 0 else list(item)
        if first.shape != second.shape or first.ndim != 1 or (names and len(names) != len(first)):
            raise MethodError(
                f"one score of a and one of b per item; found {0 if names is None else len(names)} items, "
                f"{first.size} and {second.size} scores"
            )
        for x in (first, second):
            if not ((x >= 0) & (x <= 1)).all():
                raise MissingScore(f"found the score {x[~((x >= 0) & (x <= 1))][0]:g}; scores are in [0, 1]")
        if names is not None:
            self._enter(names)
        self._take(self._sign * (first - second))
        return self._look()

    def _enter(self, names: Sequence[Any]) -> None:
        new = set(names)
        if len(new) < len(names) or not self._names.isdisjoint(new):
            again = sorted(str(n) for n, count in Counter(names).items() if n in self._names or count > 1)
            raise DuplicateAttempt(f"items came before: {listed(again)}; each item is counted once")
        self._names |= new

    def _take(self, x: Floats) -> None:
        """Add differences: counted where there are few values, one by one where there are many."""
        counts = np.array([np.count_nonzero(x == value) for value in THIRDS], dtype=np.float64)
        values, ones = THIRDS[counts > 0], counts[counts > 0]
        if ones.sum() < len(x):
            values, found = np.unique(x, return_counts=True)
            ones = found.astype(np.float64)
        if len(values) <= betting.FEW_VALUES and len(self._values) <= CHUNK:
            for value, count in zip(values.tolist(), ones.tolist(), strict=True):
                self._values[value] = self._values.get(value, 0) + int(count)
        else:
            self._many.append(x.copy())
        for bet in self._bets:
            bet.add((values + 1) / 2, ones)
        self.items += len(x)
        self._total += float(values @ ones)

    def _look(self) -> bool:
        for bet in self._bets:
            bet.best = max(bet.best, self._log_e(bet))
        if self.outcome is None:
            self.outcome = self._decision()
        return self.decided

    def _log_e(self, bet: _Bet) -> float:
        if bet.side == "both" and not self._many and self._values.keys() <= {1.0, -1.0, 0.0}:
            return float(betting.log_e(self._values.get(1.0, 0), self._values.get(-1.0, 0)))
        return bet.log_e()

    def _decision(self) -> Outcome | None:
        limit = -math.log(self.alpha)
        if self.stop == "equivalent":
            below, above, *others = self._bets
            if min(below.best, above.best) >= limit:
                return "equivalent"
        else:
            others = self._bets
        for bet in others:
            if bet.best >= limit:
                return bet.outcome or ("a" if self._total > 0 else "b")
        return None

    def _lead(self) -> _Bet:
        """The hypothesis nearest to a decision; of equivalence, which takes two, the one that is behind."""
        if self.stop != "equivalent":
            return max(self._bets, key=lambda bet: bet.best)
        below, above, *others = self._bets
        return max(min(below, above, key=lambda bet: bet.best), *others, key=lambda bet: bet.best)

    def look(self) -> Look:
        """Say what is known now.

        Raises
        ------
        MethodError
            Before the first item.
        """
        if not self.items:
            raise MethodError("nothing to look at: no item has come")
        lead = self._lead()
        log_e, whole = self._log_e(lead), not self._many and self._values.keys() <= {1.0, -1.0, 0.0}
        b, c = (self._values.get(self._sign * value, 0) for value in (1.0, -1.0))
        ends = betting.confidence_sequence(self._seen(), self.alpha)
        return Look(
            items=self.items,
            a_only=b if whole else None,
            b_only=c if whole else None,
            difference=self.difference,
            interval=Interval(
                low=float(ends.low), high=float(ends.high), level=round(1 - self.alpha, 12), method=ANYTIME
            ),
            e=math.exp(log_e) if log_e < LARGEST else None,
            log10_e=log_e / LN10,
            p=self.p,
            outcome=self.outcome,
        )

    def _seen(self) -> betting.Looks:
        values = np.array(list(self._values), dtype=np.float64)
        counts = np.array(list(self._values.values()), dtype=np.float64)
        u = (self._sign * np.concatenate([values, *self._many]) + 1) / 2
        weights = np.concatenate([counts, np.ones(len(u) - len(values))])
        ends: NDArray[np.int64] = np.array([self.items])
        return betting.Looks(u, np.ones(len(u)), weights[None], ends)


def _hypotheses(stop: Stop, margin: float | None, alpha: float) -> list[_Bet]:
    """What has to be rejected for each way to stop."""
    if stop not in ("separated", "equivalent", "margin"):
        raise MethodError(f"no way to stop {stop!r}; known are separated, equivalent and margin")
    if not 0 < alpha < 0.5:
        raise MethodError(f"alpha is between 0 and 0.5; found {alpha:g}")
    if stop == "separated":
        if margin is not None:
            raise MethodError(
                "a margin has no part in stopping when the two are separated: stop at margin or equivalent"
            )
        return [_Bet(None, "both", 0.0)]
    if margin is None or not 0 < margin < 1:
        found = "none" if margin is None else f"{margin:g}"
        raise MethodError(f"stopping at {stop} needs a margin between 0 and 1; found {found}")
    within = _Bet("non-inferior", "above", -margin)
    worse = _Bet("inferior", "below", -margin)
    if stop == "margin":
        return [within, worse]
    return [within, _Bet("equivalent", "below", margin), worse, _Bet("superior", "above", margin)]
