"""Groups and tie lines against the stated rule, written out slowly."""

from itertools import combinations
from time import process_time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from deadheat.stats.multiple.groups import anchor_groups, letters, tie_lines

NAN = float("nan")


def matrix(size, cells):
    p = np.full((size, size), NAN)
    for (i, j), value in cells.items():
        p[i, j] = p[j, i] = value
    return p


@st.composite
def boards(draw):
    size = draw(st.integers(0, 8))
    values = st.sampled_from([0.001, 0.05, 0.2, 1.0, NAN])
    p = matrix(size, {pair: draw(values) for pair in combinations(range(size), 2)})
    return p, draw(st.permutations(range(size)))


def groups_slowly(p, order, alpha):
    groups, number, left = dict.fromkeys(range(len(p)), 0), 0, list(order)
    while left:
        number += 1
        anchor = left[0]
        members = [entry for entry in left if entry == anchor or p[anchor, entry] >= alpha]
        groups.update(dict.fromkeys(members, number))
        left = [entry for entry in left if entry not in members]
    return list(groups.values())


def lines_slowly(p, order, alpha):
    runs = [
        (i, j)
        for i, j in combinations(range(len(order)), 2)
        if all(p[a, b] >= alpha for a, b in combinations(order[i : j + 1], 2))
    ]
    return [r for r in runs if not any(s != r and s[0] <= r[0] and r[1] <= s[1] for s in runs)]


def test_ties_are_not_transitive():
    p_ab, p_bc, p_ac = (binomtest(k, n, 0.5).pvalue for k, n in ((8, 10), (6, 8), (12, 14)))
    p = matrix(3, {(0, 1): p_ab, (1, 2): p_bc, (0, 2): p_ac})
    np.testing.assert_allclose([p_ab, p_bc, p_ac], [0.109375, 0.2890625, 0.012939453125], rtol=1e-10)
    assert list(anchor_groups(p, [0, 1, 2], 0.05)) == [1, 1, 2]
    assert tie_lines(p, [0, 1, 2], 0.05) == [(0, 1), (1, 2)]


def test_a_group_may_skip_an_entry_and_a_line_may_not():
    cells = {(0, 1): 0.01, (0, 2): 0.4, (0, 3): 0.01, (1, 2): 0.3, (1, 3): 0.01, (2, 3): 0.2}
    p = matrix(4, cells)
    assert list(anchor_groups(p, range(4), 0.05)) == [1, 2, 1, 3]
    assert tie_lines(p, range(4), 0.05) == [(1, 2), (2, 3)]


def test_sharing_no_item_is_not_a_tie():
    p = matrix(3, {(0, 2): 0.5, (1, 2): 0.5})
    assert list(anchor_groups(p, [0, 1, 2], 0.05)) == [1, 2, 1]
    assert tie_lines(p, [0, 1, 2], 0.05) == [(1, 2)]


def test_p_equal_to_alpha_is_not_separated():
    p = matrix(2, {(0, 1): 0.05})
    assert list(anchor_groups(p, [0, 1], 0.05)) == [1, 1]
    assert tie_lines(p, [0, 1], 0.05) == [(0, 1)]


def test_entries_without_results_have_no_group_and_shift_nobody():
    p = matrix(4, {(1, 3): 0.01})
    assert list(anchor_groups(p, [1, 3], 0.05)) == [0, 1, 0, 2]


def test_small_boards():
    assert list(anchor_groups(np.full((1, 1), NAN), [0], 0.05)) == [1]
    assert list(anchor_groups(np.zeros((0, 0)), [], 0.05)) == []
    assert tie_lines(np.zeros((0, 0)), [], 0.05) == []
    assert tie_lines(np.full((1, 1), NAN), [0], 0.05) == []


@given(boards())
def test_rules_hold(board):
    p, order = board
    assert list(anchor_groups(p, order, 0.05)) == groups_slowly(p, order, 0.05)
    assert list(anchor_groups(lambda anchor, rows: p[anchor, rows], order, 0.05)) == groups_slowly(
        p, order, 0.05
    )
    assert tie_lines(p, order, 0.05) == lines_slowly(p, order, 0.05)


@given(boards(), st.randoms(use_true_random=False))
def test_names_are_nothing(board, random):
    p, order = board
    new = list(range(len(p)))
    random.shuffle(new)  # entry e is now called new[e]
    q = np.full_like(p, NAN)
    q[np.ix_(new, new)] = p
    renamed = anchor_groups(q, [new[e] for e in order], 0.05)
    assert [renamed[new[e]] for e in range(len(p))] == list(anchor_groups(p, order, 0.05))
    assert tie_lines(q, [new[e] for e in order], 0.05) == tie_lines(p, order, 0.05)


def cliques_slowly(p, order, alpha):
    """Every subset of the board: those whose pairs are all tied, and that no other contains."""
    size = len(order)
    tied = [
        set(subset)
        for count in range(1, size + 1)
        for subset in combinations(range(size), count)
        if all(p[order[i], order[j]] >= alpha for i, j in combinations(subset, 2))
    ]
    return sorted(sorted(s) for s in tied if not any(s < t for t in tied))


@given(boards())
def test_letters_are_all_maximal_cliques(board):
    p, order = board
    found = letters(p, order, 0.05)
    assert found.complete
    assert found.cliques == cliques_slowly(p, order, 0.05)


@given(boards())
def test_a_cover_says_the_same_of_every_pair(board):
    p, order = board
    found = letters(p, order, 0.05, limit=0)
    assert not found.complete or not len(p)
    maximal = cliques_slowly(p, order, 0.05)
    assert all(clique in maximal for clique in found.cliques)
    assert sorted({i for clique in found.cliques for i in clique}) == list(range(len(order)))
    for i, j in combinations(range(len(order)), 2):
        together = any(i in clique and j in clique for clique in found.cliques)
        assert together == (p[order[i], order[j]] >= 0.05)


def test_letters_of_the_known_boards():
    cells = {(0, 1): 0.3, (1, 2): 0.2, (0, 2): 0.01}
    assert letters(matrix(3, cells), range(3), 0.05).cliques == [[0, 1], [1, 2]]
    cells = {(0, 1): 0.01, (0, 2): 0.4, (0, 3): 0.01, (1, 2): 0.3, (1, 3): 0.01, (2, 3): 0.2}
    assert letters(matrix(4, cells), range(4), 0.05).cliques == [[0, 2], [1, 2], [2, 3]]


def test_letters_do_not_hang_where_cliques_are_exponentially_many():
    size = 200  # 2**100 maximal cliques: each entry is separated from one other
    p = np.ones((size, size))
    for i in range(0, size, 2):
        p[i, i + 1] = p[i + 1, i] = 0.001
    began = process_time()
    found = letters(p, range(size), 0.05)
    assert process_time() - began < 2  # a tenth of it without a tracer
    assert not found.complete
    together = np.zeros((size, size), dtype=bool)
    for clique in found.cliques:
        together[np.ix_(clique, clique)] = True
    np.testing.assert_array_equal(together | np.eye(size, dtype=bool), p >= 0.05)


def test_two_hundred_entries_take_no_time():
    rng = np.random.default_rng(0)
    score = np.sort(rng.normal(size=200))[::-1]
    spread = 0.6 + 0.2 * rng.random((200, 200))
    p = np.where(np.abs(score[:, None] - score) < (spread + spread.T) / 2, 0.5, 0.001)
    began = process_time()
    assert letters(p, range(200), 0.05).complete
    assert process_time() - began < 2  # a tenth of it without a tracer
