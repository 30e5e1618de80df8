"""Scores of a judge corrected by labels of people: reference values, properties, and what is refused."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

import deadheat as dh
from deadheat.cli.main import run
from deadheat.report import render
from deadheat.stats.judged.agreement_of_raters import agreement
from deadheat.stats.judged.drift import equal_means
from deadheat.stats.judged.prediction_powered import corrected, rogan_gladen, weighted
from support import NEEDS_SHARED, ROOT, SHARED, shared_json
from truth.checkers import check
from truth.plain import Case

REFERENCE = SHARED / "reference/judge_simulated.csv"
FORMS = ("table", "md", "csv", "json", "latex", "html", "methods")


def simulated(seed=0, entries=3, items=120, labels=40, wrong=0.15, *, alike=True, scale=1.0):
    """Attempts with a judge that is wrong at some answers, and labels at some items."""
    rng = np.random.default_rng(seed)
    ease, out = rng.normal(size=items), []
    chosen = rng.permutation(items)[:labels]
    for entry in range(entries):
        truth = (rng.normal(size=items) + ease + 0.4 * entry > 0).astype(float)
        judge = np.where(rng.random(items) < wrong, 1 - truth, truth)
        mine = chosen if alike else rng.permutation(items)[:labels]
        for item in range(items):
            human = scale * truth[item] if item in mine else None
            out.append(
                {"entry": f"e{entry}", "item": f"i{item:03}", "score": scale * judge[item], "human": human}
            )
    return out


def frame(attempts):
    return {
        key: np.array([x[key] for x in attempts], dtype=object) for key in ("entry", "item", "score", "human")
    }


def table(attempts):
    return dh.Table.from_frame(frame(attempts))


@NEEDS_SHARED
def test_reference_values():
    """`next.json`: PPI++ of ppi-python, kappa, and Rogan and Gladen's rate by Lee et al."""
    told = shared_json("reference/next.json")["judge"]
    board = dh.rank(str(REFERENCE))
    first = board.entries[0]
    assert first.value == pytest.approx(told["ppi++ A"]["value"], abs=1e-5)
    assert [first.interval.low, first.interval.high] == pytest.approx(told["ppi++ A"]["interval95"], abs=1e-5)
    assert first.interval.low < told["truth A"] < first.interval.high
    assert board.judged[0].kappa == pytest.approx(told["kappa A"]["value"], abs=1e-4)
    assert board.judged[0].people == told["labels alone A"]
    raw = dh.rank(str(REFERENCE), dh.Estimand(judge="raw")).entries[0]
    assert raw.value == told["judge alone A"]
    assert raw.interval.high < told["truth A"]
    case = told["rogan-gladen"]
    found = rogan_gladen(case["p"], case["n"], case["q0"], case["m"], case["q1"], case["m"])
    assert found.value == pytest.approx(case["theta"], abs=1e-12)
    assert found.se == pytest.approx(case["se plug-in"], abs=1e-4)


def test_kappa_by_hand():
    """Fleiss, Levin and Paik's form: 45 of 50 agree where chance gives .58."""
    a = np.array([1.0] * 30 + [0.0] * 20)
    b = np.array([1.0] * 28 + [0.0] * 2 + [1.0] * 3 + [0.0] * 17)
    chance = 0.6 * 0.62 + 0.4 * 0.38
    found = agreement(a, b)
    assert found.value.kappa == pytest.approx((0.9 - chance) / (1 - chance))
    assert found.low.kappa < found.value.kappa < found.high.kappa
    flat = agreement(np.ones(3), np.ones(3))
    assert np.isnan([flat.value.kappa, flat.value.alpha, flat.low.kappa]).all()
    assert flat.value.ac1 == 1


