"""Categories: each its own board, first places only where they are separated, honest counts."""

import json

import msgspec
import numpy as np
import pytest
from scipy.stats import binomtest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.report import render
from support import NEEDS_SHARED, SHARED, shared_json, table_of

SIZES = {"Chat": 358, "Chat Hard": 456, "Safety": 740, "Reasoning": 1431}
EXACT = {
    "Chat": 1.0,
    "Chat Hard": 0.4101027163746913,
    "Safety": 0.8938530948350217,
    "Reasoning": 0.13603239487789212,
}


def pair(a_only, b_only, items, both):
    """Rows of two entries with these discordant counts, `both` right for both, the rest wrong for both."""
    rest = items - a_only - b_only - both
    a = [1] * a_only + [0] * b_only + [1] * both + [0] * rest
    b = [0] * a_only + [1] * b_only + [1] * both + [0] * rest
    return a, b


def reward_models():
    """Scores with the discordant counts of a public report: two leaders in each category, and others."""
    rows = {"big": [], "small": [], "urm": [], "weak": []}
    category = []
    for name, (first, second, b, c, both) in {
        "Chat": ("small", "big", 4, 3, 340),
        "Chat Hard": ("big", "small", 30, 23, 390),
        "Safety": ("big", "small", 29, 27, 660),
        "Reasoning": ("big", "urm", 39, 26, 1340),
    }.items():
        items = SIZES[name]
        one, other = pair(b, c, items, both)
        rows[first] += one
        rows[second] += other
        for third in rows.keys() - {first, second}:
            # Far enough behind to be neither first nor second here.
            lost = 60 if third != "weak" else 150
            rows[third] += [0] * lost + one[lost:]
        category += [name] * items
    return table_of(rows, category=category)


def test_the_table_of_first_places():
    board = rank(reward_models(), by="category", categories={name: [name] for name in SIZES})
    firsts = {first.part: first for first in board.firsts}
    assert list(board.categories) == list(SIZES)
    for name, items in SIZES.items():
        first = firsts[name]
        assert first.items == items
        assert first.comparison.p == pytest.approx(EXACT[name], rel=1e-9)
        assert first.strict is False
    counts = {n: (firsts[n].comparison.a_only, firsts[n].comparison.b_only) for n in SIZES}
    assert counts == {"Chat": (4, 3), "Chat Hard": (30, 23), "Safety": (29, 27), "Reasoning": (39, 26)}
    whole = firsts["Every item alike"]
    assert whole.items == sum(SIZES.values())
    assert whole.first == ("big",)
    assert whole.strict is True
    assert "Every category alike" in firsts
    text = render(board, "md")
    assert "| 4 / 3 |" in " ".join(text.split())
    table = text[text.index("First place against second") :]
    lines = [line for line in table.splitlines() if line.startswith("|")][2 : 2 + 6]
    assert [line.rstrip(" |").endswith("not separated") for line in lines[:4]] == [True] * 4
    assert lines[4].rstrip(" |").endswith("1st")


def test_first_places_are_adjusted_for_the_number_of_categories():
    board = rank(reward_models(), by="category")
    p = [first.comparison.p for first in board.firsts[:4]]
    across = [first.p_across for first in board.firsts[:4]]
    assert min(across) == pytest.approx(4 * min(p))
    assert board.firsts[4].p_across is None


def test_every_category_is_the_board_of_its_items():
    rng = np.random.default_rng(0)
    rows = {f"e{e}": rng.integers(2, size=120).tolist() for e in range(5)}
    labels = ["b"] * 50 + ["a"] * 70
    board = rank(table_of(rows, category=labels), by="category")
    assert list(board.categories) == ["a", "b"]
    for name, at in (("b", slice(0, 50)), ("a", slice(50, 120))):
        alone = rank(table_of({entry: row[at] for entry, row in rows.items()}))
        part = board.categories[name]
        assert msgspec.to_builtins(part.entries) == msgspec.to_builtins(alone.entries)
        assert part.groups == alone.groups
        assert part.tie_lines == alone.tie_lines
    assert board.entries == rank(table_of(rows)).entries


def test_macro_is_the_mean_of_the_categories_and_micro_the_mean_of_the_items():
    rng = np.random.default_rng(3)
    rows = {f"e{e}": (rng.random(120) < 0.4 + 0.1 * e).astype(int).tolist() for e in range(4)}
    labels = ["a"] * 20 + ["b"] * 100
    board = rank(table_of(rows, category=labels), by="category")
    macro = {score.entry: score.value for score in board.macro.entries}
    for entry, row in rows.items():
        assert macro[entry] == pytest.approx((np.mean(row[:20]) + np.mean(row[20:])) / 2)
    assert board.micro is None
    assert board.macro.test == "t"
    other = rank(table_of(rows, category=labels), Estimand(weights="category"), by="category")
    assert other.macro is None
    assert {s.entry: s.value for s in other.entries} == pytest.approx(macro)
    micro = {score.entry: score.value for score in other.micro.entries}
    assert micro == pytest.approx({entry: np.mean(row) for entry, row in rows.items()})


