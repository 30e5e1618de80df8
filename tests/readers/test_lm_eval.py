"""lm-eval: the fast scan and the careful way agree, runs of one model are told apart, odd files are named."""

import gzip
import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import DuplicateAttempt, MalformedFile
from deadheat.readers import Options, read
from deadheat.readers.lm_eval_scan import scan
from formats_kit import FIXTURES, attempts

RUNS = FIXTURES / "lm-eval" / "runs"
NAME = "samples_task_2026-01-02T03-04-05.678901.jsonl"


def table(path, latest=False, **choices):
    return read(path, options=Options(choices=choices, latest=latest))


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from(["x" * 64, "y" * 64, None]),
        st.one_of(st.booleans(), st.floats(0, 1), st.integers(0, 1), st.just(float("nan"))),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(rows=ROWS)
def test_scan_and_careful_reading_agree(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("m") / NAME
    lines = [
        {
            "doc_id": n,
            "doc": {"q": "?"},
            "filter": filter,
            "metrics": ["acc"],
            "doc_hash": digest,
            "acc": score,
        }
        for n, (filter, digest, score) in enumerate(rows)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for filter in {row[0] for row in rows}:
        quick = attempts(table(path, filter=filter))
        careful = attempts(table(path, filter=filter, columns="q"))
        assert quick == careful


def test_the_scan_leaves_odd_rows_to_the_careful_way(tmp_path):
    import duckdb

    from deadheat.readers.base import Source

    def scanned(*rows):
        path = tmp_path / NAME
        path.write_text(
            "".join(json.dumps({"doc_id": n, "doc": {}, **row}) + "\n" for n, row in enumerate(rows))
        )
        return scan(Source(path, duckdb.connect(":memory:")), "acc", "task", by_hash=True)

    assert scanned({"acc": 1}, {"acc": True}) is not None
    assert scanned({"acc": 1}, {"acc": "1"}) is None
    assert scanned({"acc": 1}, {"acc": [1]}) is None
    assert scanned({"acc": 1}, {"ac": 1}) is None
    assert scanned({"acc": 1}, {"acc": 1, "doc_id": 0}) is None


@pytest.fixture
def twice(tmp_path):
    """The same model run twice into one folder."""
    shutil.copytree(RUNS / "org__a", tmp_path / "org__a")
    for path in list((tmp_path / "org__a").iterdir()):
        later = path.with_name(path.name.replace("2026-01-02T03", "2026-01-09T03"))
        later.write_text(path.read_text().replace('"exact_match": 0.0', '"exact_match": 1.0'))
    return tmp_path


def test_two_runs_are_refused_or_the_latest_taken(twice):
    with pytest.raises(DuplicateAttempt, match=r"org/a ran add_gen 2 times: .* or ask for the latest"):
        table(twice, filter="strict")
    found = table(twice, latest=True, filter="strict")
    gen = [row for row in attempts(found) if row[1].startswith("add_gen")]
    assert [row[3] for row in gen] == [1.0] * 4
    assert [note.code for note in found.notes] == ["latest-run", "latest-run"]
    assert "took the latest" in found.notes[0].text


def test_names_part_two_runs(twice):
    old, new = sorted((twice / "org__a").glob("samples_add_gen_*"))
    found = read([f"old={old}", f"new={new}"], options=Options(choices={"filter": "strict"}))
    assert found.entries == ("new", "old")


def test_two_folders_compare_with_no_option(tmp_path):
    for model in ("org__a", "org__b"):
        folder = tmp_path / model
        shutil.copytree(RUNS / model, folder)
        for path in folder.glob("samples_add_gen_*"):
            path.unlink()
    found = table([tmp_path / "org__a", tmp_path / "org__b"])
    assert found.entries == ("org/a", "org/b")
    assert len(found.items) == 4


def test_without_a_results_file_the_folder_names_the_entry(tmp_path):
    shutil.copytree(RUNS / "org__a", tmp_path / "org__a")
    for path in (tmp_path / "org__a").glob("results_*"):
        path.unlink()
    found = table(tmp_path, filter="strict")
    assert found.entries == ("org__a",)
    assert {note.code for note in found.notes} == {"entry-from-path"}


def test_an_old_file_is_one_json_list_without_hashes_or_filter(tmp_path):
    rows = [
        {"doc_id": n, "doc": {}, "target": "4", "resps": [], "acc": n % 2, "acc_norm": 0.5} for n in range(3)
    ]
    path = tmp_path / "samples_sums_2024-05-06T07-08-09.000000.json"
    path.write_text(json.dumps(rows, indent=2))
    found = table(path, metric="acc")
    assert [row[1:4] for row in attempts(found)] == [
        ("sums/0", "", 0.0),
        ("sums/1", "", 1.0),
        ("sums/2", "", 0.0),
    ]


def test_rows_without_a_filter_that_repeat_are_refused(tmp_path):
    path = tmp_path / NAME
    path.write_text('{"doc_id": 0, "doc": {}, "acc": 1}\n' * 2)
    with pytest.raises(DuplicateAttempt, match="row 2: doc_id 0 occurs again under the filter 'none'"):
        table(path)


def test_compressed_and_marked_files_are_read_alike(tmp_path):
    [original] = RUNS.glob("org__a/samples_add_gen_*")
    wanted = [row[1:] for row in attempts(table(original, filter="strict"))]
    folder = tmp_path / "x"
    folder.mkdir()
    packed = folder / f"{original.name}.gz"
    packed.write_bytes(gzip.compress(original.read_bytes()))
    assert [row[1:] for row in attempts(table(packed, filter="strict"))] == wanted
    packed.write_bytes(packed.read_bytes()[:-40])
    with pytest.raises(MalformedFile, match="truncated"):
        table(packed, filter="strict")
    packed.unlink()
    marked = folder / original.name
    marked.write_bytes(b"\xef\xbb\xbf" + original.read_bytes())
    assert [row[1:] for row in attempts(table(marked, filter="strict"))] == wanted


def test_less_is_better_is_told(tmp_path):
    shutil.copytree(RUNS / "org__a", tmp_path / "org__a")
    [results] = (tmp_path / "org__a").glob("results_*")
    results.write_text(results.read_text().replace('"exact_match": true', '"exact_match": false'))
    [path] = (tmp_path / "org__a").glob("samples_add_gen_*")
    assert table(path, filter="strict").lower_is_better is True
