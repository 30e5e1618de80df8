"""Plans from real results: variances as in the data, the uncertainty of the plan, refusals, the command."""

import numpy as np
import pytest

import deadheat as dh
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError, NothingShared
from deadheat.estimand import Estimand
from support import random_table, table_of

plan = dh.plan


def paired(b=40, c=20, both=250, neither=190):
    """Counts of a McNemar table as a table of results."""
    a_row = [1] * both + [1] * b + [0] * c + [0] * neither
    b_row = [1] * both + [0] * b + [1] * c + [0] * neither
    return table_of({"a": a_row, "b": b_row})


def sampled(rng, items=300, samples=4, clusters=None):
    """0/1 attempts whose chances differ by item, several of each."""
    base = rng.random(items) * 0.7 + 0.1
    columns = {"entry": [], "item": [], "sample": [], "score": [], "cluster": []}
    for name, shift in (("a", 0.08), ("b", 0.0)):
        chance = np.clip(base + shift + rng.normal(0, 0.1, items), 0, 1)
        right = rng.random((items, samples)) < chance[:, None]
        for i in range(items):
            for s in range(samples):
                columns["entry"].append(name)
                columns["item"].append(f"i{i:04d}")
                columns["sample"].append(str(s))
                columns["score"].append(float(right[i, s]))
                columns["cluster"].append(f"c{i % (clusters or items)}")
    made = {key: np.array(value, dtype=object) for key, value in columns.items()}
    return Table.from_columns(made | {"score": made["score"].astype(float)})


def test_counts_are_those_of_the_table():
    seen = plan.observe(paired(), "a", "b")
    assert (seen.items, seen.clusters, seen.binary, seen.noise) == (500, 500, True, None)
    assert seen.difference == pytest.approx(0.04)
    made = seen.design()
    assert (made.difference, made.null) == (pytest.approx(0.04), pytest.approx(0.12))
    ours, given = plan.items(difference=0.05, observed=seen), plan.items(difference=0.05, discordance=0.12)
    assert ours.answer["items"] == given.answer["items"]
    assert ours.answer["items_exact"] == given.answer["items_exact"]
    assert plan.power(700, difference=0.05, observed=seen).answer["power"] == pytest.approx(
        plan.power(700, difference=0.05, discordance=0.12).answer["power"], rel=1e-12
    )
    assert plan.mde(700, observed=seen).answer["difference"] == pytest.approx(
        plan.mde(700, discordance=0.12).answer["difference"], rel=1e-9
    )
    swapped = plan.observe(paired(), "b", "a")
    assert swapped.difference == pytest.approx(-0.04)


def test_the_plan_knows_how_surely_it_is_known():
    seen = plan.observe(paired(), "a", "b")
    ours = plan.items(difference=0.05, observed=seen)
    low, high = ours.answer["items_interval"]
    assert low < ours.answer["items"] < high
    # The discordance of 60 of 500 is known to about 0.12 +- 0.028.
    for share, end in ((0.12 - 0.028, low), (0.12 + 0.028, high)):
        assert end == pytest.approx(
            plan.items(difference=0.05, discordance=share).answer["items_to_run"], rel=0.06
        )
    more = plan.observe(paired(400, 200, 2500, 1900), "a", "b")
    narrow = plan.items(difference=0.05, observed=more).answer["items_interval"]
    assert narrow[1] - narrow[0] < (high - low) / 2
    for question in (plan.power(500, difference=0.05, observed=seen), plan.mde(500, observed=seen)):
        name = {"power": "power", "mde": "difference"}[question.question]
        low, high = question.answer[f"{name}_interval"]
        assert low < question.answer[name] < high
    assert ours.provenance.read == 1000
    assert ours.assumptions["from"] == ["a", "b"]


def test_an_observed_difference_is_no_sure_ground():
    near = plan.items(observed=plan.observe(paired(33, 27), "a", "b"))
    assert near.answer["items_interval"][1] is None
    assert {note.code for note in near.notes} >= {"observed-difference", "unbounded"}
    far = plan.items(observed=plan.observe(paired(60, 10), "a", "b"))
    assert far.answer["items_interval"][1] is not None
    power = plan.power(500, observed=plan.observe(paired(), "a", "b"))
    assert power.answer["power_interval"][0] < power.answer["power"] < power.answer["power_interval"][1]


