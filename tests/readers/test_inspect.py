"""Inspect AI logs that are unusual: no header, renewed samples, large or hostile archives, old layouts."""

import json
from contextlib import suppress

import pytest

from deadheat.errors import DataError, DuplicateAttempt, MalformedFile, MethodError
from deadheat.readers import Options, inspect_zip, read
from formats_kit import FIXTURES, attempts, score_table
from support import zipfile, zstd

RUNS = FIXTURES / "inspect" / "runs"


def table(path, latest=False, **choices):
    return read(path, options=Options(choices=choices, latest=latest))


def sample(id, value="C", epoch=1, **more):
    return {"id": id, "epoch": epoch, "scores": {"match": {"value": value}}, **more}


def header(model="org/a", task="sums", created="2026-01-02T03:04:05+00:00", status="success", **more):
    run = {"task": task, "model": model, "created": created, "config": {"epochs": 1}, **more}
    return {"version": 2, "status": status, "eval": run}


def archive(path, members, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as log:
        for name, content in members:
            log.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return path


def log(path, samples, **more):
    path.write_text(json.dumps(header(**more) | {"samples": samples}))
    return path


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_ZSTANDARD])
def test_every_compression(compression, tmp_path):
    path = archive(
        tmp_path / "a.eval", [("summaries.json", [sample("q", "P")]), ("header.json", header())], compression
    )
    assert score_table(table(path)) == {("org/a", "sums/q", "1"): 0.5}


def test_a_member_of_several_zstd_frames(tmp_path):
    """Members above 200 MiB are written as several frames."""
    text = json.dumps([sample(f"q{n}") for n in range(5)]).encode()
    frames = zstd.compress(text[:40]) + zstd.compress(text[40:])
    path = archive(
        tmp_path / "a.eval", [("summaries.json", text), ("header.json", header())], zipfile.ZIP_ZSTANDARD
    )
    stored = archive(
        tmp_path / "b.eval", [("summaries.json", frames), ("header.json", header())], zipfile.ZIP_STORED
    )
    data = bytearray(stored.read_bytes())
    with zipfile.ZipFile(stored) as opened:
        info = opened.getinfo("summaries.json")
    # Declare the stored bytes to be the compressed form: method 93, and the sizes and checksum of the text.
    for at, offset in ((info.header_offset, 0), (data.index(b"PK\x01\x02"), 2)):
        data[at + 8 + offset : at + 10 + offset] = (93).to_bytes(2, "little")
        data[at + 14 + offset : at + 18 + offset] = __import__("zlib").crc32(text).to_bytes(4, "little")
        data[at + 22 + offset : at + 26 + offset] = len(text).to_bytes(4, "little")
    stored.write_bytes(data)
    assert attempts(table(stored)) == attempts(table(path))


def test_an_unfinished_log_is_read_from_its_journal_and_later_rows_count(tmp_path):
    start = header(status="started", dataset={"sample_ids": ["q1", "q2", "q3"]})
    del start["status"]
    path = archive(
        tmp_path / "a.eval",
        [
            ("_journal/start.json", start),
            ("_journal/summaries/2.json", [sample("q1", "C")]),
            ("_journal/summaries/10.json", [sample("q1", "I"), sample("q2", "C")]),
        ],
    )
    found = table(path)
    assert [row[1:] for row in attempts(found)] == [
        ("sums/q1", "1", 0.0, "scored", ""),
        ("sums/q2", "1", 1.0, "scored", ""),
        ("sums/q3", "1", "", "absent", "not started"),
    ]
    assert [note.code for note in found.notes] == ["unfinished-run"]


def test_a_limited_run_is_not_said_to_lack_the_rest_of_the_data_set(tmp_path):
    whole = header(status="error", dataset={"sample_ids": ["q1", "q2"]}, config={"limit": 1})
    path = archive(tmp_path / "a.eval", [("header.json", whole), ("summaries.json", [sample("q1")])])
    assert table(path).items == ("sums/q1",)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_with_one_name_the_last_counts(tmp_path):
    path = archive(
        tmp_path / "a.eval",
        [
            ("summaries.json", [sample("q", "I")]),
            ("header.json", header()),
            ("summaries.json", [sample("q", "C")]),
        ],
    )
    assert score_table(table(path)) == {("org/a", "sums/q", "1"): 1.0}


def test_without_summaries_the_samples_are_read(tmp_path):
    members = [("samples/cap/fr_epoch_1.json", sample("cap/fr")), ("samples/7_epoch_1.json", sample(7, "I"))]
    path = archive(tmp_path / "a.eval", [*members, ("header.json", header())])
    assert score_table(table(path)) == {("org/a", "sums/cap/fr", "1"): 1.0, ("org/a", "sums/7", "1"): 0.0}


