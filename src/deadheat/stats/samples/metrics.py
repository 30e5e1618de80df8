"""What is made of the samples of one item (mean, pass@k, pass^k, G-Pass@k), and what a rerun may do to it."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.samples.subsets import Counts, Floats, look_up

ROUNDING = 1e-12
"""A spread below this share of the sum of squares is rounding: no spread that sums could show."""
Numbers = NDArray[np.integer[Any] | np.floating[Any]] | float


def mean(n: Counts, total: Numbers) -> Floats:
    """Mean score of each item (avg@n).

    Parameters
    ----------
    n : (...) int
        Samples of each item.
    total : (...) int or float
        Sum of their scores; the number of right samples when scores are 0/1.

    Returns
    -------
    (...) float64
        ``total / n``; NaN where n is 0.
    """
    size, total = np.broadcast_arrays(np.asarray(n), np.asarray(total, dtype=np.float64))
    out = np.full(size.shape, np.nan)
    np.divide(total, size, out=out, where=size > 0)
    return out


def pass_at_k(n: Counts, c: Counts, k: int) -> Floats:
    """Unbiased pass@k: the chance that k of the n samples, drawn without replacement, include a right one.

    Parameters
    ----------
    n, c : (...) int
        Samples of each item, and how many are right.
    k : int
        Samples drawn.

    Returns
    -------
    (...) float64
        ``1 - C(n-c, k) / C(n, k)``; NaN where k > n.

    References
    ----------
    Chen et al. (2021), Evaluating Large Language Models Trained on Code, arXiv:2107.03374.
    """
    return look_up(n, c, k, 1)


def pass_hat_k(n: Counts, c: Counts, k: int) -> Floats:
    """Unbiased pass^k: the chance that k of the n samples, drawn without replacement, are all right.

    Parameters
    ----------
    n, c : (...) int
        Samples of each item, and how many are right.
    k : int
        Samples drawn.

    Returns
    -------
    (...) float64
        ``C(c, k) / C(n, k)``; NaN where k > n.

    Notes
    -----
    Some reports call ``(c/n)^k`` pass^k; that plug-in is biased upward and is not this number.

    References
    ----------
    Yao et al. (2024), tau-bench, arXiv:2406.12045.
    """
    return look_up(n, c, k, k)


def g_pass_at_k(n: Counts, c: Counts, k: int, tau: float) -> Floats:
    """G-Pass@k(tau): the probability that at least ``ceil(tau * k)`` of k drawn samples are right.

    Parameters
    ----------
    n, c : (...) int
        Samples of each item, and how many are right.
    k : int
        Samples drawn.
    tau : float
        Share of the k that must be right, in (0, 1]: 1 gives pass^k, 1/k or less gives pass@k.

    Returns
    -------
    (...) float64
        The upper tail of the hypergeometric distribution; NaN where k > n.

    References
    ----------
    Liu et al. (2024), Are Your LLMs Capable of Stable Reasoning?, arXiv:2412.13147.
    """
    return look_up(n, c, k, needed(k, tau))


def needed(k: int, tau: float) -> int:
    """Right samples that G-Pass@k asks for: ``ceil(tau * k)``, safe from 0.55 x 20 = 11.000000000000002."""
    return max(1, ceil(tau * k - 1e-9))


def plug_in_pass_at_k(n: Counts, c: Counts, k: int) -> Floats:
    """Biased pass@k, ``1 - (1 - c/n)^k``: for teaching and simulation only, never for a board.

    Parameters
    ----------
    n, c : (...) int
        Samples of each item, and how many are right.
    k : int
        Tries.

    Returns
    -------
    (...) float64
        Too low in expectation (Jensen), the more so the fewer the samples; NaN where n is 0.
    """
    rate = mean(n, c)
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(k * np.log1p(-rate)))


def curve(
    n: int, c: NDArray[np.integer[Any]], ks: NDArray[np.integer[Any]], metric: str = "pass@k"
) -> Floats:
    """Mean over items of pass@k or pass^k for many k at once, every item having the same number of samples.

    Parameters
    ----------
    n : int
        Samples of every item.
    c : (E, M) int
        Right samples of each entry at each item.
    ks : (K,) int
        The k that are asked for.
    metric : str
        ``pass@k`` or ``pass^k``.

    Returns
    -------
    (E, K) float64
        Mean over the M items; NaN where k > n. As `pass_at_k` and `pass_hat_k` up to rounding, n * 2^-52 at
        the very most.

    Notes
    -----
    With one more right sample among n, here the c-th, the chance that k drawn ones miss them all falls by
    the factor ``1 - k / (n - c + 1)``.
    """
    entries, items = c.shape
    codes = c + np.arange(entries)[:, None] * (n + 1)
    histogram = np.bincount(codes.ravel(), minlength=entries * (n + 1)).reshape(entries, n + 1)
    factors = np.ones((n + 1, len(ks)))
    factors[1:] = np.maximum(1 - ks / np.arange(n, 0, -1)[:, None], 0.0)
    missed = np.where(np.asarray(ks) <= n, np.cumprod(factors, axis=0), np.nan)
    tables = 1 - missed if metric == "pass@k" else missed[::-1]  # all right: none is wrong
    return np.asarray(histogram.astype(np.float64) @ tables / items)


def mean_within(n: Counts, total: Numbers, squares: Numbers | None = None, failed: Counts = 0) -> Floats:
    """Estimate without bias the variance of an item's mean under reruns of that item.

    Parameters
    ----------
    n : (...) int
        Scored samples of each item.
    total : (...) int or float
        Sum of their scores.
    squares : (...) int or float, optional
        Sum of the squared scores; None for 0/1 scores, where it is `total`.
    failed : (...) int
        Attempts counted as fixed zeros: in the mean's denominator, but not redrawn.

    Returns
    -------
    (...) float64
        ``c (n-c) / (n^2 (n-1))`` for 0/1 scores without failures; NaN where n is 1, or 0 without failures.
    """
    n, total = np.asarray(n, dtype=np.float64), np.asarray(total, dtype=np.float64)
    second = total if squares is None else np.asarray(squares, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = second - total * total / n
        spread = np.where(spread > ROUNDING * second, spread, 0.0) * n / (n - 1)
        found = np.where(n >= 2, spread / (n + failed) ** 2, np.nan)
    return np.where((n == 0) & (np.asarray(failed) > 0), 0.0, found)


def counts_within(n: Counts, c: Counts, k: int, m: int, failed: Counts = 0) -> Floats:
    """Jackknife variance, under reruns of an item, of the chance that at least m of k samples are right.

    Parameters
    ----------
    n, c : (...) int
        Scored samples of each item, and how many are right.
    k, m : int
        Samples drawn and right ones asked for: m = 1 is pass@k, m = k is pass^k.
    failed : (...) int
        Attempts counted as fixed zeros: among the samples drawn from, but never left out.

    Returns
    -------
    (...) float64
        NaN where ``n + failed <= k`` or n < 2: with k samples there is no sample to leave out. 0 where
        everything failed.

    Notes
    -----
    Leaving out one sample gives only two values, so the sum over samples is closed. The jackknife variance of
    a U-statistic is never too low in expectation; for k = 1 it is the unbiased estimate of `mean_within`.

    References
    ----------
    Efron and Stein (1981), The jackknife estimate of variance, Annals of Statistics 9, 586-596.
    """
    n, c, failed = np.broadcast_arrays(np.asarray(n), np.asarray(c), np.asarray(failed))
    size = n + failed
    usable = (n >= 2) & (size > k)
    fewer = np.where(usable, size - 1, 0)
    lower = look_up(fewer, np.where(usable, np.maximum(c - 1, 0), 0), k, m)
    upper = look_up(fewer, np.where(usable, np.minimum(c, fewer), 0), k, m)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (upper - lower) * (size - 1) / size
        found = np.where(usable, slope**2 * c * (n - c) / (n - 1), np.nan)
    return np.where((n == 0) & (size >= k), 0.0, found)


def item_values(
    metric: str,
    n: Counts,
    total: Numbers,
    squares: Numbers,
    *,
    k: int | None = None,
    tau: float | None = None,
    binary: bool = True,
    fixed: Counts = 0,
) -> tuple[Floats, Floats]:
    """Value of a metric of counts at each item, and the variance of that value under reruns of the item.

    Parameters
    ----------
    metric : str
        A name of `METRICS`.
    n : (...) int
        Attempts of each item that count, fixed zeros among them.
    total, squares : (...) int or float
        Sums of their scores and of the squared scores.
    k, tau : int and float, optional
        As the metric asks.
    binary : bool
        Whether every score is 0 or 1.
    fixed : (...) int
        How many of the n are zeros that a rerun would not redraw (failed attempts).

    Returns
    -------
    value, within : (...) float64
        NaN where the item has too few samples.

    Raises
    ------
    MethodError
        Fractional scores where right samples are counted, or a metric made of answers.
    """
    if metric not in METRICS:
        raise MethodError(f"{metric} is made of answers, not of scores: it needs a column `answer`")
    scored = np.asarray(n) - np.asarray(fixed)
    right = METRICS[metric]
    if right is None:
        return mean(n, total), mean_within(scored, total, squares, fixed)
    if not binary:
        raise MethodError(f"{metric} counts right samples and needs 0/1 scores; found others: mean would do")
    c, k = np.rint(total).astype(np.int64), k or 1
    m = right(k, tau or 0.0)
    return look_up(n, c, k, m), counts_within(scored, c, k, m, fixed)


METRICS: dict[str, Callable[[int, float], int] | None] = {
    "mean": None,
    "pass@k": lambda k, tau: 1,
    "pass^k": lambda k, tau: k,
    "g-pass@k": needed,
}
"""Right samples that a metric of counts asks for among k; None for the mean, which takes any score."""
