"""A path is a path: no pattern, no partition, no address; and nothing in a folder is passed over unsaid."""

from __future__ import annotations

import hashlib
import os

import duckdb
import pytest

import deadheat as dh
from deadheat.data.engine import connect

GOOD = "entry,item,score\nA,1,1\nA,2,1\nB,1,1\nB,2,0\n"
BAD = "entry,item,score\nA,1,0\nA,2,0\nB,1,0\nB,2,0\n"


def rates(path):
    return {e.entry: e.value for e in dh.rank(dh.read(path)).entries}


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        *(("r[1]", "r1"), ("r*", "rx"), ("r?", "ry"), ("{r,s}", "r"), ("http:r", "r")),
        *(("a b'c", "a"), ("r%20x", "r x")),
    ],
)
def test_names_that_look_like_patterns(tmp_path, odd, plain, suffix):
    for name, text in ((odd, GOOD), (plain, BAD)):
        (tmp_path / "in.csv").write_text(text)
        duckdb.execute(f"COPY (FROM read_csv('{tmp_path}/in.csv')) TO '{tmp_path}/out' ({FORMATS[suffix]})")
        os.rename(tmp_path / "out", tmp_path / f"{name}.{suffix}")
    path = tmp_path / f"{odd}.{suffix}"
    assert rates(path) == {"A": 1.0, "B": 0.5}
    [file] = dh.read(path).provenance().files
    assert file.path == str(path)
    assert file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


FORMATS = {"csv": "FORMAT csv", "jsonl": "FORMAT json", "parquet": "FORMAT parquet"}


@pytest.mark.parametrize("folder", ["score=0", "entry=gpt4", "model=gpt4", "item=7", "sample=9"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_folders_that_look_like_partitions(tmp_path, folder, suffix):
    (tmp_path / folder).mkdir()
    (tmp_path / "in.csv").write_text(GOOD)
    path = tmp_path / folder / f"a.{suffix}"
    duckdb.execute(f"COPY (FROM read_csv('{tmp_path}/in.csv')) TO '{tmp_path}/out' ({FORMATS[suffix]})")
    os.rename(tmp_path / "out", path)
    assert rates(path) == {"A": 1.0, "B": 0.5}


def test_links_of_folders_and_what_is_hidden(tmp_path):
    runs, far = tmp_path / "runs", tmp_path / "far"
    for folder in (runs / "one", far, runs / ".cache"):
        folder.mkdir(parents=True)
        (folder / f"{folder.name}.csv").write_text("item,score\n1,1\n2,0\n")
    (runs / "linked").symlink_to(far)
    (runs / "again").symlink_to(runs / "one")
    (far / "loop").symlink_to(runs)
    (runs / ".DS_Store").write_text("x")
    table = dh.read(runs)
    assert table.entries == ("far", "one")
    told = {note.text.split(":")[0]: note.text for note in table.notes if note.code == "paths-passed-over"}
    assert ".DS_Store" in told["passed over hidden files and folders"]
    assert ".cache" in told["passed over hidden files and folders"]
    links = told["passed over links to folders that are read already"]
    assert "again" in links
    assert "loop" in links


def test_a_link_to_a_folder_above_reads_nothing_twice(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x.csv").write_text("item,score\n1,1\n")
    (tmp_path / "y.csv").write_text("item,score\n1,0\n")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path)
    table = dh.read(tmp_path / "a")
    assert table.entries == ("x", "y")
    assert len(table.files) == 2


def test_a_folder_that_cannot_be_opened_is_named(tmp_path, monkeypatch):
    (tmp_path / "shut").mkdir()
    (tmp_path / "a.csv").write_text("item,score\n1,1\n")
    real = os.scandir

    def scandir(path):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    [note] = [n for n in dh.read(tmp_path).notes if n.code == "paths-passed-over"]
    assert "folders that cannot be opened (Permission denied)" in note.text
    assert "shut" in note.text


def test_the_engine_opens_what_it_was_given_and_nothing_else(tmp_path):
    (tmp_path / "a.csv").write_text(GOOD)
    connection = connect()
    for asked in (
        f"FROM read_csv('{tmp_path}/a.csv')",
        "FROM read_csv('https://example.org/a.csv')",
        f"COPY (SELECT 1) TO '{tmp_path}/b.csv'",
        f"ATTACH '{tmp_path}/c.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access=true",
    ):
        with pytest.raises(duckdb.Error):
            connection.execute(asked)
    settings = ("autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access")
    for name in settings:
        assert connection.execute(f"SELECT current_setting('{name}')").fetchall() == [(False,)]


def test_temporary_files_go_with_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    (tmp_path / "a.csv").write_text(GOOD)
    table = dh.read(tmp_path / "a.csv")
    [folder] = [path for path in (tmp_path / "tmp").glob("*/*") if path.is_dir()]
    assert list(folder.glob("*.txt"))
    del table
    assert not folder.exists()
