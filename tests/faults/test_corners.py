"""Corners of the numbers: unlike numbers of samples, clusters, weights, boundaries and untested pairs."""

import numpy as np
import pytest

from deadheat import Estimand, compare, plan, rank
from deadheat.data.table import Table
from deadheat.errors import MethodError
from support import table_of


def attempts(chance, samples, rng, names="ab"):
    """Attempts of 0 or 1: chances (E, M), samples (M,) or a number."""
    rows = {key: [] for key in ("entry", "item", "sample", "score")}
    number = np.broadcast_to(samples, chance.shape[1])
    for name, of in zip(names, chance, strict=True):
        for item, (p, n) in enumerate(zip(of, number, strict=True)):
            for sample in range(n):
                rows["entry"].append(name)
                rows["item"].append(f"i{item:04d}")
                rows["sample"].append(str(sample))
                rows["score"].append(float(rng.random() < p))
    made = {key: np.array(value, dtype=object) for key, value in rows.items()}
    return Table.from_columns(made | {"score": made["score"].astype(float)})


def mixed(rng, items=100, low=0.25, high=0.75):
    """Half of the items with one sample, half with ten; chances of .25 or .75: items' variance is .0625."""
    chance = np.where(rng.random((2, items)) < 0.5, low, high)
    return attempts(chance, np.where(np.arange(items) % 2, 10, 1), rng)


def codes(notes):
    return {note.code for note in notes}


def test_components_of_unlike_numbers_of_samples():
    """The rerun part averages over the items of the total: truth .103, .0625, a share of .377, ICC .25."""
    rng = np.random.default_rng(1)
    parts = [rank(mixed(rng), also=["variance"]).variance.board for _ in range(25)]
    for name, truth in (("reruns", 0.103125), ("items", 0.0625), ("total", 0.165625)):
        values = np.array([getattr(part, name) for part in parts])
        assert values.mean() == pytest.approx(truth, abs=4.5 * values.std() / np.sqrt(len(values))), name
    # A floored ratio of estimates is not unbiased, and near all the same; .886 and .438 came of old.
    assert np.mean([part.share_items for part in parts]) == pytest.approx(0.377, abs=0.04)
    assert np.mean([part.icc for part in parts]) == pytest.approx(0.25, abs=0.04)


def test_components_and_both_errors_agree():
    board = rank(mixed(np.random.default_rng(2)), also=["variance", "both-errors"])
    for part, both in zip(board.variance.entries, board.both_errors, strict=True):
        assert part.entry == both.entry
        assert both.reruns.se**2 * 100 == pytest.approx(part.reruns, rel=1e-9)
        assert both.items.se**2 * 100 == pytest.approx(part.total, rel=1e-9)


