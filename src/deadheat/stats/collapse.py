"""Items that are alike collapse: what m of them add up to follows from the distribution of one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.bounds import Floats
from deadheat.stats.world import Types


def count_pmf(types: Types) -> Floats:
    """Probability of each number of right samples at an item, for each entry, (E, n + 1)."""
    return np.asarray(np.einsum("g,egc->ec", types.weight, types.pmf))


def pair_table(types: Types, first: int = 0, second: int = 1) -> Floats:
    """Joint probability (n + 1, n + 1) of two entries' numbers of right samples at one item."""
    weighted = types.pmf[first] * types.weight[:, None]
    return np.asarray(np.einsum("gj,gk->jk", weighted, types.pmf[second], optimize=True))


def difference_pmf(table: Floats) -> Floats:
    """Probability (2n + 1,) of each difference -n ... n of the two counts of a joint table."""
    n = len(table) - 1
    j = np.arange(n + 1)
    found = np.bincount((j[:, None] - j + n).ravel(), table.ravel(), minlength=2 * n + 1)
    return found.astype(np.float64)


def pattern_pmf(types: Types) -> Floats:
    """Joint probability of all entries' counts at one item, ((n + 1) ** E,), the first entry slowest."""
    half = len(types.pmf) // 2
    left = patterns_by_type(types, slice(None, half))
    right = patterns_by_type(types._replace(weight=np.ones_like(types.weight)), slice(half, None))
    return np.asarray(left.T @ right).ravel()


def patterns_by_type(types: Types, entries: slice) -> Floats:
    """Joint probability of the type of an item and some entries' counts at it, (G, (n + 1) ** entries)."""
    made = types.weight[:, None]
    for pmf in types.pmf[entries]:
        made = (made[:, :, None] * pmf[:, None, :]).reshape(len(made), -1)
    return made


def convolution_power(pmf: Floats, times: int) -> Floats:
    """Distribution of the sum of so many independent copies; `pmf` (..., K) on 0 ... K - 1.

    Parameters
    ----------
    pmf : (..., K) float64
    times : int
        Copies, 1 or more.

    Returns
    -------
    (..., times * (K - 1) + 1) float64
        Sums of products of probabilities only, so small ones keep their digits.
    """
    power, result, left = pmf, None, times
    while left:
        if left & 1:
            result = power if result is None else _convolve(result, power)
        left >>= 1
        if left:
            power = _convolve(power, power)
    assert result is not None
    return result


def _convolve(a: Floats, b: Floats) -> Floats:
    out = np.zeros((*a.shape[:-1], a.shape[-1] + b.shape[-1] - 1))
    if a.shape[-1] > b.shape[-1]:
        a, b = b, a
    for shift in range(a.shape[-1]):
        out[..., shift : shift + b.shape[-1]] += a[..., shift, None] * b
    return out


def digits(codes: NDArray[np.integer], base: int, places: int) -> NDArray[np.int64]:
    """Counts of each entry in a code of `pattern_pmf`, (codes, places)."""
    powers = base ** np.arange(places - 1, -1, -1)
    return np.asarray(codes[:, None] // powers % base)
