"""Intervals for a rate, k passes of n items: closed forms over whole arrays of k and n."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.pvalues import critical_z

Ends = Callable[[Floats, Floats, float], tuple[Floats, Floats]]


def _interval(ends: Ends, k: ArrayLike, n: ArrayLike, level: float) -> Bounds:
    """Both ends from `ends(j, n, level)` for the rarer outcome, j <= n/2, mirrored where that is failure.

    Near 0 a double keeps its digits and near 1 it does not, so a bound is computed where it is small. NaN
    where n = 0 or where k is not in [0, n].
    """
    critical_z(level)  # refuses a level outside (0, 1)
    passes, items = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    known = (items > 0) & (passes >= 0) & (passes <= items) & np.isfinite(items)
    passes, items = np.where(known, passes, 0.0), np.where(known, items, 1.0)
    passes_rare = passes <= items - passes
    low, high = ends(np.where(passes_rare, passes, items - passes), items, level)
    low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
    return Bounds(
        np.where(known, np.where(passes_rare, low, 1 - high), np.nan),
        np.where(known, np.where(passes_rare, high, 1 - low), np.nan),
    )


def _wald_ends(j: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    half = critical_z(level) * np.sqrt(j * (n - j) / n) / n
    return j / n - half, j / n + half


def _wilson_ends(j: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    z = critical_z(level)
    larger = j + z * z / 2 + z * np.sqrt(j * (n - j) / n + z * z / 4)
    # The lower root by the product of the roots: no difference of near-equal numbers, and exactly 0 at 0.
    return j * j / (n * larger), larger / (n + z * z)


def _agresti_coull_ends(j: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    z = critical_z(level)
    return _wald_ends(j + z * z / 2, n + z * z, level)


def _beta_ends(before: Floats, after: Floats, level: float) -> tuple[Floats, Floats]:
    from scipy import special

    low = special.betaincinv(before, after, (1 - level) / 2)
    high = special.betainccinv(before, after, (1 - level) / 2)
    return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)


def _bayes_ends(j: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    return _beta_ends(j + 1, n - j + 1, level)


def _jeffreys_ends(j: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    low, high = _beta_ends(j + 0.5, n - j + 0.5, level)
    return np.where(j > 0, low, 0.0), high


def _clopper_pearson_ends(j: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    from scipy import special

    seen = np.where(j > 0, j, 1.0)  # where nothing was seen both ends are elementary, and any j > 0 will do
    low = special.betaincinv(seen, n - j + 1, (1 - level) / 2)
    high = special.betainccinv(seen + 1, n - j, (1 - level) / 2)
    return np.where(j > 0, low, 0.0), np.where(j > 0, high, -np.expm1(np.log((1 - level) / 2) / n))


def _mid_p_root(start: Floats, j: Floats, n: Floats, level: float, *, lower: bool) -> Floats:
    """Newton's method on the logarithm of a tail, from the Clopper-Pearson end, for 0 < j < n.

    The tail belongs to an even mixture of two betas whose density is log-concave, so its logarithm is concave
    and the steps approach the root from one side.
    """

    from scipy import special

    tail = special.betainc if lower else special.betaincc
    sign = 1.0 if lower else -1.0
    log_choose = -np.log1p(n) - special.betaln(j + 1, n - j + 1)
    largest = 1 - np.finfo(np.float64).epsneg
    p = np.minimum(start, largest)
    for _ in range(50):  # pragma: no branch - it always ends by the break
        height = (tail(j, n - j + 1, p) + tail(j + 1, n - j, p)) / 2
        density = np.exp(log_choose + (j - 1) * np.log(p) + (n - j - 1) * np.log1p(-p))
        density *= (j * (1 - p) + (n - j) * p) / 2
        step = -sign * np.log(height / ((1 - level) / 2)) * height / density
        p = np.clip(p + step, p / 2, np.minimum((1 + p) / 2, largest))
        if np.all(np.abs(step) <= 1e-9 * p):  # steps shrink quadratically: the next is below rounding
            break
    return p


def _mid_p_ends(j: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    low, high = np.zeros_like(j), np.asarray(-np.expm1(np.log1p(-level) / n))
    inner = j > 0
    outer = _clopper_pearson_ends(j[inner], n[inner], level)
    low[inner] = _mid_p_root(outer[0], j[inner], n[inner], level, lower=True)
    high[inner] = _mid_p_root(outer[1], j[inner], n[inner], level, lower=False)
    return low, high


def wald(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Wald: the rate plus or minus z standard errors, cut at 0 and 1.

    Shown because it is in use, not because it should be: it has no width at k = 0 and k = n, and its coverage
    falls to 0 near both.

    Parameters
    ----------
    k, n : array_like
        Passes and items; they broadcast. Real values are allowed.
    level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    Bounds
        Ends in [0, 1], of the broadcast shape; NaN where n = 0 or k is outside [0, n].
    """
    return _interval(_wald_ends, k, n, level)


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Wilson's score interval: every rate that the score test does not reject.

    The lower end is exactly 0 if and only if k = 0, the upper exactly 1 if and only if k = n. Parameters and
    result as in `wald`; n may be an effective sample size.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
    American Statistical Association 22, 209-212.
    """
    return _interval(_wilson_ends, k, n, level)


def agresti_coull(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Agresti and Coull: Wald's formula after adding z²/2 passes and z²/2 failures, cut at 0 and 1.

    Parameters and result as in `wald`.

    References
    ----------
    Agresti, A. and Coull, B. A. (1998). Approximate is better than "exact" for interval estimation of
    binomial proportions. The American Statistician 52, 119-126.
    """
    return _interval(_agresti_coull_ends, k, n, level)


