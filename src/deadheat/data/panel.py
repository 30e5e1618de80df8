"""A Table seen through an Estimand: entry x item arrays, the last place where numbers and labels meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.content_order import by_content
from deadheat.data.item_columns import codes_of, weights_of
from deadheat.data.people import Truth as Truth
from deadheat.data.people import unused
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand, GeneralisesTo
from deadheat.methods import Shape
from deadheat.results import Note
from deadheat.stats.score import item_design

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
ALIKE = 20  # items from which the same score on each is no chance


@dataclass(frozen=True, eq=False)
class Panel:
    """E entries x M items, ready for pure functions.

    Rows are ordered by mean value, best first, then by content, so that no number depends on a name;
    columns follow the sorted item labels.

    Parameters
    ----------
    entries, items : tuple of str
        Labels of rows and columns.
    values : (E, M) float32 or float64
        The metric of each item; 0 where absent. float32 where every value is 0 or 1.
    present : (E, M) bool
        Where the entry has a usable attempt.
    samples : (E, M) int32 or None
        Attempts behind each value; None where each has exactly one.
    right : (E, M) int32 or None
        Right attempts behind each value, for 0/1 scores with several samples.
    within : (E, M) float64 or None
        Estimated variance of each value under reruns of that item; None where no item has two samples.
    scored, failed, absent : (E,) int64
        Attempts of each status; `absent` also counts the items an entry has no attempt for.
    excluded : (E,) int64
        Items left out because they cannot carry the metric.
    cluster, stratum : (M,) int32 or None
        Codes of the clusters, and of the categories where every category counts alike.
    weights : (M,) float64 or None
        Item weights; None where all are equal.
    binary : bool
        Every value is one 0/1 attempt (or a 0/1 metric of an item).
    rates : bool
        Every score lies in [0, 1], those of items that are not here included.
    notes : tuple of Note
    shares : (S,) float64 or None
        Shares of the strata in a composite, summing to 1; None where they count alike.
    lower_is_better : bool
        The direction of the score; see `sign`.
    truth : Truth or None
        Corrected scores, where the values are parts of them.
    """

    entries: tuple[str, ...]
    items: tuple[str, ...]
    values: NDArray[Any]
    present: NDArray[np.bool_]
    samples: Codes | None
    right: Codes | None
    within: Floats | None
    scored: NDArray[np.int64]
    failed: NDArray[np.int64]
    absent: NDArray[np.int64]
    excluded: NDArray[np.int64]
    cluster: Codes | None
    stratum: Codes | None
    weights: Floats | None
    binary: bool
    rates: bool = True
    notes: tuple[Note, ...] = ()
    shares: Floats | None = None
    lower_is_better: bool = False
    truth: Truth | None = None

    @property
    def sign(self) -> int:
        """1 where a higher score is better, -1 where a lower one is: what is better times it is larger."""
        return -1 if self.lower_is_better else 1

    @property
    def complete(self) -> bool:
        """Whether every entry has every item."""
        return bool(self.present.all())

    def shape(self, generalises_to: GeneralisesTo = "items") -> Shape:
        """Return what the choice of a method depends on."""
        nested = item_design.nested(item_design.Groups(self.cluster, len(self.items)), self.stratum)
        return Shape(
            binary=self.binary,
            rates=self.rates and bool(np.all((self.values >= 0) & (self.values <= 1))),
            clustered=self.cluster is not None,
            weighted=self.weights is not None,
            stratified=self.stratum is not None,
            nested=nested is not None,
            composite=self.shares is not None,
            reruns=generalises_to == "reruns",
        )

    def select(self, columns: NDArray[Any]) -> Panel:
        """Return the panel of some items only, for example of one category.

        Parameters
        ----------
        columns : (M,) bool or (m,) int
        """

        def cut(array: NDArray[Any] | None) -> Any:
            return None if array is None else array[..., columns]

        items = tuple(np.array(self.items, dtype=object)[columns])
        part = replace(
            self,
            items=items,
            values=cut(self.values),
            present=cut(self.present),
            samples=cut(self.samples),
            right=cut(self.right),
            within=cut(self.within),
            cluster=cut(self.cluster),
            stratum=cut(self.stratum),
            weights=cut(self.weights),
            truth=None,
        )
        return part.rows(by_content(part.values, part.present, part.weights, part.sign))

    def rows(self, order: Sequence[int] | NDArray[Any]) -> Panel:
        """Return the panel with some entries, in the order given."""

        def cut(array: NDArray[Any] | None) -> Any:
            return None if array is None else array[order]

        return replace(
            self,
            entries=tuple(self.entries[i] for i in order),
            values=cut(self.values),
            present=cut(self.present),
            samples=cut(self.samples),
            right=cut(self.right),
            within=cut(self.within),
            scored=cut(self.scored),
            failed=cut(self.failed),
            absent=cut(self.absent),
            excluded=cut(self.excluded),
            truth=None if self.truth is None else Truth(*map(cut, self.truth)),
        )


def settled(table: Table, estimand: Estimand) -> Estimand:
    """Let the results say which direction is better, unless the estimand does."""
    if estimand.lower_is_better is not None:
        return estimand
    return msgspec.structs.replace(estimand, lower_is_better=bool(table.lower_is_better))


def panel(table: Table, estimand: Estimand) -> Panel:
    """See a table through an estimand.

    Parameters
    ----------
    table : Table
    estimand : Estimand

    Returns
    -------
    Panel

    Raises
    ------
    DataError
        Failed or absent attempts under ``refuse``, or under ``zero`` where lower is better; or no usable
        attempt at all.
    MethodError
        A metric that these scores cannot carry, or a column that does not exist.
    """
    from deadheat.data import answers
    from deadheat.stats.samples import metrics

    estimand = settled(table, estimand)
    if estimand.absent == "fitted":
        raise MethodError("--absent fitted is for rank and compare; use shared, zero or refuse here")
    if estimand.judge in ("corrected", "labels"):
        raise MethodError(f"--judge {estimand.judge} is for rank and compare; use --judge raw here")
    cells, shape = table.cells, (len(table.entries), len(table.items))
    at = (cells.entry, cells.item)
    failed_by = np.bincount(cells.entry, cells.failed, shape[0]).astype(np.int64)
    unseen = shape[1] - np.bincount(cells.entry, minlength=shape[0])
    absent_by = np.bincount(cells.entry, cells.absent, shape[0]).astype(np.int64) + unseen
    scored_by = np.bincount(cells.entry, cells.scored, shape[0]).astype(np.int64)
    _refuse(table, estimand, failed_by, absent_by)

    used = cells.scored.copy()
    if estimand.failed == "zero":
        used += cells.failed
    if estimand.absent == "zero":
        used += cells.absent
    present = np.zeros(shape, dtype=bool)
    present[at] = used > 0
    several = bool(np.any(used > 1))
    if estimand.metric in answers.MAJORITY:
        value, within = answers.values(table, estimand)
    else:
        value, within = metrics.item_values(
            estimand.metric,
            used,
            cells.total,
            cells.squares,
            k=estimand.k,
            tau=estimand.tau,
            binary=table.binary,
            fixed=used - cells.scored,
        )
    excluded = np.zeros(shape[0], dtype=np.int64)
    short = np.isnan(value) & (used > 0)
    if short.any():
        if not estimand.drop_short:
            raise MethodError(
                f"{estimand.label} needs at least {estimand.k} samples of an item; {int(short.sum())} of "
                f"{len(used)} (entry, item) pairs have fewer; a smaller k, more samples, or --drop-short to "
                "leave those items out"
            )
        excluded = np.bincount(cells.entry, short, shape[0]).astype(np.int64)
        present[at] &= ~short
        value = np.where(short, 0.0, value)
    if estimand.absent == "zero":
        present[:] = True
    if not present.any():
        raise DataError("no attempt carries a score: all are failed or absent")
    value = np.where(used > 0, value, 0.0)
    zero_one = bool(np.all((value == 0) | (value == 1)))
    values = np.zeros(shape, dtype=np.float32 if zero_one else np.float64)
    values[at] = value

    cluster = (
        codes_of(table.attribute(estimand.cluster), "cluster", table.items) if estimand.cluster else None
    )
    stratum = None
    if estimand.weights == "category":
        stratum = codes_of(table.attribute("category"), "category", table.items)
    weights = weights_of(table)
    full = Panel(
        entries=table.entries,
        items=table.items,
        values=values,
        present=present,
        samples=_dense(used, at, shape) if several else None,
        right=_dense(cells.total, at, shape) if several and table.binary else None,
        within=_dense(within, at, shape, np.float64) if several else None,
        scored=scored_by,
        failed=failed_by,
        absent=absent_by,
        excluded=excluded,
        cluster=cluster,
        stratum=stratum,
        weights=weights,
        binary=zero_one and table.binary and not several,
        rates=table.rates,
        notes=(*table.notes, *(() if estimand.judge == "raw" else unused(table))),
        lower_is_better=bool(estimand.lower_is_better),
    )
    return full.rows(by_content(full.values, full.present, full.weights, full.sign))


def _dense(column: NDArray[Any], at: Any, shape: tuple[int, int], dtype: Any = np.int32) -> NDArray[Any]:
    dense = np.zeros(shape, dtype=dtype)
    dense[at] = column
    return dense


def _refuse(table: Table, estimand: Estimand, failed: NDArray[Any], absent: NDArray[Any]) -> None:
    for name, counts, leave in (("failed", failed, "drop"), ("absent", absent, "shared")):
        if getattr(estimand, name) == "zero" and estimand.lower_is_better and counts.any():
            raise DataError(
                f"lower is better here, so a {name} attempt that counts as a zero would have the best score; "
                f"found {int(counts.sum())}: --{name} {leave} leaves them out"
            )
        if getattr(estimand, name) == "refuse" and counts.any():
            worst = int(np.argmax(counts))
            raise DataError(
                f"{name} attempts are refused (--{name} refuse); found {int(counts.sum())}, for example "
                f"{int(counts[worst])} of {table.entries[worst]}"
            )
