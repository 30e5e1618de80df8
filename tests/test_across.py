"""Several benchmarks: win rates by hand, ranks that cover, what weights decide, and each output."""

from __future__ import annotations

import csv
import json
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.cli.main import run
from deadheat.report import render
from deadheat.stats.multiple import several_benchmarks as several
from deadheat.stats.paired.mcnemar import mcnemar_exact
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


@pytest.mark.parametrize(
    ("ability", "sizes"),
    [((0.0, 0.15, 0.2, 0.5, 0.9), (60, 80, 100)), ((0.0,) * 20, (50,) * 10), ((0.0,) * 20, (20,) * 5)],
)
def test_ranks_cover(ability, sizes):
    """All true ranks lie within the intervals on at least 95 % of simulated boards, distinct or equal."""
    rng, means, wins, replicates = np.random.default_rng(3), 0, 0, 300
    ability, codes = np.array(ability), np.repeat(np.arange(len(sizes)), sizes)
    low = 1 + (ability[None, :] > ability[:, None]).sum(axis=1)
    high = len(ability) - (ability[None, :] < ability[:, None]).sum(axis=1)
    weights = np.full(len(sizes), 1 / len(sizes))
    for _ in range(replicates):
        noise = rng.normal(size=(len(ability), len(codes))) + rng.normal(size=len(codes))
        right = (noise + ability[:, None] > 0).astype(float)
        found = several.of_means(right, codes, None, weights, 0.05).ranks
        means += bool(((found[:, 0] <= low) & (high <= found[:, 1])).all())
        parts = [right[:, codes == at] for at in range(len(sizes))]
        only = np.array([x @ (1 - x).T for x in parts]).astype(int)
        p = mcnemar_exact(only, only.transpose(0, 2, 1)).p
        found = several.ranks_of_wins(p, only - only.transpose(0, 2, 1), 0.05)
        wins += bool(((found[:, 0] <= low) & (high <= found[:, 1])).all())
    least = 0.95 - 2 * np.sqrt(0.05 * 0.95 / replicates)
    assert means / replicates >= least
    assert wins / replicates >= least


def test_clear_boards_have_narrow_ranks():
    """Five entries far apart: every win is known, and so is every rank, by wins as by means."""
    board = dh.rank(table(attempts_of(np.random.default_rng(1), sizes=(300, 300, 300))), across="mean")
    assert all(line.rank is not None for line in board.across.lines)
    p, lead = np.full((2, 5, 5), 1e-9), np.subtract.outer(np.arange(5.0), np.arange(5.0))
    found = several.ranks_of_wins(p, np.array([lead, lead]), 0.05)
    assert found.tolist() == [[5, 5], [4, 4], [3, 3], [2, 2], [1, 1]]
    turned = several.ranks_of_wins(p, np.array([lead, -lead]), 0.05)
    assert turned.tolist() == [[1, 5]] * 5


def test_bounds_of_wins_are_those_of_all_completions():
    """Against every order of the entries on each benchmark that agrees with what is known."""
    rng, orders = np.random.default_rng(8), list(permutations(range(4)))
    for _ in range(30):
        known = [rng.choice(orders) for _ in range(2)]
        p = np.ones((2, 4, 4))
        lead = np.zeros((2, 4, 4))
        for b, order in enumerate(known):
            place = np.argsort(order)
            lead[b] = place[None, :] - place[:, None]
            for i, j in permutations(range(4), 2):
                if abs(place[i] - place[j]) > rng.integers(0, 3):
                    p[b, i, j] = p[b, j, i] = 1e-9
        able = [
            [
                np.argsort(o)
                for o in orders
                if all(
                    (np.argsort(o)[j] - np.argsort(o)[i]) * lead[b, i, j] > 0
                    for i, j in permutations(range(4), 2)
                    if p[b, i, j] < 0.01
                )
            ]
            for b in range(2)
        ]
        rates = np.array([3 - first + 3 - second for first in able[0] for second in able[1]])
        ranks = several.ranks_of_wins(p, lead, 0.05)
        for i in range(4):
            place = 1 + (rates > rates[:, [i]]).sum(axis=1)
            last = 4 - (rates < rates[:, [i]]).sum(axis=1)
            assert ranks[i, 0] <= place.min()
            assert ranks[i, 1] >= last.max()


@pytest.mark.parametrize(
    ("method", "sizes", "se", "ranks"),
    [
        ("win-rate", (30, 50), True, True),
        ("win-rate", (19, 50), False, True),
        ("borda", (30, 50), True, True),
        ("z", (30, 50), True, False),
        ("mean", (5, 50), True, True),
        ("mean", (1, 50), False, False),
    ],
)
def test_what_cannot_be_known_is_withheld(method, sizes, se, ranks):
    board = dh.rank(table(attempts_of(np.random.default_rng(9), sizes=sizes)), across=method, draws=300)
    assert {line.rank is not None for line in board.across.lines} == {ranks}
    assert (board.across.lines[0].se is not None) == se
    assert (board.across.note is None) == (se and ranks)
    assert ("as observed, without a statement of confidence" in board.summary) != ranks


