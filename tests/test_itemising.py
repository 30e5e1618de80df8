"""Items: reference values, what changes nothing, odd boards, and what each output says."""

from __future__ import annotations

import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.report import render
from deadheat.seeds import stream
from deadheat.stats.items import item_analysis, smaller_sets
from support import NEEDS_SHARED, SHARED, shared_json
from truth.checkers import check
from truth.plain import Case

BOARD = "src/deadheat/demo/board.csv"


def attempts_of(values, present=None):
    """Attempts of a table of numbers."""
    present = np.ones(values.shape, bool) if present is None else present
    return [
        {"entry": f"e{i}", "item": f"i{j:03}", "score": float(values[i, j])}
        for i, j in zip(*np.nonzero(present), strict=True)
    ]


def looked(attempts, **options):
    frame = {key: np.array([x[key] for x in attempts], dtype=object) for key in ("entry", "item", "score")}
    return Case(attempts, {}, dh.items(dh.Table.from_columns(frame), **options).to_dict())


def board(rng, entries, items, wide=1.2):
    ability, ease = rng.normal(0, wide, (entries, 1)), rng.normal(0, 1, items)
    return (rng.random((entries, items)) < 1 / (1 + np.exp(-ability - ease))).astype(float)


@NEEDS_SHARED
def test_reference_values():
    """Numbers of `next.json`: forty entries on five hundred items."""
    found = shared_json("reference/next.json")["items"]
    made = dh.items(str(SHARED / "data/swebench_site/results.csv.gz"))
    assert [one.items for one in made.silent] == found["items that separate nobody among the top 5/10/25/40"]
    assert round(made.reliability[0].value, 4) == found["KR-20"]
    lowest = min((x for x in made.items if x.discrimination is not None), key=lambda x: x.discrimination)
    assert lowest.item == found["lowest rest-score correlation"]["item"]
    assert round(lowest.discrimination, 3) == found["lowest rest-score correlation"]["r"]
    assert (made.negative, len(made.backwards)) == (found["negative"], 0)
    assert len(made.twins) == found["response patterns shared by several items"]


@pytest.mark.parametrize("seed", range(12))
def test_claims_hold(seed):
    rng = np.random.default_rng(seed)
    values = board(rng, int(rng.integers(3, 30)), int(rng.integers(4, 60)))
    if seed % 4 == 1:
        values[:, 0] = 1 - values[:, -1]
    if seed % 4 == 2:
        values = np.round(values + rng.random(values.shape), 1)
    present = rng.random(values.shape) > (0.2 if seed % 4 == 3 else -1)
    present[:, 0] = present[0] = True
    assert "items-silent" in check(looked(attempts_of(values, present)))


def test_where_nothing_varies_nothing_is_correlated():
    case = looked(attempts_of(np.ones((4, 6))))
    assert check(case)
    assert "No item can be correlated with the score on the other items" in case.document["summary"]


def test_halves_that_may_be_opposite_have_no_interval():
    values = np.array([[1.0, 1, 1, 0], [1, 0, 1, 1], [0, 1, 0, 1]])
    made = looked(attempts_of(values)).document["reliability"][1]
    assert made["interval"] is None


