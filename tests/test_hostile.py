"""Hostile files: every reader refuses or reads them, in bounded memory, and never hangs or loses a row."""

import contextlib
import csv
import gzip
import io
import json
import os
import re
import resource
import subprocess
import sys
import zipfile

import pytest

from deadheat import Table, rank
from deadheat.cli.main import run
from deadheat.cli.sizes import size
from deadheat.errors import DeadheatError, MalformedFile, ReadError
from deadheat.readers import Options, read, readers
from deadheat.report import render
from formats_kit import attempts
from fuzzing import fuzz_seeds
from support import ROOT

FORMATS = sorted(readers())
DEEP = "[" * 100_000 + "]" * 100_000
NUMBERS = ("1e400", "-1e400", "9" * 100_000, "1e-400", "NaN", "Infinity", "-0", "18446744073709551616")
NAMES = (
    "x" * 1_000_000,
    "a\\u0000b",
    "\\u001b[2J\\u001b]0;t\\u0007",
    "\\u202egnp",
    "\\ud800",
    "<script>",
    "=1+1",
)


@pytest.fixture(params=FORMATS)
def fixtures(request, tmp_path, monkeypatch):
    """A reader's fixtures laid out anew, and what of them can be changed."""
    monkeypatch.setattr("deadheat.data.engine.connect", fuzz_seeds.one_database())
    return request.param, tmp_path, fuzz_seeds.lay_out(request.param, tmp_path)


def tried(folder, part, content):
    """Read a changed file: it is accepted and breaks no promise, or refused; nothing else may escape."""
    return fuzz_seeds.check(folder, part, content, format=part.format, render_too=False)


def texts(folder, parts):
    """Each part that is text."""
    for part in parts:
        with contextlib.suppress(UnicodeDecodeError):
            yield part, fuzz_seeds.original(folder, part).decode()


def test_damage_and_depth(fixtures):
    """Cut short, a bit flipped, nested a hundred thousand deep."""
    _, folder, parts = fixtures
    assert parts
    for part in parts[:2]:
        content = fuzz_seeds.original(folder, part)
        assert tried(folder, part, content)
        for step in range(5):
            at = (len(content) - 1) * step // 5
            tried(folder, part, content[:at])
            tried(folder, part, content[:at] + bytes([content[at] ^ 1 << step]) + content[at + 1 :])
    for part, text in texts(folder, parts[:2]):
        tried(folder, part, DEEP.encode())
        tried(folder, part, re.sub(VALUE, lambda m: m[0].replace(m[1], DEEP), text, count=1).encode())


VALUE = r"[:,\t;]\s*(-?\d+(?:\.\d+)?|true|false)(?=[\s,;\]}])"
TEXT = r'[:,{]\s*"([^"\n\\]+)"'


@pytest.mark.parametrize("pattern", [VALUE, TEXT], ids=["numbers", "names"])
def test_huge_numbers_and_odd_names(pattern, fixtures):
    _, folder, parts = fixtures
    for part, text in texts(folder, parts[:1]):
        places = [m.span(1) for m in re.finditer(pattern, text)]
        for number, new in enumerate(NUMBERS if pattern == VALUE else NAMES):
            for start, end in places[number % 2 :: 5][:1]:
                tried(folder, part, (text[:start] + new + text[end:]).encode())
        everywhere = text
        for start, end in reversed(places):
            everywhere = everywhere[:start] + new + everywhere[end:]
        tried(folder, part, everywhere.encode())


def test_keys_that_stand_twice(fixtures):
    """Every document that is read whole is refused; of two keys in a line of a log the last counts."""
    _, folder, parts = fixtures
    for part, text in texts(folder, parts[:2]):
        try:
            json.loads(text)
        except ValueError:
            continue
        found = attempts(read(folder / part.asked, format=part.format, options=part.options))
        twice = re.sub(r'([{]\s*)("(?:[^"\n\\])+"\s*:)', r"\1\2 0, \2", text, count=1)
        fuzz_seeds.put(folder, part, twice.encode())
        try:
            same = attempts(read(folder / part.asked, format=part.format, options=part.options)) == found
        except DeadheatError as error:
            same = re.search("stands twice|not as the format says|no reader|nothing readable", str(error))
        assert same, part
        fuzz_seeds.put(folder, part, text.encode())


