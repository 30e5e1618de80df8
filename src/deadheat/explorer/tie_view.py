"""The view *Tie?*: two scores on as many items, by themselves and item by item."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.explorer.query import Query
from deadheat.report.numbers import p_phrase
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import PValues
from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.paired.paired_intervals import tango
from deadheat.stats.paired.unpaired import newcombe_unpaired, two_proportions
from deadheat.stats.power.power_paired import items_to_run, paired_effect, paired_effect_exact, paired_items
from deadheat.stats.power.power_unpaired import unpaired_effect, unpaired_items
from deadheat.stats.score.binomial import wilson

POWER, ALPHA = 0.8, 0.05
MOST_SUMMED = 20_000  # discordant items up to which powers are exact sums
STEPS = 41


def tie(query: Query) -> dict[str, Any]:
    """Compare two scores.

    Parameters
    ----------
    query : Query
        ``a`` and ``b`` (items right), ``n`` (items), and ``agree``: 0 where the two are right on items as if
        they had nothing in common, 1 where they agree as often as their scores allow.
    """
    n = query.whole("n", 500, 1, 1_000_000)
    a, b = query.whole("a", 341, 0, 1_000_000), query.whole("b", 339, 0, 1_000_000)
    agree = query.real("agree", 0.5, 0, 1)
    query.done()
    if max(a, b) > n:
        raise MethodError(f"{max(a, b):,} items right of {n:,} were given; at most all of them can be right")
    both = int(_both(a, b, n, np.array([agree]))[0])
    a_only, b_only, neither = a - both, b - both, n - a - b + both
    gap, pooled, apart = (a - b) / n, (a + b) / (2 * n), (a_only + b_only) / n
    own = {side: _ends(wilson(k, n)) for side, k in (("a", a), ("b", b))}
    unpaired = _side(two_proportions(a, n, b, n), newcombe_unpaired(a, n, b, n))
    paired = _side(mcnemar_exact(a_only, b_only), tango(both, a_only, b_only, neither))
    unpaired["z"] = gap / math.sqrt(2 * pooled * (1 - pooled) / n) if 0 < pooled < 1 else None
    unpaired |= _needs(_effect(pooled, n), float(unpaired_items(a / n, b / n, POWER, ALPHA)) if gap else None)
    paired |= _paired_needs(gap, apart, n)
    cells = {"both": both, "a_only": a_only, "b_only": b_only, "neither": neither}
    verdict = _verdict(a, b, n, unpaired, paired)
    reasons = _reasons(a, b, n, cells, unpaired, paired, own)
    return {
        "a": {"right": a, "rate": a / n, **own["a"]},
        "b": {"right": b, "rate": b / n, **own["b"]},
        "n": n,
        "difference": gap,
        "cells": cells,
        "unpaired": unpaired,
        "paired": paired,
        "along": _along(a, b, n),
        "verdict": verdict,
        "reasons": reasons,
        "summary": " ".join([verdict, *reasons]),
    }


def _both(a: int, b: int, n: int, agree: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    """Items that both get right: from what chance alone gives up to the lower score."""
    alone, most = a * b / n, min(a, b)
    return np.clip(np.rint(alone + agree * (most - alone)), max(0, a + b - n), most).astype(np.int64)


def _along(a: int, b: int, n: int) -> dict[str, list[Any]]:
    """The paired answer at each degree of agreement."""
    agree = np.linspace(0, 1, STEPS)
    both = _both(a, b, n, agree)
    found = tango(both, a - both, b - both, n - a - b + both)
    return {
        "agree": agree.tolist(),
        "low": found.low.tolist(),
        "high": found.high.tolist(),
        "p": mcnemar_exact(a - both, b - both).p.tolist(),
    }


def _paired_needs(gap: float, apart: float, n: int) -> dict[str, Any]:
    """What shared items show, of the exact test where its power is summed, or by Connor's formula."""
    formula = float(paired_items(abs(gap), apart, POWER, ALPHA)) if gap else 0.0
    if apart * max(n, formula) > MOST_SUMMED:
        effect = float(paired_effect(apart, n, POWER, ALPHA))
        return _needs(effect, formula if gap else None) | {"power_by": "Connor's formula"}
    effect = float(paired_effect_exact(apart, n, POWER, ALPHA))
    items = float(items_to_run(abs(gap), apart, POWER, ALPHA)) if gap else None
    return _needs(effect, items) | {"power_by": "exact McNemar test"}


