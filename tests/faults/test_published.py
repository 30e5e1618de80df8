"""Published numbers: an answer at 0 and 100 %, bounds that can be reached, and no items said to be shared."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from deadheat import compare_published
from deadheat.report import render
from deadheat.stats.paired.two_rates import Rate, score_statistic
from faults.boards import patterns, texts

HUNDRED = {"10": 22, "11": 49, "01": 15, "00": 14}


def test_all_right_has_an_answer():
    pair = compare_published(patterns({"1": 200}), "A", 0.8, items=500).comparisons[0]
    assert pair.verdict == "a"
    assert pair.p == pytest.approx(8.706e-12, rel=1e-3)  # statsmodels, test_proportions_2indep, score
    assert (pair.interval.low, pair.interval.high) == pytest.approx((0.1673, 0.2373), abs=5e-4)
    assert "standard error of 0 by its formula" in texts(pair.notes)


def test_both_at_the_boundary():
    pair = compare_published(patterns({"1": 20}), "A", 1.0, items=50).comparisons[0]
    assert (pair.p, pair.verdict) == (1.0, "not separated")
    assert pair.interval.low < 0 < pair.interval.high


def test_bounds_can_be_reached_with_unequal_items():
    found = compare_published(patterns(HUNDRED), "A", 0.7, items=500)
    published = found.comparisons[0].published
    assert published.se_least == pytest.approx(0.0408, abs=5e-5)  # the 100 among the 500
    assert "Shared items" not in render(found, "table")
    assert "whatever they share" in texts(found.comparisons[0].notes)


def test_the_size_is_near_the_level():
    """Exact size of the test of two rates over all tables, 60 items of ours and 200 of theirs."""
    for rate in (0.5, 0.8, 0.95):
        size = 0.0
        theirs = stats.binom.pmf(np.arange(201), 200, rate)
        for k, chance in enumerate(stats.binom.pmf(np.arange(61), 60, rate)):
            if chance < 1e-9:
                continue
            for m in np.flatnonzero(theirs > 1e-9):
                if abs(score_statistic(Rate(k / 60, 60), Rate(m / 200, 200), 0.0)) > 1.959964:
                    size += chance * theirs[m]
        assert 0.035 < size < 0.065, (rate, size)
