"""Several judges of the same answers: values of other programs, properties, and what an audit says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from deadheat.cli.main import run
from deadheat.stats.judged.several_raters import alpha, dawid_skene, majority_of_others


def drawn(units=60, wrong=(0.1, 0.2, 0.3, 0.35), missing=0.15, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.random(units) < 0.6
    ratings = np.array(
        [[(right if rng.random() > one else not right) for one in wrong] for right in truth]
    ).astype(float)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return ratings, truth


def test_values_of_other_programs():
    """crowd-kit 1.4 (5,000 steps) and krippendorff 0.8 on the same ratings."""
    ratings, _ = drawn()
    found = dawid_skene(ratings, np.zeros(60, int))
    assert found.rate[0] == pytest.approx(0.6595193771, abs=1e-8)
    assert found.sensitivity == pytest.approx([0.895339, 0.739839, 0.686555, 0.794839], abs=1e-6)
    assert found.specificity == pytest.approx([1, 0.670568, 0.762108, 0.869148], abs=1e-6)
    assert found.right[[0, 4]] == pytest.approx([0.0970421, 0.0075781], abs=1e-6)
    assert alpha(ratings) == pytest.approx(0.3375770259272177, abs=1e-12)
    graded = np.where(np.isfinite(ratings), np.random.default_rng(1).integers(1, 6, ratings.shape), np.nan)
    assert alpha(graded) == pytest.approx(0.016104240899881272, abs=1e-12)


def test_many_answers_give_the_truth_back():
    ratings, truth = drawn(20_000, missing=0.3, seed=1)
    group = np.arange(20_000) % 2
    found = dawid_skene(ratings, group)
    assert found.rate == pytest.approx([truth[group == 0].mean(), truth[group == 1].mean()], abs=0.025)
    assert found.sensitivity == pytest.approx([0.9, 0.8, 0.7, 0.65], abs=0.02)
    assert dawid_skene(1 - ratings, group).rate == pytest.approx(1 - found.rate, abs=1e-6)
    order = np.random.default_rng(2).permutation(4)
    assert dawid_skene(ratings[:, order], group).sensitivity == pytest.approx(
        found.sensitivity[order], abs=1e-6
    )


def test_ends():
    same = np.repeat([[0.0], [1.0]], 3, axis=1)
    assert (alpha(same), np.isnan(alpha(np.ones((5, 3))))) == (1.0, True)
    assert np.isnan(alpha(np.array([[1.0, np.nan], [np.nan, 0.0]])))
    found = majority_of_others(np.array([[1.0, 1.0, 0.0, np.nan]]))
    assert found[0, [2, 3]].tolist() == [1.0, 1.0]
    assert np.isnan(found[0, :2]).all()
    rng = np.random.default_rng(3)
    assert dawid_skene(np.ones((30, 3)), np.zeros(30, int)).rate.tolist() == [1.0]
    for seed in range(20):  # judges that toss coins: settled or withheld, never turned round
        made = dawid_skene(rng.integers(0, 2, size=(20, 3)).astype(float), np.zeros(20, int))
        assert made is None or (made.sensitivity + made.specificity).mean() >= 1 - 1e-9, seed


def test_an_audit_compares_judges(tmp_path, capsys):
    rng = np.random.default_rng(4)
    path = tmp_path / "r.csv"
    lines = ["entry,item,judge,score"]
    for entry, rate in (("a", 0.8), ("b", 0.5)):
        for item in range(80):
            right = rng.random() < rate
            for name, wrong in (("one", 0.05), ("two", 0.15), ("odd", 0.95)):
                lines.append(f"{entry},{item},{name},{int(right if rng.random() > wrong else not right)}")
    path.write_text("\n".join(lines) + "\n")
    assert run(["rank", str(path)]) == 1
    assert "if they are of several judges, say so: --columns sample=judge" in capsys.readouterr().err
    assert run(["audit", str(path), "--columns", "sample=judge", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    made = found["raters"]
    assert {line["rater"]: line["first"] for line in made["raters"]} == {
        "odd": ["b"],
        "one": ["a"],
        "two": ["a"],
    }
    texts = {finding["code"]: finding["text"] for finding in found["findings"]}
    assert "by odd b; by one a; by two a" in texts["judges-disagree"]
    kappa = {(pair["a"], pair["b"]): pair["kappa"] for pair in made["pairs"]}
    assert kappa["odd", "one"] < -0.5 < 0.5 < kappa["one", "two"]
    assert [pair["kappa_interval"]["level"] for pair in made["pairs"]] == [0.95] * 3
    rows = [line.split(",") for line in lines[1:]]
    both = [sum(int(r[3]) for r in rows[at : at + 3]) >= 2 for at in range(0, len(rows), 3)]
    assert [line["majority"] for line in made["entries"]] == [np.mean(both[:80]), np.mean(both[80:])]
    for form in ("table", "md", "csv", "latex", "html"):
        assert run(["audit", str(path), "--columns", "sample=judge", "--format", form]) == 0
        assert "Several judges" in capsys.readouterr().out or form in ("csv", "latex")
    assert run(["audit", str(path), "--columns", "sample=judge", "--quiet"]) == 0
    assert "Dawid" in capsys.readouterr().out