def test_agreement_of_other_programs():
    """scikit-learn 1.7 (kappa), krippendorff 0.8 (alpha), irrCAC 0.4 (AC1) on these ratings."""
    rng = np.random.default_rng(11)
    people = (rng.random(80) < 0.7).astype(float)
    judge = np.where(rng.random(80) < 0.2, 1 - people, people)
    found = agreement(judge, people).value
    assert found.kappa == pytest.approx(0.421613394216134, abs=1e-12)
    assert found.alpha == pytest.approx(0.41623188405797107, abs=1e-12)
    assert found.ac1 == pytest.approx(0.60131, abs=5e-6)
    one = [2, 2, 1, 4, 4, 3, 4, 3, 3, 4, 4, 3, 3, 2, 2, 5, 1, 1, 4, 2, 1, 3, 4, 1, 3, 1, 3, 4, 5, 4]
    one += [2, 4, 4, 5, 4, 4, 1, 2, 2, 4, 5, 2, 3, 4, 1, 2, 1, 1, 4, 5, 1, 4, 4, 4, 4, 3, 1, 4, 1, 3]
    two = [3, 2, 1, 3, 3, 3, 5, 4, 2, 5, 4, 4, 3, 2, 2, 5, 1, 1, 4, 3, 2, 3, 5, 1, 4, 1, 2, 4, 5, 4]
    two += [1, 5, 5, 4, 5, 4, 1, 2, 1, 4, 4, 2, 2, 3, 2, 2, 1, 2, 4, 4, 2, 3, 5, 3, 5, 3, 1, 5, 1, 2]
    graded = agreement(np.array(one, float), np.array(two, float)).value
    assert graded.kappa == pytest.approx(0.8530986993114001, abs=1e-12)
    assert graded.alpha == pytest.approx(0.8542336548767417, abs=1e-12)
    assert np.isnan(graded.ac1)


def test_intervals_of_agreement_cover():
    """Kappa of a judge that is wrong at 15 % of answers, 70 % of which are right: 60 and 200 labels."""
    rng, hits = np.random.default_rng(3), dict.fromkeys((60, 200), 0)
    accepted = 0.7 * 0.85 + 0.3 * 0.15
    chance = 0.7 * accepted + 0.3 * (1 - accepted)
    kappa = (0.85 - chance) / (1 - chance)
    for labels in hits:
        for _ in range(600):
            y = (rng.random(labels) < 0.7).astype(float)
            f = np.where(rng.random(labels) < 0.15, 1 - y, y)
            found = agreement(f, y)
            hits[labels] += found.low.kappa <= kappa <= found.high.kappa
    assert all(0.92 <= hit / 600 <= 0.98 for hit in hits.values())
    twins = np.repeat(np.arange(60), 2)
    y = (rng.random(60) < 0.7).astype(float)
    f = np.where(rng.random(60) < 0.15, 1 - y, y)
    doubled = agreement(np.repeat(f, 2), np.repeat(y, 2), cluster=twins)
    assert doubled.low.kappa == pytest.approx(agreement(f, y).low.kappa)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("judge", ["corrected", "labels"])
def test_claims_hold(seed, judge):
    attempts = simulated(seed, alike=seed % 2 == 0)
    board = dh.rank(table(attempts), dh.Estimand(judge=judge))
    document = board.to_dict() | {"claims": [c for c in board.to_dict()["claims"] if c["code"] == "judged"]}
    assert check(Case(attempts, {}, document)) == ["judged"]


@pytest.mark.parametrize("verb", ["rank", "compare"])
@pytest.mark.parametrize("alike", [True, False])
def test_labels_that_were_picked_are_said_first(verb, alike):
    attempts = simulated(3, items=200, labels=120, alike=alike)
    for x in attempts:
        x["human"] = x["human"] if x["score"] == 1 or x["item"].endswith("0") else None
    run_verb = {"rank": dh.rank, "compare": lambda t: dh.compare(t, "e0", "e1")}[verb]
    document = run_verb(table(attempts)).to_dict()
    first = document["claims"][0]
    assert document["summary"].startswith("The labelled items are no random part")
    of = [x for x in attempts if verb == "rank" or x["entry"] in ("e0", "e1")]
    if verb == "rank":
        assert check(Case(of, {}, document | {"claims": [first]})) == ["labels-picked"]
    assert first["labelled"] > first["others"]
    random = run_verb(table(simulated(3, items=200, labels=120, alike=alike))).to_dict()
    assert "labels-picked" not in [claim["code"] for claim in random["claims"]]


