"""Several benchmarks: win rates by hand, ranks that cover, what weights decide, and each output."""

from __future__ import annotations

import csv
import json
from itertools import product

import numpy as np
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.report import render
from deadheat.stats.multiple import several_benchmarks as several
from truth.checkers import check
from truth.plain import Case

METHODS = ("win-rate", "borda", "mean", "z")


def attempts_of(rng, entries=5, sizes=(30, 50, 20), lacking=()):
    out = []
    for b, size in enumerate(sizes):
        ease = rng.normal(size=size)
        for entry in range(entries):
            if (entry, b) in lacking:
                continue
            right = rng.normal(size=size) + ease + 0.35 * entry + 0.3 * rng.normal() > 0
            for item in range(size):
                names = {"entry": f"e{entry}", "item": f"b{b}-{item:02}", "category": f"bench{b}"}
                out.append({**names, "score": float(right[item])})
    return out


def table(attempts):
    keys = ("entry", "item", "score", "category")
    return dh.Table.from_frame({key: np.array([x[key] for x in attempts], dtype=object) for key in keys})


def test_the_win_rate_counts_ties_as_halves():
    """Forty-two models: 15 beaten and one tie is .378048780, 21 beaten and one tie .524390244."""
    scores = np.arange(42.0)
    scores[16] = scores[15]
    scores[22] = scores[21]
    rate = several.part(scores, "win-rate")
    assert rate[15] == rate[16] == pytest.approx(0.378048780, abs=5e-10)
    assert rate[21] == rate[22] == pytest.approx(0.524390244, abs=5e-10)
    assert several.part(scores, "borda")[15] == 15.5


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_claims_hold(seed, method):
    attempts = attempts_of(np.random.default_rng(seed), lacking=((0, 1),) if seed == 3 else ())
    board = dh.rank(table(attempts), across=method, draws=500).to_dict()
    board["claims"] = [claim for claim in board["claims"] if claim["code"] == "first-across"]
    assert check(Case(attempts, {}, board)) == ["first-across"]


