"""Power of Tango's score test against a margin: exactly over every table of counts, and by Nam's formula."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.expectation import likely_counts, row_blocks
from deadheat.stats.numerics.search import Ints, bisect, smallest_whole
from deadheat.stats.paired.paired_intervals import score_variance, score_z
from deadheat.stats.power.effects import least_items, upper_z

Shown = Literal["non-inferiority", "equivalence", "inferiority"]
MOST_ITEMS = 10_000  # items up to which every table is summed; above them Nam's formula stands in


def exact_margin_power(
    difference: float,
    discordant: float,
    items: ArrayLike,
    margin: float,
    alpha: float = 0.05,
    claim: Shown = "non-inferiority",
) -> Floats:
    """Probability that Tango's score test shows a claim, with no approximation: every table is summed.

    Parameters
    ----------
    difference, discordant : float
        True difference of the rates, and true share of discordant items.
    items : array_like of int
        Items; all are evaluated together.
    margin : float
        Largest difference that does not matter, in (0, 1).
    alpha : float
        Size of each one-sided test, below 0.5.
    claim : str
        ``non-inferiority``: the difference lies above -margin. ``equivalence``: it lies within the margin on
        both sides. ``inferiority``: it lies below -margin.

    Returns
    -------
    ndarray

    Notes
    -----
    For each count of one kind the test rejects from some count of the other kind on, so that a table's row
    is one binomial tail. That the score statistic rises with the one count and falls with the other is
    Barnard's convexity, which Sidik shows for it.

    References
    ----------
    Tango, T. (1998). Statistics in Medicine 17, 891-908. Sidik, K. (2003). Exact unconditional tests for
    testing non-inferiority in matched-pairs design. Statistics in Medicine 22, 265-278.
    """
    items = np.asarray(items, dtype=np.int64)
    n, out = items.ravel(), np.empty(items.size)
    a_only, b_only = max(discordant + difference, 0.0) / 2, max(discordant - difference, 0.0) / 2
    chance = min(a_only / (1 - b_only), 1.0) if b_only < 1 else 0.0
    for rows in row_blocks(n, np.full(n.shape, b_only)):
        size = n[rows][:, None]
        lost, likely = likely_counts(n[rows], np.full(size.size, b_only))
        size, rest = np.broadcast_to(size, lost.shape), size - lost
        if claim == "inferiority":
            shown = _at_most(_least(size, lost, margin, alpha, below=True) - 1, rest, chance)
        else:
            shown = 1 - _at_most(_least(size, lost, margin, alpha) - 1, rest, chance)
        if claim == "equivalence":
            # Better by less than the margin, as the mirrored tables are worse by less than it.
            shown = shown + _at_most(_most(size, lost, margin, alpha), rest, chance) - 1
        out[rows] = (likely * np.maximum(shown, 0.0)).sum(axis=1)
    return out.reshape(items.shape)


def exact_margin_items(
    difference: float,
    discordant: float,
    margin: float,
    power: float = 0.8,
    alpha: float = 0.05,
    claim: Shown = "non-inferiority",
) -> int | None:
    """Least number of items from which the exact power stays at or above `power`.

    None beyond `MOST_ITEMS`, where every size near the answer would have to be summed.
    """
    guess = nam_items(difference, discordant, margin, power, alpha, claim)
    if not guess <= MOST_ITEMS:
        return None

    def value(n: Ints) -> Floats:
        return exact_margin_power(difference, discordant, n, margin, alpha, claim)

    return smallest_whole(value, power, guess)


def nam_power(
    difference: float,
    discordant: float,
    items: float,
    margin: float,
    alpha: float = 0.05,
    claim: Shown = "non-inferiority",
) -> float:
    """Power of the same test by Nam's normal formula; parameters as in `exact_margin_power`.

    The variance under the null hypothesis is that of the likeliest rates on the margin, in the limit.

    References
    ----------
    Nam, J. (1997). Establishing equivalence of two treatments and sample size requirements in matched-pairs
    design. Biometrics 53, 1422-1430.
    """
    from scipy import special

    side = -1.0 if claim == "inferiority" else 1.0
    spread = np.sqrt(np.maximum(discordant - difference**2, 1e-300) / items)

    def one_sided(gap: float, limit: float) -> float:
        null = np.sqrt(_null_variance(gap, discordant, limit) / items)
        return float(special.ndtr((side * (gap - limit) - upper_z(alpha) * null) / spread))

    below = one_sided(difference, -margin)
    if claim != "equivalence":
        return below
    return max(below + one_sided(-difference, -margin) - 1, 0.0)


def nam_items(
    difference: float,
    discordant: float,
    margin: float,
    power: float = 0.8,
    alpha: float = 0.05,
    claim: Shown = "non-inferiority",
) -> float:
    """Real number of items by Nam's formula; inf where no number reaches the power."""
    return least_items(
        lambda items: nam_power(difference, discordant, items, margin, alpha, claim), power, 1.0
    )


