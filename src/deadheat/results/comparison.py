"""The results on pairs: a comparison, a margin, a published number, a gate, an A/A check."""

from __future__ import annotations

from typing import Literal

from deadheat.results.cost import PairCost
from deadheat.results.k_curves import KCurve
from deadheat.results.records import Document, Interval, Note, Record, Unit


class Own(Record, frozen=True, kw_only=True):
    """Each entry over all of its own items, shared or not; the unshared ones are listed on request."""

    items_a: int
    items_b: int
    value_a: float | None = None
    value_b: float | None = None
    only_a: tuple[str, ...] | None = None
    only_b: tuple[str, ...] | None = None


class Common(Record, frozen=True, kw_only=True):
    """The same comparison on the items that all entries compared here have."""

    items: int
    difference: float | None = None
    interval: Interval | None = None
    p: float | None = None
    verdict: Literal["a", "b", "not separated"] | None = None


class FittedGap(Record, frozen=True, kw_only=True):
    """The same difference of scores over all items, what is absent fitted by a model."""

    model: Literal["rasch", "two-way"]
    items: int
    missing: float
    value_a: float | None = None
    value_b: float | None = None
    difference: float | None = None
    se: float | None = None
    interval: Interval | None = None
    p: float | None = None
    verdict: Literal["a", "b", "not separated"] | None = None


class AgainstMargin(Record, frozen=True, kw_only=True):
    """Tests of a difference a - b against a margin, and the interval at level 1 - 2 alpha that they make.

    `p_non_inferior`: against "a is worse by the margin or more". `p_equivalent`: the larger p of the two
    one-sided tests. `p_inferior`: against "a is not worse by the margin". `items_needed`: for an entry
    that is no different to be shown to be non-inferior with 80 % power, discordance as observed.
    """

    margin: float
    method: str
    p_non_inferior: float | None = None
    p_equivalent: float | None = None
    p_inferior: float | None = None
    interval: Interval | None = None
    items_needed: int | None = None


class Published(Record, frozen=True, kw_only=True):
    """A published score, and what its error allows.

    `se`: error of the published score. `se_least`, `se_most`: the error of the difference at the two extremes
    of an unknown correlation. `share`: of the variance of the difference, the published score's part, which
    no repetition of ours reduces. `floor`: the error of the difference with endless samples of ours on these
    items.
    """

    value: float
    se: float | None = None
    items: int | None = None
    se_least: float | None = None
    se_most: float | None = None
    share: float | None = None
    floor: float | None = None


class Flips(Record, frozen=True, kw_only=True):
    """The items of one cluster on which the two differ; for other than 0/1 scores, where either is higher."""

    cluster: str
    items: int
    a_only: int
    b_only: int
    a_only_items: tuple[str, ...] = ()
    b_only_items: tuple[str, ...] = ()


class Fixed(Record, frozen=True, kw_only=True):
    """What the default test of this data says at one look; its error holds for one look only."""

    test: str
    p: float | None = None
    log10_p: float | None = None
    interval: Interval | None = None


class Anytime(Record, frozen=True, kw_only=True):
    """A comparison that is valid at every look.

    `e`: the e-value of all units against no difference (null above 1e304; `log10_e` says how large).
    `stopped_at`, `difference_at_stop`: along `order`, the first look at which the e-value reached 1/alpha.
    `stop_median`: units after which half of all orders have stopped (null where fewer than half do);
    `stop_share`: of all orders; `orders`: how many were drawn, null where all were counted.
    `fixed`: one look.
    """

    e: float | None = None
    log10_e: float
    units: Literal["items", "clusters"]
    looked: int
    order: str | None = None
    stopped_at: int | None = None
    difference_at_stop: float | None = None
    stop_median: int | None = None
    stop_share: float
    orders: int | None = None
    fixed: Fixed


class Comparison(Record, frozen=True, kw_only=True):
    """Two entries on the same items, `difference` = a - b; null where undefined, with a note.

    `ahead` scores better, in the direction that the estimand states, separated or not; null if neither.
    """

    a: str
    b: str
    items: int
    value_a: float | None = None
    value_b: float | None = None
    difference: float | None = None
    se: float | None = None
    interval: Interval | None = None
    p: float | None = None
    log10_p: float | None = None
    p_adjusted: float | None = None
    test: str | None = None
    a_only: int | None = None
    b_only: int | None = None
    correlation: float | None = None
    se_unpaired: float | None = None
    smallest_visible: float | None = None
    items_to_separate: int | None = None
    verdict: Literal["a", "b", "not separated"] | None = None
    ahead: Literal["a", "b"] | None = None
    margin: float | None = None
    equivalence: Literal["equivalent", "non-inferior", "inferior", "inconclusive"] | None = None
    df: float | None = None
    clusters: int | None = None
    probability_better: float | None = None
    own: Own | None = None
    common: Common | None = None
    bounds: tuple[float, float] | None = None
    fitted: FittedGap | None = None
    against_margin: AgainstMargin | None = None
    published: Published | None = None
    anytime: Anytime | None = None
    flips: tuple[Flips, ...] | None = None
    cost: PairCost | None = None
    curve: KCurve | None = None
    unit: Unit = "rate"
    notes: tuple[Note, ...] = ()


class Gate(Record, frozen=True, kw_only=True):
    """A gate on candidates against a baseline: its decision, and how often it decides wrongly.

    `false_alarm`: how often it fails a candidate that is no different. `drop` and `power`: a true loss, and
    how often the gate fails it. `items_needed`: items on which a gate on `inconclusive` passes a candidate
    that is no different with 80 % power, and one on `worse` fails a loss of twice the margin with it.
    `power_method`: ``exact`` (a sum over every table), ``normal`` (Nam's formula) or ``noncentral t``.
    """

    fail_on: Literal["worse", "inconclusive"]
    failed: bool
    failing: tuple[str, ...]
    rule: str
    false_alarm: float | None = None
    drop: float | None = None
    power: float | None = None
    items_needed: int | None = None
    power_method: Literal["exact", "normal", "noncentral t"] | None = None
    notes: tuple[Note, ...] = ()


class SelfCheck(Record, frozen=True, kw_only=True):
    """How often the test separates entries that are no different, made from this very data.

    `how`: ``labels flipped`` (each item's, or cluster's, two results changed hands by chance) or ``samples
    split`` (the samples of one entry dealt into two).
    """

    how: Literal["labels flipped", "samples split"]
    of: str
    test: str
    alpha: float
    replicates: int
    rejected: float
    mc_se: float
    holds: bool


class Comparisons(Document, frozen=True, kw_only=True):
    """Comparisons of pairs, of all items and on request of each category; a gate; an A/A check."""

    comparisons: tuple[Comparison, ...]
    categories: dict[str, tuple[Comparison, ...]] | None = None
    gate: Gate | None = None
    self_checks: tuple[SelfCheck, ...] | None = None
    schema: str = "deadheat/comparison@1"
