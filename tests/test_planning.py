"""The verb `plan`: published figures, answers that invert each other, monotone, refused with the reason."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import deadheat as dh
from deadheat.errors import MethodError
from deadheat.planning import Layout
from deadheat.report import render
from deadheat.stats.paired.equivalence import score_margin
from deadheat.stats.score.binomial import clopper_pearson, wilson
from support import NEEDS_SHARED, shared_json

plan = dh.plan


def figures():
    entries = shared_json("reference/figures.json")
    return {entry["id"]: entry for entry in (entries["figures"] if isinstance(entries, dict) else entries)}


@NEEDS_SHARED
def test_published_figures():
    known = figures()
    raw = {
        "001.n_margin.3": plan.margin(0.03),
        "001.n_margin.1": plan.margin(0.01),
        "001.n_fleiss.65_60": plan.items((0.65, 0.60)),
        "001.n_fleiss.682_678": plan.items((0.682, 0.678)),
        "001.n_paired.626": plan.items((0.65, 0.60), discordance=0.2),
    }
    for name, ours in raw.items():
        assert ours.answer["items_unrounded"] == pytest.approx(
            known[name]["value"], abs=known[name]["tolerance"]
        )
        assert ours.answer["items"] == known[name]["ceil"], name
    paired = raw["001.n_paired.626"].answer
    assert paired["items_exact"] == known["001.n_paired.exact_mcnemar"]["value"] == 658
    assert paired["power_exact"] == pytest.approx(known["001.n_paired.power626"]["exact"], abs=1e-6)
    smallest = plan.mde(500, 0.68).answer["difference"]
    assert smallest == pytest.approx(known["001.mde.500"]["value"], abs=1e-8)


@NEEDS_SHARED
def test_published_faults():
    cases = {case["id"]: case["expected"] for case in shared_json("cases/cases-open.json")["cases"]}
    assert plan.items((0.62, 0.66)).answer["items"] == cases["P01"]["n_per_run"]
    paired = plan.items(difference=-0.04, discordance=0.14).answer
    assert paired["items"] == cases["P03"]["n_items"]
    assert paired["power_exact"] == pytest.approx(cases["P03"]["exact_mcnemar_power_at_n"], abs=1e-6)
    assert plan.mde(500, discordance=0.12).answer["difference"] == pytest.approx(
        cases["P06"]["mde"], abs=1e-6
    )
    with pytest.raises(MethodError, match="do not differ"):
        plan.items(difference=0.0, discordance=0.1)
    with pytest.raises(MethodError, match="on more than none"):
        plan.items(difference=0.0, discordance=0.0)
    with pytest.raises(MethodError, match="not within the margin"):  # the wrong side of a one-sided claim
        plan.items(difference=-0.03, discordance=0.13, claim="non-inferiority", margin=0.0)


def test_every_answer_states_what_it_stands_on():
    ours = plan.items((0.65, 0.60), discordance=0.2)
    assert ours.question == "items"
    assert ours.assumptions == {
        "claim": "difference",
        "power": 0.8,
        "alpha": 0.05,
        "sides": "two-sided",
        "design": "shared items",
        "rates": [0.65, 0.6],
        "difference": 0.05,
        "discordance": 0.2,
        "test": "McNemar",
        "formula": "Connor's unconditional normal",
    }
    assert [note.code for note in ours.notes] == ["exact-needs-more"]
    assert "658" in ours.notes[0].text
    assert "77.9 %" in ours.notes[0].text


DESIGNS = {
    "unpaired": {"rates": (0.65, 0.6)},
    "paired": {"rates": (0.65, 0.6), "discordance": 0.2},
    "paired, rates unknown": {"difference": -0.04, "discordance": 0.14},
    "correlated": {"rates": (0.3, 0.4), "correlation": 0.6},
    "scores": {"difference": 0.1, "sd": 0.5},
    "scores on shared items": {"difference": 0.1, "sd": 0.5, "correlation": 0.4},
    "differences of scores": {"difference": 2.0, "sd_difference": 11.0},
    "samples": {"rates": (0.65, 0.6), "discordance": 0.2, "layout": Layout(samples=5, noise=0.6)},
    "clusters": {"difference": 0.05, "discordance": 0.2, "layout": Layout(cluster_size=8, icc=0.1)},
    "samples in clusters, unpaired": {"rates": (0.5, 0.4), "layout": Layout(3, 0.3, 4, 0.2)},
}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("power", [0.5, 0.8, 0.99])
def test_items_put_back_return_the_power(design, power):
    found = plan.items(**DESIGNS[design], power=power)
    number = found.answer["items"]
    assert plan.power(number, **DESIGNS[design]).answer["power"] >= power
    assert plan.power(number - 1, **DESIGNS[design]).answer["power"] < power + 1e-4  # the far side, at most
    exact = found.answer.get("items_exact")
    if exact is not None:
        assert plan.power(exact, **DESIGNS[design]).answer["power_exact"] >= power
        assert plan.power(exact - 1, **DESIGNS[design]).answer["power_exact"] < power


@pytest.mark.parametrize(
    "design",
    [
        {"rate": 0.68},
        {"discordance": 0.12},
        {"rate": 0.5, "discordance": 0.12},
        {"rate": 0.4, "correlation": 0.5},
        {"sd": 0.3},
        {"sd_difference": 3.0},
        {"sd": 0.3, "correlation": 0.5},
        {"discordance": 0.2, "layout": Layout(4, 0.5, 10, 0.05)},
        {"rate": 0.6, "layout": Layout(cluster_size=10, icc=0.05)},
    ],
)
def test_the_smallest_difference_put_back_returns_items_and_power(design):
    found = plan.mde(500, **design)
    gap, rate = found.answer["difference"], design.get("rate")
    rest = {key: value for key, value in design.items() if key != "rate"}
    about = {"difference": gap} if rate is None else {"rates": (rate + gap / 2, rate - gap / 2)}
    assert plan.power(500, **about, **rest).answer["power"] == pytest.approx(0.8, abs=1e-4)
    assert plan.items(**about, **rest).answer["items"] in (500, 501)
    exact = found.answer.get("difference_exact")
    if exact is not None:
        about = {"difference": exact} if rate is None else {"rates": (rate + exact / 2, rate - exact / 2)}
        assert plan.power(500, **about, **rest).answer["power_exact"] == pytest.approx(0.8, abs=1e-6)


@settings(deadline=None, max_examples=40)
@given(
    p=st.tuples(st.floats(0.05, 0.95), st.floats(0.05, 0.95)).filter(lambda p: abs(p[0] - p[1]) > 0.05),
    share=st.floats(0.05, 0.9),
)
@example(p=(0.9375, 0.0625), share=0.25)  # so far out that scipy's noncentral t gives no tail
def test_monotone_in_every_argument(p, share):
    gap, most = abs(p[0] - p[1]), min(sum(p), 2 - sum(p))
    discordance = gap + share * (most - gap)

    def need(**change):
        return plan.items(**{"rates": p, "discordance": discordance} | change).answer["items_unrounded"]

    base = need()
    assert need(power=0.9) > base
    assert need(alpha=0.01) > base
    assert need(discordance=gap + share * 0.9 * (most - gap)) < base
    assert need(rates=(p[1], p[0])) == pytest.approx(base, rel=1e-12)
    assert need(rates=(1 - p[0], 1 - p[1])) == pytest.approx(base, rel=1e-6)
    assert need(layout=Layout(cluster_size=5, icc=0.1)) > base
    clustered = need(layout=Layout(cluster_size=5, icc=0.2))
    assert clustered > need(layout=Layout(cluster_size=5, icc=0.1))
    assert need(layout=Layout(4, 0.5)) < need(layout=Layout(2, 0.5))
    alone = plan.items(p).answer["items_unrounded"]
    assert plan.items(p, power=0.9).answer["items_unrounded"] > alone
    chance = plan.power(400, p, discordance=discordance).answer["power"]
    assert plan.power(401, p, discordance=discordance).answer["power"] >= chance - 1e-12


@pytest.mark.parametrize("claim", ["non-inferiority", "equivalence"])
def test_margins(claim):
    about = {"difference": 0.0, "discordance": 0.1, "claim": claim}
    found = plan.items(**about, margin=0.02)
    assert plan.power(found.answer["items"], **about, margin=0.02).answer["power"] >= 0.8
    assert plan.power(found.answer["items"] - 1, **about, margin=0.02).answer["power"] < 0.8
    assert plan.items(**about, margin=0.03).answer["items"] < found.answer["items"]
    run = found.answer["items_to_run"]
    assert run == found.answer["items_exact"] == pytest.approx(found.answer["items"], rel=0.02)
    assert plan.power(run, **about, margin=0.02).answer["power_exact"] >= 0.8
    assert plan.power(run - 1, **about, margin=0.02).answer["power_exact"] < 0.8
    assert found.assumptions["sides"] == "each bound one-sided"
    t = plan.items(**about, margin=0.02, layout=Layout(cluster_size=10, icc=0.1))
    assert t.answer["items"] > found.answer["items"]


def test_equivalence_against_simulation():
    n = plan.items(difference=0.0, discordance=0.1, claim="equivalence", margin=0.02).answer["items_to_run"]
    rng = np.random.default_rng(3)
    b, c, _ = rng.multinomial(n, [0.05, 0.05, 0.9], 20_000).T
    shown = score_margin(n, b, c, 0.02).p_equivalent < 0.05
    assert shown.mean() == pytest.approx(0.8, abs=0.01)


def test_margin_of_a_score():
    found = plan.margin(0.05, 0.1).answer
    assert found["items"] == 139
    for method, key in ((wilson, "items_wilson"), (clopper_pearson, "items_clopper_pearson")):
        n = np.arange(found[key], found[key] + 400)
        k = np.rint(n * 0.1) if method is clopper_pearson else n * 0.1
        assert np.all((np.subtract(*method(k, n)[::-1])) / 2 <= 0.05)
        n = found[key] - 1
        k = np.rint(n * 0.1) if method is clopper_pearson else n * 0.1
        assert np.subtract(*method(k, n)[::-1]) / 2 > 0.05
    assert plan.margin(0.02, sd=0.3).answer["items"] == 865  # (1.959964 * 0.3 / 0.02)^2 = 864.3
    clustered = plan.margin(0.03, layout=Layout(cluster_size=11, icc=0.1)).answer
    assert clustered["items"] == 2135  # 1067.07 * 2
    assert clustered["clusters"] == 195
    assert "items_wilson" not in clustered
    assert [note.code for note in plan.margin(0.5, sd=1.0).notes] == ["few-items"]


def test_samples():
    about = {"rates": (0.65, 0.6), "discordance": 0.2, "noise": 0.6, "item_cost": 10, "sample_cost": 1}
    found = plan.samples(**about).answer
    assert found["samples"] == 4  # sqrt(10 * 0.6 / 0.4) = 3.87
    assert found["power"] >= 0.8
    assert found["cost"] == found["items"] * 14 < found["cost_one_sample"]
    for other in (2, 3, 5, 6, 8):
        layout = Layout(other, 0.6)
        items = plan.items((0.65, 0.6), discordance=0.2, layout=layout).answer["items"]
        assert items * (10 + other) >= found["cost"] * 0.99
    spent = plan.samples(**about, budget=5000).answer
    assert spent["cost"] <= 5000
    assert spent["power"] > spent["power_one_sample"]
    assert plan.samples(**about | {"item_cost": 0}).answer["samples"] == 1
    with pytest.raises(MethodError, match="buys 0 items"):
        plan.samples(**about, budget=12)
    with pytest.raises(MethodError, match="leaves no variance between items"):
        plan.samples(**about | {"noise": 1.0})
    with pytest.raises(MethodError, match="needs `noise`"):
        plan.samples(**about | {"noise": None})
    with pytest.raises(MethodError, match="cost of a sample"):
        plan.samples(**about | {"sample_cost": 0})


def test_board():
    rates = (0.7, 0.66, 0.6)
    given_ = plan.board(rates, 500).answer
    rng = np.random.default_rng(4)
    counts = rng.binomial(500, rates, (40_000, 3))
    order = np.all(np.diff(counts, axis=1) < 0, axis=1)
    assert given_["order_exact"] == pytest.approx(order.mean(), abs=0.01)
    best = (counts[:, :1] > counts[:, 1:]).all(axis=1)
    assert given_["best_exact"] == pytest.approx(best.mean(), abs=0.01)
    need = plan.board(rates, probability=0.9).answer
    assert plan.board(rates, need["items_order_exact"]).answer["order_exact"] >= 0.9
    assert plan.board(rates, need["items_order_exact"] - 1).answer["order_exact"] < 0.9
    assert plan.board(rates, need["items_best"]).answer["best"] >= 0.9
    shared = plan.board(rates, probability=0.9, correlation=0.5)
    assert shared.answer["items_order"] < need["items_order"]
    assert shared.answer["items_order_exact"] is None
    assert [note.code for note in shared.notes] == ["not-summed"]


def test_board_on_shared_items_against_simulation():
    rates = np.array([0.7, 0.66, 0.6])
    rng = np.random.default_rng(5)
    easy = rng.random((4000, 300, 1)) < 0.5  # of each item, for every entry alike
    right = rng.random((4000, 300, 3)) < np.where(easy, rates + 0.25, rates - 0.25)
    means = right.mean(axis=1)
    seen = np.corrcoef(right.reshape(-1, 3).T)
    order = np.all(np.diff(means, axis=1) < 0, axis=1).mean()
    ties = np.any(np.diff(means, axis=1) == 0, axis=1).mean()
    planned = plan.board(tuple(rates), 300, correlation=seen[np.triu_indices(3, 1)].mean()).answer["order"]
    assert order - 0.03 <= planned <= order + ties + 0.03


def test_large_requests_say_what_is_not_summed():
    close = plan.board((0.7, 0.69), probability=0.95)
    assert close.answer["items_order"] > 5000
    assert close.answer["items_order_exact"] is None
    assert [note.code for note in close.notes] == ["not-summed"]
    shared = plan.items(difference=0.001, discordance=0.5).answer
    assert shared["items"] > 10**6
    assert shared["items_exact"] is shared["power_exact"] is None
    ours = plan.items((0.682, 0.678))
    assert ours.answer["items_exact"] is None
    assert ours.answer["power_exact"] == pytest.approx(0.8, abs=1e-4)
    assert [note.code for note in ours.notes] == ["not-summed"]
    many = plan.power(10**9, (0.5001, 0.5), discordance=0.4)
    assert many.answer["power_exact"] is None
    assert plan.mde(10**6, 0.5).answer["difference_exact"] is None
    assert plan.power(10**9, (0.501, 0.5)).answer["power_exact"] is None
    widths = plan.margin(1e-6)
    assert widths.answer["items_wilson"] is widths.answer["items_clopper_pearson"] is None
    assert [note.code for note in widths.notes] == ["not-summed"]
    assert "± 0.0001 points" in widths.summary


REFUSED = [
    (lambda: plan.items((0.65, 0.6), correlation=1.0), "correlated by -0.5991 to 0.8987"),
    (lambda: plan.items((0.65, 0.6), correlation=-0.95), "correlated by -0.5991 to 0.8987"),
    (lambda: plan.items((0.65, 0.65)), "do not differ"),
    (lambda: plan.items((0.65, 1.0)), "strictly between 0 and 1"),
    (lambda: plan.items((0.65, -0.1)), "strictly between 0 and 1"),
    (lambda: plan.items((0.6, 0.5, 0.4)), "3 rates"),
    (lambda: plan.items((0.6, 0.5), difference=0.2), "one or the other"),
    (lambda: plan.items((0.65, 0.6), discordance=0.01), "at least 0.05"),
    (lambda: plan.items((0.65, 0.6), discordance=0.9), "at most 0.75"),
    (lambda: plan.items((0.65, 0.6), discordance=0.2, correlation=0.5), "give one"),
    (lambda: plan.items((0.65, 0.6), correlation=1.5), "from -1 to 1"),
    (lambda: plan.items(difference=0.05, correlation=0.5), "needs both `rates`"),
    (lambda: plan.items(difference=0.05), "not known"),
    (lambda: plan.items(difference=1.5, discordance=1.0), "between scores from 0 to 1"),
    (lambda: plan.items(discordance=0.2), "difference is needed"),
    (lambda: plan.items(sd=0.2), "difference is needed"),
    (lambda: plan.items((0.65, 0.6), sd=0.2), "one kind"),
    (lambda: plan.items(difference=0.1, sd=0.2, sd_difference=0.3), "give it alone"),
    (lambda: plan.items(difference=0.1, sd=-0.2), "above 0"),
    (lambda: plan.items(difference=0.1, sd_difference=0.0), "above 0"),
    (lambda: plan.items(difference=0.1, sd=0.2, correlation=1.0), "no doubt to plan"),
    (lambda: plan.items((0.65, 0.6), power=0.04), "more power than alpha"),
    (lambda: plan.items((0.65, 0.6), power=1.0), "certain"),
    (lambda: plan.items((0.65, 0.6), alpha=0.0), "alpha"),
    (lambda: plan.items((0.65, 0.6), claim="better"), "no claim"),
    (lambda: plan.items((0.65, 0.6), margin=0.1), "belongs to"),
    (lambda: plan.items((0.65, 0.6), claim="equivalence"), "needs a margin"),
    (lambda: plan.items((0.65, 0.6), claim="equivalence", margin=0.05), "not within the margin"),
    (lambda: plan.items((0.5, 0.6), claim="non-inferiority", margin=0.05), "not within the margin"),
    (lambda: plan.items(difference=1e-12, discordance=0.2), "more than 1e15"),
    (lambda: plan.power(0, (0.65, 0.6)), "at least 1"),
    (lambda: plan.power(10.5, (0.65, 0.6)), "whole"),
    (lambda: plan.power(1, difference=0.1, sd_difference=0.3), "no degree of freedom"),
    (lambda: plan.mde(10, discordance=0.05), "use more items"),
    (lambda: plan.mde(1, sd_difference=1.0), "no degree of freedom"),
    (lambda: plan.mde(100, 1.0), "strictly between"),
    (lambda: plan.margin(0.0), "above 0"),
    (lambda: plan.margin(0.6), "narrower"),
    (lambda: plan.margin(0.03, 1.0), "strictly between"),
    (lambda: plan.margin(0.03, level=95), "strictly between"),
    (lambda: plan.margin(0.03, sd=0.0), "above 0"),
    (lambda: plan.board((0.6,), 100), "at least two"),
    (lambda: plan.board((0.6, 0.6), 100), "no order"),
    (lambda: plan.board((0.6, 0.7), 100), "from the best down"),
    (lambda: plan.board((0.7, 0.6)), "give items"),
    (lambda: plan.board((0.7, 0.6), 100, probability=0.9), "give items"),
    (lambda: plan.board((0.7, 0.6), probability=1.0), "strictly between"),
    (lambda: plan.board((0.6, 0.6 - 1e-12), probability=0.99), "too close"),
    (
        lambda: plan.power(
            5,
            difference=0.0,
            sd_difference=1.0,
            claim="equivalence",
            margin=1.0,
            layout=Layout(cluster_size=5, icc=0.1),
        ),
        "no degree of freedom",
    ),
    (lambda: plan.samples((0.7, 0.6), noise=0.5, item_cost=-1, sample_cost=1), "0 or more"),
    (lambda: plan.board((0.7, 0.6), 100, correlation=-0.1), "at least 0"),
    (lambda: plan.board((0.9, 0.1), 100, correlation=0.9), "cannot be"),
    (lambda: Layout(samples=0), "at least 1"),
    (lambda: Layout(samples=3), "give `noise`"),
    (lambda: Layout(noise=1.5), "share"),
    (lambda: Layout(cluster_size=0.5), "at least 1"),
    (lambda: Layout(cluster_size=5, icc=0.9, noise=0.2), "lies from"),
    (lambda: Layout(icc=0.1), "without `cluster_size`"),
    (lambda: Layout(cluster_size=2, icc=-1.0), "lies from"),
    (lambda: Layout(2, 0.5, 2, -0.6), "lies from -0.5"),
]


@pytest.mark.parametrize(("request_", "reason"), REFUSED)
def test_refused_with_the_reason(request_, reason):
    with pytest.raises(MethodError, match=reason):
        request_()


def test_every_format():
    for ours in (plan.items((0.65, 0.6), discordance=0.2), plan.margin(0.03), plan.board((0.7, 0.6), 100)):
        for kind in ("table", "md", "csv", "json", "latex"):
            assert str(next(iter(ours.answer.values())))[:3] in render([ours], kind).replace(",", "")


def test_stopping_times_beside_the_fixed_size():
    """800 items on average without a budget; with the fixed-size test's 658 items 47 % power."""
    found = dh.plan.items((0.65, 0.60), discordance=0.2, anytime=True)
    assert found.answer["items_to_run"] == 658
    assert found.answer["anytime_mean_items"] == pytest.approx(799.7, abs=0.1)
    assert found.answer["anytime_items_90"] == 1574
    assert found.answer["anytime_power"] == pytest.approx(0.468, abs=1e-3)
    assert "stops after 800 items on average" in found.summary
    with pytest.raises(dh.MethodError, match="stopping times are summed"):
        dh.plan.items(sd_difference=0.4, difference=0.05, anytime=True)