def _effect(pooled: float, n: int) -> float:
    return unpaired_effect(pooled, n, POWER, ALPHA) if 0 < pooled < 1 else math.nan


def _ends(bounds: Bounds) -> dict[str, float]:
    return {"low": float(bounds.low), "high": float(bounds.high)}


def _side(p: PValues, bounds: Bounds) -> dict[str, Any]:
    return {"p": float(p.p), "p_says": p_phrase(float(p.p), float(p.log10_p), ALPHA), **_ends(bounds)}


def _needs(effect: float, items: float | None) -> dict[str, Any]:
    """Smallest difference that is detected with the power, and items for the difference at hand."""
    whole = None if items is None or not math.isfinite(items) else max(math.ceil(items - 1e-9), 1)
    return {"smallest": None if math.isnan(effect) else effect, "items": whole}


def _verdict(a: int, b: int, n: int, unpaired: dict[str, Any], paired: dict[str, Any]) -> str:
    """What a reader should take along."""
    gap, high, low = _points(abs(a - b) / n), *(f"{100 * k / n:.1f} %" for k in (max(a, b), min(a, b)))
    if a == b:
        return f"Both score {high}: there is no difference to test."
    told = [
        name for name, of in (("item by item", paired), ("as separate runs", unpaired)) if of["p"] < ALPHA
    ]
    if told:
        return f"{high} and {low} on {n:,} items are separated {' and '.join(told)}."
    return (
        f"{high} and {low} are not separated by {n:,} items: a difference of {gap} is within what random "
        "variation gives."
    )


def _reasons(
    a: int, b: int, n: int, cells: dict[str, int], unpaired: dict[str, Any], paired: dict[str, Any], own: Any
) -> list[str]:
    """Why, from each side."""
    apart = cells["a_only"] + cells["b_only"]
    ends = [f"{100 * own[side]['low']:.1f} % to {100 * own[side]['high']:.1f} %" for side in ("a", "b")]
    if apart:
        tosses = (
            f"If they agree as much as assumed here, one alone is right on {apart:,} of the shared items: A "
            f"on {cells['a_only']:,} and B on {cells['b_only']:,}. Fair coin tosses are split at least as "
            f"unevenly with {paired['p_says']} (exact McNemar test)."
        )
    else:
        tosses = "On the same items the two are right and wrong together: no item separates them."
    reasons = [
        f"The interval of the difference, {_span(paired)}, contains zero: either may be the better one."
        if paired["low"] <= 0 <= paired["high"]
        else f"The interval of the difference, {_span(paired)}, excludes zero.",
        tosses,
        f"95 % Wilson intervals: A {ends[0]}, B {ends[1]}; their overlap does not decide the comparison.",
        f"If each had run on its own items: {unpaired['p_says']} (two-proportion z test).",
    ]
    return reasons + [
        text for text in (_seen(n, unpaired, paired), _needed(a, b, n, unpaired, paired)) if text
    ]


def _span(side: dict[str, Any]) -> str:
    return f"{100 * side['low']:+.1f} to {100 * side['high']:+.1f} points".replace("-", "\N{MINUS SIGN}")


def _seen(n: int, unpaired: dict[str, Any], paired: dict[str, Any]) -> str:
    """The smallest difference that this many items show."""
    if paired["smallest"] is None or unpaired["smallest"] is None:
        return ""
    return (
        f"{n:,} shared items detect a difference of {_points(paired['smallest'])} with 80 % power "
        f"({paired['power_by']}), separate ones a difference of {_points(unpaired['smallest'])} (Fleiss' "
        "formula)."
    )


def _needed(a: int, b: int, n: int, unpaired: dict[str, Any], paired: dict[str, Any]) -> str:
    """Items for the difference at hand."""
    if a == b:
        return "Two equal scores have no difference that more items could show."
    if paired["items"] is None or unpaired["items"] is None:
        return ""
    return (
        f"A true difference of {_points(abs(a - b) / n)} needs {paired['items']:,} shared items for 80 % "
        f"power ({paired['power_by']}), or {unpaired['items']:,} items for each (Fleiss' formula)."
    )


def _points(gap: float) -> str:
    text = f"{100 * gap:.1f}" if gap >= 0.0005 else f"{100 * gap:.2g}"
    return f"{text} {'point' if text == '1.0' else 'points'}"
