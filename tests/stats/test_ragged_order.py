"""The order of a board whose entries ran different items, against the stated rule."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deadheat.stats.multiple.groups import anchor_groups
from deadheat.stats.multiple.ragged_order import blocks, board_order, withheld_groups

NAN = float("nan")


@st.composite
def relations(draw, least=1):
    size = draw(st.integers(least, 7))
    cells = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=size * size, max_size=size * size))
    sign = np.triu(np.array(cells).reshape(size, size), 1)
    return (sign - sign.T) > 0, draw(st.permutations(range(size)))


def reachable(above):
    """Who is above whom by a chain."""
    chain = above.copy()
    for _ in range(len(above)):
        chain |= chain @ chain
    return chain


@given(relations())
def test_nobody_is_listed_below_an_entry_that_it_is_separated_above(case):
    above, order = case
    found = board_order(order, above)
    assert sorted(found.rows) == sorted(order)
    place = np.argsort(found.rows)
    chain = reachable(above)
    circular = chain & chain.T
    for one, other in zip(*np.nonzero(above), strict=True):
        assert place[one] < place[other] or circular[one, other]
    for row in range(len(above)):
        assert (found.circle[row] > 0) == circular[row, row]
        for other in range(len(above)):
            if found.circle[row] and row != other:
                assert (found.circle[row] == found.circle[other]) == circular[row, other]


@given(relations())
def test_the_order_is_the_first_of_the_free_by_score(case):
    above, order = case
    found = board_order(order, above)
    if found.circle.any():
        return
    left, expected = list(order), []
    while left:
        chosen = next(row for row in left if not any(above[other, row] for other in left))
        expected.append(chosen)
        left.remove(chosen)
    assert found.rows.tolist() == expected


@given(relations(), st.randoms())
def test_names_do_not_matter(case, random):
    above, order = case
    new = list(range(len(above)))
    random.shuffle(new)
    moved = np.zeros_like(above)
    moved[np.ix_(new, new)] = above
    found, renamed = board_order(order, above), board_order([new[row] for row in order], moved)
    assert renamed.rows.tolist() == [new[row] for row in found.rows]


def test_a_circle_has_no_order_and_no_anchor():
    above = np.zeros((4, 4), dtype=bool)
    above[0, 1] = above[1, 2] = above[2, 0] = above[3, 0] = True
    found = board_order([0, 1, 2, 3], above)
    assert found.rows.tolist() == [3, 0, 1, 2]
    assert found.circle.tolist() == [1, 1, 1, 0]
    p = np.where(above | above.T, 0.01, 0.5)
    assert withheld_groups(p, found, above, 0.05).tolist() == [2, 1, 1, 1]  # nobody is left in the circle
    separated = np.where(~np.eye(4, dtype=bool), 0.01, 1)
    assert withheld_groups(separated, found, above, 0.05).tolist() == [0, 0, 0, 1]


@given(relations(least=2))
def test_groups_are_those_of_anchors_where_all_pairs_are_tested(case):
    above, order = case
    p = np.where(above | above.T, 0.01, 0.5)
    found = board_order(order, above)
    if not found.circle.any():
        groups = withheld_groups(p, found, above, 0.05)
        assert groups.tolist() == anchor_groups(p, found.rows, 0.05).tolist()
        for number in range(1, groups.max() + 1):
            rest = np.flatnonzero(groups >= number)
            anchor = next(row for row in found.rows if groups[row] == number)
            assert not above[rest, anchor].any()


def test_an_entry_that_was_not_tested_against_an_anchor_has_no_group():
    p = np.array([[NAN, NAN, 0.5], [NAN, NAN, 0.5], [0.5, 0.5, NAN]])
    none = np.zeros((3, 3), dtype=bool)
    assert withheld_groups(p, board_order([0, 1, 2], none), none, 0.05).tolist() == [1, 0, 1]


def test_blocks_come_by_size_then_by_order():
    tested = np.zeros((5, 5), dtype=bool)
    for one, other in ((1, 2), (2, 3)):
        tested[one, other] = tested[other, one] = True
    assert blocks(tested, [4, 0, 1, 2, 3]).tolist() == [3, 1, 1, 1, 2]
    assert blocks(tested, [1, 2, 3]).tolist() == [0, 1, 1, 1, 0]
    assert blocks(np.zeros((2, 2), dtype=bool), [1, 0]).tolist() == [2, 1]