def test_new_benchmarks_are_what_is_drawn():
    """The paired t-test over benchmarks: few of them say little, whatever their items say."""
    attempts = attempts_of(np.random.default_rng(12), entries=3, sizes=(60,) * 6)
    made = dh.rank(table(attempts), across="mean", new_benchmarks=True)
    parts = {line.entry: np.array(list(line.parts.values())) for line in made.across.lines}
    assert made.across.lines[0].se == pytest.approx(stats.sem(parts[made.across.first]))
    assert made.across.drawn
    with pytest.raises(dh.MethodError, match="--new-benchmarks needs --across"):
        dh.rank(table(attempts), new_benchmarks=True)


def test_folders_keep_costs_clusters_and_samples(tmp_path):
    """Benchmarks given folder by folder become one table with all that each attempt carries."""
    for name in ("maths", "code"):
        (tmp_path / name).mkdir()
        rng = np.random.default_rng(len(name))
        rows = [
            f"{e},q{i},{s},{int(rng.random() < 0.5)},{i // 5},{rng.random():.3f}"
            for e in "ab"
            for i in range(30)
            for s in (1, 2)
        ]
        text = "\n".join(["entry,item,sample,score,passage,dollars", *rows])
        (tmp_path / name / "results.csv").write_text(text)
    folders, out = [str(tmp_path / name) for name in ("maths", "code")], tmp_path / "board.json"
    words = [
        "--across",
        "mean",
        "--cost",
        "dollars",
        "--cluster",
        "passage",
        "--quiet",
        "--json",
        "-o",
        str(out),
    ]
    assert run(["rank", *folders, *words]) == 0
    board = json.loads(out.read_text())
    assert board["across"]["weights"] == {"maths": 0.5, "code": 0.5} or set(board["across"]["weights"]) == {
        "maths",
        "code",
    }
    assert board["provenance"]["read"] == 240
    assert len(board["provenance"]["files"]) == 2
    assert all(line["total"] > 20 for line in board["cost"]["lines"])
    assert board["estimand"]["cluster"] == "passage"


def test_order_and_names_change_nothing():
    attempts = attempts_of(np.random.default_rng(4))
    first = dh.rank(table(attempts), across="win-rate", draws=300).to_dict()["across"]
    assert dh.rank(table(attempts[::-1]), across="win-rate", draws=300).to_dict()["across"] == first


def test_entries_that_are_level_are_said_to_be():
    attempts = [{**x, "score": 1.0} for x in attempts_of(np.random.default_rng(1))]
    made = dh.rank(table(attempts), across="mean", draws=100)
    assert made.across.moved == 0
    assert "level with e" in made.summary
    assert "under any weights" not in made.summary


def test_a_missing_benchmark_is_not_a_zero():
    attempts = attempts_of(np.random.default_rng(5), lacking=((4, 2),))
    made = dh.rank(table(attempts), across="mean", draws=300)
    line = made.across.lines[-1]
    assert (line.entry, line.value, line.missing) == ("e4", None, ("bench2",))
    assert "1 lacks a benchmark and has no value" in made.summary
    own = [line.parts["bench0"], line.parts["bench1"]]
    assert line.bounds == pytest.approx((sum(own) / 3, (sum(own) + 1) / 3))
    usual = np.array([list(other.parts.values()) for other in made.across.lines[:-1]]).mean(axis=0)
    expected = usual[2] + np.mean(np.array(own) - usual[:2])
    assert line.fitted == pytest.approx((sum(own) + expected) / 3)
    rate = dh.rank(table(attempts), across="win-rate", draws=300).across.lines[-1]
    assert rate.bounds == pytest.approx((sum(rate.parts.values()) / 3, (sum(rate.parts.values()) + 1) / 3))
    assert rate.fitted is None


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


def test_benchmarks_that_run_either_way_are_refused(tmp_path, capsys):
    for name, column in (("quality", "accuracy"), ("speech", "wer")):
        for entry in ("a", "b"):
            path = tmp_path / name / f"{entry}.csv"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"item,{column}\n" + "".join(f"{i},{(i % 4) / 4}\n" for i in range(30)))
    folders = [str(tmp_path / name) for name in ("quality", "speech")]
    assert run(["rank", *folders, "--across", "mean", "--quiet"]) == 1
    told = capsys.readouterr().err
    assert "lower is better in speech, and higher in quality" in told
