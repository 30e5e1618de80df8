"""What a board leaves open, as lines and tables: first places, ranks in resamples, both errors, variance."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deadheat.report import numbers, rows_across, rows_costs, rows_judge, words
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import DASH, Scale, coefficient
from deadheat.results import Board, BothErrors, Chance, Components, Denominators, Variance
from deadheat.results.claims import PossibleBest

SHOWN = 5  # ranks with a column of their own
BOTH = "Two errors, two questions"
ITEMS = "How would it do on comparable items?"
RERUNS = "What would these items give again?"


def standing(board: Board, how: Scale, named: dict[str, str]) -> list[str]:
    """Say who may be the best or among the first, and what the top score is worth after having been picked.

    Parameters
    ----------
    board : Board
    how : Scale
        How the board's scores are written.
    named : dict
        Names to show for entries.
    """
    alpha = board.methods.alpha
    sure = "" if alpha is None else f" with {numbers.level(1 - alpha)} confidence"
    count = sum(score.value is not None for score in board.entries)

    def who(entries: tuple[str, ...]) -> str:
        names = [named.get(entry, clean(entry)) for entry in entries]
        return words.listed(names) + (f" ({len(names)} of {count:,} entries)" if len(names) > 3 else "")

    found, best, top = [], board.winner, board.top
    if best is not None:
        able = [claim.entries for claim in board.claims if isinstance(claim, PossibleBest)]
        found.append(f"not excluded as the best{sure}: {who(able[0] if able else best.may_be_best)}")
        if best.expected is not None and best.expected_interval is not None and best.value is not None:
            level, unit = numbers.level(best.expected_interval.level), f" {how.unit}".rstrip()
            added = f"{how.size(abs(best.value - best.expected))} {how.points}".rstrip()
            found.append(
                f"the top score was picked as the best of several, which adds {added} on average; less "
                f"that it is {how.value(best.expected)}{unit} ({level} interval "
                f"{how.interval(best.expected_interval)}{unit})"
            )
        found += [clean(note.text) for note in best.notes]
    if top is not None:
        found.append(f"not excluded from the first {top.k}{sure}: {who(top.may_be)}")
        found.append(f"surely among the first {top.k}{sure}: {who(top.surely) if top.surely else 'nobody'}")
    return found


def chances(board: Board, named: dict[str, str]) -> Grid:
    """Build the table of ranks in resamples.

    Parameters
    ----------
    board : Board
        With `chances`.
    named : dict
        Names to show for entries.
    """
    found = board.chances or ()
    places = range(min(SHOWN, len(found)))
    draws = "" if board.methods.draws is None else f"{board.methods.draws:,} "
    columns = (
        Column("entry", "Entry", right=False),
        Column("expected_rank", "Mean rank"),
        *(Column(f"rank_{place + 1}", f"Rank {place + 1} %", priority=place) for place in places),
    )
    return Grid(
        columns,
        tuple(
            (
                named.get(line.entry, clean(line.entry)),
                f"{line.expected_rank:.1f}",
                *(_often(line, place) for place in places),
            )
            for line in found
        ),
        f"Ranks in {draws}resamples of the items: no p-values and no rank intervals",
    )


def _often(line: Chance, place: int) -> str:
    share = 100 * line.ranks[place]
    if 0 < share < 0.1:
        return "<0.1"
    return ">99.9" if 99.9 < share < 100 else f"{share:.1f}"


def grids(board: Board, how: Scale, named: dict[str, str]) -> Iterator[Grid]:
    """Give the tables that were asked for, in order.

    Parameters
    ----------
    board : Board
    how : Scale
        How the board's scores are written.
    named : dict
        Names to show for entries.
    """

    def name(entry: str | None) -> str:
        return "all entries, mean" if entry is None else named.get(entry, clean(entry))

    if board.both_errors is not None:
        values = {score.entry: score.value for score in board.entries}
        yield _both(board.both_errors, values, how, name)
    if board.denominators is not None:
        yield _denominators(board.denominators, how, name)
    if board.judged is not None:
        yield rows_judge.scores(board.judged, how, name)
    if board.cost is not None:
        yield rows_costs.grid(board.cost, how, name)
    if board.across is not None:
        yield rows_across.grid(board.across, how, name)
    if board.variance is not None:
        yield _reliability(board.variance)
        yield _components(board.variance, name)


def doubts(board: Board) -> list[str]:
    """What the tables leave open."""
    found = [] if board.variance is None else [note.text for note in board.variance.notes]
    for error in board.both_errors or ():
        found += [note.text for note in error.reruns.notes]
    for line in board.denominators or ():
        found += [note.text for note in line.notes]
    return list(dict.fromkeys(clean(text) for text in found))


def _both(
    errors: tuple[BothErrors, ...], values: dict[str, float | None], how: Scale, name: Callable[[str], str]
) -> Grid:
    columns = (
        Column("entry", "Entry", right=False),
        Column("value", f"Score {how.unit}".rstrip()),
        Column("se_items", "SE, comparable items", priority=1),
        Column("interval_items", ITEMS),
        Column("se_reruns", "SE, rerun", priority=1),
        Column("interval_reruns", RERUNS),
    )
    rows = tuple(
        (
            name(error.entry),
            how.value(values.get(error.entry)),
            how.size(error.items.se),
            how.interval(error.items.interval),
            how.size(error.reruns.se),
            how.interval(error.reruns.interval),
        )
        for error in errors
    )
    return Grid(columns, rows, BOTH)


def _denominators(lines: tuple[Denominators, ...], how: Scale, name: Callable[[str], str]) -> Grid:
    columns = (
        Column("entry", "Entry", right=False),
        Column("attempts", "Attempts", priority=2),
        Column("failed", "Failed"),
        Column("zero", "As zeros"),
        Column("drop", "Left out"),
        Column("all_wrong", "All wrong", priority=1),
        Column("all_right", "All right", priority=1),
    )
    rows = tuple(
        (
            name(line.entry),
            numbers.count(line.attempts),
            numbers.count(line.failed),
            *(how.value(value) for value in (line.zero, line.drop, line.all_wrong, line.all_right)),
        )
        for line in lines
    )
    return Grid(columns, rows, f"Score {how.unit}".rstrip() + " by what becomes of failed attempts")


def _reliability(found: Variance) -> Grid:
    rows = (
        ("Reliability of the scores, over comparable items", coefficient(found.reliability_items)),
        (
            "Reliability of the scores, over reruns of these items",
            coefficient(found.reliability_reruns),
        ),
        ("Neighbours on the board that are separated", f"{found.neighbours_separated} of {found.neighbours}"),
    )
    columns = (Column("what", "", right=False), Column("value", ""))
    return Grid(columns, rows, f"Can these items rank these entries? {clean(found.summary)}")


def _components(found: Variance, name: Callable[[str | None], str]) -> Grid:
    fields: list[tuple[Column, Callable[[Components], str]]] = [
        (Column("entry", "Entry", right=False), lambda c: name(c.entry)),
        (Column("total", "Between values", priority=3), lambda c: _size(c.total)),
        (Column("items", "Between items"), lambda c: _size(c.items)),
        (Column("reruns", "Under reruns"), lambda c: _size(c.reruns)),
        (Column("share_items", "Items' share"), lambda c: coefficient(c.share_items)),
        (Column("icc", "ICC of samples", priority=2), lambda c: coefficient(c.icc)),
        (Column("clusters", "Between clusters", priority=1), lambda c: _size(c.clusters)),
        (Column("cluster_icc", "ICC of clusters", priority=2), lambda c: coefficient(c.cluster_icc)),
        (
            Column("design_effect", "Design effect", priority=1),
            lambda c: coefficient(c.design_effect),
        ),
        (Column("effective_items", "Effective items"), lambda c: _count(c.effective_items)),
    ]
    lines = (found.board, *found.entries)
    kept = [(column, word) for column, word in fields if any(word(line) != DASH for line in lines)]
    rows = tuple(tuple(word(line) for _, word in kept) for line in lines)
    return Grid(tuple(column for column, _ in kept), rows, "Where the variance of item values comes from")


def _size(value: float | None) -> str:
    return DASH if value is None else f"{value:.4f}".replace("-", numbers.MINUS)


def _count(value: float | None) -> str:
    return DASH if value is None else f"{value:,.0f}"
