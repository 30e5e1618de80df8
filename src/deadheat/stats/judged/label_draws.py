"""Which items people should label: probabilities that follow what a label would tell, and a draw by them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
FLOOR = 0.5  # share of the labels that is drawn with equal probabilities, so that none is near 0
FEWEST = 5  # labels of a kind of answer by which its variance is judged alone
KINDS = 4  # kinds of answers by the judge's score, where it is not 0/1


def unexplained(judge: Floats, people: Floats, labelled: Mask) -> Floats:
    """Variance of a label about the best linear guess from the judge's score, by what the judge said.

    Parameters
    ----------
    judge, people : (M,) float64
        Scores of one entry, and labels where `labelled`.
    labelled : (M,) bool
        Two or more.

    Returns
    -------
    (M,) float64
        Mean squared residual of the labels with the same verdict, or in the same quarter of the scores;
        of all labels where a kind has fewer than FEWEST.
    """
    f, y = judge[labelled], people[labelled]
    spread = float(((f - f.mean()) ** 2).sum())
    slope = float(((f - f.mean()) * (y - y.mean())).sum() / spread) if spread > 1e-12 else 0.0
    squared = (y - y.mean() - slope * (f - f.mean())) ** 2
    kinds = np.unique(judge)
    edges = kinds[1:] if len(kinds) <= KINDS else np.unique(np.quantile(judge, np.arange(1, KINDS) / KINDS))
    code, of_label = np.digitize(judge, edges), np.digitize(f, edges)
    number = np.bincount(of_label, minlength=len(edges) + 1)
    total = np.bincount(of_label, squared, len(edges) + 1)
    mean = np.where(number >= FEWEST, total / np.maximum(number, 1), squared.mean())
    return np.asarray(mean[code])


def probabilities(size: Floats, number: int, pool: Mask) -> Floats:
    """Inclusion probabilities that sum to a number of items of a pool: part of them equal, part by size.

    Parameters
    ----------
    size : (M,) float64
        Not negative: the standard deviation that a label would settle.
    number : int
        At most the size of the pool.
    pool : (M,) bool
        Items of which some are drawn; the others get the probability that they would have had.

    Returns
    -------
    (M,) float64
        In (0, 1].

    References
    ----------
    Neyman (1934), J. R. Stat. Soc. 97, 558-625: probabilities in proportion to standard deviations make the
    variance least. Zrnic & Candes (2024), arXiv:2403.03208, who mix them with equal ones.
    """
    items, total = int(pool.sum()), float(size[pool].sum())
    share = size / total if total > 0 else np.full(len(size), 1 / items)
    wanted = FLOOR / items + (1 - FLOOR) * share
    sure = np.zeros(len(size), dtype=bool)
    while True:  # no item is drawn with more than certainty; the others share what is left
        left = number - int((sure & pool).sum())
        made = np.where(sure, 1.0, wanted * left / max(float(wanted[pool & ~sure].sum()), 1e-300))
        above = (made > 1 + 1e-12) & ~sure
        if not (above & pool).any():
            return np.asarray(np.minimum(made, 1.0))
        sure |= above


def systematic(chance: Floats, rng: np.random.Generator) -> Mask:
    """Draw items with given inclusion probabilities, as many as they sum to: random order, equal steps.

    References
    ----------
    Madow (1949), Ann. Math. Stat. 20, 333-354; Hartley & Rao (1962), Ann. Math. Stat. 33, 350-374.
    """
    order = rng.permutation(len(chance))
    ends = np.round(np.cumsum(chance[order]), 9)
    marks = np.floor(ends + rng.random())
    drawn = np.zeros(len(chance), dtype=bool)
    drawn[order] = np.diff(marks, prepend=0.0) > 0
    return drawn
