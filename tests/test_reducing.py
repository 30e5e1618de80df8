"""Attempts reduced in another engine are the same table, and the same faults are refused."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deadheat as dh
from deadheat.data.table import Table
from deadheat.errors import DataError, DuplicateAttempt, MissingExtra, MissingScore

# Narwhals speaks to Dask itself for now, and says that this will move.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Dask support is moving:FutureWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),  # that ibis sets in pandas
]


def spark(frame):
    """A dataframe of a local Spark session."""
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    session = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = session.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    rows = [tuple(None if v != v else v for v in row) for row in frame.itertuples(index=False)]
    kinds = {"b": "boolean", "f": "double", "i": "bigint"}
    schema = ", ".join(f"{name} {kinds.get(frame[name].dtype.kind, 'string')}" for name in frame)
    return session.createDataFrame(rows, schema)


def dask(frame):
    """A Dask dataframe of several partitions."""
    return pytest.importorskip("dask.dataframe", reason="dask is not installed").from_pandas(
        frame, npartitions=3
    )


def ibis(frame):
    """A table of ibis on DuckDB."""
    return pytest.importorskip("ibis", reason="ibis is not installed").memtable(frame)


def relation(frame):
    """A DuckDB relation that stays lazy."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE attempts AS FROM frame")
    return connection.table("attempts")


ENGINES = {
    "polars": pl.from_pandas,
    "polars-lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "pandas": lambda frame: frame,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "duckdb": relation,
}
SLOW = {"dask": dask, "ibis": ibis, "spark": spark}
every_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
every_slow_engine = pytest.mark.parametrize("engine", SLOW.values(), ids=SLOW)


def attempts(scores="bool", samples=3, seed=0):
    """Some entries at some items, rows shuffled, with failed and absent attempts where scores may be none."""
    rng = np.random.default_rng(seed)
    rows = [(f"m{e}", f"q{i}", str(s)) for e in range(4) for i in range(12) for s in range(samples)]
    frame = pd.DataFrame(rows, columns=["model", "question_id", "epoch"])
    if scores == "bool":
        frame["correct"] = rng.random(len(rows)) < 0.6
    else:
        status = rng.choice(["scored", "failed", "absent"], len(rows), p=[0.8, 0.1, 0.1])
        score = rng.random(len(rows)).round(3) if scores == "fractions" else rng.integers(0, 2, len(rows))
        frame["correct"] = np.where(status == "scored", score, np.nan)
        frame["status"] = status
    frame["repo"] = "r" + frame["question_id"].str[1:].astype(int).mod(5).astype(str)
    if samples == 1:
        frame = frame.drop(columns="epoch")
    return frame.sample(frac=1, random_state=seed).reset_index(drop=True)


@every_engine
@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("scores", ["bool", "statuses", "fractions"])
def test_the_same_table_as_from_the_attempts(engine, scores, samples):
    same_table(engine, scores, samples)


@every_slow_engine
@pytest.mark.parametrize(("scores", "samples"), [("bool", 1), ("statuses", 3), ("fractions", 3)])
def test_the_same_table_from_larger_engines(engine, scores, samples):
    same_table(engine, scores, samples)


def same_table(engine, scores, samples):
    frame = attempts(scores, samples)
    reduced, whole = dh.reduce(engine(frame)), Table.from_frame(frame)
    assert (reduced.entries, reduced.items) == (whole.entries, whole.items)
    assert reduced.binary == whole.binary
    for name in ("entry", "item", "scored", "failed", "absent"):
        assert getattr(reduced.cells, name).tolist() == getattr(whole.cells, name).tolist()
        assert getattr(reduced.cells, name).dtype == getattr(whole.cells, name).dtype
    for name in ("total", "squares"):
        ours, theirs = getattr(reduced.cells, name), getattr(whole.cells, name)
        if scores == "fractions":
            assert ours == pytest.approx(theirs, rel=1e-12)
        else:
            assert ours.tolist() == theirs.tolist()
    assert reduced.attribute("repo").tolist() == whole.attribute("repo").tolist()
    assert reduced.provenance().read == len(frame)


@every_engine
def test_a_board_is_the_same_to_the_last_digit(engine):
    frame = attempts()
    estimand = dh.Estimand(cluster="repo")
    reduced, whole = (dh.rank(t, estimand) for t in (dh.reduce(engine(frame)), Table.from_frame(frame)))
    assert reduced.entries == whole.entries
    assert reduced.groups == whole.groups


FAULTY = {
    "twice": (
        {"sample": ["1", "1"], "score": [1.0, 1.0]},
        DuplicateAttempt,
        r"\(a, x\) again; keep distinct",
    ),
    "mixed": ({"sample": [None, "1"], "score": [1.0, 0.0]}, DuplicateAttempt, "with and without a sample"),
    "without": ({"score": [1.0, 0.0]}, DuplicateAttempt, "add a column `sample`"),
    "infinite": ({"sample": ["1", "2"], "score": [np.inf, 0.0]}, MissingScore, "found an infinite one"),
    "status": (
        {"sample": ["1", "2"], "score": [1.0, 0.0], "status": ["strange", None]},
        DataError,
        r"scored, failed, absent; found another: \(a, x\)",
    ),
    "bare": (
        {"sample": ["1", "2"], "score": [1.0, np.nan], "status": ["scored", "scored"]},
        MissingScore,
        "found none",
    ),
    "contradiction": (
        {"sample": ["1", "2"], "score": [1.0, 1.0], "status": ["scored", "failed"]},
        DataError,
        "has no score; found one",
    ),
    "huge": ({"sample": ["1", "2"], "score": [1e200, 0.0]}, DataError, "at most 1e\\+60"),
    "unnamed": ({"entry": ["", "a"], "score": [1.0, 0.0]}, DataError, r"\(empty, x\)"),
}


