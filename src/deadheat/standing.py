"""The results on places: who may be the best, who may be among the first k, and shares of resamples."""

from __future__ import annotations

from deadheat.records import Interval, Note, Record


class Winner(Record, frozen=True, kw_only=True):
    """What can be said of the first place: who may hold it, and the top score corrected for being the top.

    `may_be_best` are the entries that cannot be excluded as the best, with confidence 1 - alpha. `value` is
    the entry's score as found; `corrected` and `interval` speak of its true score, given that it was picked
    for being the highest; `optimism` is the bootstrap's estimate of what the picking adds on average.
    """

    entry: str
    may_be_best: tuple[str, ...]
    method: str | None = None
    value: float | None = None
    corrected: float | None = None
    interval: Interval | None = None
    optimism: float | None = None
    notes: tuple[Note, ...] = ()


class Top(Record, frozen=True, kw_only=True):
    """The first k places, by the rank intervals: who cannot be excluded from them, and who surely has one."""

    k: int
    may_be: tuple[str, ...]
    surely: tuple[str, ...]


class Chance(Record, frozen=True, kw_only=True):
    """Ranks of one entry in resamples of the items: a description of the board found, no p-value.

    `ranks` holds the share of resamples in which the entry takes rank 1, 2, ...; entries that tie in a
    resample share their ranks in equal parts.
    """

    entry: str
    first: float
    expected_rank: float
    ranks: tuple[float, ...]
