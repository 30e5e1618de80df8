"""OpenCompass results: `results/MODEL/DATASET.json` with details by item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from deadheat.data.batch import Batch
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Odd, Rows

RIGHT = ("correct", "is_correct", "cascade_correct")
Verdict = bool | float | str | list[bool | float] | None


class _Detail(msgspec.Struct):
    correct: Verdict = None
    is_correct: Verdict = None
    cascade_correct: Verdict = None
    example_abbr: str | None = None

    def verdict(self) -> Any:
        """Whichever key this evaluator wrote."""
        return next((value for name in RIGHT if (value := getattr(self, name)) is not None), None)


class _Results(msgspec.Struct):
    accuracy: float | None = None
    error: str | None = None
    details: dict[str, _Detail | str | None] | list[_Detail] | None = None


def _claims(source: Source) -> bool:
    found = outline(source.head)
    detailed = (
        found.has("details.type") or found.has("details.[].example_abbr") or found.has("details.0.correct")
    )
    return detailed or (_in_results(source) and (found.has("accuracy") or found.has("error")))


def _in_results(source: Source) -> bool:
    folders = source.path.parents
    return (
        len(folders) > 2
        and folders[1].name == "results"
        and re.fullmatch(r"\d{8}_\d{6}", folders[2].name) is not None
    )


def _read(source: Source, options: Options) -> Sequence[Batch]:
    results = source.json(_Results)
    entry, dataset = source.path.parent.name, source.stem
    rows, odd = Rows("category"), Odd(source.path)
    for item, detail in _details(results):
        verdict = detail.verdict() if isinstance(detail, _Detail) else None
        several = isinstance(verdict, list)
        for place, value in enumerate((verdict or [None]) if several else [verdict], 1):
            score, reason = odd.number(value, f"details of {item}")
            if value is None:
                reason = odd.missing(f"details of {item}: none of {', '.join(RIGHT)} gives a verdict")
            rows.add(
                entry, f"{dataset}/{item}", score, str(place) if several else None, None, reason, [dataset]
            )
    rate = None if results.accuracy is None else results.accuracy / 100
    return [
        replace(
            rows.batch(source, "opencompass"),
            published={entry: rate} if rate is not None and 0 <= rate <= 1 else {},
            unpublished=[] if len(rows) else [entry],
            task=dataset,
            notes=odd.notes(scored="scored" in rows.statuses),
            time=next((f.name for f in source.path.parents if re.fullmatch(r"\d{8}_\d{6}", f.name)), ""),
        )
    ]


def _details(results: _Results) -> list[tuple[str, Any]]:
    """Details of each item by its name, without their type, which lies among them as a text."""
    details = results.details or []
    if isinstance(details, dict):
        return [(name, detail) for name, detail in details.items() if name != "type"]
    return [(d.example_abbr or str(at), d) for at, d in enumerate(details)]


READERS = (
    Reader(
        name="opencompass",
        title="OpenCompass results",
        recognised="JSON with details by item; without them, a file TIME/results/MODEL/DATASET.json",
        entry="folder of the model",
        item="dataset/position in the details",
        sample="place in the list of verdicts, where there are several",
        score="correct, is_correct or cascade_correct",
        failed="not told apart",
        absent="details without a verdict; a file without details lists its model without results",
        claims=_claims,
        read=_read,
    ),
)
