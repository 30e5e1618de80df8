"""Audits that accused rates which are right, and contradictions that they passed over."""

from __future__ import annotations

import json

import pytest

from deadheat.cli.main import run


def audited(capsys, *arguments):
    code = run([*map(str, ("audit", *arguments)), "--json"])
    return code, {f["code"]: f for f in json.loads(capsys.readouterr().out)["findings"]}


def test_a_rate_of_attempts_is_possible(tmp_path, capsys):
    results, claims = tmp_path / "ms.csv", tmp_path / "claims.csv"
    right = [5, 5, 5, 5, 5, 1, 0, 0, 0, 0]  # 26 of 50
    rows = [f"A,i{i},{s},{int(s < right[i])}" for i in range(10) for s in range(5)]
    results.write_text("entry,item,sample,score\n" + "\n".join(rows) + "\n")
    claims.write_text("entry,rate\nA,52.0\n")
    _, found = audited(capsys, results, "--claims", claims)
    assert "impossible-rate" not in found
    assert "26 right" in found["recovered-count"]["text"]
    claims.write_text("entry,rate\nA,51.0\n")
    assert "impossible-rate" in audited(capsys, results, "--claims", claims)[1]


def test_a_rate_over_what_has_no_score_is_possible(tmp_path, capsys):
    results, claims = tmp_path / "imp.csv", tmp_path / "claims.csv"
    rows = [f"A,i{i},{'' if i == 499 else int(i < 344)}" for i in range(500)]
    results.write_text("entry,item,score\n" + "\n".join(rows) + "\n")
    claims.write_text("entry,rate\nA,68.8\n")
    _, found = audited(capsys, results, "--claims", claims)
    assert "impossible-rate" not in found
    assert "344 right" in found["recovered-count"]["text"]


def test_failed_attempts_left_out_are_a_possible_denominator(tmp_path, capsys):
    results, claims = tmp_path / "f.csv", tmp_path / "claims.csv"
    rows = [f"A,i{i},{'' if i < 3 else int(i < 10)},{'failed' if i < 3 else 'scored'}" for i in range(20)]
    results.write_text("entry,item,score,status\n" + "\n".join(rows) + "\n")
    claims.write_text("entry,rate\nA,41.18\n")  # 7 of 17
    assert "impossible-rate" not in audited(capsys, results, "--claims", claims)[1]
    claims.write_text("entry,rate\nA,41.30\n")
    assert "nor of 17" in audited(capsys, results, "--claims", claims)[1]["impossible-rate"]["text"]


def test_a_swebench_report_that_contradicts_itself(tmp_path, capsys):
    ids = [f"a__b-{n}" for n in range(1, 5)]
    report = {
        "total_instances": 4,
        "submitted_instances": 4,
        "resolved_instances": 2,
        "unresolved_instances": 2,
        "submitted_ids": ids,
        "resolved_ids": ids[:3],
        "unresolved_ids": ids[2:],
    }
    (tmp_path / "m.run.json").write_text(json.dumps(report))
    code, found = audited(capsys, tmp_path / "m.run.json", "--fail-on", "error")
    assert code == 3
    text = found["report-contradicts-itself"]["text"]
    assert "in resolved_ids and in unresolved_ids" in text
    assert "resolved_instances is 2, and resolved_ids lists 3" in text


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("finding", 3)])
def test_a_warning_fails_findings_alone(tmp_path, capsys, fail_on, code):
    rows = [f"{e},i{i},{'' if i == 3 else i % 2}" for e in "AB" for i in range(9)]
    (tmp_path / "w.csv").write_text("entry,item,score\n" + "\n".join(rows) + "\n")
    assert audited(capsys, tmp_path / "w.csv", "--fail-on", fail_on)[0] == code
