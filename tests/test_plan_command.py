"""`deadheat plan`: every question from the command line, from numbers and from files; exit codes."""

import json
import subprocess
import sys

import numpy as np
import pytest

from deadheat.cli.main import run

SHARED_ITEMS = ["--rates", "0.65", "0.60", "--discordance", "0.2"]
QUESTIONS = {
    "margin": (["margin", "0.03"], "items", 1068),
    "items": (["items", "--rates", "0.65", "0.60"], "items", 1471),
    "items, shared": (["items", "--rates", "0.65", "0.60", "--discordance", "0.2"], "items_exact", 658),
    "items, scores": (["items", "--difference", "0.5", "--sd-difference", "1"], "items", 34),
    "power": (
        ["power", "--items", "626", "--rates", "0.65", "0.6", "--discordance", "0.2"],
        "power_exact",
        0.778950,
    ),
    "mde": (["mde", "--items", "500", "--rate", "0.68"], "difference", 0.0825565),
    "samples": (
        ["samples", *SHARED_ITEMS, "--noise", "0.6", "--item-cost", "10", "--sample-cost", "1"],
        "samples",
        4,
    ),
    "board": (["board", "--rates", "0.7", "0.66", "0.6", "--items", "500"], "order", 0.8882),
    "board, items": (
        ["board", "--rates", "0.7", "0.66", "0.6", "--probability", "0.9"],
        "items_order_exact",
        561,
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions(question, capsys):
    arguments, key, value = QUESTIONS[question]
    assert run(["plan", *arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "deadheat/plan@1"
    assert document["question"] == arguments[0]
    assert document["answer"][key] == pytest.approx(value, abs=1e-4)
    assert document["assumptions"]
    assert run(["plan", *arguments]) == 0
    assert "Assumptions" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["items", "--rates", "0.65", "0.65"],
        ["items", "--rates", "0.65"],
        ["items", "--rates", "0.65", "0.6", "--discordance", "0.01"],
        ["items", "--rates", "0.65", "0.6", "--power", "0.04"],
        ["items", "--rates", "0.65", "0.6", "--samples", "3"],
        ["items", "--rates", "0.65", "0.6", "--entries", "a", "b"],
        ["items"],
        ["power", "--rates", "0.65", "0.6"],
        ["samples", "--rates", "0.65", "0.6", "--item-cost", "1", "--sample-cost", "1", "--samples", "2"],
        ["margin", "0"],
        ["margin"],
        ["everything"],
    ],
)
def test_wrong_commands(arguments, capsys):
    assert run(["plan", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("deadheat: ")


@pytest.fixture
def results(tmp_path):
    rng = np.random.default_rng(0)
    rows = ["entry,item,sample,score,repository"]
    for item in range(120):
        chance = rng.random() * 0.8
        for entry, shift in (("a", 0.15), ("b", 0.0), ("c", 0.05)):
            rows += [
                f"{entry},i{item},{sample},{int(rng.random() < chance + shift)},r{item % 15}"
                for sample in range(3)
            ]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(rows))
    return str(path)


def test_from_results(results, capsys):
    def answer(*arguments, entries=("a", "b")):
        assert run(["plan", *arguments, "--from", results, "--entries", *entries, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    need = answer("items", "--difference", "0.05")
    low, high = need["answer"]["items_interval"]
    assert low < need["answer"]["items"] < high
    assert need["provenance"]["files"][0]["rows"] == 1080
    assert need["assumptions"]["samples"] == 3
    more = answer("items", "--difference", "0.05", "--samples", "12")
    assert more["answer"]["items"] < need["answer"]["items"]
    clustered = answer("power", "--items", "400", "--difference", "0.05", "--cluster", "repository")
    assert clustered["assumptions"]["from_clusters"] == 15
    assert 0 < clustered["answer"]["power"] < 1
    assert answer("mde", "--items", "400")["answer"]["difference"] > 0
    costs = ["--item-cost", "8", "--sample-cost", "1"]
    split = answer("samples", "--difference", "0.05", *costs)["answer"]
    assert split["samples"] > 1
    assert split["cost_interval"][0] < split["cost"] < split["cost_interval"][1]
    wide = answer("margin", "0.03", entries=["a"])
    assert wide["assumptions"]["from"] == ["a"]
    assert wide["answer"]["items_interval"][0] < wide["answer"]["items"] < wide["answer"]["items_interval"][1]
    assert (
        answer("margin", "0.03", "--level", "0.99", entries=["a"])["answer"]["items"]
        > wide["answer"]["items"]
    )


def test_wrong_with_results(results, capsys):
    assert run(["plan", "items", "--from", results, "--difference", "0.05", "--icc", "0.2"]) == 2
    assert run(["plan", "items", "--from", results, "--entries", "a"]) == 2
    assert run(["plan", "items", "--from", results, "--entries", "a", "z"]) == 1
    assert "no entry 'z'" in capsys.readouterr().err
    assert run(["plan", "items", "--from", results, "--rates", "0.5", "0.4"]) == 1
    assert run(["plan", "margin", "0.03", "--from", results, "--entries", "a", "b"]) == 2
    assert run(["plan", "margin", "0.03", "--from", results, "--rate", "0.5"]) == 1
    assert "one or the other" in capsys.readouterr().err


def test_help_needs_nothing_heavy():
    code = (
        "import sys; from deadheat.cli.main import run; run(['plan', 'items', '--help']); "
        "print([m for m in ('numpy', 'scipy', 'duckdb') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_an_interrupted_command_says_so(monkeypatch, capsys):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("deadheat.planning.margin", stopped)
    assert run(["plan", "margin", "0.03"]) == 130
    assert capsys.readouterr().err == "deadheat: interrupted\n"


@pytest.mark.parametrize(
    ("words", "option"),
    [(["plan", "items", "0.05"], "--difference 0.05"), (["plan", "power", "500"], "--items 500")],
)
def test_a_bare_number_is_hinted_at_its_option(words, option, capsys):
    assert run(words) == 2
    assert f"a number needs its option; did you mean {option}?" in capsys.readouterr().err
