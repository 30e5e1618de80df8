"""Every format's fixture: one reader claims it, it reads as expected, and broken twins say what is wrong."""

import shutil
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deadheat.auditing.intake import intake
from deadheat.errors import DeadheatError
from deadheat.readers import read, read_with, readers
from formats_kit import FORMATS, Case, attempts, cases, claimants, damaged, expected, read_case


@pytest.mark.parametrize("case", cases("read"), ids=Case.id)
def test_reads_as_expected(case):
    table = read_case(case)
    assert attempts(table) == expected(case.folder / case.expected)
    assert dict(table.published) == pytest.approx(case.published)
    assert [note.code for note in table.notes] == case.notes
    assert {file.format.split(" ")[0] for file in table.files} == {case.called or case.format}


@pytest.mark.parametrize("case", cases("read"), ids=Case.id)
def test_one_reader_claims_each_file(case):
    path = case.folder / case.path
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            asked = readers()[case.format].asked  # by name only, so that nobody claims it
            assert claimants(file) == ([] if asked else [case.format]), file


def test_what_is_published_goes_by_the_name_that_was_given():
    """`a=PATH` renames an entry's figures too; audit would find nothing to hold them against."""
    named = 0
    for case in cases("read"):
        path = case.folder / case.path
        try:
            found = read_with(intake, f"a={path}", format=case.format, options=case.options())
        except DeadheatError:
            continue  # several entries, or a choice to make
        if found.table is None:
            continue
        named += bool(found.stated)
        assert {figure.entry for figure in found.stated} <= {"a"}, case.id()
        assert set(found.table.published) <= {"a"}, case.id()
    assert named >= 3


@pytest.mark.parametrize("case", cases("broken"), ids=Case.id)
def test_broken_twin_says_what_is_wrong(case, tmp_path):
    path = damaged(case, tmp_path)
    with pytest.raises(DeadheatError) as caught:
        read(path, format=case.format if readers()[case.format].asked else None, options=case.options())
    assert str(caught.value) == case.message.replace("{path}", str(path)).replace(
        "{folder}", str(path.parent)
    )


@pytest.mark.parametrize("format", FORMATS)
def test_damage_never_ends_in_a_traceback(format, tmp_path_factory):
    first = next(case for case in cases("read") if case.format == format)
    folder = tmp_path_factory.mktemp(format) / "copy"
    shutil.copytree(first.folder, folder)
    path = folder / first.path
    files = sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]
    original = {file: file.read_bytes() for file in files}

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.data())
    def damage(data):
        file = data.draw(st.sampled_from(files))
        content = bytearray(original[file])
        at = data.draw(st.integers(0, len(content) - 1))
        kind = data.draw(st.sampled_from(("cut", "flip", "drop", "insert")))
        if kind == "cut":
            content = content[:at]
        elif kind == "flip":
            content[at] ^= 1 << data.draw(st.integers(0, 7))
        elif kind == "drop":
            del content[at : at + data.draw(st.integers(1, 40))]
        else:
            content[at:at] = data.draw(st.sampled_from([b"\0", b"NaN", b"}", b"[", b"null", b'"', b"\xff"]))
        file.write_bytes(bytes(content))
        with suppress(DeadheatError):
            read(path, options=first.options())
        file.write_bytes(original[file])

    damage()
