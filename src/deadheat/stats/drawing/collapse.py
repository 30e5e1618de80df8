"""Items that are alike collapse: what m of them add up to follows from the distribution of one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.stats.drawing.item_worlds import Types
from deadheat.stats.numerics.bounds import Floats


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


def rerun_table(pmf: Floats) -> Floats:
    """Joint probability (n + 1, n + 1) of an entry's counts in two runs of n samples on one item.

    Parameters
    ----------
    pmf : (2n + 1,) float64
        Probability of the counts in both runs together.
    """
    n = (len(pmf) - 1) // 2
    first = np.arange(n + 1)
    total = first[:, None] + first
    log, both = _log_choose(n), _log_choose(2 * n)
    return np.asarray(pmf[total] * np.exp(log[:, None] + log - both[total]))


def memorised_table(types: Types, share: Floats, solved: float) -> Floats:
    """Joint probability (n + 1, n + 1) of an entry's counts at an item, before and after some are memorised.

    Parameters
    ----------
    types : Types
        Of one entry.
    share : (G,) float64
        Share of each type that is memorised; where nothing is, the attempts are the same.
    solved : float
        Chance that a sample of a memorised item is right, apart from what it was before.
    """
    pmf = types.pmf[0]
    n = pmf.shape[1] - 1
    c = np.arange(n + 1)
    heart = np.exp(_log_choose(n) + special.xlogy(c, solved) + special.xlog1py(n - c, -solved))
    return np.diag((types.weight * (1 - share)) @ pmf) + np.outer((types.weight * share) @ pmf, heart)


def _log_choose(n: int) -> Floats:
    c = np.arange(n + 1)
    return np.asarray(special.gammaln(n + 1) - special.gammaln(c + 1) - special.gammaln(n - c + 1))


def pattern_pmf(types: Types) -> Floats:
    """Joint probability of all entries' counts at one item, ((n + 1) ** E,), the first entry slowest."""
    half = len(types.pmf) // 2
    left, right = patterns_by_type(types.pmf[:half]), patterns_by_type(types.pmf[half:])
    return np.asarray((left * types.weight[:, None]).T @ right).ravel()


def patterns_by_type(pmf: Floats) -> Floats:
    """Probability of each pattern of counts for each type, (E, G, n + 1) to (G, (n + 1) ** E)."""
    made = np.ones((pmf.shape[1], 1))
    for entry in pmf:
        made = (made[:, :, None] * entry[:, None, :]).reshape(len(made), -1)
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
    for shift in range(a.shape[-1]):
        out[..., shift : shift + b.shape[-1]] += a[..., shift, None] * b
    return out


def sum_above(difference: Floats, items: int) -> tuple[float, float]:
    """Chance that the sum of so many independent differences is above 0, and that it is 0.

    Parameters
    ----------
    difference : (2n + 1,) float64
        Probability of each difference -n ... n at one item.
    items : int

    Notes
    -----
    By the characteristic function on a grid that the sum leaves with probability below 1e-15; the absolute
    error is some 1e-16 an item.
    """
    n = (len(difference) - 1) // 2
    value = np.arange(-n, n + 1)
    mean = float(value @ difference)
    sd = float(np.sqrt(np.maximum(value**2 @ difference - mean**2, 0.0) * items))
    reach = min(items * n, int(abs(mean) * items + 9 * sd + 40 * n))
    size = 2 ** int(np.ceil(np.log2(2 * reach + 2)))
    one = np.zeros(size)
    np.add.at(one, value % size, difference)
    whole = np.fft.irfft(np.fft.rfft(one) ** items, size)
    return float(whole[1 : size // 2].sum()), float(whole[0])


def digits(codes: NDArray[np.integer], base: int, places: int) -> NDArray[np.int64]:
    """Counts of each entry in a code of `pattern_pmf`, (codes, places)."""
    powers = base ** np.arange(places - 1, -1, -1)
    return np.asarray(codes[:, None] // powers % base)