def test_plans_from_unlike_numbers_of_samples():
    """Two entries .06 apart, four samples each: the truth behind the pilot is 295 items."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(16):
        base = np.where(rng.random(150) < 0.5, 0.25, 0.75)
        swap = np.where(rng.random(150) < 0.5, 0.0, 0.06)
        table = attempts(np.stack([base + swap, base]), np.where(np.arange(150) % 2, 10, 1), rng)
        seen = plan.observe(table, "a", "b", draws=20)
        found.append(seen.found.per_item(4)[0])
    single = np.mean([0.25 * 0.75, 0.75 * 0.25, 0.31 * 0.69, 0.81 * 0.19])
    # Items' part floored at 0: its true value is .0009, so a part of its spread stays.
    assert np.mean(found) == pytest.approx(2 * single / 4, rel=0.2)


def test_metrics_of_k_samples_leave_short_items_out_of_every_part_and_count_them():
    """Every attempt a fair coin: nothing lies between the items, whatever their samples."""
    rng = np.random.default_rng(4)
    between = []
    for _ in range(15):
        table = attempts(np.full((2, 200), 0.5), np.where(np.arange(200) % 2, 8, 2), rng)
        board = rank(table, Estimand(metric="pass^k", k=2), also=["variance"])
        between.append(board.variance.board.items)
        (note,) = [note for note in board.variance.notes if note.code == "too-few-samples"]
        assert "200 of 400 values" in note.text
        assert "jackknife" in codes(board.variance.notes)
    # The jackknife is a little too high in expectation, so what it leaves to the items is a little too low.
    assert -0.006 < np.mean(between) < 3 * np.std(between) / np.sqrt(15)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 7])
def test_a_majority_is_no_larger_than_its_scores(k):
    """Two ways to be right: every majority is, and rounding must not say 1.0000000000000002."""
    rows = {key: [] for key in ("entry", "item", "sample", "score", "answer")}
    for item in range(6):
        for sample in range(9):
            rows["entry"].append("a")
            rows["item"].append(f"i{item}")
            rows["sample"].append(str(sample))
            rows["score"].append(1.0)
            rows["answer"].append("RSRSTRSUR"[(sample + item) % 9])
    made = {key: np.array(value, dtype=object) for key, value in rows.items()}
    table = Table.from_columns(made | {"score": made["score"].astype(float)})
    (score,) = rank(table, Estimand(metric="maj@k", k=k)).entries
    assert score.value == 1.0
    assert "boundary" in codes(score.notes)
    assert score.interval.low < 0.7
    assert score.interval.high == 1.0


def test_a_pair_that_cannot_be_tested_has_no_group():
    board = rank(table_of({"a": [1, 1], "b": [0, 1]}, category=["x", "y"]), Estimand(weights="category"))
    assert [score.group for score in board.entries] == [None, None]
    assert [score.letters for score in board.entries] == [None, None]


def test_the_discordance_of_a_clustered_plan_is_the_observed():
    rng = np.random.default_rng(5)
    a, b = (rng.random((2, 300)) < 0.6).astype(int)
    table = table_of({"a": a.tolist(), "b": b.tolist()}, cluster=[f"c{i // 5}" for i in range(300)])
    seen = plan.observe(table, "a", "b", Estimand(cluster="cluster"))
    planned = plan.items(difference=0.05, observed=seen)
    assert planned.assumptions["discordance"] == pytest.approx((a != b).mean(), rel=1e-12)
    assert planned.assumptions["test"] == "t on the differences of clusters"


def test_single_attempts_are_planned_by_the_test_that_will_run():
    rng = np.random.default_rng(6)
    chance = np.clip(rng.random(80) * 0.6 + np.array([[0.25], [0.2]]), 0, 1)
    seen = plan.observe(attempts(chance, 5, rng), "a", "b")
    one, five = (plan.items(difference=0.05, observed=seen, layout=seen.layout(n)) for n in (1, 5))
    assert one.assumptions["test"] == "McNemar"
    run, share = one.answer["items_to_run"], one.assumptions["discordance"]
    assert run == plan.items(difference=0.05, discordance=share).answer["items_to_run"]
    assert one.answer["items_interval"][0] < run < one.answer["items_interval"][1]
    assert five.assumptions["test"].startswith("t ")
    assert five.summary.startswith(f"{five.answer['items_to_run']:,} items with 5 samples each show")
    assert one.summary.startswith(f"{run:,} items show a difference of 5 points with 80 % power")


def test_a_plan_of_samples_has_the_power_of_the_plan_of_items():
    about = {"rates": (0.65, 0.6), "discordance": 0.2}
    split = plan.samples(**about, noise=0.3, item_cost=0, sample_cost=1).answer
    assert split["samples"] == 1
    assert split["items"] == plan.items(**about).answer["items_to_run"] == 658
    assert split["power"] == plan.power(658, **about).answer["power_exact"]


def test_the_studentised_interval_is_withheld_for_its_reason():
    rng = np.random.default_rng(7)
    table = table_of({"a": [1] * 3 + [0] * 27, "b": (rng.random(30) < 0.5).astype(int).tolist()})
    score = next(s for s in rank(table, interval="studentised").entries if s.entry == "a")
    (note,) = [note for note in score.notes if note.code == "degenerate"]
    assert score.interval is None
    assert "2.5 % of the resamples or more have no spread" in note.text


def test_results_with_weights_are_planned_for():
    rng = np.random.default_rng(8)
    a, b = (rng.random((2, 200)) < 0.6).astype(float)
    weight = rng.choice([1.0, 4.0], 200)
    table = table_of({"a": a.tolist(), "b": b.tolist()}, weight=weight.tolist())
    seen = plan.observe(table, "a", "b")
    planned = plan.items(difference=0.05, observed=seen)
    assert "weighted" in codes(planned.notes)
    se = compare(table, "a", "b").comparisons[0].se
    assert planned.answer["items"] == pytest.approx(200 * (2.8016 * se / 0.05) ** 2, rel=0.01)
    even = plan.observe(table_of({"a": a.tolist(), "b": b.tolist()}), "a", "b")
    assert planned.answer["items"] > plan.items(difference=0.05, observed=even).answer["items"]
    score = plan.margin(0.03, observed=plan.observe_score(table, "a"))
    assert "weighted" in codes(score.notes)


def test_an_estimate_at_its_boundary_is_told_with_its_interval():
    rng = np.random.default_rng(2)
    seen = plan.observe(attempts(np.full((2, 40), 0.5), 4, rng), "a", "b", draws=200)
    assert seen.noise == 1
    planned = plan.items(difference=0.1, observed=seen, layout=seen.layout(2))
    (note,) = [note for note in planned.notes if note.code == "boundary"]
    assert "comes from rerunning is estimated at its boundary, 1 (95 % interval 0." in note.text
    with pytest.raises(MethodError, match="a boundary \\(95 % interval 0"):
        plan.samples(difference=0.1, observed=seen, item_cost=3, sample_cost=1)


def test_clusters_that_reach_over_categories_refuse_nothing():
    rng = np.random.default_rng(9)
    scores = {name: (rng.random(60) < p).astype(int).tolist() for name, p in (("a", 0.8), ("b", 0.4))}
    table = table_of(
        scores, category=[f"k{i % 4}" for i in range(60)], cluster=[f"c{i % 7}" for i in range(60)]
    )
    board = rank(table, Estimand(cluster="cluster"), by="category")
    assert len(board.categories) == 4
    assert board.macro is not None or "no-macro" in codes(board.notes)


@pytest.mark.parametrize("scores", [{"a": [1, 1, 0, 1], "b": [1, 1, 0, 1]}, {"a": [1, 1, 1], "b": [0, 1, 0]}])
def test_what_is_null_beside_an_anchor_has_its_note(scores):
    pair = rank(table_of(scores)).entries[1].vs_anchor
    for name in ("correlation", "smallest_visible", "items_to_separate", "se"):
        assert getattr(pair, name) is not None or pair.notes, name
    assert pair.se_unpaired is not None
