"""What is fuzzed: files of every reader, one mutated at a time, and what must hold whatever they contain."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import duckdb
import numpy as np

from deadheat import rank
from deadheat.errors import DeadheatError
from deadheat.readers import Options, read, readers
from deadheat.report.renderers import RENDERERS, render
from formats_kit import cases

ROWS = [
    ("a", "q1", "1"),
    ("a", "q2", "0"),
    ("b", "q1", "1"),
    ("b", "q2", "1"),
    ("a", "q3", "0.5"),
    ("b", "q3", ""),
]
SITE = {
    "leaderboards": [
        {
            "name": "small",
            "results": [
                {
                    "folder": folder,
                    "name": folder.upper(),
                    "resolved": 50.0,
                    "per_instance_details": {
                        "o__r-1": {"resolved": True, "cost": 0.1},
                        "o__r-2": {"resolved": False, "api_calls": 3},
                    },
                }
                for folder in ("one", "two")
            ],
        }
    ]
}
# Formats whose tests make their files as they run.
MADE = {
    "csv": {
        "long.csv": "entry,item,score\n" + "".join(",".join(row) + "\n" for row in ROWS),
        "semicolon.csv": "model;task_id;trial;correct;repo\nm;t1;1;0,5;r\nm;t1;2;1,0;r\nn;t1;1;0;r\n",
        "status.tsv": "entry\titem\tsample\tscore\tstatus\nm\tt\t1\t\tfailed\nm\tt\t2\t1\tscored\n",
        "wide.csv": "item,a,b\nq1,1,0\nq2,0,1\nq3,1,1\n",
    },
    "json": {
        "rows.jsonl": "".join(
            json.dumps({"entry": e, "item": i, "score": float(s or 0), "extra": None}) + "\n"
            for e, i, s in ROWS
        ),
        "list.json": json.dumps([{"model": e, "task": i, "correct": s == "1"} for e, i, s in ROWS]),
    },
    "swebench-site": {"leaderboards.json": json.dumps(SITE)},
    "swebench-experiments": {
        "split/20260101_a/results/results.json": json.dumps(
            {"resolved": ["o__r-1"], "no_generation": ["o__r-2"], "applied": ["o__r-1", "o__r-3"]}
        ),
        "split/20260102_b/results/results.json": json.dumps(
            {"resolved_ids": ["o__r-1"], "completed_ids": ["o__r-1", "o__r-2"], "error_ids": ["o__r-3"]}
        ),
    },
}


@dataclass(frozen=True)
class Part:
    """A file that is mutated, or a member of an archive, and what is read to have it read."""

    root: str
    path: str
    asked: str
    options: Options
    member: str = ""
    format: str | None = None  # for readers that are only asked for by name


def lay_out(format: str, folder: Path) -> list[Part]:
    """Write a reader's fixtures into a folder, one copy a case, and list what can be mutated."""
    parts = []
    for number, case in enumerate(case for case in cases("read") if case.format == format):
        root = folder / str(number)
        shutil.copytree(case.folder, root, ignore=shutil.ignore_patterns("case.toml", "expected*.csv"))
        asked = root / case.path
        for file in sorted(asked.rglob("*")) if asked.is_dir() else [asked]:
            if file.is_file():
                parts += _parts(folder, file, asked, case.options())
    for name, text in MADE.get(format, {}).items():
        file = folder / "made" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        parts += _parts(folder, file, file, Options())
    if format == "parquet":
        file = folder / "made.parquet"
        rows = ", ".join(f"('{e}', '{i}', {s or 'NULL'})" for e, i, s in ROWS)
        duckdb.sql(f"COPY (SELECT * FROM (VALUES {rows}) t(entry, item, score)) TO '{file}' (FORMAT parquet)")
        parts += _parts(folder, file, file, Options())
    by_name = format if readers()[format].asked else None
    return [replace(part, format=by_name) for part in parts]


def _parts(folder: Path, file: Path, asked: Path, options: Options) -> list[Part]:
    root, *_ = file.relative_to(folder).parts
    whole = Part(root, str(file.relative_to(folder)), str(asked.relative_to(folder)), options)
    members = [] if file.suffix != ".eval" else zipfile.ZipFile(file).namelist()
    return [whole, *(Part(whole.root, whole.path, whole.asked, options, name) for name in members)]


def original(folder: Path, part: Part) -> bytes:
    """What a part holds before it is mutated."""
    file = folder / part.path
    if not part.member:
        return file.read_bytes()
    with _archives().ZipFile(file) as archive:
        return archive.read(part.member)


def put(folder: Path, part: Part, content: bytes) -> bytes:
    """Write a part's content into its place; return what the file held before."""
    file = folder / part.path
    before = file.read_bytes()
    if not part.member:
        file.write_bytes(content)
        return before
    archives = _archives()
    with archives.ZipFile(file) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    with archives.ZipFile(file, "w", archives.ZIP_DEFLATED) as archive:
        for name, data in held.items():
            archive.writestr(name, content if name == part.member else data)
    return before


@cache
def one_database():
    """Make what can stand for `engine.connect`: connections to one database with one thread, which is faster.

    What a connection makes is temporary and dies with it.
    """
    base = duckdb.connect(":memory:", config={"threads": 1})
    return lambda *_, **__: base.cursor()


def _archives():
    """The module of archives that knows every compression."""
    from deadheat.readers.inspect_zip import zipfile as archives

    return archives


def check(folder: Path, part: Part, content: bytes, *, format: str | None, render_too: bool) -> bool:
    """Read a mutated file: True when it was accepted and kept every promise, False when it was refused.

    Raises
    ------
    AssertionError
        If what was accepted breaks a promise; anything but a `DeadheatError` escapes as it is.
    """
    before = put(folder, part, content)
    try:
        table = read(folder / part.asked, format=format, options=part.options)
        promises(table)
        if render_too and len(table.entries) * len(table.items) < 10_000:
            board = rank(table, draws=50)
            for name in RENDERERS:
                render(board, name).encode()
    except DeadheatError as error:
        str(error).encode(errors="backslashreplace")  # as standard error does
        return False
    finally:
        (folder / part.path).write_bytes(before)
    return True


def promises(table) -> None:
    """What holds of every table, whatever the file said."""
    assert table.entries, "no entry"
    assert table.items, "no item"
    for labels in (table.entries, table.items):
        assert list(labels) == sorted(set(labels)), "labels are sorted and unique"
        assert all(isinstance(label, str) for label in labels)
    cells = table.cells
    for counts in (cells.scored, cells.failed, cells.absent):
        assert np.all(counts >= 0), "counts are not negative"
    assert np.all(cells.scored + cells.failed + cells.absent >= 1), "a cell holds an attempt"
    assert np.all(np.isfinite(cells.total)), "sums of scores are finite"
    assert np.all(np.isfinite(cells.squares)), "sums of squares are finite"
    assert np.all(cells.squares >= 0), "squares are not negative"
    if table.binary:
        assert np.all(cells.total == cells.squares), "0/1 scores are their own squares"
        assert np.all((cells.total >= 0) & (cells.total <= cells.scored)), "0/1 scores lie in [0, n]"
    assert all(0 <= rate <= 1 for rate in table.published.values()), "published rates lie in [0, 1]"
    assert len(cells.entry) <= len(table.entries) * len(table.items)
    found = table.provenance()
    assert found.failed + found.absent <= found.read, "counts add up"
