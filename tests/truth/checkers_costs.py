"""Checkers of claims about costs, from the attempts, pair by pair."""

from __future__ import annotations

import math
import statistics

from scipy import stats

from truth.plain import Case, Claim, checks, mcnemar


def _costs(case: Case, column: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for attempt in case.attempts:
        if attempt.get(column) is not None:
            found.setdefault(attempt["entry"], {})[attempt["item"]] = float(attempt[column])
    return found


def _dearer(mine: dict[str, float], its: dict[str, float]) -> float:
    """One-sided p of the other costing no more than this one, by t on the items that both paid for."""
    if len(set(mine.values())) == len(set(its.values())) == 1:
        return float(min(its.values()) > min(mine.values()))
    gaps = [mine[item] - its[item] for item in sorted(set(mine) & set(its))]
    mean, se = math.fsum(gaps) / len(gaps), statistics.stdev(gaps) / math.sqrt(len(gaps))
    return float(stats.t.sf(mean / se, len(gaps) - 1))


@checks("cost-frontier")
def cost_frontier(claim: Claim, case: Case) -> None:
    cost = {e: math.fsum(x.values()) / len(x) for e, x in _costs(case, claim["column"]).items()}
    known = [entry for entry in case.entries if entry in cost]
    assert claim["of"] == len(case.entries)
    assert sorted(claim["unknown"]) == sorted(set(case.entries) - set(known))
    paid = _costs(case, claim["column"])
    own, drawn = {}, {}
    for entry in known:
        beaten = [
            o
            for o in known
            if o != entry
            and cost[o] <= cost[entry]
            and case.score(o) >= case.score(entry)
            and (case.score(o) > case.score(entry) or cost[o] < cost[entry])
        ]
        assert (entry in claim["observed"]) == (not beaten), entry
        p, both = [], []
        for other in known:
            if other == entry:
                continue
            gaps = [case.cells[other][i] - case.cells[entry][i] for i in case.shared(entry, other)]
            b, c = sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)
            higher, dearer = mcnemar(b, c) / 2 if b > c else 1.0, _dearer(paid[entry], paid[other])
            p += [higher] if cost[other] <= cost[entry] else []
            both += [max(higher, dearer)] if dearer < 1 else []
        own[entry] = min([1.0, *(len(p) * each for each in p)])
        drawn[entry] = min([1.0, *(len(both) * each for each in both)])
    for p, possible in ((own, claim["possible"]), (drawn, claim["possible_with_error"])):
        running = 0.0
        for place, entry in enumerate(sorted(p, key=lambda e: p[e])):
            running = max(running, p[entry] * (len(p) - place))
            if abs(running - claim["alpha"]) > 1e-9:
                assert (entry in possible) == (running >= claim["alpha"]), (entry, running)


@checks("cost-ratio")
def cost_ratio(claim: Claim, case: Case) -> None:
    found = _costs(case, claim["column"])
    a, b = found[claim["a"]], found[claim["b"]]
    items = sorted(set(a) & set(b))
    x, y = [a[i] for i in items], [b[i] for i in items]
    assert claim["items"] == len(items)
    ratio = math.fsum(x) / math.fsum(y)
    assert math.isclose(claim["ratio"], ratio, rel_tol=1e-9)
    if claim["low"] is None:
        return
    mean = math.fsum(x) / len(x), math.fsum(y) / len(y)
    se = statistics.stdev([u / mean[0] - v / mean[1] for u, v in zip(x, y, strict=True)]) / math.sqrt(len(x))
    half = stats.t.ppf((1 + claim["level"]) / 2, len(x) - 1) * se
    assert math.isclose(claim["low"], ratio * math.exp(-half), rel_tol=1e-7)
    assert math.isclose(claim["high"], ratio * math.exp(half), rel_tol=1e-7)
    if claim["verdict"] != "not separated":
        assert (claim["verdict"] == "cheaper") == (ratio < 1)


@checks("score-and-cost")
def score_and_cost(claim: Claim, case: Case) -> None:
    """The verdicts of both comparisons, taken from what they say and checked as they are checked."""
    said = {other["code"]: other for other in case.document["claims"]}
    ratio = said["cost-ratio"]
    side = {"cheaper": claim["a"], "dearer": claim["b"], "not separated": None}[ratio["verdict"]]
    assert claim["cheaper"] == side
    assert claim["column"] == ratio["column"]
    assert claim["better"] == said.get("separated", {}).get("better")
    share = 1 / ratio["ratio"] if side == claim["b"] else ratio["ratio"]
    assert math.isclose(claim["ratio"], share, rel_tol=1e-9)
    enough = ["equivalent", *(["non-inferior"] if side == claim["a"] else [])]
    margins = [said[code]["margin"] for code in enough if code in said and side is not None]
    assert claim["within"] == (margins[0] if margins else None)
