"""Power, smallest detectable differences and gates are those of the test that runs."""

import itertools

import numpy as np
import pytest

from deadheat import compare, plan
from deadheat.errors import MethodError
from deadheat.stats.paired.equivalence import decide, score_margin
from deadheat.stats.paired.mcnemar import mcnemar_exact, mcnemar_mid_p
from deadheat.stats.power.power_paired import paired_power_exact
from support import table_of


def run(n, a_only, b_only, **options):
    """Compare two entries of which one, or the other, alone is right on so many of n items."""
    rest = n - a_only - b_only
    a, b = (np.repeat(row, [rest, a_only, b_only]).tolist() for row in ([1, 1, 0], [1, 0, 1]))
    return compare(table_of({"a": a, "b": b}), "a", "b", **options)


def codes(notes):
    return {note.code for note in notes}


def test_four_items_detect_nothing_and_six_are_needed():
    pair = run(4, 4, 0).comparisons[0]
    assert pair.smallest_visible is None
    assert pair.items_to_separate == 6
    (note,) = [note for note in pair.notes if note.code == "nothing-visible"]
    assert "4 of 4 items" in note.text
    assert "0 %" in note.text


@pytest.mark.parametrize(("n", "a_only", "b_only"), [(12, 6, 0), (50, 1, 1)])
def test_nothing_is_detected_only_while_the_discordance_stays(n, a_only, b_only):
    pair = run(n, a_only, b_only).comparisons[0]
    assert pair.smallest_visible is None
    (note,) = [note for note in pair.notes if note.code == "nothing-visible"]
    assert f"discordance held as observed ({a_only + b_only} of {n} items)" in note.text


@pytest.mark.parametrize("test", ["mcnemar", "mid-p", "mcnemar-cc", "mcnemar-chi2"])
@pytest.mark.parametrize("n", [8, 10, 15, 20, 50, 100, 250])
def test_eighty_per_cent_are_eighty_per_cent(n, test):
    for share in (0.2, 0.5, 0.9):
        discordant = max(round(share * n), 1)
        pair = run(n, discordant // 2, discordant - discordant // 2, test=test).comparisons[0]
        if pair.smallest_visible is not None:
            power = paired_power_exact(pair.smallest_visible, discordant / n, n, test=test)
            assert 0.8 <= power < 0.8001


def test_compare_and_plan_need_the_same_items():
    for n, a_only, b_only in ((500, 29, 24), (60, 20, 10), (40, 0, 8), (250, 41, 40)):
        pair = run(n, a_only, b_only).comparisons[0]
        gap, share = (a_only - b_only) / n, (a_only + b_only) / n
        planned = plan.items(difference=gap, discordance=share).answer
        assert pair.items_to_separate == planned["items_to_run"]
        assert "items_exact" in planned
        within = run(n, a_only, b_only, margin=0.1).comparisons[0].against_margin
        allowed = plan.items(difference=0, discordance=share, claim="non-inferiority", margin=0.1)
        assert within.items_needed == allowed.answer["items_to_run"]


CELLS = list(itertools.product([(50, 1), (60, 3), (200, 4), (250, 50), (800, 80)], ["worse", "inconclusive"]))


@pytest.mark.parametrize(("cell", "fail_on"), CELLS)
@pytest.mark.parametrize("margin", [0.03, 0.08])
def test_gates_fail_as_often_as_they_say(cell, fail_on, margin):
    """Twenty cells: false alarms and power stated against simulated candidates."""
    n, discordant = cell
    gate = run(n, discordant // 2, discordant - discordant // 2, fail_on=fail_on, margin=margin).gate
    assert gate.power_method == "exact"
    assert "discordance-held" in codes(gate.notes)
    rng = np.random.default_rng([n, discordant, round(100 * margin)])
    for loss, stated in ((0.0, gate.false_alarm), (gate.drop, gate.power)):
        share = max(discordant / n, loss)
        drawn = rng.multinomial(n, [(share - loss) / 2, (share + loss) / 2, 1 - share], 20_000)
        code = decide(score_margin(n, drawn[:, 0], drawn[:, 1], margin), 0.05)
        failed = np.mean(code == 1 if fail_on == "worse" else code < 2)
        assert failed == pytest.approx(stated, abs=4.5 * np.sqrt(max(stated * (1 - stated), 1e-4) / 20_000))


@pytest.mark.parametrize(("test", "p_value"), [("mcnemar", mcnemar_exact), ("mid-p", mcnemar_mid_p)])
def test_a_gate_without_a_margin_fails_as_often_as_it_says(test, p_value):
    gate = run(150, 25, 20, fail_on="worse", test=test).gate
    rng = np.random.default_rng(3)
    for loss, stated in ((0.0, gate.false_alarm), (gate.drop, gate.power)):
        drawn = rng.multinomial(150, [(0.3 - loss) / 2, (0.3 + loss) / 2, 0.7], 40_000)
        failed = np.mean((p_value(drawn[:, 0], drawn[:, 1]).p < 0.05) & (drawn[:, 0] < drawn[:, 1]))
        assert failed == pytest.approx(stated, abs=4.5 * np.sqrt(stated * (1 - stated) / 40_000))


def test_a_gate_on_entries_that_never_differ_says_nothing_of_its_power():
    gate = run(30, 0, 0, fail_on="inconclusive", margin=0.05).gate
    assert gate.false_alarm is None
    assert "no-spread" in codes(gate.notes)


def test_above_ten_thousand_items_the_formula_is_named():
    gate = run(12_000, 600, 600, fail_on="inconclusive", margin=0.005).gate
    assert gate.power_method == "normal"
    assert "by-formula" in codes(gate.notes)


@pytest.mark.parametrize(("margin", "hint"), [(5, "5 points are 0.05"), (1, "1 point is 0.01")])
def test_points_are_not_taken_for_fractions(margin, hint):
    with pytest.raises(MethodError, match=hint):
        run(50, 3, 5, margin=margin)
    with pytest.raises(MethodError, match=hint):
        plan.items(difference=margin, discordance=0.2)
    with pytest.raises(MethodError, match=hint):
        plan.items(difference=0, discordance=0.2, claim="equivalence", margin=margin)


def test_a_margin_of_one_fits_other_scales():
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(10, 1, 40).tolist() for name in "ab"}
    assert compare(table_of(scores), "a", "b", margin=2.0).comparisons[0].equivalence == "equivalent"


def test_nothing_is_settled_by_fewer_items_than_there_are():
    for n, a_only, b_only in ((60, 4, 12), (400, 10, 14), (50, 0, 1)):
        document = run(n, a_only, b_only, margin=0.05)
        pair = document.comparisons[0]
        if "would settle" in document.summary:
            assert pair.against_margin.items_needed > n
            assert pair.verdict == "not separated"


def test_separate_items_need_what_the_plan_says():
    scores = {"a": [1] * 341 + [0] * 159, "b": [1] * 339 + [0] * 161}
    pair = compare(table_of(scores), "a", "b", test="unpaired-z").comparisons[0]
    assert pair.items_to_separate == plan.items((0.682, 0.678)).answer["items_to_run"] == 213_489
    assert pair.smallest_visible == pytest.approx(plan.mde(500, 0.68).answer["difference_exact"], rel=1e-9)
    far = compare(table_of({"a": [1] * 40, "b": [0] * 20 + [1] * 20}), "a", "b", test="unpaired-z")
    assert far.comparisons[0].items_to_separate < 40
    same = compare(table_of({"a": [1] * 40, "b": [1] * 40}), "a", "b", test="unpaired-z").comparisons[0]
    assert same.smallest_visible is None
    assert same.items_to_separate is None
