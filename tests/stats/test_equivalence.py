"""Margins: against the public case, Tango's interval, and the size of the tests by enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.paired.equivalence import VERDICTS, Margin, decide, score_margin, t_margin, wald_margin
from deadheat.stats.paired.paired_intervals import tango
from support import NEEDS_SHARED, shared_json

small = st.integers(0, 60)


@NEEDS_SHARED
def test_public_case():
    case = next(c for c in shared_json("cases/cases-open.json")["cases"] if c["input"]["op"] == "equivalence")
    given_, want = case["input"], case["expected"]
    found = wald_margin(given_["n"], given_["c"], given_["b"], given_["margin"])
    assert found.p_equivalent == pytest.approx(want["p_tost"], abs=1e-9)
    assert (VERDICTS[int(decide(found))] == "equivalent") == want["equivalent_at_0.05"]
    assert (
        VERDICTS[int(decide(score_margin(given_["n"], given_["c"], given_["b"], given_["margin"])))]
        == "equivalent"
    )


@given(small, small, st.integers(1, 200), st.sampled_from([0.01, 0.05, 0.2]))
def test_agrees_with_tangos_interval(b, c, rest, margin):
    low, high = tango(0, b, c, rest, level=0.9)
    found = score_margin(b + c + rest, b, c, margin)
    want = "inconclusive"
    if high < -margin:
        want = "inferior"
    elif low > -margin:
        want = "equivalent" if high < margin else "non-inferior"
    if min(abs(low + margin), abs(high - margin), abs(high + margin)) > 1e-9:
        assert VERDICTS[int(decide(found))] == want


@given(small, small, st.integers(1, 200))
def test_swap(b, c, rest):
    a, swapped = (score_margin(b + c + rest, *pair, 0.05) for pair in ((b, c), (c, b)))
    assert a.p_below == pytest.approx(swapped.p_above, abs=1e-12)
    assert a.p_equivalent == pytest.approx(swapped.p_equivalent, abs=1e-12)


def test_t_equals_scipy():
    x = np.random.default_rng(0).normal(0.02, 0.1, 30)
    found = t_margin(x.mean(), x.std(ddof=1) / np.sqrt(30), 29, 0.05)
    assert found.p_below == pytest.approx(stats.ttest_1samp(x, -0.05, alternative="greater").pvalue)
    assert found.p_above == pytest.approx(stats.ttest_1samp(x, 0.05, alternative="less").pvalue)
    assert found.p_inferior == pytest.approx(stats.ttest_1samp(x, -0.05, alternative="less").pvalue)


def test_undefined_is_withheld():
    found = t_margin([0.0, 0.1], [0.0, np.nan], [9, 9], 0.05)
    assert (decide(found) == -1).all()
    assert decide(score_margin(0, 0, 0, 0.05)) == -1
    assert decide(wald_margin(10, 0, 0, 0.05)) == -1


@pytest.mark.parametrize("method", [score_margin, wald_margin])
def test_a_margin_is_positive(method):
    with pytest.raises(MethodError, match="above 0"):
        method(10, 1, 1, 0.0)


def test_no_discordant_item_is_no_proof_of_equivalence_when_items_are_few():
    assert VERDICTS[int(decide(score_margin(20, 0, 0, 0.05)))] == "inconclusive"
    assert VERDICTS[int(decide(score_margin(200, 0, 0, 0.05)))] == "equivalent"


def test_size_by_enumeration():
    """True difference at the margin: non-inferiority is claimed in about 5 % of all tables of 60 items."""
    n, margin = 60, 0.1
    b, c = np.array([(b, c) for b, c in product(range(n + 1), repeat=2) if b + c <= n]).T
    p = [0.1, 0.2]  # a - b = -margin
    weight = stats.multinomial.pmf(np.stack([b, c, n - b - c], axis=1), n, [*p, 1 - sum(p)])
    claimed = np.isin(decide(score_margin(n, b, c, margin)), (2, 3))
    assert 0.03 < weight[claimed].sum() < 0.06


def test_a_p_value_of_alpha_itself_decides_nothing():
    """As everywhere, a claim needs p < alpha; an undefined comparison is neither."""
    small, edge, large = 0.001, 0.05, 0.9
    found = [
        Margin(*map(np.array, pair))
        for pair in (
            (edge, large, large),
            (small, edge, large),
            (large, small, edge),
            (large, small, small),
            (small, large, large),
            (small, small, large),
            (np.nan, np.nan, np.nan),
        )
    ]
    words = ["inconclusive", "non-inferior", "inconclusive", "inferior", "non-inferior", "equivalent"]
    assert [VERDICTS[int(decide(margin))] for margin in found[:-1]] == words
    assert int(decide(found[-1])) == -1
