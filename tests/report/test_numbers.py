"""Numbers as words: digits, signs, p-values that are never 0, dashes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.report import numbers
from deadheat.report.numbers import DASH, Scale
from deadheat.results import Interval

PERCENT = Scale(True, 1)


def bounds(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, level=0.95, method="wilson")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.768, "76.8"), (0.0, "0.0"), (1.0, "100.0"), (0.0001, "<0.1"), (0.9999, ">99.9"), (None, DASH)],
)
def test_a_rate(value: float | None, text: str) -> None:
    assert PERCENT.value(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.02, "+2.0"), (-0.004, "−0.4"), (0.0, "0.0"), (-0.0, "0.0"), (-1e-9, "0.0"), (1e-9, "0.0")],
)
def test_a_difference_has_its_sign_and_a_true_minus(value: float, text: str) -> None:
    assert PERCENT.difference(value) == text


def test_intervals_are_ranges() -> None:
    assert PERCENT.interval(bounds(0.729, 0.802)) == "72.9–80.2"
    assert PERCENT.difference_interval(bounds(-0.044, 0.036)) == "−4.4 to +3.6"
    assert PERCENT.interval(bounds(-0.01, 0.036)) == "−1.0 to 3.6"
    assert PERCENT.interval(None) == PERCENT.difference_interval(None) == DASH


def test_the_scale_follows_values_and_errors() -> None:
    assert Scale.of([0.2, None, 1.0]) == Scale(True, 1)
    assert Scale.of([0.2], [0.0002]) == Scale(True, 2)
    assert Scale.of([0.2, 3.0], [0.013]) == Scale(False, 3)
    assert Scale.of([1234.0, 900.0], [30.0]) == Scale(False, 0)
    assert Scale.of([0.2, 3.0]).value(3.0) == "3.00"


@given(st.lists(st.floats(1e-6, 0.5), min_size=1))
def test_no_error_is_written_as_zero(errors: list[float]) -> None:
    scale = Scale.of([0.5], errors)
    assert all(float(scale.size(error)) > 0 for error in errors)


@pytest.mark.parametrize(
    ("p", "log10_p", "text"),
    [
        (0.583132, None, ".583"),
        (0.00042, None, ".0004"),
        (0.00004, -4.4, "<.0001"),
        (1.0, 0.0, "1"),
        (0.9998, None, ">.999"),
        (0.0, None, "<1e-300"),
        (0.0, -331.0, "<1e-300"),
        (5e-324, -1200.0, "<1e-300"),
        (None, -400.5, "<1e-300"),
        (None, -2.0, ".010"),
        (None, None, DASH),
    ],
)
def test_a_p_value(p: float | None, log10_p: float | None, text: str) -> None:
    assert numbers.p_value(p, log10_p) == text


@given(st.floats(0, 1), st.sampled_from([0.05, 0.01, 0.1]))
def test_a_written_p_value_stays_on_its_side_of_alpha(p: float, alpha: float) -> None:
    text = numbers.p_value(p, None, alpha)
    assert not re.fullmatch(r"\.?0+", text)
    if text[0] == ".":
        assert (float(text) < alpha) == (p < alpha) or abs(p - alpha) < 1e-12


def test_a_p_value_in_a_sentence() -> None:
    assert numbers.p_phrase(0.0498, None, 0.05) == "p = .0498"
    assert numbers.p_phrase(0.05023, None, 0.05) == "p = .0502"  # never .050 beside "not separated"
    assert numbers.p_phrase(0.05, None, 0.05) == "p = .050"
    assert numbers.p_phrase(1e-9) == "p < .0001"
    assert numbers.p_phrase(1.0) == "p = 1"


def test_other_words() -> None:
    assert [numbers.ranks(rank) for rank in ((1, 6), (3, 3), None)] == ["1–6", "3", DASH]
    assert numbers.level(0.95) == "95 %"
    assert numbers.level(0.999) == "99.9 %"
    assert numbers.count(12345) == "12,345"
    assert numbers.plain({"rates": (0.65, 0.6), "exact": True, "items": 1234, "x": None, "gap": -0.5}) == (
        "rates 0.65, 0.6; exact yes; items 1,234; x —; gap −0.5"
    )
    assert numbers.plain(3.0) == "3"
