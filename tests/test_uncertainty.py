"""The estimand end to end: repeated samples, clusters, failures, and what a number is about."""

import json

import numpy as np
import pytest

from deadheat.cli.main import run
from deadheat.data.panel import panel
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.readers import read
from deadheat.stats.score.binomial import wilson
from support import NEEDS_SHARED, SHARED, shared_json, table_of


def sampled(scores, **columns):
    """Make a table of entry -> item -> list of scores; None is an attempt that failed."""
    rows = [
        (
            entry,
            f"i{i:03d}",
            str(s),
            np.nan if score is None else score,
            "scored" if score is not None else "failed",
            i,
        )
        for entry, items in scores.items()
        for i, samples in enumerate(items)
        for s, score in enumerate(samples)
    ]
    made = dict(
        zip(("entry", "item", "sample", "score", "status", "at"), zip(*rows, strict=True), strict=True)
    )
    at = made.pop("at")
    extra = {name: np.array([values[i] for i in at], dtype=object) for name, values in columns.items()}
    arrays = {name: np.array(column, dtype=object) for name, column in made.items()}
    return Table.from_columns(arrays | {"score": np.array(made["score"], dtype=float)} | extra)


def random_samples(seed, entries=3, items=30, samples=4):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 1, items)
    return {f"e{e}": rng.binomial(1, p, (samples, items)).T.tolist() for e in range(entries)}


def data(name, entry=None):
    return read([str(SHARED / "data" / name / "results.csv.gz")])


# -- the public faults of peers ---------------------------------------------------------------------------


def test_thirty_items_asked_ten_times_are_thirty():
    board = rank(sampled({"a": [[i % 2] * 10 for i in range(30)], "b": [[1, 0] * 5 for _ in range(30)]}))
    errors = {score.entry: score.se for score in board.entries}
    assert errors["a"] == pytest.approx(0.0928, abs=1e-4)  # a peer prints .029
    assert [score.samples for score in board.entries] == [300, 300]


def test_twenty_of_twenty_against_none_is_a_difference():
    for samples in (1, 5):
        board = rank(sampled({"a": [[1] * samples] * 20, "b": [[0] * samples] * 20}))
        versus = next(s.vs_anchor for s in board.entries if s.entry == "b")
        assert versus.p == pytest.approx(2.0**-19, rel=1e-9)  # a peer's paired t says p = 1
        assert versus.verdict == "b"


def test_boundaries_keep_an_interval_and_withhold_the_error():
    board = rank(sampled({"a": [[1] * 3] * 20, "b": [[0, 1, 0]] * 20}))
    top = board.entries[0]
    assert top.se is None
    assert top.notes[0].code == "boundary"
    assert top.interval.high == 1.0
    assert 0.7 < top.interval.low < 0.9


def test_too_few_samples_are_refused_with_their_count_or_left_out_and_counted():
    table = sampled({"a": [[1, 0, 1], [1], [0, 0, 1]], "b": [[1, 1, 1], [0, 1, 0], [0, 1, 1]]})
    with pytest.raises(MethodError, match=r"at least 2 samples.*1 of 6"):
        rank(table, Estimand(metric="pass@k", k=2))
    board = rank(table, Estimand(metric="pass@k", k=2, drop_short=True))
    assert board.provenance.excluded == 1
    assert {note.code for note in board.notes} >= {"short-items"}
    assert {score.entry: score.items for score in board.entries} == {"a": 2, "b": 3}
    assert board.methods.interval == "score"


def test_different_numbers_of_samples_share_a_board_with_a_note():
    table = sampled({"a": [[1, 0, 1, 1], [1, 0, 0, 0]], "b": [[1, 1], [0, 1]]})
    board = rank(table, Estimand(metric="pass@k", k=2))
    assert "unequal-samples" in {note.code for note in board.notes}
    assert {s.entry: s.value for s in board.entries}["a"] == pytest.approx((1 + 0.5) / 2, rel=1e-15)


def test_pass_at_k_of_fractional_scores_is_refused():
    with pytest.raises(MethodError, match="0/1 scores"):
        rank(sampled({"a": [[0.5, 1], [0, 0.25]], "b": [[1, 1], [0, 0]]}), Estimand(metric="pass^k", k=2))


# -- two errors ------------------------------------------------------------------------------------------


def test_both_errors_are_those_of_either_estimand():
    table = sampled(random_samples(1))
    both = rank(table, also=["both-errors"]).both_errors
    for name in ("items", "reruns"):
        board = rank(table, Estimand(generalises_to=name))
        for score in board.entries:
            line = getattr(next(e for e in both if e.entry == score.entry), name)
            assert line.se == score.se
            assert line.interval == score.interval


