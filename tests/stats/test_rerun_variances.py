"""Variance components where items have unlike numbers of samples: unbiased, whatever the pattern."""

import numpy as np
import pytest

from deadheat.stats.power.spread import observed_spread, sums
from deadheat.stats.samples import metrics
from deadheat.stats.samples.components import components
from deadheat.stats.score.clustered import rerun_error

PATTERNS = {
    "1 or 10": ([1, 10], [0.5, 0.5]),
    "2 or 12": ([2, 12], [0.5, 0.5]),
    "mostly 1": ([1, 3], [0.9, 0.1]),
    "4": ([4], [1.0]),
    "1 to 5": ([1, 2, 3, 4, 5], [0.2] * 5),
}
ITEMS, WORLDS = 60, 3000


def worlds(rng, pattern, kind):
    """Many sets of items, each with its samples: values, their variance under reruns, samples, truth."""
    n = rng.choice(PATTERNS[pattern][0], (WORLDS, ITEMS), p=PATTERNS[pattern][1])
    if kind == "0/1":
        chance = rng.choice([0.1, 0.5, 0.8], n.shape)
        right = rng.binomial(n, chance)
        single = (0.09 + 0.25 + 0.16) / 3
        items = np.var([0.1, 0.5, 0.8])
        return right / n, metrics.mean_within(n, right), n, items, single
    sd = rng.choice([0.5, 2.0], n.shape)
    draws = rng.normal(size=(*n.shape, n.max())) * sd[..., None] + 1.5 * rng.normal(size=n.shape)[..., None]
    used = np.arange(n.max()) < n[..., None]
    total, squares = (draws * used).sum(axis=-1), (draws**2 * used).sum(axis=-1)
    return total / n, metrics.mean_within(n, total, squares), n, 1.5**2, (0.25 + 4.0) / 2


def near(estimates, truth):
    error = np.nanstd(estimates) / np.sqrt(np.isfinite(estimates).sum())
    assert np.nanmean(estimates) == pytest.approx(truth, abs=4.5 * error)


@pytest.mark.parametrize("kind", ["0/1", "real"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_unbiased_for_any_pattern(pattern, kind):
    rng = np.random.default_rng([list(PATTERNS).index(pattern), len(kind)])
    values, within, n, items, single = worlds(rng, pattern, kind)
    here = np.ones(values.shape, dtype=bool)
    found = components(values, here, within, n)
    again = single * np.dot(1 / np.array(PATTERNS[pattern][0]), PATTERNS[pattern][1])
    near(found.items, items)
    near(found.reruns, again)
    # The error of a rerun, and what a plan is made of, are the same estimate.
    se = rerun_error(within, here, n).se
    np.testing.assert_allclose(se**2 * ITEMS, found.reruns, rtol=1e-9)
    for row in range(5):
        planned = observed_spread(sums(values[row], [(within[row], n[row])]))
        assert planned.rerun[0] == pytest.approx(found.reruns[row], rel=1e-9)
        assert planned.plain[0] - planned.rerun[0] == pytest.approx(found.items[row], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("pattern", ["1 or 10", "2 or 12", "1 to 5"])
def test_a_plan_of_a_difference_is_unbiased(pattern):
    """Variance that an item adds with three samples each: the items' part and a third of the reruns'."""
    rng = np.random.default_rng(5)
    (a, wa, na, items, single), (b, wb, nb, _, _) = (worlds(rng, pattern, "real") for _ in range(2))
    rows = range(800)
    found = [observed_spread(sums(a[r] - b[r], [(wa[r], na[r]), (wb[r], nb[r])])) for r in rows]
    near(np.array([(s.plain - s.rerun + s.single / 3)[0] for s in found]), 2 * items + 2 * single / 3)
