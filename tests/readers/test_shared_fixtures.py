"""Genuine output of harnesses, and real boards, read to the values that others computed from them."""

import csv
import gzip
import hashlib
import json
import re
from collections import defaultdict

import pytest

from deadheat.readers import Options, read
from formats_kit import attempts, score_table, shared


def table(path, latest=False, **choices):
    return read(path, options=Options(choices=choices, latest=latest))


def published_rows(name, score="score"):
    with gzip.open(shared("data", name, "results.csv.gz"), "rt", newline="") as stream:
        return list(csv.DictReader(stream))


def flat(value):
    """Nested EXPECTED values: a number, or an object of numbers."""
    return value if isinstance(value, dict) else {None: value}


def inspect_logs():
    path = shared("formats", "fixtures", "inspect_ai", "EXPECTED.json")
    return json.loads(path.read_text())


def test_inspect_equals_its_own_reader():
    checked = 0
    for name, log in inspect_logs().items():
        path = shared("formats", "fixtures", "inspect_ai", name)
        for scorer, items in log["float"].items():
            keys = {
                key
                for scores in items.values()
                for score in scores
                if score is not None
                for key in flat(score)
            }
            for key in keys:
                found = score_table(table(path, scorer=scorer if key is None else f"{scorer}/{key}"))
                wanted = {
                    (log["model"], f"{log['task']}/{item}", str(epoch)): None if s is None else flat(s)[key]
                    for item, scores in items.items()
                    for epoch, s in enumerate(scores, 1)
                }
                given = {key: score for key, score in found.items() if key in wanted}
                assert given == {k: v for k, v in wanted.items() if k in given}
                # What the harness never started is known from the log, and stays without a score.
                assert all(score is None for key, score in found.items() if key not in wanted)
                assert all(v is None for k, v in wanted.items() if k not in given)
                checked += len(wanted)
        failed = {
            row[1:3] for row in attempts(table(path, scorer="letter")) if row[5] in ("error", "cancelled")
        }
        assert failed == {(f"{log['task']}/{item}", str(epoch)) for item, epoch, _ in log["errors"]}
    assert checked > 80


def test_lm_eval_equals_its_own_samples():
    folder = shared("formats", "fixtures", "lm_eval")
    wanted = json.loads((folder / "EXPECTED.json").read_text())
    for model, expected in wanted.items():
        for name, scores in expected["scores"].items():
            task, filter, metric = name.split("|")
            [path] = (folder / model.replace("/", "__")).glob(f"samples_{task}_*.jsonl")
            read_table = table(path, filter=filter, metric=metric, match="doc_id")
            assert score_table(read_table) == {
                (model, f"{task}/{doc}", ""): values[0] for doc, values in scores.items()
            }
            assert read_table.published[model] == expected["results"][task][f"{metric},{filter}"]


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
@pytest.mark.parametrize("metric", ["pass", "score"])
def test_promptfoo_equals_its_own_csv(suffix, metric):
    folder = shared("formats", "fixtures", "promptfoo")
    wanted = json.loads((folder / "EXPECTED.json").read_text())
    verdicts = {"PASS": 1.0, "FAIL": 0.0, "ERROR": None}
    expected = {
        (entry, item, str(sample)): verdicts[one["status"]] if metric == "pass" else one["score"]
        for entry, items in wanted["entries"].items()
        for item, ones in items.items()
        for sample, one in enumerate(ones, 1)
    }
    found = score_table(table(folder / f"output.{suffix}", metric=metric))
    assert {key: None if score is None else round(score, 2) for key, score in found.items()} == expected
    counts = wanted["cli_counts"]
    if metric == "pass":
        values = list(found.values())
        assert [values.count(1.0), values.count(0.0), values.count(None)] == [
            counts["passed"],
            counts["failed"],
            counts["errors"],
        ]


@pytest.mark.parametrize("name", ["junit.xml", "junit_xunit1.xml"])
def test_junit_equals_the_hooks_of_pytest(name):
    folder = shared("formats", "fixtures", "pytest_junit")
    wanted = json.loads((folder / "EXPECTED.json").read_text())[name]
    found = {
        row[1]: None if row[3] == "" else row[3] for row in attempts(table(folder / name, metric="pass"))
    }
    # An XML name is the node id with dots for slashes; a module that could not be collected has no class.
    expected = {}
    for node, outcome in wanted.items():
        file, *rest = node.split("::")
        module = file.removesuffix(".py").replace("/", ".")
        expected["::".join([".".join([module, *rest[:-1]]), rest[-1]]) if rest else module] = outcome["score"]
    assert found == expected


def as_rows(found, item=lambda x: x):
    """Scores by entry and item, without the names of samples; no score counts 0, as those boards count it."""
    rows = defaultdict(list)
    for (entry, name, _), score in score_table(found).items():
        rows[entry, item(name)].append(score or 0.0)
    return {key: sorted(scores) for key, scores in rows.items()}


