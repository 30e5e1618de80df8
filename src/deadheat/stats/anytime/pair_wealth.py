"""The same evidence for many pairs at once, at one look: wealth, e-values, confidence sequence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from deadheat.stats.anytime.betting import EDGE, FEW_VALUES, NODES, Side, bets, log_e, log_sum
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.paired.pairs import Pairs
from deadheat.stats.score.item_design import Groups

HALVINGS = 46  # of [0, 1], to the end of an interval
CELLS = 1 << 22  # pairs x units x bets at once


class Units(NamedTuple):
    """What P pairs bet on, (P, T): items or clusters, in the order of their codes.

    Parameters
    ----------
    x : (P, T) float64
        Mean difference of each unit, in [-1, 1].
    share : (P, T) float64
        Size relative to the pair's largest unit; 0 where the pair has no such unit.
    """

    x: Floats
    share: Floats


def units(pairs: Pairs) -> Units:
    """Sum items into clusters, where there are any.

    Parameters
    ----------
    pairs : Pairs
        Of scores in [0, 1], without strata.
    """
    groups = Groups(pairs.cluster, pairs.both.shape[1])
    weight = pairs.both * (np.float64(1) if pairs.weights is None else pairs.weights)
    size = groups.sum(weight.astype(np.float64))
    total = groups.sum(weight * pairs.gap)
    with np.errstate(invalid="ignore", divide="ignore"):
        x = np.where(size > 0, total / size, 0.0)
        share = np.where(size > 0, size / size.max(axis=1, keepdims=True), 0.0)
    return Units(x, share)


def pair_log_e(seen: Units) -> Floats:
    """Logarithm of the e-value against no difference, (P,); NaN for a pair without any unit."""
    whole = np.isin(seen.x, (-1, 0, 1)).all() and np.isin(seen.share, (0, 1)).all()
    if whole:
        b, c = (((seen.x == sign) & (seen.share > 0)).sum(axis=1) for sign in (1, -1))
        found = log_e(b, c)
    else:
        found = pair_log_wealth(seen, 0.0)
    return np.where((seen.share > 0).any(axis=1), found, np.nan)


def pair_log_wealth(seen: Units, difference: ArrayLike, side: Side = "both") -> Floats:
    """Logarithm of the wealth against a mean difference, (P,); see `betting.log_wealth`.

    Parameters
    ----------
    seen : Units
    difference : float, or (P,) for side ``both``
    side : str
    """
    m = np.broadcast_to((np.asarray(difference, dtype=np.float64) + 1) / 2, len(seen.x))
    theta, log_weight = bets(side, float(m[0])) if len(m) else bets("both", 0.5)
    u, r, counts = _counted(seen)
    out = np.empty(len(seen.x))
    step = max(1, CELLS // (max(u.shape[1], 1) * NODES))
    for start in range(0, len(out), step):
        rows = slice(start, start + step)
        size = r[rows if len(r) > 1 else slice(None)]
        value = u[rows if len(u) > 1 else slice(None)]
        mean = m[rows, None]
        growth = (size * value / mean)[..., None] * theta
        growth += (size * (1 - value) / (1 - mean))[..., None] * (1 - theta)
        growth += (1 - size)[..., None]
        total = np.einsum("pv,pvk->pk", counts[rows], np.log(growth, out=growth))
        out[rows] = log_sum((total + log_weight).T)
    return out


def _counted(seen: Units) -> tuple[Floats, Floats, Floats]:
    """Distinct units and how often each pair has them; of many, all units, once each."""
    there = seen.share > 0
    flat = np.stack([seen.x.ravel(), seen.share.ravel()], axis=1)
    distinct, codes = np.unique(flat, axis=0, return_inverse=True)
    if len(distinct) > FEW_VALUES:
        return (seen.x + 1) / 2, seen.share, there.astype(np.float64)
    number, columns = len(distinct), np.arange(len(seen.x))[:, None]
    keys = columns * number + codes.reshape(seen.x.shape)
    counts = np.bincount(keys.ravel(), minlength=len(seen.x) * number).reshape(len(seen.x), number)
    return (
        (distinct[None, :, 0] + 1) / 2,
        distinct[None, :, 1],
        (counts * (distinct[:, 1] > 0)).astype(np.float64),
    )


def pair_sequence(seen: Units, alpha: float) -> Bounds:
    """Mean differences that this look does not reject, (P,); the whole of [-1, 1] where nothing is known.

    Parameters
    ----------
    seen : Units
    alpha : float
        Chance that the truth is ever outside.
    """
    size = seen.share.sum(axis=1)
    centre = np.divide((seen.x * seen.share).sum(axis=1), size, out=np.zeros(len(size)), where=size > 0)
    target = -np.log(alpha)
    ends = []
    for edge in (-1 + 2 * EDGE, 1 - 2 * EDGE):
        outer, inner = np.full(len(size), edge), np.clip(centre, -1 + 2 * EDGE, 1 - 2 * EDGE)
        open_ = pair_log_wealth(seen, outer) < target
        for _ in range(HALVINGS):
            middle = (outer + inner) / 2
            rejects = pair_log_wealth(seen, middle) >= target
            outer, inner = np.where(rejects, middle, outer), np.where(rejects, inner, middle)
        ends.append(np.where(open_, np.sign(edge), (outer + inner) / 2))
    return Bounds(*(np.where(size > 0, end, np.nan) for end in ends))
