"""The measured side of a comparison with a published number: one entry's score, its error and its size."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.methods import NO_RERUNS
from deadheat.stats.paired.two_rates import ErrorBounds, attainable
from deadheat.stats.score import clustered
from deadheat.stats.score.clustered import Error
from deadheat.stats.score.effective import kish


@dataclass(frozen=True)
class Ours:
    """The entry's score: its error, the part of it that samples alone would give, and its effective size.

    `is_rate`: every value lies in [0, 1]. `plain`: single 0/1 attempts at plain items.
    """

    score: float
    error: Error
    within: Error | None
    items: int
    size: float
    is_rate: bool
    plain: bool

    @classmethod
    def of(cls, seen: Panel, row: int, estimand: Estimand) -> Ours:
        """Read it from a row of a panel."""
        rows = slice(row, row + 1)
        values, present = seen.values[rows], seen.present[rows]
        score = float(clustered.mean(values, present, seen.weights, seen.stratum)[0])
        error, within = _our_errors(seen, row, estimand)
        items, se = int(present.sum()), float(error.se[0])
        shape = seen.shape(estimand.generalises_to)
        plain = shape.binary and shape.plain and not shape.reruns
        size = float(items)
        if se > 0 and not plain:
            size = score * (1 - score) / se**2
        elif not plain and estimand.generalises_to == "items":
            size = float(kish(present, seen.cluster, seen.weights, seen.stratum)[0])
        inside = bool(((values[present] >= 0) & (values[present] <= 1)).all())
        return cls(score, error, within, items, size, inside, plain)

    def bounds(self, value: float, theirs: float, items: int | None) -> ErrorBounds:
        """Bound the error of the difference, whatever the two share."""
        se = float(self.error.se[0])
        if not self.plain or items is None:
            return ErrorBounds(abs(se - theirs), se + theirs)
        ours = self.score * (1 - self.score)
        return attainable(ours, self.items, value * (1 - value), items, rates=(self.score, value))


def _our_errors(seen: Panel, row: int, estimand: Estimand) -> tuple[Error, Error | None]:
    """Error of the entry's score, and the part that samples alone would give."""
    rows = slice(row, row + 1)
    within = None
    if seen.within is not None and seen.samples is not None:
        within = clustered.rerun_error(
            seen.within[rows], seen.present[rows], seen.samples[rows], seen.weights, seen.stratum
        )
    if estimand.generalises_to == "reruns":
        if within is None:
            raise MethodError(NO_RERUNS)
        return within, within
    error = clustered.standard_error(
        seen.values[rows], seen.present[rows], seen.cluster, seen.weights, seen.stratum
    )
    return error, within