def test_a_key_that_stands_twice_is_named(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"entry": "a", "item": "q", "score": 1, "score": 0}]')
    with pytest.raises(MalformedFile, match="the key 'score' stands twice in one object"):
        read(path)
    path.write_text('[{"entry": "a" , "item" : "q\\":", "score" :NaN, "score":\n0}]')
    with pytest.raises(MalformedFile, match="the key 'score' stands twice in one object"):
        read(path)
    path.write_text('[{"entry": "a" , "item" : "q\\":", "score" :NaN, "text":"\\u0022:"}]')
    assert read(path).items == ('q":',)
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"entry": "a", "item": "q", "score": 1, "score": 0}\n')
    with pytest.raises(MalformedFile, match='duplicate key "score"'):
        read(lines)


def bomb(path, size, start=b'[{"instruction": "', end=b'"}]'):
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(start)
        for _ in range(size >> 20):
            stream.write(b"a" * 2**20)
        stream.write(end)
    assert path.stat().st_size < size / 100


def test_compressed_documents_have_a_limit(tmp_path):
    path = tmp_path / "a.json.gz"
    bomb(path, 2**25)
    with pytest.raises(
        MalformedFile, match=r"holds more than 16,777,216 bytes, .*--memory SIZE raises the limit"
    ):
        read(path, format="alpaca-eval", options=Options(memory=2**24))
    with pytest.raises(MalformedFile, match="not as the format says"):
        read(path, format="alpaca-eval", options=Options(memory=2**26))


def test_lines_have_a_limit(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    bomb(path, 2**25, b'{"spec": "')
    with pytest.raises(MalformedFile, match=r"line 1 holds more than 2,097,152 bytes, .*--memory SIZE"):
        read(path, format="openai-evals", options=Options(memory=2**24))


def test_members_of_archives_have_a_limit(tmp_path):
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", b" " * 2**25)
    with pytest.raises(MalformedFile, match=r"header.json holds more than 16,777,216 bytes, .*--memory SIZE"):
        read(path, options=Options(memory=2**24))
    # A member that says it is small, and is not.
    content = path.read_bytes()
    path.write_bytes(content.replace((2**25).to_bytes(4, "little"), (100).to_bytes(4, "little")))
    with pytest.raises(MalformedFile, match=r"truncated or corrupt|not valid JSON|holds more than"):
        read(path, options=Options(memory=2**24))


def limited(*arguments, cwd, megabytes=0, file=0, code=""):
    """Run the command with little memory, or small files only."""

    def limit():
        if megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        if file:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file, file))

    program = ["-c", code] if code else ["-m", "deadheat", *arguments]
    return subprocess.run(
        [sys.executable, *program],
        cwd=cwd,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )


