"""Every reader has a fixture, expected table, broken twin, fuzz test, and a page that says the same."""

import re
import tomllib

import pytest

from deadheat.readers import readers
from formats_kit import FIXTURES, FORMATS

PAGES = FIXTURES.parents[2] / "docs" / "formats"
FIELDS = ("recognised", "entry", "item", "sample", "score", "failed", "absent")
BUILT_IN = [name for name, reader in readers().items() if reader.read.__module__.startswith("deadheat.")]


@pytest.mark.parametrize("name", BUILT_IN)
def test_has_a_fixture_an_expected_table_and_a_broken_twin(name):
    case = tomllib.loads((FIXTURES / name / "case.toml").read_text())
    assert re.match(r"by (running .+\d|hand to .+)", case["made"]), "how the fixture was made"
    assert case["read"]
    for read in case["read"]:
        assert (FIXTURES / name / read["path"]).exists()
        assert len((FIXTURES / name / read["expected"]).read_text().splitlines()) > 1
    assert case["broken"]
    for broken in case["broken"]:
        assert "{path}" in broken["message"] or "{folder}" in broken["message"], "a message names the file"
    assert any("recognises" not in twin["message"] for twin in case["broken"]), "known for its format"


@pytest.mark.parametrize("name", BUILT_IN)
def test_is_fuzzed(name):
    assert name in FORMATS


@pytest.mark.parametrize("name", BUILT_IN)
def test_page_says_what_the_reader_says(name):
    reader, page = readers()[name], (PAGES / f"{name}.md").read_text()
    for field in FIELDS:
        said = getattr(reader, field).replace("|", "\\|")
        assert f"\n| {field} | {said} |\n" in page


def test_no_fixture_and_no_page_without_a_reader():
    assert set(FORMATS) == set(BUILT_IN)
    assert {page.stem for page in PAGES.glob("*.md")} - {"index", "columns"} == set(BUILT_IN)
