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


@checks("cost-frontier")
def cost_frontier(claim: Claim, case: Case) -> None:
    cost = {e: math.fsum(x.values()) / len(x) for e, x in _costs(case, claim["column"]).items()}
    known = [entry for entry in case.entries if entry in cost]
    assert sorted(claim["unknown"]) == sorted(set(case.entries) - set(known))
    own = {}
    for entry in known:
        rivals = [other for other in known if other != entry and cost[other] <= cost[entry]]
        beaten = [
            o
            for o in rivals
            if case.score(o) >= case.score(entry)
            and (case.score(o) > case.score(entry) or cost[o] < cost[entry])
        ]
        assert (entry in claim["observed"]) == (not beaten), entry
        p = [1.0]
        for other in rivals:
            gaps = [case.cells[other][i] - case.cells[entry][i] for i in case.shared(entry, other)]
            b, c = sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)
            p.append(len(rivals) * (mcnemar(b, c) / 2 if b > c else 1.0))
        own[entry] = min(p)
    held, running = {}, 0.0
    for place, entry in enumerate(sorted(own, key=lambda e: own[e])):
        running = max(running, own[entry] * (len(own) - place))
        held[entry] = running
    for entry, p in held.items():
        if abs(p - claim["alpha"]) > 1e-9:
            assert (entry in claim["possible"]) == (p >= claim["alpha"]), (entry, p)


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
