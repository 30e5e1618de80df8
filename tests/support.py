"""Help that several tests share: where outside data lies, and small tables made on the spot."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from deadheat.data.table import Table

if sys.version_info >= (3, 14):
    import zipfile as zipfile

    from compression import zstd as zstd
else:
    from backports import zstd as zstd
    from backports.zstd import zipfile as zipfile

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
NEEDS_SHARED = pytest.mark.skipif(not SHARED.is_dir(), reason="no folder `shared` beside the checkout")


def shared_json(path):
    """Read a JSON file of the shared folder; None where there is none."""
    file = SHARED / path
    return json.loads(file.read_text()) if file.is_file() else None


def table_of(scores, **columns):
    """Make a table of rows of scores: entry -> list of scores (None = no attempt)."""
    entry, item, score = [], [], []
    extra = {name: [] for name in columns}
    for name, row in scores.items():
        for i, value in enumerate(row):
            if value is None:
                continue
            entry.append(name)
            item.append(f"i{i:05d}")
            score.append(value)
            for column, values in columns.items():
                extra[column].append(values[i])
    arrays = {"entry": entry, "item": item, **extra}
    made = {name: np.array(column, dtype=object) for name, column in arrays.items()}
    return Table.from_columns(made | {"score": np.array(score, dtype=float)})


def random_table(rng, entries, items, absent=0.0):
    """Make a table of 0/1 scores, some absent."""
    skill = rng.normal(size=(entries, 1))
    right = rng.random((entries, items)) < 1 / (1 + np.exp(rng.normal(size=items) * 1.9 - skill))
    seen = rng.random((entries, items)) >= absent
    rows = {
        f"e{e:03d}": [int(r) if s else None for r, s in zip(right[e], seen[e], strict=True)]
        for e in range(entries)
    }
    return table_of(rows)
