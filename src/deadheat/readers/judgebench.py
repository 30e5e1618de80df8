"""JudgeBench outputs: which of two answers a judge prefers, asked in both orders, against the right one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows
from deadheat.results import Note

TURNED = {"A>B": "B>A", "B>A": "A>B"}
PART = re.compile(r"(judge_name|judge_model)=([^,]*)")


class _Judgment(msgspec.Struct):
    decision: str | None = None


class _Pair(msgspec.Struct):
    pair_id: str
    label: str
    source: str | None = None
    response_model: str | None = None
    judge_name: str | None = None
    judgments: list[_Judgment | None] | None = None


def _claims(source: Source) -> bool:
    return outline(source.head).has("pair_id", "response_A", "response_B", "label")


def _read(source: Source, options: Options) -> Sequence[Batch]:
    named = dict(PART.findall(source.path.stem))
    entry = source.label or " ".join(named.get(part, "") for part in ("judge_name", "judge_model")).strip()
    rows, torn, unread = Rows("category", "response_model"), 0, 0
    for number, pair in json_lines(source, _Pair):
        where = f"{source.path}: line {number}"
        if not pair.judgments:
            raise MalformedFile(
                f"{where}: a pair without judgments; the pairs of JudgeBench are read once a judge has seen "
                "them: its outputs folder"
            )
        if pair.label not in TURNED:
            raise MalformedFile(f"{where}: a label is A>B or B>A; found {pair.label!r}")
        decisions = [None if made is None else made.decision for made in pair.judgments]
        decisions[1:] = [TURNED.get(made or "", made) for made in decisions[1:]]
        known = [made == pair.label for made in decisions if made in TURNED]
        torn += len(set(known)) == 2
        unread += None in decisions
        rows.add(
            entry or pair.judge_name or source.path.stem,
            pair.pair_id,
            float(2 * sum(known) > len(known)) if any(decisions) else None,
            status=None if any(decisions) else "failed",
            extra=(pair.source, pair.response_model),
        )
    return [replace(rows.batch(source, "judgebench"), notes=_notes(rows, torn, unread))]


def _notes(rows: Rows, torn: int, unread: int) -> list[Note]:
    notes, pairs, judge = [], len(rows), rows.entries[0] if rows.entries else ""
    if torn:
        text = (
            f"{judge}: at {torn:,} of {pairs:,} pairs it preferred another answer when the order was turned: "
            "they count as wrong, as JudgeBench counts them"
        )
        notes.append(Note(code="order-decides", text=text))
    if unread:
        text = (
            f"{judge}: {unread:,} of {pairs:,} pairs lack a decision in one order or both; one alone counts"
        )
        notes.append(Note(code="decision-missing", text=text))
    return notes


READERS = (
    Reader(
        name="judgebench",
        title="JudgeBench outputs: a judge's decisions on pairs",
        recognised="JSON Lines with pair_id, response_A, response_B, label and judgments",
        entry="judge_name and judge_model of the file name",
        item="pair_id",
        sample="one: both orders make one decision",
        score="1 if more of the decisions are right than wrong, else 0; one each way is 0",
        failed="neither order has a decision",
        absent="not recorded",
        claims=_claims,
        read=_read,
    ),
)
