"""A small version of the calibration study: methods stay in the bands that the page states; Wald does not."""

import importlib.util
import sys
from pathlib import Path

import pytest

STUDIES = Path(__file__).resolve().parent.parent / "studies"
REPLICATES = 1500


@pytest.fixture(scope="module")
def study():
    sys.path.insert(0, str(STUDIES))
    try:
        spec = importlib.util.spec_from_file_location("studies_calibration", STUDIES / "calibration.py")
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        yield made
    finally:
        sys.path.remove(str(STUDIES))


# items, samples, rate, size of clusters
CELLS = [
    (50, 1, 0.5, 1),
    (200, 1, 0.1, 1),
    (200, 1, 0.9, 1),
    (50, 5, 0.9, 1),
    (200, 5, 0.5, 12),
    (200, 20, 0.9, 12),
]


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_default_interval_covers(cell, study):
    """93 to 97 % within four Monte Carlo errors, as is stated from 50 items and a rate of .1 on."""
    (row,) = [row for row in study.coverage(cell, REPLICATES, study.INTERVAL_METHODS) if row["default"]]
    assert 0.93 - 4 * row["mc_se"] < row["coverage"] < 0.97 + 4 * row["mc_se"], row


def test_wald_does_not_cover(study):
    rows = {
        row["method"]: row for row in study.coverage((50, 1, 0.99, 1), REPLICATES, study.INTERVAL_METHODS)
    }
    assert rows["wald"]["coverage"] < 0.5
    assert rows["clopper-pearson"]["coverage"] > 0.95


@pytest.mark.parametrize("alike", [0.0, 0.9])
@pytest.mark.parametrize("cell", [(50, 1, 0.5, 1), (200, 1, 0.9, 1), (200, 5, 0.5, 12)], ids=str)
def test_the_default_test_keeps_its_size(cell, alike, study):
    """Exact McNemar never separates more than 5 % of equal entries; t and Bell-McCaffrey 6 at most."""
    rows = {row["test"]: row for row in study.sizes(cell, alike, REPLICATES)}
    limits = {"mcnemar": 0.05, "mid-p": 0.055, "t": 0.065, "bell-mccaffrey": 0.06}
    for name, limit in limits.items():
        if name in rows:
            assert rows[name]["size"] < limit + 4 * rows[name]["mc_se"], rows[name]
