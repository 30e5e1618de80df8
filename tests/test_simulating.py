"""Studies: published figures, exact values, worlds, boards, and the same bits from every executor."""

import fcntl
import json
import signal
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from deadheat import methods
from deadheat.cli.main import run as command
from deadheat.errors import DataError, MalformedFile, MethodError
from deadheat.ranking.verb import rank
from deadheat.seeds import stream
from deadheat.simulating import STUDIES, BoardWorld, Design, World, simulate
from deadheat.simulating.collapsed_tests import COLLAPSED, DRAWN, TESTS, Sums
from deadheat.simulating.jobs import BLOCK, Job, run
from deadheat.simulating.pair_studies import power
from deadheat.simulating.rejections import drawn_kernel
from deadheat.stats.drawing.item_worlds import moments
from deadheat.stats.paired import catalogue
from deadheat.stats.paired.pairs import Pairs
from support import NEEDS_SHARED, SHARED, shared_json, table_of

SMALL = {
    "passk": Design(samples=(10, 20), replicates=3000),
    "variance": Design(items=(60, 300), samples=(1, 5), replicates=3000),
    "calibration": Design(items=(50,), samples=(1, 4), replicates=1500, draws=99),
    "power": Design(items=(60,), samples=(1, 4), gap=0.1, replicates=3000),
    "mde": Design(items=(100,), samples=(1, 4), replicates=3000),
    "flips": Design(items=(80,), samples=(1, 3), replicates=3000),
    "contamination": Design(items=(50,), samples=(1, 2), replicates=3000),
    "clusters": Design(items=(100,), samples=(1, 2), cluster_size=8, replicates=3000),
    "votes": Design(replicates=1500),
    "judge": Design(items=(300,), replicates=400),
    "ragged": Design(items=(60,), rates=(0.45, 0.55), replicates=1500),
    "coverage": Design(items=(40,), samples=(1, 3), rho=(0.3,), cluster_size=6, replicates=800, draws=99),
    "anytime": Design(items=(60,), samples=(1, 3), cluster_size=4, replicates=2000),
}


@pytest.fixture(scope="module")
def small():
    return {name: simulate(name, SMALL[name]) for name in STUDIES}


@pytest.fixture(scope="module")
def full():
    """The default cells of seed 002 at R = 20,000, without the tests that draw."""
    tests = ("mcnemar", "mid-p", "mcnemar-cc", "mcnemar-chi2", "z", "unpaired-z")
    made = {
        name: simulate(name)
        for name in ("passk", "variance", "power", "mde", "flips", "contamination", "clusters")
    }
    return made | {"calibration": simulate("calibration", Design(tests=tests))}


def line(study, **cell):
    found = [row for row in study.rows if all(row[key] == value for key, value in cell.items())]
    assert len(found) == 1, (cell, len(found))
    return found[0]


def close(row, value=None, slack=0.0):
    """Whether the simulation lies within four Monte Carlo errors of a value, by default of the exact one."""
    value = row["exact"] if value is None else value
    if row["mc_se"] is None:
        return abs(row["simulated"] - value) < 4 / 20_000 + slack
    return abs(row["simulated"] - value) <= 4 * row["mc_se"] + slack


@pytest.mark.parametrize("name", STUDIES)
def test_simulation_agrees_with_the_exact_value(small, name):
    rows = [row for row in small[name].rows if row["exact"] is not None and row["mc_se"] is not None]
    assert rows or name in ("mde", "votes", "judge")
    for row in rows:
        assert close(row), row


@pytest.mark.parametrize("name", STUDIES)
def test_rows_are_plain_and_empty_cells_have_a_note(small, name):
    study = small[name]
    assert study.study == name
    assert study.summary
    json.dumps(study.rows, allow_nan=False)
    empty = {key for row in study.rows for key, value in row.items() if value is None}
    codes = {note.code for note in study.notes}
    for key, code in (("exact", "no-exact-value"), ("normal", "no-normal-value"), ("mc_se", "boundary")):
        if key in empty - {"simulated"} and not (key == "mc_se" and "simulated" in empty):
            assert code in codes, (key, codes)


