"""The verb `compare`: pairs, margins, adjustment, categories, gate, A/A check and published numbers."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from deadheat.comparing.published import compare_published
from deadheat.comparing.verb import compare
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError, NothingShared
from deadheat.estimand import Estimand
from deadheat.methods import TESTS
from deadheat.ranking.verb import rank
from deadheat.readers import read
from deadheat.stats.power.power_paired import paired_effect, paired_effect_exact, paired_items_exact
from support import NEEDS_SHARED, SHARED, random_table, shared_json, table_of


def one(*args, **kwargs):
    return compare(*args, **kwargs).comparisons[0]


def codes(notes):
    return {note.code for note in notes}


def cells_table(both, a_only, b_only, neither, **columns):
    bits = [[1, 1, 0, 0], [1, 0, 1, 0]]
    a, b = (np.repeat(row, [both, a_only, b_only, neither]).tolist() for row in bits)
    return table_of({"a": a, "b": b}, **columns)


def sampled_table(right, samples):
    """Entries a and b with several attempts an item."""
    items = [f"i{j:04d}" for j in range(len(right[0]))]
    return Table.from_counts(["a", "b"], items, np.array(right), np.array(samples))


def test_a_pair_of_binary_runs():
    pair = one(cells_table(300, 12, 28, 40), "a", "b")
    want = statsmodels_mcnemar([[300, 12], [28, 40]], exact=True)
    assert pair.p == pytest.approx(want.pvalue, rel=1e-9)
    assert pair.test == "mcnemar"
    assert pair.interval.method == "tango"
    assert (pair.items, pair.a_only, pair.b_only) == (380, 12, 28)
    assert pair.difference == pytest.approx(-16 / 380)
    assert pair.verdict == "b"
    a, b = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [300, 12, 28, 40], axis=1)
    assert pair.correlation == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert pair.se_unpaired > pair.se
    assert pair.smallest_visible == pytest.approx(float(paired_effect_exact(40 / 380, 380)))
    assert pair.smallest_visible > paired_effect(40 / 380, 380)  # Connor's formula falls short of 80 %
    assert pair.items_to_separate == paired_items_exact(16 / 380, 40 / 380)
    assert 0 < pair.probability_better < 0.01


@settings(max_examples=20, deadline=None)
@given(st.tuples(*[st.integers(0, 25)] * 4).filter(lambda four: sum(four) > 0))
def test_swap_mirrors_everything(four):
    table = cells_table(*four)
    ab, ba = one(table, "a", "b", margin=0.05), one(table, "b", "a", margin=0.05)
    assert (ab.p, ab.log10_p) == (ba.p, ba.log10_p)
    assert ab.difference == -ba.difference
    assert (ab.interval.low, ab.interval.high) == (-ba.interval.high, -ba.interval.low)
    swapped = {"a": "b", "b": "a"}
    assert ab.verdict == swapped.get(ba.verdict, ba.verdict)


def test_names_and_item_order_are_nothing():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 90)).tolist()
    pair = one(table_of({"a": a, "b": b}), "a", "b")
    renamed = one(table_of({"zz": a, "yy": b}), "zz", "yy")
    assert (pair.p, pair.interval, pair.se) == (renamed.p, renamed.interval, renamed.se)
    order = rng.permutation(90)
    moved = one(table_of({"a": [a[i] for i in order], "b": [b[i] for i in order]}), "a", "b")
    assert (pair.p, pair.interval, pair.se) == (moved.p, moved.interval, moved.se)


@pytest.mark.parametrize("scores", [[1, 0, 1, 1, 0] * 8, [0.1, 0.5, 0.9, 0.3] * 10])
def test_identical_runs(scores):
    document = compare(table_of({"a": scores, "b": scores}), "a", "b", margin=0.1)
    pair = document.comparisons[0]
    assert (pair.difference, pair.p, pair.verdict) == (0, 1, "not separated")
    assert pair.se is None
    assert pair.items_to_separate is None
    assert "no-spread" in codes(pair.notes)
    assert pair.equivalence == "equivalent"  # 40 items without one difference, held to the score method
    assert "not separated" in document.summary
    few = one(table_of({"a": scores[:4], "b": scores[:4]}), "a", "b", margin=0.1)
    assert few.equivalence == "inconclusive"


def test_the_same_as_a_board_says():
    table = random_table(np.random.default_rng(1), 5, 120, absent=0.1)
    board = rank(table)
    anchor = board.entries[0].entry
    found = {pair.a: pair for pair in compare(table, None, anchor).comparisons}
    for score in board.entries[1:]:
        pair = found[score.entry]
        assert pair.p == score.vs_anchor.p
        assert pair.difference == pytest.approx(score.vs_anchor.difference, abs=1e-15)
        assert pair.interval == score.vs_anchor.interval


def test_the_same_as_a_board_says_with_clusters():
    rng = np.random.default_rng(13)
    scores = {f"e{i}": rng.integers(0, 2, 90).tolist() for i in range(4)}
    table, about = (
        table_of(scores, cluster=[f"c{i * i % 11}" for i in range(90)]),
        Estimand(cluster="cluster"),
    )
    board = rank(table, about)
    found = {pair.a: pair for pair in compare(table, None, board.entries[0].entry, about).comparisons}
    for score in board.entries[1:]:
        pair = found[score.entry]
        assert pair.test == score.vs_anchor.test
        assert pair.p == pytest.approx(score.vs_anchor.p, rel=1e-9)
        assert pair.se == pytest.approx(score.vs_anchor.se, rel=1e-9)
        assert pair.interval.low == pytest.approx(score.vs_anchor.interval.low, rel=1e-9)


@pytest.mark.parametrize("test", [name for name in TESTS if name != "rerun-t"])
def test_every_test_runs_and_names_itself(test):
    document = compare(cells_table(60, 14, 5, 30), "a", "b", test=test, draws=400)
    pair = document.comparisons[0]
    assert document.methods.test == pair.test == test
    assert 0 < pair.p < (0.7 if test == "betting" else 0.3)  # what holds at every look costs power
    assert pair.interval.low < pair.difference < pair.interval.high
    assert document.methods.draws == (400 if TESTS[test].fit.draws else None)
    unpaired = not TESTS[test].fit.paired
    assert ("unpaired" in codes(pair.notes)) == unpaired
    assert (pair.a_only is None) == unpaired


def test_graded_scores_take_t_and_never_mcnemar():
    rng = np.random.default_rng(2)
    a = rng.random(50).tolist()
    b = [x + rng.normal(0, 0.1) for x in a]
    table = table_of({"a": a, "b": b})
    pair = one(table, "a", "b")
    want = stats.ttest_rel(a, b)
    assert pair.test == "t"
    assert pair.p == pytest.approx(want.pvalue, rel=1e-6)
    assert (pair.a_only, pair.probability_better) == (None, None)
    with pytest.raises(MethodError, match="single 0/1 attempts"):
        compare(table, "a", "b", test="mcnemar")


def test_clusters():
    rng = np.random.default_rng(3)
    scores = {"a": rng.integers(0, 2, 120).tolist(), "b": rng.integers(0, 2, 120).tolist()}
    cluster = [f"c{i % 8}" for i in range(120)]
    table = table_of(scores, cluster=cluster)
    unused = compare(table, "a", "b")
    assert "clusters-unused" in codes(unused.notes)
    few = one(table, "a", "b", Estimand(cluster="cluster"))
    assert (few.test, few.clusters) == ("bell-mccaffrey", 8)
    assert few.df < 7.01
    assert "few-clusters" in codes(few.notes)
    many = table_of(scores, cluster=[f"c{i % 60}" for i in range(120)])
    assert "few-clusters" not in codes(one(many, "a", "b", Estimand(cluster="cluster")).notes)
    with pytest.raises(MethodError, match="found clusters"):
        compare(table, "a", "b", Estimand(cluster="cluster"), test="mcnemar")
    single = table_of(scores, cluster=["c"] * 120)
    withheld = one(single, "a", "b", Estimand(cluster="cluster"))
    assert (withheld.p, withheld.verdict, withheld.interval) == (None, None, None)
    assert "too-few-shared" in codes(withheld.notes)


def test_samples_and_reruns():
    rng = np.random.default_rng(4)
    p = rng.random(60)
    right = rng.binomial(10, [p, np.minimum(p + 0.05, 1)])
    table = sampled_table(right, np.full((2, 60), 10))
    items = one(table, "b", "a")
    assert items.test == "t"
    assert items.p == pytest.approx(stats.ttest_rel(right[1] / 10, right[0] / 10).pvalue, rel=1e-6)
    reruns = one(table, "b", "a", Estimand(generalises_to="reruns"))
    assert reruns.test == "rerun-t"
    assert reruns.se_unpaired is None
    rates = right / 10
    want = np.sqrt((rates * (1 - rates) / 9).sum()) / 60
    assert reruns.se == pytest.approx(want)
    with pytest.raises(MethodError, match="found --generalises-to reruns; use rerun-t"):
        compare(table, "b", "a", Estimand(generalises_to="reruns"), test="sign-flip")
    with pytest.raises(MethodError, match="about reruns of the same items"):
        compare(table, "b", "a", test="rerun-t")
    with pytest.raises(MethodError, match="has one sample"):
        compare(cells_table(5, 3, 2, 1), "a", "b", Estimand(generalises_to="reruns"))


def test_unshared_items_are_counted_and_listed():
    a = [1, 1, 0, 1, 1, 0, 1, 1, None, None, None]
    b = [None, 0, 0, 1, 0, None, None, None, 1, 1, 1]
    pair = one(table_of({"A": a, "B": b}), "A", "B", show_flips=True)
    assert (pair.items, pair.a_only, pair.b_only, pair.p) == (4, 2, 0, 0.5)
    assert (pair.value_a, pair.value_b) == (0.75, 0.25)
    own = pair.own
    assert (own.items_a, own.items_b) == (8, 7)
    assert (own.value_a, own.value_b) == pytest.approx((0.75, 4 / 7))
    assert len(own.only_a) == 4
    assert len(own.only_b) == 3
    assert "set-aside" in codes(pair.notes)
    assert "too-few-discordant" in codes(pair.notes)
    assert pair.flips[0].a_only_items == ("i00001", "i00004")


@NEEDS_SHARED
def test_public_cases():
    cases = {case["id"]: case for case in shared_json("cases/cases-open.json")["cases"]}
    for name in ("F04", "J06"):
        runs, want = cases[name]["input"]["runs"], cases[name]["expected"]
        items = sorted({item for run in runs.values() for item in run})
        pair = one(table_of({e: [run.get(i) for i in items] for e, run in runs.items()}), "A", "B")
        assert (pair.items, pair.a_only, pair.b_only) == (want["n_pairs"], want["b"], want["c"])
        assert pair.p == pytest.approx(want["p"])
        assert [pair.value_a, pair.value_b] == pytest.approx(want["shared_mean"])
    with pytest.raises(NothingShared, match="no item in common"):
        compare(table_of({"A": [1, 0, 1, None, None], "B": [None, None, None, 1, 0]}), "A", "B")
    runs = cases["Q01"]["input"]["runs"]
    table = table_of({entry: list(run.values()) for entry, run in runs.items()})
    graded = one(table, "A", "B", test="sign-flip")
    assert graded.p == pytest.approx(cases["Q01"]["expected"]["p_signflip_exact"])
    scales = cases["Q05"]["input"]["runs"]
    with pytest.raises(DataError, match="scales differ"):
        compare(table_of(scales), "A", "B")


def test_margins():
    pair = one(cells_table(900, 22, 18, 60), "b", "a", margin=0.02)
    assert pair.equivalence == "equivalent"
    assert pair.against_margin.method == "score"
    assert pair.against_margin.interval.level == pytest.approx(0.9)
    assert -0.02 < pair.against_margin.interval.low < pair.against_margin.interval.high < 0.02
    tight = compare(cells_table(90, 22, 18, 60), "b", "a", margin=0.01)
    assert tight.comparisons[0].equivalence == "inconclusive"
    assert tight.comparisons[0].against_margin.items_needed > 190
    assert "inconclusive" in tight.summary
    assert "no degradation" not in tight.summary
    worse = one(cells_table(90, 40, 4, 60), "b", "a", margin=0.05)
    assert worse.equivalence == "inferior"
    with pytest.raises(MethodError, match="above 0"):
        compare(cells_table(9, 2, 1, 6), "a", "b", margin=0.0)


def test_several_candidates():
    table = random_table(np.random.default_rng(5), 6, 150)
    plain = compare(table, None, "e002")
    assert "not-adjusted" in codes(plain.notes)
    assert len(plain.comparisons) == 5
    p = np.array([pair.p for pair in plain.comparisons])
    from statsmodels.stats.multitest import multipletests

    for adjust, name in (("holm", "holm"), ("hochberg", "simes-hochberg"), ("bh", "fdr_bh")):
        found = [pair.p_adjusted for pair in compare(table, None, "e002", adjust=adjust).comparisons]
        assert found == pytest.approx(multipletests(p, method=name)[1])
    joint = compare(table, None, "e002", adjust="max-t", draws=2000)
    adjusted = np.array([pair.p_adjusted for pair in joint.comparisons])
    assert (adjusted >= p - 0.05).all()
    assert (
        adjusted
        <= np.array([pair.p_adjusted for pair in compare(table, None, "e002", adjust="holm").comparisons])
        + 0.05
    ).all()
    assert joint.methods.draws == 2000
    with pytest.raises(MethodError, match="max-t was asked of"):
        compare(random_table(np.random.default_rng(0), 3, 4), None, "e000", adjust="max-t")


def test_an_undefined_comparison_spoils_nothing():
    scores = {
        "base": [1, 0, 1, 1, 0, 1] * 5 + [None] * 3,
        "good": [1] * 30 + [None] * 3,
        "apart": [None] * 30 + [1, 0, 1],
    }
    document = compare(table_of(scores), None, "base", adjust="holm")
    apart, good = (next(p for p in document.comparisons if p.a == name) for name in ("apart", "good"))
    assert (apart.p, apart.p_adjusted, apart.difference, apart.verdict) == (None, None, None, None)
    assert "nothing-shared" in codes(apart.notes)
    assert good.p_adjusted == good.p
    assert "nothing can be said" in document.summary


def test_common_items_beside_pairwise_ones():
    table = random_table(np.random.default_rng(6), 4, 80, absent=0.2)
    document = compare(table, None, "e000")
    assert all(pair.common.items < pair.items for pair in document.comparisons)
    assert len({pair.common.items for pair in document.comparisons}) == 1
    two = compare(table, "e001", "e000")
    assert two.comparisons[0].common is None


def test_by_category():
    rng = np.random.default_rng(7)
    scores = {name: rng.integers(0, 2, 90).tolist() for name in "abc"}
    table = table_of(scores, category=["x", "y", "z"] * 30)
    document = compare(table, None, "a", by="category", adjust="holm")
    assert list(document.categories) == ["x", "y", "z"]
    y = next(pair for pair in document.categories["y"] if pair.a == "b")
    alone = one(table_of({n: s[1::3] for n, s in scores.items()}), "b", "a")
    assert (y.p, y.difference, y.items) == (alone.p, alone.difference, 30)
    smallest = min(pair.p for part in document.categories.values() for pair in part)
    assert min(pair.p_adjusted for part in document.categories.values() for pair in part) == pytest.approx(
        min(1, 6 * smallest)
    )
    macro = compare(table, "b", "a", Estimand(weights="category"), by="category")
    assert macro.methods.test == "t"
    assert macro.comparisons[0].difference == pytest.approx(
        np.mean([part[0].difference for part in macro.categories.values()])
    )


def test_flips_put_the_worst_cluster_first():
    scores = {"new": [1, 1, 0, 0, 0, 1], "old": [1, 0, 1, 1, 0, 0]}
    table = table_of(scores, cluster=["good", "good", "bad", "bad", "bad", "good"])
    pair = one(table, "new", "old", Estimand(cluster="cluster"), show_flips=True)
    assert [flips.cluster for flips in pair.flips] == ["bad", "good"]
    assert pair.flips[0].b_only_items == ("i00002", "i00003")
    whole = one(table, "new", "old", show_flips=True)
    assert [flips.cluster for flips in whole.flips] == ["all items"]


def test_gate_on_worse():
    clear, same = cells_table(60, 2, 30, 40), cells_table(60, 10, 11, 40)
    assert compare(clear, "a", "b", fail_on="worse").gate.failed
    passed = compare(same, "a", "b", fail_on="worse").gate
    assert not passed.failed
    assert 0 < passed.false_alarm <= 0.025
    assert passed.power == 0.8
    assert passed.drop == pytest.approx(one(same, "a", "b").smallest_visible)
    within = compare(clear, "a", "b", fail_on="worse", margin=0.3).gate
    assert not within.failed  # worse, but not shown to be worse by 30 points


def test_gate_on_inconclusive():
    with pytest.raises(MethodError, match="needs a margin"):
        compare(cells_table(60, 10, 11, 40), "a", "b", fail_on="inconclusive")
    few = compare(cells_table(60, 10, 11, 40), "a", "b", fail_on="inconclusive", margin=0.02).gate
    assert few.failed
    assert few.failing == ("a",)
    assert few.false_alarm > 0.5  # so few items fail most candidates that are no different
    assert few.items_needed > 1000
    many = compare(cells_table(6000, 100, 110, 4000), "a", "b", fail_on="inconclusive", margin=0.02).gate
    assert not many.failed
    assert many.false_alarm < 0.01


def test_gate_false_alarm_is_what_happens():
    """Simulated candidates that are no different: the share that fails is the share the gate states."""
    rng = np.random.default_rng(8)
    failed, stated = [], []
    for _ in range(150):
        a, b = rng.multinomial(400, [0.07, 0.07, 0.86])[:2]
        right = np.repeat([[1, 1, 0], [1, 0, 1]], [400 - a - b, a, b], axis=1)
        table = sampled_table(right, np.ones_like(right))
        gate = compare(table, "a", "b", fail_on="inconclusive", margin=0.04).gate
        failed.append(gate.failed)
        stated.append(gate.false_alarm)
    assert np.mean(failed) == pytest.approx(np.mean(stated), abs=0.12)


def test_self_check():
    document = compare(cells_table(60, 30, 28, 40), "a", "b", self_check=True)
    (check,) = document.self_checks
    assert check.how == "labels flipped"
    assert check.holds
    assert check.rejected <= 0.05 + 3 * check.mc_se
    rng = np.random.default_rng(9)
    right = rng.binomial(8, rng.random((2, 70)))
    several = compare(sampled_table(right, np.full((2, 70), 8)), "a", "b", self_check=True)
    assert [check.how for check in several.self_checks] == [
        "labels flipped",
        "samples split",
        "samples split",
    ]
    assert all(check.holds for check in several.self_checks)
    reruns = compare(
        sampled_table(right, np.full((2, 70), 8)),
        "a",
        "b",
        Estimand(generalises_to="reruns"),
        self_check=True,
    )
    assert [check.how for check in reruns.self_checks] == ["samples split", "samples split"]
    with pytest.raises(MethodError, match="one pair"):
        compare(random_table(rng, 3, 20), None, "e000", self_check=True)


def test_self_check_tells_when_attempts_are_taken_as_items():
    """Repeated attempts of one item taken as independent: the unpaired z test does not hold its level."""
    rng = np.random.default_rng(10)
    p = rng.beta(0.3, 0.3, 60)
    right = rng.binomial(20, [p, rng.permutation(p)])
    document = compare(
        sampled_table(right, np.full((2, 60), 20)), "a", "b", test="unpaired-z", self_check=True
    )
    assert document.self_checks[0].how == "labels flipped"


def test_published():
    table = cells_table(300, 20, 10, 170)
    document = compare_published(table, "a", 0.712, items=500)
    pair, floor = document.comparisons[0], document.comparisons[0].published
    ours = np.sqrt(0.64 * 0.36 / 499)
    theirs = np.sqrt(0.712 * 0.288 / 500)
    assert pair.se == pytest.approx(np.hypot(ours, theirs))
    assert floor.se == pytest.approx(theirs)
    both = 0.64 * 0.36 / 500 + 0.712 * 0.288 / 500
    nested, opposite = 0.64 - 0.64 * 0.712, 0.64 + 0.712 - 1 - 0.64 * 0.712  # of two outcomes at one item
    ends = np.sqrt([both - 2 * nested / 500, both - 2 * opposite / 500])
    assert (floor.se_least, floor.se_most) == pytest.approx(tuple(ends))
    assert floor.share == pytest.approx(theirs**2 / (ours**2 + theirs**2))
    pooled = np.sqrt(0.676 * 0.324 * 2 / 500 * 1000 / 999)  # Miettinen and Nurminen, at no difference
    assert pair.p == pytest.approx(2 * stats.norm.sf(0.072 / pooled))
    assert pair.verdict == "b"
    assert codes(pair.notes) == {"published-floor", "published-correlation"}
    by_se = compare_published(table, "a", 0.712, se=theirs).comparisons[0]
    assert by_se.p == pytest.approx(pair.p)
    right = np.random.default_rng(11).binomial(10, 0.6, (2, 80))
    several = compare_published(sampled_table(right, np.full((2, 80), 10)), "a", 0.6, se=0.02)
    assert 0.02 <= several.comparisons[0].published.floor < several.comparisons[0].se
    reruns = compare_published(
        sampled_table(right, np.full((2, 80), 10)), "a", 0.6, Estimand(generalises_to="reruns"), se=0.02
    )
    assert reruns.comparisons[0].published.floor == 0.02


@pytest.mark.parametrize(
    ("value", "options", "words"),
    [
        (0.7, {}, "one of the two"),
        (0.7, {"items": 100, "se": 0.1}, "one of the two"),
        (71.2, {"items": 100}, "0.712, not 71.2"),
        (0.7, {"se": 0.0}, "above 0"),
        (1.0, {"se": 0.1}, "--published-items instead"),
    ],
)
def test_published_refusals(value, options, words):
    with pytest.raises(MethodError, match=words):
        compare_published(cells_table(3, 2, 1, 1), "a", value, **options)


def test_published_without_an_error_of_ours():
    real = table_of({"a": [2.5, 2.5, 2.5], "b": [0, 1, 0]})
    found = compare_published(real, "a", 0.7, se=0.1).comparisons[0]
    assert (found.p, found.interval, found.verdict) == (None, None, None)
    assert found.difference == pytest.approx(1.8)
    all_right = compare_published(table_of({"a": [1, 1, 1], "b": [0, 1, 0]}), "a", 0.7, items=50)
    assert all_right.comparisons[0].p > 0.2
    assert all_right.comparisons[0].se is None
    with pytest.raises(MethodError, match="no entry"):
        compare_published(table_of({"a": [1, 1, 1]}), "x", 0.7, items=50)


def test_wrong_commands():
    table = random_table(np.random.default_rng(12), 3, 20)
    for arguments, words in [
        ({"a": "nobody", "b": "e000"}, "no entry 'nobody'"),
        ({"a": "e000", "b": "e000"}, "both sides"),
        ({"a": "e000"}, "needs a baseline"),
        ({"a": ["e000", "e000"], "b": "e001"}, "named twice"),
        ({"a": "e000", "b": "e001", "test": "x"}, "no test 'x'"),
        ({"a": "e000", "b": "e001", "interval": "x"}, "no interval 'x'"),
        ({"a": "e000", "b": "e001", "adjust": "x"}, "no adjustment 'x'"),
        ({"a": "e000", "b": "e001", "level": 95}, "level lies between"),
        ({"a": "e000", "b": "e001", "draws": 0}, "at least 1"),
        ({"a": "e000", "b": "e001", "interval": "welch"}, "answer different questions"),
    ]:
        with pytest.raises(MethodError, match=words):
            compare(table, **arguments)


def test_two_entries_need_no_names():
    pair = one(cells_table(10, 9, 1, 5))
    assert (pair.a, pair.b) == ("a", "b")  # the better one first
    assert one(cells_table(10, 9, 1, 5), "b").b == "a"


def test_disagreement_of_test_and_interval_is_told():
    pair = one(cells_table(80, 36, 21, 63), "a", "b")
    assert pair.p > 0.05
    assert pair.interval.low > 0
    assert "methods-disagree" in codes(pair.notes)


def test_far_tails_keep_their_logarithm():
    pair = one(cells_table(10, 2000, 0, 10), "a", "b")
    assert pair.log10_p == pytest.approx(-601.758961332)
    assert pair.p > 0
    assert msgspec.json.encode(compare(cells_table(10, 2000, 0, 10), "a", "b"))


@NEEDS_SHARED
def test_real_boards():
    pro = read([str(SHARED / "data" / "swebench_pro" / "results.csv.gz")])
    figures = shared_json("data/swebench_pro/FIGURES.json")
    for want in figures["pairs"]:
        pair = one(pro, want["a"], want["b_entry"])
        assert (pair.items, pair.a_only, pair.b_only) == (want["shared"], want["b"], want["c"])
        assert pair.p == pytest.approx(want["p_exact"], rel=1e-9)
        clustered = one(pro, want["a"], want["b_entry"], Estimand(cluster="cluster"), test="t")
        assert clustered.se == pytest.approx(want["paired_se_cluster_CR1"], rel=1e-9)
    all_of_them = compare(pro, None, figures["pairs"][0]["a"])
    assert {pair.common.items for pair in all_of_them.comparisons} == {figures["n_items_common"]}
    assert "clusters-unused" in codes(all_of_them.notes)
    alpaca = read([str(SHARED / "data" / "alpaca_eval2" / "results.csv.gz")])
    for want in shared_json("data/alpaca_eval2/FIGURES.json")["pairs"]:
        pair = one(alpaca, want["a"], want["b_entry"])
        assert pair.difference == pytest.approx(want["mean_diff_shared"], abs=1e-11)
        assert pair.se == pytest.approx(want["paired_se"], rel=1e-9)
        assert pair.p == pytest.approx(want["paired_t_p"], rel=1e-6, abs=1e-300)
    tools = read([str(SHARED / "data" / "langchain_tool_use" / "results.csv.gz")])
    top = one(tools, "claude-2.1", "gpt-4-0613 (functions)")
    assert (top.value_a, top.items) == (1.0, 20)
    assert top.interval.low > 0


def test_what_is_withheld_is_told():
    constant = one(table_of({"a": [1] * 12, "b": [1, 0, 0] * 4}), "a", "b")
    assert constant.correlation is None
    assert "constant" in codes(constant.notes)
    even = one(cells_table(20, 6, 6, 20), "a", "b")
    assert even.items_to_separate is None
    assert "no-difference" in codes(even.notes)
    few = one(cells_table(1, 1, 0, 1), "a", "b")
    assert few.smallest_visible is None
    assert "nothing-visible" in codes(few.notes)


def test_sign_flips_with_clusters():
    rng = np.random.default_rng(14)
    scores = {"a": rng.integers(0, 2, 60).tolist(), "b": rng.integers(0, 2, 60).tolist()}
    about = Estimand(cluster="cluster")
    table = table_of(scores, cluster=[f"c{i % 4}" for i in range(60)])
    pair = one(table, "a", "b", about, test="sign-flip")
    assert pair.interval.method == "bell-mccaffrey"
    assert {"too-few-discordant", "few-clusters"} <= codes(pair.notes)
    assert one(table, "a", "b", about, test="t").interval.method == "t"
    assert one(table_of(scores), "a", "b", test="sign-flip").interval.method == "t"


def test_clusters_that_reach_over_categories():
    rng = np.random.default_rng(15)
    scores = {"a": rng.integers(0, 2, 60).tolist(), "b": rng.integers(0, 2, 60).tolist()}
    table = table_of(scores, cluster=[f"c{i % 7}" for i in range(60)], category=["x", "y", "z"] * 20)
    pair = one(table, "a", "b", Estimand(cluster="cluster", weights="category"))
    assert pair.test == "t"
    assert "few-clusters" in codes(pair.notes)


def test_reruns_without_any_luck():
    right = np.array([[4, 4, 0, 0], [4, 0, 0, 0]])
    table = sampled_table(right, np.full((2, 4), 4))
    pair = one(table, "a", "b", Estimand(generalises_to="reruns"))
    assert (pair.p, pair.verdict) == (None, None)
    assert "no-spread" in codes(pair.notes)
    same = one(sampled_table(right[[0, 0]], np.full((2, 4), 4)), "a", "b", Estimand(generalises_to="reruns"))
    assert same.p == 1


def test_clusters_that_say_nothing_are_not_told_of():
    scores = {"a": [1, 0, 1, 1, 0, 1], "b": [0, 1, 1, 1, 0, 0]}
    for cluster in (["c"] * 6, [f"c{i}" for i in range(6)]):
        assert "clusters-unused" not in codes(compare(table_of(scores, cluster=cluster), "a", "b").notes)


def test_graded_differences_that_never_vary():
    a = [0.2, 0.5, 0.9, 0.4]
    pair = one(table_of({"a": a, "b": [x - 0.1 for x in a]}), "a", "b", margin=0.01)
    assert pair.p == pytest.approx(0.125)
    assert (pair.se, pair.interval, pair.equivalence) == (None, None, None)
    assert {"no-spread", "no-interval"} <= codes(pair.notes)


def test_the_best_of_several_runs():
    table = cells_table(300, 28, 12, 40)
    plain, found = compare(table, "a", "b"), compare(table, "a", "b", best_of=8)
    pair = found.comparisons[0]
    assert plain.comparisons[0].verdict == "a"
    assert pair.p == plain.comparisons[0].p
    assert pair.p_adjusted == pytest.approx(8 * pair.p)
    assert pair.verdict == "not separated"
    assert found.methods.best_of == 8
    assert "picked" in codes(found.notes)
    assert "adjusted p = " in found.summary
    with_holm = compare(table_of({"a": [1] * 40, "b": [0] * 40, "c": [1] * 30 + [0] * 10}), b="b", best_of=3,
                        adjust="holm")  # fmt: skip
    raw = [2 * 0.5**40, 2 * 0.5**30]
    assert [p.p_adjusted for p in with_holm.comparisons] == pytest.approx([6 * raw[0], 3 * raw[1]], rel=1e-9)


def test_the_best_of_several_runs_against_a_published_number():
    table = cells_table(300, 28, 12, 40)
    plain = compare_published(table, "a", 0.82, items=2000).comparisons[0]
    found = compare_published(table, "a", 0.82, items=2000, best_of=4)
    pair = found.comparisons[0]
    assert pair.p_adjusted == pytest.approx(min(4 * plain.p, 1))
    assert (plain.verdict, pair.verdict) == ("a", "not separated")
    assert "picked" in codes(found.notes)
    assert "adjusted p" in found.summary


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"best_of": 1}, "at least 2 runs; found 1"),
        ({"best_of": 3, "margin": 0.02}, "margin"),
        ({"best_of": 3, "adjust": "max-t"}, "--best-of goes with"),
    ],
)
def test_picks_that_cannot_be_corrected(asked, told):
    with pytest.raises(MethodError, match=told):
        compare(cells_table(300, 28, 12, 40), "a", "b", **asked)


def test_draws_seed_and_quantile_rule_are_told_where_they_matter():
    methods = compare(cells_table(30, 8, 2, 10), "a", "b", interval="percentile", draws=500, seed=3).methods
    assert (methods.draws, methods.seed, methods.quantile_rule) == (500, 3, "linear")
    methods = compare(cells_table(30, 8, 2, 10), "a", "b").methods
    assert (methods.draws, methods.seed, methods.quantile_rule) == (None, None, None)
    board = rank(cells_table(30, 8, 2, 10), interval="bca", draws=500)
    assert (board.methods.draws, board.methods.quantile_rule) == (500, "linear")
    assert rank(cells_table(30, 8, 2, 10)).methods.quantile_rule is None


def test_a_published_pass_at_k_needs_as_many_samples():
    table = sampled_table([[3, 1, 4, 0] * 10, [2, 2, 1, 0] * 10], np.full((2, 40), 4))
    about = Estimand(metric="pass@k", k=2)
    found = compare_published(table, "a", 0.6, about, items=100, samples=4).comparisons[0]
    assert found.p is not None
    for samples, told in ((None, "an unstated number of samples"), (10, "of 10 samples an item .* one of 4")):
        with pytest.raises(MethodError, match=told):
            compare_published(table, "a", 0.6, about, items=100, samples=samples)
    uneven = np.full((2, 40), 4)
    uneven[:, 0] = 3
    with pytest.raises(MethodError, match="one of 3 to 4"):
        compare_published(
            sampled_table([[3, 1, 3, 0] * 10] * 2, uneven), "a", 0.6, about, items=100, samples=4
        )