def test_a_table_that_unpacks_to_much_stays_in_its_memory(tmp_path):
    path = tmp_path / "a.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(b"entry,item,score\n")
        for _ in range(50):
            stream.write(b"a,q1,1\n" * 100_000)
    code = (
        "from deadheat.cli.main import run\n"
        "code = run(['rank', 'a.csv.gz', '--memory', '32MB'])\n"
        # Not ru_maxrss: that of a new process starts with its parent's.
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(code, int(status['VmHWM'].split()[0]) // 1024)\n"
    )
    done = limited(cwd=tmp_path, code=code)
    left, peak = map(int, done.stdout.split()[-2:])
    assert left == 1, done.stdout
    assert re.search("--memory SIZE raises the limit|each .entry, item. may occur once", done.stderr)
    assert peak < 400, "megabytes in all, the libraries included"


def test_sizes():
    assert size("16MB") == 2**24
    assert size(" 8 GiB") == 2**33
    for wrong in ("", "1", "1MB", "12XB", "-1GB", "1.5GB", "9" * 30 + "GB"):
        assert run(["rank", "x.csv", "--memory", wrong]) == (1 if wrong == "" else 2) or wrong == ""


@pytest.mark.parametrize("name", ["../../out.json", "/tmp/deadheat-out.json", "samples/../../x_epoch_1.json"])
def test_archives_are_never_unpacked(name, tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    path = inner / "a.eval"
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr(name, json.dumps({"id": 1, "epoch": 1}))
    with contextlib.suppress(DeadheatError):
        read(path)
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]
    assert not os.path.exists("/tmp/deadheat-out.json")


def test_loops_of_links_and_pipes_end(tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.csv").write_text("entry,item,score\na,q,1\nb,q,0\n")
    (tmp_path / "runs" / "again").symlink_to(tmp_path / "runs")
    assert read(tmp_path / "runs").entries == ("a", "b")
    loop = tmp_path / "runs" / "loop.csv"
    loop.symlink_to(loop)
    with pytest.raises(
        ReadError, match=r"loop\.csv: not a regular file but a pipe, a device or a link to nothing"
    ):
        read(tmp_path / "runs")
    with pytest.raises(ReadError, match="no such file"):
        read(loop)
    loop.unlink()
    os.mkfifo(loop)
    for path in (loop, tmp_path / "runs"):
        with pytest.raises(ReadError, match="not a regular file"):
            read(path)


def test_names_of_files_that_are_no_text(tmp_path):
    name = os.fsencode(tmp_path / "a") + b"\xff.csv"
    with open(name, "w") as stream:
        stream.write("entry,item,score\na,q,1\nb,q,0\n")
    for path in (os.fsdecode(name), tmp_path):
        with pytest.raises(ReadError, match="the name of this file is not UTF-8; rename it"):
            read(path)


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "=cmd|' /C calc'!A0")


@pytest.fixture
def formulas():
    columns = {"entry": [], "item": [], "score": []}
    for number, entry in enumerate(FORMULAS):
        for item in range(4):
            for name, value in zip(columns, (entry, f"={item}", float(item < number)), strict=True):
                columns[name].append(value)
    return Table.from_frame(columns)


def test_csv_holds_no_formula(formulas):
    for text in (render(rank(formulas), "csv"), render(rank(formulas, anchor="-1"), "csv")):
        for row in csv.reader(io.StringIO(text)):
            for cell in row:
                number = re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell)
                assert number or not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r")), cell


MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;"


def test_markup_stays_text():
    rows = [(entry, item) for entry in (MARKUP, "b", "a_b|c*d$e%f{g}\\h`i`") for item in range(5)]
    table = Table.from_frame(
        {
            "entry": [entry for entry, _ in rows],
            "item": [f"{MARKUP}{item}" for _, item in rows],
            "category": [MARKUP if item < 2 else "other" for _, item in rows],
            "score": [float((len(entry) + item) % 3 == 0) for entry, item in rows],
        }
    )
    for board in (rank(table), rank(table, by="category")):
        page = render(board, "html")
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert MARKUP not in page
        assert "<img" not in render(board, "md")


WRITTEN = [
    ["rank", "a.csv", "-o", "out.json"],
    ["rank", "a.csv", "-o", "out.html"],
    ["compare", "a.csv", "--candidate", "m1", "--against", "m0", "-o", "out.json"],
    ["audit", "a.csv", "-o", "out.json"],
    ["coverage", "wilson", "--items", "40", "-o", "out.json"],
    ["convert", "a.csv", "-o", "out.csv"],
    ["convert", "a.csv", "-o", "out.jsonl"],
    ["convert", "a.csv", "-o", "out.parquet"],
]


@pytest.mark.parametrize("arguments", WRITTEN, ids=" ".join)
def test_a_full_disk_leaves_the_old_file(arguments, tmp_path):
    rows = [f"m{e},q{i},{(e * i) % 2}\n" for e in range(3) for i in range(1000)]
    (tmp_path / "a.csv").write_text("entry,item,score\n" + "".join(rows))
    out = tmp_path / arguments[-1]
    out.write_text("old")
    done = limited(*arguments, cwd=tmp_path, file=512)
    assert done.returncode == 1, done.stderr
    assert re.fullmatch(rf"deadheat: {arguments[-1]}: cannot be written \(File too large\)\n", done.stderr)
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["a.csv", arguments[-1]])


def test_a_crash_leaves_the_old_file(tmp_path):
    out = tmp_path / "out.json"
    out.write_text("old")
    code = (
        "import os, pathlib\n"
        "from deadheat.cli import main\n"
        "os.replace = lambda *_: os._exit(9)\n"
        f"main.write_whole(pathlib.Path({str(out)!r}), 'new')\n"
    )
    assert limited(cwd=ROOT, code=code).returncode == 9
    assert out.read_text() == "old"