def test_a_correlation_of_rounding_alone_is_not_negative():
    """Sums of tenths differ by 1e-17 where they are equal: exactly 0, of either sign by rounding."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        half = rng.integers(0, 11, (3, 5)) / 10
        values = np.vstack([np.column_stack([np.full(3, x), rng.permuted(half, axis=1)]) for x in (0.0, 1.0)])
        made = looked(attempts_of(values)).document
        first = next(line for line in made["items"] if line["item"] == "i000")["discrimination"]
        assert first is None or first == 0


def test_an_item_that_runs_backwards_is_accused():
    rng = np.random.default_rng(5)
    values = board(rng, 60, 40, wide=2)
    strength = values[:, 1:].sum(axis=1)
    values[:, 0] = strength < np.median(strength)
    case = looked(attempts_of(values))
    assert case.document["backwards"] == ("i000",)
    assert "beyond chance (false discovery rate 0.05)" in case.document["summary"]
    check(case)


def test_no_item_is_accused_by_chance():
    """False accusations on boards of good items, at a false discovery rate of 5 %."""
    rng, accused = np.random.default_rng(8), 0
    for _ in range(60):
        case = looked(attempts_of(board(rng, 20, 25)), draws=2_000)
        accused += bool(case.document["backwards"])
    assert accused <= 8


def test_permutations_are_exact_where_all_can_be_counted():
    """Against every assignment of the ones, of which there are 56."""
    from itertools import combinations

    rest = np.array([0.1, 0.2, 0.35, 0.5, 0.55, 0.7, 0.8, 0.95])
    item = np.array([1.0, 0, 1, 1, 0, 0, 0, 0])
    sums = [sum(rest[list(each)]) for each in combinations(range(8), 3)]
    exact = sum(s <= item @ rest + 1e-12 for s in sums) / len(sums)
    found = item_analysis.permutation_p(item, rest, 200_000, stream(0, "items"))
    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 1_000))


def test_order_and_names_change_nothing():
    values = board(np.random.default_rng(2), 12, 30)
    values[:, 3] = values[::-1, 4]
    attempts = attempts_of(values)
    first = looked(attempts).document
    shuffled = looked(attempts[::-1]).document
    shuffled["provenance"] = first["provenance"]
    assert shuffled == first
    renamed = [{**x, "entry": f"z{9 - int(x['entry'][1:]):02}"} for x in attempts]
    other = looked(renamed).document
    for key in ("summary", "silent", "reliability", "smaller", "items"):
        assert other[key] == first[key]


def test_feldt_interval_covers():
    """A two-way normal table, in which Feldt's interval is exact."""
    rng, hit = np.random.default_rng(3), 0
    true = 12 / (12 + 1)  # items / (items + noise / entries' variance)
    for _ in range(400):
        x = rng.normal(size=(15, 1)) + rng.normal(size=(15, 12))
        _, low, high = item_analysis.reliability(x, rng, splits=2).alpha
        hit += low <= true <= high
    assert 0.92 <= hit / 400 <= 0.98


def test_smaller_sets_are_nested_and_judged_by_others():
    values = board(np.random.default_rng(6), 40, 200, wide=1)
    order = smaller_sets.nested(values, 200)
    assert sorted(order.tolist()) == list(range(200))
    turned = smaller_sets.nested(values[:, ::-1], 200)
    np.testing.assert_array_equal(values[:, order], values[:, ::-1][:, turned])
    kept = smaller_sets.kept(values, [200], 2, stream(0, "x"), binary=True)
    np.testing.assert_allclose([kept.order[0], kept.pairs[0]], 1)
    some = smaller_sets.kept(values, [25], 40, stream(0, "x"), binary=True)
    assert some.pairs[0] > some.pairs_random[0]


def test_few_entries_cannot_accuse(tmp_path):
    made = dh.items(dh.Table.from_counts(["a", "b", "c", "d"], ["i", "j", "k"], np.eye(4, 3, dtype=int), 1))
    assert any(note.code == "few-entries" for note in made.notes)
    with pytest.raises(dh.DataError, match="3 entries and 2 items"):
        dh.items(dh.Table.from_counts(["a", "b"], ["i", "j"], np.eye(2, dtype=int), 1))
    with pytest.raises(dh.MethodError, match="alpha"):
        dh.items(BOARD, alpha=1)


@pytest.mark.parametrize(
    "values",
    [np.ones((4, 5)), np.zeros((4, 5)), np.eye(4, 5), np.arange(20.0).reshape(4, 5) * 1e6],
    ids=["all right", "all wrong", "one each", "real"],
)
def test_odd_boards_are_told(values):
    case = looked(attempts_of(values))
    check(case)
    json.dumps(case.document, allow_nan=False)
    made = dh.items(dh.Table.from_frame({k: [x[k] for x in case.attempts] for k in case.attempts[0]}))
    for form in ("table", "md", "csv", "latex", "html", "json", "methods"):
        assert render(made, form)


def test_the_command(tmp_path, capsys):
    page = tmp_path / "items.html"
    assert run(["items", BOARD, "--quiet", "-o", str(page)]) == 0
    assert "<canvas" in page.read_text()
    assert run(["items", BOARD, "--quiet", "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 251
    assert run(["items", BOARD, "--quiet", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "deadheat/items@1"
    assert document["outcomes"] is None


def test_the_map_shows_who_got_an_item_right(tmp_path, browser):
    path = tmp_path / "items.html"
    assert run(["items", BOARD, "--quiet", "-o", str(path)]) == 0
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("figure.map canvas")
    canvas = page.locator("figure.map canvas")
    assert canvas.evaluate("x => [x.width, x.height]") == [250, 12]
    canvas.focus()
    page.keyboard.press("ArrowRight")
    made = dh.items(BOARD)
    told = page.locator("figure.map output").inner_text()
    line = made.items[1]
    right = round(line.score * line.entries)
    assert told.startswith(f"{line.item}: right for {right} of {line.entries} entries")
    page.close()
