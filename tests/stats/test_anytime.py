"""Always-valid evidence: reference values, confseq, every sequence of few units, exact chances of paths."""

import itertools
import json
from math import comb, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import MethodError
from deadheat.methods import TESTS, Shape, check
from deadheat.stats.anytime import betting, crossing, history, pair_wealth, stopping
from deadheat.stats.paired import catalogue
from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.paired.pairs import Pairs

CONFSEQ = json.loads((Path(__file__).parent / "confseq_reference.json").read_text())
PUBLISHED = [(24, 61, 357.17820665225616), (29, 24, 0.13814076384876242), (7, 0, 26.8125), (6, 0, 14.4375)]


@pytest.mark.parametrize(("b", "c", "e"), PUBLISHED)
def test_mixture_of_reference(b, c, e):
    assert np.exp(betting.log_e(b, c)) == pytest.approx(e, rel=1e-9)
    assert np.exp(betting.log_e(c, b)) == pytest.approx(e, rel=1e-9)


@pytest.mark.parametrize("case", CONFSEQ["mixture"]["values"], ids=lambda v: f"{v['b']}-{v['c']}")
def test_mixture_of_confseq(case):
    assert float(betting.log_e(case["b"], case["c"])) == pytest.approx(case["log_e"], abs=1e-9)


@pytest.mark.parametrize("case", CONFSEQ["betting"]["values"], ids=lambda v: str(v["difference"]))
def test_wealth_of_confseq(case):
    seen = betting.looks(CONFSEQ["betting"]["x"])
    assert betting.log_wealth(seen, case["difference"]) == pytest.approx(case["log_wealth"], abs=1e-9)


def test_interval_beside_the_hedged_one_of_confseq():
    rng = np.random.default_rng(5)
    data = [
        rng.choice([1.0, 0, -1], 500, p=[0.142, 0.834, 0.024]),
        rng.integers(0, 6, 300) / 5 - rng.integers(0, 5, 300) / 5,
    ]
    for x, total, (low, high) in zip(
        data, CONFSEQ["hedged"]["sums"], CONFSEQ["hedged"]["intervals"], strict=True
    ):
        assert x.sum() == pytest.approx(total)
        ours = betting.confidence_sequence(betting.looks(x, every=len(x)))
        assert ours.low == pytest.approx(low, abs=0.02)
        assert ours.high == pytest.approx(high, abs=0.02)
        assert ours.low < x.mean() < ours.high


@pytest.mark.parametrize("side", ["both", "above", "below"])
@pytest.mark.parametrize("share", [None, (1.0, 0.3, 0.7, 1.0, 0.1)])
def test_wealth_is_a_martingale_by_enumeration(side, share):
    """Over every sequence of five units the wealth is worth what was put in, at the true mean."""
    values, chance = np.array([-1, -0.25, 0, 1]), np.array([0.3, 0.2, 0.25, 0.25])
    total = 0.0
    for codes in itertools.product(range(4), repeat=5):
        seen = betting.looks(values[list(codes)], share, every=5)
        total += np.prod(chance[list(codes)]) * np.exp(
            betting.log_wealth(seen, float(values @ chance), side)[0]
        )
    assert total == pytest.approx(1, abs=1e-11)


def test_a_one_sided_bet_loses_on_the_other_side():
    values, chance = np.array([-1.0, 0, 1]), np.array([0.5, 0.2, 0.3])
    for side, shift in (("above", 0.1), ("below", -0.1)):
        total = 0.0
        for codes in itertools.product(range(3), repeat=5):
            seen = betting.looks(values[list(codes)], every=5)
            total += np.prod(chance[list(codes)]) * np.exp(
                betting.log_wealth(seen, float(values @ chance) + shift, side)[0]
            )
        assert total < 1 - 0.01


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_of_01_scores_the_wealth_is_the_mixture(x):
    x = np.array(x)
    seen = betting.looks(x)
    b, c = (x == 1).cumsum(), (x == -1).cumsum()
    assert betting.log_wealth(seen, 0.0) == pytest.approx(betting.log_e(b, c), abs=1e-10)
    above, below = (np.exp(betting.log_wealth(seen, 0.0, side)) for side in ("above", "below"))
    assert (above + below) / 2 == pytest.approx(np.exp(betting.log_e(b, c)), rel=1e-9)


