"""The checker of the claim about several benchmarks: who is first and who may be level, from the attempts."""

from __future__ import annotations

import itertools
import math
import statistics

from scipy import stats

from truth.plain import Case, Claim, checks, mcnemar


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
    shared = {
        n: [i for i in benchmark if benchmark[i] == n and all(i in case.cells[e] for e in whole)]
        for n in names
    }
    parts = {n: weights[n] / total for n in names}
    if claim["method"] == "z" or (
        claim["method"] in ("mean", "weights") and min(map(len, shared.values())) < 2
    ):
        assert claim["may"] is None
    elif not claim["drawn"]:
        above = _by_means if claim["method"] in ("mean", "weights") else _by_wins
        behind = above(case, whole, shared, parts)
        assert set(claim["may"]) == set(whole) - behind
        assert claim["first"] in claim["may"]
    assert math.isclose(claim["level"], 1 - case.alpha)
    assert claim["drawn"] == case.document["across"]["drawn"]
    assert (claim["rival"] is None) == (claim["moved"] is None)
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


def _by_means(
    case: Case, whole: list[str], shared: dict[str, list[str]], weights: dict[str, float]
) -> set[str]:
    """Entries behind another by a stratified paired t-test and Holm's rule."""
    found = []
    for a, b in itertools.combinations(whole, 2):
        gap, variances, df = 0.0, [], []
        for name, items in shared.items():
            gaps = [case.cells[a][i] - case.cells[b][i] for i in items]
            gap += weights[name] * math.fsum(gaps) / len(gaps)
            variances.append(weights[name] ** 2 * statistics.variance(gaps) / len(gaps))
            df.append(len(gaps) - 1)
        variance = math.fsum(variances)
        if variance < 1e-20:
            units = sum(map(len, shared.values()))
            p = 1.0 if abs(gap) < 1e-12 else 2.0 ** (1 - units)
        else:
            pooled = variance**2 / math.fsum(v * v / d for v, d in zip(variances, df, strict=True))
            p = 2 * float(stats.t.sf(abs(gap) / math.sqrt(variance), min(pooled, sum(df))))
        found.append((p, b if gap > 0 else a))
    behind, running = set(), 0.0
    for place, (p, worse) in enumerate(sorted(found)):
        running = max(running, p * (len(found) - place))
        if running < case.alpha:
            behind.add(worse)
    return behind


def _by_wins(
    case: Case, whole: list[str], shared: dict[str, list[str]], weights: dict[str, float]
) -> set[str]:
    """Entries with the lower win rate whatever the comparisons are that no test decides, in two ways."""
    pairs, half = list(itertools.permutations(whole, 2)), case.alpha / 2
    sides: dict[tuple[str, str], list[tuple[bool, float]]] = {}
    for a, b in pairs:
        for items in shared.values():
            gaps = [case.cells[a][i] - case.cells[b][i] for i in items]
            wins, losses = sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)
            sides.setdefault((a, b), []).append((wins > losses, mcnemar(wins, losses)))
    number, behind = len(shared), set()
    bar = half / (number * len(pairs) / 2)
    sure = {pair: [None if p >= bar else float(won) for won, p in each] for pair, each in sides.items()}
    count = {pair: _surely(each, half / len(pairs)) for pair, each in sides.items()}
    for a, b in pairs:
        least, by_number = 0.0, 2.0 * count[a, b] - number
        for at, mine in enumerate(sure[a, b]):
            least += 1.0 if mine == 1.0 else -1.0
            for other in set(whole) - {a, b}:
                low, high = sure[a, other][at], sure[b, other][at]
                gap = (0.0 if low is None else low) - (1.0 if high is None else high)
                least += max(gap, 0.0) if mine == 1.0 else gap
        for other in set(whole) - {a, b}:
            by_number += count[a, other] - (number - count[other, b])
        if max(least, by_number) > 1e-9:
            behind.add(b)
    return behind


def _surely(sides: list[tuple[bool, float]], bar: float) -> int:
    """How many benchmarks are surely won: Fisher's combination of all but the smallest p-values."""
    ordered = sorted(p / 2 if won else 1.0 for won, p in sides)
    for least in range(len(ordered)):
        rest = ordered[least:]
        statistic = -2 * math.fsum(math.log(max(p, 1e-300)) for p in rest)
        if float(stats.chi2.sf(statistic, 2 * len(rest))) >= bar:
            return least
    return len(ordered)