@pytest.mark.parametrize("fault", FAULTY)
@every_engine
def test_faults_are_refused(engine, fault):
    refused(engine, fault)


@pytest.mark.parametrize("fault", ["mixed", "infinite", "contradiction"])
@every_slow_engine
def test_faults_are_refused_from_larger_engines(engine, fault):
    refused(engine, fault)


def refused(engine, fault):
    given, error, words = FAULTY[fault]
    frame = pd.DataFrame({"entry": ["a", "a"], "item": ["x", "x"], **given})
    with pytest.raises(error, match=words):
        dh.reduce(engine(frame))


@pytest.mark.parametrize("engine", [*ENGINES.values(), *SLOW.values()], ids=[*ENGINES, *SLOW])
def test_repeats_in_other_partitions_are_found(engine):
    frame = attempts(samples=2)
    again = pd.concat([frame, frame.iloc[:1]], ignore_index=True)
    with pytest.raises(DuplicateAttempt, match="may occur once"):
        dh.reduce(engine(again))


def test_words_are_left_to_the_engine():
    with pytest.raises(DataError, match=r"the column score holds String; .* cast it first"):
        dh.reduce(pl.DataFrame({"entry": ["a"], "item": ["x"], "score": ["yes"]}))


def test_columns_are_named_when_missing():
    with pytest.raises(
        DataError,
        match="column for the score; found 'model' as entry, 'id' as item; --columns score",
    ):
        dh.reduce(pl.DataFrame({"model": ["a"], "id": ["x"]}))
    with pytest.raises(DataError, match="no column domain in this frame; found entry, item, score"):
        dh.reduce(pl.DataFrame({"entry": ["a"], "item": ["x"], "score": [1]}), ["domain"])
    with pytest.raises(DataError, match="no attempt in polars frame"):
        dh.reduce(pl.DataFrame({"entry": [], "item": [], "score": []}, schema_overrides={"score": pl.Int8}))


def test_further_columns_are_carried_and_contradictory_ones_left_out():
    frame = pl.DataFrame(
        {
            "entry": ["a", "b"],
            "item": ["x", "x"],
            "score": [1, 0],
            "domain": ["law", "law"],
            "category": ["p", "q"],
            "weight": [2, 2],
        }
    )
    table = dh.reduce(frame, ["domain"])
    assert table.attribute("domain").tolist() == ["law"]
    assert table.attribute("weight").tolist() == [2.0]
    assert not table.has("category")
    assert table.notes[0].text == "the column category says several things of one item (x), and is left out"


def test_ids_of_other_unicode_forms_are_matched():
    frame = pl.DataFrame({"entry": ["a", "b"], "item": ["caf\u00e9", "cafe\u0301"], "score": [1, 0]})
    table = dh.reduce(frame)
    assert table.items == ("caf\u00e9",)
    assert "1 ids matched" in table.notes[0].text
    with pytest.raises(DuplicateAttempt, match="two Unicode forms"):
        dh.reduce(frame.with_columns(entry=pl.lit("a")))


def test_a_package_that_fetches_is_named(monkeypatch):
    import narwhals as nw

    def missing(self, *_):
        raise ModuleNotFoundError("no module", name="pyarrow")

    monkeypatch.setattr(nw.LazyFrame, "collect", missing)
    with pytest.raises(MissingExtra, match="pip install pyarrow"):
        dh.reduce(pl.DataFrame({"entry": ["a"], "item": ["x"], "score": [1]}))


def test_clickhouse_gives_the_same_table():
    """The query as ibis writes it for ClickHouse, run by an embedded one."""
    ibis = pytest.importorskip("ibis", reason="ibis is not installed")
    session = pytest.importorskip("chdb.session", reason="chdb is not installed").Session()
    frame = attempts("statuses")
    names = list(frame.columns)
    rows = ", ".join(
        "(" + ", ".join("NULL" if v != v else repr(v) for v in row) + ")" for row in frame.to_numpy().tolist()
    )
    kinds = ", ".join(f"{name} Nullable({'Float64' if name == 'correct' else 'String'})" for name in names)
    session.query(f"CREATE TABLE attempts ({kinds}) ENGINE = Memory")
    session.query(f"INSERT INTO attempts VALUES {rows}")
    schema = {name: "float64" if name == "correct" else "string" for name in names}
    unbound = ibis.table(schema, name="attempts")

    class Embedded:
        """What `reduce` asks of an engine, asked of ClickHouse."""

        def __init__(self, query):
            self.query = query

        def collect(self):
            sql = ibis.to_sql(self.query, dialect="clickhouse")
            return session.query(str(sql), "ArrowTable")

    import narwhals as nw

    def collect(lazy, *_):
        return nw.from_native(Embedded(lazy.to_native()).collect(), eager_only=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nw.LazyFrame, "collect", collect)
        reduced = dh.reduce(unbound)
    whole = Table.from_frame(frame)
    for name in ("entry", "item", "scored", "failed", "absent", "total", "squares"):
        assert getattr(reduced.cells, name).tolist() == getattr(whole.cells, name).tolist()