def clopper_pearson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Clopper and Pearson's exact interval: two exact one-sided tests inverted; covers at least `level`.

    Parameters and result as in `wald`.

    References
    ----------
    Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case
    of the binomial. Biometrika 26, 404-413.
    """
    return _interval(_clopper_pearson_ends, k, n, level)


def mid_p(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """The mid-p interval: Clopper-Pearson with half the probability of the observed count left out.

    Parameters and result as in `wald`.

    References
    ----------
    Lancaster, H. O. (1961). Significance tests in discrete distributions. Journal of the American Statistical
    Association 56, 223-234.
    """
    return _interval(_mid_p_ends, k, n, level)


def jeffreys(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Equal-tailed quantiles of the Beta(k + 1/2, n - k + 1/2) posterior, with 0 at k = 0 and 1 at k = n.

    Parameters and result as in `wald`.

    References
    ----------
    Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial proportion.
    Statistical Science 16, 101-133 (section 3.1.3, with the ends at 0 and 1 as given there).
    """
    return _interval(_jeffreys_ends, k, n, level)


def bayes(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Equal-tailed quantiles of the posterior under a uniform prior, Beta(k + 1, n - k + 1).

    Parameters and result as in `wald`. The lower end is above 0 even at k = 0.

    References
    ----------
    Bayes, T. (1763). An essay towards solving a problem in the doctrine of chances. Philosophical
    Transactions of the Royal Society 53, 370-418.
    """
    return _interval(_bayes_ends, k, n, level)


def standard_error(k: ArrayLike, n: ArrayLike) -> Floats:
    """The plug-in standard error of k/n, withheld where it is zero because the estimator is, not the doubt.

    Parameters
    ----------
    k, n : array_like
        Passes and items; they broadcast.

    Returns
    -------
    ndarray
        sqrt(p(1-p)/n); NaN where k = 0, k = n, n = 0 or k is outside [0, n].
    """
    passes, items = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    known = (passes > 0) & (passes < items) & np.isfinite(items)
    passes, items = np.where(known, passes, 1.0), np.where(known, items, 2.0)
    return np.where(known, np.sqrt(passes * (items - passes) / items) / items, np.nan)


BINOMIAL_INTERVALS: dict[str, Callable[[ArrayLike, ArrayLike, float], Bounds]] = {
    "agresti-coull": agresti_coull,
    "bayes": bayes,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "mid-p": mid_p,
    "wald": wald,
    "wilson": wilson,
}