FIGURES = {entry["id"]: entry for entry in shared_json("reference/figures.json") or ()}


@NEEDS_SHARED
def test_every_figure_of_the_seed_is_looked_at():
    looked = {figure for figure in FIGURES if figure.startswith("002.")}
    assert looked == set(expected_figures()), looked ^ set(expected_figures())


def expected_figures():
    rates = ("0.4", "0.415", "0.42", "0.43", "0.435", "0.45", "0.465", "0.47", "0.48")
    items, samples = (164, 500, 2294), (1, 5, 10, 20, 100)
    made = [f"002.skill.{rate}" for rate in rates]
    made += [f"002.moment.{what}" for what in ("V", "W", "C", "psi")]
    made += [f"002.r1.{what}" for what in ("true", "plug10", "unbiased")]
    made += [f"002.r1.bias{n}" for n in (10, 20, 50, 100, 200)]
    made += [f"002.r2.sd.{m}.{n}" for m in items for n in (1, 10, 100)]
    made += [f"002.r2.share.{n}" for n in (1, 10, 100)]
    made += [f"002.r3.null_unpaired.{n}" for n in (1, 10, 20, 100)]
    made += [f"002.r3.null_unpaired.exact.{m}" for m in items]
    made += [f"002.r3.null_unpaired.mc.{m}.20" for m in items]
    made += [f"002.r3.null_paired.{m}.1" for m in items] + ["002.r3.null_paired.164.20"]
    made += [f"002.r3.power.{m}.{n}" for m in items for n in (1, 20)]
    made += [f"002.r3.mde.{m}.{n}" for m in items for n in samples]
    made += [f"002.r4.{what}.{m}" for what in ("order", "best") for m in items]
    made += [f"002.r5.{share}" for share in ("0.05", "0.1", "0.2")]
    made += [f"002.r6.{what}.{rho}" for what in ("icc", "deff", "eff", "mc") for rho in ("0.2", "0.4")]
    return made


@NEEDS_SHARED
def test_skills_and_moments():
    for name, entry in FIGURES.items():
        if name.startswith("002.skill."):
            found = World.of((float(name[10:]),)).skills()[0]
            assert found == pytest.approx(entry["value"], abs=1e-8)
    found = moments(World.of((0.45, 0.45)).types(1))
    spread = 0.45 * 0.55
    for what, value in (
        ("V", found.items[0, 0]),
        ("C", found.items[0, 1]),
        ("W", found.samples[0]),
        ("psi", 2 * (spread - found.items[0, 1])),
    ):
        assert value == pytest.approx(FIGURES[f"002.moment.{what}"]["value"], abs=1e-9)


@NEEDS_SHARED
def test_result_1_pass_at_k(full):
    study = full["passk"]
    for n in (10, 20, 50, 100, 200):
        row = line(study, samples=n, estimator="plug-in", quantity="bias")
        assert 100 * row["exact"] == pytest.approx(FIGURES[f"002.r1.bias{n}"]["value"], abs=1e-6)
        assert close(row)
        fair = line(study, samples=n, estimator="unbiased", quantity="bias")
        assert fair["exact"] == pytest.approx(0, abs=1e-12)
        assert close(fair)
        truth = line(study, samples=n, estimator="truth")
        assert truth["exact"] == pytest.approx(FIGURES["002.r1.true"]["value"], abs=1e-7)
    plug = line(study, samples=10, estimator="plug-in", quantity="mean")
    assert plug["exact"] == pytest.approx(FIGURES["002.r1.plug10"]["value"], abs=1e-7)


