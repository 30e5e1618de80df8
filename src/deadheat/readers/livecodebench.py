"""LiveCodeBench: `…_eval_all.json`, a list of questions with the verdict on each generated program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.readers.base import Options, Reader, Source, decode
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, folder_name


class _Question(msgspec.Struct):
    question_id: str | int
    graded_list: list[bool]
    test_id: str | int | None = None
    difficulty: str | None = None
    platform: str | None = None
    contest_date: str | None = None


class _Metrics(msgspec.Struct):
    pass_1: float | None = msgspec.field(default=None, name="pass@1")


def _claims(source: Source) -> bool:
    return outline(source.head).has("[].question_id", "[].graded_list") or _is_metrics(source)


def _is_metrics(source: Source) -> bool:
    name = source.path.name
    return name.endswith("_eval.json") and source.path.with_name(name[:-5] + "_all.json").exists()


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if _is_metrics(source):
        return []
    entry = source.path.parent.name or folder_name(source)
    rows = Rows("category", "platform", "contest_date")
    for question in source.json(list[_Question]):
        item = (
            str(question.question_id)
            if question.test_id is None
            else f"{question.question_id}/{question.test_id}"
        )
        extra = [question.difficulty, question.platform, question.contest_date]
        for number, right in enumerate(question.graded_list, 1):
            rows.add(entry, item, float(right), str(number), extra=extra)
    rate = _published(source)
    return [replace(rows.batch(source, "livecodebench"), published={} if rate is None else {entry: rate})]


def _published(source: Source) -> float | None:
    path = source.path.with_name(source.path.name.replace("_eval_all.", "_eval."))
    if path == source.path or not path.exists():
        return None
    first, *_ = source.beside(path).json(list[msgspec.Raw]) or [msgspec.Raw(b"{}")]
    return decode(bytes(first), _Metrics, str(path)).pass_1  # type: ignore[no-any-return]


READERS = (
    Reader(
        name="livecodebench",
        title="LiveCodeBench verdicts",
        recognised="a JSON list of objects with question_id and graded_list; …_eval.json goes with it",
        entry="folder",
        item="question_id, with test_id where there is one",
        sample="place in graded_list",
        score="true = 1, false = 0",
        failed="not told apart: time-outs and crashes are false",
        absent="a question that is not listed, as in another release",
        claims=_claims,
        read=_read,
    ),
)
