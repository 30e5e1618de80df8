"""Bootstrap weights: their table to the last digit, every outcome of few units, and moments of many."""

from itertools import product
from math import factorial

import numpy as np
import pytest
from scipy import stats

from deadheat.stats.drawing import multinomial
from deadheat.stats.drawing.multinomial import SLOTS, UNSURE, pair_table, resampling_weights


def stream(seed=1):
    return np.random.Generator(np.random.PCG64(seed))


def drawn(units, draws, **options):
    return np.vstack(list(resampling_weights(units, draws, rng=stream(), **options)))


@pytest.mark.parametrize("units", [1, 2, 3, 10, 500, 10**6])
def test_the_table_holds_two_independent_poisson_counts(units):
    table = pair_table(units)
    mean = 1 - min(np.ceil(0.7 * np.sqrt(units)), units) / units
    alone = np.bincount(table.slots, minlength=SLOTS)[table.pairs] / SLOTS
    expected = stats.poisson.pmf(table.pairs % 256, mean) * stats.poisson.pmf(table.pairs // 256, mean)
    share = np.diff(table.upper, prepend=0.0)
    np.testing.assert_allclose(share, expected, rtol=1e-9, atol=1e-16)
    assert (alone <= share + 1e-15).all()  # the rest of each pair lies in the slots that several share
    shared = np.flatnonzero(table.slots == UNSURE)
    assert alone.sum() + len(shared) / SLOTS == pytest.approx(1, abs=1e-12)
    for pair in range(min(len(table.pairs), 40)):  # a slot that is not shared lies within its pair
        low = table.upper[pair] - share[pair]
        mine = np.flatnonzero(table.slots == table.pairs[pair])
        assert (mine / SLOTS >= low - 1e-15).all()
        assert ((mine + 1) / SLOTS <= table.upper[pair] + 1e-15).all()


@pytest.mark.parametrize("units", [1, 2, 3, 4])
def test_every_outcome_of_few_units_comes_as_often_as_it_should(units):
    draws = 60_000
    found = drawn(units, draws).astype(int)
    outcomes = [c for c in product(range(units + 1), repeat=units) if sum(c) == units]
    times = dict.fromkeys(outcomes, 0)
    for row, count in zip(*np.unique(found, axis=0, return_counts=True), strict=True):
        times[tuple(int(one) for one in row)] = int(count)  # an impossible outcome would be a new key
    assert len(times) == len(outcomes)
    chance = [factorial(units) / np.prod([factorial(k) for k in c]) / units**units for c in outcomes]
    if len(outcomes) > 1:
        assert stats.chisquare(list(times.values()), np.array(chance) * draws).pvalue > 1e-3


def test_a_unit_is_drawn_binomially_and_two_lean_apart():
    """Each count is Binomial(500, 1/500); two of them correlate by -1/499, the same wherever they lie."""
    found = drawn(500, 20_000, dtype=np.float32)
    assert found.dtype == np.float32
    assert (found.sum(axis=1) == 500).all()
    for column in (0, 1, 255, 498, 499):
        times = np.bincount(found[:, column].astype(int), minlength=7)
        times = np.append(times[:6], times[6:].sum())
        chance = stats.binom.pmf(np.arange(6), 500, 1 / 500)
        chance = np.append(chance, 1 - chance.sum())
        assert stats.chisquare(times, chance * 20_000).pvalue > 1e-4
    # The sum of some counts is Binomial(500, share): of both halves, of neighbours, of odd places.
    for some in (slice(0, 250), slice(0, 2), slice(1, None, 2), slice(400, 410)):
        share = len(range(500)[some]) / 500
        sums = found[:, some].sum(axis=1)
        assert sums.mean() == pytest.approx(500 * share, abs=4 * np.sqrt(500 * share * (1 - share) / 20_000))
        assert sums.var() == pytest.approx(500 * share * (1 - share), rel=0.05)


@pytest.mark.parametrize("units", [7, 300])
def test_weights_depend_on_the_stream_alone(monkeypatch, units):
    whole = drawn(units, 5000)
    np.testing.assert_array_equal(drawn(units, 40), whole[:40])
    monkeypatch.setattr(multinomial, "BLOCK_CELLS", 3 * units)
    np.testing.assert_array_equal(drawn(units, 5000, dtype=np.float32), whole)


def test_a_few_numbers_of_a_seed():
    """So that another machine, or another version of numpy, is seen to draw the same."""
    assert drawn(8, 3).astype(int).tolist() == [
        [2, 1, 1, 0, 0, 2, 2, 0],
        [0, 0, 1, 1, 4, 2, 0, 0],
        [1, 0, 0, 2, 3, 0, 1, 1],
    ]