@NEEDS_SHARED
@pytest.mark.parametrize("m", [164, 500, 2294])
@pytest.mark.parametrize("n", [1, 10, 100])
def test_result_2_variance(full, m, n):
    entry = FIGURES[f"002.r2.sd.{m}.{n}"]
    parts = (
        ("SD of the score", "value"),
        ("SD from samples", "completion"),
        ("SD from items", "problem"),
    )
    for quantity, key in parts:
        row = line(full["variance"], items=m, samples=n, quantity=quantity)
        assert 100 * row["exact"] == pytest.approx(entry[key], abs=1e-6)
        assert close(row)
    row = line(full["variance"], items=m, samples=n, quantity="share from items")
    assert row["exact"] == pytest.approx(FIGURES[f"002.r2.share.{n}"]["value"], abs=1e-7)
    assert close(row)


@NEEDS_SHARED
@pytest.mark.parametrize("m", [164, 500, 2294])
def test_result_3_equal_entries(full, m):
    study = full["calibration"]
    for n in (1, 10, 20, 100):
        row = line(study, items=m, samples=n, test="unpaired-z")
        assert row["normal"] == pytest.approx(FIGURES[f"002.r3.null_unpaired.{n}"]["value"], abs=1e-6)
        exact = FIGURES[f"002.r3.null_unpaired.exact.{m}"]["value"] if n == 1 else None
        assert exact is None or row["exact"] == pytest.approx(exact, abs=1e-7)
        assert close(row, exact if n == 1 else row["normal"], slack=0 if n == 1 else 0.003)
    entry = FIGURES[f"002.r3.null_unpaired.mc.{m}.20"]
    assert close(line(study, items=m, samples=20, test="unpaired-z"), entry["value"], entry["tolerance"])
    entry = FIGURES[f"002.r3.null_paired.{m}.1"]
    for test, key in (
        ("z", "value"),
        ("mcnemar", "exact_mcnemar"),
        ("mid-p", "midp"),
        ("mcnemar-chi2", "chi2"),
        ("mcnemar-cc", "cc"),
    ):
        row = line(study, items=m, samples=1, test=test)
        assert row["exact"] == pytest.approx(entry[key], abs=1e-7)
        assert close(row)
    entry = FIGURES["002.r3.null_paired.164.20"]
    assert close(line(study, items=164, samples=20, test="z"), entry["value"], entry["tolerance"])


@NEEDS_SHARED
@pytest.mark.parametrize("m", [164, 500, 2294])
@pytest.mark.parametrize("n", [1, 20])
def test_result_3_power(full, m, n):
    entry = FIGURES[f"002.r3.power.{m}.{n}"]
    row = line(full["power"], items=m, samples=n, test="z")
    assert row["difference"] == pytest.approx(0.03, abs=1e-12)
    assert row["normal"] == pytest.approx(entry["value"], abs=1e-6)
    assert close(row, entry["value"], entry["tolerance"])
    if n == 1:
        for test, key in (("z", "exact_z"), ("mcnemar", "exact_mcnemar")):
            row = line(full["power"], items=m, samples=n, test=test)
            assert row["exact"] == pytest.approx(entry[key], abs=1e-7)
            assert close(row)


@NEEDS_SHARED
@pytest.mark.parametrize("m", [164, 500, 2294])
@pytest.mark.parametrize("n", [1, 5, 10, 20, 100])
def test_result_3_smallest_difference(full, m, n):
    entry = FIGURES[f"002.r3.mde.{m}.{n}"]
    row = line(full["mde"], items=m, samples=n)
    assert 100 * row["normal"] == pytest.approx(entry["value"], abs=1e-6)
    exact = row["normal"] if row["exact"] is None else row["exact"]
    assert close(row, exact, entry["tolerance"] / 100)


@NEEDS_SHARED
@pytest.mark.parametrize("m", [164, 500, 2294])
def test_result_4_orders(full, m):
    rules = (
        ("broken at random", "value", "mvn"),
        ("counted wrong", "strict", "mvn_strict_cc"),
        ("counted right", "ties_count_as_right", "mvn_weak_cc"),
    )
    for quantity, name in (("full order", "order"), ("best on top", "best")):
        entry = FIGURES[f"002.r4.{name}.{m}"]
        for ties, key, normal in rules:
            row = line(full["flips"], items=m, quantity=quantity, ties=ties)
            assert close(row, entry[key], entry["tolerance"])
            assert row["normal"] == pytest.approx(entry[normal], abs=1e-5)
    assert close(line(full["flips"], items=m, quantity="Kendall's tau"))


