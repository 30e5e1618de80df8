"""Boards of every kind, ranked from small tables: adjusted, ragged, repeated, clustered, by category, …"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from deadheat.data.table import Table
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.results import Board

ENTRIES, ITEMS = 20, 90


@cache
def table(kind: str, entries: int = ENTRIES) -> Table:
    """A table whose entries differ as real ones do; what else it has depends on the kind."""
    rng = np.random.default_rng(7)
    skill, hard = np.linspace(1.4, -0.8, entries), rng.normal(size=ITEMS) * 1.6
    chance = 1 / (1 + np.exp(hard - skill[:, None]))
    samples = 3 if kind == "repeated" else 1
    rows: dict[str, list[Any]] = {name: [] for name in ("entry", "item", "sample", "score", "status")}
    extra: dict[str, list[str]] = {"cluster": [], "category": []}
    for e in range(entries):
        for i in range(ITEMS):
            if kind == "ragged" and rng.random() < 0.12:
                continue
            for s in range(samples):
                failed = kind == "failed" and rng.random() < 0.04
                score = rng.normal(skill[e], 1) + hard[i] if kind == "real" else rng.random() < chance[e, i]
                rows["entry"].append(f"2026{e % 12 + 1:02d}17_agent-v{e % 3}.0_model {e:02d}")
                rows["item"].append(f"i{i:03d}")
                rows["sample"].append(str(s))
                rows["score"].append(np.nan if failed else float(score))
                rows["status"].append("failed" if failed else "scored")
                extra["cluster"].append(f"c{i % 30}")
                extra["category"].append(["algebra", "geometry", "logic"][i % 3])
    wanted = {"clustered": "cluster", "categories": "category"}.get(kind)
    made = rows | ({wanted: extra[wanted]} if wanted else {})
    return Table.from_columns(
        {name: np.array(column, dtype=None if name == "score" else object) for name, column in made.items()}
    )


OPTIONS: dict[str, dict[str, Any]] = {
    "adjusted": {"adjust": "holm"},
    "max-t": {"adjust": "max-t", "draws": 400},
    "categories": {"by": "category"},
}
KINDS = ("plain", "adjusted", "ragged", "failed", "repeated", "clustered", "real", "max-t", "categories")


@cache
def board(kind: str, anchor: str | None = None, entries: int = ENTRIES) -> Board:
    """Rank the table of a kind, with all its pairs."""
    estimand = Estimand(cluster="cluster") if kind == "clustered" else None
    return rank(table(kind, entries), estimand, anchor=anchor, every_pair=True, **OPTIONS.get(kind, {}))
