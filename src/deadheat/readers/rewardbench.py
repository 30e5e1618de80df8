"""RewardBench and RewardBench 2: per-example scores of reward models, aligned by position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.rows import Rows, fingerprint, folder_name, number
from deadheat.results import Note

CATEGORIES = {
    "Chat": ("alpacaeval-easy", "alpacaeval-length", "alpacaeval-hard", "mt-bench-easy", "mt-bench-med"),
    "Chat Hard": (
        "mt-bench-hard",
        "llmbar-natural",
        "llmbar-adver-neighbor",
        "llmbar-adver-GPTInst",
        "llmbar-adver-GPTOut",
        "llmbar-adver-manual",
    ),
    "Safety": (
        "refusals-dangerous",
        "refusals-offensive",
        "xstest-should-refuse",
        "xstest-should-respond",
        "donotanswer",
    ),
    "Reasoning": ("math-prm", "hep-cpp", "hep-go", "hep-java", "hep-js", "hep-python", "hep-rust"),
}
"""The benchmark's own map of its subsets; the second version's subsets are its categories."""
SECOND = ("factuality", "focus", "math", "precise if", "safety", "ties")
CATEGORY = {subset: name for name, subsets in CATEGORIES.items() for subset in subsets}
RESULTS = re.compile(rb'"results"\s*:\s*\[\s*(?:-?\d|null|true|false|NaN)')
MODEL = re.compile(rb'"model"\s*:\s*"')
LABELLED = re.compile(rb'"model_type"\s*:|"subset"\s*:\s*\[\s*"')


class _Scores(msgspec.Struct):
    results: list[Any]
    subset: list[str]
    model: str | None = None
    id: list[int | str | None] | None = None


def _claims(source: Source) -> bool:
    head = source.head
    return head.lstrip()[:1] == b"{" and all(part.search(head) for part in (RESULTS, MODEL, LABELLED))


def _read(source: Source, options: Options) -> Sequence[Batch]:
    found = source.json(_Scores)
    for name, column in (("subset", found.subset), ("id", found.id)):
        if column is not None and len(column) != len(found.results):
            raise MalformedFile(
                f"{source.path}: {len(found.results)} results but {len(column)} values of {name!r}; "
                "they belong together by position"
            )
    entry = source.label or found.model or folder_name(source)
    rows, seen = Rows("category", "subset"), Counter[str]()
    for at, (result, subset) in enumerate(zip(found.results, found.subset, strict=True)):
        rows.add(
            entry,
            f"{subset}/{seen[subset]:04d}",
            number(result, f"{source.path}: results[{at}]"),
            extra=(_category(subset), subset),
        )
        seen[subset] += 1
    aligned = {"subset order": fingerprint(found.subset)}
    if found.id is not None and options.choices.get("ids") != "ignore":
        aligned["list of ids"] = fingerprint(map(str, found.id))
    batch = rows.batch(source, "rewardbench")
    return [replace(batch, aligned=aligned, notes=_notes(seen))]


def _category(subset: str) -> str | None:
    return CATEGORY.get(subset) or (subset if subset.lower() in SECOND else None)


def _notes(subsets: Counter[str]) -> list[Note]:
    if not any(subset.lower() == "ties" for subset in subsets):
        return []
    text = (
        "the published Ties score of RewardBench 2 is made of several rates and margins; here it is the "
        "share of its examples that are right"
    )
    return [Note(code="rewardbench-ties", text=text)]


READERS = (
    Reader(
        name="rewardbench",
        title="RewardBench and RewardBench 2: eval-set-scores",
        recognised="a JSON object with a list of numbers `results`, `model`, and `subset` or `model_type`",
        entry="model",
        item="subset/position within the subset; files whose subset order or ids differ are refused",
        sample="one",
        score="results: 1 where the chosen answer wins, 0, or the fraction that a tie was given",
        failed="not recorded",
        absent="null",
        claims=_claims,
        read=_read,
    ),
)
