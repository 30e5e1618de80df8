"""Counts from bits against products of 0 and 1, and the board for which they are taken."""

import builtins
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat
from deadheat.stats.numerics import kernels, popcount
from deadheat.stats.paired import pairs_mcnemar


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 300), st.integers(0, 10**6))
def test_counts_equal_a_product(first, second, items, seed):
    rng = np.random.default_rng(seed)
    a, b = (rng.random((rows, items)) < rng.random() for rows in (first, second))
    found = popcount.product(popcount.pack(a), popcount.pack(b))
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, a.astype(int) @ b.astype(int).T)


@given(
    st.integers(1, 9),
    st.integers(1, 300),
    st.integers(0, 300),
    st.sampled_from([1, 3, 7, 8, 255]),
    st.integers(0, 10**6),
)
def test_counts_of_items_are_added_up(rows, draws, items, most, seed):
    rng = np.random.default_rng(seed)
    flags = rng.random((rows, items)) < rng.random()
    counts = rng.integers(0, most, (draws, items), dtype=np.uint8, endpoint=True)
    found = popcount.counts_product(popcount.pack(flags), counts)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, flags.astype(int) @ counts.astype(int).T)


def test_words_hold_items_that_all_have():
    full = popcount.pack(np.ones((2, 130)))
    assert full.shape == (2, 3)
    assert popcount.product(full, full).tolist() == [[130, 130], [130, 130]]


@pytest.mark.parametrize("share", [1.0, 0.8])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_board_counted_from_bits_is_the_same(monkeypatch, share, dtype, order):
    rng = np.random.default_rng(2)
    values, present = rng.integers(0, 2, (30, 700)).astype(dtype), rng.random((30, 700)) < share
    values = np.asarray(values, order=order)
    expected = pairs_mcnemar.discordant(values, present)
    monkeypatch.setattr(popcount, "PAYS", 1)
    monkeypatch.setattr(pairs_mcnemar, "ROWS", 11)
    monkeypatch.setattr(pairs_mcnemar, "CELLS", 30 * 300)
    with monkeypatch.context() as patch:  # it is not the product that counts
        patch.setattr(pairs_mcnemar, "_product", None)
        found = pairs_mcnemar.discordant(values, present)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture
def fresh():
    """Forget whether numba is at hand and what it compiled, before and after."""
    memories = (kernels.at_hand, kernels.weighted_bits)
    for memory in memories:
        memory.cache_clear()
    yield
    for memory in memories:
        memory.cache_clear()


class Broken:
    """A module that came to grief while it was loaded."""

    def __getattr__(self, name):
        raise SystemError("initialization failed")


@pytest.mark.usefixtures("fresh")
def test_bits_are_for_large_boards_where_numba_works(monkeypatch):
    assert popcount.pays(5000**2, 10_000)
    assert not popcount.pays(1000**2, 14_042)
    kernels.at_hand.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr("numba.config.DISABLE_JIT", 1)  # what numba then hands back are no compiled loops
        assert not popcount.pays(5000**2, 10_000)
    kernels.at_hand.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "numba", Broken())
        assert not popcount.pays(5000**2, 10_000)
    kernels.at_hand.cache_clear()
    monkeypatch.setitem(sys.modules, "numba", None)  # as where it is missing, or refuses this numpy
    assert not popcount.pays(5000**2, 10_000)
    assert not deadheat.compile_kernels()


@pytest.mark.usefixtures("fresh")
def test_once_compiled_bits_are_for_smaller_boards_too():
    assert not popcount.pays(1000**2, 2294)
    assert deadheat.compile_kernels()
    assert popcount.pays(1000**2, 2294)
    assert not popcount.pays(40**2, 500)


@pytest.mark.usefixtures("fresh")
def test_a_small_board_does_not_import_numba(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        assert not name.startswith("numba")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    pairs_mcnemar.discordant(np.eye(4, dtype=np.float32), np.ones((4, 4), dtype=bool))
