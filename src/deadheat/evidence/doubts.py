"""The doubts about one comparison: what was set aside, what is withheld, what the method cannot do."""

from __future__ import annotations

import numpy as np

from deadheat.evidence.pair_evidence import Evidence
from deadheat.methods import ANYTIME, FEW_CLUSTERS, SIGN, TESTS
from deadheat.results import Note, Own
from deadheat.stats.anytime.betting import log_e
from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.power.power_paired import paired_power_exact


def doubts(found: Evidence, own: Own, at: int, a: str, b: str) -> tuple[Note, ...]:
    """List what a reader of comparison `at` has to know.

    Parameters
    ----------
    found : Evidence
    own : Own
        The two entries over their own items.
    at : int
        Which pair.
    a, b : str
        The two entries.
    """
    shared = int(found.pairs.shared[at])
    notes = _set_aside(own, shared, found.paired, a, b)
    if found.paired and shared == 0:
        text = "no item in common, so nothing can be said of their difference"
        return (Note(code="nothing-shared", text=text), *notes)
    if np.isnan(found.found.p[at]):
        return (*_undefined(found, at), *notes)
    return (*_spread(found, at), *_clusters(found, at), *_few(found, at), *_ends(found, at), *notes)


def withheld(
    found: Evidence, at: int, *, correlation: float | None, visible: float | None, needed: int | None
) -> tuple[Note, ...]:
    """Say why a number about an answered comparison is not there.

    Parameters
    ----------
    found : Evidence
    at : int
        Which pair.
    correlation, visible, needed
        Correlation, smallest visible difference and items to separate; None where withheld.
    """
    flat = found.error.se[at] == 0 and (found.difference[at] == 0 or not found.of_rates)
    if np.isnan(found.found.p[at]) or not found.paired or flat:
        return ()
    notes = []
    if TESTS[found.methods.test].fit.reruns:
        text = "a rerun of the same items has no items of its own, so there is no SE without pairing"
        notes.append(Note(code="reruns", text=text))
    if correlation is None:
        text = "one of the two has the same score on every shared item, so there is no correlation"
        notes.append(Note(code="constant", text=text))
    if found.methods.test == ANYTIME:
        text = (
            "power and items to separate depend on when one stops, so they are withheld here; they are in "
            "plan items --anytime"
        )
        return (*notes, Note(code="stops-early", text=text))
    if visible is None:
        notes.append(Note(code="nothing-visible", text=_nothing_visible(found, at)))
    if needed is None:
        text = "the two score the same, and no number of items separates a difference of 0"
        notes.append(Note(code="no-difference", text=text))
    return tuple(notes)


def _nothing_visible(found: Evidence, at: int) -> str:
    """Say why no difference is detected with 80 % power."""
    if not found.of_rates or found.cells is None:
        return (
            "even the largest difference between scores in [0, 1] would be detected with less than 80 % power"
        )
    items, discordant = int(found.pairs.shared[at]), int(found.cells.a_only[at] + found.cells.b_only[at])
    share = discordant / items
    power = float(paired_power_exact(share, share, items, found.methods.alpha, found.methods.test))
    return (
        f"with the discordance held as observed ({discordant:,} of {items:,} items) no difference is "
        "detected with 80 % power: one with every discordant item on the same side would be detected with "
        f"{100 * power:.0f} %"
    )


def _set_aside(own: Own, shared: int, paired: bool, a: str, b: str) -> list[Note]:
    if not paired:
        text = (
            "the two were taken as if on different items, so nothing that they share cancels: a paired test "
            "fits wherever items are shared"
        )
        return [Note(code="unpaired", text=text)]
    rest = own.items_a - shared, own.items_b - shared
    if not any(rest):
        return []
    text = f"{rest[0]:,} items that only {a} has and {rest[1]:,} that only {b} has are set aside"
    return [Note(code="set-aside", text=text)]


def _undefined(found: Evidence, at: int) -> list[Note]:
    if found.error.se[at] == 0:
        text = "the samples of no item differ, so nothing shows what a rerun would do: p is withheld"
        return [Note(code="no-spread", text=text)]
    what = "items" if found.pairs.cluster is None else "clusters"
    each = "two with labels and two without" if found.judged else "two in each category"
    text = f"too few shared {what} for this test: at least two, and {each}, are needed"
    return [Note(code="too-few-shared", text=text)]


def _spread(found: Evidence, at: int) -> list[Note]:
    """Say why there is no standard error: all units, items or clusters, have the same difference."""
    if found.error.se[at] > 0:
        return []
    clustered, stratified = found.pairs.cluster is not None, found.pairs.stratum is not None
    if found.difference[at] == 0 and not stratified:
        what = "the mean difference is 0 in every cluster" if clustered else "the two never differ"
        text = f"{what} on the items they share: the SE, and all that follows from it, is withheld"
        return [Note(code="no-spread", text=text)]
    where = "in every cluster" if clustered else "on every item"
    if stratified:
        where += " with a label, and on every one without" if found.judged else " of a category"
    text = f"the {'mean ' * clustered}difference is the same {where}"
    if found.test_of(at) == SIGN:
        text += f": p is that of a sign test of the {'clusters' if clustered else 'items'}"
    return [Note(code="no-spread", text=f"{text}; the SE is withheld")]


def _clusters(found: Evidence, at: int) -> list[Note]:
    counts = found.clusters()
    if counts is None or counts[at] >= FEW_CLUSTERS:
        return []
    text, df = f"{counts[at]} clusters only", found.degrees()[at]
    if np.isfinite(df):
        text += f", worth about {df:.1f} degrees of freedom"
    return [Note(code="few-clusters", text=f"{text}: the answer leans on few independent units")]


def _few(found: Evidence, at: int) -> list[Note]:
    """Say where an exact test cannot separate, whatever the items had shown."""
    alpha, clusters = found.methods.alpha, found.clusters()
    if found.methods.test in ("mcnemar", ANYTIME) and found.cells is not None:
        units, what = int(found.cells.a_only[at] + found.cells.b_only[at]), "discordant items"
    elif found.methods.test == "sign-flip":
        units, what = int(found.pairs.shared[at] if clusters is None else clusters[at]), "units"
    else:
        return []
    least = np.exp(-log_e(0, units)) if found.methods.test == ANYTIME else mcnemar_exact(0, units).p
    if units == 0 or float(least) < alpha:
        return []
    text = f"{units} {what} are too few for this test to give p below {alpha:g}, however they fall"
    return [Note(code="too-few-discordant", text=text)]


def _ends(found: Evidence, at: int) -> list[Note]:
    """Say where there is no interval, or where it and the test do not agree about zero."""
    low, high, p = (float(x[at]) for x in (*found.bounds, found.found.p))
    cut = []
    if found.cut[at]:
        text = f"the {found.methods.interval} interval is cut at ±100 points, beyond which no difference lies"
        cut = [Note(code="interval-cut", text=text)]
    if not low < high:
        text = f"the {found.methods.interval} interval does not exist for these differences"
        return [Note(code="no-interval", text=text)]
    if abs(found.methods.level + found.methods.alpha - 1) > 1e-9:
        return cut
    separated, clear = p < found.methods.alpha, low > 0 or high < 0
    if separated == clear:
        return cut
    says = (
        "leaves out zero, and the test does not separate" if clear else "holds zero, and the test separates"
    )
    text = (
        f"test ({found.methods.test}) and interval ({found.methods.interval}) are two methods that differ by "
        f"a little; here the interval {says}; the verdict is the test's"
    )
    return [*cut, Note(code="methods-disagree", text=text)]
