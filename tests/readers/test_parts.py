"""What readers share, and odd corners: outlines of heads, choices, names from paths, runs, lines."""

import json
import shutil

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import DataError, DuplicateAttempt, MalformedFile, MethodError, ReadError, UnknownFormat
from deadheat.readers import Options, read, readers
from deadheat.readers.base import Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import agree, choose, folder_name, number
from formats_kit import FIXTURES, SHARED, attempts, claimants, score_table

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def paths(value, path=(), depth=6):
    """Every path of a JSON value down to the depth that an outline keeps."""
    pairs = (
        value.items()
        if isinstance(value, dict)
        else (("[]", v) for v in value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in pairs:
        if len(path) < depth:
            yield (*path, key)
            yield from paths(inner, (*path, key), depth)


@given(value=st.dictionaries(st.text(max_size=5), JSON, max_size=4) | st.lists(JSON, max_size=4))
def test_outline_sees_every_key(value):
    for indent in (None, 1):
        seen = outline(json.dumps(value, ensure_ascii=False, indent=indent).encode()).keys
        # Escaped characters of a key stay as they are written.
        wanted = {p for p in paths(value) if all(json.dumps(k, ensure_ascii=False)[1:-1] == k for k in p)}
        assert wanted <= set(seen)


@given(value=st.dictionaries(st.text(max_size=5), JSON, max_size=4), at=st.integers(0, 80))
def test_outline_of_a_cut_head_sees_no_key_that_is_not_there(value, at):
    text = json.dumps(value).encode()
    assert set(outline(text[:at]).keys) <= set(outline(text).keys)


@given(st.binary(max_size=60))
def test_outline_survives_anything(head):
    outline(head)
    outline(b"{" + head)


def test_outline_tells_lines_from_one_document():
    assert outline(b'{"a": 1}\n').second is None
    assert outline(b'{"a": 1}\n{"b": {"c": 2}}\n{"d": 3}').second == {"b"}
    assert outline(b"[]").kind == "list"
    assert outline(b"<xml/>").kind == ""


def test_choose():
    asked = Options(choices={"metric": "c,b"})
    assert choose(Options(), "metric", ["a"], "f") == "a"
    assert choose(asked, "metric", ["a", "b"], "f") == "b"
    assert choose(Options(choices={"metric": "x, y"}), "metric", ["x, y", "z"], "f") == "x, y"
    with pytest.raises(
        MethodError, match="f: 2 metrics and none chosen; choose with --choose metric=NAME, one of a, b"
    ):
        choose(Options(), "metric", ["b", "a"], "f")
    with pytest.raises(
        MethodError, match="f: no metric 'c,b'; choose with --choose metric=NAME, one of x, y"
    ):
        choose(asked, "metric", ["x", "y"], "f")


def test_number_and_agree():
    assert [number(value, "f") for value in (None, True, 2, "0.5")] == [None, 1.0, 2.0, 0.5]
    for value in ("x", [1], {"a": 1}):
        with pytest.raises(MalformedFile, match="f: a score is a number, found"):
            number(value, "f")
    assert agree([(1.0, 1.0), (None, 0.0)])
    assert not agree([(1.0, 0.0)])


def test_folder_name(tmp_path):
    def named(path, entry=""):
        return folder_name(Source(tmp_path / path, None, entry=entry))

    assert named("model-a/results/report.json", entry="report") == "model-a"
    assert named("x.json", entry="x") == "x"
    assert named("a/output.json", entry="a/output") == "a/output"


def test_a_long_line_and_a_bad_line_are_named(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2\n')
    found = json_lines(Source(path, None), dict)
    assert next(found) == (1, {"a": 1})
    with pytest.raises(MalformedFile, match="line 3: not valid JSON"):
        list(found)
    path.write_text('{"a": "' + "x" * 30 + '"}\n')
    with pytest.raises(MalformedFile, match="line 1 holds more than 10 bytes, which is refused"):
        list(json_lines(Source(path, None, memory=80), dict))


def test_a_document_larger_than_the_limit_is_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[" + "1," * 50 + "1]")
    with pytest.raises(MalformedFile, match="holds more than 20 bytes, which is refused"):
        Source(path, None, memory=20).read()


def test_deep_nesting_is_an_error_and_no_crash(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(
        '{"evalId": "x", "results": {"version": 3, "results": ' + "[" * 100_000 + "]" * 100_000 + "}}"
    )
    with pytest.raises(MalformedFile):
        read(path)


def test_every_reader_has_a_page_and_a_name_of_its_own():
    for name in readers():
        assert (FIXTURES.parents[2] / "docs" / "formats" / f"{name}.md").exists(), name


def test_two_readers_that_claim_one_file_are_reported(tmp_path, monkeypatch):
    from dataclasses import replace

    import deadheat.readers as package

    both = {name: replace(readers()["lm-eval"], name=name) for name in ("one", "two")}
    monkeypatch.setattr(package, "candidates", lambda source: tuple(both.values()))
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_id": 0, "doc": {}, "acc": 1}\n')
    with pytest.raises(UnknownFormat, match="both one and two claim this file; choose with --read"):
        read(path)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not at hand")
def test_nothing_is_claimed_twice():
    """Over every file of the common ground truth, whatever it is."""
    for root in ("formats/fixtures", "formats/fixtures-more", "data/format_fixtures"):
        for path in sorted(SHARED.joinpath(*root.split("/")).rglob("*")):
            if path.is_file() and path.stat().st_size:
                assert len(claimants(path)) <= 1, path


def test_files_that_are_no_results_are_passed_over(tmp_path):
    for name, text in {
        "config.json": '{"debug": true}',
        "notes.md": "# hi",
        "empty.log": "",
        "a.py": "x = 1",
    }.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ReadError, match="nothing readable"):
        read(tmp_path)


def test_a_failed_attempt_counts_in_each_of_its_rollouts(tmp_path):
    found = read(FIXTURES / "sieval" / "run")
    assert found.cells.failed.sum() == 2


def test_bfcl_header_only_means_that_all_passed(tmp_path):
    path = tmp_path / "score" / "m" / "simple_score.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"accuracy": 1.0, "correct_count": 2, "total_count": 2}\n')
    assert score_table(read(path)) == {("m", "simple/1", ""): 1.0, ("m", "simple/2", ""): 1.0}


def test_bfcl_result_file_of_another_run_is_refused(tmp_path):
    shutil.copytree(FIXTURES / "bfcl", tmp_path / "bfcl")
    [path] = (tmp_path / "bfcl" / "result" / "org_a").rglob("*_result.json")
    path.write_text(path.read_text().splitlines()[0] + "\n")
    with pytest.raises(MalformedFile, match="holds 1 other ids than the 3 here"):
        read(tmp_path / "bfcl" / "score")


def test_alpaca_eval_with_the_sides_swapped(tmp_path):
    rows = [
        {"instruction": "?", "generator_1": model, "generator_2": "base", "preference": 1.25}
        for model in ("a", "b")
    ]
    (tmp_path / "annotations.json").write_text(json.dumps(rows))
    assert [row[3] for row in attempts(read(tmp_path))] == [0.75, 0.75]


def test_alpaca_eval_entries_judged_against_other_baselines_share_nothing(tmp_path):
    for model, baseline in (("a", "x"), ("b", "y")):
        rows = [{"instruction": "?", "generator_1": baseline, "generator_2": model, "preference": 2.0}]
        (tmp_path / f"{model}.json").write_text(json.dumps(rows))
    assert len(read(tmp_path).items) == 2


def test_two_runs_of_one_model_by_swe_bench_are_refused(tmp_path):
    report = (FIXTURES / "swebench-report" / "runs" / "org__a.v1.json").read_text()
    for run in ("v1", "v2"):
        (tmp_path / f"org__a.{run}.json").write_text(report)
    with pytest.raises(DuplicateAttempt):
        read(tmp_path)
    assert read([f"{run}={tmp_path / f'org__a.{run}.json'}" for run in ("v1", "v2")]).entries == ("v1", "v2")


def test_published_rates_of_parts_are_not_those_of_the_whole(tmp_path):
    shutil.copytree(FIXTURES / "terminal-bench" / "runs", tmp_path / "runs")
    assert read(tmp_path / "runs").published == {}


def test_metr_weights():
    options = Options(choices={"metric": "score_cont", "weight": "equal_task_weight"})
    found = read(FIXTURES / "metr-runs" / "runs.jsonl", options=options)
    assert [float(weight) for weight in found.attribute("weight")] == [0.25] * 3
    assert found.attribute("cluster").tolist() == ["fix", "fix", "run"]


def test_parquet_that_is_no_table_of_attempts_is_unknown(tmp_path):
    duckdb.execute(f"COPY (SELECT 1 AS a) TO '{tmp_path / 'x.parquet'}' (FORMAT parquet)")
    with pytest.raises(ReadError, match="no reader recognises this file"):
        read(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"mteb_version": "1", "task_name": "t", "scores": {}}, "results of MTEB hold the scores of whole"),
        ({"accuracy": 1, "_evaluate_version": "0.4"}, "a file of Hugging Face evaluate holds a figure"),
        ({"humaneval": {"pass@1": 1}, "config": {"tasks": "humaneval"}}, "bigcode-evaluation-harness hold"),
    ],
)
def test_files_of_rates_only_are_named(content, message, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(content))
    with pytest.raises(UnknownFormat, match=f"{message}.* and nothing by item"):
        read(path)
    with pytest.raises(ReadError, match=message):
        read(tmp_path)


def test_files_that_only_go_with_results_are_named(tmp_path):
    for path in (FIXTURES / "lm-eval" / "runs" / "org__a").glob("results_*"):
        shutil.copy(path, tmp_path)
    with pytest.raises(ReadError, match="of lm-eval only files that go with its results by item"):
        read(tmp_path)
    with pytest.raises(DataError, match="org-b without results by item"):
        read(FIXTURES / "simple-evals" / "gpqa_org-b_20260102_030405.json")
