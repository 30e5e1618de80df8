"""Small translations between the cases' words and the package's."""

import math

import numpy as np


def known(value):
    """A float, or None where it is withheld."""
    value = float(value)
    return None if math.isnan(value) else value


def ends(bounds):
    """Both ends as a list, or None where they are withheld."""
    low, high = (known(np.asarray(end).ravel()[0]) for end in bounds)
    return None if low is None else [low, high]


def level_of(asked):
    return 1 - asked["alpha"] if "alpha" in asked else asked.get("level", 0.95)


def scores_of(values):
    """Scores with None and the like as NaN."""
    return np.array([np.nan if v is None or v == "NaN" else float(v) for v in values])


def table_of_runs(runs):
    """A table of entry -> {item: score or None}; a score that is None is an attempt without one."""
    from deadheat.data.table import Table

    rows = [(entry, item, score) for entry, run in runs.items() for item, score in run.items()]
    entry, item, score = zip(*rows, strict=True)
    return Table.from_columns(
        {
            "entry": np.array(entry, dtype=object),
            "item": np.array(item, dtype=object),
            "score": np.array([np.nan if s is None else float(s) for s in score]),
        }
    )
