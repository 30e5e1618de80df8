"""Entries that ran different items: who may lead, who takes part, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from deadheat import compare, plan, read
from deadheat.auditing.against import submissions
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.report.renderers import RENDERERS, render
from deadheat.stats.multiple.ragged_order import usual_items
from support import NEEDS_SHARED, SHARED, shared_json, table_of


def easy_first():
    """A ran the 40 easy items only (30 right); B ran all and is right on A's items more often; C never is."""
    easy = [1] * 30 + [0] * 10
    return {"A": easy + [None] * 60, "B": [1] * 40 + [1] * 10 + [0] * 50, "C": [0] * 100}


def test_nobody_heads_a_board_below_whom_an_entry_is_separated_above_it():
    board = rank(table_of(easy_first()), min_share=0)
    assert [score.entry for score in board.entries] == ["B", "A", "C"]
    assert [score.place for score in board.entries] == [1, 2, 3]
    assert [group.anchor for group in board.groups] == ["B", "A", "C"]
    text = next(note.text for note in board.notes if note.code == "order-by-pairs")
    assert text.startswith("B is listed above A")
    assert "on the 40 items that both have" in text


def test_a_pair_that_was_not_tested_puts_nobody_into_a_group():
    board = rank(table_of({"a": [1, 1, None], "b": [0, None, 1], "c": [1, 0, 1]}, category=["k", "k", "l"]))
    assert {score.group for score in board.entries} == {1}
    lonely = {"a": [1, 1, 1, None, None], "b": [1, 1, 0, None, None], "x": [None, None, None, 1, 1]}
    board = rank(table_of(lonely))
    x = next(score for score in board.entries if score.entry == "x")
    assert x.group is None
    assert x.letters is None
    assert x.rank == (1, 3)
    assert [group.members for group in board.groups] == [("a", "b")]
    assert any(note.code == "disjoint-blocks" for note in board.notes)


def test_an_anchor_without_items_in_a_category_is_said():
    rows = {"a": [1, 1, 0, None, None], "b": [1, 0, 0, 1, 0], "c": [0, 0, 1, 1, 1]}
    board = rank(table_of(rows, category=["k"] * 3 + ["l"] * 2), by="category", anchor="a")
    assert board.categories["k"].groups[0].anchor == "a"
    assert board.categories["l"].groups[0].anchor == "c"
    note = next(note for note in board.categories["l"].notes if note.code == "anchor-absent")
    assert note.text.startswith("a has no score on these items")


def test_a_circle_of_separated_entries_has_no_groups():
    rng = np.random.default_rng(1)
    rows = {name: [None] * 120 for name in "abc"}
    for at, (better, worse) in enumerate((("a", "b"), ("b", "c"), ("c", "a"))):
        for item in range(40 * at, 40 * at + 40):
            rows[better][item], rows[worse][item] = 1, int(rng.random() < 0.2)
    board = rank(table_of(rows))
    assert board.groups == ()
    assert {score.group for score in board.entries} == {None}
    assert any(note.code == "order-circle" for note in board.notes)


def test_an_aborted_run_neither_leads_nor_changes_anything():
    rows = {"good": [1] * 80 + [0] * 20, "mid": [1] * 50 + [0] * 50, "bad": [1] * 20 + [0] * 80}
    aborted = {"aborted": [1, 1] + [None] * 98}
    board, without = rank(table_of(rows | aborted)), rank(table_of(rows))
    assert board.groups == without.groups
    assert board.entries[:3] == without.entries
    assert board.apart == ("aborted",)
    last = board.entries[-1]
    assert (last.entry, last.value, last.rank, last.group, last.place) == ("aborted", 1.0, None, None, None)
    assert "fewer than 50 % of the 100" in last.notes[0].text
    everyone = rank(table_of(rows | aborted), min_share=0)
    assert everyone.apart == ()
    assert everyone.groups[0].anchor == "aborted"


def lines(board, names):
    return {score.entry: score for score in board.entries if score.entry in names}


