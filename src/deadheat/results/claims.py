"""Claims: the typed facts that every sentence of a result is made of; one record per code.

A claim says something that an independent program can check from the attempts alone. To add one: a record
here or in `claims_*`, its sentence in `report/sentences.py` and its checker in `tests/truth/`: the house
test asks for all.
Differences and margins are in the unit of the scores: 0.05 is 5 points of a rate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Union

from deadheat.results.claim import Claim as Claim
from deadheat.results.claims_across import *  # noqa: F403
from deadheat.results.claims_checks import *  # noqa: F403
from deadheat.results.claims_costs import *  # noqa: F403
from deadheat.results.claims_curves import *  # noqa: F403
from deadheat.results.claims_early import *  # noqa: F403
from deadheat.results.claims_items import *  # noqa: F403
from deadheat.results.claims_judge import *  # noqa: F403
from deadheat.results.claims_plans import *  # noqa: F403
from deadheat.results.claims_studies import *  # noqa: F403
from deadheat.results.claims_votes import *  # noqa: F403


class AllZero(Claim, frozen=True, kw_only=True):
    """Every score of every entry is 0."""

    entries: int


class AllEqual(Claim, frozen=True, kw_only=True):
    """Every entry has the same score, which is not 0."""

    entries: int
    value: float


class PossibleBest(Claim, frozen=True, kw_only=True):
    """The entries that no other one beats one-sided at alpha / (of - 1): a confidence set for the best.

    `leading`: they are the first of the board, without a gap.
    """

    entries: tuple[str, ...]
    of: int
    level: float
    leading: bool


class NotSeparatedFrom(Claim, frozen=True, kw_only=True):
    """The entries that are not separated from one entry, each pair by itself; empty: all are separated.

    `above`: entries of a worse score that are separated above it on the items that both have. `tested`: how
    many of the `of` other entries have a p against it. `shared_low`, `shared_high`: items of those pairs.
    """

    entry: str
    others: tuple[str, ...]
    above: tuple[str, ...] = ()
    tested: int
    of: int
    shared_low: int
    shared_high: int
    adjusted: bool = False


class NothingDecided(Claim, frozen=True, kw_only=True):
    """No pair among these entries is separated, and every pair was tested."""

    entries: tuple[str, ...]
    shared_low: int
    shared_high: int


class Separated(Claim, frozen=True, kw_only=True):
    """One entry scores better than another on the items that they share, and the test tells them apart."""

    better: str
    worse: str
    difference: float
    p: float | None
    log10_p: float | None = None
    adjusted: bool = False
    shared: int
    paired: bool = True
    low: float | None = None
    high: float | None = None
    level: float | None = None
    alpha: float


class NotSeparated(Claim, frozen=True, kw_only=True):
    """The test does not tell two entries apart; `higher` scores `difference` above `lower`, or the same."""

    higher: str
    lower: str
    difference: float
    p: float | None
    log10_p: float | None = None
    adjusted: bool = False
    shared: int
    paired: bool = True
    low: float | None = None
    high: float | None = None
    level: float | None = None
    alpha: float


class Candidates(Claim, frozen=True, kw_only=True):
    """What the tests of several candidates against one baseline give; `untested` have no p."""

    baseline: str
    higher: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    untested: tuple[str, ...] = ()
    adjusted: bool = False


class SmallestVisible(Claim, frozen=True, kw_only=True):
    """The smallest true difference that the test detects with this power on this many items.

    `discordance`: share of discordant items, held as observed; null where scores do not count as 0 or 1.
    """

    difference: float
    power: float
    items: int
    test: str
    alpha: float
    discordance: float | None = None


class Equivalent(Claim, frozen=True, kw_only=True):
    """Both one-sided tests exclude a difference of the margin or more."""

    a: str
    b: str
    margin: float
    p: float


class NonInferior(Claim, frozen=True, kw_only=True):
    """A loss of the margin or more is excluded."""

    a: str
    b: str
    margin: float
    p: float


class Inferior(Claim, frozen=True, kw_only=True):
    """The loss is larger than the margin."""

    a: str
    b: str
    margin: float
    p: float


class Inconclusive(Claim, frozen=True, kw_only=True):
    """The data neither exclude a loss of the margin nor show one."""

    a: str
    b: str
    margin: float
    p: float


class Settles(Claim, frozen=True, kw_only=True):
    """More items than there are that would settle a margin with this power, if `condition` holds.

    `alike`: the true difference is 0. `discordance`: held as observed; null as in `smallest-visible`.
    """

    items: int
    power: float
    condition: Literal["alike"]
    margin: float
    alpha: float
    discordance: float | None = None


class Gate(Claim, frozen=True, kw_only=True):
    """A gate's decision on candidates against a baseline, and how often it decides wrongly.

    `false_alarm`: how often it fails an equally good candidate. `drop`, `power`: a true loss, and how often
    it fails it. Of several candidates the largest false-alarm rate and smallest power. `items_needed`: for
    80 % power to pass an equally good candidate (``inconclusive``) or to fail a loss of twice the margin.
    `unadjusted`: the rates are those of the test before its adjustment, with which it fails fewer.
    """

    baseline: str
    failing: tuple[str, ...]
    of: int
    fail_on: Literal["worse", "inconclusive"]
    margin: float | None = None
    false_alarm: float | None = None
    drop: float | None = None
    power: float | None = None
    items_needed: int | None = None
    unadjusted: bool = False
    alpha: float


class PublishedGap(Claim, frozen=True, kw_only=True):
    """An entry lies `difference` above a published number (below it, where negative), both errors counted."""

    entry: str
    published: float
    difference: float
    separated: bool
    p: float
    log10_p: float | None = None
    adjusted: bool = False
    alpha: float


class Alone(Claim, frozen=True, kw_only=True):
    """One entry takes part: its score, and nobody to compare it with."""

    entry: str
    value: float | None
    items: int


class VisibleTwin(Claim, frozen=True, kw_only=True):
    """The smallest true differences from an equally good run that these items would show with this power.

    By `test`, one for each correlation of the two runs' outcomes over items.
    """

    differences: tuple[float, ...]
    correlations: tuple[float, ...]
    power: float
    items: int
    test: str
    alpha: float


class ListedApart(Claim, frozen=True, kw_only=True):
    """Entries without a rank: their run did not finish (`unfinished`), or has too few of the usual items."""

    entries: tuple[str, ...]
    unfinished: tuple[str, ...] = ()
    usual: int
    min_share: float


class Fitted(Claim, frozen=True, kw_only=True):
    """Scores over all items: a share `missing` of the outcomes is fitted by a model.

    `open`: entries that would score at least as well as the `leader` without the model, if everything that is
    absent went their way and against the leader; None where scores have no limits.
    """

    leader: str
    missing: float
    model: Literal["rasch", "two-way"]
    open: tuple[str, ...] | None


class Withheld(Claim, frozen=True, kw_only=True):
    """What cannot be said of these entries, and why."""

    entries: tuple[str, ...]
    what: Literal["difference", "board", "margin"]
    why: str


def leaves(kind: type[Claim] = Claim) -> tuple[type[Claim], ...]:
    """List the records that are claims themselves, in the order of this file."""
    below = tuple(leaf for part in kind.__subclasses__() for leaf in leaves(part))
    return below or (kind,)


def code(kind: type[Claim]) -> str:
    """Give the code that a claim carries in JSON."""
    return str(kind.__struct_config__.tag)


if TYPE_CHECKING:
    AnyClaim = Claim
else:
    AnyClaim = Union[leaves()]  # noqa: UP007 - the records above, for the JSON Schema
