"""AlpacaEval annotations: which of two answers a judge preferred, read as a win rate against the baseline."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.data.publication import Stated
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, number
from deadheat.results import Note


class _Annotation(msgspec.Struct):
    instruction: str
    generator_1: str
    generator_2: str
    preference: float | None
    dataset: str | None = None
    annotator: str | None = None


def _claims(source: Source) -> bool:
    found = outline(source.head)
    return found.has("[].instruction", "[].generator_1", "[].generator_2", "[].preference")


def _read(source: Source, options: Options) -> Sequence[Batch]:
    annotations = source.json(list[_Annotation])
    firsts = {a.generator_1 for a in annotations}
    seconds = {a.generator_2 for a in annotations}
    swapped = len(firsts) > 1 and len(seconds) == 1
    baselines = seconds if swapped else firsts
    if len(baselines) > 1:
        raise MalformedFile(
            f"{source.path}: several baselines in one file: {', '.join(sorted(baselines)[:5])}"
        )
    rows = Rows("category")
    for a in annotations:
        entry, baseline = (a.generator_1, a.generator_2) if swapped else (a.generator_2, a.generator_1)
        score, reason = _win(a.preference, swapped)
        item = f"{baseline}/{hashlib.sha256(a.instruction.encode()).hexdigest()[:16]}"
        rows.add(entry, item, score, None, None, reason, [a.dataset])
    judges = sorted({a.annotator for a in annotations if a.annotator})
    against = f"win rates against {', '.join(baselines)}" + (
        f", judged by {', '.join(judges)}" if judges else ""
    )
    published, stated, more = _published(source, set(rows.entries))
    notes = [Note(code="win-rate", text=against), *more]
    return [replace(rows.batch(source, "alpaca-eval"), published=published, stated=stated, notes=notes)]


def _win(preference: float | None, swapped: bool) -> tuple[float | None, str | None]:
    """Score of the entry: 2 prefers the second answer, 1 the first, 0 was a draw once."""
    if preference is None:
        return None, "annotation failed"
    if preference == 0:
        return 0.5, None
    if not 1 <= preference <= 2:
        return None, "preference out of range"
    return (2 - preference if swapped else preference - 1), None


def _published(source: Source, entries: set[str]) -> tuple[dict[str, float], list[Stated], list[Note]]:
    """Win rates of `leaderboard.csv` beside the annotations; its length-controlled rate is only told."""
    path = source.path.with_name("leaderboard.csv")
    if not path.exists():
        return {}, [], []
    published, stated, notes = {}, [], []
    try:
        lines = list(csv.DictReader(io.StringIO(path.read_text(errors="replace"))))
    except csv.Error as broken:
        raise MalformedFile(f"{path}: not valid CSV: {broken}") from broken
    for row in lines:
        entry = next((cell for cell in row.values() if isinstance(cell, str) and cell in entries), None)
        if entry is None:
            continue
        rate = number(row.get("win_rate") or None, f"{path}: win_rate of {entry}")
        if rate is not None and 0 <= rate <= 100:
            published[entry] = rate / 100
            error = number(row.get("standard_error") or None, f"{path}: standard_error of {entry}")
            stated.append(Stated.unrounded(entry, rate / 100, None if error is None else error / 100))
        if row.get("length_controlled_winrate"):
            text = f"{entry}: published length-controlled win rate {row['length_controlled_winrate']} %"
            notes.append(
                Note(code="length-controlled", text=f"{text}, a model's estimate that is not recomputed")
            )
    return published, stated, notes


def _claims_leaderboard(source: Source) -> bool:
    return source.path.name == "leaderboard.csv" and source.path.with_name("annotations.json").exists()


READERS = (
    Reader(
        name="alpaca-eval",
        title="AlpacaEval annotations",
        recognised="a JSON list of objects with instruction, generator_1, generator_2 and preference",
        entry="generator_2, the one that is not the baseline",
        item="baseline/hash of the instruction",
        sample="one",
        score="preference - 1: 0 the baseline wins, 1 the entry wins; an old 0 is a draw",
        failed="not told apart",
        absent="preference null (the judge failed) or outside 1 to 2; AlpacaEval drops them too",
        claims=lambda source: _claims(source) or _claims_leaderboard(source),
        read=lambda source, options: [] if _claims_leaderboard(source) else _read(source, options),
    ),
)
