"""The gate: per-item results are used only where they agree with the rate published beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from deadheat.data.ids import CutOff
from deadheat.report import phrases
from deadheat.results import Note
from deadheat.stats.score import consistency


@dataclass(frozen=True)
class Claim:
    """A published rate and the per-item results beside it.

    Parameters
    ----------
    published : float or None
        The rate, in [0, 1].
    decimals : int
        Digits behind the point of the rate in [0, 1]; what was printed as 52.8 % has 3.
    right : float
        Sum of the scores.
    items : frozenset of str
        Items with a score.
    unscored : int
        Items listed without a score.
    repeated : tuple of str
        Items that occur more than once.
    """

    published: float | None
    decimals: int
    right: float
    items: Set[str]
    unscored: int = 0
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True)
class Surroundings:
    """What the rest of the board tells of an entry's results.

    Parameters
    ----------
    items : mapping
        Items of every entry that has results.
    cuts : sequence of CutOff
        Ids that were cut off.
    """

    items: Mapping[str, Set[str]] = field(default_factory=dict)
    cuts: Sequence[CutOff] = ()

    def sizes(self, claim: Claim) -> dict[int, str]:
        """Denominators that a rate may have been taken over instead, and what each is."""
        found: dict[int, str] = {}
        if claim.unscored:
            found[len(claim.items) + claim.unscored] = "the items listed, with and without a score"
        for size, what in self._sizes.items():
            if size > len(claim.items):
                found.setdefault(size, what)
        return found

    @cached_property
    def _sizes(self) -> dict[int, str]:
        """Numbers of items that occur, and the first entry that has each."""
        found: dict[int, str] = {}
        for entry, items in sorted(self.items.items()):
            found.setdefault(len(items), f"the items of {entry}")
        distinct = {id(items): items for items in self.items.values()}
        found.setdefault(len(set().union(*distinct.values())), "all items on the board")
        return found


ALONE = Surroundings()


def gate(claim: Claim, around: Surroundings = ALONE, entry: str | None = None) -> Note | None:
    """Say why per-item results are not to be used, None where they are.

    Parameters
    ----------
    claim : Claim
    around : Surroundings
    entry : str or None
        Its key in `around`.

    Returns
    -------
    Note or None
        ``no-per-item-results``, ``no-scored-items``, ``repeated-items``, or, where the rate that the items
        imply misses the published one by more than one item, the likeliest cause: ``all-zero``,
        ``fraction-not-percent``, ``percent-not-fraction``, ``cut-off-ids``, ``other-denominator``, else
        ``rate-contradicts-items``.
    """
    n = len(claim.items)
    if n == 0:
        if claim.unscored:
            return Note(code="no-scored-items", text=phrases.no_scored_items(claim.unscored))
        return Note(code="no-per-item-results", text=phrases.NO_ITEMS)
    if claim.repeated:
        return Note(code="repeated-items", text=phrases.repeated_items(claim.repeated))
    if claim.published is None or bool(consistency.agrees(claim.published, claim.right, n)):
        return None
    two = phrases.two_rates(claim.published, claim.decimals, claim.right, n)
    if claim.right == 0:
        return Note(code="all-zero", text=f"{two}: {phrases.ALL_ZERO}")
    if bool(consistency.agrees(claim.published * 100, claim.right, n)):
        return Note(code="fraction-not-percent", text=f"{two}: {phrases.FRACTION}")
    if bool(consistency.agrees(claim.published / 100, claim.right, n)):
        return Note(code="percent-not-fraction", text=f"{two}: {phrases.PERCENT}")
    cut = _cut_off(claim, around, entry)
    if cut is not None:
        return Note(code="cut-off-ids", text=f"{two}: {cut}")
    for size, what in around.sizes(claim).items():
        if size > n and consistency.fits(claim.published, claim.right, size, claim.decimals):
            text = phrases.other_denominator(claim.right, size, what)
            return Note(code="other-denominator", text=f"{two}: {text}")
    return Note(code="rate-contradicts-items", text=two)


def _cut_off(claim: Claim, around: Surroundings, entry: str | None) -> str | None:
    """Explain a gap by ids that were cut off, if the outcomes lost with them can close it."""
    mine = [cut for cut in around.cuts if entry in cut.short_in]
    if not mine:
        return None
    rest = set().union(*(around.items[e] for cut in mine for e in cut.full_in)) - {
        longer for cut in mine for longer in cut.full
    }
    missing = sorted(rest - claim.items)
    total = len(claim.items) + sum(len(cut.full) - 1 for cut in mine) + len(missing)
    wanted = claim.published * total if claim.published is not None else 0.0
    # Each lost outcome may have been right, and each cut id stands for one right outcome at most.
    low = claim.right - len(mine) - 0.5
    high = claim.right + sum(len(cut.full) for cut in mine) + len(missing) + 0.5
    if not low <= wanted <= high:
        return None
    return phrases.cut_off(mine, missing, wanted, total)