@NEEDS_SHARED
@pytest.mark.parametrize("share", [0.05, 0.1, 0.2])
def test_result_5_memorised_items(full, share):
    """A random share f adds f (0.97 - 0.45): less than the share, against what the paper says."""
    row = line(full["contamination"], share=share, known="at random", quantity="inflation")
    assert 100 * row["exact"] == pytest.approx(FIGURES[f"002.r5.{share:g}"]["value"], abs=1e-9)
    assert close(row)
    hard = line(full["contamination"], share=share, known="hardest first", quantity="inflation / share")
    assert 0.52 < hard["exact"] < 1
    assert close(hard)


@NEEDS_SHARED
@pytest.mark.parametrize("rho", [0.2, 0.4])
def test_result_6_clusters(full, rho):
    study = full["clusters"]
    within = line(study, rho=rho, quantity="correlation within clusters")
    assert within["exact"] == pytest.approx(FIGURES[f"002.r6.icc.{rho}"]["value"], abs=1e-8)
    assert close(within)
    inflation = line(study, rho=rho, quantity="variance inflation")
    assert inflation["equal_clusters"] == pytest.approx(FIGURES[f"002.r6.deff.{rho}"]["value"], abs=1e-6)
    assert close(inflation)
    entry = FIGURES[f"002.r6.mc.{rho}"]
    assert close(inflation, entry["value"], entry["tolerance"])
    effective = line(study, rho=rho, quantity="effective items")
    assert effective["equal_clusters"] == pytest.approx(FIGURES[f"002.r6.eff.{rho}"]["value"], abs=1e-6)
    assert close(effective)


@pytest.mark.parametrize("samples", [1, 3])
def test_collapsed_tests_are_the_tests_of_real_results(samples):
    rng = stream(0, "tests")
    counts = rng.binomial(samples, rng.random(12), size=(2, 300, 12))
    counts[:, :3] = [[[0] * 12, [samples] * 12, [0] * 12], [[0] * 12, [0] * 12, [samples] * 12]]
    a, b = counts
    everywhere = np.ones(a.shape, dtype=bool)
    drawn = np.full(a.shape, samples)
    pairs = Pairs(a / samples, b / samples, everywhere, everywhere, samples_a=drawn, samples_b=drawn)
    parts = ((a - b), (a - b) ** 2, a, b, a**2, b**2)
    sums = Sums(12, samples, *(part.sum(axis=1) for part in parts))
    for name, test in COLLAPSED.items():
        if name == "z" or (test.single and samples > 1):
            continue
        expected = catalogue.P_VALUES[name](pairs, draws=99, rng=rng).p
        np.testing.assert_allclose(test.p(sums), expected, rtol=1e-9, atol=1e-300, err_msg=name)
    assert np.all(COLLAPSED["z"].p(sums) <= COLLAPSED["t"].p(sums) + 1e-15)


def test_every_test_of_pairs_can_be_simulated():
    known = {
        name for name, test in methods.TESTS.items() if not test.fit.reruns
    }  # those ask another question
    known -= {"bell-mccaffrey", "betting"}  # the same as t without clusters; a study of its own
    assert known <= set(TESTS)
    assert set(DRAWN) == {name for name in known if methods.TESTS[name].fit.draws}


def test_drawn_and_collapsed_simulation_agree():
    """Items simulated one by one and items collapsed reject equally often."""
    joint = np.array([[0.4, 0.12], [0.18, 0.3]])
    found = drawn_kernel(joint, 40, 1, ("t",), 0.05, 9, replicates=4000, rng=stream(0, "drawn"))
    job = power(Design(items=(40,), samples=(1,), tests=("t",)), None)[0]
    pmf = np.array([0.12, 0.7, 0.18])
    again = job.kernel(pmf, 40, 1, ("t",), 0.05, replicates=4000, rng=stream(0, "sums"))
    error = np.sqrt(2 * again.mean() * (1 - again.mean()) / 4000)
    assert abs(found.mean() - again.mean()) < 4 * error


