"""Rates corrected for the judge."""

import numpy as np
import pytest

from deadheat.errors import MethodError
from deadheat.stats.judged.judged_rates import corrected_rate
from deadheat.stats.score.binomial import wilson


def test_a_perfect_judge_corrects_nothing():
    found = corrected_rate(6, 40, 1.0, 1.0)
    assert found.rate == pytest.approx(0.15)
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(map(float, wilson(6, 40))))


def test_rogan_gladen_by_hand_and_by_simulation():
    assert corrected_rate(6, 40, 0.9, 0.95).rate == pytest.approx((0.15 - 0.05) / 0.85)
    rng = np.random.default_rng(1)
    truth = rng.random(400_000) < 0.3
    judged = np.where(truth, rng.random(truth.size) < 0.8, rng.random(truth.size) < 0.1)
    assert corrected_rate(int(judged.sum()), truth.size, 0.8, 0.9).rate == pytest.approx(0.3, abs=0.005)


def test_kept_in_range():
    found = corrected_rate(2, 40, 0.9, 0.9)
    assert found.rate == 0.0
    assert found.interval.low == 0.0 < found.interval.high


def test_a_judge_that_the_data_contradict_gives_no_interval():
    assert np.isnan(corrected_rate(0, 40, 0.9, 0.9).interval).all()
    assert np.isnan(corrected_rate(40, 40, 0.9, 0.9).interval).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((1, 2, 0.5, 0.5), "exceeds 1"),
        ((1, 2, 1.5, 0.5), "between 0 and 1"),
        ((3, 2, 0.9, 0.9), "k <= n"),
        ((-1, 2, 0.9, 0.9), "0 <= k"),
        ((0, 0, 0.9, 0.9), "n >= 1"),
    ],
)
def test_refused(arguments, words):
    with pytest.raises(MethodError, match=words):
        corrected_rate(*arguments)
