"""Composite scores: weighted and nested categories, held against the stratified mean."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.cli.main import run
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from support import table_of

SIZES = {"algebra": 30, "geometry": 12, "code": 40}
NESTED = {"math": {"weight": 3, "parts": {"algebra": 2, "geometry": 1}}, "code": 1}
SHARES = {"algebra": Fraction(1, 2), "geometry": Fraction(1, 4), "code": Fraction(1, 4)}


def made(seed=0):
    rng = np.random.default_rng(seed)
    category = np.repeat(list(SIZES), list(SIZES.values()))
    scores = {name: (rng.random(len(category)) < rate).astype(int) for name, rate in
              {"a": 0.8, "b": 0.6, "c": 0.55}.items()}  # fmt: skip
    table = table_of({name: row.tolist() for name, row in scores.items()}, category=category.tolist())
    return table, scores, category


def stratified(x, category):
    """Mean, error and degrees of freedom of a stratified mean (Cochran 1977, sections 5.3 and 5.4)."""
    parts = [(float(share), x[category == name]) for name, share in SHARES.items()]
    mean = sum(w * part.mean() for w, part in parts)
    v = np.array([w**2 * part.var(ddof=1) / len(part) for w, part in parts])
    df = v.sum() ** 2 / (v**2 / [len(part) - 1 for _, part in parts]).sum()
    return mean, np.sqrt(v.sum()), df


def test_a_nested_composite_is_the_stratified_mean():
    table, scores, category = made()
    board = rank(table, composite=NESTED)
    found = {score.entry: score for score in board.composite.entries}
    for name, row in scores.items():
        exact = sum(
            share * Fraction(int(row[category == part].sum()), SIZES[part]) for part, share in SHARES.items()
        )
        mean, se, _ = stratified(row.astype(float), category)
        assert found[name].value == pytest.approx(float(exact), abs=1e-14)
        assert found[name].se == pytest.approx(se, rel=1e-12)
        assert found[name].value == pytest.approx(mean)
        assert 0 <= found[name].interval.low < exact < found[name].interval.high <= 1
    gap, se, df = stratified(scores["b"].astype(float) - scores["a"], category)
    versus = found["b"].vs_anchor
    assert (versus.a, versus.b, board.composite.test) == ("b", "a", "t")
    assert versus.difference == pytest.approx(gap)
    assert versus.value_a == pytest.approx(found["b"].value)
    assert versus.se == pytest.approx(se)
    assert versus.p == pytest.approx(2 * stats.t.sf(abs(gap / se), df))
    half = stats.t.ppf(0.975, df) * se
    assert versus.interval.low == pytest.approx(gap - half)
    assert board.composite.notes[0].code == "composite"
    assert "algebra 50 %, code 25 %, geometry 25 %" in board.composite.notes[0].text
    assert [first.part for first in board.firsts][-1] == "Composite"


def test_equal_weights_are_the_macro_average():
    table, _, _ = made(3)
    board = rank(table, composite=list(SIZES))
    for one, other in zip(board.composite.entries, board.macro.entries, strict=True):
        assert one.entry == other.entry
        assert one.value == pytest.approx(other.value, rel=1e-14)
        assert one.se == pytest.approx(other.se, rel=1e-14)
        assert one.interval.high == pytest.approx(other.interval.high, rel=1e-12)
    alike = rank(table, Estimand(weights="category"), composite=NESTED)
    for one, other in zip(
        alike.composite.entries, rank(table, composite=NESTED).composite.entries, strict=True
    ):
        assert (one.entry, one.value) == (other.entry, pytest.approx(other.value, rel=1e-14))


def test_weights_in_proportion_to_size_are_the_micro_average():
    table, scores, _ = made(4)
    board = rank(table, composite=SIZES)
    for score in board.composite.entries:
        assert score.value == pytest.approx(scores[score.entry].mean(), rel=1e-14)


def test_categories_left_out_have_no_part():
    table, scores, category = made()
    board = rank(table, composite={"algebra": 1, "geometry": 1})
    kept = category != "code"
    for score in board.composite.entries:
        assert score.items == score.samples == kept.sum()
        row = scores[score.entry]
        want = (row[category == "algebra"].mean() + row[category == "geometry"].mean()) / 2
        assert score.value == pytest.approx(want)
    assert "40 items of other categories" in board.composite.notes[0].text


def test_clusters_within_categories():
    table, scores, category = made()
    cluster = [f"{name}{i // 5}" for name, size in SIZES.items() for i in range(size)]
    table = table_of({n: r.tolist() for n, r in scores.items()}, category=category.tolist(), cluster=cluster)
    alike = rank(table, Estimand(cluster="cluster"), composite=list(SIZES))
    assert alike.composite.test == alike.macro.test == "bell-mccaffrey"
    for one, other in zip(alike.composite.entries[1:], alike.macro.entries[1:], strict=True):
        assert one.vs_anchor.p == pytest.approx(other.vs_anchor.p, rel=1e-10)
    uneven = rank(table, Estimand(cluster="cluster"), composite=NESTED).composite.entries[1].vs_anchor
    rows, versus = scores[uneven.a] - scores[uneven.b], 0.0
    for name, share in SHARES.items():
        means = rows[category == name].mean()
        versus += float(share) * means
    assert uneven.difference == pytest.approx(versus)


@given(st.permutations(list(SIZES)), st.floats(0.1, 10))
def test_order_and_scale_of_weights_are_nothing(order, scale):
    table, _, _ = made(7)
    weights = {"algebra": 2.0, "geometry": 1.0, "code": 1.5}
    plain = rank(table, composite=weights).composite
    other = rank(table, composite={name: scale * weights[name] for name in order}).composite
    for one, two in zip(plain.entries, other.entries, strict=True):
        assert one.value == pytest.approx(two.value, rel=1e-12)
        assert one.se == pytest.approx(two.se, rel=1e-12)


def test_calibration_where_a_small_category_weighs_most():
    """Pooled degrees of freedom would reject too often: Satterthwaite's hold the level."""
    from deadheat.stats.paired.pairs_t import all_pairs_t

    rng = np.random.default_rng(1)
    stratum, shares = np.repeat([0, 1], [5, 200]), np.array([0.8, 0.2])
    present = np.ones((2, 205), dtype=bool)
    p, pooled = [], []
    for _ in range(2000):
        x = rng.standard_normal((2, 205))
        found = all_pairs_t(x, present, stratum=stratum, shares=shares)
        p.append(found.p[0, 1])
        pooled.append(2 * stats.t.sf(abs(found.difference[0, 1] / found.se[0, 1]), 203))
    error = 3 * np.sqrt(0.05 * 0.95 / 2000)
    assert abs(np.mean(np.array(p) < 0.05) - 0.05) < error
    assert np.mean(np.array(pooled) < 0.05) > 0.08


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        ({"algebra": 1, "poetry": 1}, "names 'poetry'"),
        ({"x": ["algebra"], "y": {"algebra": 1}}, "'algebra' twice"),
        (["algebra", "algebra"], "'algebra' twice"),
        ({"algebra": 1e308, "code": 1}, "'code' has less than 1e-09"),
        ({"algebra": 1e308, "code": 1e308}, "less than 1e-09"),
        ({"algebra": 0}, "above 0"),
        ({"algebra": -1, "code": 1}, "above 0"),
        ({"algebra": float("nan")}, "above 0"),
        ({"algebra": True}, "above 0"),
        ({"algebra": "much"}, "weights above 0"),
        ({}, "without categories"),
        ({"math": []}, "without categories"),
        ({"math": {"weight": 1, "parts": 3}}, "weights above 0"),
    ],
)
def test_refused(tree, told):
    with pytest.raises(MethodError, match=told):
        rank(made()[0], composite=tree)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"adjust": "max-t"}, "max-t was asked of a composite"),
        ({"test": "sign-flip"}, "sign-flip does not take a composite"),
        ({"interval": "percentile"}, "percentile does not take a composite"),
    ],
)
def test_what_a_composite_cannot_have(asked, told):
    with pytest.raises(MethodError, match=told):
        rank(made()[0], composite=NESTED, **asked)


def test_on_the_command_line(tmp_path, capsys):
    table, _, _ = made()
    rows = ["entry,item,score,category"]
    seed_scores, category = made()[1:]
    for name, row in seed_scores.items():
        rows += [f"{name},i{i},{int(x)},{category[i]}" for i, x in enumerate(row)]
    (tmp_path / "r.csv").write_text("\n".join(rows))
    (tmp_path / "weights.json").write_text(json.dumps(NESTED))
    arguments = ["rank", str(tmp_path / "r.csv"), "--composite", str(tmp_path / "weights.json")]
    assert run(arguments) == 0
    assert "Composite" in capsys.readouterr().out
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    want = rank(table, composite=NESTED).composite.entries[0]
    assert found["composite"]["entries"][0]["value"] == pytest.approx(want.value)
    (tmp_path / "weights.json").write_text("3")
    assert run(arguments) == 1
