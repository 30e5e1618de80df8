"""McNemar power: every table in fractions, published figures, formulas that invert each other."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.power import power_paired as paired

SHARED = Path(__file__).resolve().parents[3] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared reference figures are not here")
designs = st.tuples(st.floats(0.002, 0.6), st.floats(0.02, 1.0)).filter(lambda d: d[0] <= d[1])


def enumerated(p10: Fraction, p01: Fraction, n: int, alpha: Fraction) -> Fraction:
    """Multinomial probability of every (b, c) whose exact p, an exact fraction, is below alpha."""
    total = Fraction(0)
    for b in range(n + 1):
        for c in range(n + 1 - b):
            m, side = b + c, min(b, c)
            p = min(Fraction(1), Fraction(2 * sum(math.comb(m, i) for i in range(side + 1)), 2**m))
            if p < alpha:
                ways = math.comb(n, b) * math.comb(n - b, c)
                total += ways * p10**b * p01**c * (1 - p10 - p01) ** (n - m)
    return total


@pytest.mark.parametrize("n", [1, 5, 6, 9, 17, 30])
@pytest.mark.parametrize(("p10", "p01"), [("1/4", "1/10"), ("1/2", "0"), ("2/5", "3/5"), ("1/20", "1/20")])
@pytest.mark.parametrize("alpha", ["1/20", "1/3", "1/1000"])
def test_enumeration_of_every_table(n, p10, p01, alpha):
    p10, p01, alpha = Fraction(p10), Fraction(p01), Fraction(alpha)
    ours = paired.paired_power_exact(float(p10 - p01), float(p10 + p01), n, float(alpha))
    assert float(ours) == pytest.approx(float(enumerated(p10, p01, n, alpha)), abs=1e-12)


def test_a_p_equal_to_alpha_does_not_reject():
    """Five of five: p = 2/32 exactly, so that alpha = 1/16 is not passed and anything above is."""
    assert paired.paired_power_exact(1.0, 1.0, 5, 0.0625) == 0
    assert paired.paired_power_exact(1.0, 1.0, 5, 0.0626) == 1


def test_critical_sides_are_the_tests_own():
    m = np.arange(400)
    for alpha in (0.3, 0.05, 1e-9):
        sides = paired._sides(m, alpha, "mcnemar")
        assert np.all((sides < 0) | (mcnemar_exact(np.maximum(sides, 0), m - np.maximum(sides, 0)).p < alpha))
        beyond = np.minimum(sides + 1, m // 2)
        assert np.all((sides == m // 2) | (mcnemar_exact(beyond, m - beyond).p >= alpha))


@needs_shared
def test_published_figures():
    entries = json.loads((SHARED / "reference" / "figures.json").read_text())
    figures = {entry["id"]: entry for entry in (entries["figures"] if isinstance(entries, dict) else entries)}
    connor = figures["001.n_paired.626"]
    assert paired.paired_items(0.05, 0.2) == pytest.approx(connor["value"], abs=1e-8)
    miettinen = connor["alternatives"]["Miettinen psi=.20"]
    assert paired.paired_items_miettinen(0.05, 0.2) == pytest.approx(miettinen, abs=1e-8)
    power = figures["001.n_paired.power626"]
    values = {"mcnemar-chi2": power["value"], "mcnemar": power["exact"], "mid-p": power["midp"]}
    for test, value in values.items():
        assert paired.paired_power_exact(0.05, 0.2, 626, test=test) == pytest.approx(value, abs=1e-6)
    assert paired.paired_items_exact(0.05, 0.2) == figures["001.n_paired.exact_mcnemar"]["value"]


@needs_shared
def test_published_faults():
    cases = {
        case["id"]: case for case in json.loads((SHARED / "cases" / "cases-open.json").read_text())["cases"]
    }
    n, mde = cases["P03"]["expected"], cases["P06"]["expected"]["mde"]
    assert paired.paired_items(0.04, 0.14) == pytest.approx(n["raw"], rel=1e-9)
    exact = n["exact_mcnemar_power_at_n"]
    assert paired.paired_power_exact(0.04, 0.14, n["n_items"]) == pytest.approx(exact, abs=1e-6)
    assert paired.paired_effect(0.12, 500) == pytest.approx(mde, abs=1e-9)


@pytest.mark.parametrize(("difference", "discordant", "n"), [(0.02, 0.15, 2_000), (0.004, 0.2, 60_000)])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_scipy_over_every_discordant_count(difference, discordant, n, alpha):
    """stats.binom.pmf over all counts, sides by stats.binom.ppf of the exact p, tails by stats.binom.cdf."""
    m = np.arange(n + 1)
    side = stats.binom.ppf(alpha / 2, m, 0.5)
    side -= 2 * stats.binom.cdf(side, m, 0.5) >= alpha
    first = (1 + difference / discordant) / 2
    reject = stats.binom.cdf(side, m, first) + stats.binom.cdf(side, m, 1 - first)
    peer = (stats.binom.pmf(m, n, discordant) * reject).sum()
    assert paired.paired_power_exact(difference, discordant, n, alpha) == pytest.approx(peer, abs=1e-10)


@pytest.mark.parametrize(
    ("difference", "discordant", "power", "alpha", "test"),
    [
        (0.0621, 0.98, 0.51, 0.5, "mcnemar-chi2"),  # reached at 1 item, and missed again up to 40
        (0.2, 1.0, 0.85, 0.2, "mid-p"),
        (0.1, 0.99, 0.9999, 0.001, "mcnemar"),
        (0.03, 0.03, 0.3, 0.01, "mcnemar-cc"),
    ],
)
def test_items_are_those_from_which_no_later_size_falls_short(difference, discordant, power, alpha, test):
    n = paired.paired_items_exact(difference, discordant, power, alpha, test)
    values = paired.paired_power_exact(difference, discordant, np.arange(1, 4 * n + 100), alpha, test)
    assert n == np.flatnonzero(values < power)[-1] + 2


def test_exact_items_hold_from_there_on_and_not_one_before():
    for difference, discordant, power in (
        (0.05, 0.2, 0.8),
        (0.3, 1.0, 0.9),
        (0.1, 0.1, 0.5),
        (0.02, 0.03, 0.8),
    ):
        n = paired.paired_items_exact(difference, discordant, power)
        sizes = np.arange(n - 1, 2 * n + 50)
        values = paired.paired_power_exact(difference, discordant, sizes)
        assert values[0] < power
        assert np.all(values[1:] >= power)


@given(design=designs, power=st.floats(0.3, 0.99), alpha=st.sampled_from([0.001, 0.05, 0.2]))
def test_items_put_back_give_the_power(design, power, alpha):
    difference, discordant = design
    n = paired.paired_items(difference, discordant, power, alpha)
    if n == 0:  # discordance equal to the difference and little power asked: one item is one too many
        return
    back = paired.paired_power(difference, discordant, n, alpha)
    assert power - 1e-9 <= back <= power + alpha / 2  # the far side is left out of the closed form
    effect = paired.paired_effect(discordant, float(n) * (1 + 1e-12), power, alpha)
    assert effect == pytest.approx(difference, rel=1e-6)


@given(design=designs, n=st.integers(10, 3000))
def test_monotone_and_symmetric(design, n):
    difference, discordant = design
    exact = paired.paired_power_exact
    assert exact(difference, discordant, n) == pytest.approx(exact(-difference, discordant, n), abs=1e-12)
    larger = min(difference * 1.3, discordant)
    assert exact(larger, discordant, n) >= exact(difference, discordant, n) - 1e-10
    assert exact(difference, discordant, n, 0.1) >= exact(difference, discordant, n, 0.05) - 1e-12
    assert paired.paired_items(larger, discordant) <= paired.paired_items(difference, discordant)
    wider = min(discordant * 1.2, 1.0)
    assert paired.paired_items(difference, wider) >= paired.paired_items(difference, discordant) - 1e-9


def test_discordance_from_correlation():
    rng = np.random.default_rng(0)
    a, b = rng.random(4000) < 0.6, rng.random(4000) < 0.5
    b = np.where(rng.random(4000) < 0.5, a, b)
    phi = np.corrcoef(a, b)[0, 1]
    assert paired.discordance(a.mean(), b.mean(), phi) == pytest.approx((a != b).mean(), abs=1e-12)


def test_what_cannot_be_is_undefined():
    assert np.isnan(paired.paired_effect(0.001, 20))
    assert paired.paired_items(0.0, 0.2) == np.inf
    assert paired.paired_power_exact(0.0, 0.2, 500) < 0.05


@pytest.mark.parametrize(("difference", "discordant"), [(0.05, 0.2), (0.1, 0.3), (0.3, 0.31)])
def test_miettinen_by_hand(difference, discordant):
    spread = discordant - difference**2 * (3 + discordant) / (4 * discordant)
    z = stats.norm.ppf(0.975) * math.sqrt(discordant) + stats.norm.ppf(0.8) * math.sqrt(spread)
    assert paired.paired_items_miettinen(difference, discordant) == pytest.approx((z / difference) ** 2)
    assert paired.paired_items_miettinen(difference, discordant) < paired.paired_items(difference, discordant)


def test_no_sizes_no_powers():
    assert paired.paired_power_exact(0.1, 0.3, np.array([], dtype=np.int64)).shape == (0,)
