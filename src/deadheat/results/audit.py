"""The answers of an audit: findings, rates under every policy, and what new entries change."""

from __future__ import annotations

from typing import Any, Literal

from deadheat.results import Comparison, Document, Record
from deadheat.results.judge import Judged
from deadheat.results.raters import Raters

Severity = Literal["error", "warning", "info"]


class Finding(Record, frozen=True, kw_only=True):
    """Something that contradicts something else."""

    code: str
    severity: Severity
    text: str
    entry: str | None = None
    item: str | None = None


class Claim(Record, frozen=True, kw_only=True):
    """Something that is said of an entry, and whether the items support it."""

    claim: str
    supported: bool
    text: str


class Submission(Record, frozen=True, kw_only=True):
    """What a new entry changes on a board.

    `displaces` is the entry of the board that it pushes down; `vs_anchor` compares it with the entry that
    anchored group 1 before; `joined` and `left` are the changes of that group.
    """

    entry: str
    name: str | None = None
    value: float | None = None
    published: float | None = None
    items: int = 0
    place: int | None = None
    rank: tuple[int, int] | None = None
    group: int | None = None
    displaces: str | None = None
    vs_displaced: Comparison | None = None
    vs_anchor: Comparison | None = None
    joined: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()


class Audit(Document, frozen=True, kw_only=True):
    """Findings over readable results; on request rates under every policy, and what new entries change.

    `judge`: a judge against people at each entry, where the results carry labels of people.
    `raters`: several judges of the same answers, where the samples are judges.
    """

    findings: tuple[Finding, ...]
    denominators: tuple[dict[str, Any], ...] = ()
    submissions: tuple[Submission, ...] = ()
    judge: tuple[Judged, ...] | None = None
    raters: Raters | None = None
    schema: str = "deadheat/audit@1"