@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(1, 40), min_size=2, max_size=7),
    st.sampled_from([0.25, 0.5, 0.9]),
    st.sampled_from(["none", "holm"]),
)
@settings(max_examples=60, deadline=None)
def test_an_entry_below_the_share_changes_nothing_for_the_others(seed, counts, share, adjust):
    rng = np.random.default_rng(seed)
    rows = {}
    for at, count in enumerate(counts):
        row = [None] * 40
        for item in rng.permutation(40)[:count]:
            row[item] = int(rng.random() < 0.5)
        rows[f"e{at}"] = row
    try:
        board = rank(table_of(rows), min_share=share, adjust=adjust)
    except DataError:
        return
    for name in board.apart:
        rest = {entry: row for entry, row in rows.items() if entry != name}
        without = rank(table_of(rest), min_share=share, adjust=adjust)
        others = set(rows) - set(board.apart)
        assert without.groups == board.groups
        assert without.tie_lines == board.tie_lines
        assert set(without.apart) == set(board.apart) - {name}
        for entry in others:
            one, other = lines(board, others)[entry], lines(without, others)[entry]
            assert (one.rank, one.place, one.group, one.letters) == (
                other.rank,
                other.place,
                other.group,
                other.letters,
            )
            assert one.value == other.value
            assert one.vs_anchor == other.vs_anchor


def test_items_of_an_aborted_run_alone_are_no_items_of_the_board():
    rows = {"a": [1, 0, 1, 1, None], "b": [0, 0, 1, 1, None]}
    board = rank(table_of(rows | {"x": [None] * 4 + [1]}), adjust="max-t", alpha=0.2, draws=99)
    without = rank(
        table_of({name: row[:4] for name, row in rows.items()}), adjust="max-t", alpha=0.2, draws=99
    )
    assert board.entries[:2] == without.entries
    assert board.entries[0].absent == 0


def test_a_run_that_did_not_finish_is_listed_apart():
    table = table_of({"a": [1, 0, 1, 1], "b": [0, 0, 1, 1], "c": [1, 1, 1, None]})
    board = rank(replace(table, unfinished=frozenset({"c"})))
    assert board.apart == ("c",)
    assert "did not finish" in board.summary
    none = rank(replace(table, unfinished=frozenset("abc")))
    assert none.apart == ()


def test_an_anchor_that_is_listed_apart_is_refused():
    table = table_of({"a": [1, 0] * 10, "b": [1, 1] * 10, "c": [1, 1] + [None] * 18})
    with pytest.raises(MethodError, match=r"c does not anchor these items.*--min-share 0"):
        rank(table, anchor="c")


def test_usual_items_are_those_of_the_block_with_most_comparisons():
    assert usual_items([100, 100, 100, 2]) == 100
    assert usual_items([1000, 100, 100, 100, 100, 100]) == 100
    assert usual_items([1000, 300]) == 300
    assert usual_items([100, 2]) == 100
    assert usual_items([]) == 0


@pytest.mark.parametrize("score", [[1, 0, 1, 1, 0] * 4, [1] * 9, [0], [0.5, 2.5, 3], [1, 0]])
def test_one_entry_is_a_board_without_groups(score):
    board = rank(table_of({"only": score}))
    assert board.groups == ()
    assert board.tie_lines == ()
    assert board.entries[0].group is None
    assert board.entries[0].value == pytest.approx(np.mean(score))
    assert [gap.correlation for gap in board.resolution.visible] == [0, 0.5]
    assert board.methods.test is None
    assert board.summary.startswith("only scores ")


def test_one_entry_shows_its_categories_reruns_and_failures():
    frame = {
        "entry": ["m"] * 12,
        "item": [f"i{i // 2}" for i in range(12)],
        "sample": ["0", "1"] * 6,
        "score": [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, None],
        "status": ["scored"] * 11 + ["failed"],
        "category": ["x"] * 6 + ["y"] * 6,
    }
    board = rank(Table.from_columns({k: np.array(v, dtype=object) for k, v in frame.items()}))
    assert set(board.categories) == {"x", "y"}
    assert board.categories["x"].entries[0].value == pytest.approx(0.5)
    assert board.both_errors[0].reruns.se is not None
    assert board.denominators[0].failed == 1
    assert board.firsts == ()
    for format in RENDERERS:
        assert "50.0" in render([board], format) or format in ("csv", "json", "methods")


@NEEDS_SHARED
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_one_entry_of_four_samples_has_the_published_figures(k):
    table = read(SHARED / "data" / "tau_bench_airline" / "results.csv.gz")
    figures = shared_json("data/tau_bench_airline/FIGURES.json")["entries"][0]
    for metric in ("pass^k", "pass@k"):
        board = rank(table, Estimand(metric=metric, k=k))
        assert board.entries[0].value == pytest.approx(figures[metric.replace("k", str(k))], rel=1e-12)


