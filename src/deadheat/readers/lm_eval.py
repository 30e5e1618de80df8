"""lm-evaluation-harness: `samples_TASK_TIME.jsonl`, with the model's name from the results file beside it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from deadheat.data.batch import Batch, literal
from deadheat.data.direction import lower_is_better
from deadheat.data.publication import Stated
from deadheat.errors import DuplicateAttempt, MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.lm_eval_scan import scan
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, choose
from deadheat.results import Note

if TYPE_CHECKING:
    import duckdb

# Keys of a row that are no metric; other keys with a number are, in files that do not list their metrics.
FIXED = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")
BYPASS = 999  # what the metric `bypass` writes


class _Config(msgspec.Struct):
    model: str | None = None
    model_args: str | dict[str, Any] | None = None


class _Results(msgspec.Struct):
    results: dict[str, dict[str, Any]]
    model_name: str | None = None
    config: _Config = msgspec.field(default_factory=_Config)
    higher_is_better: dict[str, dict[str, bool | None]] = {}

    def entry(self) -> str | None:
        """Name of the model."""
        args = self.config.model_args
        if isinstance(args, str):
            args = dict(part.split("=", 1) for part in args.split(",") if "=" in part)
        args = args or {}
        named = [args.get(key) for key in ("peft", "delta", "pretrained", "model", "path", "engine")]
        return self.model_name or next((str(name) for name in named if name), None)


def _claims(source: Source) -> bool:
    found = outline(source.head)
    return found.has("doc_id", "doc") or found.has("[].doc_id", "[].doc") or _is_results(source)


def _is_results(source: Source) -> bool:
    found = outline(source.head)
    return (
        source.suffix == ".json"
        and found.has("results.*.alias")
        and any("," in key for task in found.under("results") for key in found.under("results", task))
    )


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if _is_results(source):
        return []
    task, time = _task_and_time(source)
    results = _results(source, time)
    where = str(source.path)
    first = _first(source)
    metrics = _metrics(first, where)
    metric = choose(options, "metric", metrics, where)
    entry = (results.entry() if results else None) or (task and source.path.parent.name) or source.entry
    by_hash, carried = options.choices.get("match") != "doc_id", options.choices.get("columns", "")
    plain = not carried and not source.head.lstrip().startswith(b"[")
    plain = plain and not (by_hash and not first.get("doc_hash"))
    scanned = scan(source, metric, task, by_hash=by_hash) if plain else None
    if scanned is not None:
        filter = choose(options, "filter", list(scanned), where)
        query = f"SELECT {literal(entry)} AS entry, * FROM ({scanned[filter]})"
        batch = Batch(file=source.file("lm-eval"), query=query)
    else:
        kept = _collect(source, metric, options, task)
        filter = choose(options, "filter", list(kept), where)
        kept[filter].entries = [entry] * len(kept[filter])
        batch = kept[filter].batch(source, "lm-eval")
    lower, notes = _direction(results, task, metric, batch, source)
    if results is None:
        what = "folder" if task else "file"
        text = f"no results file beside {source.path.name}: the entry is named after its {what}, {entry!r}"
        notes.append(Note(code="entry-from-path", text=text))
    batch = replace(batch, notes=notes, task=task, time=time, entry=entry, lower_is_better=lower)
    rate = results.results.get(task, {}).get(f"{metric},{filter}") if results else None
    if not isinstance(rate, int | float) or not 0 <= rate <= 1 or results is None:
        return [batch]
    error = results.results.get(task, {}).get(f"{metric}_stderr,{filter}")
    known = float(error) if isinstance(error, int | float) else None
    stated = [Stated.unrounded(entry, float(rate), known)]
    return [replace(batch, published={entry: float(rate)}, stated=stated)]


def _direction(
    results: _Results | None, task: str, metric: str, batch: Batch, source: Source
) -> tuple[bool | None, list[Note]]:
    """Say which way the metric runs; perplexity is logged as log-likelihoods, which run the other way."""
    higher = results.higher_is_better.get(task, {}).get(metric) if results else None
    lower = lower_is_better(metric) if higher is None else not higher
    if "perplexity" not in metric or _largest(batch, source) > 0:
        return lower, []
    text = (
        f"{source.path.name}: the items of {metric} hold log-likelihoods, of which higher is better; the "
        f"published {metric} is exp(-mean) of them, of which lower is better"
    )
    return False, [Note(code="log-likelihoods", text=text)]


def _largest(batch: Batch, source: Source) -> float:
    """The largest score of a batch; -inf without one."""
    if batch.columns is not None:
        return max((s for s in batch.columns["score"].tolist() if s == s), default=-math.inf)
    found = source.connection.execute(f"SELECT max(score) FROM ({batch.query})").fetchall()[0][0]
    return -math.inf if found is None else float(found)


def _task_and_time(source: Source) -> tuple[str, str]:
    """Part ``samples_<task>_<time>``: the task may hold underscores, the time never does.

    A file of another name has been renamed, or is of a version before 0.4.3: its name is not its task.
    """
    named = re.fullmatch(r"samples_(.+)_(\d{4}-\d\d-\d\dT[^_]*)", source.stem)
    return (named[1], named[2]) if named else ("", "")


def _results(source: Source, time: str) -> _Results | None:
    """Find the results of the same run: in the same folder, with the same time in the name."""
    beside = sorted(source.path.parent.glob(f"*_{time}.json")) if time else []
    for path in beside:
        if not path.name.startswith("samples_"):
            return source.beside(path).json(_Results)  # type: ignore[no-any-return]
    return None


def _first(source: Source) -> dict[str, Any]:
    """The first row."""
    for _, row in _rows(source, dict[str, Any]):
        return row  # type: ignore[no-any-return]
    raise MalformedFile(f"{source.path}: no sample in this file")


def _metrics(row: dict[str, Any], where: str) -> list[str]:
    """Metrics with one number a row, told from the first; those with lists are not means over items."""
    named = row.get("metrics")
    if named is None:
        named = [key for key in row if key not in FIXED and not key.endswith("_hash")]
    found = [
        name
        for name in named
        if isinstance(row.get(name), bool | int | float | None) and name in row and row[name] != BYPASS
    ]
    if not found:
        raise MalformedFile(
            f"{where}: no metric with one number a row; found {', '.join(map(str, named)) or 'none'}"
        )
    return found


def _rows(source: Source, type: Any) -> Iterator[tuple[int, Any]]:
    """Rows of a file, which old versions wrote as one JSON list."""
    if source.head.lstrip().startswith(b"["):
        yield from enumerate(source.json(list[type]), 1)
    else:
        yield from json_lines(source, type)


def _collect(source: Source, metric: str, options: Options, task: str) -> dict[str, Rows]:
    """Read every row, kept apart by filter; a document is known by its hash."""
    row_type = msgspec.defstruct(
        "Row",
        [
            ("doc_id", int | str),
            ("value", bool | float | None),
            ("filter", str, "none"),
            ("doc_hash", str | None, None),
            ("doc", msgspec.Raw, msgspec.Raw(b"null")),
        ],
        rename={"value": metric},
        kw_only=True,
    )
    carried = [name for name in options.choices.get("columns", "").split(",") if name]
    by_hash = options.choices.get("match") != "doc_id"
    kept: dict[str, Rows] = {}
    seen: dict[str, set[int | str]] = {}
    copies: dict[str, Counter[str]] = {}
    for number, row in _rows(source, row_type):
        if row.filter not in kept:
            kept[row.filter], seen[row.filter] = Rows("doc_id", "task", "category", *carried), set()
            copies[row.filter] = Counter()
        if row.doc_id in seen[row.filter]:
            raise DuplicateAttempt(
                f"{source.path}: row {number}: doc_id {row.doc_id} occurs again under the filter "
                f"{row.filter!r}; two runs or two filters seem to be mixed in this file"
            )
        seen[row.filter].add(row.doc_id)
        digest = row.doc_hash or _digest(row.doc) if by_hash else None
        item = "/".join(filter(None, [task, digest[:16] if digest else str(row.doc_id)]))
        copies[row.filter][item] += 1
        if copies[row.filter][item] > 1:  # a document that the data set holds twice
            item = f"{item}#{copies[row.filter][item]}"
        doc = msgspec.json.decode(row.doc, type=dict[str, Any]) if carried else {}
        extra = [None if doc.get(name) is None else str(doc[name]) for name in carried]
        score = None if row.value is None else float(row.value)
        kept[row.filter].add("", item, score, extra=[str(row.doc_id), task or None, task or None, *extra])
    return kept


def _digest(doc: msgspec.Raw) -> str | None:
    """Hash a document as versions from 0.4.3 do; None for one that is empty."""
    content = msgspec.json.decode(doc)
    if not content:
        return None
    return hashlib.sha256(json.dumps(content, indent=2, ensure_ascii=False).encode()).hexdigest()


def _together(batches: Sequence[Batch], connection: duckdb.DuckDBPyConnection) -> Sequence[Batch]:
    """Give files whose name is not their task the task of those with the same documents, where it is one."""
    known: dict[str, set[str]] = {}
    unknown = [batch for batch in batches if not batch.task]
    for batch in batches if unknown else ():
        if batch.task:
            cut = len(batch.task) + 1
            known.setdefault(batch.task, set()).update(i[cut:] for i in _items(batch, connection))
    return [batch if batch.task else _named(batch, known, connection) for batch in batches]


def _named(batch: Batch, known: dict[str, set[str]], connection: duckdb.DuckDBPyConnection) -> Batch:
    items = set(_items(batch, connection)) if known else set()
    tasks = [task for task, documents in known.items() if items & documents]
    if len(tasks) != 1:
        return batch
    text = f"{batch.file.path}: taken for the task {tasks[0]}, whose documents it has; its name does not tell"
    notes = [*batch.notes, Note(code="task-from-documents", text=text)]
    prefix = f"{tasks[0]}/"
    if batch.columns is None:
        query = f"SELECT * REPLACE (concat({literal(prefix)}, item) AS item) FROM ({batch.query})"
        return replace(batch, query=query, notes=notes)
    column = np.array([prefix + item for item in batch.columns["item"]], dtype=object)
    return replace(batch, columns={**batch.columns, "item": column}, notes=notes)


def _items(batch: Batch, connection: duckdb.DuckDBPyConnection) -> list[str]:
    if batch.columns is not None:
        return list(batch.columns["item"])
    return [row[0] for row in connection.execute(f"SELECT item FROM ({batch.query})").fetchall()]


READERS = (
    Reader(
        name="lm-eval",
        title="lm-evaluation-harness sample logs",
        recognised="JSON Lines whose rows begin with doc_id and doc; results_TIME.json is read with them",
        entry="model_name or model_args of the results file of the same folder and time, else the folder",
        item="task/doc_hash, computed where it is not logged; doc_id with match=doc_id; no task if renamed",
        sample="one: repeats are reduced by the harness's filters",
        score="the metric's own key, metric=NAME; one row a filter, filter=NAME",
        failed="not recorded",
        absent="NaN or null",
        claims=_claims,
        read=_read,
        together=_together,
    ),
)
