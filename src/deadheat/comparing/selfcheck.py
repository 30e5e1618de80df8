"""An A/A check: whether the test holds its level on this very data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.estimand import Estimand
from deadheat.evidence.pair_evidence import Evidence
from deadheat.methods import TESTS
from deadheat.results import SelfCheck
from deadheat.seeds import stream
from deadheat.stats.paired.catalogue import P_VALUES
from deadheat.stats.paired.pairs import Pairs
from deadheat.stats.score.item_design import Groups

REPLICATES, REPLICATES_WITH_DRAWS, DRAWS = 4000, 400, 999
CELLS = 1 << 21


def self_checks(
    panel: Panel, estimand: Estimand, names: tuple[str, str], found: Evidence
) -> tuple[SelfCheck, ...]:
    """Make pairs that are no different out of one pair's data, and count how often the test separates them.

    Parameters
    ----------
    panel : Panel
    estimand : Estimand
        Samples are dealt for the metric mean only.
    names : (str, str)
        The two entries.
    found : Evidence
        Of this pair alone.
    """
    checks = []
    if not TESTS[found.methods.test].fit.reruns:
        checks.append(_check(found, "labels flipped", " and ".join(names), _flipped(found.pairs, found)))
    for name in names if estimand.metric == "mean" else ():
        dealt = _dealt(panel, panel.entries.index(name), found)
        if dealt is not None:
            checks.append(_check(found, "samples split", name, dealt))
    return tuple(checks)


def _count(found: Evidence) -> int:
    return REPLICATES_WITH_DRAWS if TESTS[found.methods.test].fit.draws else REPLICATES


def _check(found: Evidence, how: Any, of: str, replicates: Iterator[Pairs]) -> SelfCheck:
    alpha, test, rejected, done = found.methods.alpha, found.methods.test, 0, 0
    for block in replicates:
        p = P_VALUES[test](block, draws=DRAWS, rng=stream(found.methods.seed, "self-check", how, of, done)).p
        rejected += int((p < alpha).sum())
        done += len(p)
    share, mc_se = rejected / done, float(np.sqrt(alpha * (1 - alpha) / done))
    return SelfCheck(
        how=how,
        of=of,
        test=found.methods.test,
        alpha=alpha,
        replicates=done,
        rejected=share,
        mc_se=mc_se,
        holds=share <= alpha + 3 * mc_se,
    )


def _blocks(total: int, items: int) -> Iterator[int]:
    step = max(1, CELLS // max(items, 1))
    for start in range(0, total, step):
        yield min(step, total - start)


def _flipped(pairs: Pairs, found: Evidence) -> Iterator[Pairs]:
    """Give each item's (cluster's) two results to a and b by the toss of a coin."""
    rng = stream(found.methods.seed, "self-check", "labels")
    items = pairs.both.shape[1]
    groups = Groups(pairs.cluster, items)
    for size in _blocks(_count(found), items):
        swap = (rng.random((size, groups.size)) < 0.5)[:, groups.codes]

        def pick(one: NDArray[Any], other: NDArray[Any], swap: NDArray[np.bool_] = swap) -> NDArray[Any]:
            return np.where(swap, other, one)

        both = np.broadcast_to(pairs.both, swap.shape)
        yield replace(
            pairs, a=pick(pairs.a, pairs.b), b=pick(pairs.b, pairs.a), in_a=both, in_b=both,
            samples_a=None, samples_b=None, within_a=None, within_b=None,
        )  # fmt: skip


def _dealt(panel: Panel, row: int, found: Evidence) -> Iterator[Pairs] | None:
    """Deal the samples of one entry into two; None where an item has fewer than two, or they are not 0/1."""
    if panel.right is None or panel.samples is None or not np.any(panel.present[row]):
        return None
    least = 4 if TESTS[found.methods.test].fit.reruns else 2
    here = panel.present[row]
    n, right = panel.samples[row][here], panel.right[row][here]
    if n.min() < least:
        return None
    return _halves(found, here, n, right)


def _halves(
    found: Evidence, here: NDArray[np.bool_], n: NDArray[np.int32], right: NDArray[np.int32]
) -> Iterator[Pairs]:
    rng = stream(found.methods.seed, "self-check", "samples")
    half = n // 2
    columns = {
        key: None if (column := getattr(found.pairs, key)) is None else column[here]
        for key in ("cluster", "weights", "stratum")
    }
    for size in _blocks(_count(found), len(n)):
        shape = (size, len(n))
        first = rng.hypergeometric(right, n - right, half, shape)
        a, b = first / half, (right - first) / (n - half)
        yes = np.ones(shape, dtype=bool)
        yield Pairs(
            a,
            b,
            yes,
            yes,
            samples_a=np.broadcast_to(half, shape),
            samples_b=np.broadcast_to(n - half, shape),
            within_a=a * (1 - a) / np.maximum(half - 1, 1),
            within_b=b * (1 - b) / np.maximum(n - half - 1, 1),
            **columns,
        )
