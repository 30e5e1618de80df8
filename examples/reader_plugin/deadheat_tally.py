"""A reader of `.tally` files: a line an attempt, item and outcome parted by a tab; one entry a file."""

import numpy as np

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers import Reader

OUTCOMES = {"ok": (1.0, "scored"), "wrong": (0.0, "scored"), "crashed": (np.nan, "failed")}


def read(source, options):
    """Turn a file into one batch of columns."""
    columns = {"entry": [], "item": [], "score": [], "status": []}
    for number, line in enumerate(source.read().decode().splitlines(), 1):
        item, _, outcome = line.partition("\t")
        if outcome not in OUTCOMES:
            raise MalformedFile(f"{source.path}: line {number}: {outcome!r} is none of {', '.join(OUTCOMES)}")
        for name, value in zip(columns, (source.entry, item, *OUTCOMES[outcome]), strict=True):
            columns[name].append(value)
    arrays = {name: np.array(values, dtype=object) for name, values in columns.items()}
    arrays["score"] = arrays["score"].astype(float)
    return [Batch(file=source.file("tally"), columns=arrays)]


READER = Reader(
    name="tally",
    title="Tally files",
    recognised="the suffix .tally",
    entry="file name",
    item="text before the tab",
    sample="one",
    score="ok = 1, wrong = 0",
    failed="crashed",
    absent="not recorded",
    claims=lambda source: source.suffix == ".tally",
    read=read,
)
