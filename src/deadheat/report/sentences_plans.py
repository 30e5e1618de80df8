"""Sentences on plans, and on where a board's variance comes from."""

from __future__ import annotations

from deadheat.report.numbers import amount, level, percent
from deadheat.report.voice import Voice, sentence
from deadheat.results import claims

BY_TEST = {
    "Connor's unconditional normal": ("exact McNemar test", "Connor's formula"),
    "Fleiss' normal, no continuity correction": ("two-proportion z test, exact power", "Fleiss' formula"),
    "Nam's normal": ("Tango's score test, exact power", "Nam's formula"),
    "normal approximation with the true variance": ("", "normal formula"),
    "noncentral t distribution": ("", "t test"),
}
"""What a number is computed with: the test, where its power is summed exactly, and the formula."""
SUMMED = {formula for formula, (test, _) in BY_TEST.items() if test}
FEW = ("no", "one", "two", "three", "four", "five")


def _items(number: int, samples: int) -> str:
    """Write a number of items with their samples: ``395 items with 5 samples each``."""
    return f"{number:,} item{'s' * (number != 1)}" + f" with {samples:,} samples each" * (samples > 1)


@sentence.register
def _half_width(claim: claims.HalfWidth, voice: Voice) -> str:
    width = amount(claim.half_width, rates=claim.rates)
    where = f"at a rate of {percent(claim.rate)}" if claim.rate is not None else ""
    if claim.sd is not None:
        spread = amount(claim.sd, rates=claim.rates)
        where = f"with a standard deviation of {spread}"
    number = _items(claim.items, claim.samples)
    give = "gives" if claim.items == 1 else "give"
    return f"{number} {give} an interval of ± {width} at {level(claim.level)} {where}."


@sentence.register
def _shows(claim: claims.Shows, voice: Voice) -> str:

    def gap(value: float, *, up: bool = False) -> str:
        return amount(value, rates=claim.rates, up=up)

    sized = claim.asked == "difference"
    shown = f"a difference of {gap(abs(claim.difference), up=sized)}"
    if claim.goal != "difference":
        shown = (
            f"{claim.goal} within {gap(claim.margin or 0.0)} at a true difference of {gap(claim.difference)}"
        )
    stated = {
        "items": f"{claim.items:,}",
        "power": percent(claim.power),
        "difference": gap(claim.difference, up=True),
    }
    other = None
    if claim.by_formula is not None:
        write = {"items": lambda x: f"{x:,.0f}", "power": percent, "difference": gap}[claim.asked]
        other = write(claim.by_formula)
    test, formula = BY_TEST[claim.formula]
    if not claim.exact:
        how = f"by {formula}" if claim.formula in SUMMED else formula
    else:
        how = test if other in (None, stated[claim.asked]) else f"{test}; {formula}: {other}"
    number = _items(claim.items, claim.samples) + " for each entry" * (not claim.paired)
    verb = "shows" if claim.items == 1 else "show"
    return f"{number} {verb} {shown} with {percent(claim.power)} power ({how})."


@sentence.register
def _stops_after(claim: claims.StopsAfter, voice: Voice) -> str:
    late = "" if claim.most is None else f", and by {claim.most:,} items in {100 * claim.share:g} % of cases"
    return f"Looked at after every item it stops after {claim.mean:,.0f} items on average{late}."


@sentence.register
def _common_items(claim: claims.CommonItems, voice: Voice) -> str:
    return (
        f"All of them have to be common to both entries: if each lacks {percent(claim.missing)} of its items "
        f"at random, {claim.each:,} items leave {claim.common:,} common ones with {percent(claim.power)} "
        "probability."
    )


@sentence.register
def _true_order(claim: claims.TrueOrder, voice: Voice) -> str:
    return (
        f"On {claim.items:,} items these {claim.entries} entries come out in their true order with "
        f"probability {percent(claim.order)}, and the best of them alone on top with probability "
        f"{percent(claim.best)}."
    )


@sentence.register
def _true_order_items(claim: claims.TrueOrderItems, voice: Voice) -> str:
    return (
        f"{claim.order:,} items bring these {claim.entries} entries into their true order with probability "
        f"{percent(claim.probability)}; {claim.best:,} bring the best of them alone on top."
    )


@sentence.register
def _best_split(claim: claims.BestSplit, voice: Voice) -> str:
    size = amount(claim.difference, rates=claim.rates)
    split = _items(claim.items, claim.samples)
    if claim.samples == 1:
        split += " with one sample each"
    chance = percent(claim.power)
    if claim.budget is not None:
        return f"{split} make the most of the budget: {chance} power to show a difference of {size}."
    shown = f"{split} show a difference of {size} with {chance} power for {claim.cost:,.6g}"
    if claim.samples == 1:
        return f"{shown}; more samples per item cost more."
    return (
        f"{shown}; one sample each takes {claim.items_one_sample:,} items and {claim.cost_one_sample:,.6g}."
    )


@sentence.register
def _top_spread(claim: claims.TopSpread, voice: Voice) -> str:
    moves = []
    if claim.se_items is not None:
        moves.append(f"the standard error of a score is {voice.gap(claim.se_items)} over new items")
    if claim.se_reruns is not None:
        moves.append(f"{voice.gap(claim.se_reruns)} over reruns of the same items")
    parts = [f"The first {FEW[claim.entries]} entries are within {voice.gap(claim.spread)}"]
    parts += [" and ".join(moves)] if moves else []
    parts.append(
        {
            None: "the first and the last of them have no p-value",
            True: "the first of them is separated from the last",
            False: "the first of them is not separated from the last",
        }[claim.separated]
    )
    return f"{'; '.join(parts)}."


@sentence.register
def _neighbours_separated(claim: claims.NeighboursSeparated, voice: Voice) -> str:
    return f"Of {claim.pairs:,} pairs of neighbours on the board {claim.separated:,} are separated."
