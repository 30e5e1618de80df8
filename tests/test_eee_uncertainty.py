"""Uncertainty written back into an aggregate record of Every Eval Ever."""

import json
import shutil

import pytest

from deadheat import wilson
from deadheat.annotating.eee_uncertainty import with_uncertainty
from deadheat.cli.main import run
from formats_kit import FIXTURES, shared

RECORD = FIXTURES / "every-eval-ever" / "data" / "sums" / "org" / "a" / "0001.json"


def made(tmp_path, scores, stated, unit="proportion"):
    """A record and its instances, one score an item."""
    rows = [
        {
            "schema_version": "0.3.0",
            "evaluation_id": "e",
            "model_id": "m",
            "evaluation_name": "sums",
            "sample_id": str(n),
            "evaluation": {"score": score, "is_correct": score == 1},
        }
        for n, score in enumerate(scores)
    ]
    (tmp_path / "x_samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = {
        "evaluation_name": "sums",
        "metric_config": {"metric_unit": unit},
        "score_details": {"score": stated, "details": {"kept": [1]}},
    }
    record = {"schema_version": "0.3.0", "evaluation_id": "e", "model_info": {"id": "m"}, "zz": None}
    (tmp_path / "x.json").write_text(json.dumps(record | {"evaluation_results": [result]}))
    return tmp_path / "x.json"


@pytest.mark.parametrize(("unit", "factor"), [("proportion", 1), ("percent", 100)])
def test_standard_error_and_interval_are_those_of_the_items(unit, factor, tmp_path):
    path = made(tmp_path, [1.0] * 15 + [0.0] * 5, 0.75 * factor, unit)
    text, left = with_uncertainty(path)
    record = json.loads(text)
    before = json.loads(path.read_text())
    uncertainty = record["evaluation_results"][0]["score_details"].pop("uncertainty")
    assert record == before
    assert left == []
    low, high = wilson(15, 20)
    assert uncertainty["num_samples"] == 20
    assert uncertainty["standard_error"]["value"] == pytest.approx(factor * (0.75 * 0.25 / 20) ** 0.5)
    interval = uncertainty["confidence_interval"]
    assert (interval["lower"], interval["upper"]) == pytest.approx((low * factor, high * factor))
    assert interval["confidence_level"] == 0.95
    assert "Wilson" in interval["method"] or "wilson" in interval["method"]


def test_a_boundary_score_has_an_interval_and_no_standard_error(tmp_path):
    text, _ = with_uncertainty(made(tmp_path, [1.0] * 8, 1.0))
    uncertainty = json.loads(text)["evaluation_results"][0]["score_details"]["uncertainty"]
    assert set(uncertainty) == {"num_samples", "confidence_interval"}


def test_a_score_that_its_instances_contradict_is_left_alone(tmp_path):
    text, left = with_uncertainty(made(tmp_path, [1.0] * 15 + [0.0] * 5, 0.9))
    assert "uncertainty" not in json.loads(text)["evaluation_results"][0]["score_details"]
    assert left == ["sums: its instances give 0.75, the record says 0.9"]


def test_the_command_writes_another_file_and_never_the_record(tmp_path, capsys):
    shutil.copytree(RECORD.parent, tmp_path / "a")
    record, out = tmp_path / "a" / "0001.json", tmp_path / "out.json"
    assert run(["convert", str(record), "--uncertainty", "-o", str(out)]) == 0
    assert capsys.readouterr().err == "deadheat: acc: 1 errored instances counted as zero\n"
    details = json.loads(out.read_text())["evaluation_results"][0]["score_details"]
    assert details["uncertainty"]["num_samples"] == 2
    assert run(["convert", str(record), "--uncertainty", "-o", str(record)]) == 2
    assert "never written to" in capsys.readouterr().err
    assert run(["convert", str(record), str(record), "--uncertainty"]) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [('{"a": 1}', "no list evaluation_results"), ("[]", "not as the format says: Expected `object`")],
)
def test_what_is_no_record_is_refused(text, message, tmp_path, capsys):
    (tmp_path / "x.json").write_text(text)
    assert run(["convert", str(tmp_path / "x.json"), "--uncertainty"]) == 1
    assert message in capsys.readouterr().err


def test_without_instances_it_is_refused(tmp_path, capsys):
    shutil.copy(RECORD, tmp_path / "x.json")
    assert run(["convert", str(tmp_path / "x.json"), "--uncertainty"]) == 1
    assert "no instance records beside it; x_samples.jsonl is needed" in capsys.readouterr().err


def test_records_of_the_real_converter_agree_with_its_own_standard_error():
    """lm-eval's standard error, which the converter copies, divides by n - 1 where the binomial one has n."""
    folder = shared("formats", "fixtures-more", "every_eval_ever", "out", "data", "toy_mc", "toy-org", "good")
    [path] = [p for p in folder.iterdir() if not p.name.endswith("_samples.jsonl")]
    before = json.loads(path.read_text())["evaluation_results"]
    after = json.loads(with_uncertainty(path)[0])["evaluation_results"]
    for old, new in zip(before, after, strict=True):
        stated, found = (r["score_details"]["uncertainty"] for r in (old, new))
        n = found["num_samples"]
        expected = stated["standard_error"]["value"] * ((n - 1) / n) ** 0.5
        assert found["standard_error"]["value"] == pytest.approx(expected)