# Worlds


def test_a_world_makes_a_table_like_any_other():
    world = World.of((0.7, 0.5, 0.3), names=("c", "a", "b"))
    table = world.table(400, 3, seed=4, cluster_size=10, rho=0.5)
    assert table.entries == ("a", "b", "c")
    assert len(table.items) == 400
    assert len(set(table.attribute("cluster"))) == 40
    board = rank(table)
    assert [score.entry for score in board.entries] == ["c", "a", "b"]
    assert board.provenance.read == 3600
    again = world.table(400, 3, seed=4, cluster_size=10, rho=0.5)
    np.testing.assert_array_equal(table.cells.total, again.cells.total)


def test_tables_have_the_moments_of_their_world():
    world = World.of((0.6, 0.4), difficulty=1.5, affinity=0.8, failed=0.1)
    truth = moments(world.types(2))
    table = world.table(40_000, 2, seed=1)
    assert table.cells.failed.sum() / (2 * 2 * 40_000) == pytest.approx(0.1, abs=0.005)
    value = table.cells.total.reshape(2, -1) / 2
    np.testing.assert_allclose(value.mean(axis=1), truth.rate, atol=0.01)
    np.testing.assert_allclose(np.cov(value), truth.score_covariance(1, 2), atol=0.005)
    with pytest.raises(MethodError, match=r"stays below 0\.9"):
        World.of((0.95,), failed=0.1).types(1)


def test_clustered_types_mix_to_the_plain_ones():
    world = World.of((0.45,))
    weight, types = world.clustered(3, 0.3)
    mixed = sum(w * each.weight @ each.pmf[0] for w, each in zip(weight, types, strict=True))
    plain = world.types(3)
    np.testing.assert_allclose(mixed, plain.weight @ plain.pmf[0], atol=1e-12)


@pytest.mark.parametrize("hard_first", [True, False])
def test_memorised_items_of_a_table(hard_first):
    world = World.of((0.45, 0.55))
    table = world.table(20_000, 1, seed=3, memorised=0.25, solved=1.0, hard_first=hard_first)
    right = table.cells.total.reshape(2, -1)
    types, known = world.memorised(1, 0.25, hard_first=hard_first)
    expected = 0.45 + float((types.weight * known) @ (1 - types.mean[0]))
    assert right[0].mean() == pytest.approx(expected, abs=0.015)


# Boards


def board_table(samples=4, items=300, rates=(0.62, 0.55, 0.5, 0.3), seed=2):
    names = tuple(f"e{at}" for at in range(len(rates)))
    return World.of(rates, names=names).table(items, samples, seed=seed, cluster_size=10, rho=0.4)


def test_a_fitted_world_has_the_moments_of_the_board():
    board = BoardWorld.of(board_table(), top=4)
    assert board.names == ("e0", "e1", "e2", "e3")
    found, truth = moments(board.pick([0, 2]).types(1)), board.moments()
    np.testing.assert_allclose(found.rate, truth.rate[[0, 2]], atol=1e-9)
    np.testing.assert_allclose(found.items, truth.items[np.ix_([0, 2], [0, 2])], atol=1e-6)
    np.testing.assert_allclose(found.samples, truth.samples[[0, 2]], atol=1e-6)
    three = moments(board.pick([0, 1, 2]).types(1))
    np.testing.assert_allclose(three.rate, truth.rate[:3], atol=1e-9)
    np.testing.assert_allclose(three.items, truth.items[:3, :3], atol=2e-3)


