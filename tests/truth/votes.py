"""Plain statistics of votes: strengths by a slow ascent, errors by sums over voters and prompts."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import optimize, stats

Vote = tuple[str, str, float, str, str]  # first, second, result for the first, voter, prompt


@dataclass
class VoteCase:
    """Votes, and the document that came; ties are half a win of each."""

    votes: list[Vote]
    document: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.entries = sorted({name for vote in self.votes for name in vote[:2]})
        at = {name: i for i, name in enumerate(self.entries)}
        rows = [(at[a], at[b], result) for a, b, result, *_ in self.votes]

        def loss(x: np.ndarray) -> float:
            total = 0.5 * sum(x) ** 2
            for a, b, result in rows:
                gap = x[a] - x[b]
                total -= result * gap - np.logaddexp(0, gap)
            return float(total)

        found = optimize.minimize(loss, np.zeros(len(at)), method="BFGS", options={"gtol": 1e-8})
        self.value = dict(zip(self.entries, found.x - found.x.mean(), strict=True))
        information = np.ones((len(at), len(at)))
        for a, b, _ in rows:
            p = 1 / (1 + math.exp(found.x[b] - found.x[a]))
            information[[a, b], [a, b]] += p * (1 - p)
            information[[a, b], [b, a]] -= p * (1 - p)
        self.bread = np.linalg.inv(information)
        parts = [
            self._part(rows, found.x, key) for key in (lambda v: v[3], lambda v: v[4], lambda v: (v[3], v[4]))
        ]
        both = parts[0] + parts[1] - parts[2]
        values, vectors = np.linalg.eigh(both)
        self.covariance = (vectors * np.maximum(values, 0)) @ vectors.T
        self.df = min(len({v[3] for v in self.votes}), len({v[4] for v in self.votes})) - 1

    def _part(self, rows: list[tuple[int, int, float]], x: np.ndarray, key: Any) -> np.ndarray:
        sums: dict[Any, np.ndarray] = defaultdict(lambda: np.zeros(len(x)))
        for vote, (a, b, result) in zip(self.votes, rows, strict=True):
            residual = result - 1 / (1 + math.exp(x[b] - x[a]))
            sums[key(vote)][a] += residual
            sums[key(vote)][b] -= residual
        meat = sum(np.outer(s, s) for s in sums.values())
        return self.bread @ meat @ self.bread * len(sums) / (len(sums) - 1)

    @property
    def alpha(self) -> float:
        return float(self.document["methods"]["alpha"])

    def shared(self, a: str, b: str) -> bool:
        return True

    def difference(self, a: str, b: str) -> float:
        return self.value[a] - self.value[b]

    def error(self, a: str, b: str) -> float:
        i, j = self.entries.index(a), self.entries.index(b)
        v = self.covariance
        return math.sqrt(v[i, i] + v[j, j] - 2 * v[i, j])

    def p(self, a: str, b: str, test: str) -> float:
        return float(2 * stats.t.sf(abs(self.difference(a, b)) / self.error(a, b), self.df))


def votes_of(rng: random.Random) -> list[Vote]:
    """An arena in which voters and prompts have tastes of their own."""
    entries = [f"e{i}" for i in range(rng.randint(2, 5))]
    skill = {e: rng.gauss(0, 0.7) for e in entries}
    taste = {(v, e): rng.gauss(0, 0.5) for v in range(12) for e in entries}
    made = []
    for _ in range(rng.randint(150, 300)):
        a, b = rng.sample(entries, 2)
        voter, prompt = rng.randrange(12), rng.randrange(9)
        lead = skill[a] - skill[b] + taste[voter, a] - taste[voter, b] + rng.gauss(0, 1.7)
        made.append((a, b, 0.5 if abs(lead) < 0.2 else float(lead > 0), f"v{voter}", f"q{prompt}"))
    return made
