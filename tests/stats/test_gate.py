"""Fixed-band gates."""

import pytest
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.power.band_gate import fixed_band


def test_the_edge_of_the_band_passes():
    assert fixed_band(800, 0.9, 0.05, 0.03).least == 680
    assert fixed_band(1000, 0.9, 0.1, 0.03).least == 800


def test_scipy_gives_the_same():
    found = fixed_band(800, 0.9, 0.05, 0.03)
    assert found.power == pytest.approx(stats.binom.cdf(679, 800, 0.87), rel=1e-10)
    assert found.false_alarm == pytest.approx(stats.binom.cdf(679, 800, 0.9), rel=1e-10)


def test_enumeration_of_a_small_gate():
    found = fixed_band(3, 0.5, 0.0, 0.25)
    assert found.least == 2
    assert found.false_alarm == pytest.approx(0.5)
    assert found.power == pytest.approx(0.75**3 + 3 * 0.25 * 0.75**2)


def test_more_tolerance_sees_less():
    powers = [fixed_band(500, 0.8, t, 0.05).power for t in (0.0, 0.02, 0.05, 0.1, 0.8)]
    assert powers == sorted(powers, reverse=True)
    assert powers[-1] == 0.0


@pytest.mark.parametrize(
    "arguments",
    [(0, 0.9, 0.1, 0.1), (10, 1.2, 0.1, 0.1), (10, 0.1, 0.2, 0.1), (10, 0.5, 0.1, 0.6), (10, 0.5, 0.1, -0.1)],
)
def test_refused(arguments):
    with pytest.raises(MethodError):
        fixed_band(*arguments)


def test_a_band_down_to_nothing_lets_everything_pass():
    assert fixed_band(500, 0.8, 0.8, 0.05) == (0, 0.0, 0.0)
