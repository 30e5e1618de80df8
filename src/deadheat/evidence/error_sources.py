"""Beside a board: both errors of every score, what failed attempts are worth, keys of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel, panel
from deadheat.data.table import Table
from deadheat.estimand import Estimand
from deadheat.evidence.scores import Scores, scores
from deadheat.methods import SCORES
from deadheat.results import BothErrors, Denominators, Error, Interval, Note, Score
from deadheat.stats.numerics.bounds import defined
from deadheat.stats.score import clustered

Floats = NDArray[np.float64]


def both_errors(
    seen: Panel, rows: Sequence[int], interval: str | None, *, level: float, draws: int, seed: int
) -> tuple[BothErrors, ...]:
    """Put the error over comparable items beside the error of a rerun of these items.

    Parameters
    ----------
    seen : Panel
    rows : sequence of int
        Entries, in the order in which they are to be shown.
    interval : str or None
        A name of INTERVALS; where it has no meaning for reruns their default is taken.
    level, draws, seed
        As in `scores.scores`.

    Raises
    ------
    MethodError
        Every item has a single sample, which shows no error of a rerun.
    """
    again = interval if interval and SCORES[interval].fit.either else None
    items = scores(seen, interval, level=level, draws=draws, seed=seed)
    reruns = scores(seen, again, level=level, seed=seed, generalises_to="reruns")
    return tuple(
        BothErrors(entry=seen.entries[row], items=_error(items, row), reruns=_error(reruns, row))
        for row in rows
    )


def _error(made: Scores, row: int) -> Error:
    se, low, high = float(made.se[row]), float(made.low[row]), float(made.high[row])
    known = np.isfinite(low)
    return Error(
        se=defined(se),
        interval=Interval(low=low, high=high, level=made.level, method=made.method) if known else None,
        notes=made.entry_notes[row],
    )


def denominators(table: Table, estimand: Estimand, names: Sequence[str]) -> tuple[Denominators, ...]:
    """Score every entry with its failed attempts as zeros, left out, all wrong and all right.

    Parameters
    ----------
    table : Table
    estimand : Estimand
        Its own rule for failed attempts is not used.
    names : sequence of str
        Entries, in the order in which they are to be shown.

    Raises
    ------
    MethodError
        A metric that the scores cannot carry.
    """
    cells = table.cells
    failed = np.bincount(cells.entry, cells.failed, len(table.entries))
    attempts = np.bincount(cells.entry, cells.scored, len(table.entries)) + failed
    zero = _values(table, _failed_as(estimand, "zero"))
    drop = _values(table, _failed_as(estimand, "drop"))
    short: tuple[Note, ...] = ()
    if estimand.metric not in ("mean", "self-consistency"):
        text = "without the failed attempts, items with too few samples are left out too"
        short = (Note(code="too-few-samples", text=text),)
    ends = table.binary and estimand.metric not in ("maj@k", "self-consistency")
    right = _values(_all_right(table), _failed_as(estimand, "zero")) if ends else {}
    at = {entry: row for row, entry in enumerate(table.entries)}
    return tuple(
        Denominators(
            entry=name,
            attempts=int(attempts[at[name]]),
            failed=int(failed[at[name]]),
            zero=zero.get(name),
            drop=drop.get(name),
            all_wrong=zero.get(name) if ends else None,
            all_right=right.get(name),
            notes=short if failed[at[name]] else (),
        )
        for name in names
    )


def _failed_as(estimand: Estimand, failed: str) -> Estimand:
    """The same estimand with another rule for failed attempts, short items left out."""
    return msgspec.structs.replace(estimand, failed=failed, drop_short=True)


def _values(table: Table, estimand: Estimand) -> dict[str, float]:
    """Score of every entry that has one."""
    seen = panel(table, estimand)
    value = clustered.mean(seen.values, seen.present, seen.weights, seen.stratum)
    return {e: float(v) for e, v in zip(seen.entries, value, strict=True) if np.isfinite(v)}


def _all_right(table: Table) -> Table:
    """The table as it would be had every failed attempt run and been right."""
    cells = table.cells
    full = replace(
        cells,
        scored=cells.scored + cells.failed,
        failed=np.zeros_like(cells.failed),
        total=cells.total + cells.failed,
        squares=cells.squares + cells.failed,
    )
    return replace(table, cells=full)


def flat(entries: Sequence[Score], estimand: Estimand, level: float) -> dict[str, dict[str, float | None]]:
    """Give every entry's score under keys that a harness can merge into its own report.

    Parameters
    ----------
    entries : sequence of Score
    estimand : Estimand
    level : float
        Level of the intervals: 0.95 gives ``score_ci95_low``.

    Returns
    -------
    dict
        Entry -> ``score``, ``score_se``, ``score_ci95_low``, ``score_ci95_high``, and the same four under
        the metric's own name, such as ``pass@5_ci95_low``.
    """
    share = f"{100 * level:.6g}".replace(".", "_")
    return {entry.entry: _keys(entry, ("score", estimand.label), share) for entry in entries}


def _keys(entry: Score, names: Sequence[str], share: str) -> dict[str, float | None]:
    ends = entry.interval
    return {
        key: value
        for name in names
        for key, value in (
            (name, entry.value),
            (f"{name}_se", entry.se),
            (f"{name}_ci{share}_low", None if ends is None else ends.low),
            (f"{name}_ci{share}_high", None if ends is None else ends.high),
        )
    }
