"""Kinds of files that people have and that no reader took, or that were read to the wrong figure."""

import json

import pytest

from deadheat import rank
from deadheat.cli.main import run
from deadheat.errors import MethodError, UnknownFormat
from deadheat.readers import Options, read, readers
from deadheat.readers.registry import named
from formats_kit import attempts, claimants, score_table

RIGHT = [True, False, True, True, False, True]


def written(path, content):
    """Write a document, or a list of rows as JSON Lines where the name says so."""
    lines = path.suffix == ".jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in content) if lines else json.dumps(content))
    return path


UNREAD = {
    "evalscope": (
        "m1.jsonl",
        [
            {
                "index": n,
                "target": "A",
                "sample_score": {
                    "score": {"value": {"acc": float(one)}, "main_score_name": "acc"},
                    "sample_id": n,
                    "group_id": n,
                },
            }
            for n, one in enumerate(RIGHT)
        ],
        {},
    ),
    "ifeval": (
        "m1.jsonl",
        [
            {"prompt": f"p{n}", "follow_all_instructions": one, "follow_instruction_list": [one, True]}
            for n, one in enumerate(RIGHT)
        ],
        {"metric": "prompt"},
    ),
    "mmlu-pro": (
        "m1.json",
        [
            {"question_id": n, "answer": "A", "answer_index": 0, "pred": "A" if one else "B", "category": "c"}
            for n, one in enumerate(RIGHT)
        ],
        {},
    ),
    "nested-rows": (
        "m1.json",
        {"config": {"model": "m1"}, "results": [{"id": n, "correct": one} for n, one in enumerate(RIGHT)]},
        {},
    ),
    "qwen-math": (
        "m1.jsonl",
        [{"idx": n, "gt": "1", "pred": ["1"], "score": [one]} for n, one in enumerate(RIGHT)],
        {},
    ),
    "labels": (
        "m1.jsonl",
        [{"id": n, "label": "CORRECT" if one else "INCORRECT"} for n, one in enumerate(RIGHT)],
        {},
    ),
    "id-flags": ("m1.json", {f"q{n}": {"correct": one} for n, one in enumerate(RIGHT)}, {}),
    "sample-lists": (
        "m1.json",
        {
            "raw_generations": {},
            "raw_scored_generations": {f"sample_{n}": [one] for n, one in enumerate(RIGHT)},
            "pass_at_1": 100 * 4 / 6,
        },
        {},
    ),
    "irt-responses": (
        "m1.jsonl",
        [{"subject_id": "m1", "responses": {f"q{n}": int(one) for n, one in enumerate(RIGHT)}}],
        {},
    ),
}


@pytest.mark.parametrize("name", UNREAD)
def test_is_read_with_every_row(name, tmp_path):
    file, content, choices = UNREAD[name]
    path = written(tmp_path / file, content)
    assert claimants(path) == [name]
    rows = attempts(read(path, options=Options(choices=choices)))
    assert {row[0] for row in rows} == {"m1"}
    assert sorted(row[3] for row in rows) == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
    assert len({row[1] for row in rows}) == len(RIGHT)


def test_a_map_of_ids_to_numbers_is_verdicts_only_if_all_are_0_or_1(tmp_path):
    path = written(tmp_path / "m1.json", {f"q{n}": int(one) for n, one in enumerate(RIGHT)})
    assert claimants(path) == ["id-flags"]
    rates = written(tmp_path / "rates.json", {"accuracy": 1, "f1": 0.5, "em": 1, "bleu": 0, "n": 5, "k": 1})
    assert claimants(rates) == []


def test_counts_of_samples_are_samples(tmp_path):
    """n and k of CRUXEval, and successes of trials."""
    rows = {"q1": [True, False, True], "q2": [False] * 3}
    found = read(written(tmp_path / "a.json", {"raw_scored_generations": rows, "pass_at_1": 100 / 3}))
    assert found.cells.scored.tolist() == [3, 3]
    assert found.published == {"a": pytest.approx(1 / 3)}
    line = {"subject_id": "b", "responses": {"q1": {"successes": 2, "trials": 3}, "q2": 0}}
    assert score_table(read(written(tmp_path / "b.jsonl", [line]))) == {
        ("b", "q1", "1"): 1.0,
        ("b", "q1", "2"): 1.0,
        ("b", "q1", "3"): 0.0,
        ("b", "q2", ""): 0.0,
    }


