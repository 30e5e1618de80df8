"""`records`: the history of a real board, dates from columns and names, several entries on one day."""

import numpy as np
import pytest

import deadheat as dh
from deadheat.errors import DataError, MethodError
from support import NEEDS_SHARED, SHARED, shared_json, table_of


def board(**rights):
    """Entries with so many items of 60 right, the easiest ones, and a few of their own."""
    rng = np.random.default_rng(0)
    rows = {}
    for name, right in rights.items():
        row = [1] * right + [0] * (60 - right)
        for at in rng.choice(60, 6, replace=False):
            row[at] = 1 - row[at]
        rows[name] = row
    return table_of(rows)


def dated(table, days):
    """The same with a column of dates."""
    entries = np.array([table.entries[e] for e in table.cells.entry], dtype=object)
    return dh.Table.from_columns(
        {
            "entry": entries,
            "item": np.array([table.items[i] for i in table.cells.item], dtype=object),
            "score": table.cells.total,
            "day": np.array([days[e] for e in entries], dtype=object),
        }
    )


def test_steps():
    table = board(a=10, b=30, c=29, d=31, e=58)
    days = {"a": "2026-01-01", "b": "20260201", "c": "2026-03-01", "d": "2026-04-01T10:00", "e": "2026-05-01"}
    found = dh.records(dated(table, days), "day")
    assert found.start.entry == "a"
    scores = {e: table.cells.total[table.cells.entry == k].sum() for k, e in enumerate(table.entries)}
    holder = "a"
    for step in found.steps:
        assert scores[step.entry] > scores[holder] == pytest.approx(60 * step.holder_value)
        assert step.holder == holder
        assert step.difference == pytest.approx((step.a_only - step.b_only) / 60)
        holder = step.entry
    assert found.dates == "day"
    assert found.standing == sum(step.stands for step in found.steps) >= 2
    assert found.summary.startswith(f"{found.standing} of {len(found.steps)} records stand")
    adjusted = sorted(step.p_adjusted for step in found.steps)
    assert adjusted == sorted(adjusted)


def test_days_are_counted_on_which_several_were_ahead():
    table = board(a=50, b=25, c=45, d=25)
    days = {"a": "2026-01-01", "b": "2026-02-01", "c": "2026-02-01", "d": "2026-02-01"}
    found = dh.records(dated(table, days), "day")
    assert found.notes == ()
    assert found.summary == "a has held the record from the first day."
    found = dh.records(dated(board(a=5, b=25, c=45, d=25), days), "day")
    assert "on 1 day several entries were ahead of the holder" in found.notes[-1].text


def test_several_on_one_day():
    table = board(a=5, b=25, c=45, d=25)
    days = {"a": "2026-01-01", "b": "2026-02-01", "c": "2026-02-01", "d": "2026-02-01"}
    (step,) = dh.records(dated(table, days), "day").steps
    assert (step.entry, step.entrants, step.ahead) == ("c", 3, 3)
    assert step.p_picked == pytest.approx(min(1, 3 * step.p))


def test_dates_from_names():
    table = table_of({"20260101_x": [0, 0, 1], "2026-02-01 y": [1, 1, 1]})
    assert [step.date for step in dh.records(table).steps] == ["2026-02-01"]
    assert "dates" in {note.code for note in dh.records(table, "name").notes}


def test_no_later_record():
    table = table_of({"20260101 x": [1, 1, 1], "20260201 y": [1, 0, 1]})
    assert dh.records(table).steps == ()
    assert dh.records(table).summary == "20260101 x has held the record from the first day."


def test_repeated_samples_take_both_tails():
    rng = np.random.default_rng(0)
    names, rates = ("20260101 x", "20260301 y"), (0.3, 0.8)
    columns = {
        "entry": [name for name in names for _ in range(90)],
        "item": [f"i{k // 3:02d}" for _ in names for k in range(90)],
        "sample": [k % 3 for _ in names for k in range(90)],
        "score": [float(rng.random() < rate) for rate in rates for _ in range(90)],
    }
    table = dh.Table.from_frame(columns)
    found = dh.records(table)
    assert found.methods.test == "t"
    pair = dh.compare(table, names[1], names[0]).comparisons[0]
    assert found.steps[0].p == pytest.approx(pair.p)
    assert found.steps[0].a_only is None


def test_lower_is_better():
    table = table_of({"20260101 x": [0.9, 0.8, 0.7] * 9, "20260201 y": [0.1, 0.2, 0.3] * 9})
    found = dh.records(table, estimand=dh.Estimand(lower_is_better=True))
    assert [step.entry for step in found.steps] == ["20260201 y"]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: dh.records(table_of({"x": [1], "y": [0]})), MethodError, "neither a column date nor names"),
        (lambda: dh.records(table_of({"x": [1], "y": [0]}), "name"), MethodError, "no date .* for 2 of 2"),
        (lambda: dh.records(table_of({"x": [1], "y": [0]}), "when"), MethodError, "no entry column 'when'"),
        (lambda: dh.records(table_of({"20260101": [1, 0]})), DataError, "at least two"),
        (lambda: dh.records(table_of({"x": [1], "y": [0]}), alpha=2), MethodError, "alpha"),
    ],
)
def test_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


@NEEDS_SHARED
def test_a_real_board():
    reference = shared_json("reference/next.json")["records"]
    path = SHARED / "data/swebench_site/leaderboards_20260226.json"
    table = dh.read(path, options=dh_options("bash-only"))
    for source, found in (("date", dh.records(table)), ("name", dh.records(table, "name"))):
        assert found.dates == source
        assert [step.p for step in found.steps] == pytest.approx(
            reference["p of each new record against the last"], rel=5e-3
        )
        assert found.standing == reference["stand after Holm"]
        assert found.summary.startswith("1 of 6 records stands: 20250726_mini-v1.0.0_claude-sonnet-4")


def test_the_reference_by_its_cells():
    """The six steps of that board as cells: b, c, and p to nine digits."""
    from deadheat.stats.anytime.history import selective_p

    cells = np.array([(228, 9), (42, 28), (45, 30), (44, 26), (29, 28), (31, 19)])
    want = [5.253531465e-56, 0.13216873197, 0.10534226887, 0.04573767268, 1.0, 0.13396094026]
    assert selective_p(*cells.T) == pytest.approx(want, rel=1e-9)


def dh_options(board):
    from deadheat.readers import Options

    return Options(board=board)