def test_samples_and_clusters():
    rng = np.random.default_rng(0)
    table = sampled(rng)
    seen = plan.observe(table, "a", "b")
    assert seen.samples == 4
    assert 0.5 < seen.noise < 1
    # At as many samples as there are, the design's variance is the squared error of the difference itself.
    made = seen.design()
    spread = made.spread * made.layout.factor
    assert spread == pytest.approx(seen.found.plain[0], rel=1e-9)
    one, ten = (plan.items(difference=0.05, observed=seen, layout=seen.layout(s)).answer for s in (1, 10))
    assert ten["items"] < plan.items(difference=0.05, observed=seen).answer["items"] < one["items"]
    assert ten["items_interval"][0] < ten["items"] < ten["items_interval"][1]
    split = plan.samples(observed=seen, difference=0.05, item_cost=5, sample_cost=1)
    assert split.answer["samples"] > 1


def test_clusters():
    table = sampled(np.random.default_rng(1), items=200, samples=1, clusters=8)
    seen = plan.observe(table, "a", "b", Estimand(cluster="cluster"))
    assert (seen.clusters, seen.cluster_size) == (8, 25)
    made = seen.design()
    assert made.spread * made.layout.factor == pytest.approx(seen.found.clustered[0], rel=1e-9)
    ours = plan.items(difference=0.1, observed=seen)
    assert ours.assumptions["test"] == "t on the differences of clusters"
    assert "few-clusters" in {note.code for note in ours.notes}
    assert ours.answer["clusters"] == -(-ours.answer["items"] // 25)


def test_a_difference_that_only_some_resamples_show():
    few = plan.observe(paired(6, 2, 20, 12), "a", "b")
    ours = plan.mde(40, observed=few)
    assert ours.answer["difference_interval"][0] is None  # discordance so low that nothing would be seen
    assert ours.answer["difference_interval"][1] > ours.answer["difference"]


def test_a_margin_from_one_entry():
    table = table_of({"a": [1] * 400 + [0] * 100, "b": [1] * 300 + [0] * 200})
    seen = plan.observe_score(table)
    assert (seen.entry, seen.items, seen.rate, seen.noise) == ("a", 500, pytest.approx(0.8), None)
    ours, given = plan.margin(0.03, observed=seen), plan.margin(0.03, 0.8)
    assert {**ours.answer, "items_interval": None} == {**given.answer, "items_interval": None}
    # p (1 - p) has standard error |1 - 2p| sqrt(p (1 - p) / n).
    error = 0.6 * np.sqrt(0.16 / 500)
    for end, sign in zip(ours.answer["items_interval"], (-1, 1), strict=True):
        assert end == pytest.approx(
            ours.answer["items_unrounded"] * (1 + sign * 1.96 * error / 0.16), rel=0.03
        )
    assert ours.assumptions["from"] == ["a"]
    assert ours.provenance.read == 1000
    assert plan.margin(0.03, observed=plan.observe_score(table, "b")).assumptions["rate"] == 0.6


def test_a_margin_from_samples_and_clusters():
    table = sampled(np.random.default_rng(4), items=200, samples=4, clusters=20)
    seen = plan.observe_score(table, "a", Estimand(cluster="cluster"))
    ours = plan.margin(0.03, observed=seen)
    # At as many samples and clusters as there are, the plan is the clustered error of the mean itself.
    error = dh.rank(table, estimand=Estimand(cluster="cluster")).entries[0].se
    assert ours.answer["items_unrounded"] == pytest.approx((1.959964 / 0.03) ** 2 * 200 * error**2, rel=0.02)
    low, high = ours.answer["items_interval"]
    assert low < ours.answer["items"] < high
    assert ours.answer["clusters"] == -(-ours.answer["items"] // 10)
    one, many = (plan.margin(0.03, observed=seen, layout=seen.layout(n)).answer["items"] for n in (1, 50))
    assert many < ours.answer["items"] < one


def test_the_split_knows_how_surely_it_is_known():
    rng = np.random.default_rng(5)
    few, many = (plan.observe(sampled(rng, items=n), "a", "b") for n in (150, 1500))

    def ask(seen, **change):
        return plan.samples(observed=seen, item_cost=20, sample_cost=1, **change)

    ours, sure = (ask(seen, difference=0.05).answer for seen in (few, many))
    for answer in (ours, sure):
        assert answer["items_interval"][0] < answer["items"] < answer["items_interval"][1]
        price = 20 + answer["samples"]
        assert answer["cost_interval"] == [price * end for end in answer["items_interval"]]
        low, high = answer["samples_interval"]
        assert low <= answer["samples"]
        assert high is None or high >= answer["samples"]
    relative = [np.diff(answer["items_interval"])[0] / answer["items"] for answer in (ours, sure)]
    assert relative[1] < relative[0] / 2
    spent = ask(many, difference=0.05, budget=5000)
    assert spent.answer["power_interval"][0] < spent.answer["power"] < spent.answer["power_interval"][1]
    assert "cost_interval" not in spent.answer
    taken = ask(few)
    assert "observed-difference" in {note.code for note in taken.notes}


def test_two_best_unless_named():
    table = random_table(np.random.default_rng(2), 5, 200)
    board = dh.rank(table)
    seen = plan.observe(table)
    assert seen.entries == (board.entries[0].entry, board.entries[1].entry)
    third = plan.observe(table, None, board.entries[0].entry)
    assert third.entries == (board.entries[1].entry, board.entries[0].entry)


def test_seed_and_order_of_rows():
    one = plan.items(difference=0.05, observed=plan.observe(paired(), "a", "b"))
    again = plan.items(difference=0.05, observed=plan.observe(paired(), "a", "b"))
    assert one == again
    other = plan.observe(paired(), "a", "b", seed=1)
    assert plan.items(difference=0.05, observed=other).answer["items"] == one.answer["items"]


def test_refusals():
    seen = plan.observe(paired(), "a", "b")
    same = table_of({"a": [1, 0, 1], "b": [1, 0, 1]})
    apart = table_of({"a": [1, 0, 1, None, None], "b": [None, None, None, 1, 0]})
    wrong = [
        (lambda: plan.observe(paired(), "a", "c"), DataError, "no entry 'c'"),
        (lambda: plan.observe(paired(), "a", "a"), DataError, "named twice"),
        (lambda: plan.observe(table_of({"a": [1, 0]})), DataError, "two entries"),
        (lambda: plan.observe(same), DataError, "never differ"),
        (lambda: plan.observe(apart), NothingShared, "share 0 items"),
        (lambda: seen.layout(3), MethodError, "one attempt of each item"),
        (lambda: plan.items(observed=seen, discordance=0.2), MethodError, "one or the other"),
        (lambda: plan.items(observed=seen, difference=0.3), MethodError, "which is less"),
        (lambda: plan.items(observed=seen, claim="equivalence", margin=0.1), MethodError, "usually 0"),
        (
            lambda: plan.samples(observed=seen, difference=0.05, item_cost=1, sample_cost=1),
            MethodError,
            "one attempt",
        ),
        (
            lambda: plan.observe(
                sampled(np.random.default_rng(3)), estimand=Estimand(generalises_to="reruns")
            ),
            MethodError,
            "reruns",
        ),
        (
            lambda: plan.observe(
                sampled(np.random.default_rng(3), items=20, clusters=1), estimand=Estimand(cluster="cluster")
            ),
            DataError,
            "one cluster",
        ),
    ]
    scores = plan.observe_score(paired(), "a")
    wrong += [
        (lambda: plan.observe_score(paired(), "c"), DataError, "no entry 'c'"),
        (lambda: plan.observe_score(table_of({"a": [1, 1, 1]})), DataError, "same score everywhere"),
        (lambda: plan.observe_score(table_of({"a": [1]})), DataError, "at least 2"),
        (lambda: plan.margin(0.03, 0.5, observed=scores), MethodError, "one or the other"),
        (lambda: plan.margin(0.03, 0.5, sd=0.2), MethodError, "one of the two"),
        (lambda: scores.layout(3), MethodError, "one attempt of each item"),
    ]
    for request, kind, reason in wrong:
        with pytest.raises(kind, match=reason):
            request()


@pytest.mark.parametrize("clusters", [None, 30])
@pytest.mark.parametrize("which", ["items", "power"])
def test_ends_asked_for_alone_are_those_of_all_resamples(clusters, which, monkeypatch):
    table = sampled(np.random.default_rng(4), items=120, clusters=clusters)
    about = Estimand(cluster="cluster" if clusters else None)
    seen = plan.observe(table, "a", "b", about, draws=200)
    every = type(seen).taken

    def asked():
        return plan.items(observed=seen) if which == "items" else plan.power(300, observed=seen)

    quick = asked().answer[f"{which}_interval"]
    monkeypatch.setattr(
        type(seen),
        "taken",
        lambda self, made, answer, stated=None, flipped=None, rises=None: every(
            self, made, answer, stated, flipped
        ),
    )
    assert asked().answer[f"{which}_interval"] == pytest.approx(quick, rel=1e-9)
