"""The common axis and the lanes of tie lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.report import bars
from deadheat.report.figures import axis, lanes

spans = st.lists(
    st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)).map(lambda pair: (min(pair), max(pair))),
    max_size=30,
)


@given(spans)
def test_an_axis_has_room_and_its_ticks_are_inside(ends: list[tuple[float, float]]) -> None:
    made = axis(ends)
    assert made.low < made.high
    assert len(made.ticks) >= 2
    assert all(made.low <= tick <= made.high for tick in made.ticks)
    assert not ends or max(high for _, high in ends) <= made.high + 1e-6 * abs(made.high)


def test_an_axis_clips_outliers_below_but_not_near_rows() -> None:
    near = [(0.70 - 0.01 * i, 0.78 - 0.01 * i) for i in range(12)]
    assert axis(near).low <= 0.59
    assert axis([*near, (0.01, 0.03)]).low > 0.4


@pytest.mark.parametrize("end", [0.0, 0.5, -3.0])
def test_an_axis_of_one_point(end: float) -> None:
    made = axis([(end, end)])
    assert made.low < end < made.high or end == 0.0


def test_lanes_are_shared_only_by_lines_that_do_not_meet() -> None:
    drawn = lanes([("a", "b", "c"), ("b", "c", "d"), ("e", "f"), ("z",)], "abcdefz")
    assert [(line.first, line.last, line.lane) for line in drawn] == [(0, 2, 0), (1, 3, 1), (4, 5, 0)]


def test_a_bar() -> None:
    made = axis([(0.0, 1.0)])

    def draw(point: float, low: float, high: float) -> str:
        return bars.bar(made, 20, bars.ASCII, point, (low, high), 0.5)

    assert draw(0.25, 0.1, 0.4) == "  ---o--- :         "
    assert draw(0.5, 0.5, 0.5) == "          o         "
    assert bars.bar(made, 20, bars.ASCII, 0.2, None, 0.5) == "    x     :         "
    assert bars.bar(made, 20, bars.ASCII, -0.5, (-0.6, -0.1), None) == "<" + " " * 19
    assert bars.bar(made, 20, bars.ASCII, 0.1, (-0.1, 0.2), None)[:5] == "<-o--"


def test_tick_labels_never_touch() -> None:
    made = axis([(0.0, 1.0)])
    words = [f"{100 * tick:.0f}" for tick in made.ticks]
    assert bars.header(made, 30, words).split() == words
    assert bars.header(made, 8, words).split() == ["0", "40", "100"] or "0" in bars.header(made, 8, words)


def test_tie_lines_are_dotted_through_gaps() -> None:
    drawn = bars.ties(
        lanes([("a", "b", "c"), ("b", "c", "d")], "abcd"), 4, [False, True, False, False], bars.BOX
    )
    assert drawn == ["╷ ", "┊╷", "╵│", " ╵"]
