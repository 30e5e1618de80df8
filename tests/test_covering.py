"""The verb `coverage` and its command: the published minima, the true infima, refusals, what is drawn."""

import json

import numpy as np
import pytest

from deadheat.cli.main import run
from deadheat.covering.verb import coverage
from deadheat.errors import MethodError
from deadheat.report import render
from deadheat.stats.score.exact_coverage import COVERAGE_METHODS
from support import SHARED


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared reference figures are not here")
@pytest.mark.parametrize(
    ("method", "figure"),
    [("wald", "wald"), ("wilson", "wilson"), ("clopper-pearson", "cp"), ("bootstrap", "boot")],
)
def test_published_minima(method, figure):
    entries = json.loads((SHARED / "reference" / "figures.json").read_text())
    figures = {entry["id"]: entry for entry in (entries["figures"] if isinstance(entries, dict) else entries)}
    wanted = figures[f"001.coverage_min.{figure}.n20"]
    ours = coverage(method, 20)
    assert ours.minimum["coverage"] == pytest.approx(wanted["value"], abs=1e-9)
    assert ours.minimum["grid"] == "0.02 to 0.98 by 0.02"
    if "true_infimum" in wanted:
        assert ours.infimum["coverage"] == pytest.approx(wanted["true_infimum"], abs=1e-9)
        assert ours.infimum["p"] == pytest.approx(wanted["true_infimum_at"], abs=1e-9)
        assert ours.infimum["attained"] is False


@pytest.mark.parametrize("method", sorted(COVERAGE_METHODS))
def test_parts_agree(method):
    ours = coverage(method, 31, level=0.9)
    values = np.array(ours.curve)
    assert values.shape == (999, 2)
    assert np.all((values >= 0) & (values <= 1))
    assert ours.infimum["coverage"] <= min(ours.minimum["coverage"], values[:, 1].min()) + 1e-12
    assert ours.mean == pytest.approx(values[:, 1].mean(), abs=0.01)
    assert [p for p, _ in ours.width] == [p for p, _ in ours.curve]
    assert ours.methods.level == 0.9


def test_a_finer_grid_is_never_higher_and_rates_may_be_chosen():
    coarse, fine = coverage("wilson", 20), coverage("wilson", 20, step=0.001)
    assert fine.minimum["coverage"] < coarse.minimum["coverage"]
    assert fine.infimum == coarse.infimum
    assert {note.code for note in coarse.notes} == {"grid-hides-worst"}
    assert coverage("clopper-pearson", 20).notes == ()
    chosen = coverage("wilson", 20, rates=[0.5, 0.0, 1.0])
    assert [p for p, _ in chosen.curve] == [0.5, 0.0, 1.0]
    assert chosen.curve[1] == (0.0, 1.0)


def test_refusals():
    wrong = [
        ({"method": "wlison"}, "no interval 'wlison'.*wilson"),
        ({"items": 0}, "at least 1 item"),
        ({"level": 95}, "strictly between 0 and 1"),
        ({"rates": [0.5, 1.2]}, "a rate lies in"),
        ({"step": 0.03}, "whole number"),
        ({"step": 0}, "whole number"),
        ({"step": float("nan")}, "whole number"),
    ]
    for change, message in wrong:
        with pytest.raises(MethodError, match=message):
            coverage(**{"method": "wilson", "items": 20} | change)


def test_command(capsys):
    assert run(["coverage", "wilson", "--items", "20", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "deadheat/coverage@1"
    assert document["minimum"]["coverage"] == pytest.approx(0.9274347, abs=1e-7)
    assert run(["coverage", "wald", "--items", "20", "--rate", "0.02", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "p,coverage"
    assert run(["coverage", "nothing", "--items", "20"]) == 2
    assert "clopper-pearson" in capsys.readouterr().err
    assert run(["coverage", "wilson"]) == 2
    assert run(["coverage", "wilson", "--items", "0"]) == 2


def test_drawn_in_a_terminal():
    text = render([coverage("wilson", 20)], "table", width=80)
    for words in ("92.7", "83.7", "infimum, approached", "0.001–0.05", "───", "Mean width"):
        assert words in text
    assert max(map(len, text.splitlines())) <= 80
    for kind in ("md", "csv", "latex"):
        assert "0.98" in render([coverage("wilson", 20)], kind)
