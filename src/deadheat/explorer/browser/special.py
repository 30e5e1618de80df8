"""A small stand-in for `scipy.special`: normal, beta and t distributions for one number or an array."""

from __future__ import annotations

import math
from typing import Any

from deadheat.explorer.browser.functions import each, log1p_of

EPS, TINY, HALF_LOG_2PI = 2.0**-53, 1e-300, 0.9189385332046727
FAR, MOST = 8.0, 20_000  # standard deviations beyond which a continued fraction is used; its longest run


def _stirling(x: float) -> float:
    """Log gamma less Stirling's formula, x > 0."""
    if x < 10:
        return math.lgamma(x) - (x - 0.5) * math.log(x) + x - HALF_LOG_2PI
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * 691 / 360360))))) / x


def _deviance(x: float, mean: float) -> float:
    """The function x log(x / mean) + mean - x, without loss where the two are close."""
    gap = x - mean
    if abs(gap) < 0.1 * (x + mean):
        v = gap / (x + mean)
        total, term, k = gap * v, 2 * x * v, 1
        while True:
            term *= v * v
            k += 2
            further = total + term / k
            if further == total:
                return total
            total = further
    return x * math.log(x / mean) - gap


def _log_density(a: float, b: float, x: float, rest: float) -> float:
    """log x^a (1-x)^b / B(a, b), by Loader's saddle point form, which subtracts no large numbers."""
    n = a + b
    tails = _stirling(n) - _stirling(a) - _stirling(b)
    return 0.5 * math.log(a * b / n) - HALF_LOG_2PI + tails - _deviance(a, n * x) - _deviance(b, n * rest)


def _fraction(a: float, b: float, x: float) -> float:
    """Continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22)."""
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > TINY else TINY)
    c, h, m = 1.0, d, 0
    while m < MOST:
        m += 1
        k = a + 2 * m
        for up in (m * (b - m) * x / ((k - 1) * k), -(a + m) * (a + b + m) * x / (k * (k + 1))):
            d = 1 + up * d
            d = 1 / (d if abs(d) > TINY else TINY)
            c = 1 + up / c
            c = c if abs(c) > TINY else TINY
            step = d * c
            h *= step
        if abs(step - 1) < 4 * EPS:
            break
    return h


def _beta(a: float, b: float, x: float, rest: float) -> tuple[float, float]:
    """Both tails of the beta distribution, split at x = 1 - rest; undefined where a or b is not positive."""
    if not (a > 0 and b > 0) or x != x:
        return math.nan, math.nan
    if x <= 0 or rest <= 0:
        return (0.0, 1.0) if x <= 0 else (1.0, 0.0)
    front = math.exp(_log_density(a, b, x, rest))
    if x < (a + 1) / (a + b + 2):
        low = front * _fraction(a, b, x) / a
        return low, 1 - low
    high = front * _fraction(b, a, rest) / b
    return 1 - high, high


def _beta_root(a: float, b: float, tail: float, upper: bool) -> float:
    """The x that cuts this much off one side: Newton steps within a bracket that closes in."""
    if not (a > 0 and b > 0):
        return math.nan
    if tail <= 0 or tail >= 1:
        return 1.0 if (tail >= 1) != upper else 0.0
    low, high = 0.0, 1.0
    n = a + b
    x = min(max(a / n + _ndtri(1 - tail if upper else tail) * math.sqrt(a * b / n) / n, 1e-9), 1 - 1e-9)
    for _ in range(200):
        lower, above = _beta(a, b, x, 1 - x)
        miss = (tail - above) if upper else (lower - tail)
        if miss > 0:
            high = x
        else:
            low = x
        # Halley's step; its error is of the third order.
        slope = math.exp(_log_density(a, b, x, 1 - x)) / (x * (1 - x)) if 0 < x < 1 else 0.0
        step = miss / slope if slope > 0 else 0.0
        bend = 1 - step * ((a - 1) / x - (b - 1) / (1 - x)) / 2 if slope > 0 else 1.0
        new = x - step / (bend if 0.5 < bend < 2 else 1.0) if slope > 0 else -1.0
        if not low < new < high:
            new = (low + high) / 2
        elif abs(new - x) <= 1e-6 * min(x, 1 - x):
            return new
        x = new
    return x


