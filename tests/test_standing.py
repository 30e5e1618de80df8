"""Who may be the best or among the first, and ranks in resamples: said as what they are."""

import json

import numpy as np
import pytest

from deadheat.cli.main import run
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.report import render
from deadheat.stats.multiple.winner import optimism, top_score
from support import random_table, table_of


def board(**options):
    return rank(random_table(np.random.default_rng(4), 8, 150), draws=2000, **{"also": ["winner"], **options})


def test_the_winner_set_holds_the_first_and_lies_within_the_first_place_by_ranks():
    found = board(top=1)
    assert found.winner.entry == found.entries[0].entry == found.winner.may_be_best[0]
    assert set(found.winner.may_be_best) <= {s.entry for s in found.entries}
    assert found.winner.method == "max-t"
    assert set(found.top.surely) <= set(found.top.may_be)
    assert found.top.may_be == tuple(s.entry for s in found.entries if s.rank[0] <= 1)


def test_the_corrected_top_score_is_no_higher():
    winner = board().winner
    assert winner.corrected <= winner.value + 1e-9
    assert winner.interval.low < winner.corrected < winner.interval.high
    assert winner.optimism > -0.01


def test_one_correction_is_printed_and_the_other_is_in_the_json():
    found = board()
    winner = found.winner
    assert winner.expected == pytest.approx(winner.value - max(winner.optimism, 0))
    assert winner.expected_interval.low < winner.expected < winner.expected_interval.high
    shown = " ".join(render(found, "table").split())
    assert f"less that it is {100 * winner.expected:.1f} %" in shown
    conditional = f"{100 * winner.interval.low:.1f}–{100 * winner.interval.high:.1f} %"
    assert conditional not in shown
    assert '"corrected"' in render(found, "json")


def test_the_printed_correction_has_the_smaller_error():
    """Five entries that are equally good: the score is 4 points too high, and what is printed is not."""
    rng = np.random.default_rng(3)
    off = []
    for _ in range(40):
        shared, own = rng.normal(size=(1, 100)), rng.normal(size=(5, 100))
        values = (np.sqrt(0.6) * shared + np.sqrt(0.4) * own < 0.2533471).astype(np.float32)  # rates of .6
        present = np.ones(values.shape, dtype=bool)
        top = top_score(values, present)
        less = top.score - optimism(values, present, rng=rng).iterated
        off.append((top.score - 0.6, top.estimate - 0.6, less - 0.6))
    bias, rmse = np.mean(off, axis=0), np.sqrt(np.mean(np.square(off), axis=0))
    assert abs(bias[2]) < bias[0] / 2
    assert rmse[2] < min(rmse[0], rmse[1])


def test_a_boundary_winner_is_not_corrected():
    found = rank(table_of({"a": [1] * 20, "b": [1, 0] * 10}), also=["winner"]).winner
    assert found.corrected is None
    assert found.interval is None
    assert found.notes[0].code == "winner-uncorrected"
    assert found.may_be_best == ("a",)


def test_few_items_are_said():
    found = rank(table_of({"a": [1, 1, 1, 0, 1, 1], "b": [1, 0, 0, 1, 0, 1]}), also=["winner"]).winner
    assert [note.code for note in found.notes] == ["winner-few"]


def test_draws_give_way_to_bonferroni_where_they_take_too_long(monkeypatch):
    rng = np.random.default_rng(1)
    rows = {
        f"e{e}": [int(x) if rng.random() < 0.9 else None for x in rng.random(200) < 0.9 - 0.12 * e]
        for e in range(5)
    }
    drawn = rank(table_of(rows), also=["winner"]).winner
    monkeypatch.setattr("deadheat.ranking.first_place.RAGGED", 0)
    quick = rank(table_of(rows), also=["winner"]).winner
    assert (drawn.method, quick.method) == ("max-t", "bonferroni")
    assert drawn.may_be_best[0] == quick.may_be_best[0] == "e0"
    assert set(quick.may_be_best) <= set(rows)
    assert "e4" not in quick.may_be_best


def test_the_first_places():
    found = board(top=3)
    for score in found.entries:
        assert (score.entry in found.top.may_be) == (score.rank[0] <= 3)
        assert (score.entry in found.top.surely) == (score.rank[1] <= 3)
    with pytest.raises(MethodError, match="k is at least 1, found 0"):
        board(top=0)


def test_chances_are_shares_of_resamples():
    found = board(also=["chances", "winner"])
    shares = np.array([line.ranks for line in found.chances])
    assert [line.entry for line in found.chances] == [s.entry for s in found.entries]
    np.testing.assert_allclose(shares.sum(axis=0), 1)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose([line.expected_rank for line in found.chances], shares @ np.arange(1, 9))
    assert [line.first for line in found.chances] == shares[:, 0].tolist()
    text = render(found, "md")
    assert "no p-values and no rank intervals" in text
    with pytest.raises(MethodError, match="what a rerun would give"):
        rank(
            table_of({"a": [1, 0, 1], "b": [0, 1, 1]}),
            Estimand(generalises_to="reruns"),
            also=["chances", "winner"],
        )


def test_names_change_no_share():
    rng = np.random.default_rng(2)
    rows = {f"e{e}": rng.integers(2, size=40).tolist() for e in range(4)}
    other = {f"x{9 - e}": row for e, row in enumerate(rows.values())}
    one = rank(table_of(rows), also=["chances", "winner"], draws=500)
    two = rank(table_of(other), also=["chances", "winner"], draws=500)
    assert [line.ranks for line in one.chances] == [line.ranks for line in two.chances]
    assert one.winner.optimism == two.winner.optimism


def test_the_command(tmp_path, capsys):
    rng = np.random.default_rng(3)
    lines = ["entry,item,score"] + [f"{e},i{i},{rng.integers(2)}" for e in "abc" for i in range(40)]
    path = tmp_path / "r.csv"
    path.write_text("\n".join(lines))
    assert run(["rank", str(path), "--top", "2", "--chances", "--draws", "500"]) == 0
    text = capsys.readouterr().out
    assert "not excluded from the first 2 with 95 % confidence" in text
    assert "Ranks in 500 resamples" in text
    assert run(["rank", str(path), "--top", "2", "--chances", "--draws", "500", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["top"]["k"] == 2
    assert len(found["chances"]) == 3
    assert run(["rank", str(path), "--adjust", "max-t", "--ranks", "marginal", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["methods"]["rank"] == "max-t, marginal"
