"""Real results of many kinds, against figures that other programs computed from them."""

import json

import numpy as np
import pytest

from deadheat.ranking.verb import rank
from deadheat.readers import Options, read
from support import NEEDS_SHARED, SHARED

pytestmark = NEEDS_SHARED


def figures():
    """Every set whose scores are single 0/1 attempts, with its part of the table."""
    for path in sorted((SHARED / "data").glob("*/FIGURES.json")):
        held = json.loads(path.read_text())
        for name, part in [("", held), *((k, v) for k, v in held.items() if isinstance(v, dict))]:
            if (
                isinstance(part.get("entries"), list)
                and part.get("score_kind") == "binary"
                and part.get("single_sample")
            ):
                yield pytest.param(path.parent, name, part, id=f"{path.parent.name}{name and ':'}{name}")


def board_of(folder, name):
    import duckdb

    from deadheat.data.table import Table

    rows = duckdb.sql(f"SELECT * FROM read_csv('{folder}/results.csv.gz', all_varchar=true)")
    if name:
        rows = rows.filter(f"category = '{name}'")
    return rank(Table.from_frame(rows))


@pytest.mark.parametrize(("folder", "name", "part"), list(figures()) if SHARED.is_dir() else [])
def test_figures(folder, name, part):
    board = board_of(folder, name)
    scores = {score.entry: score for score in board.entries}
    for row in part["entries"]:
        score = scores[row["entry"]]
        assert score.value == pytest.approx(row["mean"], abs=1e-9)
        assert score.items == row["items"]
        if row.get("wilson95"):
            assert (score.interval.low, score.interval.high) == pytest.approx(
                tuple(row["wilson95"]), abs=1e-9
            )
        if 0 < row["mean"] < 1:
            assert score.se == pytest.approx(row["se_binomial"], rel=1e-9)
        else:
            assert score.se is None
    groups = part.get("anchor_groups_alpha05")
    if groups:
        assert [len(group.members) for group in board.groups] == groups["sizes"]


@pytest.mark.parametrize(("folder", "name", "part"), list(figures()) if SHARED.is_dir() else [])
def test_pairs(folder, name, part):
    import duckdb

    from deadheat.data.panel import panel
    from deadheat.data.table import Table
    from deadheat.estimand import Estimand
    from deadheat.evidence.pairwise import pairwise

    rows = duckdb.sql(f"SELECT * FROM read_csv('{folder}/results.csv.gz', all_varchar=true)")
    seen = panel(Table.from_frame(rows.filter(f"category = '{name}'") if name else rows), Estimand())
    pairs = pairwise(seen)
    for row in part["pairs"]:
        a, b = seen.entries.index(row["a"]), seen.entries.index(row["b_entry"])
        assert (pairs.shared[a, b], pairs.a_only[a, b], pairs.a_only[b, a]) == (
            row["shared"],
            row["b"],
            row["c"],
        )
        assert pairs.p[a, b] == pytest.approx(row["p_exact"], rel=1e-9)
        assert pairs.difference[a, b] == pytest.approx(row["mean_diff_shared"], abs=1e-9)


def test_swebench_bash_only():
    path = SHARED / "data" / "swebench_site" / "leaderboards_20260226.json"
    board = rank(read(path, options=Options(board="bash-only")))
    assert sum(score.value is not None for score in board.entries) == 40
    assert len(board.entries) == 46
    assert len(board.groups) == 11
    assert len(board.groups[0].members) == 6
    top, second = board.entries[0], board.entries[1].vs_anchor
    assert top.se * 100 == pytest.approx(1.8877287940803362, rel=1e-12)
    assert sorted((second.a_only, second.b_only)) == [24, 29]
    assert second.p == pytest.approx(0.5831321542611763, rel=1e-9)
    odd = next(
        score
        for score in board.entries
        if score.published and abs(score.published - (score.value or 0)) > 0.3 and score.value
    )
    assert (odd.value, odd.published) == pytest.approx((0.102, 0.528))


def test_swebench_multilingual_pairs_are_on_shared_items():
    board = rank(read(SHARED / "data" / "swebench_multilingual" / "results.csv.gz"))
    assert len(board.entries) == 13
    assert {score.items for score in board.entries} <= set(range(297, 301))
    assert all(score.vs_anchor.items <= score.items for score in board.entries[1:])
    assert np.min([score.vs_anchor.items for score in board.entries[1:]]) < 300