def test_labels_alone_are_over_labelled_items():
    """Items without any label are left out, counted, and make no board ragged; another metric is refused."""
    attempts = simulated(5)
    board = dh.rank(table(attempts), dh.Estimand(judge="labels"))
    codes = {note.code: note.text for note in board.notes}
    assert codes["items-without-label"].startswith("80 of 120 items have no label")
    assert "ragged" not in codes
    assert [line.items for line in board.entries] == [40] * 3
    people = {line.entry: line.people for line in board.judged}
    assert people == pytest.approx({line.entry: line.value for line in board.entries})
    assert list(people) == [line.entry for line in board.entries]
    for other in ({"metric": "pass@k", "k": 1}, {"absent": "fitted"}, {"generalises_to": "reruns"}):
        with pytest.raises(dh.MethodError, match="--judge labels takes the mean label"):
            dh.rank(table(attempts), dh.Estimand(judge="labels", **other))


def test_labels_of_every_item_count_alone(tmp_path):
    """A column `human` without a score is the score, also of a file of labels."""
    attempts = simulated(5, items=40, labels=40)
    board = dh.rank(table(attempts))
    assert board.estimand.judge == "labels"
    assert board.to_dict()["claims"][-1]["scores"] == "labels"
    for name, keys in (("scores", "score"), ("labels", "human")):
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            out = csv.DictWriter(file, ["entry", "item", keys], extrasaction="ignore")
            out.writeheader()
            out.writerows(attempts)
    out = tmp_path / "board.json"
    assert (
        run(["rank", str(tmp_path / "scores.csv"), "--labels", str(tmp_path / "labels.csv"), "-o", str(out)])
        == 0
    )
    values = [line["value"] for line in json.loads(out.read_text())["entries"]]
    assert values == [line.value for line in board.entries]


@pytest.mark.parametrize("value", [0, 1])
def test_without_any_spread(value):
    """An interval holds its value, and what is withheld speaks of labels, not of categories."""
    attempts = [
        x | {"score": value, "human": None if x["human"] is None else value} for x in simulated(6, entries=2)
    ]
    board = dh.rank(table(attempts))
    for line in board.entries:
        assert line.interval.low <= line.value <= line.interval.high
        assert line.se is None
        assert not any("category" in note.text for note in line.notes)
    assert not any("category" in note.text for note in board.entries[1].vs_anchor.notes)


def test_other_verbs_say_whose_scores_they_take():
    """Plans, simulations and items take the judge's scores, and say so unless asked for them."""
    attempts, text = simulated(7), "labels of people are there and not used: scores are those of the judge"
    found = table(attempts)
    for document in (dh.plan.items(observed=dh.plan.observe(found)), dh.items(found)):
        assert text in [note.text for note in document.notes]
    assert text not in [note.text for note in dh.items(found, dh.Estimand(judge="raw")).notes]


@pytest.mark.parametrize("alike", [True, False])
def test_the_error_is_that_of_the_parts(alike):
    """The board's pairs against a plain computation of strata, or of pseudo-values."""
    attempts = simulated(4, alike=alike, entries=2)
    board = dh.rank(table(attempts))
    pair = board.entries[1].vs_anchor
    assert pair.difference == pytest.approx(board.entries[1].value - board.entries[0].value)
    compared = dh.compare(table(attempts), pair.a, pair.b).comparisons[0]
    assert (compared.p, compared.difference, compared.se) == pytest.approx((pair.p, pair.difference, pair.se))
    data = {}
    for x in attempts:
        data.setdefault(x["entry"], []).append((x["score"], x["human"]))
    judge, people = (
        np.array([[np.nan if x[at] is None else x[at] for x in data[e]] for e in (pair.a, pair.b)])
        for at in (0, 1)
    )
    labelled = np.isfinite(people)
    found = corrected(judge, np.nan_to_num(people), np.ones(judge.shape, bool), labelled)
    if alike:
        gap = found.parts[0] - found.parts[1]
        n, m = labelled[0].sum(), (~labelled[0]).sum()
        variance = gap[labelled[0]].var(ddof=1) / n + gap[~labelled[0]].var(ddof=1) / m
    else:
        gap = found.values[0] - found.values[1]
        variance = gap.var(ddof=1) / len(gap)
        assert any(note.code == "labels-on-different-items" for note in board.notes)
    assert pair.se == pytest.approx(np.sqrt(variance))