def test_weights_decide_as_they_say():
    """The least move of weight makes the rival level, and no smaller one makes anyone level."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        parts, weights = rng.normal(size=(4, 3)), rng.dirichlet(np.ones(3))
        moved, rival = several.smallest_move(parts, weights)
        first = int(np.argmax(parts @ weights))
        grid = [
            np.array([a, b, 1 - a - b]) for a, b in product(np.linspace(0, 1, 101), repeat=2) if a + b <= 1
        ]
        needed = [
            0.5 * np.abs(w - weights).sum()
            for w in grid
            if max(np.delete(parts @ w, first)) >= (parts @ w)[first]
        ]
        if rival < 0:
            assert not needed
        else:
            assert moved <= min(needed, default=np.inf) + 1e-9
            assert moved >= min(needed, default=0) - 0.03
        lead = several.can_lead(parts)
        seen = {int(np.argmax(parts @ w)) for w in grid}
        assert seen <= set(np.flatnonzero(lead).tolist())
        assert lead[first]


@pytest.mark.parametrize("ability", [(0.0, 0.15, 0.2, 0.5, 0.9), (0.0, 0.0, 0.0, 0.0, 0.0)])
def test_ranks_cover(ability):
    """All true ranks lie within the intervals on at least 95 % of simulated boards, distinct or equal."""
    rng, hit, replicates = np.random.default_rng(3), 0, 400
    ability = np.array(ability)
    low = 1 + (ability[None, :] > ability[:, None]).sum(axis=1)
    high = 5 - (ability[None, :] < ability[:, None]).sum(axis=1)
    for _ in range(replicates):
        tables, masses = [], []
        for size in (60, 80, 100):
            ease = rng.normal(size=size)
            right = (rng.normal(size=(5, size)) + ease + ability[:, None] > 0).astype(float)
            tables.append(right)
            masses.append(np.ones(size))
        found = several.across(
            tables, masses, np.full(3, 1 / 3), "mean", draws=400, alpha=0.05, rng=np.random.default_rng(0)
        )
        hit += bool(((found.ranks[:, 0] <= low) & (high <= found.ranks[:, 1])).all())
    assert hit / replicates >= 0.95 - 2 * np.sqrt(0.05 * 0.95 / replicates)


@pytest.mark.parametrize(("method", "sizes"), [("win-rate", (30, 50)), ("z", (30, 50)), ("mean", (19, 50))])
def test_what_cannot_be_known_is_withheld(method, sizes):
    """Resampling fails for ranks of win rates and z scores, and for a handful of items."""
    board = dh.rank(table(attempts_of(np.random.default_rng(9), sizes=sizes)), across=method, draws=300)
    assert all(line.rank is None for line in board.across.lines)
    assert (board.across.lines[0].se is None) == (sizes[0] < 20)
    assert "withheld" in board.across.note
    assert "as observed, without a statement of confidence" in board.summary


def test_order_and_names_change_nothing():
    attempts = attempts_of(np.random.default_rng(4))
    first = dh.rank(table(attempts), across="win-rate", draws=300).to_dict()["across"]
    assert dh.rank(table(attempts[::-1]), across="win-rate", draws=300).to_dict()["across"] == first


def test_a_missing_benchmark_is_not_a_zero():
    attempts = attempts_of(np.random.default_rng(5), lacking=((4, 2),))
    made = dh.rank(table(attempts), across="mean", draws=300)
    line = made.across.lines[-1]
    assert (line.entry, line.value, line.missing) == ("e4", None, ("bench2",))
    assert "1 lack a benchmark and have no value" in made.summary


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"across": "median"}, "across is one of"),
        ({"across": "mean", "benchmark_weights": {"bench0": 1}}, "belong to --across weights"),
        ({"across": "weights"}, "belong to --across weights"),
        ({"across": "weights", "benchmark_weights": {"bench0": 1.0}}, "every benchmark once"),
    ],
)
def test_refused(options, words):
    with pytest.raises(dh.MethodError, match=words):
        dh.rank(table(attempts_of(np.random.default_rng(6))), **options)


def test_one_benchmark_is_refused():
    with pytest.raises(dh.DataError, match="found 1 benchmarks"):
        dh.rank(table(attempts_of(np.random.default_rng(6), sizes=(30,))), across="mean")


@pytest.mark.parametrize("form", ["table", "md", "json", "latex", "html"])
@pytest.mark.parametrize("method", METHODS)
def test_every_format_shows_them(form, method):
    board = dh.rank(table(attempts_of(np.random.default_rng(7))), across=method, draws=200, every_pair=True)
    assert "benchmarks" in render(board, form)


def test_folders_are_benchmarks(tmp_path, capsys):
    attempts = attempts_of(np.random.default_rng(8))
    for x in attempts:
        path = tmp_path / x["category"] / f"{x['entry']}.csv"
        path.parent.mkdir(exist_ok=True)
        new = not path.exists()
        with open(path, "a", newline="") as file:
            if new:
                csv.writer(file).writerow(["item", "score"])
            csv.writer(file).writerow([x["item"], x["score"]])
    folders = [str(tmp_path / f"bench{b}") for b in range(3)]
    assert run(["rank", *folders, "--across", "win-rate", "--json", "--quiet", "--draws", "300"]) == 0
    document = json.loads(capsys.readouterr().out)
    plain = dh.rank(table(attempts), across="win-rate", draws=300).to_dict()["across"]
    assert [line["value"] for line in document["across"]["lines"]] == [x["value"] for x in plain["lines"]]
    shares = tmp_path / "weights.json"
    shares.write_text('{"bench0": 2, "bench1": 1, "bench2": 1}')
    assert run(["rank", *folders, "--across", "weights", str(shares), "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["across"]["weights"]["bench0"] == 0.5
