"""What a board's page draws across its rows: who may be the best, where the leader's group ends, the fold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from deadheat.report import numbers, rows_board
from deadheat.report.names import Name
from deadheat.report.numbers import Scale
from deadheat.results import Board, Category, Methods, Score
from deadheat.results.votes import VoteBoard, VoteScore

FOLD_AFTER, MOST_OPEN, LEAST_FOLDED = 20, 60, 8
"""Rows that a long board shows at first, at most with those above a rule, and rows that are worth a fold."""


@dataclass(frozen=True)
class Cut:
    """A rule under a row: what its sentence rests on, and the sentence."""

    kind: str
    basis: str
    text: str


def opened(rows: int, least: int = 0) -> int:
    """Count the rows of a table that are shown at first, among them `least` if these are not too many.

    Parameters
    ----------
    rows, least : int
    """
    most = min(max(FOLD_AFTER, least), MOST_OPEN)
    return most if rows - most >= LEAST_FOLDED else rows


class Ruling:
    """The rules and the fold of one board.

    Parameters
    ----------
    part : Board, Category or VoteBoard
        What is shown.
    first : str or None
        The entry that all others are compared with.
    names : mapping
        Entry to its name.
    scale : Scale
        How differences are written.
    methods : Methods
        Level, alpha and adjustment.
    """

    def __init__(
        self,
        part: Board | Category | VoteBoard,
        first: str | None,
        names: Mapping[str, Name],
        scale: Scale,
        methods: Methods,
    ) -> None:
        self.entries: tuple[Score | VoteScore, ...] = (*part.entries,)
        self.first, self.names = first, names
        self.scale, self.methods = scale, methods
        self.claim = claim = rows_board.some_best(part)
        self.starred = frozenset(claim.entries if claim else ())
        self.best = ""
        if claim:
            self.best = f"may be the best: {numbers.level(claim.level)} confidence, all comparisons together"
        self.last = self._last(self.near)
        leading = claim is not None and claim.leading
        self.last_best = self._last(lambda score: score.entry in self.starred) if leading else -1
        self.least = max(self.last, self.last_best) + 6
        self.open = opened(len(self.entries), self.least)

    def _last(self, wanted: Callable[[Score | VoteScore], bool]) -> int:
        return max((at for at, score in enumerate(self.entries) if wanted(score)), default=-1)

    def near(self, score: Score | VoteScore) -> bool:
        """Whether an entry is the anchor or not separated from it."""
        pair = score.vs_anchor
        return score.entry == self.first or (pair is not None and pair.verdict == "not separated")

    def cuts(self, at: int) -> tuple[Cut, ...]:
        """Give the rules under a row: one pair at a time, and all comparisons together."""
        found = [self._group()] if at == self.last else []
        found += [self._set()] if at == self.last_best else []
        return tuple(cut for cut in found if cut)

    def _set(self) -> Cut | None:
        """Say who may be the best, where these are the first rows of the board."""
        if self.claim is None:
            return None
        number, of = len(self.claim.entries), self.claim.of
        who = f"one of the {number:,} above" if number > 1 else self.names[self.claim.entries[0]].core
        sure = f"{numbers.level(self.claim.level)} confidence"
        return Cut(
            "best",
            "★ All comparisons together:",
            f"the best of the {of:,} entries is {who}, with {sure}",
        )

    def _group(self) -> Cut | None:
        """Say who is above and who below the rule under the last entry that is not separated from the first.

        Nothing where the first entry is not the anchor, or where no entry with results is below.
        """
        pairs = [score.vs_anchor for score in self.entries[self.last + 1 :] if score.vs_anchor]
        scored = [score.entry for score in self.entries if score.value is not None]
        if self.first is None or scored[0] != self.first or not pairs:
            return None
        name = self.names[self.first].core
        above = sum(score.value is not None for score in self.entries[: self.last])
        apart = above + 1 - sum(self.near(score) for score in self.entries)
        adjusted = self.methods.adjust not in (None, "none")
        alpha = "" if self.methods.alpha is None else f" (p < {self.methods.alpha:g})".replace("0.", ".")
        told = f"▼ each of these is behind {name}{alpha}"
        if any(pair.verdict != "b" for pair in pairs):
            told = f"▼ each of these is separated from {name} or was not compared with it"
        if above:
            who = f"{above:,} entries are" if above > 1 else "1 entry is"
            if apart:
                who = f"{above - apart:,} of these {above:,} are"
            told = f"▲ {who} not separated from {name} · {told}"
        return Cut("group", "Adjusted for all pairs:" if adjusted else "Each pair by itself:", told)

    def fold(self) -> str:
        """Say what the folded rows hold."""
        folded = self.entries[self.open :]
        if not folded:
            return ""
        pairs = [score.vs_anchor for score in folded if score.value is not None]
        gaps = [pair.difference for pair in pairs if pair and pair.verdict == "b" and pair.difference]
        if not pairs or len(gaps) < len(pairs):
            return f"{len(folded):,} more"
        least = self.scale.size(-max(gaps))
        told = f"{len(pairs):,} more, {least} or more {self.scale.points} behind".strip()
        rest = len(folded) - len(pairs)
        return told + (f", and {rest:,} without results per item" if rest else "")