def test_a_mapping_makes_categories_and_leaves_the_rest_out():
    rows = {"x": [1, 1, 0, 1, 0, 1], "y": [1, 0, 0, 0, 1, 1]}
    table = table_of(rows, subset=["s1", "s2", "s3", "s4", "s1", "s9"])
    mapping = {"Second": ["s2", "s4"], "First": ["s1", "s3"]}
    board = rank(table, by="subset", categories=mapping)
    assert list(board.categories) == ["Second", "First"]
    assert board.entries[0].items == 5
    assert [note.text for note in board.notes if note.code == "no-category"] == [
        "1 of 6 items belong to no category and are left out"
    ]
    with pytest.raises(MethodError, match="'s1' belongs to two categories, 'A' and 'B'"):
        rank(table, by="subset", categories={"A": ["s1"], "B": ["s1", "s2"]})
    with pytest.raises(DataError, match="no item belongs to 'B'"):
        rank(table, by="subset", categories={"A": ["s1"], "B": ["s7"]})
    with pytest.raises(MethodError, match="no item column"):
        rank(table, by="nothing")


def test_counts_are_those_of_the_category():
    rows = {"x": [1, None, 0, 1], "y": [1, 0, 0, None], "z": [None, None, 1, 0]}
    board = rank(table_of(rows, category=["a", "a", "b", "b"]), by="category")
    counts = {s.entry: (s.items, s.samples, s.absent) for s in board.categories["a"].entries}
    assert counts == {"x": (1, 1, 1), "y": (2, 2, 0), "z": (0, 0, 2)}
    z = next(s for s in board.categories["a"].entries if s.entry == "z")
    assert z.value is None
    assert z.group is None
    assert z.notes[0].code == "no-scored-items"
    assert [group.members for group in board.categories["a"].groups] == [("x", "y")]


def test_shared_places_are_said():
    rows = {"m1": [1, 1, 1, 1, 0, 1, 1, 1], "m2": [1, 1, 1, 1, 1, 1, 1, 0], "m3": [1] * 8, "m4": [0, 1] * 4}
    board = rank(table_of(rows, category=["k"] * 8), by="category")
    first = board.firsts[0]
    assert first.first == ("m3",)
    assert set(first.second) == {"m1", "m2"}
    assert first.strict is False
    assert "2 entries share the second place" in first.notes[0].text
    rows = {"a": [1, 0, 1], "b": [0, 1, 1], "c": [0, 0, 1]}
    shared = rank(table_of(rows, category=["k"] * 3), by="category").firsts[0]
    assert set(shared.first) == {"a", "b"}
    assert shared.strict is False
    assert shared.comparison.difference == 0


def test_without_a_common_item_there_is_no_verdict():
    rows = {"a": [1, 1, None, None, 1], "b": [None, None, 1, 0, 0]}
    board = rank(table_of(rows, category=["k"] * 4 + ["l"]), by="category")
    first = board.firsts[0]
    assert first.comparison.p is None
    assert first.strict is None
    alone = rank(table_of({"a": [1, 0], "b": [1, None]}, category=["k", "l"]), by="category").firsts[1]
    assert alone.second == ()
    assert alone.comparison is None


def test_each_category_takes_the_test_that_fits_its_scores():
    rng = np.random.default_rng(2)
    rows = {
        f"e{e}": [*rng.integers(2, size=40).tolist(), *(rng.integers(11, size=30) / 10).tolist()]
        for e in range(4)
    }
    board = rank(table_of(rows, category=["right"] * 40 + ["tenths"] * 30), by="category")
    assert board.methods.test == "t"
    assert {name: part.test for name, part in board.categories.items()} == {"right": "mcnemar", "tenths": "t"}
    alone = rank(table_of({entry: row[:40] for entry, row in rows.items()}))
    assert board.categories["right"].groups == alone.groups
    assert board.firsts[0].comparison.a_only is not None


