"""Items to give to entries that will each lack some of them, so that enough are common."""

from __future__ import annotations

from typing import Any

from deadheat.errors import MethodError
from deadheat.planning.plan_design import Design
from deadheat.results import Note, claims

SURE = 0.95


def with_missing(
    design: Design, common: int, missing: float
) -> tuple[dict[str, Any], claims.CommonItems, Note]:
    """Turn a number of common items into the number that each entry is given.

    Parameters
    ----------
    design : Design
    common : int
        Items that the comparison needs of both entries.
    missing : float
        Share of its items that each entry will lack, at random.

    Returns
    -------
    (answer, claim, note)
        ``items_common`` and ``items_each``: the least number of items of which, with 95 % probability, both
        entries have at least the common ones, by the binomial distribution.

    Raises
    ------
    MethodError
        Entries on items of their own, or a share outside [0, 1).
    """
    if not design.paired:
        raise MethodError(
            "--missing asks for common items; found entries on items of their own: give --discordance, "
            "--correlation or --sd-difference"
        )
    if not 0 <= missing < 1:
        raise MethodError(f"--missing is a share of the items, from 0 to below 1; found {missing:g}")
    each = _given(common, (1 - missing) ** 2)
    claimed = claims.CommonItems(common=common, each=each, missing=missing, power=SURE)
    text = (
        "items left out because of how an entry would score on them bias a comparison, however many there are"
    )
    return {"items_common": common, "items_each": each}, claimed, Note(code="missing-at-random", text=text)


def _given(common: int, chance: float) -> int:
    """Least n for which at least `common` of n independent items are common with the probability `SURE`."""
    from scipy.special import betainc

    def held(items: int) -> float:
        return float(betainc(common, items - common + 1, chance))  # the binomial tail from `common` on

    low, high = common - 1, common
    while held(high) < SURE:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if held(middle) >= SURE else (middle, high)
    return high
