"""`simulate anytime`: simulated and exact agree, and nothing that is valid at every look stops too often."""

import numpy as np
import pytest

import deadheat as dh
from deadheat.errors import MethodError
from deadheat.simulating import anytime_study
from deadheat.simulating.study_design import Design


@pytest.fixture(scope="module")
def study():
    return dh.simulate("anytime", Design(items=(120,), replicates=3000, margin=0.1, cluster_size=4))


def test_simulated_and_exact_agree(study):
    exact = [row for row in study.rows if row["exact"] is not None and row["mc_se"] is not None]
    assert len(exact) >= 5
    for row in exact:
        assert row["simulated"] == pytest.approx(row["exact"], abs=4 * row["mc_se"] + 1e-9), row


def test_false_stops(study):
    false = [row for row in study.rows if row["quantity"] == "false stop"]
    assert {(row["units"], row["samples"], row["truth"]) for row in false} == {
        ("items", 1, "equal"),
        ("items", 5, "equal"),
        ("items", 1, "worse by 0.1"),
        ("clusters of 4", 1, "equal"),
    }
    for row in false:
        if row["test"] != "mcnemar":
            assert row["simulated"] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 3000), row
    peeked = next(row for row in false if row["test"] == "mcnemar")
    assert peeked["exact"] > 0.1
    assert "two equal entries are separated in" in study.summary


def test_margins_are_exact_by_enumeration():
    """Three looks at three items each: every sequence of six items."""
    import itertools

    from deadheat.stats.anytime import betting

    units = anytime_study.Units(np.array([-1.0, 0, 1]), np.array([0.5, 0.2, 0.3]))
    design = Design(margin=0.2, alpha=0.3, every=2)
    ends = anytime_study.looks(6, 2)
    assert ends.tolist() == [4, 6]
    total = 0.0
    for codes in itertools.product(range(3), repeat=6):
        x = units.values[list(codes)]
        wealth = betting.log_wealth(betting.looks(x), -0.2, "above")[ends - 1]
        total += np.prod(units.chance[list(codes)]) * (wealth >= -np.log(0.3)).any()
    assert anytime_study.exact_stop("non-inferior", units, ends, design) == pytest.approx(total, abs=1e-12)
    assert total <= 0.3


def test_of_a_real_board_and_of_tests(tmp_path):
    from deadheat.simulating.board_worlds import BoardWorld
    from support import random_table

    world = BoardWorld.of(random_table(np.random.default_rng(0), 3, 80), top=2)
    found = dh.simulate("anytime", Design(replicates=400, tests=("betting",)), world)
    assert {row["test"] for row in found.rows} == {"betting", "non-inferior"}
    assert found.rows[0]["looks"] == 80
    with pytest.raises(MethodError, match="betting and mcnemar"):
        dh.simulate("anytime", Design(tests=("t",)))