def test_an_empirical_world_is_the_board():
    board = BoardWorld.of(board_table(), kind="empirical", top=2)
    found = moments(board.pick([0, 1]).types(1))
    chance = board.right / board.samples
    np.testing.assert_allclose(found.items[0, 1], np.cov(chance, bias=True)[0, 1])
    assert board.pick([1, 0]).pick([0]).names == ("e1",)
    table = board.pick([0, 1]).table(500, 2, seed=1)
    assert len(table.items) == 500


@pytest.mark.parametrize("kind", ["fitted", "empirical"])
def test_what_a_board_needs_to_separate_its_best(kind):
    board = BoardWorld.of(board_table(), kind=kind, top=3)
    study = simulate("power", Design(replicates=2000), board)
    assert {(row["a"], row["b"]) for row in study.rows} == {("e0", "e1"), ("e0", "e2"), ("e1", "e2")}
    for row in study.rows:
        if row["test"] == "z" and row["items"] == row["items_needed"] != board.items:
            assert row["simulated"] == pytest.approx(0.8, abs=0.06)
            assert row["normal"] >= 0.8
    assert "items with 4 samples" in study.summary
    assert study.provenance.read == 4800


def test_samples_that_separate_on_the_same_items():
    """The answer put back: with so many samples, rerunning these items tells the two apart."""
    board = BoardWorld.of(board_table(samples=6, rates=(0.6, 0.57)), top=2)
    row = simulate("power", Design(replicates=100), board).rows[0]
    truth = board.moments()
    gap, noise = truth.rate[0] - truth.rate[1], truth.samples.sum()
    for samples, enough in (
        (row["samples_needed_reruns"], True),
        (row["samples_needed_reruns"] - 1, False),
    ):
        error = np.sqrt(noise / (max(samples, 1e-9) * board.items))
        assert (gap / error >= 1.959964 + 0.841621) == enough


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_takes_a_board(name):
    board = BoardWorld.of(board_table(samples=2, items=60, seed=3), cluster="cluster", top=2)
    study = simulate(name, Design(replicates=60, draws=19, k=2), board)
    assert study.rows
    assert any(note.code == "world-fitted" for note in study.notes)


def test_boards_that_cannot_be_a_world():
    with pytest.raises(DataError, match="0/1 scores"):
        BoardWorld.of(table_of({"a": [0.5, 1], "b": [1, 0]}))
    with pytest.raises(DataError, match="at least two items"):
        BoardWorld.of(table_of({"a": [1, 0, None], "b": [None, 1, 0]}))
    flat = BoardWorld.of(table_of({"a": [1, 1, 1], "b": [1, 0, 1]}))
    with pytest.raises(DataError, match="--world empirical"):
        simulate("power", Design(replicates=10), flat)
    alone = BoardWorld.of(table_of({"a": [1, 0, 1]}))
    with pytest.raises(MethodError, match="two entries"):
        simulate("power", Design(replicates=10), alone)
    assert any(note.code == "one-sample" for note in flat.notes)
    empirical = BoardWorld.of(board_table(), kind="empirical")
    with pytest.raises(MethodError, match="--world fitted"):
        simulate("mde", Design(replicates=10), empirical)
    with pytest.raises(MethodError, match="--cluster COLUMN"):
        simulate("clusters", Design(replicates=10), BoardWorld.of(board_table()))


@NEEDS_SHARED
def test_terminal_bench():
    """What would separate the top three of a real board of 80 tasks and 5 runs."""
    from deadheat.readers import read

    table = read([str(SHARED / "data/terminal_bench_core/results.csv.gz")])
    study = simulate("power", Design(replicates=1000), BoardWorld.of(table))
    entry = next(
        pair
        for pair in shared_json("data/terminal_bench_core/FIGURES.json")["pairs"]
        if pair["b_entry"] == "ob1-09-10-25"
    )
    row = next(row for row in study.rows if row["b"] == "ob1-09-10-25")
    assert row["difference"] == pytest.approx(entry["mean_diff_shared"])
    needed = (2.801585 * entry["paired_se"] / entry["mean_diff_shared"]) ** 2 * 80
    assert row["items_needed"] == pytest.approx(needed, rel=0.05)
    assert row["samples_needed"] is None


