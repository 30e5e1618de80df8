"""Intervals as plain functions: the numbers are those of the stats floor, what has no answer is refused."""

import numpy as np
import pytest

import deadheat as dh
from deadheat.errors import DataError, MethodError
from deadheat.evidence import rates
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS

PUBLIC = {
    name.replace("_", "-"): getattr(rates, name)
    for name in ("wilson", "wald", "clopper_pearson", "mid_p", "jeffreys", "agresti_coull")
}


@pytest.mark.parametrize("method", PUBLIC)
def test_same_numbers_and_refusals(method):
    np.testing.assert_array_equal(PUBLIC[method](341, 500, 0.9), BINOMIAL_INTERVALS[method](341, 500, 0.9))
    np.testing.assert_array_equal(PUBLIC[method]([0, 3], 7), BINOMIAL_INTERVALS[method]([0, 3], 7, 0.95))
    with pytest.raises(DataError, match="no data"):
        PUBLIC[method](0, 0)
    with pytest.raises(DataError, match="8 passes of 7 items"):
        PUBLIC[method](8, 7)
    with pytest.raises(DataError, match="-1 passes"):
        PUBLIC[method](-1, 7)
    with pytest.raises(MethodError, match="level"):
        PUBLIC[method](1, 7, 95)


def test_public_name():
    low, high = dh.wilson(341, 500)
    assert (round(float(low), 3), round(float(high), 3)) == (0.640, 0.721)
    with pytest.raises(DataError, match="no data"):
        dh.wilson(0, 0)


def test_numbers_give_numbers():
    found = dh.wilson(3, 10)
    assert isinstance(found.low, float)
    assert isinstance(found.high, float)
    assert dh.wilson([3, 4], 10).low.shape == (2,)