def score_margin_power(
    difference: float,
    discordant: float,
    items: int,
    margin: float,
    alpha: float = 0.05,
    claim: Shown = "non-inferiority",
) -> float:
    """The exact power, or above `MOST_ITEMS` that of Nam's formula."""
    if items > MOST_ITEMS:
        return nam_power(difference, discordant, items, margin, alpha, claim)
    return float(exact_margin_power(difference, discordant, items, margin, alpha, claim))


@lru_cache(maxsize=1024)
def score_margin_items(
    difference: float,
    discordant: float,
    margin: float,
    power: float = 0.8,
    alpha: float = 0.05,
    claim: Shown = "non-inferiority",
) -> float:
    """Items to run: the exact number, or Nam's where that is above `MOST_ITEMS`; inf where none is enough."""
    exact = exact_margin_items(difference, discordant, margin, power, alpha, claim)
    formula = nam_items(difference, discordant, margin, power, alpha, claim)
    return exact or (math.ceil(formula - 1e-9) if math.isfinite(formula) else math.inf)


def smallest_loss(
    discordant: float, items: int, margin: float, power: float = 0.8, alpha: float = 0.05
) -> float:
    """Smallest true loss that the test shows to exceed the margin with this power; NaN where none is.

    The discordance is held, or that of the loss itself where it is larger.
    """

    def reached(loss: float) -> bool:
        share = max(discordant, loss)
        return score_margin_power(-loss, share, items, margin, alpha, "inferiority") >= power

    return bisect(reached, margin, 1.0, 1e-9) if reached(1.0) else math.nan


def _null_variance(difference: float, discordant: float, limit: float) -> float:
    """Variance of one item's difference at the likeliest rates on the limit, data being as true rates say."""
    a_only, b_only = np.array((discordant + difference) / 2), np.array((discordant - difference) / 2)
    return float(score_variance(a_only, b_only, np.ones(()), np.array(limit)))


def _at_most(count: Ints, size: Ints, chance: float) -> Floats:
    """P(X <= count) for X binomial(size, chance), of any count."""
    from scipy import special

    inside = np.clip(count, 0, size).astype(np.float64)
    below = special.bdtr(inside, size, chance)
    return np.where(count < 0, 0.0, np.where(count >= size, 1.0, below))


def _least(n: Ints, lost: Ints, margin: float, alpha: float, *, below: bool = False) -> Ints:
    """Least count won at which "worse by the margin" is rejected, given the count lost; n - lost + 1 if none.

    With `below` the least count at which "not worse by the margin" is no longer rejected.
    """
    from scipy import special

    def reached(n: Ints, won: Ints, lost: Ints) -> NDArray[np.bool_]:
        z = score_z(n, won, lost, -margin)
        return special.ndtr(z) >= alpha if below else special.ndtr(-z) < alpha

    return _first(reached, n, lost, -margin, upper_z(alpha) * (-1 if below else 1))


def _most(n: Ints, lost: Ints, margin: float, alpha: float) -> Ints:
    """Largest count won at which "better by the margin" is rejected, given the count lost; -1 if none."""
    from scipy import special

    def reached(n: Ints, won: Ints, lost: Ints) -> NDArray[np.bool_]:
        return special.ndtr(score_z(n, won, lost, margin)) >= alpha

    return _first(reached, n, lost, margin, -upper_z(alpha)) - 1


def _first(
    reached: Callable[[Ints, Ints, Ints], NDArray[np.bool_]], n: Ints, lost: Ints, limit: float, z: float
) -> Ints:
    """Least count won that reaches: in steps of one from where the statistic is about z."""
    shape, n, lost = n.shape, n.ravel(), lost.ravel()
    size, less = n.astype(np.float64), lost.astype(np.float64)
    won = np.clip(less + size * limit, 0, size - less)
    for _ in range(3):
        spread = np.sqrt(np.maximum(size * score_variance(won, less, size, np.full(size.shape, limit)), 0.0))
        won = np.clip(less + size * limit + z * spread, 0, size - less)
    first = np.ceil(won).astype(np.int64)
    right = reached(n, first, lost)
    down, up = np.flatnonzero(right), np.flatnonzero(~right)
    while down.size:
        down = down[first[down] > 0]
        down = down[reached(n[down], first[down] - 1, lost[down])]
        first[down] -= 1
    while up.size:
        first[up] += 1
        up = up[first[up] <= n[up] - lost[up]]
        up = up[~reached(n[up], first[up], lost[up])]
    return first.reshape(shape)
