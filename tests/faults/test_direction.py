"""Lower is better: read from files, known from names, or stated; then all is as for the mirrored scores."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.data.direction import lower_is_better

LOWER, HIGHER = dh.Estimand(lower_is_better=True), dh.Estimand(lower_is_better=False)


def attempts(seed, *, samples=1, real=False, ragged=False):
    """Rows of a few entries of different skill."""
    rng = random.Random(seed)
    rows = [
        {"entry": e, "item": f"i{i}", "sample": s, "score": float(rng.random() < p) + real * rng.gauss(0, 1)}
        for e, p in zip("ABCDE", (0.2, 0.35, 0.4, 0.6, 0.9), strict=True)
        for i in range(40)
        for s in range(samples)
        if not ragged or rng.random() < 0.7
    ]
    return {name: [row[name] for row in rows] for name in rows[0]}


def mirrored(columns, top):
    return columns | {"score": [top - score for score in columns["score"]]}


KINDS = [
    ({}, 1),
    ({"samples": 3}, 1),
    ({"real": True}, 0),
    ({"ragged": True}, 1),
    ({"ragged": True, "real": True}, 0),
]


def standing(board):
    """What a board says apart from its values."""
    return (
        [(e.entry, e.place, e.rank, e.group, e.letters) for e in board.entries],
        board.groups,
        board.tie_lines,
        [(e.vs_anchor.verdict, e.vs_anchor.ahead) for e in board.entries if e.vs_anchor],
        board.top,
        board.winner.may_be_best,
        [c.ranks for c in board.chances],
        [c for c in board.claims if type(c).__name__ in ("PossibleBest", "NotSeparatedFrom")],
    )


@pytest.mark.parametrize(("kind", "top"), KINDS)
@pytest.mark.parametrize("adjust", ["none", "holm", "max-t"])
def test_a_board_is_that_of_the_mirrored_scores(kind, top, adjust):
    columns = attempts(1, **kind)
    asked = {"adjust": adjust, "top": 2, "also": ("winner", "chances"), "draws": 500}
    low = dh.rank(dh.Table.from_frame(columns), LOWER, **asked)
    high = dh.rank(dh.Table.from_frame(mirrored(columns, top)), HIGHER, **asked)
    assert standing(low) == standing(high)
    for mine, other in zip(low.entries, high.entries, strict=True):
        assert mine.value == pytest.approx(top - other.value)
        assert (mine.interval.low, mine.interval.high) == pytest.approx(
            (top - other.interval.high, top - other.interval.low)
        )
    assert low.winner.value == pytest.approx(top - high.winner.value)
    assert low.winner.corrected == pytest.approx(top - high.winner.corrected)
    assert low.winner.interval.low == pytest.approx(top - high.winner.interval.high)


@pytest.mark.parametrize(("kind", "top"), KINDS)
@pytest.mark.parametrize("pair", [("A", "B"), ("E", "A"), ("B", "E")])
def test_a_comparison_is_that_of_the_mirrored_scores(kind, top, pair):
    columns = attempts(2, **kind)
    asked = {"margin": 0.1, "fail_on": "worse", "show_flips": True}
    low = dh.compare(dh.Table.from_frame(columns), *pair, LOWER, **asked)
    high = dh.compare(dh.Table.from_frame(mirrored(columns, top)), *pair, HIGHER, **asked)
    [mine], [other] = low.comparisons, high.comparisons
    assert mine.difference == pytest.approx(-other.difference)
    assert mine.p == pytest.approx(other.p)
    assert (mine.verdict, mine.ahead, mine.equivalence) == (other.verdict, other.ahead, other.equivalence)
    assert mine.against_margin.p_non_inferior == pytest.approx(other.against_margin.p_non_inferior)
    assert mine.against_margin.interval.low == pytest.approx(-other.against_margin.interval.high)
    assert (mine.probability_better is None) or mine.probability_better == pytest.approx(
        other.probability_better
    )
    assert (low.gate.failed, low.gate.failing) == (high.gate.failed, high.gate.failing)
    assert [f.a_only_items for f in mine.flips] == [f.b_only_items for f in other.flips]
    better = {"a": mine.a, "b": mine.b}.get(mine.verdict)
    if better:
        assert f"{better} scores lower than" in low.summary


def test_a_published_number(tmp_path):
    columns = attempts(3)
    found = dh.compare_published(dh.Table.from_frame(columns), "A", 0.9, LOWER, items=500).comparisons[0]
    assert (found.verdict, found.ahead) == ("a", "a")
    assert found.difference < 0


def lm_eval(folder, name, scores, metric, higher):
    """Sample and results files of one run."""
    (folder / name).mkdir()
    time = "2026-11-01T10-00-00.000000"
    rows = [
        {
            "doc_id": i,
            "doc": {"q": i},
            "target": "",
            "arguments": {},
            "resps": [["x"]],
            "filtered_resps": ["x"],
            "filter": "none",
            "metrics": [metric],
            "doc_hash": f"{i:064x}",
            metric: score,
        }
        for i, score in enumerate(scores)
    ]
    samples = folder / name / f"samples_asr_{time}.jsonl"
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    results = {
        "results": {"asr": {"alias": "asr", f"{metric},none": float(np.mean(scores))}},
        "configs": {},
        "higher_is_better": {"asr": {metric: higher}},
        "model_name": name,
        "config": {},
    }
    (folder / name / f"results_{time}.json").write_text(json.dumps(results))
    return folder / name


def test_lm_eval_says_it(tmp_path, capsys):
    rng = random.Random(0)
    noise = [rng.random() / 10 for _ in range(12)]
    good = lm_eval(tmp_path, "good", [0.1 + x for x in noise], "wer", False)
    bad = lm_eval(tmp_path, "bad", [0.3 + 1.1 * x for x in noise], "wer", False)
    board = dh.rank(dh.read([good, bad]))
    assert [e.entry for e in board.entries] == ["good", "bad"]
    assert board.estimand.lower_is_better is True
    assert run(["compare", str(good), str(bad), "--fail-on", "worse"]) == 0
    shown = capsys.readouterr().out
    assert "good scores lower than bad" in shown
    assert "lower is better" in shown
    assert run(["compare", str(bad), str(good), "--fail-on", "worse"]) == 3
    capsys.readouterr()


def test_log_likelihoods_of_a_perplexity_run_the_other_way(tmp_path):
    good = lm_eval(tmp_path, "good", [-1.0 - i / 50 for i in range(12)], "perplexity", False)
    bad = lm_eval(tmp_path, "bad", [-2.0 - i / 40 for i in range(12)], "perplexity", False)
    board = dh.rank(dh.read([good, bad]))
    assert [e.entry for e in board.entries] == ["good", "bad"]
    assert board.estimand.lower_is_better is False
    assert any("exp(-mean)" in note.text and "published perplexity" in note.text for note in board.notes)


def every_eval_ever(folder, name, scores):
    """An aggregate record that says that lower is better, and its instances."""
    aggregate = {
        "schema_version": "0.3.0",
        "evaluation_id": f"asr/{name}",
        "model_info": {"name": name, "id": name},
        "evaluation_results": [
            {
                "evaluation_result_id": "m1",
                "evaluation_name": "asr",
                "metric_config": {"lower_is_better": True},
                "score_details": {"score": float(np.mean(scores))},
            }
        ],
    }
    rows = [
        {
            "schema_version": "0.3.0",
            "evaluation_id": f"asr/{name}",
            "model_id": name,
            "evaluation_name": "asr",
            "evaluation_result_id": "m1",
            "sample_id": f"s{i}",
            "evaluation": {"score": score},
        }
        for i, score in enumerate(scores)
    ]
    path = folder / f"{name}.json"
    path.write_text(json.dumps(aggregate))
    instances = folder / f"{name}_samples.jsonl"
    instances.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path, instances


def test_every_eval_ever_says_it(tmp_path):
    good = every_eval_ever(tmp_path, "good", [0.1 + i / 100 for i in range(12)])
    bad = every_eval_ever(tmp_path, "bad", [0.3 + i / 90 for i in range(12)])
    # The aggregate named alone stands for its instances; named with them it is not read twice.
    for paths in ([good[0], bad[0]], [*good, *bad], [good[1], bad[1]], tmp_path):
        board = dh.rank(dh.read(paths))
        assert [e.entry for e in board.entries] == ["good", "bad"]
        assert board.provenance.read == 24


def test_metrics_of_both_directions_have_no_common_mean(tmp_path):
    one = lm_eval(tmp_path, "one", [0.1, 0.2], "wer", False)
    other = lm_eval(tmp_path, "other", [0.1, 0.2], "acc", True)
    with pytest.raises(dh.DataError, match=r"lower is better in .* and higher in"):
        dh.read([one, other])


def test_a_zero_for_a_failure_would_be_the_best_score():
    columns = {"entry": ["A", "A", "B", "B"], "item": [1, 2, 1, 2], "score": [3.0, None, 2.0, 2.5]}
    columns["status"] = ["scored", "failed", "scored", "scored"]
    table = dh.Table.from_frame(columns)
    with pytest.raises(dh.DataError, match="--failed drop"):
        dh.rank(table, LOWER)
    drop = dh.Estimand(lower_is_better=True, failed="drop")
    assert [e.entry for e in dh.rank(table, drop).entries] == ["B", "A"]


@pytest.mark.parametrize(
    ("name", "lower"),
    [
        ("wer", True),
        ("word_error_rate", True),
        ("Perplexity", True),
        ("val-loss", True),
        ("latency_seconds", True),
        ("toxicity", True),
        ("exact_match", False),
        ("acc_norm", False),
        ("error_free", None),
        ("score", None),
        ("term", None),
    ],
)
def test_names(name, lower):
    assert lower_is_better(name) is lower
