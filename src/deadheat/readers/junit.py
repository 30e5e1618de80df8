"""JUnit XML, as pytest and many others write it: a test case is an item, passed or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deadheat.data.batch import Batch
from deadheat.errors import DuplicateAttempt, MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.rows import Rows, agree, choose, folder_name, number

if TYPE_CHECKING:
    from xml.etree import ElementTree

UNNAMED = ("", "pytest", "tests", "testsuite")  # names of suites that say nothing
Outcome = tuple[float | None, str, str | None]


def _claims(source: Source) -> bool:
    head = source.head.lstrip()
    return head.startswith(b"<") and (b"<testsuite" in head[:4096])


def _read(source: Source, options: Options) -> Sequence[Batch]:
    suites = list(_suites(_tree(source)))
    names = {suite.get("name", "") for suite in suites}
    # promptfoo writes a suite a provider; elsewhere suites are parts of one run.
    by_suite = len(names) == len(suites) > 0 and all(name.startswith("[") and "]" in name for name in names)
    named = by_suite or (len(names) == 1 and not names & set(UNNAMED))
    found: dict[tuple[str, str], list[tuple[Outcome, str | None]]] = {}
    for suite in suites:
        entry = suite.get("name", "") if named else folder_name(source)
        for case in suite.findall("testcase"):
            parts = ["" if by_suite else case.get("classname", ""), case.get("name", "")]
            item = "::".join(part for part in parts if part) or "unnamed"
            stated = next((p.get("value") for p in case.iter("property") if p.get("name") == "score"), None)
            found.setdefault((entry, item), []).append((_outcome(case), stated))
    if not found:
        raise MalformedFile(f"{source.path}: no test case in this file")
    merged = []
    for (entry, item), cases in found.items():
        one = _merge(cases)
        if one is None:
            raise DuplicateAttempt(
                f"{source.path}: the test {item} occurs {len(cases)} times; give each run a file of its own"
            )
        merged.append((entry, item, *one))
    rated = _rated(merged, options, str(source.path))
    rows = Rows()
    for (entry, item, (_, status, reason), _), score in zip(merged, rated, strict=True):
        rows.add(entry, item, score, None, status, reason)
    return [rows.batch(source, "junit")]


def _tree(source: Source) -> ElementTree.Element:
    from xml.etree import ElementTree

    data = source.read()
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise MalformedFile(f"{source.path}: declares a document type, which is refused")
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise MalformedFile(f"{source.path}: not valid XML: {error}") from error


def _suites(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Suites with cases of their own, at any depth."""
    return (suite for suite in root.iter("testsuite") if suite.find("testcase") is not None)


def _outcome(case: ElementTree.Element) -> Outcome:
    if case.find("failure") is not None:
        return 0.0, "scored", None
    error = case.find("error")
    if error is not None:
        if "teardown" in (error.get("message") or ""):
            return 1.0, "scored", "teardown error"  # the test itself had passed
        return None, "failed", "error"
    skipped = case.find("skipped")
    if skipped is not None:
        return None, "absent", "xfail" if skipped.get("type") == "pytest.xfail" else "skipped"
    return 1.0, "scored", None


def _merge(cases: list[tuple[Outcome, str | None]]) -> tuple[Outcome, str | None] | None:
    """One outcome of elements with one name: a failure and the error of its teardown are one test.

    None where the elements are no such pair.
    """
    score = next((score for _, score in cases if score is not None), None)
    outcomes = [outcome for outcome, _ in cases]
    if len(outcomes) == 2 and {outcome[2] for outcome in outcomes} == {None, "teardown error"}:
        return next(outcome for outcome in outcomes if outcome[2] is None), score
    return (outcomes[0], score) if len(outcomes) == 1 else None


def _rated(
    merged: list[tuple[str, str, Outcome, str | None]], options: Options, where: str
) -> list[float | None]:
    """Score of each case: its verdict, or the property `score` where the file has it and it was chosen."""
    verdicts = [outcome[0] for *_, outcome, _ in merged]
    if all(score is None for *_, score in merged):
        return verdicts
    scores = [
        outcome[0]
        if outcome[1] != "scored" or score is None
        else number(score, f"{where}: property score of {item}")
        for _, item, outcome, score in merged
    ]
    if agree(zip(verdicts, scores, strict=True)):
        return verdicts
    return verdicts if choose(options, "metric", ["pass", "score"], where) == "pass" else scores


READERS = (
    Reader(
        name="junit",
        title="JUnit XML, as of pytest",
        recognised="XML with testsuite",
        entry="name of the only suite where it says something, of each suite of promptfoo, else the file's",
        item="classname::name",
        sample="one",
        score="metric=pass: no failure = 1, failure = 0; metric=score: the property `score`",
        failed="error in setup or collection",
        absent="skipped, and pytest's xfail",
        claims=_claims,
        read=_read,
    ),
)