def test_reruns_speak_of_these_items():
    scores = random_samples(2)
    board = rank(sampled(scores), Estimand(generalises_to="reruns"))
    assert board.methods.test == "rerun-t"
    for score in board.entries:
        x = np.array(scores[score.entry], dtype=float)
        expected = np.sqrt((x.var(axis=1, ddof=1) / x.shape[1]).sum()) / len(x)
        assert score.se == pytest.approx(expected, rel=1e-12)
    a, b = (np.array(scores[s.entry], dtype=float) for s in board.entries[:2])
    gap = board.entries[1].vs_anchor
    within = sum((x.var(axis=1, ddof=1) / x.shape[1]).sum() for x in (a, b))
    assert gap.se == pytest.approx(np.sqrt(within) / len(a), rel=1e-12)
    assert gap.interval.method == "rerun-t"


def test_reruns_cannot_be_known_from_single_samples():
    table = table_of({"a": [1, 0, 1], "b": [0, 0, 1]})
    for options in ({"estimand": Estimand(generalises_to="reruns")}, {"also": ["both-errors"]}):
        with pytest.raises(MethodError, match="one sample"):
            rank(table, **options)
    with pytest.raises(MethodError, match="comparable items"):
        rank(sampled(random_samples(3)), Estimand(generalises_to="reruns"), interval="bca")
    with pytest.raises(MethodError, match="comparable items"):
        rank(sampled(random_samples(3)), Estimand(generalises_to="reruns"), test="mcnemar")


