"""What a board would cost to compute, so that no request keeps the explorer busy for long."""

from __future__ import annotations

from deadheat.errors import MethodError

LONGEST = 8.0  # processor seconds
# Seconds per item of a pair, and per pair of a board; measured at 300 entries and 1,000 items.
PER_CELL = {"bootstrap": 6.3e-7, "betting": 5.0e-7, "sign-flip": 5.4e-8}
PER_PAIR, PER_PAIR_MAX_T = 9e-6, 4e-5


def affordable(entries: int, items: int, boards: int, test: str | None, adjust: str) -> None:
    """Refuse a board that takes long.

    Parameters
    ----------
    entries, items : int
    boards : int
        The board and those of its categories.
    test : str or None
    adjust : str

    Raises
    ------
    MethodError
        Says how long it would take, and what takes any board.
    """
    pairs = entries * (entries - 1) / 2
    each = PER_PAIR_MAX_T if adjust == "max-t" else PER_PAIR
    # All items occur once more among the categories.
    seconds = pairs * items * PER_CELL.get(test or "", 0.0) * min(boards, 2) + pairs * boards * each
    if seconds > LONGEST:
        raise MethodError(
            f"{entries:,} entries, {items:,} items and {boards:,} boards would take some {seconds:,.0f} s; "
            f"the explorer answers what takes less than {LONGEST:.0f} s: ask for a closed-form test, or use "
            "`deadheat rank`"
        )
