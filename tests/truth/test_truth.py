"""Every claim of every generated board holds against a checker that starts from the attempts."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from deadheat.errors import DataError
from truth.checkers import check
from truth.plain import Case
from truth.tables import KINDS, Kind, compared, ranked

BOARDS = 30


def cases(kind: Kind, seed: int) -> list[Case]:
    rng = random.Random(f"{kind.__name__} {seed}")
    attempts = kind(rng)
    bare, adjust = Case(attempts, {}), rng.choice(("none", "none", "holm", "hochberg", "bh"))
    kept = Case(attempts, {}, {"methods": {"min_share": 0.5}}).entries
    if len(kept) > 1 and not any(bare.shared(*pair) for pair in combinations(kept, 2)):
        with pytest.raises(DataError, match="share"):
            ranked(attempts, adjust=adjust)
        return []
    able = [pair for pair in combinations(bare.entries, 2) if bare.shared(*pair)]
    if not able:
        return [ranked(attempts, adjust=adjust)]
    a, b = rng.choice(able)
    return [ranked(attempts, adjust=adjust), compared(attempts, a, b, margin=rng.choice((None, 0.05, 0.2)))]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_claims_hold(kind):
    told: Counter[str] = Counter()
    for seed in range(BOARDS):
        for case in cases(kind, seed):
            told.update(check(case))
            assert case.document["summary"]
    assert told
