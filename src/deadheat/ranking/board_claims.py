"""What a board claims: who may be the best, and whom the leader is not separated from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.evidence.fitted import FittedPanel
from deadheat.evidence.order import Placing, Rule
from deadheat.evidence.pairwise import Pairwise
from deadheat.evidence.participants import Participants
from deadheat.evidence.scores import Scores
from deadheat.report.names import labels
from deadheat.report.numbers import Scale
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Resolution, Score, claims
from deadheat.stats.multiple.ranks import possible_best

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Seen:
    """A board while its claims are made; `p` is what decides."""

    panel: Panel
    pairs: Pairwise
    value: Floats
    placed: Placing
    rule: Rule

    @property
    def p(self) -> Floats:
        return self.pairs.p if self.placed.adjusted is None else self.placed.adjusted

    @property
    def lead(self) -> Floats:
        """How much better each entry is than each other one."""
        return self.panel.sign * self.pairs.difference

    def names(self, rows: Sequence[int] | Rows) -> tuple[str, ...]:
        return tuple(self.panel.entries[row] for row in rows)


def claims_of(
    panel: Panel, pairs: Pairwise, made: Scores, placed: Placing, rule: Rule
) -> tuple[claims.Claim, ...]:
    """List what a board claims, first what holds of all comparisons together.

    Parameters
    ----------
    panel, pairs, made, placed
        The entries, the test of all their pairs, their scores and their order.
    rule : Rule
        How entries are told apart.
    """
    return tuple(_claims(_Seen(panel, pairs, made.value, placed, rule)))


def of_one(score: Score, found: Resolution, alpha: float) -> Iterator[claims.Claim]:
    """Claim what an entry that stands alone scores, and what its items could show.

    Parameters
    ----------
    score : Score
    found : Resolution
    alpha : float
        Size of the test.
    """
    yield claims.Alone(entry=score.entry, value=score.value, items=found.items)
    shown = [(gap.difference, gap.correlation) for gap in found.visible if gap.difference is not None]
    if shown:
        yield claims.VisibleTwin(
            differences=tuple(gap for gap, _ in shown),
            correlations=tuple(rho for _, rho in shown),
            power=found.power,
            items=found.items,
            test=found.test,
            alpha=alpha,
        )


def of_fitted(fit: FittedPanel, placed: Placing) -> claims.Fitted:
    """Claim that scores are fitted, and whether the first place rests on the model."""
    first, able = placed.rows[0], None
    if fit.low is not None and fit.high is not None:
        worst, best = (fit.low, fit.high) if fit.panel.sign > 0 else (-fit.high, -fit.low)
        near = (best >= worst[first] - 1e-12) & fit.own.present.any(axis=1)
        near[first] = False
        able = tuple(fit.panel.entries[row] for row in np.flatnonzero(near))
    return claims.Fitted(
        leader=fit.panel.entries[first],
        missing=fit.missing,
        model=fit.model,
        open=able,
    )


def of_apart(who: Participants) -> Iterator[claims.Claim]:
    """Claim who is listed apart."""
    if who.why:
        yield claims.ListedApart(
            entries=tuple(who.why), unfinished=who.stopped, usual=who.usual, min_share=who.min_share
        )


def told(made: Iterable[claims.Claim], entries: Sequence[Score], *, lower_is_better: bool) -> str:
    """Put the claims of a board into words, with the numbers and names of its lines.

    Parameters
    ----------
    made : iterable of Claim
    entries : sequence of Score
    lower_is_better : bool
    """
    how = Scale.of([e.value for e in entries], [e.se for e in entries], (e.unit for e in entries))
    return sentences(made, Voice(how, labels(entries), lower_is_better))


def _claims(seen: _Seen) -> Iterator[claims.Claim]:
    rows = np.asarray(seen.placed.rows)
    yield from _equal(seen, rows)
    one, other = np.triu_indices(len(rows), 1)
    if np.isnan(seen.pairs.p[rows[one], rows[other]]).all():
        why = "no pair of its entries could be tested"
        yield claims.Withheld(entries=seen.names(rows), what="board", why=why)
        return
    both = 2 * seen.pairs.one_sided
    able = possible_best(both[np.ix_(rows, rows)], seen.lead[np.ix_(rows, rows)], seen.rule.alpha)
    yield claims.PossibleBest(
        entries=seen.names(rows[able]),
        of=len(rows),
        level=round(1 - seen.rule.alpha, 12),
        leading=bool(able[: able.sum()].all()),
    )
    leader = int(rows[0])
    yield _against(seen, leader, rows)
    yield from _nothing_decided(seen, leader, rows)
    if seen.placed.anchor != leader:
        yield _against(seen, seen.placed.anchor, rows)


def _equal(seen: _Seen, rows: Rows) -> Iterator[claims.Claim]:
    """Claim that every score is 0, or the same."""
    panel, placed = seen.panel, seen.placed
    if not panel.values[panel.present].any() and not panel.lower_is_better:
        yield claims.AllZero(entries=len(rows))
    elif len(rows) > 1 and (placed.place[rows] == 1).all():
        yield claims.AllEqual(entries=len(rows), value=float(seen.value[rows[0]]))


def _against(seen: _Seen, row: int, rows: Rows) -> claims.NotSeparatedFrom:
    """Claim what the tests of one entry against every other one give."""
    others = rows[rows != row]
    p, gap, shared = seen.p[row, others], seen.lead[row, others], seen.pairs.shared[row, others]
    tested = ~np.isnan(p)
    return claims.NotSeparatedFrom(
        entry=seen.panel.entries[row],
        others=seen.names(others[tested & (p >= seen.rule.alpha)]),
        above=seen.names(others[(p < seen.rule.alpha) & (gap < 0)]),
        tested=int(tested.sum()),
        of=len(others),
        shared_low=int(shared[tested].min(initial=shared.max(initial=0))),
        shared_high=int(shared[tested].max(initial=0)),
        adjusted=seen.placed.adjusted is not None,
    )


def _nothing_decided(seen: _Seen, leader: int, rows: Rows) -> Iterator[claims.Claim]:
    """Claim that no pair of the leader and those not separated from it is separated, where that is so."""
    p = seen.p[leader, rows]
    near = rows[(p >= seen.rule.alpha) | (rows == leader)]
    if len(near) < 3:
        return
    one, other = np.triu_indices(len(near), 1)
    inside = near[one], near[other]
    if not (seen.p[inside] >= seen.rule.alpha).all():
        return
    shared = seen.pairs.shared[inside]
    yield claims.NothingDecided(
        entries=seen.names(near), shared_low=int(shared.min()), shared_high=int(shared.max())
    )
