"""Score against cost: reference values, properties, simulation, and what each output says."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.readers.base import Options
from deadheat.report import render
from deadheat.stats.multiple.frontier import cost_ratio, frontier
from deadheat.stats.paired.mcnemar import mcnemar_exact
from support import NEEDS_SHARED, SHARED, shared_json
from truth.checkers import check
from truth.plain import Case

FORMS = ("table", "md", "csv", "json", "latex", "html", "methods")


def attempts_of(rng, entries=6, items=60, unknown=()):
    ease = rng.normal(size=items)
    price = rng.uniform(0.1, 3, entries)
    out = []
    for entry in range(entries):
        right = rng.normal(size=items) + ease + 0.5 * entry > 0
        for item in range(items):
            paid = None if entry in unknown else round(float(price[entry] * rng.gamma(2.0)), 4)
            out.append(
                {"entry": f"e{entry}", "item": f"i{item:02}", "score": float(right[item]), "cost": paid}
            )
    return out


def table(attempts):
    keys = ("entry", "item", "score", "cost")
    return dh.Table.from_frame({key: np.array([x[key] for x in attempts], dtype=object) for key in keys})


@NEEDS_SHARED
def test_reference_values():
    """`next.json`: the observed frontier by two programs, and 17 entries that may be on it."""
    told = shared_json("reference/next.json")["cost"]
    made = dh.rank(str(SHARED / "data/swebench_site/results.csv.gz"), cost="cost").cost
    observed = [entry.split("_")[-1] for entry in made.observed]
    assert sorted(observed) == sorted(told["observed frontier"])
    assert len(made.possible) == int(told["simultaneous set"].split()[0])


@NEEDS_SHARED
def test_the_site_itself_carries_costs():
    site = str(SHARED / "data/swebench_site/leaderboards_20260226.json")
    made = dh.rank(dh.read(site, options=Options(board="bash-only")), cost="cost").cost
    assert len(made.observed) == 3
    assert not made.unknown


@pytest.mark.parametrize("seed", range(8))
def test_claims_hold(seed):
    rng = np.random.default_rng(seed)
    attempts = attempts_of(rng, int(rng.integers(2, 9)), unknown=(0,) if seed % 3 == 2 else ())
    board = dh.rank(table(attempts), cost="cost")
    document = board.to_dict()
    document["claims"] = [claim for claim in document["claims"] if claim["code"] == "cost-frontier"]
    assert check(Case(attempts, {}, document)) == ["cost-frontier"]
    if seed % 3 != 2:
        pair = dh.compare(table(attempts), "e1", "e0", cost="cost").to_dict()
        pair["claims"] = [claim for claim in pair["claims"] if claim["code"] == "cost-ratio"]
        assert check(Case(attempts, {}, pair)) == ["cost-ratio"]


def test_a_true_member_is_rarely_missed():
    """Equal entries at different prices: the dearest ones are on the true frontier's edge of being beaten."""
    rng, missed, replicates = np.random.default_rng(1), 0, 1_000
    cost = np.arange(1.0, 7.0)
    for _ in range(replicates):
        values = (rng.normal(size=(6, 120)) + rng.normal(size=120) > 0).astype(float)
        difference = values[:, None] - values[None, :]
        b, c = (difference > 0).sum(axis=2), (difference < 0).sum(axis=2)
        p = mcnemar_exact(b, c).p
        above = np.where(b.T > c.T, p / 2, 1.0)
        missed += not frontier(values.mean(axis=1), cost, above, 0.05).possible.all()
    assert missed / replicates <= 0.05


def test_ratio_of_costs_covers():
    rng, hit = np.random.default_rng(2), 0
    for _ in range(1_000):
        ease = rng.gamma(2.0, size=150)
        a, b = ease * rng.gamma(3.0, size=150) * 0.4, ease * rng.gamma(3.0, size=150)
        found = cost_ratio(a, b, 0.95)
        hit += found.low <= 0.4 <= found.high
    assert 0.93 <= hit / 1_000 <= 0.97
    turned = cost_ratio(b, a, 0.95)
    straight = cost_ratio(a, b, 0.95)
    assert (turned.value, turned.low, turned.p) == pytest.approx(
        (1 / straight.value, 1 / straight.high, straight.p)
    )


def test_unknown_cost_is_not_free():
    attempts = attempts_of(np.random.default_rng(3), unknown=(5,))
    board = dh.rank(table(attempts), cost="cost")
    assert board.cost.unknown == ("e5",)
    assert "e5" not in board.cost.possible
    assert "the cost of 1 entry is unknown" in board.summary


def test_order_and_names_change_nothing():
    attempts = attempts_of(np.random.default_rng(4))
    first = dh.rank(table(attempts), cost="cost").to_dict()["cost"]
    assert dh.rank(table(attempts[::-1]), cost="cost").to_dict()["cost"] == first


def test_lower_is_better_turns_the_frontier():
    attempts = attempts_of(np.random.default_rng(5))
    turned = [{**x, "score": 1 - x["score"]} for x in attempts]
    plain = dh.rank(table(attempts), cost="cost").cost
    other = dh.rank(table(turned), dh.Estimand(lower_is_better=True), cost="cost").cost
    assert other.observed == plain.observed
    assert other.possible == plain.possible


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [("price", 1.0, "no column 'price' of costs"), ("cost", -1.0, "0 or more"), ("cost", "dear", "'dear'")],
)
def test_refused(column, value, words):
    attempts = attempts_of(np.random.default_rng(6))
    attempts[0]["cost"] = value
    with pytest.raises((dh.DataError, dh.MethodError), match=words):
        dh.rank(table(attempts), cost=column)


def test_compare_says_who_is_cheaper(tmp_path, capsys):
    attempts = attempts_of(np.random.default_rng(7))
    cheap = [{**x, "cost": x["cost"] * 0.4} if x["entry"] == "e5" else {**x, "cost": 2.0} for x in attempts]
    made = dh.compare(table(cheap), "e5", "e4", cost="cost")
    assert made.comparisons[0].cost.verdict == "cheaper"
    assert "By cost, e5 costs" in made.summary
    assert "e5 is the cheaper one" in made.summary


@pytest.mark.parametrize("form", FORMS)
def test_every_format_shows_costs(form):
    board = dh.rank(table(attempts_of(np.random.default_rng(8))), cost="cost", every_pair=True)
    text = render(board, form)
    assert "frontier" in text.lower() or form in ("csv", "methods")


def test_the_command_and_the_figure(tmp_path, capsys):
    path = tmp_path / "board.csv"
    rows = [",".join(map(str, x.values())) for x in attempts_of(np.random.default_rng(9))]
    path.write_text("\n".join(["entry,item,score,cost", *rows]))
    assert run(["rank", str(path), "--cost", "cost", "--json", "--quiet"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cost"]["column"] == "cost"
    assert (
        run(["compare", str(path), "--candidate", "e1", "--against", "e0", "--cost", "cost", "--quiet"]) == 0
    )
    assert "cost of A, share of B" in capsys.readouterr().out
    board = dh.rank(str(path), cost="cost")
    assert len(board.plot("costs").lines) > 6
    with pytest.raises(dh.MethodError, match="cost=COLUMN"):
        dh.rank(str(path)).plot("costs")
