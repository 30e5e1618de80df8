"""Who stands where: places, groups, rank intervals, tie lines and letters of a panel's rows."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import DataError, MethodError
from deadheat.evidence.pairwise import Pairwise
from deadheat.evidence.separation import separation
from deadheat.results import Group, Note
from deadheat.seeds import stream
from deadheat.stats.multiple import adjustment, groups, maxt, ranks

Floats = NDArray[np.float64]
Kind = Literal["simultaneous", "marginal"]

MAX_T = "max-t"
ADJUSTMENTS = (*adjustment.ADJUSTMENTS, MAX_T)
LETTERS = string.ascii_lowercase + string.ascii_uppercase


@dataclass(frozen=True)
class Rule:
    """How entries are told apart.

    Parameters
    ----------
    adjust : str
        A name of ADJUSTMENTS. All pairs of the board are one family, so that groups, tie lines and letters
        stand on the same verdicts.
    ranks : str
        ``simultaneous``: all rank intervals hold together; ``marginal``: each holds by itself.
    alpha : float
        A pair is separated when p < alpha.
    draws, seed : int
        For max-t.
    """

    adjust: str = "none"
    ranks: Kind = "simultaneous"
    alpha: float = 0.05
    draws: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise MethodError(f"alpha lies between 0 and 1; found {self.alpha}")
        if self.draws < 1:
            raise MethodError(f"draws are at least 1; found {self.draws}")
        for name, value, known in (
            ("adjustment", self.adjust, ADJUSTMENTS),
            ("kind of rank interval", self.ranks, get_args(Kind)),
        ):
            if value not in known:
                raise MethodError(f"no {name} {value!r}; known are {', '.join(known)}")

    @property
    def rank_method(self) -> str:
        """What gives the rank intervals: Holm's rule unless max-t was asked for."""
        return f"{MAX_T if self.adjust == MAX_T else 'holm'}, {self.ranks}"


@dataclass(frozen=True, eq=False)
class Placing:
    """Rows of a panel in board order, and what the tests make of it.

    Parameters
    ----------
    rows : list of int
        Rows with a score, best first; nobody stands above an entry that is separated above it.
    place, group : (E,) int
        Competition place and group of each row; 0 for none.
    rank_low, rank_high : (E,) float
        Rank interval of each row.
    lines : list of (int, int)
        First and last position of each tie line.
    letters : list of str or None
        Of each row, empty for one that was tested against nobody; None with more sets than letters.
    anchor : int
        The row that anchors group 1; of a board without groups, its first row.
    adjusted : (E, E) float or None
        Adjusted p-values; None without adjustment.
    notes : tuple of Note
    """

    rows: list[int]
    place: NDArray[np.int64]
    group: NDArray[np.int64]
    rank_low: Floats
    rank_high: Floats
    lines: list[tuple[int, int]]
    letters: list[str] | None
    anchor: int
    adjusted: Floats | None
    notes: tuple[Note, ...] = ()


def placing(panel: Panel, pairs: Pairwise, value: Floats, rule: Rule, anchor: str | None = None) -> Placing:
    """Order the rows of a panel and say what the tests make of it.

    Parameters
    ----------
    panel : Panel
    pairs : Pairwise
        The test of all pairs.
    value : (E,) float
        Scores; NaN for a row without one, which is not placed.
    rule : Rule
    anchor : str or None
        The entry that anchors group 1; None takes the best.

    Raises
    ------
    DataError
        No row with a score.
    MethodError
        An anchor that is not an entry, or an adjustment that does not fit the data.
    """
    # Rows come in an order of content alone, so the order of equal scores depends on no name.
    merit = panel.sign * value
    by_score = np.argsort(-merit, kind="stable")[: len(value) - int(np.isnan(value).sum())]
    if not by_score.size:
        raise DataError("no entry has a score here: each lacks some of the items that it would take")
    joint = _max_t(panel, rule, simultaneous=True) if rule.adjust == MAX_T else None
    adjusted = joint
    if joint is None and rule.adjust != "none":
        adjusted = adjustment.pairs(pairs.p, adjustment.ADJUSTMENTS[rule.adjust])
    p = pairs.p if adjusted is None else adjusted
    lead = panel.sign * pairs.difference
    found = separation(p, lead, by_score, rule.alpha)
    rows = [int(row) for row in found.order.rows]
    first, missing = found.anchor(panel, value, anchor)
    low, high = ranks.rank_intervals(_rank_p(panel, pairs, rule, joint), lead, rule.alpha)
    letters, note = letters_of(p, rows, rule.alpha)
    return Placing(
        rows=rows,
        place=ranks.competition_place(merit, rows),
        group=found.groups(p, first, rule.alpha),
        rank_low=low,
        rank_high=high,
        lines=groups.tie_lines(p, rows, rule.alpha),
        letters=letters,
        anchor=first,
        adjusted=adjusted,
        notes=(
            *missing,
            *note,
            *(_max_t_notes(panel, pairs) if rule.adjust == MAX_T else ()),
            *found.notes(panel, pairs, by_score),
        ),
    )


