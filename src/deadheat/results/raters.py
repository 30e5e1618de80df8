"""Several judges of the same answers: how each pair agrees, what most say, what Dawid and Skene infer."""

from __future__ import annotations

from deadheat.results.records import Interval, Record


class Rater(Record, frozen=True, kw_only=True):
    """One judge among several.

    `score`: its mean. `first`: entries that it puts first. `with_others`: share of its verdicts that most of
    the others share. `sensitivity`, `specificity`: as Dawid and Skene's model infers them.
    """

    rater: str
    ratings: int
    score: float
    first: tuple[str, ...]
    with_others: float | None = None
    sensitivity: float | None = None
    specificity: float | None = None


class RaterPair(Record, frozen=True, kw_only=True):
    """Two judges on the answers that both rated; intervals are over items."""

    a: str
    b: str
    ratings: int
    agreement: float
    kappa: float | None = None
    kappa_interval: Interval | None = None
    ac1: float | None = None
    alpha: float | None = None


class RatedEntry(Record, frozen=True, kw_only=True):
    """An entry by all judges: mean score, share of answers that most accept, and the rate inferred."""

    entry: str
    score: float
    majority: float | None = None
    dawid_skene: float | None = None


class Raters(Record, frozen=True, kw_only=True):
    """All judges; `alpha` is Krippendorff's over all of them."""

    alpha: float | None
    raters: tuple[Rater, ...]
    pairs: tuple[RaterPair, ...]
    entries: tuple[RatedEntry, ...]