def as_published(name, keep=lambda row: True):
    rows = defaultdict(list)
    for row in published_rows(name):
        if keep(row):
            rows[row["entry"], row["item"]].append(float(row["score"] or 0))
    return {key: sorted(scores) for key, scores in rows.items()}


def test_swebench_pro():
    found = table(shared("data", "swebench_pro", "raw"))
    assert as_rows(found) == as_published("swebench_pro")
    clusters = {row["item"]: row["cluster"] for row in published_rows("swebench_pro")}
    assert dict(zip(found.items, found.attribute("cluster"), strict=True)) == clusters


def test_tau_bench():
    path = shared("data", "tau_bench_airline", "raw", "gpt-4o-airline.trimmed.json")
    found = read(f"gpt-4o={path}")
    wanted = {
        (r["entry"], r["item"], r["sample"]): float(r["score"]) for r in published_rows("tau_bench_airline")
    }
    assert score_table(found) == wanted


def test_terminal_bench():
    found = table(shared("data", "terminal_bench_core", "raw"))
    assert as_rows(found) == as_published("terminal_bench_core")
    unresolved = sum(row["null_flag"] != "" for row in published_rows("terminal_bench_core"))
    assert sum(row[4] != "scored" for row in attempts(found)) == unresolved


def test_bfcl():
    found = table(shared("data", "bfcl", "raw"))
    entries = set(found.entries)
    assert as_rows(found) == as_published("bfcl", lambda row: row["entry"] in entries)


def test_alpaca_eval():
    found = table(shared("data", "alpaca_eval2", "raw"))
    ids = {row["item"] for row in published_rows("alpaca_eval2")}
    by_hash = {hashlib.sha256(id.encode()).hexdigest()[:16]: id for id in ids}
    entries = set(found.entries)
    wanted = as_published("alpaca_eval2", lambda row: row["entry"] in entries)
    assert as_rows(found, lambda item: by_hash[item.split("/")[1]]) == wanted


def test_eval_arena():
    found = table(shared("data", "eval_arena", "raw"))
    assert as_rows(found, lambda item: item.replace("/", ":", 1)) == as_published("eval_arena")


def test_swebench_experiments_layout():
    found = table(shared("data", "swebench_experiments_layout", "raw"))
    assert as_rows(found) == as_published("swebench_experiments_layout")


MORE = {
    "deepeval/out": {},
    "evalplus/samples_eval_results.json": {"metric": "plus"},
    "every_eval_ever/out/data/toy_add": {},
    "every_eval_ever/out/data/toy_mc": {"metric": "acc"},
    "harbor/jobs": {},
    "helm/out": {"metric": "exact_match"},
    "human_eval/samples.jsonl_results.jsonl": {},
    "inspect_ai/logs_old": {},
    "inspect_ai/logs_v0309": {},
    "inspect_ai/logs_partial": {},
    "junit/report.xml": {"metric": "pass"},
    "lighteval/out": {"metric": "extractive_match,acc"},
    "lm_eval/out_toy": {"filter": "maj@4", "metric": "acc"},
    "openai_evals/toy.jsonl": {},
    "promptfoo/results.json": {"metric": "pass"},
    "sieval/out": {},
    "swebench/logs": {},
    "terminal_bench/runs": {},
    "synthetic/alpaca_eval": {},
    "synthetic/bfcl": {},
    "synthetic/bigcodebench": {},
    "synthetic/eval_arena": {},
    "synthetic/livecodebench": {},
    "synthetic/opencompass": {},
    "synthetic/sb_cli": {},
    "synthetic/tau2": {},
    "synthetic/tau_bench": {},
}


@pytest.mark.parametrize("name", MORE)
def test_more_fixtures_are_read_and_agree_with_what_they_publish(name):
    path = shared("formats", "fixtures-more", *name.split("/"))
    choices = MORE[name]
    if name == "inspect_ai/logs_old":
        path = next(path.glob("*.eval"))  # the same run twice, as .eval and as .json
    found = table(path, **choices)
    assert len(found.items) > 1
    scores = defaultdict(lambda: defaultdict(list))
    for (entry, item, _), score in score_table(found).items():
        scores[entry][item].append(score)
    drops = name.startswith(("inspect_ai", "openai", "every_eval_ever"))
    if name in ("synthetic/bigcodebench", "synthetic/sb_cli"):
        return  # made by hand: the stated rate is not that of the items listed
    for entry, rate in found.published.items():
        items = []
        for values in scores[entry].values():
            kept = [v for v in values if v is not None] if drops else [v or 0.0 for v in values]
            items += [sum(kept) / len(kept)] if kept else []
        assert sum(items) / len(items) == pytest.approx(rate, abs=1e-9), entry


def test_old_inspect_log_reads_alike_as_archive_and_as_json():
    logs = shared("formats", "fixtures-more", "inspect_ai", "logs_old")
    first, second = (score_table(table(path)) for path in sorted(logs.iterdir()))
    shape = lambda scores: sorted((re.sub(r".*/", "", item), sample) for _, item, sample in scores)  # noqa: E731
    assert shape(first) == shape(second)
