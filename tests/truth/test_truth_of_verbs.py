"""The claims of verbs beside `rank` and `compare` hold on generated tables."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from truth import verbs
from truth.checkers import check

TABLES = 25 if os.environ.get("CI") else 12  # of each kind
KINDS = (
    verbs.across,
    verbs.frontier,
    verbs.two_costs,
    verbs.curve,
    verbs.of_items,
    verbs.judged,
    verbs.against_published,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_claims_of_verbs_hold(kind):
    told: Counter[str] = Counter()
    for seed in range(TABLES):
        told.update(check(kind(random.Random(f"{kind.__name__} {seed}"))))
    assert told.total() >= TABLES / 2


def test_claims_of_sites_hold(tmp_path):
    told: Counter[str] = Counter()
    for seed in range(TABLES):
        told.update(check(verbs.annotated(random.Random(f"site {seed}"), tmp_path)))
    assert told["annotated"] > 5
