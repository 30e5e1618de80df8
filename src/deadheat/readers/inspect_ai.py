"""Inspect AI logs: `.eval` archives, of which only the summaries are unpacked, and `.json` logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import ZIP, Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Odd, Rows, choose
from deadheat.results import Note

if TYPE_CHECKING:
    from deadheat.readers.inspect_zip import Archive
from deadheat.data.publication import Stated

WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0, "yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
NULL = msgspec.Raw(b"null")
UNFINISHED = ("started", "cancelled", "error")


class _Score(msgspec.Struct):
    value: Any = None
    history: list[msgspec.Raw] = []


class _Sample(msgspec.Struct):
    id: int | str
    epoch: int = 1
    scores: dict[str, _Score] | None = None
    score: _Score | None = None  # logs before May 2024
    error: msgspec.Raw = NULL
    limit: msgspec.Raw = NULL
    metadata: msgspec.Raw = NULL
    invalidation: msgspec.Raw = NULL


class _Dataset(msgspec.Struct):
    sample_ids: list[int | str] | None = None


class _Config(msgspec.Struct):
    epochs: int | None = None
    limit: Any = None
    sample_id: Any = None


class _Eval(msgspec.Struct):
    task: str
    model: str
    created: str = ""
    dataset: _Dataset = msgspec.field(default_factory=_Dataset)
    config: _Config = msgspec.field(default_factory=_Config)


class _Value(msgspec.Struct):
    value: Any = None


class _Result(msgspec.Struct):
    name: str
    scorer: str | None = None
    reducer: str | None = None
    metrics: dict[str, _Value] = {}


class _Results(msgspec.Struct):
    scores: list[_Result] = []
    scorer: _Result | None = None  # logs before May 2024
    metrics: dict[str, _Value] = {}


class _Header(msgspec.Struct):
    eval: _Eval
    status: str = "started"
    results: _Results | None = None
    invalidated: bool = False


class _Log(_Header):
    samples: list[_Sample] | None = None


def _claims(source: Source) -> bool:
    if source.head.startswith(ZIP):
        return source.suffix == ".eval"
    return outline(source.head).has("status", "eval.task", "eval.created")


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if not source.head.startswith(ZIP):
        log = source.json(_Log)
        return [_batch(source, options, log, log.samples or [])]
    from deadheat.readers.inspect_zip import Archive

    with Archive(source.path, source.memory) as archive:
        if "header.json" in archive.names:
            header = archive.json("header.json", _Header)
        elif "_journal/start.json" in archive.names:
            header = archive.json("_journal/start.json", _Header)
        else:
            end = ", of which the end is missing" if archive.cut else ""
            raise MalformedFile(
                f"{source.path}: no header.json and no _journal/start.json in this .eval log{end}"
            )
        read = list(_summaries(archive, whole=header.invalidated))
        if archive.cut and not read:
            raise MalformedFile(
                f"{source.path}: the .eval archive is truncated: none of its samples is whole"
            )
        batch = _batch(source, options, header, read)
        return [replace(batch, notes=[*batch.notes, *archive.cut])]


def _summaries(archive: Archive, *, whole: bool) -> Iterable[_Sample]:
    """Samples without their transcripts: of a finished log, else of its journal, else from the samples.

    Summaries do not say which samples are invalid, so of a log that has such the samples are read.
    """
    names = sorted(name for name in archive.names if name.startswith("samples/") and name.endswith(".json"))
    if "summaries.json" in archive.names and not (whole and names):
        return archive.json("summaries.json", list[_Sample])  # type: ignore[no-any-return]
    journal = archive.numbered("_journal/summaries")
    found = [sample for name in journal for sample in archive.json(name, list[_Sample])]
    if whole or archive.cut or not found:  # the journal of a log that was cut may lag behind its samples
        found += [archive.json(name, _Sample) for name in names]
    return found


def _batch(source: Source, options: Options, header: _Header, read: Iterable[_Sample]) -> Batch:
    run, where = header.eval, str(source.path)
    old = header.results.scorer.name if header.results and header.results.scorer else "score"
    samples = {(str(sample.id), sample.epoch): sample for sample in read}  # a later row replaces
    for sample in samples.values():
        if sample.score is not None and not sample.scores:
            sample.scores = {old: sample.score}
    scorer, key = _choose(samples.values(), options, where)
    carried = [name for name in options.choices.get("columns", "").split(",") if name]
    rows, odd = Rows("task", *carried), Odd(source.path)
    for (id, epoch), sample in samples.items():
        score, status, reason = _outcome(sample, scorer, key, odd)
        metadata = msgspec.json.decode(sample.metadata, type=dict[str, Any] | None) or {} if carried else {}
        extra = [None if metadata.get(name) is None else str(metadata[name]) for name in carried]
        rows.add(run.model, f"{run.task}/{id}", score, str(epoch), status, reason, [run.task, *extra])
    notes = [*odd.notes(scored="scored" in rows.statuses), *_touched(source, samples.values(), scorer)]
    if samples and header.status in UNFINISHED:
        expected = _expected(run)
        for id, epoch in expected:
            if (id, epoch) not in samples:
                extra = [run.task, *[None] * len(carried)]
                rows.add(run.model, f"{run.task}/{id}", None, str(epoch), "absent", "not started", extra)
        text = f"{source.path.name}: this run did not finish (status {header.status!r})"
        notes.append(Note(code="unfinished-run", text=text))
    rate = _published(header, scorer, key)
    return Batch(
        file=source.file("inspect"),
        columns=rows.columns(),
        published={} if rate is None else {run.model: rate.value},
        stated=[] if rate is None else [Stated.unrounded(run.model, rate.value, rate.stderr)],
        unpublished=[] if samples else [run.model],
        unfinished=[run.model] if header.status in UNFINISHED else [],
        notes=notes,
        task=run.task,
        time=run.created,
    )


def _expected(run: _Eval) -> list[tuple[str, int]]:
    """What a run that did not finish would have attempted, if the log tells."""
    if run.config.limit is not None or run.config.sample_id is not None:
        return []
    epochs = range(1, (run.config.epochs or 1) + 1)
    return [(str(id), epoch) for epoch in epochs for id in run.dataset.sample_ids or []]


def _choose(samples: Iterable[_Sample], options: Options, where: str) -> tuple[str, str | None]:
    """Choose a scorer and, where its values are objects, a key of these: ``scorer`` or ``scorer/key``."""
    found: dict[str, tuple[str, str | None]] = {}
    for sample in samples:
        for scorer, score in (sample.scores or {}).items():
            keys = score.value if isinstance(score.value, dict) else [None]
            for key in keys:
                found[scorer if key is None else f"{scorer}/{key}"] = (scorer, key)
    # A scorer whose values are objects may leave some samples out with a plain NaN.
    keyed = {scorer for scorer, key in found.values() if key is not None}
    found = {name: pair for name, pair in found.items() if pair[1] is not None or pair[0] not in keyed}
    return found[choose(options, "scorer", list(found), where)] if found else ("", None)


def _touched(source: Source, samples: Iterable[_Sample], scorer: str) -> list[Note]:
    """Say how many samples were marked invalid, and how many scores were edited after the run."""
    notes, read = [], list(samples)
    invalid = [sample for sample in read if sample.invalidation != NULL]
    if invalid:
        text = f"{source.path.name}: {len(invalid)} of {len(read)} samples are marked invalid and not scored"
        notes.append(Note(code="invalid-samples", text=f"{text}, for example {invalid[0].id}"))
    edited = [s for s in read if scorer in (s.scores or {}) and s.scores[scorer].history[1:]]  # type: ignore[index]
    if edited:
        text = f"{source.path.name}: scores of {scorer!r} edited after the run: {len(edited)} of {len(read)}"
        notes.append(Note(code="edited-scores", text=f"{text}, for example that of {edited[0].id}"))
    return notes


def _outcome(sample: _Sample, scorer: str, key: str | None, odd: Odd) -> tuple[float | None, str, str | None]:
    """Score, status and reason of one attempt; a score counts even where an error or a limit came with it."""
    if sample.invalidation != NULL:
        return None, "absent", "invalid"
    given = (sample.scores or {}).get(scorer)
    value = given.value if given is not None else None
    if isinstance(value, dict):
        value = value.get(key)
    if isinstance(value, str):
        value = WORDS.get(value, WORDS.get(value.lower(), value))
    where = f"sample {sample.id} epoch {sample.epoch}, scorer {scorer!r}"
    score, told = odd.number(value, where, "C, I, P, N, yes, no, true, false or a number")
    error = bytes(sample.error)
    if score is not None:
        return score, "scored", "error" if error != b"null" else "limit" if sample.limit != NULL else None
    if b"CancelledError" in error[:60]:
        return None, "absent", "cancelled"
    if error != b"null":
        return None, "failed", "error"
    return None, "absent", told or "unscored"


def _published(header: _Header, scorer: str, key: str | None) -> _Stated | None:
    """Mean that the log itself states for a scorer, over items of the mean over their scored epochs."""
    if header.results is None:
        return None
    results = header.results.scores or [_Result(scorer, scorer, None, header.results.metrics)]
    for result in results:
        if (result.scorer or result.name, result.name) == (scorer, key or scorer):
            for metric in ("accuracy", "mean"):
                value = result.metrics[metric].value if metric in result.metrics else None
                if result.reducer in (None, "mean") and isinstance(value, int | float) and 0 <= value <= 1:
                    error = result.metrics["stderr"].value if "stderr" in result.metrics else None
                    return _Stated(float(value), float(error) if isinstance(error, int | float) else None)
    return None


class _Stated(NamedTuple):
    """A mean and its standard error, as a log states them."""

    value: float
    stderr: float | None


READERS = (
    Reader(
        name="inspect",
        title="Inspect AI logs",
        recognised=".eval zip archive, or JSON with status, eval.task and eval.created",
        entry="eval.model",
        item="task/sample id",
        sample="epoch",
        score="scores.SCORER.value: C = 1, P = 0.5, I and N = 0, yes/no; scorer=NAME or NAME/KEY",
        failed="error without a score",
        absent="NaN (unscored), cancelled, or not started in a run that did not finish",
        claims=_claims,
        read=_read,
    ),
)
