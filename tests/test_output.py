"""Outputs: inputs are never written, special files and links stay, plain files are written whole or not."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from deadheat import output
from deadheat.cli.main import run
from deadheat.errors import DeadheatError
from deadheat.output import placing, scratch, write_whole

PLAIN = "entry,item,score\na,1,1\na,2,0\nb,1,1\nb,2,1\n"
NAMELESS = [True, False] if hasattr(os, "O_TMPFILE") else [False]


@pytest.fixture(params=NAMELESS, ids=lambda nameless: "nameless" if nameless else "named")
def folder(request, tmp_path, monkeypatch):
    """A folder whose drafts have no name, as on Linux, or a hidden one."""
    if not request.param:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    return tmp_path


@pytest.fixture
def board(folder):
    path = folder / "in.csv"
    path.write_text(PLAIN)
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["rank", "in.csv", "-o", "in.csv"],
        ["rank", "c=in.csv", "-o", "./in.csv"],
        ["rank", "in.csv", "-o", "link.csv"],
        ["rank", "in.csv", "-o", "hard.csv"],
        ["rank", ".", "-o", "in.csv"],
        ["rank", ".", "--format", "json", "-o", "link.csv"],
        ["convert", "in.csv", "-o", "in.csv"],
        ["convert", ".", "-o", "in.csv"],
        ["compare", "in.csv", "--candidate", "a", "--against", "b", "--comment", "in.csv"],
        ["audit", "in.csv", "--claims", "claims.csv", "--format", "json", "-o", "claims.csv"],
        ["plan", "items", "--from", "in.csv", "--difference", "0.1", "-o", "in.csv"],
        ["simulate", "flips", "--from", "in.csv", "--resume", "in.csv"],
        ["demo", "--copy", "out.csv", "-o", "out.csv"],
    ],
    ids=" ".join,
)
def test_an_input_is_never_written(words, board, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    (folder / "link.csv").symlink_to("in.csv")
    os.link("in.csv", "hard.csv")
    (folder / "claims.csv").write_text("entry,rate\na,0.5\n")
    if "out.csv" in words:
        (folder / "out.csv").write_text("old")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run(words) == 2
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    err = capsys.readouterr().err
    assert "never written to" in err or "two outputs" in err


def test_a_page_may_lie_beside_what_it_was_made_of(board, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for _ in range(2):
        assert run(["rank", ".", "-o", "board.html"]) == 0


def test_a_new_file_has_the_usual_mode(folder):
    mask = os.umask(0o027)
    try:
        write_whole(folder / "a", "x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((folder / "a").stat().st_mode) == 0o640


def test_mode_and_owner_are_kept(folder):
    path = folder / "a"
    path.write_text("old")
    path.chmod(0o600)
    if os.getuid() == 0:
        os.chown(path, 1, 2)
    before = path.stat()
    write_whole(path, "é")
    after = path.stat()
    assert path.read_bytes() == "é".encode()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_links_are_written_through(folder):
    path = folder / "a"
    path.write_text("old and long")
    (folder / "soft").symlink_to("a")
    (folder / "dangling").symlink_to("new")
    os.link(path, folder / "hard")
    write_whole(folder / "soft", "x")
    assert (folder / "soft").is_symlink()
    assert path.read_text() == (folder / "hard").read_text() == "x"
    write_whole(folder / "dangling", "y")
    assert (folder / "dangling").is_symlink()
    assert (folder / "new").read_text() == "y"
    assert sorted(path.name for path in folder.iterdir()) == ["a", "dangling", "hard", "new", "soft"]


def test_a_pipe_gets_the_bytes_and_stays(folder):
    path = folder / "pipe"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    write_whole(path, "x" * 200_000)
    reader.join()
    assert got == [b"x" * 200_000]
    assert path.is_fifo()


def test_a_device_stays(folder):
    path = folder / "device"
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        path.write_bytes(b"")
    except PermissionError:
        pytest.skip("devices are made by root")
    write_whole(path, "x")
    assert path.is_char_device()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_an_open_descriptor_is_appended_to(board, folder):
    (folder / "log").write_text("before\n")
    program = f"{sys.executable} -m deadheat rank in.csv -o /dev/stdout --format json >> log"
    done = subprocess.run(["bash", "-c", program], cwd=folder, check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (folder / "log").read_text().startswith('before\n{\n  "schema"')


def test_a_file_that_may_not_be_written_is_left(folder, monkeypatch):
    path = folder / "a"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *rest: False)  # root may write everything
    with pytest.raises(DeadheatError, match=r"a: cannot be written \(Permission denied\)"):
        write_whole(path, "new")
    with pytest.raises(DeadheatError, match=r"cannot be written \(it is a folder\)"):
        write_whole(folder, "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize("names", [1, 2])
def test_what_fails_midway_leaves_the_old_file(names, folder):
    path = folder / "a"
    path.write_text("old")
    if names == 2:
        os.link(path, folder / "b")
    before = sorted(folder.iterdir())

    def broken():
        with placing(path) as draft, open(draft, "w") as stream:
            stream.write("new")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(DeadheatError, match=r"cannot be written \(No space left"):
        broken()
    assert path.read_text() == "old"
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("error", [errno.EBUSY, errno.EACCES])
def test_a_file_that_cannot_be_replaced(error, folder, monkeypatch):
    """A file mounted by itself gets the new content; anything else is told."""

    def replace(*rest):
        raise OSError(error, os.strerror(error))

    path = folder / "a"
    path.write_text("old and long")
    monkeypatch.setattr(os, "replace", replace)
    if error == errno.EBUSY:
        write_whole(path, "new")
        assert path.read_text() == "new"
    else:
        with pytest.raises(DeadheatError, match="Permission denied"):
            write_whole(path, "new")
        assert path.read_text() == "old and long"
    assert list(folder.iterdir()) == [path]


def test_names_that_are_not_utf_8(board, folder):
    name = os.fsdecode(os.fsencode(folder) + b"/\xff.csv")
    assert run(["convert", str(board), "-o", name]) == 0
    assert run(["rank", name, "--quiet"]) in (0, 1)  # DuckDB opens UTF-8 names only; either way, a line
    assert Path(name).read_text().startswith("entry,item,score")


def test_what_killed_processes_left_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(output, "_own", {})
    program = (
        "import os, signal, tempfile\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "from deadheat.output import scratch\n"
        "print(scratch(), flush=True)\n"
        "input()\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    dead, alive = (Path(process.stdout.readline().decode().strip()) for process in started)
    started[0].kill()
    started[0].communicate()
    other = tmp_path / "deadheat-of-somebody"
    other.mkdir()
    own = scratch()
    assert not dead.exists()
    assert alive.is_dir()
    assert other.is_dir()
    started[1].communicate(b"\n")
    assert not alive.exists()
    output.clear()
    assert not own.exists()
    assert list(tmp_path.iterdir()) == [other]
