"""How a command ends early: one line and the documented exit code, whatever it was."""

import errno
import os
import signal
import subprocess
import sys

import pytest

from deadheat.cli import ending, main
from deadheat.cli.main import run
from support import ROOT

PLAIN = "entry,item,score\na,1,1\na,2,0\nb,1,1\nb,2,1\n"
BOARD = ROOT / "src" / "deadheat" / "demo" / "board.csv"
COMMANDS = {
    "rank": ["rank", str(BOARD), "--quiet"],
    "json": ["rank", str(BOARD), "--json"],
    "convert": ["convert", str(BOARD), "--quiet"],
    "formats": ["formats"],
    "formats-json": ["formats", "--json"],
    "coverage": ["coverage", "wilson", "--items", "20"],
}


def shell(words, redirections):
    program = f'exec "$0" -m deadheat "$@" {redirections}'
    return subprocess.run(
        ["bash", "-c", program, sys.executable, *words], capture_output=True, check=False, text=True
    )


STOPPED = """
import os, signal, sys, weakref
from deadheat.cli import main
from deadheat.output import scratch

class Thing:
    def __del__(self):
        if sys.argv[1] == "finaliser":
            os.kill(os.getpid(), int(sys.argv[2]))

def verb(answer):
    print(scratch(), flush=True)
    thing = Thing()
    end = lambda _: sys.argv[1] == "callback" and os.kill(os.getpid(), int(sys.argv[2]))
    watcher = weakref.ref(thing, end)
    try:
        del thing
        if sys.argv[1] == "plain":
            os.kill(os.getpid(), int(sys.argv[2]))
    except BaseException:
        pass
    print("went on")

main.write = verb
main.main(["demo"])
"""


@pytest.mark.parametrize(
    ("number", "code", "word"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "terminated"),
        (signal.SIGHUP, 129, "hung up"),
    ],
)
@pytest.mark.parametrize("where", ["plain", "callback", "finaliser"])
def test_a_signal_ends_in_a_line(number, code, word, where):
    """Wherever it comes: also where Python prints exceptions and goes on, or a library swallows them."""
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, where, str(int(number))],
        capture_output=True,
        check=False,
        text=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # which these tests may have to ignore
    )
    assert (done.returncode, done.stderr) == (code, f"deadheat: {word}\n")
    folder = done.stdout.strip()
    assert "went on" not in folder
    assert not os.path.exists(folder)


def test_a_second_signal_is_not_caught(monkeypatch):
    ends = []
    monkeypatch.setattr(ending.os, "_exit", ends.append)
    with ending.stoppable():
        os.kill(os.getpid(), signal.SIGTERM)
        assert ends == [143]
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_what_was_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending.stoppable():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            MemoryError("Unable to allocate 26.8 GiB"),
            "not enough memory for this (Unable to allocate 26.8 GiB)",
        ),
        (MemoryError(), "not enough memory for this (none is left)"),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "deadheat: the disk is full (temporary files are in ",
        ),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.csv"), "a.csv: No such file"),
        (OSError(errno.EMFILE, "Too many open files", "a.csv"), "a.csv: too many files are open; raise"),
    ],
)
def test_the_machine_s_refusals_are_told(error, line, monkeypatch, capsys):
    def verb(answer):
        raise error

    monkeypatch.setattr(main, "write", verb)
    assert run(["demo"]) == 1
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_the_engine_s_refusals_are_told(monkeypatch, capsys):
    import duckdb

    memory, broken = duckdb.OutOfMemoryException, duckdb.IOException
    for error, line in (
        (memory("Out of Memory Error: could not\nPossible solutions"), "raise it, for example"),
        (memory("failed to offload: max_temp_directory_size"), "TMPDIR names another folder"),
        (broken('IO Error: Could not write file "x": No space left on device'), "the disk is full"),
        (broken("IO Error: Cannot open file\nmore"), "reading failed: IO Error: Cannot open file"),
    ):

        def verb(answer, error=error):
            raise error

        monkeypatch.setattr(main, "write", verb)
        assert run(["demo"]) == 1
        err = capsys.readouterr().err
        assert line in err
        assert err.count("\n") == 1


def test_a_fault_of_the_program_keeps_its_traceback(monkeypatch):
    def verb(answer):
        raise TypeError("nobody foresaw this")

    monkeypatch.setattr(main, "write", verb)
    with pytest.raises(TypeError):
        run(["demo"])


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_standard_output_closed_or_full(name, redirection):
    done = shell(COMMANDS[name], redirection)
    why = "it is closed" if redirection == ">&-" else "No space left on device"
    assert done.stderr == f"deadheat: standard output: cannot be written ({why})\n"
    assert done.returncode == 1


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_standard_error_closed_or_full(redirection, tmp_path):
    done = shell(["rank", "nowhere.csv"], redirection)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    done = shell(["convert", str(BOARD), "-o", str(tmp_path / "a.csv")], redirection)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "a.csv").stat().st_size > 10_000


def test_standard_input_closed(tmp_path):
    done = shell(["rank", "-"], "<&-")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "deadheat: standard input: it is closed; pipe results into it, or name a file\n"


def test_all_streams_closed(tmp_path):
    """No file that is opened takes the place of a stream and is written to."""
    path = tmp_path / "in.csv"
    path.write_text(PLAIN)
    assert shell(["convert", str(path), "-o", str(tmp_path / "a.csv")], "<&- >&- 2>&-").returncode == 0
    assert path.read_text() == PLAIN
    assert (tmp_path / "a.csv").read_text().startswith("entry,item,score")


def test_a_dash_is_standard_output(capsys):
    assert run(["demo", "--json", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("{")


def test_a_progress_line_is_inert(monkeypatch, tmp_path):
    from deadheat.cli import progress

    told = []

    class Bar:
        def __enter__(self):
            return self

        def __exit__(self, *rest):
            return None

        def add_task(self, what, total):
            told.append(what)

        def update(self, *rest, **more):
            return None

    monkeypatch.setattr(progress, "_bar", Bar)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress.busy("reading \x1b[2Ja\nb\u202ec.csv", after=0.0) as tell:
        while not told:
            tell(1, 2)
    assert told == ["reading \\x1b[2Ja b\\u202ec.csv"]