def test_a_file_of_labels_gives_the_same_board(tmp_path, capsys):
    attempts = simulated(1)
    one, two, labels = (tmp_path / name for name in ("all.csv", "scores.csv", "labels.csv"))
    with open(one, "w", newline="") as a, open(two, "w", newline="") as b, open(labels, "w", newline="") as c:
        csv.writer(a).writerow(["entry", "item", "score", "human"])
        csv.writer(b).writerow(["entry", "item", "score"])
        csv.writer(c).writerow(["entry", "item", "score"])
        for x in attempts:
            csv.writer(a).writerow(
                [x["entry"], x["item"], x["score"], "" if x["human"] is None else x["human"]]
            )
            csv.writer(b).writerow([x["entry"], x["item"], x["score"]])
            if x["human"] is not None:
                csv.writer(c).writerow([x["entry"], x["item"], x["human"]])
    assert run(["rank", str(one), "--json", "--quiet"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert run(["rank", str(two), "--labels", str(labels), "--json", "--quiet"]) == 0
    parted = json.loads(capsys.readouterr().out)
    for key in ("entries", "claims", "judged", "summary", "estimand"):
        assert parted[key] == whole[key]
    assert parted["estimand"]["judge"] == "corrected"
    labels.write_text("entry,item,score\ne9,i001,1\n")
    assert run(["rank", str(two), "--labels", str(labels), "--quiet"]) == 1
    assert "found the entry e9 among the labels alone" in capsys.readouterr().err
    labels.write_text("entry,item,score\ne0,i001,7\n")
    assert run(["rank", str(two), "--labels", str(labels), "--quiet"]) == 1
    assert "so labels are too; found labels from 7 to 7" in capsys.readouterr().err


def test_words_are_labels():
    attempts = simulated(2)
    worded = [{**x, "human": {None: None, 1.0: "yes", 0.0: "No"}[x["human"]]} for x in attempts]
    assert dh.rank(table(worded)).to_dict()["judged"] == dh.rank(table(attempts)).to_dict()["judged"]
    worded[int(np.flatnonzero([x["human"] == "yes" for x in worded])[0])]["human"] = "perhaps"
    with pytest.raises(dh.DataError, match="found 'perhaps'; leave it empty"):
        dh.rank(table(worded))


def test_too_few_labels_leave_the_board_raw():
    attempts = simulated(3, labels=6)
    board = dh.rank(table(attempts))
    assert board.estimand.judge == "raw"
    assert board.judged is None
    assert any("each entry needs 10 labels; found 6" in note.text for note in board.notes)
    with pytest.raises(dh.DataError, match="each entry needs 10 labels"):
        dh.rank(table(attempts), dh.Estimand(judge="corrected"))
    with pytest.raises(dh.DataError, match="found none: a column human, or --labels FILE"):
        dh.rank("src/deadheat/demo/board.csv", dh.Estimand(judge="labels"))
    with pytest.raises(dh.MethodError, match="judge is one of corrected, raw, labels"):
        dh.Estimand(judge="people")


@pytest.mark.parametrize(
    "options", [{"generalises_to": "reruns"}, {"absent": "fitted"}], ids=["reruns", "fitted"]
)
def test_other_questions_are_refused(options):
    with pytest.raises(dh.MethodError, match="judge"):
        dh.rank(table(simulated(5)), dh.Estimand(judge="corrected", **options))


def test_clusters_and_real_scores_are_corrected_too():
    attempts = simulated(6, scale=1.0)
    data = frame(attempts) | {
        "repo": np.array([f"r{int(x['item'][1:]) % 12}" for x in attempts], dtype=object)
    }
    board = dh.rank(dh.Table.from_frame(data), dh.Estimand(cluster="repo"))
    assert board.estimand.judge == "corrected"
    assert board.entries[0].se > 0
    large = dh.rank(table(simulated(6, scale=10.0)))
    plain = dh.rank(table(attempts))
    assert [x.value / 10 for x in large.entries] == pytest.approx([x.value for x in plain.entries])


def test_the_judge_that_says_nothing_is_told():
    attempts = simulated(7, items=400, labels=150, wrong=0.5)
    board = dh.rank(table(attempts))
    assert any(note.code == "judge-adds-nothing" for note in board.notes)


def test_unlike_errors_are_told():
    attempts = simulated(8, items=400, labels=200, wrong=0.02)
    spoiled = [{**x, "score": 1.0} if x["entry"] == "e0" else x for x in attempts]
    notes = [note.code for note in dh.rank(table(spoiled)).notes]
    assert "judge-errors-differ" in notes
    assert "judge-errors-differ" not in [note.code for note in dh.rank(table(attempts)).notes]


def test_order_and_names_change_nothing():
    attempts = simulated(9)
    first = dh.rank(table(attempts)).to_dict()
    again = dh.rank(table(attempts[::-1])).to_dict()
    assert again["entries"] == first["entries"]
    assert again["judged"] == first["judged"]


def test_every_format_shows_the_judge(tmp_path):
    board = dh.rank(table(simulated(10)), every_pair=True)
    for form in FORMS:
        text = render(board, form)
        assert "corrected" in text.lower() or form == "csv"
    assert "Judge against people" in render(board, "html")


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("studies_judge", Path(ROOT / "studies/judge.py"))
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("cell", [(30, 500, 0.7), (100, 500, 0.9), (300, 1000, 0.7)], ids=str)
def test_coverage_and_size(study, cell):
    """A small version of the study: within four Monte Carlo errors of what its page states."""
    hit, raw, size, _, error = study.cell(*cell, study.JUDGES[1], 1_500)
    assert 0.93 - 4 * np.sqrt(0.05 * 0.95 / 1_500) < hit
    assert raw < 0.5
    assert size < 0.055 + 4 * np.sqrt(0.05 * 0.95 / 1_500)
    assert error < 1


def test_other_verbs_say_that_they_take_raw_scores():
    with pytest.raises(dh.MethodError, match="--judge labels is for rank and compare"):
        dh.items(table(simulated(11)), dh.Estimand(judge="labels"))


def test_audit_sets_the_judge_against_people(tmp_path, capsys):
    attempts = simulated(12, labels=80, wrong=0.05)
    spoiled = [{**x, "score": 1.0} if x["entry"] == "e0" else x for x in attempts]
    path = tmp_path / "judged.csv"
    rows = [",".join("" if v is None else str(v) for v in x.values()) for x in spoiled]
    path.write_text("\n".join(["entry,item,score,human_label", *rows]))
    assert run(["audit", str(path), "--json", "--quiet"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    found = {x["entry"]: x for x in findings if x["code"] == "judge-against-people"}
    assert found["e0"]["severity"] == "warning"
    assert "higher on average (sign test" in found["e0"]["text"]
    assert found["e1"]["severity"] == "info"
    assert "of 80 labels" in found["e1"]["text"]
    assert run(["convert", str(path), "-o", str(tmp_path / "out.csv"), "--quiet"]) == 0
    again = dh.rank(str(tmp_path / "out.csv"))
    assert [line.labels for line in again.judged] == [80, 80, 80]


def test_drift_is_the_f_test_of_other_programs():
    rng = np.random.default_rng(0)
    value, group = rng.integers(-1, 2, size=90).astype(float), rng.integers(4, size=90)
    group[:3] = 7  # too few to test
    found = equal_means(value, group)
    parts = [value[group == at] for at in range(4)]
    assert found.p == pytest.approx(stats.f_oneway(*parts).pvalue, rel=1e-10)
    assert (found.group.tolist(), found.mean.tolist()) == (
        [0, 1, 2, 3],
        [pytest.approx(x.mean()) for x in parts],
    )
    split = equal_means(np.repeat([0.0, 1.0], 5), np.repeat([0, 1], 5))
    assert split.p == pytest.approx(1 / 252)  # the share of arrangements as extreme as this, on one side
    assert equal_means(np.ones(20), np.arange(20) % 2) is None
    p = [equal_means((rng.random(60) < 0.15).astype(float), np.arange(60) % 3).p for _ in range(2000)]
    assert 0.035 < np.mean(np.array(p) < 0.05) < 0.062


@pytest.mark.parametrize("drifts", [True, False])
def test_audit_finds_where_the_judge_drifts(drifts, tmp_path, capsys):
    rng = np.random.default_rng(4)
    with open(tmp_path / "r.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["entry", "item", "category", "date", "score", "human"])
        for entry in ("a", "b"):
            for item in range(300):
                right = bool(rng.random() < 0.6)
                kind, late = ("code", "maths")[item % 2], item >= 150
                wrong = 0.05 + drifts * (0.45 * (kind == "maths") + 0.45 * late)
                score = right or bool(rng.random() < wrong)
                day = f"2026-0{1 + item // 100}-1{item // 50}"
                out.writerow([entry, item, kind, day, int(score), int(right) if item % 5 < 3 else ""])
    assert run(["audit", str(tmp_path / "r.csv"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    texts = [finding["text"] for finding in found["findings"] if finding["code"] == "judge-drift"]
    for name in ("category", "date"):
        assert any(f"differs by {name}" in text for text in texts) == drifts
    board = {line["entry"]: line for line in dh.rank(str(tmp_path / "r.csv"), level=0.9).to_dict()["judged"]}
    for line in found["judge"]:
        same = board[line["entry"]]
        assert (line["table"], line["kappa"]) == (list(same["table"]), same["kappa"])
        assert (line["kappa_interval"]["level"], same["kappa_interval"]["level"]) == (0.95, 0.9)
        assert line["kappa_interval"]["low"] < same["kappa_interval"]["low"]
    assert run(["audit", str(tmp_path / "r.csv"), "--format", "csv"]) in (0, 2)
    assert run(["audit", str(tmp_path / "r.csv"), "-o", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    assert all(title in page for title in ("Judge against people", "Both accept", "AC1 95 % CI"))


def weighted_table(rng, items=300, budget=80, entries=2, *, column="inclusion"):
    """People look rather where the judge rejects, with known probabilities; truth is .7 and .6."""
    right = (rng.normal(size=(entries, items)) + rng.normal(size=items)) < np.array([[0.742], [0.358]])[
        :entries
    ]
    judge = np.where(rng.random(right.shape) < 0.15, ~right, right).astype(float)
    wish = np.where(judge.mean(axis=0) < 1, 2.5, 1.0)
    chance = np.minimum(wish * budget / wish.sum(), 1.0)
    drawn = rng.random(items) < chance
    human = np.where(drawn, right.astype(int).astype(str), None)
    names = [f"i{at:03}" for at in range(items)]
    return {
        "entry": np.repeat([f"e{at}" for at in range(entries)], items),
        "item": np.tile(names, entries),
        "score": judge.ravel(),
        "human": human.ravel(),
        column: np.tile(chance.round(12), entries),
    }


@pytest.mark.parametrize("judge", ["corrected", "labels", "raw", "inclusion"])
def test_an_entry_without_any_score_changes_no_other(judge):
    attempts = simulated(3, entries=3, items=90, labels=30)
    asked = dh.Estimand(judge="corrected" if judge == "inclusion" else judge)
    columns = frame(attempts)
    if judge == "inclusion":
        columns["inclusion"] = np.full(len(attempts), 1 / 3)
    without = dh.Table.from_frame(columns)
    unscored = np.array([f"i{item:03}" for item in range(90)], dtype=object)
    wider = {
        key: np.concatenate(
            [column, {"entry": np.full(90, "none"), "item": unscored}.get(key, np.full(90, None))]
        )
        for key, column in columns.items()
    }
    wider["status"] = np.array(["scored"] * len(attempts) + ["absent"] * 90, dtype=object)
    with_it = dh.Table.from_frame(wider)
    few, more = dh.rank(without, asked), dh.rank(with_it, asked)
    assert [(x.entry, x.value, x.se, x.interval) for x in few.entries] == [
        (x.entry, x.value, x.se, x.interval) for x in more.entries[:-1]
    ]
    last = more.entries[-1]
    assert (last.entry, last.value, last.se) == ("none", None, None)
    assert any("no item carries a score" in note.text for note in last.notes)
    assert all(render(more, form) for form in FORMS)
    p = [dh.compare(x, "e0", "e1", asked).comparisons[0].p for x in (with_it, without)]
    assert p[0] == p[1]


def test_labels_drawn_with_known_probabilities_are_unbiased():
    """Scores and differences of 2,000 replicates: unbiased, and 95 % intervals hold."""
    rng, shape = np.random.default_rng(8), (2_000, 400)
    ease = rng.normal(size=shape)
    chance = np.clip(0.25 + 0.15 * ease, 0.1, 0.6)  # rather the hard ones
    labelled, present = rng.random(shape) < chance, np.ones(shape, dtype=bool)
    values = []
    for rate in (0.7, 0.6):
        right = (ease + rng.normal(size=shape)) / np.sqrt(2) < NormalDist().inv_cdf(rate)
        judge = np.where(rng.random(shape) < 0.15, ~right, right)
        found = weighted(judge, right.astype(float), present, labelled, chance)
        error = found.value.std() / np.sqrt(len(found.value))
        assert abs(found.value.mean() - rate) < 4 * error
        assert found.se.mean() == pytest.approx(found.value.std(), rel=0.05)
        assert 0.93 <= np.mean(np.abs(found.value - rate) < 1.96 * found.se) <= 0.965
        alone = (labelled * right).sum(axis=1) / labelled.sum(axis=1)
        assert abs(alone.mean() - rate) > 20 * error
        values.append(found.values)
    gap = values[0] - values[1]
    se = gap.std(axis=1, ddof=1) / np.sqrt(shape[1])
    assert 0.93 <= np.mean(np.abs(gap.mean(axis=1) - 0.1) < 1.96 * se) <= 0.965


def test_known_probabilities_by_hand(tmp_path):
    """The pseudo-values term by term; a file of labels carries the column too; odd numbers are refused."""
    frame = weighted_table(np.random.default_rng(2), items=60, budget=25, entries=1)
    board = dh.rank(dh.Table.from_frame(frame))
    f, pi = frame["score"], frame["inclusion"]
    y = np.array([np.nan if x is None else float(x) for x in frame["human"]])
    has = np.isfinite(y)
    w = 1 / pi[has]
    mean_f, mean_y = np.average(f[has], weights=w), np.average(y[has], weights=w)
    slope = np.average((f[has] - mean_f) * (y[has] - mean_y), weights=w) / np.average(
        (f[has] - mean_f) ** 2, weights=w
    )
    guess = mean_y + slope * (f - mean_f)
    values = guess.copy()
    values[has] += (y[has] - guess[has]) / pi[has]
    line = board.entries[0]
    assert line.value == pytest.approx(values.mean())
    assert line.se == pytest.approx(values.std(ddof=1) / np.sqrt(60))
    assert "labels-by-known-probabilities" in [note.code for note in board.notes]
    for name, keys in (
        ("scores", ("entry", "item", "score")),
        ("labels", ("entry", "item", "human", "inclusion")),
    ):
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            out = csv.writer(file)
            out.writerow(keys)
            rows = zip(*(frame[key] for key in keys), strict=True)
            out.writerows(row for row in rows if name == "scores" or row[2] is not None)
    out = tmp_path / "board.json"
    words = ["rank", str(tmp_path / "scores.csv"), "--labels", str(tmp_path / "labels.csv"), "-o", str(out)]
    assert run(words) == 0
    assert json.loads(out.read_text())["entries"][0]["value"] == pytest.approx(line.value)
    frame["inclusion"] = np.where(has, 1.5, 0.5)
    with pytest.raises(dh.DataError, match="above 0 and at most 1"):
        dh.rank(dh.Table.from_frame(frame))
