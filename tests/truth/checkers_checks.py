"""Checkers of the claims of audits, annotations and exact coverage; `truth.checkers` enters them."""

from __future__ import annotations

import math
from collections import Counter

from scipy import stats

from truth.plain import Case, Claim, checks


@checks("findings")
def findings(claim: Claim, case: Case) -> None:
    found = Counter(finding["severity"] for finding in case.document["findings"])
    assert (claim["errors"], claim["warnings"], claim["infos"]) == (
        found["error"],
        found["warning"],
        found["info"],
    )


@checks("joins")
def joins(claim: Claim, case: Case) -> None:
    """The place by the scores of the attempts; the ranks hold the place; the best stands on rank 1 alone."""
    score = case.score(claim["entry"])
    better = sum(case.score(entry) > score + 1e-12 for entry in case.cells if entry != claim["entry"])
    assert claim["place"] == 1 + better
    assert 1 <= claim["low"] <= claim["high"] <= len(case.cells)
    assert claim["best"] == (claim["high"] == 1)
    assert claim["group"] is None or claim["group"] <= claim["place"]
    assert claim["place"] > 1 or claim["group"] == 1


@checks("annotated")
def annotated(claim: Claim, case: Case) -> None:
    board = case.document["boards"][claim["board"]]
    told = [line for line in board["entries"].values() if line["group"] is not None]
    assert claim["entries"] == len(board["entries"])
    assert claim["annotated"] == len(told)
    assert claim["groups"] == len({line["group"] for line in told})
    assert claim["top"] == sum(line["group"] == 1 for line in told)


@checks("nothing-annotated")
def nothing_annotated(claim: Claim, case: Case) -> None:
    boards = case.document["boards"]
    assert claim["boards"] == len(boards)
    assert not any(line["n"] for board in boards.values() for line in board["entries"].values())


@checks("lowest-coverage")
def lowest_coverage(claim: Claim, case: Case) -> None:
    """No rate of a fine grid is covered less often; Wilson's ends are solved for here by the textbook."""
    n, z = claim["items"], stats.norm.ppf((1 + claim["level"]) / 2)
    assert claim["coverage"] <= claim["grid_lowest"] + 1e-9
    assert claim["method"] == case.document["methods"]["interval"]
    assert claim["grid"] == case.document["minimum"]["grid"]
    if claim["method"] != "wilson":
        return
    ends = []
    for k in range(n + 1):
        middle = (k / n + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(k / n * (1 - k / n) / n + z * z / (4 * n * n))
        ends.append((middle - half, middle + half))

    def coverage(p: float) -> float:
        held = [k for k, (low, high) in enumerate(ends) if low <= p <= high]
        return float(stats.binom.pmf(held, n, p).sum())

    assert min(coverage(step / 1000) for step in range(1, 1000)) >= claim["coverage"] - 1e-9
    there = [k for k, (low, high) in enumerate(ends) if low - 1e-9 <= claim["at"] <= high + 1e-9]
    reached = float(stats.binom.pmf(there, n, claim["at"]).sum()) <= claim["coverage"] + 1e-9
    assert claim["attained"] == reached
    near = [coverage(claim["at"] + shift) for shift in (-1e-7, 1e-7) if 0 < claim["at"] + shift < 1]
    assert min(near) <= claim["coverage"] + 1e-4
