"""The checker of the claim about several benchmarks: who is first and who may be level, from the attempts."""

from __future__ import annotations

import math
import statistics

from truth.plain import Case, Claim, checks


@checks("first-across")
def first_across(claim: Claim, case: Case) -> None:
    benchmark = {x["item"]: x["category"] for x in case.attempts}
    names = sorted(set(benchmark.values()))
    whole = [e for e in case.entries if {benchmark[i] for i in case.cells[e]} == set(names)]
    assert (claim["benchmarks"], claim["of"]) == (len(names), len(whole))
    assert claim["missing"] == len(case.entries) - len(whole)
    weights = {name: 1 / len(names) for name in names}
    weights |= case.options.get("benchmark_weights") or {}
    total = math.fsum(weights.values())
    value = dict.fromkeys(whole, 0.0)
    for name in names:
        shared = [i for i in benchmark if benchmark[i] == name and all(i in case.cells[e] for e in whole)]
        score = {e: math.fsum(case.cells[e][i] for i in shared) / len(shared) for e in whole}
        for entry in whole:
            value[entry] += weights[name] / total * _part(claim["method"], entry, score)
    best = max(value.values())
    assert math.isclose(value[claim["first"]], best, abs_tol=1e-9)
    assert claim["first"] in claim["can_lead"]
    fewest = min(sum(at == name for at in benchmark.values()) for name in names)
    assert (claim["may"] is None) == (fewest < 20 or claim["method"] not in ("mean", "weights"))
    assert claim["may"] is None or claim["first"] in claim["may"]
    if claim["moved"] is not None:
        assert 0 <= claim["moved"] <= 1
        assert claim["rival"] in claim["can_lead"]
        assert claim["rival"] != claim["first"]


def _part(method: str, entry: str, score: dict[str, float]) -> float:
    others = [other for other in score if other != entry]
    beaten = sum(
        0.5 if math.isclose(score[entry], score[o], abs_tol=1e-10) else float(score[entry] > score[o])
        for o in others
    )
    if method == "z":
        spread = statistics.stdev(score.values())
        return (score[entry] - statistics.fmean(score.values())) / (spread if spread > 1e-12 else 1.0)
    return {"win-rate": beaten / len(others), "borda": beaten}.get(method, score[entry])
