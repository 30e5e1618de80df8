"""Sign-flip permutation test of paired differences: exact where few differ, else by shared random signs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.paired.wild import sign_draws

MOST = 20  # differences whose every flip is visited: 2**20
CELLS = 2**22
TIED = 1e-9  # sums closer than this share of all differences are the same sum


class Flips(NamedTuple):
    """p and log10 p of each row, and whether every flip was counted."""

    p: Floats
    log10_p: Floats
    exact: NDArray[np.bool_]


def sign_flip(sums: Floats, draws: int = 10_000, *, rng: np.random.Generator) -> Flips:
    """Two-sided sign-flip test that each row's total is 0: as likely is each term with either sign.

    Parameters
    ----------
    sums : (P, G) float64
        What each item, or cluster, adds to the difference of a pair; 0 where the pair has nothing of it.
        Zeros do not matter.
    draws : int
        Random flips, where all of them are too many.
    rng : numpy.random.Generator
        The same flips serve every row.

    Returns
    -------
    Flips
        Exact where at most 20 terms differ from 0, or all those that do have one size (a binomial); else
        (1 + r) / (1 + draws), which is never 0. Rows without a difference: 1.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments, section 21. Phipson, B. and Smyth, G. K. (2010).
    Permutation p-values should never be zero. Stat. Appl. Genet. Mol. Biol. 9, 39.
    """
    size = np.abs(sums)
    mass, peak = size.sum(axis=1), size.max(axis=1, initial=0.0)
    moved = size > TIED * peak[:, None]
    bar = np.abs(sums.sum(axis=1)) - TIED * mass
    alike = ~(moved & (size < (1 - TIED) * peak[:, None])).any(axis=1)
    plus, minus = ((moved & (sums > 0)).sum(axis=1), (moved & (sums < 0)).sum(axis=1))
    p, log10_p = mcnemar_exact(plus, minus)
    count = moved.sum(axis=1)
    few = ~alike & (count <= MOST)
    for terms in np.unique(count[few]).tolist():
        rows = np.flatnonzero(few & (count == terms))
        step = max(1, CELLS >> terms)
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            kept = size[part][moved[part]].reshape(len(part), terms)
            p[part] = _share_of_all(kept, bar[part])
    many = np.flatnonzero(~alike & ~few)
    if many.size:
        reached = np.zeros(many.size)
        for signs in sign_draws(sums.shape[1], draws, np.float64, rng):
            reached += (np.abs(sums[many] @ signs.T) >= bar[many, None]).sum(axis=1)
        p[many] = (1 + reached) / (1 + draws)
    return Flips(p, np.where(alike, log10_p, np.log10(np.where(alike, 1.0, p))), alike | few)


def _share_of_all(terms: Floats, bar: Floats) -> Floats:
    """Share of all flips of (B, terms) that reach the bar; the first sign stays, for flips come in pairs."""
    totals = terms[:, :1]
    for column in terms.T[1:, :, None]:
        totals = np.concatenate([totals + column, totals - column], axis=1)
    return np.asarray((np.abs(totals) >= bar[:, None]).mean(axis=1))
