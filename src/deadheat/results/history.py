"""The result of looking at a board's history: its records, and which of them stand."""

from __future__ import annotations

from deadheat.results.records import Document, Record


class Step(Record, frozen=True, kw_only=True):
    """A new record against the holder of its day, on the items that both have.

    `p`: selective, because a newcomer is tested only if it is ahead. `entrants`: new entries of that day;
    `ahead`: those of them that beat the holder, of which the best was picked; `p_picked`: p times `ahead`.
    `p_adjusted`: by Holm over the whole history. `online_level`, `online`: what LORD++ allows this test,
    decided when it came, and whether it rejects there. `stands`: p_adjusted < alpha.
    """

    date: str
    entry: str
    value: float
    holder: str
    holder_value: float
    items: int
    difference: float
    a_only: int | None = None
    b_only: int | None = None
    p: float
    entrants: int
    ahead: int
    p_picked: float
    p_adjusted: float
    online_level: float
    online: bool
    stands: bool


class Start(Record, frozen=True, kw_only=True):
    """The first entry that held the record, which beat nobody."""

    date: str
    entry: str
    value: float


class Records(Document, frozen=True, kw_only=True):
    """The records of a board in order of their dates."""

    start: Start
    steps: tuple[Step, ...]
    standing: int
    entries: int
    days: int
    dates: str
    schema: str = "deadheat/records@1"