@given(
    st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=2, max_size=40),
    st.sampled_from([0.01, 0.05, 0.2]),
)
@settings(max_examples=40, deadline=None)
def test_confidence_sequence(x, alpha):
    x = np.round(np.array(x), 6)
    seen, mirrored = betting.looks(x), betting.looks(-x)
    found, other = (betting.confidence_sequence(s, alpha) for s in (seen, mirrored))
    if np.isnan(found.low):  # drifted so far that no mean is left
        grid = [betting.log_wealth(seen, d).max() for d in np.linspace(-0.999, 0.999, 301)]
        assert min(grid) > -np.log(alpha) - 1e-6
        return
    assert (float(found.low), float(found.high)) == pytest.approx(
        (-float(other.high), -float(other.low)), abs=1e-6
    )
    for end, way in ((float(found.low), -1), (float(found.high), 1)):
        if abs(end) < 1 - 1e-6:
            inside, outside = (betting.log_wealth(seen, end - s * way * 1e-6).max() for s in (1, -1))
            assert inside < -np.log(alpha) + 1e-6 < outside + 2e-6
    last = betting.confidence_sequence(betting.looks(x, every=len(x)), alpha)
    assert last.low <= found.low + 1e-9
    assert found.high - 1e-9 <= last.high


def test_interval_and_e_value_agree_about_zero():
    for b, c in itertools.product(range(0, 40, 3), repeat=2):
        x = np.repeat([1.0, -1.0, 0.0], [b, c, 25])
        ends = betting.confidence_sequence(betting.looks(x, every=len(x)))
        assert (not ends.low < 0 < ends.high) == (betting.log_e(b, c) >= log(20))


def test_many_values_as_few():
    """Distinct units are counted up to a limit and followed one by one beyond: the same numbers."""
    rng = np.random.default_rng(3)
    x = rng.integers(-40, 60, 700) / 100
    few = betting.looks(x, every=7)
    assert few.counts is not None
    one_by_one = betting.Looks((x + 1) / 2, np.ones(700), None, few.ends)
    for side in ("both", "above", "below"):
        assert betting.log_wealth(few, 0.05, side) == pytest.approx(
            betting.log_wealth(one_by_one, 0.05, side), abs=1e-9
        )
    assert betting.looks(rng.random(700)).counts is None
    assert betting.confidence_sequence(few).low == pytest.approx(
        float(betting.confidence_sequence(one_by_one).low), abs=1e-9
    )


