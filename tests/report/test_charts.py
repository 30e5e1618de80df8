"""Pictures beside tables: places agree with numbers, far rows are marked, curves follow their points."""

from __future__ import annotations

import msgspec
import pytest

from deadheat.report import html_charts
from deadheat.report.figures import INSET, Axis, background, mark, place
from deadheat.report.html_charts import Forest, Plot
from deadheat.results import Comparisons, Coverage, Curve, Plan
from report import boards

AXIS = Axis(0.0, 10.0, (0.0, 5.0, 10.0))


def document(kind: type) -> object:
    return next(each for each in boards.others() if isinstance(each, kind))


def test_places_keep_free_room_at_the_sides() -> None:
    assert place(AXIS, 0.0) == INSET
    assert place(AXIS, 10.0) == 100 - INSET
    assert place(AXIS, 5.0) == 50.0


@pytest.mark.parametrize(
    ("point", "ends", "beyond", "shown"),
    [
        (5.0, (4.0, 6.0), "", (40.6, 59.4, 50.0)),
        (-3.0, (-4.0, -2.0), "low", (None, None, None)),
        (13.0, (12.0, 14.0), "high", (None, None, None)),
        (-0.5, (-9.0, 2.0), "low", (2.8, 21.8, None)),
        (None, None, "", (None, None, None)),
    ],
)
def test_marks_are_cut_at_the_sides(
    point: float | None, ends: tuple[float, float] | None, beyond: str, shown: tuple[float | None, ...]
) -> None:
    made = mark(AXIS, point, ends)
    assert (made.low, made.high, made.point) == shown
    assert made.beyond == beyond


def test_a_point_without_ends_is_hollow() -> None:
    assert mark(AXIS, 5.0, None).hollow


def test_a_background_has_an_image_for_every_place() -> None:
    rule = background([3.0, 50.0], 20.0)
    images, places = (part.split(":")[1].split(",") for part in rule.split(";"))
    assert images == ["var(--dh-anchor)", "var(--dh-tick)", "var(--dh-tick)"]
    assert places == ["20.0% 0", "3.0% 0", "50.0% 0"]
    assert background([], None) == "--dh-images:none;--dh-places:0 0"


def test_one_pair_shows_the_margin_and_what_could_be_seen() -> None:
    pair = msgspec.structs.replace(boards.comparisons(1).comparisons[0], margin=0.01)
    chart, cells = html_charts.comparisons(
        msgspec.structs.replace(boards.comparisons(1), comparisons=(pair,))
    )
    assert isinstance(cells, html_charts.Cells)
    counts = [int(part.count) for part in cells.parts]
    assert counts[1:3] == [pair.a_only, pair.b_only]
    assert sum(counts) == pair.items
    assert (counts[0] + counts[1]) / pair.items == pytest.approx(pair.value_a)
    assert (counts[0] + counts[2]) / pair.items == pytest.approx(pair.value_b)
    assert sum(part.width for part in cells.parts) == pytest.approx(100, abs=0.1)
    assert isinstance(chart, Forest)
    assert [zone.kind for zone in chart.zones] == ["unseen", "margin"]
    assert chart.zero is not None
    for zone in chart.zones:
        assert zone.left + zone.width / 2 == pytest.approx(chart.zero, abs=0.02)
    assert chart.rows[0].words == "+2.0 (−1.6 to +5.6)"
    assert chart.rows[0].tied


def test_pairs_with_one_baseline_name_it_once() -> None:
    (chart,) = html_charts.comparisons(boards.comparisons(3))
    assert isinstance(chart, Forest)
    assert chart.rows[0].label == "candidate − baseline 1"
    same = tuple(msgspec.structs.replace(pair, a=pair.b, b="x") for pair in boards.comparisons(3).comparisons)
    (chart,) = html_charts.comparisons(msgspec.structs.replace(boards.comparisons(3), comparisons=same))
    assert isinstance(chart, Forest)
    assert chart.title == "Difference to x, points"
    assert [row.label for row in chart.rows] == ["baseline 1", "baseline 2", "baseline 3"]


def test_no_picture_without_numbers() -> None:
    empty = msgspec.structs.replace(boards.comparisons(1), comparisons=())
    assert isinstance(empty, Comparisons)
    assert html_charts.comparisons(empty) == []
    plan = document(Plan)
    assert isinstance(plan, Plan)
    assert html_charts.plan(plan) == []


def test_a_curve_follows_its_points() -> None:
    plan = document(Plan)
    assert isinstance(plan, Plan)
    curve = Curve(x="items", y="power", points=((100.0, 0.2), (200.0, 0.6), (300.0, 1.0)))
    (chart,) = html_charts.plan(msgspec.structs.replace(plan, curve=curve))
    assert isinstance(chart, Plot)
    points = [tuple(map(float, point.split(","))) for point in chart.points.split()]
    assert points == [(0.0, 1000.0), (500.0, 500.0), (1000.0, 0.0)]
    assert chart.levels == ((25.0, "80 %"),)
    assert chart.title == "power against items"


def test_coverage_has_its_claimed_level() -> None:
    coverage = document(Coverage)
    assert isinstance(coverage, Coverage)
    (chart,) = html_charts.coverage(coverage)
    assert isinstance(chart, Plot)
    assert [text for _, text in chart.levels] == ["claimed 95 %"]
    assert len(chart.points.split()) == len(coverage.curve)
