"""Harness readers lose nothing: what a file holds is an attempt, or is told as left out."""

import hashlib
import json

import pytest

from deadheat import Estimand, compare, rank
from deadheat.readers import Options, read
from formats_kit import FIXTURES, attempts, score_table


def table(path, **choices):
    return read(path, options=Options(choices=choices))


def doc_rows(right, *, hashed=True):
    rows = []
    for n, one in enumerate(right):
        doc = {"q": f"what is {n}?"}
        row = {"doc_id": n, "doc": doc, "filter": "none", "metrics": ["acc"], "acc": one}
        if hashed:
            row["doc_hash"] = hashlib.sha256(
                json.dumps(doc, indent=2, ensure_ascii=False).encode()
            ).hexdigest()
        rows.append(row)
    return "".join(json.dumps(row) + "\n" for row in rows)


def old_rows(right):
    """Versions before 0.4.3 wrote one JSON list, without hashes, filters and metrics."""
    return json.dumps(
        [{"doc_id": n, "doc": {"q": f"what is {n}?"}, "acc": one} for n, one in enumerate(right)]
    )


TIMED = "samples_sums_2026-01-02T03-04-05.678901.jsonl"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("renamed.jsonl", doc_rows([1, 1, 0, 1])),
        ("samples_sums.jsonl", doc_rows([1, 1, 0, 1])),
        ("pretrained__org__a_sums.jsonl", old_rows([1, 1, 0, 1])),
    ],
)
@pytest.mark.parametrize("other", ["base.jsonl", TIMED])
def test_lm_eval_files_pair_by_hash_whatever_their_name(name, text, other, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / name).write_text(text)
    (tmp_path / "b" / other).write_text(doc_rows([1, 0, 0, 0]))
    found = read([f"cand={tmp_path / 'a' / name}", f"base={tmp_path / 'b' / other}"])
    [pair] = compare(found, "cand", "base").comparisons
    assert (pair.items, pair.a_only, pair.b_only) == (4, 2, 0)
    assert ("task-from-documents" in [note.code for note in found.notes]) == (other == TIMED)


def test_lm_eval_documents_of_two_tasks_do_not_name_one(tmp_path):
    for task in ("sums", "sums_cot"):
        (tmp_path / f"samples_{task}_2026-01-02T03-04-05.678901.jsonl").write_text(doc_rows([1, 0]))
    (tmp_path / "mine.jsonl").write_text(doc_rows([1, 1]))
    items = {row[1] for row in attempts(table(tmp_path)) if row[0] == "mine"}
    assert not any("/" in item for item in items)


def tau2(simulations=None, index=None):
    run = {
        "timestamp": "2026-08-01",
        "info": {"agent_info": {"llm": "m"}, "environment_info": {"domain_name": "airline"}},
        "tasks": [{"id": "0"}],
    }
    for key, value in (("simulations", simulations), ("simulation_index", index)):
        if value is not None:
            run[key] = value
    return run


def simulation(task, trial, reward):
    return {
        "id": f"s{task}-{trial}",
        "task_id": str(task),
        "trial": trial,
        "reward_info": {"reward": reward},
        "termination_reason": "user_stop",
    }


@pytest.mark.parametrize("indexed", [0, 3, 6])
def test_tau2_folder_is_read_from_its_simulations_and_its_index(indexed, tmp_path):
    rows = [simulation(task, trial, float(task > trial)) for task in range(3) for trial in range(2)]
    index = [{k: row[k] for k in ("id", "task_id", "trial")} | row["reward_info"] for row in rows[:indexed]]
    (tmp_path / "simulations").mkdir()
    for row in rows:
        (tmp_path / "simulations" / f"{row['id']}.json").write_text(json.dumps(row))
    (tmp_path / "results.json").write_text(json.dumps(tau2(index=index or None)))
    assert score_table(table(tmp_path)) == {
        ("m", f"airline/{task}", str(trial)): float(task > trial) for task in range(3) for trial in range(2)
    }


def test_opencompass_details_without_a_verdict_are_counted(tmp_path):
    folder = tmp_path / "20260102_030405" / "results" / "model-a"
    folder.mkdir(parents=True)
    details = {"type": "GEN", "0": {"correct": True}, "1": {}, "2": {"correct": "maybe"}, "3": None}
    (folder / "sums.json").write_text(json.dumps({"accuracy": 25.0, "details": details}))
    found = table(folder)
    assert [row[1:] for row in attempts(found)] == [
        ("sums/0", "", 1.0, "scored", ""),
        ("sums/1", "", "", "absent", "no score"),
        ("sums/2", "", "", "absent", "no score"),
        ("sums/3", "", "", "absent", "no score"),
    ]
    [note] = found.notes
    assert note.text == (
        "sums.json: 3 attempts have no score and are left out, for example details of 1: "
        "none of correct, is_correct, cascade_correct gives a verdict"
    )


def test_the_mean_of_a_log_is_not_compared_with_another_metric(tmp_path):
    for model, values in (("a", "CICCICCC"), ("b", "IIICCCCC")):
        rows = [
            {"id": n // 2, "epoch": 1 + n % 2, "scores": {"match": {"value": value}}}
            for n, value in enumerate(values)
        ]
        stated = {"name": "match", "metrics": {"accuracy": {"value": values.count("C") / 8}}}
        run = {"task": "t", "model": model, "created": "2026-01-02T03:04:05+00:00", "config": {"epochs": 2}}
        log = {
            "version": 2,
            "status": "success",
            "eval": run,
            "results": {"scores": [stated]},
            "samples": rows,
        }
        (tmp_path / f"{model}.json").write_text(json.dumps(log))
    found = table(tmp_path)
    assert [line.published for line in rank(found).entries] == [0.75, 0.625]
    board = rank(found, Estimand(metric="pass@k", k=2))
    assert [line.published for line in board.entries] == [None, None]
    assert "published-are-means" in [note.code for note in board.notes]
    once = rank(found, Estimand(metric="pass@k", k=1))
    assert [line.published for line in once.entries] == [0.75, 0.625]


def test_harbor_rewards_above_one_are_told_once(tmp_path):
    [path] = (FIXTURES / "harbor" / "jobs").glob("*/hello__a1/result.json")
    for n, reward in enumerate((0, 2, 3)):
        trial = json.loads(path.read_text())
        trial["trial_name"], trial["verifier_result"] = f"t{n}", {"rewards": {"reward": reward}}
        (tmp_path / f"{n}").mkdir()
        (tmp_path / f"{n}" / "result.json").write_text(json.dumps(trial))
    [note] = table(tmp_path).notes
    assert note.code == "rewards-above-one"
    assert note.text.startswith("rewards above 1: 2 of 3 trials, up to 3; one is that of")
