"""Who may be the best or among the first, in lines; ranks in resamples, as a table."""

from __future__ import annotations

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results import Board, Chance

SHOWN = 5  # ranks with a column of their own


def lines(board: Board, how: Scale, named: dict[str, str]) -> list[str]:
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
        found.append(f"not excluded as the best{sure}: {who(best.may_be_best)}")
        if best.corrected is not None:
            found.append(
                "the top score was picked for being the highest of several; given that, its true value lies "
                f"within {how.interval(best.interval)} {how.unit}"
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
                *(_share(line, place) for place in places),
            )
            for line in found
        ),
        f"Ranks in {draws}resamples of the items: no p-values and no rank intervals",
    )


def _share(line: Chance, place: int) -> str:
    share = 100 * line.ranks[place]
    if 0 < share < 0.1:
        return "<0.1"
    return ">99.9" if 99.9 < share < 100 else f"{share:.1f}"
