"""A panel whose absent outcomes are fitted: every entry is scored, and compared, over all items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.pairwise import Pairwise
from deadheat.results import Note
from deadheat.stats.ability import fitted_scores as fits
from deadheat.stats.multiple import ragged_order
from deadheat.stats.score import clustered
from deadheat.stats.score.item_design import influence

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Model = Literal["rasch", "two-way"]
FITTED = "fitted"


@dataclass(frozen=True, eq=False)
class FittedPanel:
    """Entries over all items, and beside it what was observed.

    Parameters
    ----------
    panel : Panel
        Complete; its values are pseudo-values: their weighted means are the fitted scores, and their spread
        over items or clusters holds the error of the items and of the model.
    own : Panel
        What was observed.
    model : str
    own_value : (E,) float64
        Score of each entry over its own items.
    low, high : (E,) float64 or None
        The score over all items if everything absent were wrong, or right; None for scores without limits.
    rates : bool
        Whether the outcomes lie in [0, 1].
    missing : float
        Share of the outcomes that are fitted.
    notes : tuple of Note
    """

    panel: Panel
    own: Panel
    model: Model
    own_value: Floats
    low: Floats | None
    high: Floats | None
    rates: bool
    missing: float
    notes: tuple[Note, ...]


def observed(estimand: Estimand) -> Estimand:
    """The estimand by which a panel is seen before it is fitted, or corrected by labels of people.

    Raises
    ------
    MethodError
        Fitted scores asked about reruns.
    """
    estimand = msgspec.structs.replace(estimand, judge="raw")  # the judge's own scores come first
    if estimand.absent != FITTED:
        return estimand
    if estimand.generalises_to == "reruns":
        raise MethodError(
            "--absent fitted estimates scores over comparable items; found --generalises-to reruns"
        )
    return msgspec.structs.replace(estimand, absent="shared")


def fitted(seen: Panel) -> FittedPanel | Note | None:
    """Fit what is absent; None where nothing is, a Note where the results do not allow it.

    Parameters
    ----------
    seen : Panel
    """
    every = np.ones((1, len(seen.items)), dtype=bool)
    share = influence(every.astype(np.float64), every, seen.weights, seen.stratum, seen.shares)[1][0]
    some: Mask = np.asarray(seen.present.any(axis=1))
    if seen.present[some].all():
        return None
    if (share <= 0).any():
        return fitted(seen.select(share > 0))
    model: Model = "rasch" if seen.binary else "two-way"
    fit = (fits.fitted_rates if seen.binary else fits.fitted_means)(
        seen.values[some], seen.present[some], share
    )
    # Nothing or everything right leaves the ability open, so what is absent cannot be fitted.
    scored = some.copy()
    scored[some] = ~fit.boundary | seen.present[some].all(axis=1)
    if not (fit.identified and scored.any()):
        text = (
            "fitted scores are withheld: the entries overlap too little to tell how much items differ in "
            "difficulty; scores are over own items, comparisons on shared items"
        )
        return Note(code="fit-withheld", text=text)
    values = np.zeros(seen.values.shape)
    values[some] = fit.values
    rates = bool(((seen.values >= 0) & (seen.values <= 1)).all())
    low, high = fits.bounds(seen.values, seen.present, share, 0.0, 1.0) if rates else (None, None)
    return FittedPanel(
        panel=replace(
            seen,
            values=np.where(scored[:, None], values, 0.0),
            present=np.broadcast_to(scored[:, None], values.shape).copy(),
            samples=None,
            right=None,
            within=None,
            binary=False,
        ),
        own=seen,
        model=model,
        own_value=clustered.mean(seen.values, seen.present, seen.weights, None),
        low=low,
        high=high,
        rates=rates,
        missing=float(1 - seen.present[some].mean()),
        notes=_notes(fit),
    )


def linked(pairs: Pairwise, fit: FittedPanel, shared: Pairwise, alpha: float) -> tuple[Pairwise, Mask]:
    """Tests of fitted scores, held against those on the items that pairs share.

    Between blocks of entries without a shared item a difference would rest on the belief that their items are
    equally hard: it is not tested. Where a pair is separated on shared items in the other direction, the
    model is wrong about it, and the comparison on shared items stands.

    Parameters
    ----------
    pairs, shared : Pairwise
        Tests of the fitted scores, and of the outcomes on shared items.
    fit : FittedPanel
    alpha : float
        A pair is separated when p < alpha.

    Returns
    -------
    Pairwise
    (E, E) bool
        Pairs that are contradicted.
    """
    block = ragged_order.blocks(shared.shared > 0, np.arange(len(shared.shared)))
    apart = block[:, None] != block
    against = (shared.p < alpha) & (pairs.difference * shared.difference < 0)
    p, log10_p, difference, se = (
        np.where(apart & (name in ("p", "log10_p")), np.nan, np.where(against, theirs, ours))
        for name, ours, theirs in (
            ("p", pairs.p, shared.p),
            ("log10_p", pairs.log10_p, shared.log10_p),
            ("difference", pairs.difference, shared.difference),
            ("se", pairs.se, shared.se),
        )
    )
    return replace(pairs, shared=shared.shared, p=p, log10_p=log10_p, difference=difference, se=se), against


def _notes(fit: fits.Fitted) -> tuple[Note, ...]:
    text = (
        "a fitted score assumes that absent outcomes differ from observed ones only by how hard the items "
        "and how good the entries are; it is wrong if items were left out because of how the entry would "
        "score on them. The bounds hold without that assumption"
    )
    if fit.converged:
        return (Note(code="fitted", text=text),)
    doubt = "the fit did not settle: fitted scores may be off by more than their errors say"
    return Note(code="fitted", text=text), Note(code="fit-not-settled", text=doubt)