def test_boundary():
    edge = crossing.boundary(300, 0.05)
    for n in (0, 3, 6, 7, 60, 300):
        stops = [k for k in range((n + 1) // 2, n + 1) if betting.log_e(k, n - k) >= log(20)]
        assert edge[n] == (stops[0] if stops else n + 1)


@pytest.mark.parametrize("share", [0.5, 0.7])
def test_survival_by_enumeration(share):
    """Against every sequence of twelve discordant items."""
    alive = np.zeros(13)
    for signs in itertools.product((1, 0), repeat=12):
        b = np.concatenate([[0], np.cumsum(signs)])
        n = np.arange(13)
        stopped = np.maximum.accumulate(betting.log_e(b, n - b) >= log(10))
        alive += np.prod([share if s else 1 - share for s in signs]) * ~stopped
    assert crossing.survival(share, 12, 0.1) == pytest.approx(alive, abs=1e-12)


def test_survival_over_orders_by_enumeration():
    b, c = 9, 3
    alive = np.zeros(13)
    for places in itertools.combinations(range(12), b):
        up = np.zeros(13, dtype=int)
        up[[p + 1 for p in places]] = 1
        up = up.cumsum()
        alive += ~np.maximum.accumulate(betting.log_e(up, np.arange(13) - up) >= log(4))
    assert crossing.survival_of(b, c, 0.25) == pytest.approx(alive / comb(12, 9), abs=1e-12)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_false_stops_are_within_alpha(alpha):
    """Ville's inequality, exactly, for up to 5,000 discordant items."""
    survived = crossing.survival(0.5, 5000, alpha)
    assert (np.diff(survived) <= 1e-15).all()
    assert 0.5 * alpha < 1 - survived[-1] <= alpha


def test_paths_of_items_and_of_discordant_items_agree():
    rates, items = (0.09, 0.14), np.arange(1, 151)
    by_items = crossing.peeking(lambda b, c, n: betting.log_e(b, c) >= log(20), items, *rates)
    survived = crossing.survival(rates[0] / sum(rates), 150, 0.05)
    assert by_items == pytest.approx(1 - crossing.not_stopped(survived, sum(rates), items), abs=1e-12)


def test_one_look_is_the_test_itself():
    """One look at exact McNemar errs with its size, by summing every table."""
    found = crossing.peeking(lambda b, c, n: mcnemar_exact(b, c).p < 0.05, [60], 0.1, 0.1)[0]
    size = sum(
        comb(60, n) * 0.2**n * 0.8 ** (60 - n) * comb(n, b) / 2**n
        for n in range(61)
        for b in range(n + 1)
        if mcnemar_exact(b, n - b).p < 0.05
    )
    assert found == pytest.approx(size, abs=1e-12)


def test_peeking_at_mcnemar_errs():
    """The figure of the docs: exact McNemar at every tenth of 500 items from 20 on, 30 % discordant."""
    looks = np.arange(20, 501, 10)
    found = crossing.peeking(lambda b, c, n: mcnemar_exact(b, c).p < 0.05, looks, 0.15, 0.15)
    assert found[-1] == pytest.approx(0.2144, abs=5e-5)
    assert (np.diff(found) >= 0).all()


def test_stopping_over_orders_by_permutations():
    """Against 20,000 orders drawn; 71 and 12 of 500, and 100 and 8, are two pairs of a real board."""
    assert crossing.quantile_over_orders(100, 8, 500, 0.05) == 41
    assert crossing.quantile_over_orders(71, 12, 500, 0.05) == 82
    assert crossing.quantile_over_orders(34, 21, 500, 0.05) is None
    rng = np.random.default_rng(0)
    x = rng.permuted(np.tile(np.repeat([1, -1, 0], [15, 3, 42]), (20_000, 1)), axis=1)
    b, c = (x == 1).cumsum(axis=1), (x == -1).cumsum(axis=1)
    stopped = np.maximum.accumulate(betting.log_e(b, c) >= log(20), axis=1).mean(axis=0)
    exact = crossing.stopped_by(crossing.survival_of(15, 3, 0.05), 60, np.arange(1, 61))
    assert exact == pytest.approx(stopped, abs=0.015)


def units_of(x, share=None):
    x = np.atleast_2d(np.asarray(x, dtype=float))
    return pair_wealth.Units(x, np.ones_like(x) if share is None else np.atleast_2d(share))


def test_many_pairs_as_one():
    rng = np.random.default_rng(1)
    for values in (rng.choice([-1.0, 0, 1], (4, 80)), rng.uniform(-1, 1, (4, 80))):
        share = rng.choice([0.0, 0.4, 1.0], (4, 80))
        seen = pair_wealth.Units(values, share)
        for side in ("both", "above", "below"):
            alone = [
                betting.log_wealth(betting.looks(x[r > 0], r[r > 0], every=80), 0.1, side)[0]
                for x, r in zip(values, share, strict=True)
            ]
            assert pair_wealth.pair_log_wealth(seen, 0.1, side) == pytest.approx(alone, abs=1e-9)
        ends = pair_wealth.pair_sequence(seen, 0.05)
        for at in range(4):
            there = share[at] > 0
            alone = betting.confidence_sequence(betting.looks(values[at][there], share[at][there], every=80))
            assert (ends.low[at], ends.high[at]) == pytest.approx(
                (float(alone.low), float(alone.high)), abs=1e-8
            )


def test_pairs_of_01_scores_are_the_closed_form():
    x = np.repeat([1.0, -1.0, 0.0], [24, 61, 5])[None]
    assert np.exp(pair_wealth.pair_log_e(units_of(x)))[0] == pytest.approx(357.17820665225616, rel=1e-9)
    assert pair_wealth.pair_log_wealth(units_of(x), 0.0)[0] == pytest.approx(np.log(357.17820665225616))
    assert np.isnan(pair_wealth.pair_log_e(units_of(x, np.zeros_like(x))))


def test_clusters_are_the_units():
    """Items of a cluster move together: a cluster counts by its size, against the largest."""
    a = np.array([[1.0, 1, 0, 1, 1, 0]])
    b = np.array([[0.0, 1, 0, 0, 0, 0]])
    there = np.ones((1, 6), dtype=bool)
    seen = pair_wealth.units(Pairs(a, b, there, there, cluster=np.array([0, 0, 0, 0, 1, 1])))
    assert seen.x.tolist() == [[0.5, 0.5]]
    assert seen.share.tolist() == [[1.0, 0.5]]
    for odd, words in (
        (Shape(), r"scores in \[0, 1\]"),
        (Shape(rates=True, stratified=True), "categories with weights"),
    ):
        with pytest.raises(MethodError, match=words):
            check("betting", TESTS["betting"], odd, TESTS)


SELECTIVE = [(61, 24), (29, 24), (30, 29), (31, 29), (7, 0), (1, 0), (2, 0), (10, 4)]


@pytest.mark.parametrize(("b", "c"), SELECTIVE)
def test_selective_p_by_counting(b, c):
    n = b + c
    above = sum(comb(n, k) for k in range(b, n + 1))
    ahead = sum(comb(n, k) for k in range(n // 2 + 1, n + 1))
    assert float(history.selective_p(b, c)) == pytest.approx(above / ahead, rel=1e-12)


def test_who_is_not_ahead_is_no_record():
    assert history.selective_p([5, 4, 0], [5, 9, 0]).tolist() == [1, 1, 1]


def test_lord_of_reference():
    case = json.loads((Path(__file__).parent / "lord_reference.json").read_text())
    found = history.lord(case["p"])
    assert found.levels == pytest.approx(case["levels"], abs=1e-12)
    assert found.rejected.tolist() == case["rejected"]


def test_lord_spends_what_it_has():
    """Without a rejection the levels of any number of tests sum to less than half of alpha."""
    assert history.lord(np.ones(5000)).levels.sum() < 0.025
    assert not history.lord([np.nan, 1.0]).rejected.any()


def test_betting_is_a_line_of_the_catalogue():
    there = np.ones((1, 40), dtype=bool)
    a = np.repeat([1.0, 0.0], [30, 10])[None]
    pairs = Pairs(a, 1 - a, there, there)
    rng = np.random.default_rng(0)
    p = catalogue.P_VALUES["betting"](pairs, draws=1, rng=rng)
    assert p.p[0] == pytest.approx(float(np.exp(-betting.log_e(30, 10))))
    assert p.log10_p[0] == pytest.approx(np.log10(p.p[0]))
    ends = catalogue.ENDS["betting"](pairs, level=0.95, draws=1, rng=rng)
    assert ends.low[0] > 0


def test_stopping_times_by_drawing():
    """Against 20,000 comparisons drawn item by item."""
    rng = np.random.default_rng(5)
    found = stopping.stopping(0.2, 0.4, 0.05, 120)
    x = rng.choice([1, -1, 0], (20_000, 2000), p=[0.3, 0.1, 0.6]).astype(np.int8)
    b, c = (np.cumsum(x == sign, axis=1, dtype=np.int16) for sign in (1, -1))
    edge = crossing.boundary(2000, 0.05)
    stops = np.maximum(b, c) >= edge[b + c]
    assert stops.any(axis=1).all()
    time = stops.argmax(axis=1) + 1
    assert found.mean == pytest.approx(time.mean(), abs=4 * time.std() / 141)
    assert found.power == pytest.approx((time <= 120).mean(), abs=0.014)
    assert found.mean_at_budget == pytest.approx(np.minimum(time, 120).mean(), abs=1.2)
    assert (time <= found.most).mean() == pytest.approx(0.9, abs=0.01)
    assert (time <= found.most - 1).mean() < 0.91


def test_stopping_times_mirror_and_give_up():
    assert stopping.stopping(-0.2, 0.4, 0.05, 50) == stopping.stopping(0.2, 0.4, 0.05, 50)
    sure = stopping.stopping(0.3, 0.3, 0.05, 50)
    assert sure.mean == pytest.approx(7 / 0.3, rel=1e-3)  # seven discordant items, all on one side
