"""Strengths of entries from votes between two of them, with errors that respect whose votes they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import DataError, MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.votes.tie_models import LOST, MODELS, TIED, Codes, Terms

MOST_ENTRIES = 5000  # the information matrix is dense: 200 MB
STEPS, CLOSE = 100, 1e-12


class Votes(NamedTuple):
    """R rows of votes that are alike; a row may stand for many.

    Parameters
    ----------
    first, second : (R,) int
        The two entries.
    outcome : (R,) int
        WON, TIED or LOST, for the first.
    weight : (R,) float64
        Votes in the row, or the sum of their sampling weights.
    covariates : (R, K) float64 or None
        What is added to the log odds of the first entry with an unknown coefficient: a position, a style.
    """

    first: Codes
    second: Codes
    outcome: Codes
    weight: Floats
    covariates: Floats | None = None


class Strengths(NamedTuple):
    """Maximum-likelihood strengths.

    Parameters
    ----------
    strength : (E,) float64
        Log strengths that sum to 0.
    extra : (X,) float64
        The tie parameter (log ν or log κ) where the model has one, then a coefficient per covariate.
    inverse : (E + X, E + X) float64
        Inverse information: the covariance if votes were independent and the model true.
    model : str
        A name of MODELS.
    """

    strength: Floats
    extra: Floats
    inverse: Floats
    model: str


def fit(votes: Votes, entries: int, *, model: str = "davidson", penalty: float = 0.0) -> Strengths:
    """Estimate strengths by maximum likelihood.

    Parameters
    ----------
    votes : Votes
        Connected by wins in both directions (see `components`), unless there is a penalty.
    entries : int
        Number of entries, E.
    model : str
        A name of MODELS; without any tie all are Bradley and Terry's.
    penalty : float
        Half of it times the sum of squared strengths is taken off the log-likelihood.

    Returns
    -------
    Strengths

    Raises
    ------
    MethodError
        More than MOST_ENTRIES entries.
    DataError
        A likelihood without a maximum.

    References
    ----------
    Bradley and Terry (1952), Biometrika 39, 324-345. Davidson (1970), On extending the Bradley-Terry model to
    accommodate ties in paired comparison experiments, JASA 65, 317-328. Rao and Kupper (1967), JASA 62,
    194-204.
    """
    if entries > MOST_ENTRIES:
        raise MethodError(f"strengths take at most {MOST_ENTRIES:,} entries; found {entries:,}")
    tied = votes.outcome == TIED
    if not tied.any():
        model = "half"
    elif tied.all() and model != "half":
        raise DataError(
            f"every vote is a tie, and the {model} model of ties has no estimate then; "
            "half (--ties half) counts a tie as half a win for each"
        )
    start = _start(votes) if model != "half" else np.zeros(0)
    covariates = 0 if votes.covariates is None else votes.covariates.shape[1]
    x = np.concatenate([np.zeros(entries), start, np.zeros(covariates)])
    value, gradient, hessian = _derivatives(votes, x, entries, model, penalty)
    for _ in range(STEPS):
        try:
            step = np.linalg.solve(hessian, gradient)
        except np.linalg.LinAlgError:
            break
        scale = 1.0
        while True:
            trial = _derivatives(votes, x + scale * step, entries, model, penalty)
            if trial[0] >= value - 1e-9 * abs(value) or scale < 1e-6:
                break
            scale /= 2
        x = x + scale * step
        value, gradient, hessian = trial
        if np.abs(scale * step).max() < CLOSE:
            x[:entries] -= x[:entries].mean()
            inverse = np.asarray(np.linalg.inv(hessian), dtype=np.float64)
            if penalty == 0:
                inverse[:entries, :entries] -= 1 / entries
            return Strengths(x[:entries], x[entries:], inverse, model)
    raise DataError("the strengths have no estimate: the likelihood of these votes has no maximum")


def _start(votes: Votes) -> Floats:
    """Start the tie parameter where equal entries would tie as often as these did."""
    share = float(np.average(votes.outcome == TIED, weights=votes.weight))
    return np.array([np.log((1 + share) / max(1 - share, 1e-6))])


def gaps(votes: Votes, x: Floats, entries: int, model: str) -> tuple[Floats, float]:
    """Log odds of each row's first entry, and the tie parameter."""
    extra = x[entries:]
    ties = int(model != "half")
    gap = x[votes.first] - x[votes.second]
    if votes.covariates is not None:
        gap = gap + votes.covariates @ extra[ties:]
    return gap, float(extra[0]) if ties else 0.0