def test_clusters_play_no_part_in_reruns():
    scores = random_samples(8)
    table = sampled(scores, cluster=[str(i // 10) for i in range(30)])
    clustered = rank(table, Estimand(generalises_to="reruns", cluster="cluster"))
    plain = rank(table, Estimand(generalises_to="reruns"))
    assert [s.se for s in clustered.entries] == [s.se for s in plain.entries]
    assert "clusters-without-part" in {note.code for note in clustered.notes}


def test_an_item_with_one_sample_is_given_the_typical_variance_and_a_note():
    scores = random_samples(4)
    scores["e0"][0] = [1]
    board = rank(sampled(scores), Estimand(generalises_to="reruns"))
    assert "too-few-samples-for-reruns" in {note.code for note in board.notes}


@NEEDS_SHARED
def test_terminal_bench_shows_two_errors_and_the_published_pass_at_k(capsys):
    figures = {e["entry"]: e for e in shared_json("data/terminal_bench_core/FIGURES.json")["entries"]}
    path = str(SHARED / "data/terminal_bench_core/results.csv.gz")
    assert run(["rank", path, "--both-errors", "--quiet"]) == 0
    words = capsys.readouterr().out
    assert "How would it do on comparable items?" in words
    assert "What would these items give again?" in words
    assert run(["rank", path, "--both-errors", "--json", "--quiet"]) == 0
    board = json.loads(capsys.readouterr().out)
    for line in board["both_errors"]:
        assert line["items"]["se"] == pytest.approx(figures[line["entry"]]["se_item"], abs=1e-9)
        assert line["reruns"]["se"] < line["items"]["se"] / 2
    for k in (1, 2, 5):
        for metric, sign in (("pass@k", "@"), ("pass^k", "^")):
            for score in rank(data("terminal_bench_core"), Estimand(metric=metric, k=k)).entries:
                assert score.value == pytest.approx(figures[score.entry][f"pass{sign}{k}"], abs=1e-9)


@NEEDS_SHARED
def test_tau_bench_airline_as_published():
    figures = shared_json("data/tau_bench_airline/FIGURES.json")
    table = data("tau_bench_airline")
    for k in (1, 2, 3, 4):
        seen = panel(table, Estimand(metric="pass^k", k=k))
        assert seen.values.mean() == pytest.approx(figures["entries"][0][f"pass^{k}"], abs=1e-9)
        assert seen.values.mean() == pytest.approx(figures["published"][f"pass^{k}"], abs=5e-4)


# -- clusters --------------------------------------------------------------------------------------------


@NEEDS_SHARED
def test_swe_bench_repositories_are_few():
    figures = shared_json("data/swebench_site/FIGURES.json")
    named = {e["entry"]: e for e in figures["entries"]}
    board = rank(data("swebench_site"), Estimand(cluster="cluster"))
    assert (board.methods.interval, board.methods.test) == ("score", "bell-mccaffrey")
    assert any("231 of 500 items: worth about 3.3 degrees of freedom, not 11" in n.text for n in board.notes)
    for score in board.entries:
        assert score.se == pytest.approx(named[score.entry]["se_cluster_CR1"], abs=1e-9)
        low, high = score.interval.low, score.interval.high
        plain = wilson(named[score.entry]["successes"], 500)
        assert 0 <= low < plain.low + 0.02
        assert 1 >= high > plain.high - 0.02
    pair = figures["pairs"][0]
    versus = next(s.vs_anchor for s in board.entries if s.entry == pair["b_entry"])
    assert versus.se == pytest.approx(pair["paired_se_cluster_CR1"], abs=1e-9)
    plain = rank(data("swebench_site"))
    assert any(n.code == "clusters-unused" and "12 clusters" in n.text for n in plain.notes)


def test_one_cluster_is_undefined_and_few_are_noted():
    scores = {"a": [1, 0, 1, 1, 0, 1], "b": [0, 0, 1, 0, 0, 1]}
    board = rank(table_of(scores, cluster=["x"] * 6), Estimand(cluster="cluster"))
    assert all(
        s.se is None and s.interval is None and s.notes[0].code == "one-cluster" for s in board.entries
    )
    board = rank(table_of(scores, cluster=["x", "x", "y", "y", "z", "z"]), Estimand(cluster="cluster"))
    assert "few-clusters" in {note.code for note in board.notes}
    assert all(0 <= s.interval.low <= s.interval.high <= 1 for s in board.entries)


def test_each_item_its_own_cluster_changes_no_error():
    scores = {"a": [1, 0, 1, 1, 0, 1], "b": [0, 0, 1, 0, 0, 1]}
    alone = rank(table_of(scores, cluster=list("uvwxyz")), Estimand(cluster="cluster"))
    plain = rank(table_of(scores), interval="t", test="t")
    assert [s.se for s in alone.entries] == pytest.approx([s.se for s in plain.entries], rel=1e-14)


def test_every_category_alike_has_its_own_error():
    """H03 of the public faults: the macro average with the error of a macro average."""
    right, sizes = (45, 180, 30, 10), (100, 300, 50, 50)
    row = [int(i < k) for k, n in zip(right, sizes, strict=True) for i in range(n)]
    labels = [c for c, n in zip("abcd", sizes, strict=True) for _ in range(n)]
    table = table_of({"x": row, "y": [1 - v for v in row]}, category=labels)
    board = rank(table, Estimand(weights="category"))
    x = next(s for s in board.entries if s.entry == "x")
    assert x.value == pytest.approx(0.4625, rel=1e-12)
    assert x.se == pytest.approx(0.02676978344538709, rel=1e-9)
    assert x.interval.low < 0.4625 < x.interval.high


# -- failures ----------------------------------------------------------------------------------------------


def test_denominators_show_every_reading_of_a_failure():
    table = sampled({"a": [[1, None], [0, 1], [None, None]], "b": [[1, 1], [0, 0], [1, 0]]})
    lines = {line.entry: line for line in rank(table, also=["denominators"]).denominators}
    a = lines["a"]
    assert (a.attempts, a.failed) == (6, 3)
    assert a.zero == a.all_wrong == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert a.drop == pytest.approx((1 + 0.5) / 2)
    assert a.all_right == pytest.approx((1 + 0.5 + 1) / 3)
    b = lines["b"]
    assert b.zero == b.drop == b.all_wrong == b.all_right == 0.5


def test_a_failed_attempt_is_a_zero_that_is_not_redrawn():
    steady = sampled({"a": [[1, 1, None, None], [1, 1, 1, 1]], "b": [[1, 0, 1, 0], [0, 1, 1, 0]]})
    board = rank(steady, Estimand(generalises_to="reruns"))
    a = next(s for s in board.entries if s.entry == "a")
    assert a.value == 0.75
    assert a.se is None  # the samples that ran always agree, so no rerun would move it
    dropped = rank(steady, Estimand(failed="drop"))
    assert next(s for s in dropped.entries if s.entry == "a").value == 1.0


# -- variance ----------------------------------------------------------------------------------------------


def test_variance_says_whether_the_set_can_rank():
    rng = np.random.default_rng(5)
    p = rng.beta(1, 1, 40)
    same = {f"e{e}": rng.binomial(1, p, (3, 40)).T.tolist() for e in range(6)}
    found = rank(sampled(same), also=["variance"]).variance
    assert "the first of them is not separated from the last" in found.summary
    assert found.top.entries == 5
    assert not found.top.separated
    assert found.neighbours == 5
    apart = {
        f"e{e}": np.tile(np.arange(40)[:, None] < 6 * e + 3, (1, 3)).astype(int).tolist() for e in range(6)
    }
    clear = rank(sampled(apart), also=["variance"]).variance
    assert clear.top.separated
    assert clear.reliability_items > found.reliability_items
    assert {c.entry for c in found.entries} == set(same)
    assert found.board.share_items is not None


def test_variance_of_single_samples_withholds_what_it_cannot_know():
    found = rank(table_of({"a": [1, 0, 1, 1], "b": [0, 0, 1, 0]}), also=["variance"]).variance
    assert found.board.reruns is None
    assert found.board.share_items is None
    assert "single-samples" in {note.code for note in found.notes}


def test_extras_have_names():
    with pytest.raises(MethodError, match="flat-keys"):
        rank(table_of({"a": [1, 0], "b": [0, 1]}), also=["everything"])


# -- keys of other tools, and luck ---------------------------------------------------------------------------


def test_flat_keys(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    path.write_text(
        "entry,item,sample,score\n"
        + "".join(
            f"{e},{i},{s},{(i + s + (e == 'a')) % 3 == 0:d}\n"
            for e in "ab"
            for i in range(9)
            for s in range(3)
        )
    )
    assert run(["rank", str(path), "--metric", "pass@k", "--k", "2", "--flat-keys", "--json", "--quiet"]) == 0
    board = json.loads(capsys.readouterr().out)
    for score in board["entries"]:
        keys = board["flat"][score["entry"]]
        assert keys["score"] == keys["pass@2"] == score["value"]
        assert keys["score_ci95_low"] == keys["pass@2_ci95_low"] == score["interval"]["low"]
        assert keys["score_ci95_high"] == score["interval"]["high"]
        assert keys["score_se"] == score["se"]


@pytest.mark.parametrize("interval", ["percentile", "bca", "studentised"])
def test_drawn_intervals_depend_on_the_seed_alone(interval):
    scores = random_samples(6)
    table = sampled(scores)
    first = rank(table, interval=interval, seed=1, draws=500)
    again = rank(sampled(dict(reversed(scores.items()))), interval=interval, seed=1, draws=500)
    other = rank(table, interval=interval, seed=2, draws=500)
    assert [s.interval for s in first.entries] == [s.interval for s in again.entries]
    assert [s.interval for s in first.entries] != [s.interval for s in other.entries]
    assert (first.methods.draws, first.methods.seed) == (500, 1)


def test_a_degenerate_bootstrap_is_withheld_and_said():
    scores = {"a": [1] * 30, "b": [1, 0] * 15}
    board = rank(table_of(scores), interval="bca", draws=200)
    top = next(s for s in board.entries if s.entry == "a")
    assert top.interval is None
    assert "degenerate" in {note.code for note in top.notes}


def test_majority_votes_need_answers():
    with pytest.raises(MethodError, match="column `answer`"):
        rank(sampled(random_samples(7)), Estimand(metric="maj@k", k=3))


def test_majority_votes():
    answers = {"a": [["4", "4", "5"], ["7", "8", "7"]], "b": [["4", "5", "5"], ["8", "8", "9"]]}
    right = ("4", "8")
    rows = [
        (e, f"i{i}", str(s), float(x == right[i]), x)
        for e, items in answers.items()
        for i, xs in enumerate(items)
        for s, x in enumerate(xs)
    ]
    columns = dict(zip(("entry", "item", "sample", "score", "answer"), zip(*rows, strict=True), strict=True))
    table = Table.from_columns(
        {n: np.array(c, dtype=float if n == "score" else object) for n, c in columns.items()}
    )
    board = rank(table, Estimand(metric="self-consistency"))
    assert {s.entry: s.value for s in board.entries} == {"a": 0.5, "b": 0.5}
    board = rank(table, Estimand(metric="maj@k", k=1))
    assert {s.entry: s.value for s in board.entries} == pytest.approx(
        {"a": (2 / 3 + 1 / 3) / 2, "b": (1 / 3 + 2 / 3) / 2}
    )
    with pytest.raises(MethodError, match=r"maj@4 needs at least 4 samples"):
        rank(table, Estimand(metric="maj@k", k=4))


def test_a_right_attempt_needs_an_answer():
    columns = {
        "entry": np.array(["a", "a", "b", "b"], dtype=object),
        "item": np.array(["x"] * 4, dtype=object),
        "sample": np.array(["1", "2", "1", "2"], dtype=object),
        "score": np.array([1.0, 0.0, 1.0, 0.0]),
        "answer": np.array(["4", None, None, "5"], dtype=object),
    }
    with pytest.raises(MethodError, match="1 have none"):
        rank(Table.from_columns(columns), Estimand(metric="self-consistency"))
