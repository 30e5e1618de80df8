"""Blocks give the same bits wherever they run, and survive a worker."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest

from deadheat.data.panel import panel
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence import blocks as blockwise
from deadheat.evidence.pairwise import MCNEMAR, pairwise
from deadheat.seeds import stream
from deadheat.stats.drawing.resample import bootstrap_scores
from deadheat.stats.numerics import popcount
from support import random_table, table_of


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(blockwise, "ROWS", 5)
    monkeypatch.setattr(blockwise, "ITEMS", 16)


def board(entries=13, items=41, absent=0.1, seed=0):
    return panel(random_table(np.random.default_rng(seed), entries, items, absent), Estimand())


def united(blocks, entries):
    """Put blocks together as E x E arrays."""
    out = {name: np.full((entries, entries), np.nan) for name in ("p", "log10_p", "difference", "shared")}
    for block in blocks:
        for name, matrix in out.items():
            part = getattr(block, name)
            matrix[block.rows, block.columns] = part
            matrix[block.columns, block.rows] = 0.0 - part.T if name == "difference" else part.T
    return out


def assert_as_rank(seen, blocks, test="mcnemar"):
    found, whole = united(blocks, len(seen.entries)), pairwise(seen, test)
    off = ~np.eye(len(seen.entries), dtype=bool)
    for name, matrix in found.items():
        assert (
            np.asarray(matrix[off]).tobytes() == np.asarray(getattr(whole, name)[off], dtype=float).tobytes()
        ), name


@pytest.mark.parametrize("absent", [0.0, 0.3])
@pytest.mark.parametrize("items", [1, 41, 130])
def test_blocks_counted_from_bits_are_those_of_rank(monkeypatch, absent, items):
    seen = board(items=items, absent=absent)
    whole = pairwise(seen, "mcnemar")
    monkeypatch.setattr(popcount, "PAYS", 1)
    monkeypatch.setattr(blockwise.Bits, "floats", None)  # no product
    found = united(blockwise.pairs(seen), len(seen.entries))
    off = ~np.eye(len(seen.entries), dtype=bool)
    for name, matrix in found.items():
        np.testing.assert_array_equal(matrix[off], getattr(whole, name)[off], err_msg=name)


@pytest.mark.parametrize("test", MCNEMAR)
@pytest.mark.parametrize("absent", [0.0, 0.3, 0.9])
def test_blocks_of_pairs_are_those_of_rank(test, absent):
    seen = board(absent=absent)
    assert_as_rank(seen, blockwise.pairs(seen, test=test), test)


def test_threads_and_processes_give_the_same_bits():
    seen = board()
    with ThreadPoolExecutor(3) as pool:
        assert_as_rank(seen, blockwise.pairs(seen, pool))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert_as_rank(seen, blockwise.pairs(seen, pool))
        drawn = {rows.start: scores for rows, scores in blockwise.bootstrap(seen, pool, draws=50, seed=3)}
    expected = bootstrap_scores(seen.values, seen.present, draws=50, rng=stream(3, "bootstrap"))
    found = np.concatenate([drawn[start] for start in sorted(drawn)], axis=1)
    assert found.tobytes() == np.ascontiguousarray(expected).tobytes()


def separated(block):
    """How many pairs of a block are separated."""
    upper = np.triu(np.ones(block.p.shape, dtype=bool), 1) if block.rows == block.columns else True
    return int(((block.p < 0.05) & upper).sum())


def test_an_answer_travels_instead_of_a_block():
    seen = board(items=200, absent=0.0)
    p = pairwise(seen).p[np.triu_indices(len(seen.entries), 1)]
    assert sum(blockwise.pairs(seen, then=separated)) == (p < 0.05).sum() > 0


def stored(folder, rows):
    """Scores of some entries, read where a block runs."""
    right, present = (np.load(f"{folder}/{name}.npy", mmap_mode="r") for name in ("right", "present"))
    return blockwise.Bits(right[rows], present[rows], 41)


def test_workers_fetch_the_entries_of_their_blocks(tmp_path):
    seen = board(absent=0.3)
    np.save(tmp_path / "right.npy", np.packbits((seen.values == 1) & seen.present, axis=1))
    np.save(tmp_path / "present.npy", np.packbits(seen.present, axis=1))
    fetch = partial(stored, str(tmp_path))
    assert_as_rank(seen, blockwise.pairs_from(fetch, 13))
    with ThreadPoolExecutor(2) as pool:
        assert_as_rank(seen, blockwise.pairs_from(fetch, 13, pool, test="mid-p"), "mid-p")


@pytest.mark.parametrize("kind", ["plain", "clusters", "fractions", "strata"])
def test_resampled_scores_are_those_of_one_process(kind):
    seen = board()
    codes = (np.arange(len(seen.items)) % 7).astype(np.int32)
    if kind == "clusters":
        seen = replace(seen, cluster=codes)
    elif kind == "strata":
        seen = replace(seen, stratum=codes % 2)
    elif kind == "fractions":
        seen = replace(seen, values=np.random.default_rng(1).random(seen.values.shape), binary=False)
    expected = bootstrap_scores(
        seen.values, seen.present, seen.cluster, draws=40, rng=stream(0, "bootstrap"), stratum=seen.stratum
    )
    for rows, scores in blockwise.bootstrap(seen, draws=40):
        assert scores.tobytes() == np.ascontiguousarray(expected[:, rows]).tobytes()


def quartiles(rows, scores):
    """Quartiles of each entry's resampled scores."""
    return np.quantile(scores, [0.25, 0.75], axis=0)


def test_quantiles_travel_instead_of_draws():
    for rows, found in blockwise.bootstrap(board(), draws=30, then=quartiles):
        assert found.shape == (2, min(rows.stop, 13) - rows.start)


def test_a_board_that_does_not_fit_is_refused():
    with pytest.raises(MethodError, match="tested by mcnemar, mid-p, mcnemar-chi2, mcnemar-cc; 't'"):
        next(blockwise.pairs(board(), test="t"))
    rates = panel(table_of({"a": [0.5, 1], "b": [0, 1]}), Estimand())
    with pytest.raises(MethodError, match="single 0/1 attempts"):
        next(blockwise.pairs(rates))
    with pytest.raises(MethodError, match="shares of their own"):
        next(blockwise.bootstrap(replace(rates, shares=np.array([0.3, 0.7]))))


def die_once(block):
    """End the worker the first time, as a lost machine would; then answer."""
    mark = os.environ["DEADHEAT_TEST_MARK"]
    if block.rows.start == 5 and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return block


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_gives_the_same_bits_and_survives_the_loss_of_a_worker(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    import dask

    monkeypatch.setenv("DEADHEAT_TEST_MARK", str(tmp_path / "died"))
    dask.config.set({"distributed.admin.system-monitor.disk": False})
    seen = board()
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor(pure=False) as pool,
    ):
        found = list(blockwise.pairs(seen, pool, then=die_once))
        drawn = {rows.start: scores for rows, scores in blockwise.bootstrap(seen, pool, draws=30)}
    assert (tmp_path / "died").exists()
    assert_as_rank(seen, found)
    expected = bootstrap_scores(seen.values, seen.present, draws=30, rng=stream(0, "bootstrap"))
    for start, scores in drawn.items():
        assert scores.tobytes() == np.ascontiguousarray(expected[:, start : start + 5]).tobytes()