def test_minus_one_of_mt_bench_is_no_rating_and_turns_are_items(tmp_path):
    def row(model, question, turn, score):
        return {
            "question_id": question,
            "model": model,
            "judge": ["gpt-4", "single-v1"],
            "judgment": "Rating: [[8]]",
            "score": score,
            "turn": turn,
        }

    rows = [
        row(m, q, t, -1 if (m, q, t) == ("a", 3, 2) else 5 + q % 4 + (m == "a"))
        for m in "ab"
        for q in range(8)
        for t in (1, 2)
    ]
    board = rank(read(written(tmp_path / "gpt-4_single.jsonl", rows)))
    first = board.entries[0]
    assert (first.entry, first.items, first.absent) == ("a", 15, 1)
    kept = [r["score"] for r in rows if r["model"] == "a" and r["score"] != -1]
    assert first.value == pytest.approx(sum(kept) / len(kept))


def test_a_report_that_contradicts_itself_is_found(tmp_path, capsys):
    report = {
        "total_instances": 4,
        "submitted_instances": 4,
        "resolved_instances": 2,
        "unresolved_instances": 2,
        "resolved_ids": ["a__b-1", "a__b-2", "a__b-3"],
        "unresolved_ids": ["a__b-3", "a__b-4"],
    }
    path = written(tmp_path / "m.run.json", report)
    assert run(["audit", str(path), "--json"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    [finding] = [f for f in findings if f["code"] == "report-contradicts-itself"]
    assert finding["severity"] == "error"
    assert finding["text"] == (
        "m.run.json contradicts itself: 1 listed in resolved_ids and in unresolved_ids, for example a__b-3; "
        "resolved_instances is 2, and resolved_ids lists 3"
    )
    report |= {"resolved_ids": ["a__b-1", "a__b-2"]}
    assert run(["audit", str(written(path, report))]) == 0
    assert "contradicts itself" not in capsys.readouterr().out


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv"])
def test_votes_are_named(suffix, tmp_path):
    votes = [{"model_a": "x", "model_b": "y", "winner": "model_a", "judge": "j"}] * 3
    path = tmp_path / f"votes{suffix}"
    if suffix == ".csv":
        path.write_text("model_a,model_b,winner\nx,y,model_a\n")
    else:
        written(path, votes)
    with pytest.raises(UnknownFormat, match="votes between two answers say which of two entries won"):
        read(path)


def test_mteb_is_refused_and_a_board_of_tasks_if_asked(tmp_path):
    for model, score in (("a", 0.5), ("b", 0.75)):
        folder = tmp_path / model / "rev"
        folder.mkdir(parents=True)
        split = [{"hf_subset": "default", "main_score": score}]
        written(folder / "T.json", {"task_name": "T", "mteb_version": "2", "scores": {"test": split}})
    with pytest.raises(UnknownFormat, match="--read mteb makes a board of tasks"):
        read(tmp_path / "a" / "rev" / "T.json")
    assert score_table(read(tmp_path, format="mteb")) == {
        ("a", "T/test/default", ""): 0.5,
        ("b", "T/test/default", ""): 0.75,
    }


def test_a_folder_of_instance_reports_is_an_entry(tmp_path):
    for agent, right in (("x", [1, 0, 1]), ("y", [0, 0, 1])):
        for n, one in enumerate(right):
            (tmp_path / agent).mkdir(exist_ok=True)
            written(tmp_path / agent / f"i{n}_result.json", {"instance_id": f"i{n}", "resolved": bool(one)})
    assert [e.entry for e in rank(read(tmp_path)).entries] == ["x", "y"]


def test_several_metrics_are_asked_for(tmp_path):
    _, content, _ = UNREAD["ifeval"]
    path = written(tmp_path / "m1.jsonl", content)
    with pytest.raises(MethodError, match="2 metrics and none chosen"):
        read(path)
    found = read(path, options=Options(choices={"metric": "instruction"}))
    assert (len(found.items), len(set(found.attribute("cluster")))) == (12, 6)


def test_every_name_is_a_reader():
    assert {named(name).name for name in UNREAD} <= set(readers())
