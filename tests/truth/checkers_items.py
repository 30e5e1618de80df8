"""Checkers of claims about items, from the attempts: counts, correlations and permutations one by one."""

from __future__ import annotations

import math
import random
import statistics

from scipy import stats

from truth.plain import Case, Claim, checks


def _rest(case: Case, entry: str, item: str) -> float:
    others = [value for each, value in case.cells[entry].items() if each != item]
    return math.fsum(others) / len(others) if others else 0.0


def _correlations(case: Case) -> dict[str, tuple[list[float], list[float], float]]:
    """Item -> outcomes, rest scores and their correlation, where both vary."""
    found = {}
    for item in sorted({item for cells in case.cells.values() for item in cells}):
        have = [entry for entry in case.entries if item in case.cells[entry]]
        x = [case.cells[entry][item] for entry in have]
        rest = [_rest(case, entry, item) for entry in have]
        if len(have) > 2 and len(set(x)) > 1 and statistics.pstdev(rest) > 1e-9:
            found[item] = (x, rest, statistics.correlation(x, rest))
    return found


@checks("items-silent")
def items_silent(claim: Claim, case: Case) -> None:
    items = {item for cells in case.cells.values() for item in cells}
    assert claim["of"] == len(items)
    order = sorted(case.entries, key=case.score, reverse=True)
    for first, count in zip(claim["first"], claim["counts"], strict=True):
        best = order[:first]
        if first < len(order) and math.isclose(case.score(best[-1]), case.score(order[first]), abs_tol=1e-9):
            continue  # of entries with one score the board decides by content
        seen = [{case.cells[entry][item] for entry in best if item in case.cells[entry]} for item in items]
        assert count == sum(len(values) < 2 for values in seen)


@checks("items-backwards")
def items_backwards(claim: Claim, case: Case) -> None:
    found = _correlations(case)
    assert claim["tested"] == len(found)
    assert claim["alpha"] == case.alpha
    clear = [r for _, _, r in found.values() if abs(r) > 1e-9]
    assert abs(claim["negative"] - sum(r < 0 for r in clear)) <= len(found) - len(clear)
    p = {}
    for item, (x, rest, r) in found.items():
        t = r * math.sqrt((len(x) - 2) / max(1 - r * r, 1e-300))
        p[item] = float(stats.t.cdf(t, len(x) - 2))
        if p[item] < 0.1:
            p[item] = _dealt(x, rest, random.Random(item))
    ranked = sorted(p, key=lambda item: p[item])
    least, held = 1.0, {}
    for place in range(len(ranked), 0, -1):
        least = min(least, p[ranked[place - 1]] * len(ranked) / place)
        held[ranked[place - 1]] = least
    for item, value in held.items():
        if not claim["alpha"] / 3 < value < 3 * claim["alpha"]:  # luck of the permutations apart
            assert (item in claim["rejected"]) == (value < claim["alpha"]), (item, value)


def _dealt(x: list[float], rest: list[float], rng: random.Random) -> float:
    observed = sum(a * b for a, b in zip(x, rest, strict=True))
    reached, draws, dealt = 0, 3000, list(x)
    for _ in range(draws):
        rng.shuffle(dealt)
        reached += sum(a * b for a, b in zip(dealt, rest, strict=True)) <= observed + 1e-9
    return (1 + reached) / (1 + draws)


@checks("items-reliable")
def items_reliable(claim: Claim, case: Case) -> None:
    items = sorted(set.intersection(*(set(case.cells[entry]) for entry in case.entries)))
    k, n = len(items), len(case.entries)
    assert claim["items"] == k
    single = all(len(x) == 1 for cells in case.scores.values() for x in cells.values())
    binary = single and {x["score"] for x in case.attempts} <= {0.0, 1.0}
    assert claim["name"] == ("KR-20" if binary else "Cronbach's alpha")
    totals = [math.fsum(case.cells[entry][item] for item in items) for entry in case.entries]
    within = math.fsum(statistics.pvariance([case.cells[e][item] for e in case.entries]) for item in items)
    value = k / (k - 1) * (1 - within / statistics.pvariance(totals))
    assert math.isclose(claim["value"], value, abs_tol=1e-9)
    tail = (1 - claim["level"]) / 2
    f = stats.f(n - 1, (n - 1) * (k - 1))
    assert math.isclose(claim["low"], 1 - (1 - value) * f.ppf(1 - tail), abs_tol=1e-7)
    assert math.isclose(claim["high"], 1 - (1 - value) * f.ppf(tail), abs_tol=1e-7)


@checks("item-twins")
def item_twins(claim: Claim, case: Case) -> None:
    patterns: dict[tuple[float | None, ...], int] = {}
    for item in {item for cells in case.cells.values() for item in cells}:
        pattern = tuple(case.cells[entry].get(item) for entry in case.entries)
        if len(set(pattern) - {None}) > 1:
            patterns[pattern] = patterns.get(pattern, 0) + 1
    several = [count for count in patterns.values() if count > 1]
    assert (claim["patterns"], claim["items"]) == (len(several), sum(several))
