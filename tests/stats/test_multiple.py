"""Adjusted p-values against statsmodels, exact fractions and their own laws."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.multitest import multipletests

from deadheat.stats.multiple.adjustment import ADJUSTMENTS, best_of, bh, hochberg, holm, none, pairs
from deadheat.stats.paired.mcnemar import mcnemar_exact

PEER = {"holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh"}
probabilities = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0, float("nan")]))
families = arrays(np.float64, st.integers(0, 30), elements=probabilities)


def by_definition(name, p):
    """The textbook rule in exact fractions, one hypothesis at a time (quadratic, no sorting tricks)."""
    p = [Fraction(x) for x in p]
    ordered = sorted(p)
    m = len(p)
    if name == "bh":
        steps = [m * q / (i + 1) for i, q in enumerate(ordered)]
    else:
        steps = [(m - i) * q for i, q in enumerate(ordered)]
    down = name == "holm"
    out = []
    for x in p:
        at = [i for i, q in enumerate(ordered) if q == x]
        out.append(float(min(1, max(steps[: at[-1] + 1]) if down else min(steps[at[0] :]))))
    return out


def test_reference_figures():
    p = [0.01, 0.04, 0.03, 0.005]
    np.testing.assert_allclose(holm(p), [0.03, 0.06, 0.06, 0.02], rtol=1e-12)
    np.testing.assert_allclose(bh(p), [0.02, 0.04, 0.04, 0.02], rtol=1e-12)
    np.testing.assert_allclose(holm([0.01, 0.02, 0.022, 0.5]), [0.04, 0.06, 0.06, 0.5], rtol=1e-12)


def test_missing_comparison_is_not_counted():
    np.testing.assert_allclose(holm([0.01, np.nan, 0.04, 0.2]), [0.03, np.nan, 0.08, 0.2], rtol=1e-12)
    assert np.isnan(holm([np.nan, np.nan])).all()


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_no_comparison_at_all(name):
    assert ADJUSTMENTS[name]([]).shape == (0,)


@pytest.mark.parametrize("name", PEER)
def test_statsmodels_agrees(name):
    rng = np.random.default_rng(1)
    for size in (1, 2, 7, 200):
        p = rng.random(size) ** 3
        p[rng.random(size) < 0.3] = 0.02
        np.testing.assert_allclose(ADJUSTMENTS[name](p), multipletests(p, method=PEER[name])[1], rtol=1e-12)


@pytest.mark.parametrize("name", PEER)
@given(p=families)
def test_rule_laws(name, p):
    adjusted = ADJUSTMENTS[name](p)
    kept = ~np.isnan(p)
    assert (np.isnan(adjusted) == ~kept).all()
    np.testing.assert_allclose(adjusted[kept], by_definition(name, p[kept]), rtol=1e-12, atol=1e-300)
    assert (adjusted[kept] >= p[kept]).all()
    assert (adjusted[kept] <= 1).all()
    shuffled = np.random.default_rng(0).permutation(len(p))
    np.testing.assert_array_equal(ADJUSTMENTS[name](p[shuffled]), adjusted[shuffled])
    for value in np.unique(p[kept]):
        assert len(np.unique(adjusted[p == value])) == 1
    assert (bh(p)[kept] <= hochberg(p)[kept] + 1e-15).all()
    assert (hochberg(p)[kept] <= holm(p)[kept] + 1e-15).all()


@pytest.mark.parametrize("name", ADJUSTMENTS)
@given(p=families)
def test_logarithms_tell_the_same(name, p):
    positive = np.where(p > 0, p, 1e-9)
    positive[np.isnan(p)] = np.nan
    logs = ADJUSTMENTS[name](np.log10(positive), log10=True)
    np.testing.assert_allclose(10**logs, ADJUSTMENTS[name](positive), rtol=1e-9)


def test_underflow_keeps_its_order_in_logarithms():
    adjusted = holm([-700.0, -601.0, -2.0], log10=True)
    np.testing.assert_allclose(adjusted, [-700 + np.log10(3), -601 + np.log10(2), -2.0], rtol=1e-14)
    np.testing.assert_allclose(holm([0.0, 0.0, 0.01, 0.02]), [0.0, 0.0, 0.02, 0.02])


def test_none_is_a_copy():
    p = np.array([0.2, np.nan])
    q = none(p)
    q[0] = 0.5
    assert p[0] == 0.2


def test_all_pairs_are_one_family():
    p = np.array([[np.nan, 0.01, 0.04], [0.01, np.nan, np.nan], [0.04, np.nan, np.nan]])
    adjusted = pairs(p, holm)
    np.testing.assert_allclose(
        adjusted, [[np.nan, 0.02, 0.04], [0.02, np.nan, np.nan], [0.04, np.nan, np.nan]]
    )


def test_the_best_of_several():
    found = best_of(0.002, 12)
    assert found.sidak == pytest.approx(0.02373775210528495, rel=1e-12)
    assert found.bonferroni == pytest.approx(0.024, rel=1e-12)
    peer = multipletests([0.002] + [0.9] * 11, method="sidak")[1][0]
    assert found.sidak == pytest.approx(peer, rel=1e-12)
    assert best_of(1e-200, 1000).sidak == pytest.approx(1e-197, rel=1e-12)
    assert best_of([0.0, 1.0, 0.5], 1).sidak.tolist() == [0.0, 1.0, 0.5]
    assert best_of(0.5, 12).bonferroni == 1.0


@given(st.floats(0, 1), st.integers(1, 1000))
def test_sidak_is_between_p_and_bonferroni(p, number):
    found = best_of(p, number)
    assert p * (1 - 1e-12) <= found.sidak <= found.bonferroni * (1 + 1e-12) + 1e-300


def test_picking_the_best_of_equal_runs_holds_its_level():
    rng, number = np.random.default_rng(8), 5
    difficulty = rng.random((4000, 1, 120))
    runs = rng.random((4000, number + 1, 120)) < difficulty
    best = np.argmax(runs[:, :number].sum(axis=2), axis=1)
    picked, base = runs[np.arange(4000), best], runs[:, number]
    gained, lost = (picked & ~base).sum(axis=1), (~picked & base).sum(axis=1)
    p, ahead = mcnemar_exact(gained, lost).p, gained > lost
    assert (ahead & (p < 0.05)).mean() > 0.06  # where 2.5 % are meant: the pick is what inflates it
    assert (ahead & (best_of(p, number).bonferroni < 0.05)).mean() < 0.025
