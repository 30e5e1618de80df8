"""DuckDB keeps to the memory it is given, works on disk beyond it, and says how far it has come."""

import duckdb
import pytest

from deadheat.data.engine import connect, frugally, hold, watched
from deadheat.readers import Options, read


def setting(connection, name):
    return connection.execute(f"SELECT current_setting('{name}')").fetchall()[0][0]


def test_a_limit_bounds_memory_and_threads(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    connection = connect()
    connection.execute("SET threads=8")
    hold(connection, 128 * 2**20)
    assert setting(connection, "memory_limit") == "128.0 MiB"
    assert setting(connection, "threads") == 2
    assert str(tmp_path) in setting(connection, "temp_directory")
    hold(connection, 2**20)
    assert setting(connection, "threads") == 1


def test_what_does_not_fit_goes_to_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "a.parquet"
    duckdb.execute(
        "COPY (SELECT 'entry ' || e AS entry, 'a rather long name of an item ' || i AS item, i % 2 AS score "
        f"FROM range(20) a(e), range(50000) b(i)) TO '{path}' (FORMAT parquet)"
    )
    table = read(path, options=Options(memory=48 * 2**20))
    assert len(table.cells.entry) == 10**6
    assert table.cells.total.sum() == 500_000


def test_progress_is_told_in_per_cent():
    connection, heard = duckdb.connect(), []
    with watched(connection, lambda done, total: heard.append((done, total)), every=0.01):
        connection.execute("SELECT sum(hash(i)) FROM range(60000000) t(i)").fetchall()
    assert heard
    assert all(0 <= done <= total == 100 for done, total in heard)
    with pytest.raises(duckdb.Error), watched(connection, heard.append):
        connection.execute("SELECT nothing")
    with watched(connection, None):
        pass


class Full:
    """A connection that has room for one thread only."""

    def __init__(self):
        self.asked = []

    def execute(self, query):
        self.asked.append(query)
        if "SET threads=1" not in self.asked:
            raise duckdb.OutOfMemoryException("no room")
        return self


def test_what_fills_the_memory_is_run_again_with_one_thread():
    full = Full()
    assert frugally(full, "a heavy query") is full
    assert full.asked == ["a heavy query", "SET threads=1", "a heavy query"]
