"""The checker of the claim about curves over k: means by counting subsets, and the band's leads."""

from __future__ import annotations

import math

from truth.plain import Case, Claim, checks


def _value(scores: list[float], k: int, metric: str) -> float:
    n, c = len(scores), round(sum(scores))
    if metric == "pass@k":
        return 1 - math.comb(n - c, k) / math.comb(n, k)
    return math.comb(c, k) / math.comb(n, k)


@checks("leads-over-k")
def leads_over_k(claim: Claim, case: Case) -> None:
    a, b = case.scores[claim["a"]], case.scores[claim["b"]]
    items = sorted(set(a) & set(b))
    assert claim["items"] == len(items)
    assert claim["level"] == case.document["methods"]["level"]
    assert claim["most"] == min(len(x[item]) for x in (a, b) for item in items)
    curve = next(x["curve"] for x in case.document["comparisons"] if x["a"] == claim["a"])
    for k in range(1, claim["most"] + 1):
        gaps = [_value(a[i], k, claim["metric"]) - _value(b[i], k, claim["metric"]) for i in items]
        mean = math.fsum(gaps) / len(gaps)
        assert math.isclose(curve["difference"][k - 1], mean, abs_tol=1e-9)
        leader = next((who for first, last, who in claim["leads"] if first <= k <= last), None)
        se = math.sqrt(math.fsum((g - mean) ** 2 for g in gaps) / (len(gaps) - 1) / len(gaps))
        if leader is not None:  # at least as far from 0 as one look at this k would ask
            assert abs(mean) > 1.9 * se
            assert (leader == claim["a"]) == (mean > 0)
        else:  # Sidak's bound over all k is wider than the band
            assert abs(mean) <= 1.1 * se * (2 + math.sqrt(2 * math.log(2 * claim["most"] + 1)))
