"""The claims of audits and of exact coverage hold."""

from __future__ import annotations

import json
import random

import pytest

from deadheat.cli.main import run
from truth.checkers import check
from truth.plain import Case
from truth.tables import board


def told(capsys, arguments, attempts=()):
    run([*map(str, arguments), "--json"])
    case = Case(list(attempts), {}, json.loads(capsys.readouterr().out))
    return check(case)


def write(path, attempts):
    rows = [f"{x['entry']},{x['item']},{x['score']:g}" for x in attempts]
    path.write_text("entry,item,score\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize("seed", range(6))
def test_audits_of_new_entries(seed, tmp_path, capsys):
    attempts = board(random.Random(seed), 5, 40)
    new = [x for x in attempts if x["entry"] in ("A0", "B1")]
    write(tmp_path / "new.csv", new)
    write(tmp_path / "old.csv", [x for x in attempts if x not in new])
    codes = told(capsys, ["audit", tmp_path / "new.csv", "--against", tmp_path / "old.csv"], attempts)
    assert codes == ["joins", "joins", "findings"]
    assert told(capsys, ["audit", tmp_path / "new.csv"]) == ["findings"]


@pytest.mark.parametrize("method", ["wilson", "wald", "clopper-pearson", "bootstrap"])
def test_coverage(method, capsys):
    assert told(capsys, ["coverage", method, "--items", 17]) == ["lowest-coverage"]
