"""The verb `rank` on votes: which gaps of an arena board are real."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from deadheat.data.ballots import Ballots
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.order import MAX_T, Rule, letters_of
from deadheat.evidence.separation import some
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Group, Methods, Note, claims
from deadheat.results.votes import (
    Coefficient,
    Contests,
    VoteBoard,
    VoteScore,
)
from deadheat.stats.multiple import adjustment, groups, ranks
from deadheat.stats.numerics.pvalues import student
from deadheat.version import VERSION
from deadheat.voting.evidence_of_votes import Evidence, Setting, evidence
from deadheat.voting.vote_pairs import INTERVAL, TEST, contests_of, pair_of, total

Floats = NDArray[np.float64]


def rank_votes(
    ballots: Ballots,
    *,
    setting: Setting | None = None,
    anchor: str | None = None,
    adjust: str = "none",
    ranks_hold: Literal["simultaneous", "marginal"] = "simultaneous",
    alpha: float = 0.05,
    level: float = 0.95,
) -> VoteBoard:
    """Rank entries by votes between two of them, and say which of their gaps the votes support.

    Parameters
    ----------
    ballots : Ballots
        Of `read_votes`.
    setting : Setting or None
        The model of ties, the clusters, the position, a penalty.
    anchor : str or None
        The entry that anchors group 1; None takes the strongest.
    adjust : str
        ``none``, ``holm``, ``hochberg`` or ``bh``: all pairs are one family.
    ranks_hold : str
        ``simultaneous``: all rank intervals hold together, by Holm's rule; ``marginal``: each by itself.
    alpha : float
        A pair is separated when p < alpha.
    level : float
        Level of the intervals.

    Returns
    -------
    VoteBoard
        Strengths are maximum-likelihood estimates of Bradley and Terry's model; errors are sandwich errors,
        clustered by voter and by prompt where the votes name them.

    Raises
    ------
    DataError
        Votes that compare no two entries.
    MethodError
        A method that votes do not take, or an anchor that is not an entry.

    References
    ----------
    Chiang et al. (2024), Chatbot Arena: an open platform for evaluating LLMs by human preference, ICML.
    """
    setting = setting or Setting()
    rule = Rule(adjust=adjust, ranks=ranks_hold, alpha=alpha)
    if adjust == MAX_T:
        raise MethodError("max-t draws signs of items, and votes have none; use --adjust holm")
    found = evidence(ballots, setting)
    names = [ballots.entries[row] for row in found.rows]
    order = sorted(range(len(names)), key=lambda row: (-found.found.strength[row], names[row]))
    if anchor is not None and anchor not in names:
        raise MethodError(f"no entry {anchor!r} to anchor the board; found {some(names)}")
    first = order[0] if anchor is None else names.index(anchor)
    p = found.values.p.copy()
    np.fill_diagonal(p, np.nan)
    adjusted = None if adjust == "none" else adjustment.pairs(p, adjustment.ADJUSTMENTS[adjust])
    decisive = p if adjusted is None else adjusted
    group = groups.anchor_groups(decisive, [first, *(row for row in order if row != first)], alpha)
    if rule.ranks == "simultaneous":
        ranked = adjustment.pairs(p, adjustment.holm)
    else:
        ranked = np.array([adjustment.holm(row) for row in p])
    low, high = ranks.rank_intervals(ranked, found.difference, alpha)
    letters, note = letters_of(decisive, order, alpha)
    place = ranks.competition_place(found.found.strength, order)
    lines = [
        VoteScore(
            entry=names[row],
            value=float(found.found.strength[row]),
            se=float(np.sqrt(max(found.covariance[row, row], 0.0))),
            contests=contests_of(found, [row], None),
            opponents=int(((found.won + found.won.T + found.tied)[row] > 0).sum()),
            place=int(place[row]),
            rank=(int(low[row]), int(high[row])),
            group=int(group[row]) or None,
            letters=None if letters is None else letters[row] or None,
            vs_anchor=None if row == first else pair_of(names, found, row, first, level, alpha, adjusted),
        )
        for row in order
    ]
    apart = tuple(_apart(ballots, found))
    told = (
        *_placed(apart, len(names)),
        *_claims(names, found, decisive, order, first, rule, adjusted is not None),
    )
    return VoteBoard(
        version=VERSION,
        estimand=Estimand(),
        methods=Methods(
            interval=INTERVAL, test=TEST, adjust=adjust, alpha=alpha, level=level, rank=rule.rank_method
        ),
        summary=sentences(told, Voice()),
        claims=told,
        notes=(*ballots.notes, *found.notes, *note, *_general(rule)),
        provenance=ballots.provenance,
        entries=tuple(lines),
        groups=tuple(_groups(names, group, order, first)),
        tie_lines=tuple(
            tuple(names[row] for row in order[a : b + 1]) for a, b in groups.tie_lines(decisive, order, alpha)
        ),
        apart=apart,
        model=found.found.model,
        tie=_tie(found),
        penalty=setting.penalty or None,
        coefficients=tuple(_coefficients(ballots, found, setting)),
        clusters=found.clusters,
        contests=total(found),
    )


def _groups(names: Sequence[str], group: NDArray[np.int64], order: Sequence[int], first: int) -> list[Group]:
    made = []
    for number in range(1, int(group.max(initial=0)) + 1):
        rows = [row for row in order if group[row] == number]
        anchor = first if first in rows else rows[0]
        made.append(Group(group=number, anchor=names[anchor], members=tuple(names[row] for row in rows)))
    return made


def _apart(ballots: Ballots, found: Evidence) -> list[VoteScore]:
    """Entries whose strength has no finite estimate beside the others', with the reason."""
    rows = ballots.rows
    made = []
    for code in sorted(set(range(len(ballots.entries))) - set(found.rows.tolist())):
        ahead, behind = rows.first == code, rows.second == code
        won = int(rows.votes[(ahead & (rows.outcome == 0)) | (behind & (rows.outcome == 2))].sum())
        lost = int(rows.votes[(ahead & (rows.outcome == 2)) | (behind & (rows.outcome == 0))].sum())
        tied = int(rows.votes[(ahead | behind) & (rows.outcome == 1)].sum())
        met = set(rows.second[ahead].tolist()) | set(rows.first[behind].tolist())
        inside = met & set(found.rows.tolist())
        if not inside:
            note = Note(code="island", text="never met an entry of the board, directly or through others")
        elif lost == 0 and tied == 0:
            note = Note(code="undefeated", text="won every vote, so its strength has no finite estimate")
        elif won == 0 and tied == 0:
            note = Note(code="never-won", text="lost every vote, so its strength has no finite estimate")
        else:
            text = "its votes lead into the board, or out of it, in one direction only: no finite estimate"
            note = Note(code="one-way", text=text)
        contests = Contests(votes=won + lost + tied, won=won, tied=tied, lost=lost)
        made.append(
            VoteScore(entry=ballots.entries[code], contests=contests, opponents=len(met), notes=(note,))
        )
    return made


