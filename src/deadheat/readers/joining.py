"""Labels that differ in case, blanks or the form of a number only, taken for one where that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from deadheat.data.batch import Batch
from deadheat.data.twins import folded, folded_sql

Value = TypeVar("Value")
LABELS = ("entry", "item")


def joined(batch: Batch) -> Batch:
    """Give a batch whose entries and items are in the form in which likely twins are equal."""
    batch = replace(
        batch,
        names=_keys(batch.names),
        published=_keys(batch.published),
        unpublished=[folded(entry) for entry in batch.unpublished],
        stated=[replace(figure, entry=folded(figure.entry)) for figure in batch.stated],
        entry=folded(batch.entry),
    )
    if batch.columns is None:
        labels = ", ".join(f"{folded_sql(f'CAST({name} AS VARCHAR)')} AS {name}" for name in LABELS)
        return replace(batch, query=f"SELECT * REPLACE ({labels}) FROM ({batch.query})")
    columns = dict(batch.columns)
    for name in LABELS:
        forms = {label: folded(str(label)) for label in set(columns[name].tolist()) if label is not None}
        columns[name] = np.array([forms.get(label) for label in columns[name].tolist()], dtype=object)
    return replace(batch, columns=columns)


def _keys(known: Mapping[str, Value]) -> dict[str, Value]:
    return {folded(entry): value for entry, value in known.items()}
