"""How each item goes with the rest, how reliable all are together, and which have one response pattern."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import critical_z

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
FIRST, ENOUGH = 1_000, 20  # permutations after which a p-value with so many exceedances is settled
DOUBTFUL = 0.1  # p of the approximation below which permutations are drawn
BLOCK = 2**21  # numbers held at once
NOTHING = (np.nan, np.nan, np.nan)


class Discrimination(NamedTuple):
    """Rest-score correlation of each item.

    Parameters
    ----------
    r : (M,) float64
        Correlation of the item with the entries' scores on their other items; NaN where either is constant.
    se : (M,) float64
        ``(1 - r^2) / sqrt(n - 2)``, n entries.
    interval : Bounds
        By Fisher's transformation.
    entries : (M,) int64
        Entries that have the item.
    p : (M,) float64
        One-sided against running backwards (r < 0), by Pitman's approximation to permutations.
    """

    r: Floats
    se: Floats
    interval: Bounds
    entries: NDArray[np.int64]
    p: Floats


def rest_scores(values: NDArray[np.generic], present: Mask) -> Floats:
    """Mean of each entry's other items, (E, M); 0 where the entry lacks the item or has no other."""
    x, p = np.where(present, values, 0).astype(np.float64), present.astype(np.float64)
    others = p.sum(axis=1, keepdims=True) - p
    rest = (x.sum(axis=1, keepdims=True) - x) / np.maximum(others, 1)
    return np.asarray(np.where(present & (others > 0), rest, 0.0))


def discrimination(values: NDArray[np.generic], present: Mask, level: float = 0.95) -> Discrimination:
    """Correlate each item with the rest of the items.

    Parameters
    ----------
    values : (E, M)
        Scores of entries on items; what is absent is not read.
    present : (E, M) bool
    level : float

    References
    ----------
    Lord & Novick (1968), Statistical Theories of Mental Test Scores, section 15.4. Pitman (1937),
    "Significance tests which may be applied to samples from any populations. II. The correlation coefficient
    test", Suppl. J. R. Statist. Soc. 4, 225-232. Fisher (1921), "On the probable error of a coefficient of
    correlation", Metron 1, 3-32.
    """
    n = present.sum(axis=0)
    safe = np.maximum(n, 1)
    x, rest = np.where(present, values, 0).astype(np.float64), rest_scores(values, present)
    x = np.where(present, x - x.sum(axis=0) / safe, 0.0)
    rest = np.where(present, rest - rest.sum(axis=0) / safe, 0.0)
    one, other = (x**2).sum(axis=0), (rest**2).sum(axis=0)
    tiny = 1e-14 * safe
    known = (n > 2) & (one > tiny) & (other > tiny * 1e-6)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(known, np.clip((x * rest).sum(axis=0) / np.sqrt(one * other), -1, 1), np.nan)
        r = np.where(np.abs(r) < 1e-10, 0.0, r)  # what rounding alone leaves has no sign
        se = np.where(known, (1 - r**2) / np.sqrt(np.maximum(n - 2, 1)), np.nan)
        z = np.arctanh(np.clip(r, -1 + 1e-15, 1 - 1e-15))
        half = np.where(n > 3, critical_z(level) / np.sqrt(np.maximum(n - 3, 1)), np.nan)
        from scipy.special import stdtr

        p = stdtr(np.maximum(n - 2, 1), r * np.sqrt(np.maximum(n - 2, 1) / np.maximum(1 - r**2, 1e-300)))
    return Discrimination(r, se, Bounds(np.tanh(z - half), np.tanh(z + half)), n, np.where(known, p, np.nan))


