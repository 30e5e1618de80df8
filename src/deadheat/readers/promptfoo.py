"""promptfoo output (JSON or JSON Lines): tests by provider and prompt, repeats told from their order."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source, decode
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, agree, choose
from deadheat.results import Note

ERROR = 2  # failureReason of a test whose provider broke; 1 is a failed assertion
NULL = msgspec.Raw(b"null")
EMPTY = (b"null", b"[]", b"{}", b'""', b"false", b"0")
LONGEST_LABEL = 60  # a prompt without a label has its text for one


class _Provider(msgspec.Struct):
    id: str
    label: str | None = None


class _Prompt(msgspec.Struct):
    label: str = ""


class _TestCase(msgspec.Struct):
    description: str | None = None
    vars: msgspec.Raw = NULL
    asserts: msgspec.Raw = msgspec.field(default=NULL, name="assert")


class _Response(msgspec.Struct):
    error: str | None = None


class _Row(msgspec.Struct, rename="camel"):
    test_idx: int
    provider: _Provider | str
    success: bool
    prompt_idx: int = 0
    prompt_id: str = ""
    score: float | None = None
    prompt: _Prompt = msgspec.field(default_factory=_Prompt)
    vars: msgspec.Raw = NULL
    test_case: _TestCase = msgspec.field(default_factory=_TestCase)
    named_scores: dict[str, float | None] = {}
    failure_reason: int | None = None
    response: _Response | None = None

    def failed(self) -> bool:
        """Whether the attempt broke; `error` alone is also set where an assertion failed."""
        if self.failure_reason is not None:
            return self.failure_reason == ERROR
        return self.response is not None and self.response.error is not None


class _Column(msgspec.Struct):
    """A provider with a prompt, as a table of outputs heads it."""

    provider: str
    label: str = ""
    id: str = ""


class _Head(msgspec.Struct):
    prompts: list[_Column]
    vars: list[str] = []


class _Cell(msgspec.Struct, rename="camel"):
    success: bool = msgspec.field(name="pass")
    score: float | None = None
    named_scores: dict[str, float | None] = {}
    failure_reason: int | None = None
    grading_result: msgspec.Raw = NULL


class _Line(msgspec.Struct):
    outputs: list[_Cell]
    test: _TestCase
    vars: list[Any] = []


class _Table(msgspec.Struct):
    """Summaries of version 2, and what the web viewer saves as a table."""

    head: _Head
    body: list[_Line]

    def rows(self, where: str) -> list[_Row]:
        """Turn every cell into a row as later versions write it; an output that broke was never graded."""
        columns = self.head.prompts
        for line in self.body:
            if len(line.outputs) != len(columns):
                raise MalformedFile(
                    f"{where}: {len(line.outputs)} outputs of a test, and {len(columns)} columns"
                )
        return [
            _Row(
                test_idx=number,
                provider=column.provider,
                success=cell.success,
                prompt_idx=position,
                prompt_id=column.id,
                score=cell.score,
                prompt=_Prompt(column.label),
                vars=msgspec.Raw(msgspec.json.encode(dict(zip(self.head.vars, line.vars, strict=False)))),
                test_case=line.test,
                named_scores=cell.named_scores,
                failure_reason=ERROR
                if cell.failure_reason is None and cell.grading_result == NULL
                else cell.failure_reason or 0,
            )
            for number, line in enumerate(self.body)
            for position, (column, cell) in enumerate(zip(columns, line.outputs, strict=True))
        ]


class _Results(msgspec.Struct):
    results: msgspec.Raw = NULL
    table: _Table | None = None


class _Output(msgspec.Struct):
    results: _Results


class _List(msgspec.Struct):
    results: list[_Row]


class _Rows(msgspec.Struct):
    """An output of version 3, which needs no second look."""

    results: _List


def _claims(source: Source) -> bool:
    found = outline(source.head)
    return (
        found.has("results.results.[].testIdx")
        or found.has("evalId", "results.version")
        or found.has("promptIdx", "testIdx", "provider")
        or found.has("head.prompts.[].provider")
    )


def _read(source: Source, options: Options) -> Sequence[Batch]:
    read = _rows(source)
    read.sort(key=lambda row: (row.test_idx, row.prompt_idx))  # rows come in the order of completion
    scores = _scores(read)
    same = agree(list(zip(scores["pass"], scores["score"], strict=True)))
    asked = options.choices.get("metric")
    metric = "pass" if same and asked is None else choose(options, "metric", list(scores), str(source.path))
    entries, items = _entries(read), _items(read)
    rows, seen = Rows(), Counter[tuple[str, str]]()
    for row, entry, item, score in zip(read, entries, items, scores[metric], strict=True):
        seen[entry, item] += 1
        failed = row.failed()
        sample = str(seen[entry, item])
        reason = "error" if failed else None
        rows.add(entry, item, None if failed else score, sample, "failed" if failed else None, reason)
    notes = []
    bare = sum(bytes(row.test_case.asserts) in EMPTY for row in read)
    if bare:
        text = f"{source.path.name}: {bare} results of tests without an assertion, which always pass"
        notes.append(Note(code="nothing-asserted", text=text))
    return [replace(rows.batch(source, "promptfoo"), notes=notes)]


def _rows(source: Source) -> list[_Row]:
    """Rows in whichever of the layouts the file has."""
    found, where = outline(source.head), str(source.path)
    if found.has("testIdx"):
        return [row for _, row in json_lines(source, _Row)]
    if found.has("head"):
        table: _Table = source.json(_Table)
        return table.rows(where)
    if found.has("results.results.[].testIdx"):
        output: _Rows = source.json(_Rows)
        return output.results.results
    results: _Results = source.json(_Output).results
    if results.table is not None:
        return results.table.rows(where)
    if results.results == NULL:
        raise MalformedFile(f"{where}: neither results.results nor results.table")
    return decode(bytes(results.results), list[_Row], f"{where}: results.results")  # type: ignore[no-any-return]


def _scores(read: list[_Row]) -> dict[str, list[float | None]]:
    """Candidates for the score: the verdict, the weighted mean of assertions, and each named score."""
    scores: dict[str, list[float | None]] = {
        "pass": [None if row.failed() else float(row.success) for row in read],
        "score": [None if row.failed() else row.score for row in read],
    }
    for name in sorted({name for row in read for name in row.named_scores}):
        scores[name] = [row.named_scores.get(name) for row in read]
    return scores


def _entries(read: list[_Row]) -> list[str]:
    """Provider, with the prompt where there are several of them."""
    providers = [p if isinstance(p := row.provider, str) else p.label or p.id for row in read]
    prompts: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for row, provider in zip(read, providers, strict=True):
        prompts[provider].add((row.prompt_idx, row.prompt_id))
    if all(len(found) == 1 for found in prompts.values()):
        return providers
    labels = [
        row.prompt.label
        if 0 < len(row.prompt.label) <= LONGEST_LABEL and "\n" not in row.prompt.label
        else f"prompt {row.prompt_id[:8] or row.prompt_idx}"
        for row in read
    ]
    return [f"[{provider}] {label}" for provider, label in zip(providers, labels, strict=True)]


def _items(read: list[_Row]) -> list[str]:
    """Name a test by its description where that is unique, else by a hash of its variables and assertions."""
    hashes, known = [], dict[tuple[bytes, bytes, str | None], str]()
    for row in read:
        case = row.test_case
        given = bytes(case.vars if bytes(row.vars) in EMPTY else row.vars)
        key = (given, bytes(case.asserts), case.description)
        if key not in known:
            known[key] = _digest(*key)
        hashes.append(known[key])
    described: dict[str, set[str]] = defaultdict(set)
    for row, digest in zip(read, hashes, strict=True):
        described[row.test_case.description or ""].add(digest)
    return [
        name if name and len(described[name]) == 1 else digest
        for name, digest in zip([row.test_case.description or "" for row in read], hashes, strict=True)
    ]


def _digest(given: bytes, asserts: bytes, description: str | None) -> str:
    """Hash a test, however its keys are ordered."""
    content = [msgspec.json.decode(given), msgspec.json.decode(asserts), description]
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()[:16]


READERS = (
    Reader(
        name="promptfoo",
        title="promptfoo output",
        recognised="JSON with evalId and results, or head.prompts; JSON Lines with testIdx and promptIdx",
        entry="provider's label, with the prompt's where there are several",
        item="the test's description where unique, else a hash of its variables and assertions",
        sample="order among equal tests, as --repeat makes them",
        score="metric=pass: success; metric=score: mean of assertions; or a named score",
        failed="failureReason 2; before it was written, an output that was not graded",
        absent="a named score that is not given",
        claims=_claims,
        read=_read,
    ),
)
