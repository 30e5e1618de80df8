"""Tests of every pair of entries for reruns of these very items: the luck of samples, items held fixed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import student_or_sign
from deadheat.stats.paired.pairs_t import PairsT
from deadheat.stats.samples.rerun_variances import rerun_variances
from deadheat.stats.score.item_design import Codes, Values

ROUNDING = 1e-12  # differences below it are rounding


def all_pairs_rerun(
    values: Values,
    present: NDArray[np.bool_],
    within: Floats,
    samples: NDArray[np.integer[Any]],
    weights: Values | None = None,
    stratum: Codes | None = None,
) -> PairsT:
    """Test the difference of every pair of entries on the items they share, were these items attempted again.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    within : (E, M) float64
        Estimated variance of each value under reruns; an item without one is given its entry's typical one.
    samples : (E, M) int
        Samples behind each value.
    weights, stratum : (M,), optional
        As in `pairs_t.all_pairs_t`.

    Returns
    -------
    PairsT
        Samples of two entries are independent, so variances add. `df` is Satterthwaite's. No spread and no
        difference: p = 1. No spread but a difference: NaN, as no sample shows any luck at all.
    """
    w = np.ones(values.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    number = np.maximum(samples, 1).astype(np.float64)
    _, filled, known = rerun_variances(within, present, samples)
    x = np.where(present, values, 0.0)
    codes = np.zeros(values.shape[1], dtype=np.intp) if stratum is None else stratum
    shape = (len(values), len(values))
    difference, variance, weighed, fourth = (np.zeros(shape) for _ in range(4))
    strata = np.unique(codes)
    for code in strata:
        at = codes == code
        seen = (present[:, at] & (w[at] > 0)).astype(np.float64)
        mass = (seen * w[at]) @ seen.T
        mass[mass == 0] = np.nan
        share = mass * len(strata)
        total = (x[:, at] * w[at]) @ seen.T
        difference += (total - total.T) / share
        estimate = np.where(seen > 0, filled[:, at] * w[at] ** 2, 0.0)
        variance += _both(estimate, seen) / share**2
        estimate = np.where(known[:, at], estimate, 0.0)
        weighed += _both(estimate, seen) / share**2
        fourth += _both(estimate**2 / np.maximum(number[:, at] - 1, 1), seen) / share**4
    difference = np.where(np.abs(difference) < ROUNDING, 0.0, difference)
    se = np.sqrt(variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = weighed**2 / fourth
    found = student_or_sign(difference, se, df, 0, constant_is_evidence=False)
    return PairsT(difference, se, df, *found)


def _both(estimate: Floats, seen: Floats) -> Floats:
    """Sum an estimate of each entry over the items shared with each other, of both entries together."""
    one = estimate @ seen.T
    return np.asarray(one + one.T)
