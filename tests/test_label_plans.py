"""Plans of labels: by formula, by simulation, and from real results."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.data.people import Truth
from deadheat.evidence.scores import truth_interval
from deadheat.stats.judged.label_counts import Link, link_of_rates
from deadheat.stats.judged.label_draws import probabilities, systematic, unexplained
from deadheat.stats.judged.prediction_powered import corrected, weighted
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


def answers(rng, items=400, entries=2, labels=60, wrong=(0.02, 0.45)):
    """0/1 answers whose judge is often wrong where it accepts, labelled in part at random, and the truth."""
    truth = rng.random((entries, items)) < 0.6
    judge = np.where(truth, rng.random(truth.shape) > wrong[0], rng.random(truth.shape) < wrong[1])
    has = np.isin(np.arange(items), rng.permutation(items)[:labels])
    human = np.where(has, truth, None).ravel()
    names = np.repeat([f"e{at}" for at in range(entries)], items)
    item = np.tile([f"i{at:04}" for at in range(items)], entries)
    return {"entry": names, "item": item, "score": judge.ravel().astype(float), "human": human}, truth


@pytest.mark.parametrize("labels", [0, 8, 60])
def test_a_sheet_holds_what_it_says(labels):
    columns, _ = answers(np.random.default_rng(labels), labels=labels)
    table = dh.Table.from_frame(columns if labels else {k: v for k, v in columns.items() if k != "human"})
    made = dh.plan.label_sheet(table, 50)
    drawn = {item for _, item, label, _ in made.rows if label is None}
    assert len(drawn) == 50
    assert len(made.rows) == 2 * (50 + labels)
    assert {item for _, item, label, _ in made.rows if label is not None}.isdisjoint(drawn)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    assert check(Case(rows, {}, made.plan.to_dict())) == ["label-sheet"]
    again = dh.plan.label_sheet(table, 50)
    assert (again.rows, dh.plan.label_sheet(table, 50, seed=1).rows == made.rows) == (made.rows, False)


def test_a_sheet_is_filled_in_and_ranked(tmp_path, capsys):
    columns, truth = answers(np.random.default_rng(2))
    path, sheet = tmp_path / "r.csv", tmp_path / "sheet.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(columns)
        out.writerows(
            zip(*(["" if x is None else x for x in column] for column in columns.values()), strict=True)
        )
    asked = ["plan", "labels", "--from", str(path), "--next", "80", "--sheet", str(sheet)]
    assert run(asked) == 0
    assert "80 items are drawn for labelling from 340 without a label" in capsys.readouterr().out
    with sheet.open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["score"] = int(truth[int(row["entry"][1:]), int(row["item"][1:])])
    with sheet.open("w", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows(rows)
    left = [*rows[:-1], {**rows[-1], "score": ""}]
    blank = tmp_path / "blank.csv"
    with blank.open("w", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows(left)
    bare = tmp_path / "bare.csv"
    bare.write_text("\n".join(line.rpartition(",")[0] for line in path.read_text().splitlines()))
    assert run(["rank", str(bare), "--labels", str(blank), "--quiet"]) == 1
    assert "1 of 280 answers of these labels have an inclusion and no label" in capsys.readouterr().err
    assert run(["rank", str(bare), "--labels", str(sheet), "--json", "--quiet"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert "labels-by-known-probabilities" in [note["code"] for note in board["notes"]]
    assert [line["labels"] for line in board["judged"]] == [140, 140]
    assert run(["plan", "labels", "--from", str(path), "--next", "80", "--sheet", str(path)]) == 2
    for words in (["--next", "5"], ["--sheet", str(sheet)], ["--next", "5", "--sheet", str(sheet), "0.05"]):
        assert run(["plan", "labels", *words, "--from", str(path)]) == 2
    assert run(["plan", "labels", "--next", "5", "--sheet", str(sheet)]) == 2
    assert run(["plan", "labels", "--from", str(path), "--next", "999", "--sheet", str(sheet)]) == 1
    assert "340 items have no label yet" in capsys.readouterr().err


@pytest.mark.parametrize("graded", [True, False])
def test_labels_of_a_sheet_are_unbiased(graded):
    """1,000 results: no bias in scores or differences, intervals that hold, no loss beside equal draws."""
    rng, items, first, more = np.random.default_rng(7), 400, 50, 50
    off, held, alike = [], [], []
    every = np.ones((2, items), bool)
    for _ in range(1000):
        chance = rng.beta(0.4, 0.3, size=(2, items)) if graded else np.full((2, items), 4 / 7)
        people = (rng.random((2, items)) < chance).astype(float)
        judge = chance if graded else np.where(people > 0, 1.0, rng.random((2, items)) < 0.35)
        has = np.isin(np.arange(items), rng.permutation(items)[:first])
        size = np.sqrt(np.mean([unexplained(judge[row], people[row], has) for row in (0, 1)], axis=0))
        second = probabilities(size, more, ~has)
        drawn = ~has
        drawn[drawn] = systematic(second[drawn], rng)
        inclusion = first / items + (1 - first / items) * second
        where = np.broadcast_to(has | drawn, every.shape)
        found = weighted(judge, people, every, where, np.broadcast_to(inclusion, every.shape))
        ends = truth_interval(Truth(found.value, found.se, found.se, where.sum(axis=1)), 0.95, rates=True)
        gap = found.values[0] - found.values[1]
        off.append([found.value[0] - 4 / 7, gap.mean()])
        held.append([ends.low[0] < 4 / 7 < ends.high[0], abs(gap.mean()) < 1.97 * gap.std() / np.sqrt(items)])
        where = np.broadcast_to(
            np.isin(np.arange(items), rng.permutation(items)[: first + more]), every.shape
        )
        plain = weighted(judge, people, every, where, np.full(every.shape, (first + more) / items))
        alike.append(plain.value[0] - plain.value[1])
    mean, error = np.mean(off, axis=0), np.std(off, axis=0) / np.sqrt(len(off))
    assert np.all(np.abs(mean) < 4 * error), (mean, error)
    assert np.all((np.mean(held, axis=0) > 0.92) & (np.mean(held, axis=0) < 0.985)), np.mean(held, axis=0)
    assert np.std(off, axis=0)[1] / np.std(alike) < 1.02


@pytest.mark.parametrize("number", [1, 30, 90, 100])
def test_a_systematic_draw_has_its_probabilities(number):
    rng = np.random.default_rng(number)
    size = rng.exponential(size=100) ** 2
    chance = probabilities(size, number, np.ones(100, bool))
    assert chance.sum() == pytest.approx(number)
    assert (chance.min() > 0, chance.max() <= 1) == (True, True)
    assert (size**2 / chance).sum() <= (size**2).sum() * 100 / number + 1e-9  # never worse than all alike
    drawn = np.array([systematic(chance, rng) for _ in range(4000)])
    assert set(drawn.sum(axis=1)) == {number}
    assert np.all(np.abs(drawn.mean(axis=0) - chance) <= 5 * np.sqrt(chance * (1 - chance) / 4000) + 1e-9)
