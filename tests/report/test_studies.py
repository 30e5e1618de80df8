"""Pictures of studies: which there are, what they show, and that names in them are text."""

import re

import pytest

from deadheat.estimand import Estimand
from deadheat.report import render, rows_study
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
    assert [chart.title for chart in drawn] == [
        "Power: true rate 45 %, t",
        "Power: true rate 45 %, exact McNemar",
    ]
    assert [curve.label for curve in drawn[0].curves] == ["1 sample", "5 samples"]
    assert drawn[0].x == "Items (logarithmic)"
    assert drawn[0].x_ticks == ((0.0, "100"), (100.0, "1,000"))
    rising = [y for _, y, _ in drawn[0].curves[0].points]
    assert rising[0] > rising[1]
    assert drawn[0].curves[1].points[1][2] == "5 samples, 1,000 items: 0.833"


def test_an_axis_fits_its_data_and_no_digit_is_beyond_the_error():
    rows = [
        {
            "samples": n,
            "estimator": "unbiased",
            "quantity": quantity,
            "k": 3,
            "simulated": value,
            "exact": exact,
        }
        for n in (10, 100)
        for quantity, value, exact in (("mean", 0.85 + n / 1e4, 0.86), ("bias", -0.0123456, 2.2e-16))
    ]
    made = study("passk", rows)
    (drawn,) = charts(made)
    assert drawn.title.startswith("pass@3")
    assert min(float(label) for _, label in drawn.y_ticks) > 0.8
    heights = [y for curve in drawn.curves for _, y, _ in curve.points]
    assert max(heights) - min(heights) > 50, "the curve takes more than half of the picture"
    (grid,) = rows_study.sheet(made).grids
    assert {"Monte Carlo SE", "Simulated", "k"} <= {column.title for column in grid.columns}
    assert grid.column("exact") == ("0.860", "0.000") * 2
    assert grid.column("simulated")[1] == "−0.012"
    assert rows_study.measured(2.2e-16, None) == "0"


def test_near_values_lie_on_an_even_axis():
    (drawn,) = charts(study("power", power(items=(100, 150, 200))))
    assert drawn.x == "Items"
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