def test_a_bomb_is_refused(tmp_path):
    path = archive(tmp_path / "a.eval", [("summaries.json", b" " * 10**7 + b"[]"), ("header.json", header())])
    with pytest.raises(MalformedFile, match=r"member summaries.json holds more than 8,000,000 bytes"):
        read(path, options=Options(memory=8_000_000))


def test_a_member_that_climbs_out_of_the_archive_is_only_a_name(tmp_path):
    members = [("../../evil.json", {"id": 1}), ("header.json", header()), ("summaries.json", [sample("q")])]
    archive(tmp_path / "a.eval", members)
    table(tmp_path / "a.eval")
    assert [path.name for path in tmp_path.iterdir()] == ["a.eval"]


def test_an_archive_of_something_else(tmp_path):
    path = archive(tmp_path / "a.eval", [("readme.txt", b"hello")])
    with pytest.raises(MalformedFile, match=r"no header.json and no _journal/start.json"):
        table(path)


def test_truncation_anywhere_gives_what_is_whole_and_is_told(tmp_path):
    data = (RUNS / "a.eval").read_bytes()
    whole = {row[:3]: row[3:5] for row in attempts(table(RUNS / "a.eval", scorer="letter"))}
    path, most = tmp_path / "a.eval", 0
    for at in range(4, len(data), len(data) // 25):
        path.write_bytes(data[:at])
        found = None
        with suppress(MalformedFile):
            found = table(path, scorer="letter")
        if found is None:
            with pytest.raises(MalformedFile, match=r"truncated or corrupt|is missing|is truncated"):
                table(path, scorer="letter")
        else:
            assert "truncated-log" in [note.code for note in found.notes]
            given = {row[:3]: row[3:5] for row in attempts(found) if row[5] != "not started"}
            assert given.items() <= whole.items()
            most = max(most, len(given))
    assert most == len(whole)


def test_bare_nan_and_null_are_unscored_and_infinity_is_refused(tmp_path):
    path = log(tmp_path / "a.json", [sample("a", float("nan")), sample("b", None), sample("c", 0.25)])
    assert "NaN" in path.read_text()
    assert [row[3:] for row in attempts(table(path))] == [
        ("", "absent", "unscored"),
        ("", "absent", "unscored"),
        (0.25, "scored", ""),
    ]
    with pytest.raises(DataError, match="scores are finite numbers"):
        table(log(tmp_path / "b.json", [sample("c", float("inf"))]))


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("C", 1.0),
        ("N", 0.0),
        ("YES", 1.0),
        ("false", 0.0),
        (True, 1.0),
        ("0.75", 0.75),
        (3, 3.0),
        ("nan", None),
    ],
)
def test_values(value, score, tmp_path):
    found = score_table(table(log(tmp_path / "a.json", [sample("q", value)])))
    assert found == {("org/a", "sums/q", "1"): score}


@pytest.mark.parametrize("value", ["A", "", [1, 2], "correct!"])
def test_a_value_that_is_no_score_is_left_out_and_told_and_refused_if_it_is_the_only_one(value, tmp_path):
    with pytest.raises(MalformedFile, match="sample q epoch 1, scorer 'match'"):
        table(log(tmp_path / "a.json", [sample("q", value)]))
    found = table(log(tmp_path / "a.json", [sample("q", value), sample("r"), sample("s", "I")]))
    assert [row[3:] for row in attempts(found)] == [
        ("", "absent", "no score"),
        (1.0, "scored", ""),
        (0.0, "scored", ""),
    ]
    [note] = found.notes
    assert (note.code, note.text[:44]) == ("no-scores", "a.json: 1 attempt has no score and is left o")
    assert "sample q epoch 1, scorer 'match': " in note.text


def test_invalid_samples_are_absent_and_told_in_both_kinds_of_logs(tmp_path):
    """Summaries do not say what is invalid, so the samples are asked when the header says that some is."""
    rows = [sample("q", "C"), sample("r", "C", invalidation={"author": "me", "reason": "bad sandbox"})]
    plain = log(tmp_path / "a.json", rows, created="2026-01-02T03:04:05+00:00")
    thin = [{k: v for k, v in row.items() if k != "invalidation"} for row in rows]
    members = [(f"samples/{row['id']}_epoch_1.json", row) for row in rows]
    top = header(model="org/b") | {"invalidated": True}
    packed = archive(tmp_path / "b.eval", [*members, ("summaries.json", thin), ("header.json", top)])
    for path in (plain, packed):
        found = table(path)
        assert [row[3:] for row in attempts(found)] == [(1.0, "scored", ""), ("", "absent", "invalid")]
        assert [note.code for note in found.notes] == ["invalid-samples"]
        text = "1 of 2 samples are marked invalid and not scored, for example r"
        assert found.notes[0].text == f"{path.name}: {text}"


