"""All pairs of a panel's entries under one test: the evidence that groups, ranks and comparisons stand on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.panel import Panel
from deadheat.results import Comparison, Interval, Note
from deadheat.stats import mcnemar, paired_intervals
from deadheat.stats.pvalues import PValues, undefined_unless

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

SMALLEST = 5e-324  # the smallest double: a p-value is never 0
MCNEMAR = {
    "mcnemar": mcnemar.mcnemar_exact,
    "mid-p": mcnemar.mcnemar_mid_p,
    "mcnemar-chi2": mcnemar.mcnemar_chi2,
    "mcnemar-cc": mcnemar.mcnemar_cc,
}


@dataclass(frozen=True, eq=False)
class Pairwise:
    """E x E arrays, row entry v column entry; NaN where two entries share no item.

    Parameters
    ----------
    test : str
        The test that gave the p-values.
    p, log10_p : (E, E) float64
        Two-sided p-values and their logarithms; the diagonal is not read.
    difference : (E, E) float64
        Row - column on the items they share.
    shared : (E, E) int32
        Items that both have.
    a_only : (E, E) int32 or None
        Items right for the row entry only; None where scores are not single 0/1 attempts.
    """

    test: str
    p: Floats
    log10_p: Floats
    difference: Floats
    shared: Ints
    a_only: Ints | None


def default_test(panel: Panel) -> str:
    """Exact McNemar for single 0/1 attempts of independent, equally weighted items, else the t-test."""
    plain = panel.cluster is None and panel.weights is None and panel.stratum is None
    return "mcnemar" if panel.binary and plain else "t"


def pairwise(panel: Panel, test: str | None = None) -> Pairwise:
    """Test every pair of entries on the items they share.

    Parameters
    ----------
    panel : Panel
    test : str or None
        A name of MCNEMAR, or ``t``; None takes the default for this kind of data.

    Raises
    ------
    MethodError
        A test that does not fit the data.
    """
    test = test or default_test(panel)
    if test in MCNEMAR:
        return _mcnemar(panel, test)
    raise MethodError(f"no test {test!r} for all pairs; known are {', '.join(MCNEMAR)}")


def _mcnemar(panel: Panel, test: str) -> Pairwise:
    if not panel.binary:
        raise MethodError(
            f"the test {test} compares single 0/1 attempts; these values are rates or real numbers: "
            "--test t fits them"
        )
    if panel.cluster is not None or panel.weights is not None or panel.stratum is not None:
        raise MethodError(
            f"the test {test} takes items as independent and equally weighted; with clusters, weights or "
            "categories that count alike, --test t fits"
        )
    a_only, shared = mcnemar.discordant(panel.values, panel.present)
    found: PValues = undefined_unless(shared > 0, MCNEMAR[test](a_only, a_only.T))
    with np.errstate(invalid="ignore"):
        difference = (a_only - a_only.T) / np.where(shared > 0, shared, np.nan)
    return Pairwise(test, found.p, found.log10_p, difference, shared, a_only)


def contrasts(
    panel: Panel, pairs: Pairwise, firsts: Sequence[int], second: int, *, level: float, alpha: float
) -> list[Comparison | None]:
    """Describe some entries' differences to one other entry.

    Parameters
    ----------
    panel, pairs
        The entries and the test of all their pairs.
    firsts, second : int
        Rows; each of `firsts` is compared with `second`.
    level, alpha : float
        Level of the intervals; a pair is separated when p < alpha.

    Returns
    -------
    list of Comparison or None
        None for the entry itself.
    """
    rows = np.asarray(firsts, dtype=np.intp)
    bounds = _intervals(panel, pairs, rows, second, level)
    se = _errors(pairs, rows, second)
    found: list[Comparison | None] = []
    for at, row in enumerate(rows):
        if row == second:
            found.append(None)
            continue
        shared = int(pairs.shared[row, second])
        names = {"a": panel.entries[row], "b": panel.entries[second]}
        if shared == 0:
            note = Note(
                code="nothing-shared", text="no item in common, so nothing can be said of their difference"
            )
            found.append(Comparison(**names, items=0, test=pairs.test, notes=(note,)))
            continue
        both = panel.present[row] & panel.present[second]
        p = max(float(pairs.p[row, second]), SMALLEST)  # log10_p says how far below it lies
        log10_p = float(pairs.log10_p[row, second])
        gap = float(pairs.difference[row, second])
        notes = []
        if se[at] == 0:
            notes.append(
                Note(code="no-discordant-items", text="no item on which the two differ: the SE is withheld")
            )
        found.append(
            Comparison(
                **names,
                items=shared,
                value_a=float(panel.values[row, both].mean(dtype=np.float64)),
                value_b=float(panel.values[second, both].mean(dtype=np.float64)),
                difference=gap,
                se=float(se[at]) if se[at] > 0 else None,
                interval=Interval(
                    low=float(bounds[0][at]), high=float(bounds[1][at]), level=level, method="tango"
                ),
                p=p,
                log10_p=log10_p,
                test=pairs.test,
                a_only=None if pairs.a_only is None else int(pairs.a_only[row, second]),
                b_only=None if pairs.a_only is None else int(pairs.a_only[second, row]),
                verdict="not separated" if p >= alpha else "a" if gap > 0 else "b",
                notes=tuple(notes),
            )
        )
    return found


def _cells(pairs: Pairwise, rows: NDArray[Any], second: int) -> tuple[Ints, Ints, Ints]:
    assert pairs.a_only is not None
    return pairs.shared[rows, second], pairs.a_only[rows, second], pairs.a_only[second, rows]


def _intervals(
    panel: Panel, pairs: Pairwise, rows: NDArray[Any], second: int, level: float
) -> tuple[Floats, Floats]:
    shared, b, c = _cells(pairs, rows, second)
    return paired_intervals.tango(np.zeros_like(b), b, c, shared - b - c, level=level)


def _errors(pairs: Pairwise, rows: NDArray[Any], second: int) -> Floats:
    shared, b, c = _cells(pairs, rows, second)
    return paired_intervals.wald_se(shared, b, c)