def members(panel: Panel, placed: Placing) -> tuple[Group, ...]:
    """Put names to the groups, members in board order."""
    found = []
    for number in range(1, int(placed.group.max(initial=0)) + 1):
        rows = [row for row in placed.rows if placed.group[row] == number]
        anchor = placed.anchor if placed.anchor in rows else rows[0]
        names = tuple(panel.entries[row] for row in rows)
        found.append(Group(group=number, anchor=panel.entries[anchor], members=names))
    return tuple(found)


def lines(panel: Panel, placed: Placing) -> tuple[tuple[str, ...], ...]:
    """Put names to the tie lines."""
    names = [panel.entries[row] for row in placed.rows]
    return tuple(tuple(names[first : last + 1]) for first, last in placed.lines)


def _rank_p(panel: Panel, pairs: Pairwise, rule: Rule, joint: Floats | None) -> Floats:
    """The p-values that rank intervals stand on, adjusted over all pairs or over each entry's own."""
    if rule.ranks == "simultaneous":
        return adjustment.pairs(pairs.p, adjustment.holm) if joint is None else joint
    if joint is not None:
        return _max_t(panel, rule, simultaneous=False)
    own = pairs.p.copy()
    np.fill_diagonal(own, np.nan)
    return np.array([adjustment.holm(row) for row in own])


def _max_t(panel: Panel, rule: Rule, *, simultaneous: bool) -> Floats:
    if panel.shares is not None:
        raise MethodError("max-t was asked of a composite, which it does not know; holm would do")
    clusters = len(np.unique(panel.cluster)) if panel.cluster is not None else len(panel.items)
    if 2.0 ** (1 - clusters) >= rule.alpha:
        what = "items" if panel.cluster is None else "clusters"
        raise MethodError(
            f"max-t was asked of {clusters} {what}: with so few no p-value can be below "
            f"{2.0 ** (1 - clusters):g}, so nothing could be separated at alpha {rule.alpha:g}; the holm "
            "adjustment, or more of them, would do"
        )
    return maxt.max_t(
        panel.values,
        panel.present,
        cluster=panel.cluster,
        weights=panel.weights,
        stratum=panel.stratum,
        draws=rule.draws,
        simultaneous=simultaneous,
        rng=stream(rule.seed, "signs"),
    )


def _max_t_notes(panel: Panel, pairs: Pairwise) -> tuple[Note, ...]:
    text = (
        "adjusted p-values and ranks are from max-t over shared sign draws, which brings its own test; the "
        f"unadjusted p is that of the test {pairs.test}"
    )
    return (Note(code="max-t", text=text),)


def letters_of(p: Floats, rows: Sequence[int], alpha: float) -> tuple[list[str] | None, tuple[Note, ...]]:
    """Give entries letters that sets without a separated pair share; None where there are too few."""
    found = groups.letters(p, rows, alpha)
    if len(found.cliques) > len(LETTERS):
        return None, ()
    out = [""] * len(p)
    tested = ~np.isnan(p[np.ix_(rows, rows)])
    np.fill_diagonal(tested, False)
    lettered = [clique for clique in found.cliques if tested[clique[0]].any()]
    for letter, clique in zip(LETTERS, lettered, strict=False):
        for position in clique:
            out[rows[position]] += letter
    note = Note(
        code="letters", text="letters cover every pair that is not separated, but are not all the sets"
    )
    return out, () if found.complete else (note,)
