"""The result of watching: every look at a comparison, and how it ended."""

from __future__ import annotations

from typing import Literal

from deadheat.results.records import Document, Interval, Record

Stop = Literal["separated", "equivalent", "margin"]
Outcome = Literal["a", "b", "equivalent", "non-inferior", "inferior", "superior"]


class Look(Record, frozen=True, kw_only=True):
    """One look: the items so far, their difference a - b, and what they decide.

    `e`, `log10_e`: the e-value now of the hypothesis whose rejection stops; of two, the one nearer to it.
    `p`: always valid, from the largest e-value so far. `interval`: what this look does not reject.
    """

    items: int
    a_only: int | None = None
    b_only: int | None = None
    difference: float
    interval: Interval
    e: float | None = None
    log10_e: float
    p: float
    outcome: Outcome | None = None


class Watch(Document, frozen=True, kw_only=True):
    """A comparison followed while its items came.

    `outcome`: what was decided, null where nothing was. `ended`: ``decided``, ``budget`` (as many items as
    were allowed) or ``end`` (no more came). `resumed`: items taken from a journal. `changed`: items whose
    scores changed after they were counted, which keep what was seen first.
    """

    a: str
    b: str
    stop: Stop
    margin: float | None = None
    every: int = 1
    budget: int | None = None
    outcome: Outcome | None = None
    ended: Literal["decided", "budget", "end"]
    looks: tuple[Look, ...]
    resumed: int = 0
    changed: int = 0
    schema: str = "deadheat/watch@1"
