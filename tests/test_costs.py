"""Score against cost: reference values, properties, simulation, and what each output says."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

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
    assert set(made.possible) < set(made.possible_with_error)


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
        dearer = (cost[None, :] > cost[:, None]).astype(float)
        missed += not frontier(values.mean(axis=1), cost, above, dearer, 0.05).possible.all()
    assert missed / replicates <= 0.05


@pytest.mark.parametrize("gap", [0.01, 0.1])
def test_a_truly_cheaper_entry_stays_where_costs_have_errors(gap):
    """The other one is far better and a little dearer: at the costs paid it often looks cheaper."""
    rng, paid, drawn, replicates, items = np.random.default_rng(3), 0, 0, 2_000, 200
    for _ in range(replicates):
        right = rng.normal(size=(2, items)) + rng.normal(size=items) + np.array([[0], [1.0]]) > 0
        cost = rng.gamma(3.0, 1 / 3, size=(2, items)) * np.array([[1.0], [1 + gap]])
        wins = int((right[1] & ~right[0]).sum()), int((right[0] & ~right[1]).sum())
        above = np.array([[1.0, mcnemar_exact(*wins).p / 2 if wins[0] > wins[1] else 1.0], [1.0, 1.0]])
        saved = cost[0] - cost[1]
        t = saved.mean() / saved.std(ddof=1) * np.sqrt(items)
        mean, score = cost.mean(axis=1), right.mean(axis=1)
        as_paid = (mean[None, :] > mean[:, None]).astype(float)
        less = np.array([[1.0, stats.t.sf(t, items - 1)], [stats.t.cdf(t, items - 1), 1.0]])
        paid += not frontier(score, mean, above, as_paid, 0.05).possible[0]
        drawn += not frontier(score, mean, above, less, 0.05).possible[0]
    assert drawn / replicates <= 0.05
    assert paid / replicates > 2 * drawn / replicates


def test_totals_and_means_of_several_samples():
    """The total is of all attempts, the mean of items; unknown costs are counted, and all zero is said."""
    frame = {
        "entry": ["a"] * 5 + ["b"] * 4,
        "item": ["x", "x", "y", "y", "z", "x", "x", "y", "y"],
        "sample": [1, 2, 1, 2, 1, 1, 2, 1, 2],
        "score": [1, 0, 1, 1, 0, 0, 0, 1, 0],
        "cost": [1.0, 3.0, 100.0, 101.0, None, 2.0, 2.0, 4.0, 4.0],
    }
    board = dh.rank(dh.Table.from_frame(frame), cost="cost")
    a, b = board.cost.lines
    assert (a.total, a.cost, a.items, a.without) == (205.0, 51.25, 2, 1)
    assert (b.total, b.cost, b.items, b.without) == (12.0, 3.0, 2, 0)
    assert "costs-in-part" in [note.code for note in board.notes]
    free = dh.rank(dh.Table.from_frame(frame | {"cost": [0.0] * 9}), cost="cost")
    assert "costs-of-nothing" in [note.code for note in free.notes]


def test_clusters_reach_costs():
    """Twins of every item double no evidence, for the error of a mean cost and of a ratio."""
    attempts = attempts_of(np.random.default_rng(9), entries=3, items=40)
    twins = [x | {"item": f"{x['item']}-{at}", "twin": x["item"]} for x in attempts for at in (1, 2)]
    keys = ("entry", "item", "score", "cost", "twin")
    doubled = dh.Table.from_frame({key: np.array([x[key] for x in twins], dtype=object) for key in keys})
    plain, clustered = (
        dh.rank(table(attempts), cost="cost"),
        dh.rank(doubled, dh.Estimand(cluster="twin"), cost="cost"),
    )
    assert [x.se for x in clustered.cost.lines] == pytest.approx([x.se for x in plain.cost.lines])
    one = dh.compare(table(attempts), "e1", "e0", cost="cost").comparisons[0].cost
    two = dh.compare(doubled, "e1", "e0", dh.Estimand(cluster="twin"), cost="cost").comparisons[0].cost
    assert (two.ratio, two.interval.low, two.p) == pytest.approx((one.ratio, one.interval.low, one.p))


def test_one_price_per_entry_has_no_error():
    attempts = attempts_of(np.random.default_rng(10), entries=3)
    priced = [x | {"cost": {"e0": 2.0, "e1": 0.5, "e2": 2.0}[x["entry"]]} for x in attempts]
    cheap = dh.compare(table(priced), "e1", "e0", cost="cost")
    assert cheap.comparisons[0].cost.verdict == "cheaper"
    assert "e1 costs 25 % of e0 on 60 items, at one price each" in cheap.summary
    same = dh.compare(table(priced), "e2", "e0", cost="cost")
    assert same.comparisons[0].cost.verdict == "not separated"
    assert "costs as much as e0" in same.summary


@pytest.mark.parametrize(
    ("lead", "price", "margin", "words"),
    [
        (1.5, 0.4, None, "e1 is both better and cheaper"),
        (1.5, 2.5, None, "e0 is cheaper, and e1 is better"),
        (0.0, 0.4, None, "e1 is cheaper, and neither is shown to be better"),
        (0.0, 0.4, 0.2, "e1 is as good as e0 within 20.0 points, at 3"),
        (0.0, 1.0, None, "Neither is shown to be better or cheaper"),
        (1.5, 1.0, None, "e1 is better, and neither is shown to be cheaper"),
    ],
)
def test_score_and_cost_in_one_sentence(lead, price, margin, words):
    rng = np.random.default_rng(11)
    ease, attempts = rng.normal(size=300), []
    for entry, (level, factor) in {"e0": (0.0, 1.0), "e1": (lead, price)}.items():
        right, paid = rng.normal(size=300) / 2 + ease + level > 0, factor * rng.gamma(4.0, size=300)
        attempts += [
            {"entry": entry, "item": f"i{at}", "score": float(right[at]), "cost": float(paid[at])}
            for at in range(300)
        ]
    made = dh.compare(table(attempts), "e1", "e0", cost="cost", margin=margin)
    assert words in made.summary
    document = made.to_dict()
    assert "score-and-cost" in check(Case(attempts, {"margin": margin}, document))


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
    assert "cheaper" in made.summary


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