# Bad requests


@pytest.mark.parametrize(
    ("study", "change", "match"),
    [
        ("nothing", {}, "known are passk"),
        ("power", {"tests": ("fisher",)}, "known are mcnemar"),
        ("coverage", {"intervals": ("magic",)}, "known are"),
        ("power", {"gap": 0.6}, "smaller --gap"),
        ("flips", {"rates": (0.4, 0.4)}, "different true rates"),
        ("mde", {"rates": (0.98,), "items": (10,), "samples": (1,)}, "more items"),
        ("mde", {"tests": ("bootstrap",)}, "tests of sums"),
    ],
)
def test_studies_say_what_would_do(study, change, match):
    with pytest.raises(MethodError, match=match):
        simulate(study, Design(replicates=10, **change))


@pytest.mark.parametrize(
    "change",
    [
        {"rates": (0.0,)},
        {"rates": (1.0,)},
        {"samples": (0,)},
        {"items": (1,)},
        {"rho": (1.5,)},
        {"seed": -1},
        {"replicates": 1},
        {"alpha": 0.0},
        {"failed": 1.0},
        {"difficulty": -1.0},
        {"power": 1.0},
    ],
)
def test_designs_out_of_range_are_refused(change):
    with pytest.raises(MethodError, match=next(iter(change))):
        Design(**change)


# Blocks


def test_a_study_that_was_interrupted_goes_on(tmp_path):
    journal, design = tmp_path / "blocks.jsonl", Design(items=(50,), samples=(1,), replicates=3 * BLOCK + 7)
    whole = simulate("power", design)

    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate("power", design, resume=journal, advance=stop)
    with journal.open("a") as file:
        file.write('{"cell": "half a li')
    told = []
    again = simulate("power", design, resume=journal, advance=lambda done, total: told.append((done, total)))
    assert told == [(2, 4), (3, 4), (4, 4)]
    assert again == whole
    told.clear()
    simulate("power", design, resume=journal, advance=lambda done, total: told.append((done, total)))
    assert told == [(4, 4)]
    other = Design(items=(50,), samples=(1,), replicates=3 * BLOCK + 7, seed=1)
    told.clear()
    simulate("power", other, resume=journal, advance=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 4)


@pytest.mark.parametrize("text", ["precious", "a,b\n1,2\n", '{"cell": "x", "block": 0}\n', "[1, 2]\n"])
def test_resume_spares_a_file_of_another_kind(tmp_path, text):
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(MalformedFile, match="no block of a study"):
        simulate("power", Design(items=(50,), replicates=100), resume=file)
    assert file.read_text() == text


def test_a_boundary_withholds_the_monte_carlo_error():
    study = simulate("power", Design(items=(2000,), samples=(5,), gap=0.4, replicates=50))
    assert study.rows[0]["simulated"] == 1
    assert study.rows[0]["mc_se"] is None
    assert "rule of three" in " ".join(note.text for note in study.notes)


def test_more_replicates_keep_the_blocks():
    """A longer study contains the shorter one: blocks have streams of their own."""
    seen = []

    def rows(found):
        seen.append(found.mean * BLOCK * (1 + len(seen)))
        return []

    for replicates in (BLOCK, 2 * BLOCK):
        run([Job("x", _uniform, (), rows)], replicates, 0)
    second = _uniform(replicates=BLOCK, rng=stream(0, "simulate", "x", 1)).sum(axis=0)
    np.testing.assert_allclose(seen[1], seen[0] + second)


def _uniform(*, replicates, rng):
    return rng.random((replicates, 2))


