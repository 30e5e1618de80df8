"""Readers that are not even imported for a file are those that could not claim it."""

import pytest

from deadheat.readers import readers
from deadheat.readers.base import Source
from deadheat.readers.registry import BEYOND_JSON, BUILT_IN, candidates, descriptions
from formats_kit import FIXTURES

HEADS = (
    b"",
    b"item,score\nq1,1\n",
    b"a\tb\n",
    b"<testsuite>",
    b"PK\3\4",
    b"PAR1",
    b"\0\1",
    b'"x": {"id": 1}',
)
SUFFIXES = ("", ".csv", ".tsv.gz", ".eval", ".idx", ".parquet", ".txt", ".xml", ".yaml", ".json.txt")
FILES = [path for path in sorted(FIXTURES.rglob("*")) if path.is_file()]


def source(path, head):
    """A file as recognition sees it, without its having to be there."""
    made = Source(path, None, root=path.parent)
    vars(made)["head"] = head
    return made


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_whoever_is_left_out_claims_nothing(suffix):
    """Under every name that a reader knows, in the folders where its companions are."""
    for path in FILES:
        for head in HEADS:
            seen = source(path.with_name(path.name.split(".")[0] + suffix), head)
            chosen = candidates(seen)
            assert 0 < len(chosen) < len(readers())
            assert not [
                reader.name for reader in readers().values() if reader not in chosen and reader.claims(seen)
            ]


def test_every_reader_is_asked_of_what_may_be_json():
    everyone = tuple(readers().values())
    for name, head in (
        ("a.json", b"x"),
        ("a.jsonl.gz", b""),
        ("A.JSON", b"<"),
        ("a", b" \n{"),
        ("a.csv", b"["),
    ):
        assert candidates(source(FIXTURES / name, head)) == everyone


def test_the_order_of_readers_is_kept():
    assert {*BUILT_IN, *descriptions()} > set(BEYOND_JSON)
    chosen = [reader.name for reader in candidates(source(FIXTURES / "a.csv", b"item,score\n"))]
    assert chosen == [name for name in readers() if name in chosen]
