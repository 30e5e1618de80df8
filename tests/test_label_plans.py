"""Plans of labels: by formula, by simulation, and from real results."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.stats.judged.label_counts import Link, link_of_rates
from deadheat.stats.judged.prediction_powered import corrected
from truth.checkers import check
from truth.plain import Case

GIVEN = {"rate": 0.7, "sensitivity": 0.9, "specificity": 0.8}
PRICES = {"label_cost": 1.0, "item_cost": 0.02}


@pytest.mark.parametrize(
    "asked",
    [
        {"half_width": 0.05, "items": 500},
        {"half_width": 0.05},
        {"half_width": 0.02, "items": 500},
        {"half_width": 0.05, "items": 800, "level": 0.9, **PRICES},
        {"half_width": 0.05, "label_cost": 0.01, "item_cost": 1.0},
        {"budget": 200.0, **PRICES},
        {"budget": 200.0, "label_cost": 0.1, "item_cost": 2.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("judge", [(0.9, 0.8), (0.99, 0.99), (0.6, 0.4), (1.0, 0.5), (1.0, 1.0)])
def test_claims_hold(asked, judge):
    given = {"rate": 0.7, "sensitivity": judge[0], "specificity": judge[1]}
    made = dh.plan.labels(**asked, **given)
    assert len(check(Case([], {**asked, **given}, made.to_dict()))) == 1


@pytest.mark.parametrize("judge", [(0.9, 0.8), (0.7, 0.6)])
def test_the_error_is_what_is_planned(judge):
    """Half-widths of simulated corrected scores are those of the formula."""
    rng, rate, items, labels = np.random.default_rng(5), 0.7, 1_000, 150
    truth = (rng.random((4_000, items)) < rate).astype(float)
    luck = rng.random(truth.shape)
    scores = np.where(truth == 1, luck < judge[0], luck > judge[1]).astype(float)
    labelled = np.broadcast_to(np.arange(items) < labels, truth.shape)
    value = corrected(scores, truth, np.ones_like(labelled), labelled).value
    expected = np.sqrt(link_of_rates(rate, *judge).variance(labels, items))
    assert value.std() == pytest.approx(expected, rel=0.04)
    assert value.mean() == pytest.approx(rate, abs=4 * expected / np.sqrt(4_000))


def test_ends():
    """A perfect judge needs no labels but for checking, a useless one as many as without it."""
    assert Link(0.5, 1.0).labels(0.01, 100) == 2
    assert Link(0.5, 0.0).labels(0.01, 100) == pytest.approx(25)
    assert dh.plan.labels(0.1, rate=0.5, sensitivity=1, specificity=1, items=500).answer["labels"] == 2
    few = dh.plan.labels(0.02, rate=0.7, sensitivity=1, specificity=1, items=100)
    assert few.answer["labels"] is None  # labels of all 100 items leave the error of 100 items
    assert dh.plan.labels(0.02, rate=0.7, sensitivity=1, specificity=1, items=2018).answer["labels"] == 2
    useless = dh.plan.labels(0.05, rate=0.5, sensitivity=0.5, specificity=0.5).answer
    assert useless["labels"] == useless["labels_alone"] == 385


def judged(seed=0, items=400, labels=120):
    rng = np.random.default_rng(seed)
    right = rng.random((2, items)) < np.array([[0.7], [0.6]])
    scores = np.where(rng.random(right.shape) < 0.15, ~right, right).astype(float)
    human = np.where(np.arange(items) < labels, right.astype(float), np.nan)
    return dh.Table.from_frame(
        {
            "entry": np.repeat(["a", "b"], items),
            "item": np.tile([f"i{at:03}" for at in range(items)], 2),
            "score": scores.ravel(),
            "human": np.array([None if np.isnan(x) else str(int(x)) for x in human.ravel()], dtype=object),
        }
    )


def test_real_results_say_how_judge_and_people_go_together():
    table = judged()
    seen = dh.plan.observe_labels(table, ("a",))
    (score,) = (line for line in dh.rank(table).entries if line.entry == "a")
    assert np.sqrt(seen.link.variance(120, 400)) == pytest.approx(score.se, rel=0.05)
    planned = dh.plan.labels(0.05, observed=seen)
    low, high = planned.answer["labels_interval"]
    assert low <= planned.answer["labels"]
    assert high is None or planned.answer["labels"] <= high
    pair = dh.plan.observe_labels(table, ("a", "b"))
    difference = dh.compare(table, "a", "b").comparisons[0]
    assert np.sqrt(pair.link.variance(120, 400)) == pytest.approx(difference.se, rel=0.06)
    assert dh.plan.observe_labels(table).entries in (("a",), ("b",))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"half_width": 0.05, "budget": 9, **GIVEN, **PRICES}, "found both or neither"),
        ({**GIVEN}, "found both or neither"),
        ({"half_width": 0.05}, "takes --rate, --sensitivity and --specificity"),
        ({"half_width": 0.05, **GIVEN, "label_cost": 1}, "needs both prices"),
        ({"half_width": 0.05, **GIVEN, "specificity": 0.05}, "below 1"),
        ({"half_width": -1, **GIVEN}, "must be a number above 0"),
        ({"budget": 1, **GIVEN, **PRICES}, "fewer than 2 labels"),
        ({"half_width": 0.05, **GIVEN, "items": 0}, "at least 1"),
    ],
)
def test_refused(asked, words):
    with pytest.raises(dh.MethodError, match=words):
        dh.plan.labels(**asked)


def test_results_without_labels_are_refused():
    frame = {"entry": ["a", "a"], "item": ["x", "y"], "score": [1, 0]}
    with pytest.raises(dh.DataError, match="no labels of people here"):
        dh.plan.observe_labels(dh.Table.from_frame(frame))
    with pytest.raises(dh.DataError, match="needs 10 labels that differ"):
        dh.plan.observe_labels(judged(labels=5))
    with pytest.raises(dh.DataError, match="one entry or two"):
        dh.plan.observe_labels(judged(), ("nobody",))


def test_the_command(tmp_path, capsys):
    words = ["--rate", "0.7", "--sensitivity", "0.9", "--specificity", "0.8", "--items", "500"]
    assert run(["plan", "labels", "0.05", *words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)["answer"]
    assert (answer["labels"], answer["labels_alone"]) == (243, 323)
    assert run(["plan", "labels", "0.05"]) == 2 or run(["plan", "labels", "0.05"]) == 1
    assert "--rate, --sensitivity and --specificity" in capsys.readouterr().err
