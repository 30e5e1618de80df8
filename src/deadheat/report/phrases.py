"""What a site's readers are told: column titles, the note under the table, and why something is withheld."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deadheat.data.ids import CutOff
from deadheat.errors import listed as listed
from deadheat.results.annotation import BoardStatistics

SE_TITLE = "± SE"
SE_TIP = (
    "Standard error of this entry's own rate, in percentage points. It speaks of comparable items, "
    "not of a rerun, and it is not the error of a difference between two entries."
)
TIE_TITLE = "Tie"
TIE_TIP = (
    "Group of entries that the paired test cannot separate from the group's anchor, on the items both have."
)
RATE_TIP = "Observed rate on this fixed set of items, as published: exact, and about these items only."
DASH = "—"
WITHHELD = "Withheld, because two of the published numbers contradict each other:"

LARGE = 1e4  # a rate beyond it is no rate, and all its digits say nothing
NO_RATE = "no rate is published"

NO_ITEMS = "publishes no per-item results"
ALL_ZERO = "its per-item results hold no item right, so they are likely not those of this run"
FRACTION = "the published number reads as a fraction where per cent are expected"
PERCENT = "the published number reads as per cent where a fraction is expected"
BOUNDARY = {
    0.0: "no item right: the formula for the SE gives 0, which is no precision; the paired test stands",
    1.0: "every item right: the formula for the SE gives 0, which is no precision; the paired test stands",
}
ONE_VALUE = "all items have one and the same score: the SE is withheld; the paired test stands"
RATED = "it is the highest entry that publishes per-item results which agree with its rate"
UNRATED = (
    "it is the highest entry by the rate that its per-item results imply; no rate is published for it, so "
    "its results could not be checked against one"
)

TESTS = {"mcnemar": "exact two-sided McNemar test", "mid-p": "mid-p McNemar test", "t": "paired t-test"}


def test(name: str | None) -> str:
    """Write a test in words."""
    return TESTS.get(name or "", name or "no test")


def remarks(boards: Mapping[str, BoardStatistics]) -> tuple[str, ...]:
    """Name what a build should know: entries that are withheld, and ids that do not line up."""
    lines = []
    for title, board in boards.items():
        lines += [
            f"{title}: {entry.name or entry.entry} ({entry.entry}) withheld: {entry.reason}"
            for entry in board.withheld
        ]
        lines += [f"{title}: {doubt.text}" for doubt in board.doubts]
    return tuple(lines)


def percent(rate: float, decimals: int = 2) -> str:
    """Write a rate in [0, 1] in per cent, with at least so many digits as it was published with."""
    return f"{100 * rate:.{decimals}f} %" if abs(rate) < LARGE else f"{100 * rate:.3g} %"


def withheld(reason: str | None) -> str:
    """Say beside a dash why there is no number."""
    return f"no number: {reason or NO_ITEMS}"


def se_cell(se: float, n: int) -> str:
    """Say what a standard error is over."""
    return f"± {se:.2f} points, over {items(n)}: the precision of this rate alone, not of a difference"


def tie_cell(
    *,
    group: int,
    members: int,
    anchor: str | None,
    p: str,
    a_only: int | None,
    b_only: int | None,
    shared: int,
) -> str:
    """Say why an entry is in its group; `anchor` is None for the anchor itself."""
    if anchor is None:
        others = members - 1
        if not others:
            return (
                f"group {group}: anchors it alone; each entry that was left is separated from it or shares "
                "no item with it"
            )
        who = "entry is" if others == 1 else "entries are"
        return f"group {group}: its anchor; {others:,} other {who} not separated from it"
    told = f"group {group}: not separated from {anchor}, {p}"
    if a_only is None or b_only is None:
        return f"{told} over {items(shared)} that both have"
    return f"{told}; of {items(shared)} that both have, {a_only:,} right here only, {b_only:,} there only"


def count(right: float) -> str:
    """Write a number of right items; a sum of part scores keeps two digits."""
    return f"{right:,.0f}" if float(right).is_integer() else f"{right:,.2f}"


def items(number: int) -> str:
    """Write ``1 item``, ``2,294 items``."""
    return f"{number:,} item" if number == 1 else f"{number:,} items"


def two_rates(published: float, decimals: int, right: float, n: int) -> str:
    """Say which two numbers disagree."""
    digits = max(2, decimals - 2)
    return (
        f"published {percent(published, digits)}, but its per-item results imply "
        f"{percent(right / n, digits)} ({count(right)} of {n:,})"
    )


def no_scored_items(unscored: int) -> str:
    """Say that results are listed, but hold no outcome."""
    return f"lists {items(unscored)} without an outcome for any"


def repeated_items(repeated: Sequence[str]) -> str:
    """Say that items occur more than once."""
    return f"occurs more than once in its per-item results: {listed(repeated)}"


def other_denominator(right: float, size: int, what: str) -> str:
    """Say which denominator makes the published rate right."""
    return f"the published rate is {count(right)} of {size:,} ({what})"


def cut(found: CutOff) -> str:
    """Say which id was cut off, and what it stands for."""
    have = "has" if len(found.full_in) == 1 else "have"
    if len(found.full) == 1:
        elsewhere = f"({found.full[0]}, as {listed(found.full_in, 3)} {have} it)"
        return f"the id {found.short} was cut off at “{found.mark}” {elsewhere}"
    return (
        f"the id {found.short} stands for {len(found.full)} items whose ids were cut off at “{found.mark}” "
        f"and so merged ({listed(found.full)}, as {listed(found.full_in, 3)} {have} them)"
    )


def cut_ids(found: CutOff) -> str:
    """Say the same of a whole board."""
    number = len(found.short_in)
    return f"in {number:,} {'entry' if number == 1 else 'entries'} {cut(found)}"


def overtaken(found: Sequence[tuple[str, str, int]], names: Mapping[str, str]) -> str:
    """Name entries that the test puts above an anchor which their rates do not put below them."""
    one, other, shared = found[0]
    more = f" ({len(found) - 1:,} more pairs like this)" if len(found) > 1 else ""
    return (
        f"{names[one]} is separated above {names[other]} on the {items(shared)} that both have, although its "
        f"rate is no higher{more}: rates over different items do not say who is better, and a group whose "
        "anchor is overtaken like this does not hold those who may be the best."
    )


def cut_off(cuts: Sequence[CutOff], missing: Sequence[str], wanted: float, total: int) -> str:
    """Say which ids were cut off, and that the published rate fits the items before that."""
    told = [cut(found) for found in cuts]
    if missing:
        told.append(f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return f"{'; '.join(told)}; over all {total:,} items the published rate means {round(wanted):,} right"


def note(
    *,
    alpha: float,
    test: str,
    binary: bool,
    anchor: str | None,
    rated: bool,
    above: int,
    level: int,
    above_withheld: int,
    withheld: int,
    annotated: int,
    entries: int,
    columns: bool,
) -> tuple[str, ...]:
    """Write the note under a table: what each number is, what it assumes, and what it does not say.

    Parameters
    ----------
    alpha : float
    test : str
        The paired test, in words.
    binary : bool
        Whether every score is 0 or 1.
    anchor : str or None
        Name of the anchor of group 1; None where no entry could be annotated.
    rated : bool
        Whether a rate is published for the anchor, which its items agree with.
    above, level : int
        Entries above, and level with, the anchor that publish no per-item results.
    above_withheld : int
        Entries above, or level with, the anchor whose results contradict their rate.
    withheld, annotated, entries : int
        Entries whose results contradict their rate, entries with statistics, and all.
    columns : bool
        Whether the columns are shown.
    """
    if anchor is None:
        return (
            "No entry of this board publishes per-item results that could be used, so nothing is said of how "
            "precise its rates are or which of its gaps are real.",
        )
    top = standing(anchor, above, level, above_withheld)
    if not columns:
        return (
            f"Standard errors and tie groups are not shown in this view. {top} Groups anchored on a row "
            "further down would read as if they were counted from the top.",
        )
    lines = [
        "Rate: what was observed on this fixed set of items. It is exact and describes these items; there is "
        "nothing left to estimate in it.",
        f"{SE_TITLE}: the {'binomial ' if binary else ''}standard error"
        f"{', √(p(1 − p)/n),' if binary else ''} of one rate, in percentage points, if other items like "
        "these were drawn. That takes the items to be exchangeable with those others. A curated set was "
        "chosen, not drawn at random, so this assumption is open to question. It is no error of a "
        "difference: two entries face the same items, and whether they differ is asked of the pairs.",
        f"{TIE_TITLE}: that question, answered by the {test} at α = {alpha:g} on the items that both "
        f"entries have. {anchor} anchors group 1: {RATED if rated else UNRATED}. Every entry "
        "that the test cannot separate from it is in its group; the best entry left anchors the next. A "
        "group is a statement about its anchor only: two of its members may well be separated from each "
        "other.",
        "The number of comparisons is not corrected for. A correction would separate fewer entries: group 1 "
        "would keep its members and might gain some; later groups might gain or lose members.",
        "Repeatability is in neither column: each entry reports one run, and how far its score would move if "
        "the same system ran again cannot be seen from one run.",
    ]
    if above or level or above_withheld:
        lines.append(top)
    dash = "A dash is no number, not a small one, and sorts last either way. "
    return (*lines, f"{dash}{counted(annotated, entries, withheld)}. The reason stands in each cell.")


def counted(annotated: int, entries: int, withheld: int) -> str:
    """Count the entries with statistics, and those whose results contradict their rate."""
    told = f"{annotated:,} of {entries:,} entries have statistics"
    if withheld:
        have = "has results that contradict" if withheld == 1 else "have results that contradict"
        told += f"; {withheld:,} {have} the published rate"
    return told


def standing(anchor: str, above: int, level: int, above_withheld: int) -> str:
    """Say why the anchor is not at the top."""
    parts = [f"{above:,} above it"] if above else []
    parts += [f"{level:,} level with it"] if level else []
    number = above + level
    told = [f"The best entry with usable per-item results is {anchor}"]
    if number:
        who = "entry publishes" if number == 1 else "entries publish"
        told.append(f"{number:,} {who} none and cannot be compared with it ({' and '.join(parts)})")
    if above_withheld:
        have = "entry above it has" if above_withheld == 1 else "entries above it have"
        told.append(f"{above_withheld:,} {have} results that contradict the published rate")
    return "; ".join(told) + "."
