"""The command as a user runs it: what it prints, where, and with which exit code."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest

from deadheat.cli.main import COMMANDS, run
from deadheat.demo import BOARD
from support import ROOT

PLAIN = "model,id,score\na,1,1\na,2,0\nb,1,1\nb,2,1\n"


def deadheat(*arguments, stdin=None, **environment):
    """Run the command in a process of its own, as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "deadheat", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env=os.environ | {"COLUMNS": "100"} | environment,
        check=False,
        cwd=ROOT,
    )


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text(PLAIN)
    return path


def test_demo_is_the_main_job():
    done = deadheat("demo")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    assert text.splitlines()[0].startswith("The best of the 12 entries is one of the first 4 listed")
    assert "simulated data" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("format", ["table", "md", "csv", "json", "latex"])
def test_every_format(format, plain, capsys):
    assert run(["rank", str(plain), "--format", format]) == 0
    assert capsys.readouterr().out.endswith("\n")


def test_json_is_the_contract(plain, capsys):
    assert run(["rank", str(plain), "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert board["schema"] == "deadheat/board@1"
    assert [entry["entry"] for entry in board["entries"]] == ["b", "a"]
    assert set(board["entries"][0]) >= {
        "entry", "value", "se", "interval", "items", "samples", "failed", "absent", "place", "rank", "group",
        "vs_anchor", "notes",
    }  # fmt: skip
    assert board["provenance"]["files"][0]["rows"] == 4
    assert board["entries"][0]["se"] is None
    assert board["entries"][0]["notes"][0]["code"] == "boundary"


def test_csv_can_be_read_again(plain, capsys):
    run(["rank", str(plain), "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["entry"] for row in rows] == ["b", "a"]


@pytest.mark.parametrize("suffix", [".json", ".md", ".csv", ".tex", ".txt"])
def test_the_suffix_chooses_the_format(plain, tmp_path, suffix, capsys):
    target = tmp_path / f"out{suffix}"
    assert run(["rank", str(plain), "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert target.stat().st_size > 0
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_the_old_file_survives_a_failure(plain, tmp_path):
    target = tmp_path / "out.json"
    target.write_text("old")
    assert run(["rank", str(tmp_path / "none.csv"), "-o", str(target)]) == 1
    assert target.read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["rank", "{plain}", "--walt"], 2, "--walt"),
        (["rank"], 2, "no path given"),
        (["walt"], 2, "walt"),
        (["rank", "{plain}", "--metric", "walt"], 2, "mean"),
        (["rank", "{plain}", "--adjust", "walt"], 2, "none, holm"),
        (["rank", "{plain}", "--level", "high"], 2, "level"),
        (["rank", "{plain}", "--format", "csv", "--json"], 2, "two formats"),
        (["rank", "{plain}", "-o", "out.xyz"], 2, "stands for no format"),
        (["rank", "{plain}", "--choose", "walt"], 2, "NAME=VALUE"),
        (["rank", "{plain}", "--metric", "pass@k"], 1, "needs k"),
        (["rank", "{plain}", "--read", "walt"], 1, "no format 'walt'"),
        (["rank", "nowhere.csv"], 1, "no such file or folder"),
        (
            ["rank", "mine=https://example.org/x.csv"],
            1,
            "https://example.org/x.csv: results are read from files",
        ),
        (["rank", "{plain}", "-o", "/nowhere/out.json"], 1, "cannot be written"),
    ],
)
def test_errors_leave_standard_output_empty(plain, capsys, arguments, code, words):
    assert run([a.format(plain=plain) for a in arguments]) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("deadheat: ")
    assert words in printed.err
    assert "Traceback" not in printed.err


BROKEN = {
    "empty.csv": b"",
    "word.csv": b"model,id,score\na,1,abc\n",
    "nan.csv": b"model,id,score\na,1,nan\nb,1,1\n",
    "infinity.jsonl": b'{"model": "a", "id": 1, "score": Infinity}\n',
    "twice.csv": b"model,id,score\na,1,1\na,1,0\nb,1,1\n",
    "disjoint.csv": b"model,id,score\na,1,1\nb,2,0\n",
    "latin.csv": b"model,id,score\nm\xfcller,1,1\n",
    "cut.csv.gz": b"\x1f\x8b\x08\x00\x00\x00",
    "unknown.bin": b"\x00\x01\x02",
}


@pytest.mark.parametrize("name", BROKEN)
def test_bad_data_is_told_apart_from_a_bad_command(tmp_path, capsys, name):
    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    assert run(["rank", str(path)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("deadheat: ")
    assert len(printed.err.splitlines()) == 1


def test_a_fraction_under_a_method_for_right_and_wrong(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("model,id,score\na,1,0.5\na,2,1\nb,1,0\nb,2,0.25\n")
    assert run(["rank", str(path), "--interval", "wilson"]) == 1
    assert "0/1" in capsys.readouterr().err


def test_standard_input(plain):
    for text in (PLAIN, '{"model": "a", "id": 1, "score": 1}\n{"model": "b", "id": 1, "score": 0}\n'):
        done = deadheat("rank", "-", "--json", stdin=text.encode())
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["provenance"]["files"][0]["path"] == "standard input"


def test_help_and_version():
    for arguments in (["--help"], *[[verb, "--help"] for verb in COMMANDS]):
        done = deadheat(*arguments)
        assert done.returncode == 0
        assert done.stdout
    assert deadheat("--version").stdout.decode().strip() == __import__("deadheat").__version__


def test_help_imports_nothing_heavy():
    program = (
        "import sys; from deadheat.cli.main import run; run(['--help']); "
        "heavy = {'numpy', 'scipy', 'duckdb', 'jinja2', 'matplotlib', 'pandas'}; "
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stderr.decode().strip() == "[]"


def test_colour_only_where_it_is_wanted(plain):
    assert b"\x1b" not in deadheat("rank", plain, NO_COLOR="1").stdout
    assert b"\x1b" not in deadheat("rank", plain).stdout


def test_ascii_where_the_stream_cannot_do_more():
    done = deadheat("demo", PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()


def test_a_closed_pipe_is_no_error():
    program = f"{sys.executable} -m deadheat rank {BOARD} --json | head -c 10"
    done = subprocess.run(["bash", "-c", program], capture_output=True, check=False)
    assert done.stderr == b""


def test_documents_are_utf_8_whatever_the_terminal_takes(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text(PLAIN.replace("b,", "bé,"), encoding="utf-8")
    for chosen in ("json", "csv", "md", "latex", "html"):
        done = deadheat("rank", path, "--format", chosen, PYTHONIOENCODING="ascii")
        assert (done.returncode, done.stderr) == (0, b"")
        assert "bé" in done.stdout.decode("utf-8")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_full_disk_is_said_in_a_line():
    program = f"{sys.executable} -m deadheat rank {BOARD} > /dev/full"
    done = subprocess.run(["bash", "-c", program], capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr == b"deadheat: standard output: cannot be written (No space left on device)\n"


def test_hash_seed_and_threads_change_nothing(plain):
    out = {
        deadheat("rank", BOARD, "--json", PYTHONHASHSEED=s, OPENBLAS_NUM_THREADS=t).stdout
        for s, t in ("12", "01", "32")
    }
    assert len(out) == 1


def test_standard_input_is_called_so():
    for text, wanted in (
        (b"", b"standard input: the file is empty"),
        (b'{"a": 1}\n', b"standard input: no reader recognises this file"),
        (b"entry,item,score\na,1,x\n", b"(a, 1, x) in standard input"),
    ):
        done = deadheat("rank", "-", stdin=text)
        assert wanted in done.stderr
        assert b"deadheat-" not in done.stderr
    done = deadheat("audit", "-", "--json", stdin=PLAIN.encode())
    assert json.loads(done.stdout)["provenance"]["files"][0]["path"] == "standard input"


HOSTILE = "a\x1b]0;gone\x07\u202e"


def test_names_cannot_move_the_cursor(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text(f"entry,item,score\n{HOSTILE},1,1\n{HOSTILE},1,0\n")
    assert run(["rank", str(path)]) == 1
    assert run(["rank", str(tmp_path / f"{HOSTILE}\n.csv")]) == 1
    path.write_text(f"entry,item,score\n{HOSTILE},1,1\nb,1,0\n")
    assert run(["compare", str(path), "--against", "c"]) == 1
    assert run(["compare", f"--{HOSTILE}"]) == 2
    told = capsys.readouterr().err
    assert told.count(r"a\x1b]0;gone\x07\u202e") == 4
    assert not set(told) & {"\x1b", "\x07", "\u202e"}
    assert len(told.splitlines()) == 4


def test_what_is_not_laid_out_is_inert_on_a_terminal_and_exact_elsewhere(tmp_path, monkeypatch, capsys):
    path = tmp_path / "a.csv"
    path.write_text(f"entry,item,score\n{HOSTILE},1,1\nb,1,0\n")
    commands = (["rank", str(path), "--format", "csv"], ["convert", str(path)])
    for command in commands:
        assert run(command) == 0
        assert HOSTILE in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for command in commands:
        assert run(command) == 0
        assert r"a\x1b]0;gone\x07\u202e" in (shown := capsys.readouterr().out)
        assert "\x1b" not in shown
        assert shown.count("\n") > 2


def test_a_bar_counts_files_on_a_terminal_only(monkeypatch, capsys):
    import time

    from deadheat.cli.progress import busy

    with busy("reading [runs]", after=0.0) as told:
        told(1, 3)
        time.sleep(0.3)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    shown, patience = "", time.monotonic() + 60
    with busy("reading [runs]", after=0.0) as told:
        told(1, 3)
        while "1/3" not in shown and time.monotonic() < patience:
            time.sleep(0.05)
            shown += capsys.readouterr().err
    assert "reading [runs]" in shown
    assert "1/3" in shown
    capsys.readouterr()
    with busy("a moment", after=60):
        pass
    with busy("not a word", quiet=True, after=0):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_every_file_is_told(tmp_path):
    from deadheat.data.table import Table
    from deadheat.readers import read_with

    for name in "abc":
        (tmp_path / f"{name}.csv").write_text("item,score\n1,1\n")
    told = []
    read_with(Table.from_batches, tmp_path, told=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions(shell, capsys):
    assert run(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "deadheat" in text
    assert "--min-share" in text or "min-share" in text
