"""Logs of harnesses: how fast they become a table, beside decoding the same bytes and keeping nothing.

The peer is msgspec, which decodes each file as JSON without a type: a bound for readers that decode whole
documents, and a name for those that skip what they do not need.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec

import deadheat as dh
from benchmarks.harness import by_turns
from deadheat.readers.base import Options

TEXT = "The answer follows from the two facts above; each step is shown, so that it can be checked. " * 6


def openai_evals(items: int) -> str:
    lines = [{"spec": {"completion_fns": ["org/a"], "eval_name": "sums.dev.v0", "created_at": "2026-01-02"}}]
    for at in range(items):
        about = {"run_id": "r", "sample_id": f"sums.dev.{at}", "created_at": "2026-01-02 03:04:05"}
        said = {"prompt": [{"role": "user", "content": TEXT}], "sampled": [TEXT]}
        lines.append({**about, "event_id": 2 * at, "type": "sampling", "data": said})
        match = {"correct": at % 3 == 0, "expected": "3", "picked": "3"}
        lines.append({**about, "event_id": 2 * at + 1, "type": "match", "data": match})
    return "\n".join(map(json.dumps, lines)) + "\n"


def promptfoo(items: int) -> str:
    results = [
        {
            "provider": {"id": "org/a", "label": ""},
            "prompt": {"raw": TEXT, "label": "Say {{x}}"},
            "vars": {"x": f"question {at} {TEXT}"},
            "response": {"output": TEXT, "tokenUsage": {"total": 100}},
            "success": at % 3 == 0,
            "score": float(at % 3 == 0),
            "namedScores": {},
            "gradingResult": {"pass": at % 3 == 0, "score": float(at % 3 == 0), "reason": TEXT},
            "testIdx": at,
            "promptIdx": 0,
            "latencyMs": 12,
        }
        for at in range(items)
    ]
    return json.dumps({"evalId": "e", "results": {"version": 3, "results": results, "prompts": []}})


def deepeval(items: int) -> str:
    cases = [
        {
            "name": f"case {at}",
            "input": f"question {at} {TEXT}",
            "actualOutput": TEXT,
            "expectedOutput": TEXT,
            "success": at % 3 == 0,
            "metricsData": [
                {"name": "Eq", "threshold": 0.5, "success": at % 3 == 0, "score": 0.7, "reason": TEXT}
            ],
            "order": at,
        }
        for at in range(items)
    ]
    return json.dumps({"testCases": cases, "metricsScores": [], "hyperparameters": {"model": "m1"}})


LOGS = {
    "openai-evals": (openai_evals, "log.jsonl", {}),
    "promptfoo": (promptfoo, "out.json", {"metric": "pass"}),
    "deepeval": (deepeval, "test_run_20260102_030405.json", {"metric": "Eq"}),
}


def decoded(path: Path) -> Any:
    data = path.read_bytes()
    if path.suffix == ".jsonl":
        return msgspec.json.Decoder().decode_lines(data)
    return msgspec.json.decode(data)


def workload(name: str, megabytes: int) -> dict:
    make, file, choices = LOGS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        items = int(megabytes * 1e6 / (len(make(200)) / 200))
        path.write_text(make(items))
        options = Options(choices=choices)
        calls = {"ours": lambda: dh.read(path, options=options), "msgspec": lambda: decoded(path)}
        made = by_turns(calls, 3)
        size = path.stat().st_size / 1e6
    (ours, table), (theirs, _) = made["ours"], made["msgspec"]
    return {
        "workload": f"{name}, {size:.0f} MB",
        "ours_s": ours,
        "ours MB/s": size / ours,
        "peer": "msgspec, decoding alone",
        "peer_s": theirs,
        "peer's MB/s": size / theirs,
        "ratio": theirs / ours,
        "equal": len(table.items) == items,
    }


def run(quick: bool) -> list[dict]:
    return [workload(name, 5 if quick else 100) for name in LOGS]


def targets(rows: list[dict]) -> list[tuple[str, str, float, bool]]:
    return [
        (
            f"logs, {row['workload'].split(',')[0]}",
            ">= 150 MB/s",
            row["ours MB/s"],
            row["ours MB/s"] >= 150 and row["equal"],
        )
        for row in rows
    ]