def _ndtr(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def _log_ndtr(x: float) -> float:
    if x > -FAR:
        return log1p_of(-_ndtr(-x)) if x > 0 else math.log(_ndtr(x))
    if x == -math.inf:
        return -math.inf
    y, fraction = -x, 0.0
    for k in range(60, 0, -1):  # Mills' ratio (DLMF 7.9)
        fraction = k / (y + fraction)
    return -0.5 * y * y - HALF_LOG_2PI - math.log(y + fraction)


def _ndtri(p: float) -> float:
    """Normal quantile: a rough start, then Newton's method on the logarithm of the smaller tail."""
    if not 0 < p < 1:
        return -math.inf if p == 0 else (math.inf if p == 1 else math.nan)
    tail = min(p, 1 - p)
    wanted = math.log(tail)
    t = math.sqrt(-2 * wanted)
    x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t
    for _ in range(6):
        height = _log_ndtr(x)
        step = (height - wanted) * math.exp(height + 0.5 * x * x + HALF_LOG_2PI)
        x -= step
        if abs(step) < 1e-15:
            break
    return x if p <= 0.5 else -x


def _stdtr(df: float, t: float) -> float:
    if df == math.inf:
        return _ndtr(t)
    square = t * t
    tail = 0.5 * _beta(df / 2, 0.5, df / (df + square), square / (df + square))[0] if t else 0.5
    return tail if t <= 0 else 1 - tail


def _stdtrit(df: float, p: float) -> float:
    if df == math.inf:
        return _ndtri(p)
    x = _beta_root(df / 2, 0.5, 2 * min(p, 1 - p), False)
    rest = 1 - x if x < 0.9 else _beta_root(0.5, df / 2, 2 * min(p, 1 - p), True)
    t = math.sqrt(df * rest / x)
    return -t if p < 0.5 else t


def _nctdtr(df: float, shift: float, t: float) -> float:
    """Noncentral t: Lenth's sum of incomplete betas (1989), from its largest term outward."""
    if t < 0:
        return 1 - _nctdtr(df, -shift, -t)
    if df == math.inf:
        return _ndtr(t - shift)
    start = _ndtr(-shift)
    if t == 0:
        return start
    half, b = shift * shift / 2, df / 2
    x, rest = t * t / (df + t * t), df / (df + t * t)
    if half == 0:
        return start + 0.5 * _beta(0.5, b, x, rest)[0]
    total = 0.0
    for offset, share in ((0.5, 1.0), (1.0, shift / math.sqrt(2.0))):
        total += share * _poisson_betas(half, offset, b, x, rest)
    return min(max(start + 0.5 * total, 0.0), 1.0)


def _poisson_betas(half: float, offset: float, b: float, x: float, rest: float) -> float:
    """Sum of exp(-half) half^j / Gamma(j + offset + 1/2) I_x(j + offset, b), from the largest term outward.

    One beta is computed; the next differs from it by x^a (1-x)^b / (a B(a, b)) with a = j + offset.
    """
    middle = int(half)
    a = middle + offset
    weight = math.exp(middle * math.log(half) - half - math.lgamma(a + 0.5))
    beta = _beta(a, b, x, rest)[0]
    step = math.exp(_log_density(a, b, x, rest)) / a if x > 0 and rest > 0 else 0.0
    total, j, w, value, down = weight * beta, middle, weight, beta, step
    while True:  # upward: the weights fall ever faster
        w *= half / (j + offset + 0.5)
        value = max(value - down, 0.0)
        down *= x * (j + offset + b) / (j + offset + 1)
        j += 1
        total += w * value
        if w * value <= 1e-18 * total or w == 0:
            break
    w, value, down = weight, beta, step
    for j in range(middle, 0, -1):
        w *= (j + offset - 0.5) / half
        down *= (j + offset) / (x * (j - 1 + offset + b)) if x > 0 else 0.0
        value = min(value + down, 1.0)
        total += w * value
        if w <= 1e-18:
            break
    return total


def ndtr(x: Any) -> Any:
    """Standard normal distribution function."""
    return each(_ndtr, x)


def log_ndtr(x: Any) -> Any:
    """Its logarithm."""
    return each(_log_ndtr, x)


def ndtri(p: Any) -> Any:
    """Its inverse."""
    return each(_ndtri, p)


def betainc(a: Any, b: Any, x: Any) -> Any:
    """Regularised incomplete beta function."""
    return each(lambda p, q, y: _beta(p, q, y, 1 - y)[0], a, b, x)


def betaincc(a: Any, b: Any, x: Any) -> Any:
    """One less that."""
    return each(lambda p, q, y: _beta(p, q, y, 1 - y)[1], a, b, x)


def betaincinv(a: Any, b: Any, tail: Any) -> Any:
    """Inverse of `betainc` in x."""
    return each(lambda p, q, y: _beta_root(p, q, y, False), a, b, tail)


def betainccinv(a: Any, b: Any, tail: Any) -> Any:
    """Inverse of `betaincc` in x."""
    return each(lambda p, q, y: _beta_root(p, q, y, True), a, b, tail)


def gammaln(x: Any) -> Any:
    """Logarithm of the gamma function."""
    return each(lambda y: math.lgamma(y) if y > 0 else math.inf, x)


def betaln(a: Any, b: Any) -> Any:
    """Logarithm of the beta function."""
    return each(lambda p, q: math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q), a, b)


def xlogy(x: Any, y: Any) -> Any:
    """The product x log y, 0 where x = 0."""
    return each(lambda p, q: 0.0 if p == 0 else (p * math.log(q) if q > 0 else -math.inf), x, y)


def xlog1py(x: Any, y: Any) -> Any:
    """The product x log(1 + y), 0 where x = 0."""
    return each(lambda p, q: 0.0 if p == 0 else p * log1p_of(q), x, y)


def stdtr(df: Any, t: Any) -> Any:
    """Student's distribution function."""
    return each(_stdtr, df, t)


def stdtrit(df: Any, p: Any) -> Any:
    """Its inverse in t."""
    return each(_stdtrit, df, p)


def nctdtr(df: Any, shift: Any, t: Any) -> Any:
    """Noncentral t distribution function."""
    return each(_nctdtr, df, shift, t)