def test_without_an_entry_in_every_category_none_counts_alike():
    rows = {"a": [1, 0, 1, None], "b": [0, 0, 1, None], "c": [None] * 3 + [1], "d": [None] * 3 + [1]}
    board = rank(table_of(rows, category=["k", "k", "k", "l"]), by="category")
    assert board.macro is None
    assert [note.code for note in board.notes if note.code == "no-macro"] == ["no-macro"]
    assert [first.part for first in board.firsts] == ["k", "l", "Every item alike"]
    assert "of 2 entries" in board.categories["l"].summary or "Both entries" in board.categories["l"].summary
    with pytest.raises(DataError, match="no entry has a score here"):
        rank(table_of(rows, category=["k", "k", "k", "l"]), Estimand(weights="category"))


def test_every_format_writes_categories():
    board = rank(reward_models(), by="category")
    for form in ("table", "md", "csv", "json", "latex"):
        text = render(board, form)
        assert "Chat Hard" in text
        assert "Reasoning" in text


def test_the_command_reads_a_mapping(tmp_path, capsys):
    lines = ["entry,item,score,subset"]
    rng = np.random.default_rng(1)
    for entry in ("a", "b", "c"):
        lines += [f"{entry},i{i},{rng.integers(2)},{'uvw'[i % 3]}" for i in range(30)]
    data, mapping = tmp_path / "results.csv", tmp_path / "map.json"
    data.write_text("\n".join(lines))
    mapping.write_text(json.dumps({"First": ["u"], "Rest": ["v", "w"]}))
    command = ["rank", str(data), "--by", "subset", "--categories", str(mapping)]
    assert run([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["categories"]) == ["First", "Rest"]
    assert [first["items"] for first in found["firsts"]] == [10, 20, 30, 30]
    mapping.write_text('{"First": "u"}')
    assert run(command) == 1
    assert "map.json" in capsys.readouterr().err
    assert run(["rank", str(data), "--categories", str(tmp_path / "none.json")]) == 1


@NEEDS_SHARED
def test_a_board_of_several_benchmarks():
    from deadheat import read

    figures = shared_json("data/eval_arena/FIGURES.json")
    board = rank(read([SHARED / "data/eval_arena/results.csv.gz"]), by="category")
    for name in ("humaneval+", "mbpp+"):
        part = board.categories[name]
        assert part.test == "mcnemar"
        assert [len(group.members) for group in part.groups] == figures[name]["anchor_groups_alpha05"][
            "sizes"
        ]
        assert sum(score.value is not None for score in part.entries) == figures[name]["n_entries"]
    assert board.categories["lcb_codegen"].test == "t"


@NEEDS_SHARED
@pytest.mark.parametrize(("name", "by"), [("bfcl", "category"), ("swebench_site", "cluster")])
def test_real_boards(name, by):
    from deadheat import read

    figures = shared_json(f"data/{name}/FIGURES.json")
    board = rank(read([SHARED / f"data/{name}/results.csv.gz"]), by=by)
    assert [len(group.members) for group in board.groups] == figures["anchor_groups_alpha05"]["sizes"]
    entries = len(figures["entries"])
    assert all(len(part.entries) == entries for part in board.categories.values())
    sizes = figures.get("category_sizes") or figures["cluster_sizes"]
    assert {first.part: first.items for first in board.firsts[:-2]} == sizes
    for part, expected in figures.get("category_top_pairs", {}).items():
        first = next(f for f in board.firsts if f.part == part)
        assert expected["first"] in first.first
        assert expected["second"] in (*first.first, *first.second)
        if len(first.first) == 1 == len(first.second):
            b, c = first.comparison.a_only, first.comparison.b_only
            assert (b, c) == (expected["b"], expected["c"])
            assert first.comparison.p == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-9)


@pytest.mark.parametrize("weights", ["item", "category"])
def test_a_category_without_scores_has_no_board(weights):
    """It is named, and the boards of the others are those of a table without it."""
    frame = {
        "entry": ["a"] * 5 + ["b"] * 5,
        "item": ["i1", "i2", "i3", "i4", "i5"] * 2,
        "score": [1, 0, None, 1, 1, 1, 1, None, 0, 1],
        "category": ["x", "x", "y", "z", "z"] * 2,
    }
    board = dh.rank(dh.Table.from_frame(frame), dh.Estimand(weights=weights), by="category")
    assert sorted(board.categories) == ["x", "z"]
    assert "y: no scores, so it has no board and counts nowhere" in [note.text for note in board.notes]
    assert [first.part for first in board.firsts][:2] == ["x", "z"]
    kept = {
        key: [v for v, name in zip(column, frame["category"], strict=True) if name != "y"]
        for key, column in frame.items()
    }
    other = dh.rank(dh.Table.from_frame(kept), dh.Estimand(weights=weights), by="category")
    assert [line.value for line in board.entries] == [line.value for line in other.entries]
    assert (board.macro is None) == (other.macro is None)