def test_edited_scores_are_told(tmp_path):
    rows = [sample("q", "C"), sample("r", "C")]
    rows[1]["scores"]["match"]["history"] = [{"value": "I"}, {"value": "C", "provenance": {"author": "me"}}]
    found = table(log(tmp_path / "a.json", rows))
    [note] = found.notes
    assert note.code == "edited-scores"
    assert note.text == "a.json: scores of 'match' edited after the run: 1 of 2, for example that of r"


def test_errors_limits_and_cancelled_samples_are_told_apart(tmp_path):
    rows = [
        {"id": "e", "epoch": 1, "scores": {}, "error": {"message": "RuntimeError('x')", "traceback": ""}},
        {"id": "c", "epoch": 1, "scores": {}, "error": {"message": "CancelledError()", "traceback": ""}},
        sample("both", "I", error={"message": "RuntimeError('x')"}),
        sample("limit", "C", limit={"type": "token", "limit": 10}),
        sample("fine"),
    ]
    assert {row[1].split("/")[1]: row[3:] for row in attempts(table(log(tmp_path / "a.json", rows)))} == {
        "e": ("", "failed", "error"),
        "c": ("", "absent", "cancelled"),
        "both": (0.0, "scored", "error"),
        "limit": (1.0, "scored", "limit"),
        "fine": (1.0, "scored", ""),
    }


def test_runs_of_other_lengths_are_read_as_they_are(tmp_path):
    log(tmp_path / "a.json", [sample("q", "C"), sample("q", "I", epoch=2)])
    log(tmp_path / "b.json", [sample("q", "C")], model="org/b")
    found = table(tmp_path)
    assert found.cells.scored.tolist() == [2, 1]


def test_two_logs_of_one_model_are_refused_unless_named_or_the_latest(tmp_path):
    log(tmp_path / "a.json", [sample("q", "C")])
    log(tmp_path / "b.json", [sample("q", "I")], created="2026-01-03T00:00:00+00:00")
    with pytest.raises(DuplicateAttempt, match=r"org/a ran sums 2 times"):
        table(tmp_path)
    assert score_table(table(tmp_path, latest=True)) == {("org/a", "sums/q", "1"): 0.0}
    assert read([f"x={tmp_path / 'a.json'}", f"y={tmp_path / 'b.json'}"]).entries == ("x", "y")


def test_a_log_without_samples_lists_its_model(tmp_path):
    log(tmp_path / "a.json", [sample("q")])
    log(tmp_path / "b.json", None, model="org/b")
    found = table(tmp_path)
    assert found.unpublished == ("org/b",)
    with pytest.raises(DataError, match="no attempt in"):
        table(tmp_path / "b.json")


def test_a_scorer_of_objects_may_leave_a_sample_out(tmp_path):
    rows = [sample("a", {"x": 1, "y": 0}), sample("b", float("nan"))]
    path = log(tmp_path / "a.json", rows)
    with pytest.raises(MethodError, match="one of match/x, match/y"):
        table(path)
    assert [row[3:5] for row in attempts(table(path, scorer="match/x"))] == [(1.0, "scored"), ("", "absent")]


def test_metadata_is_carried_only_when_asked_for(tmp_path):
    path = log(tmp_path / "a.json", [sample("a", metadata={"passage": "p1"}), sample("b", metadata={})])
    assert not table(path).has("passage")
    assert table(path, columns="passage").attribute("passage").tolist() == ["p1", None]


def test_only_the_summaries_of_an_archive_are_unpacked(tmp_path, monkeypatch):
    opened = []
    original = inspect_zip.Archive.read
    monkeypatch.setattr(
        inspect_zip.Archive, "read", lambda self, name: opened.append(name) or original(self, name)
    )
    table(RUNS / "a.eval")
    assert opened == ["header.json", "summaries.json"]


def test_a_run_without_a_single_score_is_told_from_other_items(tmp_path, capsys):
    from deadheat.cli.main import run

    log(tmp_path / "a.json", [sample("q", float("nan"))])
    log(tmp_path / "b.json", [sample("q", "C")], model="org/b")
    assert run(["compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 1
    assert "org/a has no attempt that was scored or failed" in capsys.readouterr().err


def test_two_epochs_against_one_are_told(tmp_path, capsys):
    from deadheat.cli.main import run

    rows = [sample(f"q{n}", "CI"[n % 2]) for n in range(4)]
    log(tmp_path / "a.json", [*rows, *({**row, "epoch": 2} for row in rows)])
    log(tmp_path / "b.json", rows[::-1], model="org/b")
    assert run(["compare", str(tmp_path / "a.json"), str(tmp_path / "b.json"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    [text] = [note["text"] for note in document["notes"] if note["code"] == "uneven-samples"]
    assert text.startswith("entries have from 1 to 2 samples an item")
    assert run(["compare", str(tmp_path / "b.json"), f"x={tmp_path / 'b.json'}", "--json"]) == 0
    assert "uneven-samples" not in capsys.readouterr().out
