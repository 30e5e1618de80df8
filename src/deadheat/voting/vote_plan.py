"""The verb `plan` on votes: how many separate two entries, and which pairs to ask next."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.data.ballots import Ballots
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.separation import some
from deadheat.report.sentences import sentences
from deadheat.results import Methods, Note, Plan, claims
from deadheat.stats.numerics.pvalues import critical_z
from deadheat.stats.votes.vote_errors import ELO
from deadheat.version import VERSION
from deadheat.voting.evidence_of_votes import Evidence, Setting, evidence
from deadheat.voting.vote_pairs import TEST

NEXT = 5  # pairs that are named


def plan_votes(
    elo: float | None = None,
    *,
    ballots: Ballots | None = None,
    entries: tuple[str, str] | None = None,
    setting: Setting | None = None,
    ties: float = 0.0,
    design_effect: float = 1.0,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Plan:
    """Say how many votes separate two entries.

    Parameters
    ----------
    elo : float or None
        True lead in Elo points; with `ballots`, None takes the lead that they give, which is an estimate.
    ballots : Ballots or None
        Votes from which the lead, the share of ties and the design effect are taken, and which say what pairs
        to ask next.
    entries : (str, str) or None
        The two entries, for `ballots`.
    setting : Setting or None
        As for `rank_votes`.
    ties : float
        Share of votes that are ties and say nothing of the lead.
    design_effect : float
        Variance of the lead by the clusters of votes, over that of independent votes.
    power, alpha : float
        Power of the two-sided test at `alpha`.

    Returns
    -------
    Plan
        Votes between the two entries, by the normal formula for a proportion of decided votes.

    Raises
    ------
    MethodError
        A lead of 0, or numbers that lie outside their range.

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 3rd ed., section 2.3.
    """
    answer: dict[str, Any] = {}
    notes: list[Note] = []
    assumptions: dict[str, Any] = {"alpha": alpha, "power": power}
    if ballots is not None:
        found = evidence(ballots, setting or Setting())
        elo, ties, design_effect = _taken(ballots, found, entries, elo, notes)
        assert entries is not None
        answer["ask_next"] = _next(ballots, found, entries)
        assumptions["entries"] = list(entries)
    if elo is None or elo == 0:
        raise MethodError("no number of votes separates a lead of 0; give --elo, the lead in points")
    if not 0 <= ties < 1 or not design_effect > 0 or not 0 < power < 1 or not 0 < alpha < 1:
        raise MethodError(
            f"ties lie in [0, 1), the design effect above 0, power and alpha in (0, 1); found ties {ties:g}, "
            f"design effect {design_effect:g}, power {power:g}, alpha {alpha:g}"
        )
    chance = float(1 / (1 + np.exp(-abs(elo) / ELO)))
    reach = critical_z(1 - alpha) * 0.5 + critical_z(2 * power - 1) * np.sqrt(chance * (1 - chance))
    decided = (reach / (chance - 0.5)) ** 2 * design_effect
    votes = int(np.ceil(decided / (1 - ties) - 1e-9))
    answer = {"votes": votes, "decided": int(np.ceil(decided - 1e-9)), "win_probability": chance, **answer}
    assumptions |= {"elo": float(elo), "ties": float(ties), "design_effect": float(design_effect)}
    told = (
        claims.VotesNeeded(
            votes=votes,
            elo=float(abs(elo)),
            win_probability=chance,
            power=power,
            alpha=alpha,
            ties=float(ties),
        ),
    )
    return Plan(
        version=VERSION,
        estimand=Estimand(),
        methods=Methods(test=TEST, alpha=alpha),
        summary=sentences(told),
        claims=told,
        notes=tuple(notes),
        question="votes",
        assumptions=assumptions,
        answer=answer,
    )


def _taken(
    ballots: Ballots,
    found: Evidence,
    entries: tuple[str, str] | None,
    elo: float | None,
    notes: list[Note],
) -> tuple[float, float, float]:
    """Lead, share of ties and design effect of two entries, as their votes have them."""
    names = [ballots.entries[row] for row in found.rows]
    if entries is None or any(name not in names for name in entries):
        raise MethodError(f"name two entries that these votes compare, with --entries; found {some(names)}")
    a, b = (names.index(name) for name in entries)
    if elo is None:
        elo = float(ELO * found.difference[a, b])
        text = "the lead is the observed one, an estimate: power at it is not power at the true lead"
        notes.append(Note(code="observed-lead", text=text))
    inverse = found.found.inverse
    plain = inverse[a, a] + inverse[b, b] - 2 * inverse[a, b]
    effect = float(found.se[a, b] ** 2 / plain)
    return elo, float(found.tied.sum() / 2 / (found.won.sum() + found.tied.sum() / 2)), effect


def _next(ballots: Ballots, found: Evidence, entries: tuple[str, str]) -> list[dict[str, Any]]:
    """Rank pairs by how much one more vote between them would shrink the variance of the lead."""
    names = [ballots.entries[row] for row in found.rows]
    a, b = (names.index(name) for name in entries)
    count = len(names)
    v = found.found.inverse[:count, :count]
    towards = v[:, a] - v[:, b]
    gain = towards[:, None] - towards[None, :]
    spread = np.diag(v)[:, None] + np.diag(v)[None, :] - 2 * v
    p = 1 / (1 + np.exp(-found.difference))
    weight = p * (1 - p)
    shrunk = weight * gain**2 / (1 + weight * spread)
    first, second = np.triu_indices(count, 1)
    order = np.lexsort((second, first, -np.round(shrunk[first, second], 15)))[:NEXT]
    variance = spread[a, b]
    return [
        {
            "a": names[first[at]],
            "b": names[second[at]],
            "variance_reduction": float(shrunk[first[at], second[at]] / variance),
        }
        for at in order
    ]
