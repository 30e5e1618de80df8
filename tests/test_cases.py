"""Faults of public bug reports, asked again of this package."""

import json

import pytest

import cases
from support import NEEDS_SHARED, SHARED, shared_json

FILE = "cases/cases-open.json"
# Its rows hold 10 right of 20; the file expects a mean of .55, around which its interval lies too.
CONTRADICTS_ITSELF = {"I01"}


@NEEDS_SHARED
@pytest.mark.parametrize("case", (shared_json(FILE) or {"cases": []})["cases"], ids=lambda case: case["id"])
def test_case(case):
    if case["id"] in CONTRADICTS_ITSELF:
        rows = [score for _, score in case["input"]["rows"]]
        assert case["expected"]["mean"] != sum(rows) / len(rows)
        pytest.skip("the file contradicts itself here: its expected mean is not that of its rows")
    assert cases.run(case) == []


def test_the_runner_can_fail(tmp_path, capsys):
    wrong = {
        "id": "X",
        "input": {"op": "interval", "k": 3, "n": 9},
        "expected": {"wilson": [0.0, 1.0]},
        "tolerance": {},
    }
    right = {
        "id": "Y",
        "input": {"op": "interval", "k": 0, "n": 9},
        "expected": {"stderr": None, "flag": "boundary"},
    }
    unknown = {"id": "Z", "input": {"op": "walt"}, "expected": {"p": 1.0}}
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [wrong, right, unknown]}))
    assert cases.main(str(path)) == 1
    printed = capsys.readouterr().out
    assert printed.endswith("1 passed, 2 failed\n")
    assert "no such op: walt" in printed


@NEEDS_SHARED
def test_the_command_ends_with_its_count():
    import subprocess
    import sys

    command = [sys.executable, cases.__file__, str(SHARED / FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    passed, failed = done.stdout.splitlines()[-1].split(", ")
    assert passed.endswith(" passed")
    assert failed.endswith(" failed")
