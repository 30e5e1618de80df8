"""For pytest: `assert_not_worse`, a test that a candidate is shown to be no worse than a baseline.

Import the function, or run pytest with ``-p deadheat.pytest_plugin`` for a fixture of the same name, which
also notes the verdict in the test report. The fixture `deadheat_monitor` makes monitors that are fed while
a test runs, and fails it if the candidate is worse.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike, fspath
from typing import Any

import pytest

from deadheat.comparing.verb import compare
from deadheat.data.table import Table
from deadheat.errors import MissingScore
from deadheat.estimand import Estimand
from deadheat.readers import read
from deadheat.results import Comparison
from deadheat.watching.monitor import Monitor

NAN = ("failed", "absent", "refuse")
Results = str | PathLike[str] | Mapping[str, float | None] | Sequence[float | None]


def assert_not_worse(
    baseline: Results,
    candidate: Results,
    *,
    margin: float,
    estimand: Estimand | None = None,
    test: str | None = None,
    alpha: float = 0.05,
    anytime: bool = False,
    inconclusive: str = "fail",
    nan: str = "failed",
    record: Callable[[str, object], None] | None = None,
) -> Comparison:
    """Assert that the candidate is shown to be non-inferior: not worse than the baseline by `margin` or more.

    Parameters
    ----------
    baseline, candidate : path, mapping of item to score, or sequence of scores in the same order
        What deadheat reads, or scores at hand.
    margin : float
        Largest loss that does not matter, in the unit of the scores.
    estimand : Estimand or None
        What the difference is about.
    test : str or None
        The paired test.
    alpha : float
        Chance of passing a candidate that is worse by exactly the margin.
    anytime : bool
        Valid at every look: for a test that runs again and again while results come in.
    inconclusive : str
        How data that settle nothing are taken: ``fail``, ``skip`` or ``pass``.
    nan : str
        What a score of NaN or None is, of scores at hand: ``failed``, an attempt that counts as 0;
        ``absent``, so that the item is left out; ``refuse``.
    record : callable or None
        Takes a name and a value for the test report.

    Returns
    -------
    Comparison

    Raises
    ------
    AssertionError
        The candidate is worse by more than the margin, or (``fail``) nothing was settled.
    """
    if inconclusive not in ("fail", "skip", "pass"):
        raise ValueError(f"inconclusive is fail, skip or pass; found {inconclusive!r}")
    if nan not in NAN:
        raise ValueError(f"nan is {', '.join(NAN)}; found {nan!r}")
    table = _table(baseline, candidate, nan)
    document = compare(
        table,
        "candidate",
        "baseline",
        estimand,
        test=test,
        alpha=alpha,
        margin=margin,
        anytime=anytime,
        fail_on="inconclusive",
    )
    pair, gate = document.comparisons[0], document.gate
    if record is not None:
        record("deadheat", document.summary)
    if gate is None or not gate.failed:
        return pair
    told = document.summary
    if pair.equivalence == "inferior" or inconclusive == "fail":
        if gate.false_alarm is not None:
            told += (
                f" On these items the test fails {100 * gate.false_alarm:.0f} % of candidates that are no "
                "different."
            )
        raise AssertionError(told)
    if inconclusive == "skip":
        pytest.skip(told)
    return pair


@pytest.fixture(name="assert_not_worse")
def _assert_not_worse(request: pytest.FixtureRequest) -> Callable[..., Comparison]:
    """`assert_not_worse` that also notes the verdict in the test report."""
    # As `record_property` does, which warns where the report is of the family xunit2, pytest's default.
    return partial(
        assert_not_worse, record=lambda name, value: request.node.user_properties.append((name, value))
    )


@pytest.fixture(name="deadheat_monitor")
def _deadheat_monitor(request: pytest.FixtureRequest) -> Iterator[Callable[..., Monitor]]:
    """Make monitors that are fed while a test runs; at its end a candidate that is worse fails it."""
    made: list[Monitor] = []

    def monitor(**options: Any) -> Monitor:
        made.append(Monitor(**options))
        return made[-1]

    yield monitor
    for each in made:
        if each.items:
            told = f"{each.outcome or 'open'} after {each.items} items, p {each.p:.3g}"
            request.node.user_properties.append(("deadheat", told))
        if each.outcome in ("b", "inferior"):
            pytest.fail(f"after {each.items} items the candidate is worse (always-valid p {each.p:.3g})")


def _table(baseline: Results, candidate: Results, nan: str) -> Table:
    if isinstance(baseline, (str, PathLike)) and isinstance(candidate, (str, PathLike)):
        return read([f"baseline={fspath(baseline)}", f"candidate={fspath(candidate)}"])
    if isinstance(baseline, (str, PathLike)) or isinstance(candidate, (str, PathLike)):
        raise TypeError("give two paths, or two sets of scores")
    if not (isinstance(baseline, Mapping) or isinstance(candidate, Mapping)) and len(baseline) != len(
        candidate
    ):
        raise ValueError(
            f"scores without item ids need equal lengths; found {len(baseline)} and {len(candidate)}"
        )
    columns: dict[str, list[Any]] = {"entry": [], "item": [], "score": [], "status": []}
    for name, results in (("baseline", baseline), ("candidate", candidate)):
        scores = _by_item(results)
        columns["entry"] += [name] * len(scores)
        columns["item"] += list(scores)
        found = [math.nan if score is None else float(score) for score in scores.values()]
        missing = [math.isnan(score) for score in found]
        if nan == "refuse" and any(missing):
            raise MissingScore(
                f"{sum(missing):,} of {len(scores):,} scores of the {name} are NaN or None; give scores, or "
                'say what they are: nan="failed" or nan="absent"'
            )
        columns["score"] += [None if gone else score for score, gone in zip(found, missing, strict=True)]
        columns["status"] += [nan if gone else "scored" for gone in missing]
    return Table.from_frame(columns)


def _by_item(results: Mapping[str, float | None] | Sequence[float | None]) -> Mapping[str, float | None]:
    if isinstance(results, Mapping):
        return results
    return {f"{position:09d}": score for position, score in enumerate(results)}
