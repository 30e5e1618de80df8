"""Faults of public bug reports, asked again of this package."""

import json

import pytest

import cases
from support import NEEDS_SHARED, SHARED, shared_json

FILE = "cases/cases-open.json"


@NEEDS_SHARED
@pytest.mark.parametrize("case", (shared_json(FILE) or {"cases": []})["cases"], ids=lambda case: case["id"])
def test_case(case):
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
    count = len(shared_json(FILE)["cases"])
    assert done.stdout.splitlines()[-1] == f"{count} passed, 0 failed"
    assert done.returncode == 0