def permutation_p(item: Floats, rest: Floats, draws: int, rng: np.random.Generator) -> float:
    """One-sided p of running backwards: the item's scores are dealt anew to the entries.

    Parameters
    ----------
    item, rest : (n,) float64
        Scores on the item, and on the other items, of the entries that have it.
    draws : int
        Permutations, of which the first thousand are enough where many of them reach the observed value.
    rng : numpy.random.Generator

    References
    ----------
    Besag & Clifford (1991), "Sequential Monte Carlo p-values", Biometrika 78, 301-304.
    """
    centred = rest - rest.mean()
    observed = float(item @ centred)
    edge = observed + 1e-9 * float(np.abs(item) @ np.abs(centred))
    reached = done = 0
    for stage in (min(FIRST, draws), draws):
        while done < stage:
            number = min(stage - done, max(BLOCK // len(item), 1))
            dealt = rng.permuted(np.broadcast_to(item, (number, len(item))), axis=1)
            reached += int(np.count_nonzero(dealt @ centred <= edge))
            done += number
        if reached >= ENOUGH:
            break
    return (1 + reached) / (1 + done)


class Reliability(NamedTuple):
    """A coefficient and its interval, (value, low, high); NaN where totals do not vary."""

    alpha: tuple[float, float, float]
    split_half: tuple[float, float, float]


def reliability(
    values: Floats, rng: np.random.Generator, splits: int = 1_000, level: float = 0.95
) -> Reliability:
    """Cronbach's alpha (KR-20 for 0/1 items) with Feldt's interval, and the mean split-half reliability.

    Parameters
    ----------
    values : (E, M) float64
        A complete table with at least two entries and items.
    rng : numpy.random.Generator
    splits : int
        Random halves of the items; their mean correlation is stepped up by Spearman and Brown's formula.
    level : float
        The split-half interval is Fisher's, over entries, of the mean correlation.

    References
    ----------
    Cronbach (1951), "Coefficient alpha and the internal structure of tests", Psychometrika 16, 297-334. Feldt
    (1965), "The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty",
    Psychometrika 30, 357-370. Spearman (1910) and Brown (1910), Br. J. Psychol. 3, 271-295 and 296-322.
    """
    from scipy.special import fdtri

    entries, items = values.shape
    total = float(values.sum(axis=1).var())
    if total <= 1e-12:
        return Reliability(NOTHING, NOTHING)
    alpha = items / (items - 1) * (1 - float(values.var(axis=0).sum()) / total)
    df, tail = (entries - 1, (entries - 1) * (items - 1)), (1 - level) / 2
    low, high = (1 - (1 - alpha) * float(fdtri(*df, q)) for q in (1 - tail, tail))
    half = rng.permuted(np.broadcast_to(np.arange(items) < items // 2, (splits, items)), axis=1)
    first = values @ half.T.astype(np.float64)
    r = _correlations(first, values.sum(axis=1)[:, None] - first)
    if not np.isfinite(r).any():
        return Reliability((alpha, low, high), NOTHING)
    mean = float(np.nanmean(r))
    reach = critical_z(level) / np.sqrt(entries - 3) if entries > 3 else np.nan
    ends = np.tanh(np.arctanh(np.clip(mean, -1 + 1e-15, 1 - 1e-15)) + np.array([0.0, -reach, reach]))
    with np.errstate(divide="ignore"):  # opposite halves have no finite end
        value, lowest, highest = (2 * ends / (1 + ends)).tolist()
    return Reliability((alpha, low, high), (value, lowest, highest))


def _correlations(a: Floats, b: Floats) -> Floats:
    """Correlation of each column of a with that of b; NaN where one is constant."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    size = np.sqrt((a**2).sum(axis=0) * (b**2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(size > 1e-12, (a * b).sum(axis=0) / size, np.nan)


def constant(values: NDArray[np.generic], present: Mask) -> Mask:
    """Say which items give all entries that have them the same score, so that they separate nobody, (M,)."""
    x = np.asarray(values, dtype=np.float64)
    low, high = np.where(present, x, np.inf).min(axis=0), np.where(present, x, -np.inf).max(axis=0)
    return np.asarray(low >= high)


def twins(values: NDArray[np.generic], present: Mask) -> list[NDArray[np.intp]]:
    """Group items that all entries answer alike, and that separate somebody; at least two in a group."""
    some = np.flatnonzero(~constant(values, present))
    if not some.size:
        return []
    columns = np.where(present, np.asarray(values, dtype=np.float64), np.nan)[:, some]
    keys = np.ascontiguousarray(columns.T).view(np.dtype((np.void, columns.shape[0] * 8))).ravel()
    _, code, count = np.unique(keys, return_inverse=True, return_counts=True)
    order = np.argsort(code, kind="stable")
    parts = np.split(order, np.cumsum(count)[:-1])
    groups = [some[part] for part, size in zip(parts, count, strict=True) if size > 1]
    return sorted(groups, key=lambda group: int(group[0]))
