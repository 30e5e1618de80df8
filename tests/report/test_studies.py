"""Pictures of studies: which there are, what they show, and that names in them are text."""

import re

import pytest

from deadheat.estimand import Estimand
from deadheat.report import render
from deadheat.report.html_studies import Curves, charts
from deadheat.results import Methods, Study


def study(name, rows, **methods):
    return Study(
        version="0",
        estimand=Estimand(),
        methods=Methods(**methods),
        summary="A study.",
        study=name,
        rows=tuple({"mc_se": 0.01, "exact": None, **row} for row in rows),
        replicates=100,
    )


def power(items=(100, 1000), samples=(1, 5), tests=("t",)):
    return [
        {"rate": 0.45, "items": m, "samples": n, "test": t, "simulated": min(m * n / 6000, 1.0)}
        for t in tests
        for n in samples
        for m in items
    ]


def test_a_line_for_each_number_of_samples_and_a_picture_for_each_test():
    drawn = charts(study("power", power(tests=("t", "mcnemar"))))
    assert [chart.title for chart in drawn] == ["power: rate 0.45, t", "power: rate 0.45, mcnemar"]
    assert [curve.label for curve in drawn[0].curves] == ["1 sample", "5 samples"]
    assert drawn[0].x == "items (logarithmic)"
    assert drawn[0].x_ticks == ((0.0, "100"), (100.0, "1,000"))
    rising = [y for _, y, _ in drawn[0].curves[0].points]
    assert rising[0] > rising[1]
    assert drawn[0].curves[1].points[1][2] == "5 samples, 1,000 items: 0.8333"


def test_near_values_lie_on_an_even_axis():
    (drawn,) = charts(study("power", power(items=(100, 150, 200))))
    assert drawn.x == "items"
    assert [x for x, _ in drawn.x_ticks] == [0.0, 50.0, 100.0]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("power", power(items=(100,))),
        ("clusters", [{"items": 10, "quantity": "effective items", "simulated": 5.0}]),
        ("passk", [{"samples": 10, "estimator": "truth", "quantity": "mean", "simulated": None}]),
        ("unheard of", power()),
    ],
)
def test_nothing_is_drawn_of_one_point(name, rows):
    assert charts(study(name, rows)) == []


def test_the_size_of_tests_is_beside_its_level():
    (drawn,) = charts(study("calibration", power(samples=(1,), tests=("t", "z")), alpha=0.05))
    assert isinstance(drawn, Curves)
    assert [label for _, label in drawn.levels] == ["α = 0.05"]


def test_coverage_is_beside_its_level():
    rows = [
        {"items": 50, "samples": 1, "interval": name, "quantity": quantity, "simulated": value, "mc_se": se}
        for name, value, se in (("wilson", 0.951, 0.004), ("wald", 0.9, 0.004), ("t", 1.0, None))
        for quantity in ("coverage", "mean width")
    ]
    (drawn,) = charts(study("coverage", rows, level=0.95))
    assert [line.words for line in drawn.rows] == ["95.1 % ± 0.4", "90.0 % ± 0.4", "100.0 % ± 0.0"]
    assert [line.tied for line in drawn.rows] == [True, False, False]


def test_names_are_text():
    rows = [{**row, "a": "<script>x</script>", "b": "b"} for row in power()]
    page = render([study("power", rows)], "html")
    assert "<script>x" not in page
    assert len(re.findall(r"<polyline", page)) == 2
    assert "&lt;script&gt;x" in page
