"""The view *Tie?*: two scores on as many items, by themselves and item by item."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.explorer.query import Query
from deadheat.report.numbers import Scale, p_phrase
from deadheat.stats.binomial import wilson
from deadheat.stats.bounds import Bounds
from deadheat.stats.mcnemar import mcnemar_exact
from deadheat.stats.paired_intervals import tango
from deadheat.stats.power_paired import paired_effect, paired_items
from deadheat.stats.power_unpaired import unpaired_effect, unpaired_items
from deadheat.stats.pvalues import PValues
from deadheat.stats.unpaired import newcombe_unpaired, two_proportions

POWER, ALPHA = 0.8, 0.05
STEPS = 41
POINTS = Scale(True, 1)


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
    unpaired |= _needs(_effect(pooled, n), float(unpaired_items(a / n, b / n, POWER, ALPHA)) if gap else None)
    paired |= _needs(
        float(paired_effect(apart, n, POWER, ALPHA)),
        float(paired_items(abs(gap), apart, POWER, ALPHA)) if gap else None,
    )
    return {
        "a": {"right": a, "rate": a / n, **own["a"]},
        "b": {"right": b, "rate": b / n, **own["b"]},
        "n": n,
        "difference": gap,
        "cells": {"both": both, "a_only": a_only, "b_only": b_only, "neither": neither},
        "unpaired": unpaired,
        "paired": paired,
        "along": _along(a, b, n),
        "summary": _says(a, b, n, a_only + b_only, unpaired, paired, own),
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


def _effect(pooled: float, n: int) -> float:
    return unpaired_effect(pooled, n, POWER, ALPHA) if 0 < pooled < 1 else math.nan


def _ends(bounds: Bounds) -> dict[str, float]:
    return {"low": float(bounds.low), "high": float(bounds.high)}


def _side(p: PValues, bounds: Bounds) -> dict[str, Any]:
    return {"p": float(p.p), "p_says": p_phrase(float(p.p), float(p.log10_p), ALPHA), **_ends(bounds)}


def _needs(effect: float, items: float | None) -> dict[str, Any]:
    """Smallest difference that is seen with the power, and items for the difference at hand; None: none."""
    whole = None if items is None or not math.isfinite(items) else max(math.ceil(items - 1e-9), 1)
    return {"smallest": None if math.isnan(effect) else effect, "items": whole}


def _says(
    a: int, b: int, n: int, apart: int, unpaired: dict[str, Any], paired: dict[str, Any], own: dict[str, Any]
) -> str:
    def ends(of: dict[str, float]) -> str:
        return f"{100 * of['low']:.1f} % to {100 * of['high']:.1f} %"

    told = [
        name for name, of in (("item by item", paired), ("as separate runs", unpaired)) if of["p"] < ALPHA
    ]
    verdict = f"They are told apart {' and '.join(told)}" if told else "They are not told apart"
    parts = [
        f"{a:,} and {b:,} of {n:,} items: {100 * a / n:.1f} % and {100 * b / n:.1f} %. {verdict}.",
        f"By itself, each speaks of a rate from {ends(own['a'])}, and from {ends(own['b'])} (Wilson, 95 %).",
        f"As runs on separate items: {unpaired['p_says']} (two proportions){_reach(unpaired)}.",
        f"On the same items, of which {apart:,} tell the two apart: {paired['p_says']} (exact McNemar)"
        f"{_reach(paired)}.",
    ]
    if a == b:
        parts.append("Two equal scores have no difference that more items could show.")
    return " ".join(parts)


def _reach(of: dict[str, Any]) -> str:
    """Say what is seen with 80 % power, and what the difference at hand would take."""
    seen = "" if of["smallest"] is None else f"; 80 % power begins at {100 * of['smallest']:.1f} points"
    return seen + ("" if of["items"] is None else f", this difference would take {of['items']:,} items")
