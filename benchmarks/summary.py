"""Every target beside what was measured, from the records of the workloads: results/summary.md and .json."""

import importlib
import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results"


def lines(names: list[str]) -> list[dict[str, Any]]:
    """A line a target: required, measured, met; and when it was measured, with the load of the machine."""
    found = []
    for name in names:
        module = importlib.import_module(f"benchmarks.{name}")
        path = RESULTS / f"{name}.json"
        if not hasattr(module, "targets") or not path.exists():
            continue
        record = json.loads(path.read_text())
        try:
            targets = list(module.targets(record["rows"]))
        except KeyError as error:  # a record of an earlier day has other rows
            found.append({"target": f"{name}: recorded without {error}", "met": "not measured"})
            continue
        for what, required, measured, met in targets:
            found.append(
                {
                    "target": what,
                    "must reach": required,
                    "measured": measured,
                    "met": "yes" if met else "no",
                    "workload": name,
                    "date": record["machine"]["date"],
                    "load": record["machine"].get("load"),
                }
            )
    return found
