"""Tables with fields dropped, retyped, doubled or renamed: no traceback, and every row is accounted for."""

from __future__ import annotations

import csv
import json
import random
import re

import duckdb
import pytest

import deadheat as dh
from deadheat.errors import DeadheatError

SEEDS = 60
VALUES = (
    None,
    "",
    0,
    2.5,
    -1,
    "1",
    "yes",
    "NaN",
    float("nan"),
    "x",
    True,
    [1],
    {"a": 1},
    "1e400",
    " é",
    "\t",
)
NAMES = ("item", "score", "status", "sample", "metric", "Score", "", "weight", "entry ", "cluster")
KINDS = ("drop", "drop everywhere", "retype", "double", "rename", "rename everywhere", "add")


def rows_of(rng):
    """A plain table of attempts."""
    sampled, stated = rng.random() < 0.5, rng.random() < 0.5
    return [
        {"entry": e, "item": f"q{i}", "score": int(rng.random() < 0.5)}
        | ({"sample": s} if sampled else {})
        | ({"status": "scored"} if stated else {})
        for e in "AB"
        for i in range(4)
        for s in range(2 if sampled else 1)
    ]


def changed(rng, rows):
    """The same with a few faults of structure."""
    rows = [dict(row) for row in rows]
    for _ in range(rng.randint(1, 3)):
        row, key = rng.choice(rows), rng.choice(list(rows[0]))
        kind = rng.choice(
            ("drop", "drop everywhere", "retype", "double", "rename", "rename everywhere", "add")
        )
        touched = rows if "everywhere" in kind else [row]
        if kind.startswith("drop"):
            for each in touched:
                each.pop(key, None)
        elif kind == "retype":
            row[key] = rng.choice(VALUES)
        elif kind == "double":
            rows.append(dict(row))
        elif kind.startswith("rename"):
            name = rng.choice(NAMES)
            for each in touched:
                if key in each:
                    each[name] = each.pop(key)
        else:
            row[rng.choice(NAMES)] = rng.choice(VALUES)
    rng.shuffle(rows)
    return rows


def write(path, rows):
    """Write rows as the suffix says; None where the format cannot hold them."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    if path.suffix == ".csv":
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        source = path.with_suffix(".source.jsonl")
        source.write_text("".join(json.dumps(row).replace("NaN", "null") + "\n" for row in rows))
        try:
            duckdb.execute(f"COPY (FROM read_json('{source}', format='newline_delimited')) TO '{path}'")
        except duckdb.Error:
            return None
    return path


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl", ".parquet"])
def test_rows_are_read_told_or_refused(tmp_path, suffix):
    accepted, refused = 0, []
    for seed in range(SEEDS):
        rng = random.Random(f"{suffix} {seed}")
        rows = changed(rng, rows_of(rng))
        path = write(tmp_path / f"a{seed}{suffix}", rows)
        if path is None:
            continue
        try:
            table = dh.read(path)
        except DeadheatError as error:
            refused.append(str(error))
            continue
        accepted += 1
        removed = sum(
            int(match[1].replace(",", ""))
            for note in table.notes
            if (match := re.match(r"([\d,]+) identical repeats removed", note.text))
        )
        wide = any(note.code == "wide-table" for note in table.notes)
        if not wide:
            assert table.provenance().read + removed == len(rows), (seed, rows)
    assert accepted > 4
    for text in refused:
        assert str(tmp_path) in text or "found" in text, text
