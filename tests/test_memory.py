"""Boards that do not fit are refused with the numbers, and what is free is what the system says."""

import numpy as np
import pytest

from deadheat import rank
from deadheat.errors import MethodError
from deadheat.evidence import memory
from support import random_table


def test_a_board_that_does_not_fit_is_refused_beforehand(monkeypatch):
    table = random_table(np.random.default_rng(0), 30, 20)
    monkeypatch.setattr(memory, "free", lambda: 40 * 30**2 + 30 * 30 * 20)
    rank(table)
    monkeypatch.setattr(memory, "free", lambda: 40 * 30**2)
    with pytest.raises(MethodError, match=r"all pairs of 30 entries on 20 items need about 0\.0 GB"):
        rank(table)
    monkeypatch.setattr(memory, "free", lambda: None)
    rank(table)


def test_the_numbers_are_those_of_the_page(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 24 * 10**9)
    memory.fits(10_000, 10_000)
    with pytest.raises(MethodError, match=r"60,000 entries on 5 items need about 144\.0 GB"):
        memory.fits(60_000, 5)


def test_a_container_s_limit_counts(tmp_path, monkeypatch):
    assert memory.free() is None or memory.free() > 0
    (tmp_path / "memory.max").write_text("3000000")
    (tmp_path / "memory.current").write_text("1000000")
    monkeypatch.setattr(memory, "GROUP", tmp_path)
    assert memory.free() == 2_000_000
    (tmp_path / "memory.max").write_text("max")
    assert memory.free() != 2_000_000
