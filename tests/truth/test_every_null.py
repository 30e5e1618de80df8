"""A number that is not there is withheld for a reason: every null has its note."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from truth.tables import KINDS, hundreds
from truth.test_truth import cases

UNTESTED = {"nothing-shared", "too-few-shared"}
REASONS = {
    "se": UNTESTED | {"no-spread"},
    "interval": UNTESTED | {"no-spread"},
    "p": UNTESTED | {"no-spread"},
    "se_unpaired": UNTESTED | {"no-spread", "reruns"},
    "correlation": UNTESTED | {"no-spread", "constant"},
    "smallest_visible": UNTESTED | {"no-spread", "nothing-visible"},
    "items_to_separate": UNTESTED | {"no-spread", "no-difference"},
    "verdict": UNTESTED | {"no-spread"},
}
OF_ENTRIES = {
    "se": {"boundary", "one-item", "one-cluster", "no-spread"},
    "interval": {"one-item", "one-cluster", "no-spread"},
    "rank": {"listed-apart"},
}


def unexplained(record: dict[str, Any], reasons: dict[str, set[str]]) -> list[tuple[str, tuple[str, ...]]]:
    codes = {note["code"] for note in record["notes"]}
    return [(n, tuple(sorted(codes))) for n, why in reasons.items() if record[n] is None and not codes & why]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_null_has_its_note(kind):
    bare: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for seed in range(1 if kind is hundreds else 12):
        for case in cases(kind, random.Random(seed).randint(0, 10**6)):
            for pair in case.document.get("comparisons", ()):
                bare.update(unexplained(pair, REASONS))
            alone = case.document["claims"][0]["code"] == "alone"  # there is nothing to rank it with
            for line in case.document.get("entries", ()):
                bare.update(unexplained(line if not alone else {**line, "rank": ()}, OF_ENTRIES))
                if line["vs_anchor"] is not None:
                    bare.update(unexplained(line["vs_anchor"], REASONS))
    assert not bare