def test_memory_is_bounded():
    job = power(Design(items=(2294,), samples=(100,), tests=("unpaired-z",)), None)[0]
    tracemalloc.start()
    try:
        job.kernel(*job.arguments, replicates=BLOCK, rng=stream(0, "memory"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6


# The command

CELLS = {
    "calibration": ["--tests", "mcnemar", "unpaired-z", "sign-flip", "bootstrap"],
    "coverage": ["--intervals", "wilson", "score", "percentile", "--rho", "0.3"],
}


def simulated(tmp_path, study, *more):
    out = tmp_path / "study.json"
    size = ["--items", "40", "--samples", "1", "3", "-R", "500", "--draws", "49"]
    assert command(["simulate", study, *CELLS[study], *size, *more, "-o", str(out)]) == 0
    return out.read_bytes()


@pytest.mark.parametrize("study", CELLS)
def test_the_same_bits_from_one_process_and_from_two(tmp_path, study, monkeypatch):
    monkeypatch.setattr("deadheat.simulating.jobs.BLOCK", 120)
    alone = simulated(tmp_path, study)
    assert simulated(tmp_path, study, "--workers", "2") == alone


def test_the_same_bits_from_a_dask_cluster(tmp_path, monkeypatch):
    monkeypatch.setattr("deadheat.simulating.jobs.BLOCK", 120)
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    import dask

    dask.config.set({"distributed.admin.system-monitor.disk": False})
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        for study in CELLS:
            there = simulated(tmp_path, study, "--dask", cluster.scheduler_address)
            assert there == simulated(tmp_path, study)


@pytest.mark.parametrize("form", ["table", "md", "csv", "latex", "json"])
def test_every_format(capsys, form):
    words = ["simulate", "flips", "--rates", "0.4", "0.5", "--items", "50", "-R", "200", "--format", form]
    assert command(words) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "full order" in captured.out


def test_all_studies_at_once(capsys):
    words = ["simulate", "all", "--items", "40", "--samples", "10", "-R", "20", "--draws", "9", "--json"]
    assert command(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == len(STUDIES)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["simulate", "poker"], 2, "poker"),
        (["simulate", "power", "--workers", "0"], 2, "--workers"),
        (["simulate", "power", "--rates", "2"], 1, "rates lies strictly between 0 and 1"),
        (["simulate", "power", "--from", "nowhere.csv"], 1, "nowhere.csv"),
    ],
)
def test_wrong_commands(capsys, words, code, said):
    assert command(words) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(number, tmp_path):
    """However it ends; each worker holds a lock as long as it lives."""
    program = """
import fcntl, os, sys, time
from deadheat.simulating.executors import executor

def hold(folder, at):
    handle = open(f"{folder}/{at}", "w")
    fcntl.flock(handle, fcntl.LOCK_EX)
    open(f"{folder}/{at}.held", "w").close()
    time.sleep(600)

if __name__ == "__main__":
    with executor(2) as pool:
        for at in range(2):
            pool.submit(hold, sys.argv[1], at)
        while sum(name.endswith(".held") for name in os.listdir(sys.argv[1])) < 2:
            time.sleep(0.01)
        print("held", flush=True)
        time.sleep(600)
"""
    path = tmp_path / "program.py"
    path.write_text(program)
    locks = tmp_path / "locks"
    locks.mkdir()
    with subprocess.Popen(
        [sys.executable, str(path), str(locks)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout.readline() == b"held\n"
        parent.send_signal(number)
        parent.wait()
    for at in range(2):
        with open(locks / str(at)) as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)  # waits until the worker has ended


def test_a_choice_of_items_puts_a_wrong_entry_first_and_a_fit_undoes_it():
    study = simulate("ragged", Design(items=(150,), rates=(0.4, 0.45, 0.5), replicates=200))
    share = {(row["missing"], row["policy"]): row["simulated"] for row in study.rows}
    assert share["by difficulty", "own items"] > share["at random", "own items"] + 0.2
    assert share["by difficulty", "fitted"] < share["by difficulty", "own items"] - 0.15
    assert share["by date", "fitted"] < share["by date", "zero"] - 0.15
    assert "fitted scores" in study.summary
    with pytest.raises(MethodError, match="missing lies strictly between 0 and"):
        Design(missing=0.6)