def columns(votes: Votes, terms: Terms, model: str) -> list[tuple[Floats, Floats]]:
    """For each parameter beyond the strengths: its score in each row, and its information with the gap."""
    columns = [(terms.tie, terms.cross)] if model != "half" else []
    if votes.covariates is not None:
        columns += [(terms.score * c, terms.information * c) for c in votes.covariates.T]
    return columns


def _derivatives(
    votes: Votes, x: Floats, entries: int, model: str, penalty: float
) -> tuple[float, Floats, Floats]:
    """Log-likelihood, gradient and information; the strengths are held to a sum of 0."""
    gap, tie = gaps(votes, x, entries, model)
    terms = MODELS[model](gap, tie, votes.outcome)
    w, f, s = votes.weight, votes.first, votes.second

    def onto(values: Floats) -> Floats:
        return np.asarray(np.bincount(f, values, entries) - np.bincount(s, values, entries), np.float64)

    flow = np.bincount(f * entries + s, w * terms.information, entries * entries).reshape(entries, entries)
    flow += flow.T
    size = len(x)
    hessian, gradient = np.zeros((size, size)), np.zeros(size)
    hessian[:entries, :entries] = np.diag(flow.sum(axis=1)) - flow
    hessian[:entries, :entries] += np.eye(entries) * penalty if penalty else 1 / entries
    gradient[:entries] = onto(w * terms.score) - penalty * x[:entries]
    for at, (score, cross) in enumerate(columns(votes, terms, model), entries):
        gradient[at] = (w * score).sum()
        hessian[at, :entries] = hessian[:entries, at] = onto(w * cross)
    _extra_information(hessian, votes, terms, entries, model)
    value = float((w * terms.log).sum() - penalty * (x[:entries] ** 2).sum() / 2)
    return value, gradient, hessian


def _extra_information(hessian: Floats, votes: Votes, terms: Terms, entries: int, model: str) -> None:
    """Fill in the information of tie parameter and coefficients among themselves."""
    ties, w = int(model != "half"), votes.weight
    if ties:
        hessian[entries, entries] = (w * terms.ties).sum()
    if votes.covariates is not None:
        first = entries + ties
        c = votes.covariates
        hessian[first:, first:] = (c * (w * terms.information)[:, None]).T @ c
        if ties:
            hessian[entries, first:] = hessian[first:, entries] = (w * terms.cross) @ c


def components(votes: Votes, entries: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the sets of entries whose strengths can be compared, and the islands of those that met at all.

    Parameters
    ----------
    votes : Votes
    entries : int

    Returns
    -------
    strong : (E,) int64
        Sets connected by wins or ties in both directions: within one, and only there, strengths are finite.
    islands : (E,) int64
        Sets connected by any vote.

    References
    ----------
    Ford (1957), Solution of a ranking problem from binary comparisons, Amer. Math. Monthly 64, 28-33.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    drawn = votes.outcome == TIED
    ahead = np.where(votes.outcome == LOST, votes.second, votes.first)
    behind = np.where(votes.outcome == LOST, votes.first, votes.second)
    start, end = np.concatenate([ahead, behind[drawn]]), np.concatenate([behind, ahead[drawn]])
    graph = coo_array((np.ones(len(start), dtype=np.int8), (start, end)), (entries, entries)).tocsr()
    _, strong = connected_components(graph, directed=True, connection="strong")
    _, islands = connected_components(graph, directed=False)
    return strong.astype(np.int64), islands.astype(np.int64)
