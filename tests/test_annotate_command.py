"""`deadheat annotate` as a build runs it: where everything goes, and how long it takes."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from deadheat.cli.main import run
from sites import document, entry, right
from support import ROOT


@pytest.fixture
def site(tmp_path):
    path = tmp_path / "leaderboards.json"
    entries = [entry("a", 50.0, right(5, 10)), entry("b", 90.0, right(1, 10)), entry("c", 40.0, right(4, 10))]
    path.write_text(json.dumps(document(*entries)))
    return path


def test_document_on_standard_output(site, capsys):
    before = site.read_bytes()
    assert run(["annotate", str(site)]) == 0
    done = capsys.readouterr()
    found = json.loads(done.out)
    assert found["leaderboards"][0]["results"][0]["statistics"]["group"] == 1
    assert "main: The b (b) withheld: published 90.00 %, but its per-item results imply 10.00 %" in done.err
    assert site.read_bytes() == before
    assert run(["annotate", str(site), "--quiet"]) == 0
    again = capsys.readouterr()
    assert (again.out, again.err) == (done.out, "")


def test_files(site, tmp_path, capsys):
    out, page = tmp_path / "out.json", tmp_path / "page.html"
    assert run(["annotate", str(site), "-o", str(out), "--html", str(page), "-q"]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads(out.read_text())["leaderboards"]
    assert page.read_text().startswith("<!doctype html>")
    out.unlink()
    assert run(["annotate", str(site), "--html", str(page), "-q"]) == 0
    assert capsys.readouterr().out == ""
    assert not out.exists()


def test_sidecar_and_fragment(site, capsys):
    assert run(["annotate", str(site), "--sidecar", "-q"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "deadheat/annotation@1"
    assert set(found["boards"]["main"]["entries"]) == {"a", "b", "c"}
    assert run(["annotate", str(site), "--emit", "fragment", "--board", "main", "-q"]) == 0
    assert "<table" in capsys.readouterr().out


def test_standard_input(site):
    command = [sys.executable, "-m", "deadheat", "annotate", "-", "--sidecar", "-q"]
    done = subprocess.run(command, input=site.read_bytes(), capture_output=True, check=True, cwd=ROOT)
    assert json.loads(done.stdout)["provenance"]["files"][0]["path"] == "-"


def test_layout(tmp_path, capsys):
    (tmp_path / "layout.json").write_text(
        '{"boards": null, "entries": "rows", "items": "log", "score": null}'
    )
    path = tmp_path / "own.json"
    path.write_text(
        json.dumps({"name": "own", "rows": [{"folder": "a", "resolved": 50, "log": {"x": 1, "y": 0}}]})
    )
    assert run(["annotate", str(path), "--layout", str(tmp_path / "layout.json")]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["statistics"]["n"] == 2


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--fail-on", "finding"], 3, "withheld"),
        (["--board", "other"], 2, "no such board"),
        (["--sidecar", "--emit", "fragment"], 2, "give one"),
        (["--alpha", "2"], 1, "alpha"),
        (["--test", "nonsense"], 1, "nonsense"),
        (["--layout", "nowhere.json"], 1, "nowhere.json"),
    ],
)
def test_exit_codes(site, options, code, says, capsys):
    assert run(["annotate", str(site), *options]) == code
    assert says in capsys.readouterr().err


def test_the_document_is_never_written_to(site, capsys):
    for option in ("-o", "--html"):
        assert run(["annotate", str(site), option, str(site)]) == 2
        assert "never written to" in capsys.readouterr().err


def test_a_key_of_the_sites_own(tmp_path, capsys):
    path = tmp_path / "l.json"
    path.write_text(json.dumps(document(entry("a", 50.0, right(5, 10), statistics={"views": 1}))))
    assert run(["annotate", str(path)]) == 1
    done = capsys.readouterr()
    assert done.out == ""
    assert "--key" in done.err
    assert run(["annotate", str(path), "--key", "uncertainty", "-q"]) == 0


def test_a_large_board_takes_less_than_two_seconds(tmp_path):
    rng = np.random.default_rng(1)
    difficulty = rng.normal(size=500)
    entries = []
    for k, skill in enumerate(np.linspace(2, -2, 180)):
        scores = (rng.random(500) < 1 / (1 + np.exp(difficulty - skill))).tolist()
        entries.append(entry(f"e{k:03d}", 100 * sum(scores) / 500, scores))
    path = tmp_path / "large.json"
    path.write_text(json.dumps(document(*entries)))
    command = [sys.executable, "-m", "deadheat", "annotate", str(path), "-o", str(tmp_path / "out.json")]
    before = os.times()
    started = time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT)
    after = os.times()
    # On a machine that is busy with other things only the time on the processor tells.
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert min(spent, time.perf_counter() - started) < 2
    found = json.loads((tmp_path / "out.json").read_text())["leaderboards"][0]["statistics"]
    assert found["annotated"] == 180