def _placed(apart: Sequence[VoteScore], number: int) -> Iterator[claims.Claim]:
    """Claim whom the others are about, where some entries have no strength."""
    why: dict[str, list[str]] = {"undefeated": [], "never-won": [], "": []}
    for line in apart:
        code = line.notes[0].code
        why[code if code in why else ""].append(line.entry)
    if apart:
        yield claims.PlacedByVotes(
            entries=number,
            of=number + len(apart),
            undefeated=tuple(why["undefeated"]),
            winless=tuple(why["never-won"]),
            unconnected=tuple(why[""]),
        )


def _tie(found: Evidence) -> float | None:
    return None if found.found.model == "half" else float(found.found.extra[0])


def _coefficients(ballots: Ballots, found: Evidence, setting: Setting) -> list[Coefficient]:
    names = [*ballots.covariates, *(["position"] if setting.position else [])]
    start = len(found.found.extra) - len(names)
    made = []
    for at, name in enumerate(names, start):
        value, place = float(found.found.extra[at]), len(found.found.strength) + at
        se = float(np.sqrt(max(found.covariance[place, place], 0.0)))
        p = float(student(value / se, found.df).p) if se > 0 else None
        made.append(Coefficient(name=name, value=value, se=se if se > 0 else None, p=p))
    return made


def _general(rule: Rule) -> list[Note]:
    text = (
        "strengths describe which answer these voters preferred on these prompts; another mix of voters or "
        "prompts may order the entries otherwise"
    )
    return [Note(code="preferences", text=text)]


def _claims(
    names: Sequence[str],
    found: Evidence,
    decisive: Floats,
    order: Sequence[int],
    first: int,
    rule: Rule,
    adjusted: bool,
) -> list[claims.Claim]:
    best = ranks.possible_best(found.values.p, found.difference, rule.alpha)
    able = [row for row in order if best[row]]
    votes = total(found).votes
    open_ = [row for row in order if row != first and decisive[row, first] >= rule.alpha]
    return [
        claims.PossibleBest(
            entries=tuple(names[row] for row in able),
            of=len(names),
            level=round(1 - rule.alpha, 12),
            leading=able == list(order[: len(able)]),
        ),
        claims.NotSeparatedByVotes(
            entry=names[first],
            others=tuple(names[row] for row in open_),
            tested=int(np.count_nonzero(~np.isnan(decisive[first]))),
            of=len(names) - 1,
            votes=votes,
            clusters=found.clusters,
            adjusted=adjusted,
        ),
    ]
