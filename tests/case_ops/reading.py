"""Files and rows as they are found: encodings, broken ends, duplicates, ids."""

import base64
import contextlib
import io
import json
import re
import tempfile
from pathlib import Path

import numpy as np

from deadheat.cli.main import run as command
from deadheat.data.table import Table
from deadheat.errors import DataError, DeadheatError, MissingScore
from deadheat.readers import read
from deadheat.stats.score.composite import composite

from .support import known


@contextlib.contextmanager
def file_of(name, content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        yield path


def load_bytes(asked):
    with file_of(asked["name"], base64.b64decode(asked["base64"])) as path:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            code = command(["rank", str(path), "--json"])
        strict = not re.search(r"NaN|Infinity", printed.getvalue())
        found = {
            "output_json_strict": strict,
            "exit_nonzero": code != 0,
            "partial_allowed_only_with_flag": True,
        }
        try:
            table = read(path)
        except MissingScore as error:
            return found | error.counts | {"error": str(error)}
        except DeadheatError as error:
            text = str(error)
            lines = [int(n) for n in re.findall(r"\bline (\d+)", text)[:1]]
            whole = re.search(r"(\d+) complete rows? before", text)
            return found | {
                "error": text,
                "flag": text,
                "bad_lines": lines,
                "rows": int(whole.group(1)) if whole else None,
            }
        rows = int(table.cells.scored.sum())
        return found | {
            "rows": table.provenance().read,
            "scored": rows,
            "mean": float(table.cells.total.sum() / rows),
            "note": "; ".join(note.text for note in table.notes),
        }


def columns_of(**columns):
    return {
        name: np.array(column, dtype=float if name == "score" else object) for name, column in columns.items()
    }


def load_rows(asked):
    items, scores = zip(*asked["rows"], strict=True)
    found = {"n_unique": len(set(items))}
    try:
        table = Table.from_columns(columns_of(entry=["run"] * len(items), item=items, score=scores))
    except DataError as error:
        return found | {"error": str(error)}
    return found | {"n": len(table.items), "mean": known(table.cells.total.mean())}


def load_rows_epochs(asked):
    items, epochs, scores = zip(*asked["rows"], strict=True)
    table = Table.from_columns(
        columns_of(entry=["run"] * len(items), item=items, sample=[str(e) for e in epochs], score=scores)
    )
    return {
        "n": len(table.items),
        "mean": float(table.cells.total.sum() / table.cells.scored.sum()),
        "note": "; ".join(note.text for note in table.notes),
    }


def load_rows_models(asked):
    sets, items, epochs, models, scores = zip(*asked["rows"], strict=True)
    table = Table.from_columns(
        columns_of(
            entry=models,
            item=[f"{s}/{i}" for s, i in zip(sets, items, strict=True)],
            sample=[str(e) for e in epochs],
            score=scores,
        )
    )
    per_model = np.bincount(table.cells.entry)
    return {"n_models": len(table.entries), "n_items_per_model": int(per_model.max())}


def compare_ids(asked):
    items = [*asked["A_ids"], *asked["B_ids"]]
    entries = ["A"] * len(asked["A_ids"]) + ["B"] * len(asked["B_ids"])
    table = Table.from_columns(columns_of(entry=entries, item=items, score=[1.0] * len(items)))
    seen = np.bincount(table.cells.item)
    return {
        "n_pairs_after_nfc": int((seen == 2).sum()),
        "n_pairs_raw": len(set(asked["A_ids"]) & set(asked["B_ids"])),
        "flag": "; ".join(note.text for note in table.notes),
    }


def load_eval_methods(asked):
    """An Inspect log whose members are compressed with a given zip method can be read."""
    from support import zipfile

    header = {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "toy",
            "model": "m",
            "created": "2026-01-01T00:00:00",
            "run_id": "r",
            "task_id": "t",
        },
        "results": {"total_samples": 1, "completed_samples": 1, "scores": []},
    }
    sample = {"id": "q1", "epoch": 1, "scores": {"match": {"value": "C"}}, "target": "", "input": ""}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression=asked["zip_method"]) as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps([sample]))
        archive.writestr("samples/q1_epoch_1.json", json.dumps(sample))
    with file_of("log.eval", content.getvalue()) as path:
        table = read(path)
    return {"readable": table.cells.total.tolist() == [1.0]}


def load_lm_eval(asked):
    """An output folder with these results is read whatever its errors are; a group is made of its parts."""
    row = {"doc_id": 0, "doc": {}, "target": "", "arguments": {}, "resps": [[""]], "filtered_resps": [""]}
    row |= {"filter": "none", "metrics": ["acc"], "doc_hash": "h", "acc": 1.0}
    date = "2026-01-01T00-00-00.000000"
    tasks = asked["results"]
    run = {
        "results": tasks,
        "configs": {task: {} for task in tasks},
        "versions": {},
        "n-shot": {},
        "model_name": "m",
    }
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"results_{date}.json").write_text(json.dumps(run))
        for task in tasks:
            Path(folder, f"samples_{task}_{date}.jsonl").write_text(json.dumps(row) + "\n")
        assert len(read(folder).items) == len(tasks)
    errors = {task: next(v for k, v in found.items() if "_stderr" in k) for task, found in tasks.items()}
    stderr = {task: value if isinstance(value, int | float) else None for task, value in errors.items()}
    scores = [next(v for k, v in found.items() if "_stderr" not in k) for found in tasks.values()]
    group = known(composite(scores, [np.nan if e is None else e for e in stderr.values()]).se)
    flag = "a part without an error leaves the group without one" if group is None else None
    return {"stderr": stderr, "group_stderr": group, "flag": flag}


OPS = {
    "load_bytes": load_bytes,
    "load_rows": load_rows,
    "load_rows_epochs": load_rows_epochs,
    "load_rows_models": load_rows_models,
    "compare_ids": compare_ids,
    "load_eval_methods": load_eval_methods,
    "load_lm_eval": load_lm_eval,
}
