"""The SWE-bench site's leaderboards and the experiments layout."""

import json

import pytest

from deadheat.errors import DataError, MalformedFile
from deadheat.readers import Options, read
from deadheat.readers.swebench_site import repository
from formats_kit import attempts
from support import NEEDS_SHARED, SHARED

SITE = {
    "leaderboards": [
        {
            "name": "small",
            "results": [
                {
                    "folder": "f1",
                    "name": "Same",
                    "resolved": 50.0,
                    "per_instance_details": {
                        "o__r-1": {"resolved": True},
                        "o__r-2": {"resolved": False, "cost": 1},
                    },
                },
                {
                    "folder": "f2",
                    "name": "Same",
                    "resolved": 100,
                    "per_instance_details": {"o__r-1": {"resolved": True}},
                },
                {"folder": "f3", "name": "Bare", "resolved": 70.5, "checked": "yes"},
            ],
        },
        {"name": "other", "results": [{"folder": "f3", "resolved": 1}]},
    ]
}


def write(tmp_path, site, name="leaderboards.json"):
    path = tmp_path / name
    path.write_text(json.dumps(site))
    return path


def test_site(tmp_path):
    table = read(write(tmp_path, SITE))
    assert table.entries == ("f1", "f2")
    assert table.names["f1"] == table.names["f2"] == "Same"
    assert table.unpublished == ("f3",)
    assert table.published == {"f1": 0.5, "f2": 1.0, "f3": 0.705}
    assert table.attribute("repository").tolist() == ["o/r", "o/r"]


def test_boards_are_chosen(tmp_path):
    path = write(tmp_path, SITE)
    with pytest.raises(DataError, match="no board 'x'; choose one with --board: small, other"):
        read(path, options=Options(board="x"))
    with pytest.raises(DataError, match="board other publishes no per-item results"):
        read(path, options=Options(board="other"))
    two = {"leaderboards": [SITE["leaderboards"][0], {**SITE["leaderboards"][0], "name": "again"}]}
    with pytest.raises(DataError, match="several boards; choose one"):
        read(write(tmp_path, two))


def test_folders_must_be_unique(tmp_path):
    site = {"leaderboards": [{"name": "b", "results": [SITE["leaderboards"][0]["results"][0]] * 2}]}
    with pytest.raises(MalformedFile, match="folder occurs more than once: f1"):
        read(write(tmp_path, site))


def test_broken_sites(tmp_path):
    path = tmp_path / "leaderboards.json"
    path.write_text('{"leaderboards": [{"name": "b"}]}')
    with pytest.raises(MalformedFile, match="missing required field `results`"):
        read(path)
    path.write_text('{"leaderboards": [')
    with pytest.raises(MalformedFile, match="not valid JSON"):
        read(path)


@pytest.mark.parametrize(
    ("instance", "name"),
    [("django__django-123", "django/django"), ("a__b-c-9", "a/b-c"), ("mrdoob__three", "mrdoob/three")],
)
def test_repository(instance, name):
    assert repository(instance) == name


def test_experiments(tmp_path):
    folder = tmp_path / "20240101_sys" / "results"
    folder.mkdir(parents=True)
    lists = {
        "resolved": ["o__r-1"],
        "no_generation": ["o__r-2"],
        "generated": ["o__r-1", "o__r-3", "o__r-4"],
        "install_fail": ["o__r-4"],
    }
    (folder / "results.json").write_text(json.dumps(lists))
    table = read(tmp_path)
    assert table.entries == ("20240101_sys",)
    by_item = dict(
        zip(
            table.items,
            zip(table.cells.total, table.cells.failed, table.cells.absent, strict=True),
            strict=True,
        )
    )
    assert by_item == {"o__r-1": (1, 0, 0), "o__r-2": (0, 0, 1), "o__r-3": (0, 0, 0), "o__r-4": (0, 1, 0)}
    assert any(note.code == "unknown-universe" for note in table.notes)
    (tmp_path / "index.json").write_text(
        json.dumps({f"o__r-{i}": {"repository": "o/r"} for i in range(1, 6)})
    )
    known = read(tmp_path)
    assert known.items == tuple(f"o__r-{i}" for i in range(1, 6))
    assert known.provenance().absent == 2
    (folder / "results.json").write_text('{"resolved": []}')
    (tmp_path / "index.json").unlink()
    with pytest.raises(MalformedFile, match="no list of instance ids"):
        read(tmp_path)


def entry(split, name, **lists):
    folder = split / name / "results"
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(lists))
    return split / name


def test_where_only_the_resolved_are_listed_the_rest_of_the_split_is_not_resolved(tmp_path):
    """What entries of 2024 and later publish; an item that the other entry resolved is a loss, not a gap."""
    split = tmp_path / "verified"
    one = entry(split, "a", resolved=["o__r-1", "o__r-2"], no_generation=["o__r-5"], no_logs=[])
    other = entry(split, "b", resolved=["o__r-1", "o__r-3"], no_generation=[], no_logs=["o__r-4"])
    entry(split, "c", resolved=["o__r-6"], no_generation=[], no_logs=[])
    table = read([one, other])
    assert table.items == tuple(f"o__r-{n}" for n in range(1, 7))
    rows = {row[:2]: row[3:5] for row in attempts(table)}
    assert rows["a", "o__r-3"] == (0.0, "scored")
    assert rows["a", "o__r-5"] == ("", "absent")
    assert rows["b", "o__r-4"] == ("", "failed")
    assert rows["b", "o__r-6"] == (0.0, "scored")
    [note] = table.notes
    assert "taken to be the 6 that any of its 3 entries names" in note.text
    (split / "index.json").write_text(json.dumps({f"o__r-{n}": {} for n in range(1, 9)}))
    known = read([one, other])
    assert len(known.items) == 8
    assert known.notes == ()


def test_where_only_the_resolved_are_listed_an_entry_alone_says_nothing(tmp_path):
    one = entry(tmp_path / "x", "a", resolved=["o__r-1"], no_generation=[], no_logs=[])
    with pytest.raises(MalformedFile, match="lists what was resolved and not what else there was"):
        read(one)
    entry(tmp_path / "x", "c", resolved=["o__r-2"])
    other = entry(tmp_path / "y", "b", resolved=["o__r-3"])
    entry(tmp_path / "y", "d", resolved=["o__r-4"])
    with pytest.raises(DataError, match=r"cannot be matched: their set of items, told from the entries"):
        read([one, other])


@NEEDS_SHARED
@pytest.mark.parametrize(
    ("board", "entries", "bare"), [("bash-only", 40, 6), ("Multilingual", 13, 0), ("Verified", 39, 139)]
)
def test_the_real_site(board, entries, bare):
    path = SHARED / "data" / "swebench_site" / "leaderboards_20260226.json"
    table = read(path, options=Options(board=board))
    assert (len(table.entries), len(table.unpublished)) == (entries, bare)
