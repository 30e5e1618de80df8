"""What a comparison could have shown: against the planning formulas and numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.stats.paired.visible import (
    correlation,
    items_for_mean,
    items_for_rates,
    visible_mean,
    visible_rates,
)
from deadheat.stats.power.power_paired import paired_effect, paired_items, paired_power_exact
from support import NEEDS_SHARED, shared_json


@given(st.integers(20, 5000), st.floats(0.02, 0.9))
def test_visible_rates_inverts_the_planning_formula(n, share):
    discordant = round(n * share)
    if discordant == 0:
        return
    want = paired_effect(discordant / n, n)
    assert visible_rates(n, discordant) == pytest.approx(want, abs=1e-9, nan_ok=True)


@NEEDS_SHARED
def test_public_case():
    case = next(c for c in shared_json("cases/cases-open.json")["cases"] if c["input"]["op"] == "mde_paired")
    given_ = case["input"]
    found = visible_rates(given_["n"], given_["n"] * given_["discordance"])
    assert found == pytest.approx(case["expected"]["mde"], abs=1e-6)


def test_power_at_the_visible_difference():
    found = float(visible_rates(500, 60))
    assert paired_power_exact(found, 0.12, 500, test="mid-p") == pytest.approx(0.8, abs=0.015)


def test_items_for_rates():
    assert items_for_rates(500, 29, 24) == np.ceil(paired_items(0.01, 0.106))
    assert np.isnan(items_for_rates(500, 7, 7))
    assert np.isnan(items_for_rates(0, 0, 0))
    assert items_for_rates(40, 0, 8) == items_for_rates(40, 8, 0)


def test_means():
    assert visible_mean(0.01, 1e9) == pytest.approx(0.028015852, abs=1e-8)
    assert np.isnan(visible_mean(0.0, 10))
    visible = visible_mean(0.01, 49)
    assert items_for_mean(50, visible, 0.01, 49) == 50
    assert items_for_mean(50, -visible / 2, 0.01, 49) == 200
    assert np.isnan(items_for_mean(50, 0.0, 0.01, 49))


def test_correlation():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(3, 50))
    b = a + rng.normal(size=(3, 50))
    both = rng.random((3, 50)) < 0.8
    want = [np.corrcoef(x[m], y[m])[0, 1] for x, y, m in zip(a, b, both, strict=True)]
    assert correlation(a, b, both) == pytest.approx(want)
    weights = rng.integers(1, 4, 50)
    repeated = [
        np.corrcoef(np.repeat(x, weights), np.repeat(y, weights))[0, 1] for x, y in zip(a, b, strict=True)
    ]
    assert correlation(a, b, np.ones_like(both), weights.astype(float)) == pytest.approx(repeated)
    assert np.isnan(correlation(np.ones((1, 5)), a[:1, :5], np.ones((1, 5), bool)))
