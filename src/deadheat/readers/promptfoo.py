"""promptfoo output (JSON or JSON Lines): tests by provider and prompt, repeats told from their order."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from deadheat.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, agree, choose
from deadheat.results import Note

ERROR = 2  # failureReason of a test whose provider broke; 1 is a failed assertion
LONGEST_LABEL = 60  # a prompt without a label has its text for one


class _Provider(msgspec.Struct):
    id: str
    label: str | None = None


class _Prompt(msgspec.Struct):
    label: str = ""


class _TestCase(msgspec.Struct):
    description: str | None = None
    vars: Any = None
    asserts: Any = msgspec.field(default=None, name="assert")


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
    vars: Any = None
    test_case: _TestCase = msgspec.field(default_factory=_TestCase)
    named_scores: dict[str, float | None] = {}
    failure_reason: int | None = None
    response: _Response | None = None

    def failed(self) -> bool:
        """Whether the attempt broke; `error` alone is also set where an assertion failed."""
        if self.failure_reason is not None:
            return self.failure_reason == ERROR
        return self.response is not None and self.response.error is not None


class _Results(msgspec.Struct):
    results: list[_Row] | None = None


class _Output(msgspec.Struct):
    results: _Results


def _claims(source: Source) -> bool:
    found = outline(source.head)
    return (
        found.has("results.results.[].testIdx")
        or found.has("evalId", "results.version")
        or found.has("promptIdx", "testIdx", "provider")
    )


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if outline(source.head).has("testIdx"):
        read = [row for _, row in json_lines(source, _Row)]
    else:
        found = source.json(_Output).results.results
        if found is None:
            raise MalformedFile(
                f"{source.path}: no results.results, as promptfoo has written since its version 3"
            )
        read = found
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
    bare = sum(not row.test_case.asserts for row in read)
    if bare:
        text = f"{source.path.name}: {bare} results of tests without an assertion, which always pass"
        notes.append(Note(code="nothing-asserted", text=text))
    return [replace(rows.batch(source, "promptfoo"), notes=notes)]


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
    hashes = []
    for row in read:
        case = row.test_case
        content = msgspec.json.encode([row.vars or case.vars, case.asserts, case.description], order="sorted")
        hashes.append(hashlib.sha256(content).hexdigest()[:16])
    described: dict[str, set[str]] = defaultdict(set)
    for row, digest in zip(read, hashes, strict=True):
        described[row.test_case.description or ""].add(digest)
    return [
        name if name and len(described[name]) == 1 else digest
        for name, digest in zip([row.test_case.description or "" for row in read], hashes, strict=True)
    ]


READERS = (
    Reader(
        name="promptfoo",
        title="promptfoo output",
        recognised="JSON with evalId and results.results, or JSON Lines with testIdx, promptIdx and provider",
        entry="provider's label, with the prompt's where there are several",
        item="the test's description where unique, else a hash of its variables and assertions",
        sample="order among equal tests, as --repeat makes them",
        score="metric=pass: success; metric=score: mean of assertions; or a named score",
        failed="failureReason 2",
        absent="a named score that is not given",
        claims=_claims,
        read=_read,
    ),
)