def selected(seed=3, entries=12, items=400, kept=150):
    """A board on which one entry ran only the items that most of the others solve."""
    rng = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-np.linspace(1.5, -1.5, entries)[:, None] - 1.9 * rng.normal(size=items)))
    right = (rng.random((entries, items)) < chance).astype(int)
    easy = np.argsort(-np.delete(right, 7, axis=0).sum(axis=0), kind="stable")[:kept]
    rows = {f"e{at:02d}": [int(x) for x in row] for at, row in enumerate(right)}
    rows["e07"] = [x if item in set(easy) else None for item, x in enumerate(rows["e07"])]
    return rows, right[7].mean()


def test_a_fitted_score_undoes_the_choice_of_items():
    rows, truth = selected()
    own = lines(rank(table_of(rows), min_share=0), rows)["e07"]
    board = rank(table_of(rows), Estimand(absent="fitted"), min_share=0)
    score = lines(board, rows)["e07"]
    assert own.value > truth + 0.2
    assert score.own == own.value
    assert abs(score.value - truth) < 0.08
    assert score.interval.low < truth < score.interval.high
    assert score.bounds[0] <= score.value <= score.bounds[1]
    assert board.fit.model == "rasch"
    assert board.fit.missing == pytest.approx(250 / 4800)
    assert "fitted by the Rasch model" in board.summary
    others = [line for line in board.entries if line.entry != "e07"]
    assert all(line.value == pytest.approx(line.own, abs=1e-9) for line in others)


def test_a_complete_board_has_nothing_to_fit():
    rows, _ = selected()
    full = {name: row for name, row in rows.items() if name != "e07"}
    fitted, shared = (rank(table_of(full), Estimand(absent=absent)) for absent in ("fitted", "shared"))
    assert fitted.fit is None
    assert fitted.entries == shared.entries
    assert fitted.groups == shared.groups


def test_fitted_scores_are_withheld_where_the_results_do_not_allow_them():
    board = rank(table_of(easy_first()), Estimand(absent="fitted"), min_share=0)
    assert board.fit is None
    assert any(note.code == "fit-withheld" for note in board.notes)
    assert board.entries[0].entry == "B"
    rows, _ = selected()
    rows["perfect"] = [1] * 90 + [None] * 310
    board = rank(table_of(rows), Estimand(absent="fitted"), min_share=0)
    perfect = lines(board, rows)["perfect"]
    assert (perfect.value, perfect.rank, perfect.own) == (None, None, 1.0)
    assert perfect.bounds == (pytest.approx(0.225), pytest.approx(1))
    assert any(note.code == "fit-boundary" for note in perfect.notes)


def test_entries_without_a_shared_item_are_not_compared_by_a_fit():
    rng = np.random.default_rng(5)
    rows = {f"a{e}": [*rng.integers(2, size=30).tolist(), *[None] * 30] for e in range(3)}
    rows |= {f"b{e}": [*[None] * 30, *rng.integers(2, size=30).tolist()] for e in range(3)}
    rows["a0"][3] = None
    board = rank(table_of(rows), Estimand(absent="fitted"), test="t")
    assert board.fit is not None
    compared = {line.entry: line.vs_anchor for line in board.entries if line.vs_anchor}
    assert {name for name, pair in compared.items() if pair.p is None} in (
        {"a0", "a1", "a2"},
        {"b0", "b1", "b2"},
    )


def test_rates_and_real_scores_are_fitted_by_the_two_way_model():
    rng = np.random.default_rng(6)
    full = rng.normal(size=(5, 1)) + 3 * np.linspace(-2, 2, 120) + rng.normal(size=(5, 120))
    rows = {f"e{e}": [float(x) for x in row] for e, row in enumerate(full)}
    rows["e2"] = [*rows["e2"][:70], *[None] * 50]
    board = rank(table_of(rows), Estimand(absent="fitted"))
    score = lines(board, rows)["e2"]
    assert board.fit.model == "two-way"
    assert score.bounds is None
    assert abs(score.own - full[2].mean()) > 1
    assert abs(score.value - full[2].mean()) < 3 * score.se + 0.3


@pytest.mark.parametrize(
    "options", [{"cluster": "repo"}, {"weights": "category"}, {"metric": "pass@k", "k": 1}]
)
def test_fitted_scores_respect_the_design(options):
    rows, _ = selected()
    table = table_of(
        rows, repo=[f"r{i % 25}" for i in range(400)], category=[f"c{i % 3}" for i in range(400)]
    )
    board = rank(table, Estimand(absent="fitted", **options), min_share=0, adjust="holm")
    assert board.fit.model == "rasch"
    assert all(line.se is None or line.se > 0 for line in board.entries)


