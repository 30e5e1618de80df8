"""Curves over k: values by counting subsets, the band's coverage, and what is said."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.cli.main import run
from deadheat.report import render
from deadheat.stats.samples.curves import band, item_curves
from support import NEEDS_SHARED, SHARED, shared_json
from truth.checkers import check
from truth.plain import Case


def attempts_of(rng, items=40, samples=6, lift=0.15):
    out = []
    for entry, shift in (("a", lift), ("b", 0.0)):
        for item in range(items):
            rate = np.clip(rng.beta(0.7, 0.7) + shift, 0, 1)
            for sample in range(samples):
                names = {"entry": entry, "item": f"i{item:02}", "sample": str(sample)}
                out.append({**names, "score": float(rng.random() < rate)})
    return out


def table(attempts):
    keys = ("entry", "item", "sample", "score")
    return dh.Table.from_frame({key: np.array([x[key] for x in attempts], dtype=object) for key in keys})


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
def test_values_are_those_of_all_subsets(metric):
    for n in (1, 4, 6):
        for c in range(n + 1):
            scores = [1] * c + [0] * (n - c)
            found = item_curves(np.array(n), np.array(c), n, metric)
            for k in range(1, n + 1):
                rule = any if metric == "pass@k" else all
                parts = [rule(each) for each in combinations(scores, k)]
                assert found[k - 1] == pytest.approx(sum(parts) / len(parts))


@NEEDS_SHARED
def test_reference_values():
    """`next.json`: sup-t bands of passk-inference, within Monte Carlo error."""
    told = shared_json("reference/next.json")["pass@k curve"]
    results = dh.read(str(SHARED / "data/terminal_bench_core/results.csv.gz"))
    a, b = "20250924_droid_gpt-5", "20250923_droid_claude-4-1-opus"
    curve = dh.compare(results, a, b, curve="pass@k").comparisons[0].curve
    assert curve.critical == pytest.approx(told["critical value"], rel=0.025)
    for k in (1, 5):
        value, low, high = told[f"k={k}"]
        assert curve.difference[k - 1] == pytest.approx(value, abs=1e-9)
        assert [curve.low[k - 1], curve.high[k - 1]] == pytest.approx([low, high], abs=0.002)
    assert curve.leads == ()


def test_the_band_covers_every_k_at_once():
    rng, hit, replicates = np.random.default_rng(0), 0, 400
    rates = np.random.default_rng(1).beta(0.6, 0.6, 100_000)
    truth = np.array([np.mean(1 - (1 - rates) ** k) for k in range(1, 9)])
    for _ in range(replicates):
        p = rng.beta(0.6, 0.6, 150)
        curves = item_curves(np.full(150, 8), rng.binomial(8, p), 8, "pass@k")
        found = band(curves, np.ones(150), 0.95, 400, np.random.default_rng(2))
        hit += bool(((found.low <= truth) & (truth <= found.high)).all())
    assert hit / replicates >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / replicates)


@pytest.mark.parametrize("metric", ["pass@k", "pass^k"])
@pytest.mark.parametrize("seed", range(6))
def test_claims_hold(seed, metric):
    attempts = attempts_of(np.random.default_rng(seed), lift=0.3 if seed % 2 else 0.0)
    document = dh.compare(table(attempts), "a", "b", curve=metric, draws=1_000).to_dict()
    document["claims"] = [claim for claim in document["claims"] if claim["code"] == "leads-over-k"]
    assert check(Case(attempts, {}, document)) == ["leads-over-k"]


@pytest.mark.parametrize("items", [3, 8, 12])
def test_a_band_for_all_k_is_no_narrower_than_the_interval_of_one(items):
    attempts = attempts_of(np.random.default_rng(items), items=items, lift=0.3)
    (pair,) = dh.compare(table(attempts), "a", "b", curve="pass@k", draws=400).comparisons
    assert pair.curve.critical >= stats.t.ppf(0.975, items - 1) * (1 - 1e-9)
    assert pair.curve.low[0] <= pair.interval.low + 1e-9


def test_one_leads_early_and_the_other_late():
    """a is right at half of its items always; b at every item sometimes."""
    out = []
    for item in range(120):
        for sample in range(8):
            names = {"item": f"i{item:03}", "sample": str(sample)}
            out.append({"entry": "a", **names, "score": float(item < 70)})
            out.append({"entry": "b", **names, "score": float((item * 7 + sample * 5) % 8 < 3)})
    made = dh.compare(table(out), "a", "b", curve="pass@k", draws=500)
    leads = [(x.first, x.last, x.leader) for x in made.comparisons[0].curve.leads]
    assert leads[0][0] == 1
    assert leads[0][2] == "a"
    assert leads[-1][1:] == (8, "b")
    assert len(made.comparisons[0].curve.crossings) == 1
    assert "a leads at k = 1" in made.summary


@pytest.mark.parametrize("form", ["table", "md", "csv", "json", "latex", "html"])
def test_every_format_takes_them(form):
    made = dh.compare(table(attempts_of(np.random.default_rng(9))), "a", "b", curve="pass^k", draws=200)
    text = render(made, form)
    assert form == "csv" or any(word in text for word in ("pass^k", r"pass\^k", r"pass\textasciicircum{}k"))


def test_refused_and_the_command(tmp_path, capsys):
    single = [{**x, "sample": "0"} for x in attempts_of(np.random.default_rng(1), samples=1)]
    with pytest.raises(dh.MethodError, match="needs several samples per item"):
        dh.compare(table(single), "a", "b", curve="pass@k")
    with pytest.raises(dh.MethodError, match="curve is one of"):
        dh.compare(table(attempts_of(np.random.default_rng(1))), "a", "b", curve="maj@k")
    path = tmp_path / "runs.csv"
    rows = [",".join(map(str, x.values())) for x in attempts_of(np.random.default_rng(2))]
    path.write_text("\n".join(["entry,item,sample,score", *rows]))
    pair = ["--candidate", "a", "--against", "b"]
    assert run(["compare", str(path), *pair, "--curve", "pass@k", "--draws", "300", "--quiet"]) == 0
    assert "By pass@k" in capsys.readouterr().out