@pytest.mark.parametrize("format", ["table", "md", "csv", "latex", "html"])
def test_every_format_shows_own_fitted_and_bounds(format):
    rows, _ = selected()
    text = render([rank(table_of(rows), Estimand(absent="fitted"), min_share=0)], format, width=160)
    for word in ("own", "bounds"):
        assert word in text.lower()


def test_a_comparison_of_ragged_runs_shows_shared_fitted_and_bounds():
    rows, truth = selected()
    full = np.mean(rows["e03"])
    found = compare(table_of(rows), "e07", "e03", Estimand(absent="fitted")).comparisons[0]
    assert found.items == 150
    assert found.fitted.items == 400
    assert found.fitted.missing == pytest.approx(250 / 800)
    assert found.fitted.interval.low < truth - full < found.fitted.interval.high
    own = sum(x for x in rows["e07"] if x is not None) / 150
    assert abs(found.fitted.difference - (truth - full)) < abs(own - full - (truth - full)) / 4
    right = sum(x for x in rows["e07"] if x is not None) / 400
    assert found.bounds == (pytest.approx(right - full), pytest.approx(right + 250 / 400 - full))
    assert any(note.code == "absent-may-decide" for note in found.notes)
    shared = compare(table_of(rows), "e07", "e03").comparisons[0]
    assert (shared.p, shared.difference, shared.bounds) == (found.p, found.difference, found.bounds)
    assert shared.fitted is None
    for format in RENDERERS:
        assert render([compare(table_of(rows), "e07", "e03", Estimand(absent="fitted"))], format)


def test_bounds_swap_with_the_sides_and_are_left_out_where_nothing_is_absent():
    rows, _ = selected()
    one, other = (compare(table_of(rows), a, b).comparisons[0] for a, b in (("e07", "e03"), ("e03", "e07")))
    assert one.bounds == (pytest.approx(-other.bounds[1]), pytest.approx(-other.bounds[0]))
    assert compare(table_of(rows), "e01", "e03").comparisons[0].bounds is None
    complete = compare(table_of({"a": [1, 0, 1], "b": [0, 0, 1]}), "a", "b", Estimand(absent="fitted"))
    assert any(note.code == "nothing-absent" for note in complete.notes)


def test_what_describes_observed_outcomes_is_refused():
    table = table_of(selected()[0])
    with pytest.raises(MethodError, match="variance describes observed outcomes"):
        rank(table, Estimand(absent="fitted"), also=["variance"])
    with pytest.raises(MethodError, match="--generalises-to reruns"):
        rank(table, Estimand(absent="fitted", generalises_to="reruns"))


def test_a_plan_says_how_many_items_leave_enough_in_common():
    found = plan.items((0.65, 0.6), discordance=0.2, missing=0.3).answer
    assert found["items_common"] == found["items_to_run"]
    each, common = found["items_each"], found["items_common"]
    assert binom.sf(common - 1, each, 0.49) >= 0.95 > binom.sf(common - 1, each - 1, 0.49)
    whole = plan.items((0.65, 0.6), discordance=0.2, missing=0).answer
    assert whole["items_each"] == whole["items_common"]
    with pytest.raises(MethodError, match="common items"):
        plan.items((0.65, 0.6), missing=0.3)
    with pytest.raises(MethodError, match="below 1"):
        plan.items((0.65, 0.6), discordance=0.2, missing=1)


def test_an_audit_finds_easy_items_and_says_who_is_ranked_above():
    rows = easy_first()
    old = table_of({name: rows[name] for name in ("B", "C")})
    made, findings = submissions(old, table_of({"A": rows["A"]}), Estimand(), alpha=0.05, level=0.95)
    warning = next(each for each in findings if each.code == "chosen-items")
    assert warning.entry == "A"
    assert "it ran 40 items on which the other entries score 50.0 %, and lacks 60 items" in warning.text
    claims = {claim.claim: claim for claim in made[0].claims}
    assert claims["new best"].text == "1 entry is ranked above it"
    worse = claims["better than B, the best so far"]
    assert not worse.supported
    assert "separated to its disadvantage, on 40 items" in worse.text
    _, findings = submissions(old, table_of({"A": [1, 0] * 50}), Estimand(), alpha=0.05, level=0.95)
    assert not any(each.code == "chosen-items" for each in findings)
