"""A checker for every code of a claim: it starts from the attempts and agrees, or raises AssertionError.

Nothing here imports deadheat. A claim is the dict of the JSON; `@checks("code")` enters its checker.
"""

from __future__ import annotations

import math
import random
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from truth import (
    checkers_across,
    checkers_checks,
    checkers_costs,
    checkers_curves,
    checkers_items,
    checkers_judge,
    checkers_plans,
    checkers_studies,
)
from truth.plain import (
    CHECKERS,
    Case,
    Claim,
    adjusted,
    checks,
    error_of,
    mcnemar_power,
    one_sided,
    wealth,
)
from truth.tango import interval as tango_interval
from truth.tango import tango_p, tango_power

SUBJECTS = (
    checkers_across,
    checkers_checks,
    checkers_costs,
    checkers_curves,
    checkers_items,
    checkers_judge,
    checkers_plans,
    checkers_studies,
)
NEAR = 1e-9
FITTED = 1e-5  # strengths are fitted by a general minimiser here


def check(case: Case) -> list[str]:
    """Check every claim of a document, and give their codes."""
    for claim in case.document["claims"]:
        CHECKERS[claim["code"]](claim, case)
    return [claim["code"] for claim in case.document["claims"]]


def same(found: float | None, right: float | None) -> bool:
    if found is None or right is None:
        return found is right
    return math.isclose(found, right, rel_tol=NEAR, abs_tol=NEAR)


def near_alpha(p: float | None, alpha: float) -> bool:
    """Whether rounding alone may put p on either side."""
    return p is not None and abs(p - alpha) < NEAR


@checks("all-zero")
def all_zero(claim: Claim, case: Case) -> None:
    assert claim["entries"] == len(case.entries)
    assert not any(attempt["score"] for attempt in case.attempts)


@checks("all-equal")
def all_equal(claim: Claim, case: Case) -> None:
    assert claim["entries"] == len(case.entries) > 1
    assert all(same(case.score(entry), claim["value"]) for entry in case.entries)


@checks("possible-best")
def possible_best(claim: Claim, case: Case) -> None:
    test, alpha = case.document["methods"]["test"], case.alpha
    assert same(claim["level"], 1 - alpha)
    assert claim["of"] == len(case.entries)
    order = [line["entry"] for line in case.document["entries"] if line["value"] is not None]
    assert claim["leading"] == (set(order[: len(claim["entries"])]) == set(claim["entries"]))
    limit = alpha / max(len(case.entries) - 1, 1)
    for entry in case.entries:
        least = min(
            (_beaten(case, entry, other, test) for other in case.entries if other != entry), default=1
        )
        if abs(least - limit) > NEAR:
            assert (entry in claim["entries"]) == (least >= limit), (entry, least, limit)


def _beaten(case: Case, entry: str, other: str, test: str) -> float:
    """One-sided p of `other` being better than `entry`."""
    items = case.shared(entry, other)
    if not items or case.difference(entry, other) >= 0:
        return 1.0
    if test == "mcnemar":
        gaps = [case.cells[other][i] - case.cells[entry][i] for i in items]
        return one_sided(sum(g > 0 for g in gaps), sum(g < 0 for g in gaps))
    p = case.p(entry, other, test)
    if test == "betting" and p is not None:
        return p / (2 - p)
    return 1.0 if p is None else p / 2


@checks("not-separated-from")
def not_separated_from(claim: Claim, case: Case) -> None:
    one, alpha = claim["entry"], case.alpha
    others = [entry for entry in case.entries if entry != one]
    tested = [other for other in others if case.deciding[one, other] is not None]
    assert claim["of"] == len(others)
    assert claim["tested"] == len(tested)
    assert claim["adjusted"] == (case.document["methods"]["adjust"] not in (None, "none"))
    for other in tested:
        p = case.deciding[one, other]
        if near_alpha(p, alpha):
            continue
        assert (other in claim["others"]) == (p >= alpha), (one, other, p)
        assert (other in claim["above"]) == (p < alpha and case.difference(one, other) < 0), (one, other)
    assert set(claim["others"]) | set(claim["above"]) <= set(tested)
    counts = [len(case.shared(one, other)) for other in tested]
    if counts:
        assert (claim["shared_low"], claim["shared_high"]) == (min(counts), max(counts))


@checks("nothing-decided")
def nothing_decided(claim: Claim, case: Case) -> None:
    counts = []
    assert len(claim["entries"]) > 2
    for a, b in combinations(claim["entries"], 2):
        p = case.deciding[a, b]
        assert p is not None
        assert p >= case.alpha - NEAR
        counts.append(len(case.shared(a, b)))
    assert (claim["shared_low"], claim["shared_high"]) == (min(counts), max(counts))


UNKNOWN = (math.nan, math.nan)


def _interval(case: Case, a: str, b: str, level: float) -> tuple[float, float] | None:
    """The interval of the document's method, from the attempts; None where there is none."""
    method, items = case.document["methods"]["interval"], case.shared(a, b)
    gaps = [case.cells[a][i] - case.cells[b][i] for i in items]
    if method == "tango":
        return tango_interval(len(items), sum(g > 0 for g in gaps), sum(g < 0 for g in gaps), level)
    if method not in ("t", "bell-mccaffrey", "rerun-t"):
        return UNKNOWN
    mean, se, df = error_of(case, a, b, method)
    if not se > 1e-9:
        return None
    half = float(stats.t.ppf((1 + level) / 2, df)) * se
    rates = all(0 <= x["score"] <= 1 for x in case.attempts)
    low, high = mean - half, mean + half
    return (max(low, -1.0), min(high, 1.0)) if rates else (low, high)


def _pair(claim: Claim, case: Case, higher: str, lower: str) -> float | None:
    """Check what a claim about a pair says of its numbers, and give the p that decides."""
    assert same(claim["difference"], case.difference(higher, lower))
    assert claim["shared"] == len(case.shared(higher, lower))
    p = case.deciding[higher, lower]
    if p is not None and p > 1e-290:
        assert math.isclose(claim["p"], p, rel_tol=1e-8, abs_tol=1e-300), (claim["p"], p)
    methods = case.document["methods"]
    assert claim["alpha"] == case.alpha
    assert claim["paired"]
    assert claim["adjusted"] == (methods["adjust"] not in (None, "none"))
    if claim["log10_p"] is not None:
        assert math.isclose(10 ** claim["log10_p"], claim["p"], rel_tol=1e-6)
    right = _interval(case, higher, lower, methods["level"])
    found = None if claim["low"] is None else (claim["low"], claim["high"])
    assert claim["level"] == (None if found is None else methods["level"])
    assert (found is None) == (right is None)
    if found is not None and right is not None and right != UNKNOWN:
        assert all(math.isclose(x, y, abs_tol=1e-6) for x, y in zip(found, right, strict=True)), right
    return p


@checks("separated")
def separated(claim: Claim, case: Case) -> None:
    p = _pair(claim, case, claim["better"], claim["worse"])
    assert claim["difference"] > 0
    assert p is not None
    assert p < case.alpha + NEAR


@checks("not-separated")
def not_separated(claim: Claim, case: Case) -> None:
    p = _pair(claim, case, claim["higher"], claim["lower"])
    assert claim["difference"] >= 0
    assert p is not None
    assert p >= case.alpha - NEAR


@checks("candidates")
def candidates(claim: Claim, case: Case) -> None:
    base, methods = claim["baseline"], case.document["methods"]
    names = sorted(case.options["a"])
    found = [case.p(name, base, methods["test"]) for name in names]
    if claim["adjusted"]:
        found = adjusted(found, methods["adjust"])
    listed = [name for side in ("higher", "lower", "open", "untested") for name in claim[side]]
    assert sorted(listed) == names
    for name, p in zip(names, found, strict=True):
        if near_alpha(p, case.alpha):
            continue
        gap = 0.0 if p is None else case.difference(name, base)
        right = "higher" if gap > 0 else "lower"
        right = "untested" if p is None else "open" if p >= case.alpha else right
        assert name in claim[right], (name, p, gap)


def _visible_by_t(claim: Claim, case: Case, pair: Claim) -> None:
    """The noncentral t distribution reaches the power at this difference, and misses it just below."""
    _, se, df = error_of(case, pair["a"], pair["b"], "t")
    limit = stats.t.ppf(1 - claim["alpha"] / 2, df)
    for factor, enough in ((1.0001, True), (0.9999, False)):
        shift = factor * claim["difference"] / se
        with np.errstate(all="ignore"):
            power = stats.nct.sf(limit, df, shift) + stats.nct.cdf(-limit, df, shift)
        if math.isfinite(power):
            assert (power >= 0.8) == enough


@checks("smallest-visible")
def smallest_visible(claim: Claim, case: Case) -> None:
    pair = case.document["comparisons"][0]
    assert claim["items"] == len(case.shared(pair["a"], pair["b"]))
    assert claim["difference"] > 0
    assert (claim["power"], claim["alpha"]) == (0.8, case.alpha)
    assert claim["test"] == case.document["methods"]["test"]
    if claim["test"] != "mcnemar":
        assert claim["discordance"] is None
        if claim["test"] == "t":
            _visible_by_t(claim, case, pair)
        return
    items = case.shared(pair["a"], pair["b"])
    gaps = [case.cells[pair["a"]][i] - case.cells[pair["b"]][i] for i in items]
    share = sum(g != 0 for g in gaps) / len(gaps)
    assert same(claim["discordance"], share)
    reached = mcnemar_power(len(items), share, claim["difference"], claim["alpha"])
    missed = mcnemar_power(len(items), share, claim["difference"] * 0.999, claim["alpha"])
    assert missed < 0.8 <= reached + NEAR


@checks("gate")
def gate(claim: Claim, case: Case) -> None:
    """Who fails, from the p-values of the pairs; the rates of one candidate from every table."""
    pairs = case.document["comparisons"]
    assert claim["of"] == len(pairs)
    assert all(pair["b"] == claim["baseline"] for pair in pairs)
    margin, alpha = claim["margin"], claim["alpha"]
    assert (alpha, margin) == (case.alpha, case.options["margin"])
    assert claim["fail_on"] == case.options["fail_on"]
    assert claim["unadjusted"] == (margin is None and any(p["p_adjusted"] is not None for p in pairs))
    binary = case.document["methods"]["test"] == "mcnemar"
    for pair in pairs:
        failing = pair["a"] in claim["failing"]
        if margin is not None:
            found = _margin({"a": pair["a"], "b": pair["b"], "margin": margin}, case)
            if found and not any(near_alpha(p, alpha) for p in found):
                assert failing == (found[2] < alpha if claim["fail_on"] == "worse" else found[0] >= alpha)
        elif pair["p_adjusted"] is None:
            p = case.p(pair["a"], pair["b"], case.document["methods"]["test"])
            if not near_alpha(p, alpha):
                worse = case.difference(pair["a"], pair["b"]) < 0
                assert failing == (p is not None and p < alpha and worse)
    if len(pairs) > 1 or not binary or margin is None or claim["false_alarm"] is None:
        return
    n, b, c = _tango(case, {"a": pairs[0]["a"], "b": claim["baseline"]})
    share, loss = (b + c) / n, claim["drop"]
    needed, worse = claim["items_needed"], claim["fail_on"] == "worse"
    if needed <= 200:
        held = (max(share, 2 * margin), -2 * margin) if worse else (share, 0.0)
        assert tango_power(needed, *held, margin, alpha)[worse] >= 0.8 - NEAR
        assert tango_power(needed - 1, *held, margin, alpha)[worse] < 0.8
    if n > 80:
        return
    passes, fails = tango_power(n, share, 0.0, margin, alpha)
    alarm = fails if claim["fail_on"] == "worse" else 1 - passes
    assert abs(alarm - claim["false_alarm"]) < 1e-6
    if loss is not None:
        passes, fails = tango_power(n, max(share, loss), -loss, margin, alpha)
        assert abs((fails if claim["fail_on"] == "worse" else 1 - passes) - claim["power"]) < 1e-6


def _tango(case: Case, claim: Claim) -> tuple[int, int, int]:
    items = case.shared(claim["a"], claim["b"])
    gaps = [case.cells[claim["a"]][i] - case.cells[claim["b"]][i] for i in items]
    return len(items), sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)


def _margin(claim: Claim, case: Case) -> tuple[float, float, float] | None:
    """One-sided p-values: against a loss of the margin, a gain of it, and against no such loss."""
    if case.document["methods"]["test"] == "betting":
        items, d = case.shared(claim["a"], claim["b"]), claim["margin"]
        gaps = [case.cells[claim["a"]][i] - case.cells[claim["b"]][i] for i in items]
        asked = ((-d, "above"), (d, "below"), (-d, "below"))
        below, above, inferior = (min(1.0, 1 / wealth(gaps, mean, side)) for mean, side in asked)
        return below, above, inferior
    if not case.document["methods"]["test"].startswith("mcnemar"):
        return None
    n, b, c = _tango(case, claim)
    below, above = tango_p(n, b, c, claim["margin"]), tango_p(n, c, b, claim["margin"])
    return below, above, 1 - below


@checks("equivalent")
def equivalent(claim: Claim, case: Case) -> None:
    found = _margin(claim, case)
    assert claim["p"] < case.alpha
    if found:
        assert math.isclose(claim["p"], max(found[:2]), rel_tol=1e-6, abs_tol=1e-12)


@checks("non-inferior")
def non_inferior(claim: Claim, case: Case) -> None:
    found = _margin(claim, case)
    assert claim["p"] < case.alpha
    if found:
        assert math.isclose(claim["p"], found[0], rel_tol=1e-6, abs_tol=1e-12)


@checks("inferior")
def inferior(claim: Claim, case: Case) -> None:
    found = _margin(claim, case)
    assert claim["p"] < case.alpha
    if found:
        assert math.isclose(claim["p"], found[2], rel_tol=1e-6, abs_tol=1e-12)


@checks("inconclusive")
def inconclusive(claim: Claim, case: Case) -> None:
    found = _margin(claim, case)
    assert claim["p"] >= case.alpha - NEAR
    if found:
        assert math.isclose(claim["p"], found[0], rel_tol=1e-6, abs_tol=1e-12)
        assert found[2] >= case.alpha - NEAR


@checks("settles")
def settles(claim: Claim, case: Case) -> None:
    pair = case.document["comparisons"][0]
    assert claim["items"] > len(case.shared(pair["a"], pair["b"]))
    assert any(other["code"] == "not-separated" for other in case.document["claims"])
    assert (claim["power"], claim["condition"]) == (0.8, "alike")
    assert (claim["margin"], claim["alpha"]) == (case.options["margin"], case.alpha)
    assert (claim["discordance"] is None) == (case.document["methods"]["test"] != "mcnemar")
    if claim["discordance"] is not None:
        n, b, c = _tango(case, pair)
        assert same(claim["discordance"], (b + c) / n)
        if claim["items"] <= 150:
            settled = (claim["discordance"], 0.0, claim["margin"], claim["alpha"])
            assert tango_power(claim["items"], *settled)[0] >= 0.8 - NEAR
            assert tango_power(claim["items"] - 1, *settled)[0] < 0.8


@checks("stops-early")
def stops_early(claim: Claim, case: Case) -> None:
    """Against 400 orders of our own; the wealth is that of Beta(1/2, 1/2) bets on the discordant items."""
    gaps = [
        case.cells[claim["a"]][i] - case.cells[claim["b"]][i] for i in case.shared(claim["a"], claim["b"])
    ]
    assert (claim["of"], claim["units"]) == (len(gaps), "items")
    assert (claim["orders"] is None) == set(gaps).issubset({-1.0, 0.0, 1.0})
    assert claim["orders"] is None or claim["orders"] >= 20
    rng, times = random.Random(0), []
    for _ in range(400):
        rng.shuffle(gaps)
        times.append(stopping_time(gaps, claim["alpha"]))
    share = sum(math.isfinite(t) for t in times) / 400
    assert abs(share - claim["share"]) < 0.12
    if claim["median"] is not None:
        before = sum(t < claim["median"] - 1 for t in times) / 400
        until = sum(t <= claim["median"] + 1 for t in times) / 400
        assert before < 0.62
        assert until > 0.38


def stopping_time(gaps: list[float], alpha: float) -> float:
    """The first item at which the wealth of 64 bets, equally far apart in angle, reaches 1/alpha."""
    bets = [math.sin((k + 0.5) * math.pi / 128) ** 2 for k in range(64)]
    held = [1 / 64] * 64
    for at, gap in enumerate(gaps, 1):
        held = [h * ((1 + gap) * t + (1 - gap) * (1 - t)) for h, t in zip(held, bets, strict=True)]
        if sum(held) >= 1 / alpha:
            return at
    return math.inf


@checks("stopped-at")
def stopped_at(claim: Claim, case: Case) -> None:
    place = {attempt["item"]: attempt[claim["order"]] for attempt in case.attempts}
    items = sorted(case.shared(claim["a"], claim["b"]), key=place.__getitem__)
    gaps = [case.cells[claim["a"]][i] - case.cells[claim["b"]][i] for i in items]
    time = stopping_time(gaps, claim["alpha"])
    assert (claim["of"], claim["units"]) == (len(gaps), "items")
    assert (claim["difference"] is None) == (claim["at"] is None)
    assert claim["at"] == (None if math.isinf(time) else time)
    if claim["at"] is not None:
        assert same(claim["difference"], math.fsum(gaps[: claim["at"]]) / claim["at"])


@checks("watched")
def watched(claim: Claim, case: Case) -> None:
    """A look after each item, in the order of the attempts; a bet for every hypothesis that can stop it."""
    order = list(dict.fromkeys(attempt["item"] for attempt in case.attempts))
    items = [item for item in order if item in case.shared(claim["a"], claim["b"])]
    gaps = [case.cells[claim["a"]][i] - case.cells[claim["b"]][i] for i in items]
    d, limit = claim["margin"] or 0.0, 1 / claim["alpha"]
    bets = {
        "separated": {"a or b": ((0.0, "both"),)},
        "margin": {"non-inferior": ((-d, "above"),), "inferior": ((-d, "below"),)},
        "equivalent": {
            "equivalent": ((-d, "above"), (d, "below")),
            "inferior": ((-d, "below"),),
            "superior": ((d, "above"),),
        },
    }[claim["stop"]]
    best: dict[tuple[float, str], float] = {}
    for at in range(1, len(gaps) + 1):
        for hypothesis in {one for each in bets.values() for one in each}:
            best[hypothesis] = max(best.get(hypothesis, 0.0), wealth(gaps[:at], *hypothesis))
        outcomes = {name for name, each in bets.items() if min(best[one] for one in each) >= limit}
        if outcomes:
            said = "a or b" if claim["outcome"] in ("a", "b") else claim["outcome"]
            assert (claim["items"], said in outcomes) == (at, True)
            assert same(claim["difference"], math.fsum(gaps[:at]) / at)
            assert claim["outcome"] not in ("a", "b") or (claim["difference"] > 0) == (
                claim["outcome"] == "a"
            )
            return
    assert (claim["outcome"], claim["items"]) == (None, len(gaps))


@checks("records-stand")
def records_stand(claim: Claim, case: Case) -> None:
    """Day by day; dates are the first eight digits of the names."""
    days: dict[str, list[str]] = {}
    for entry in case.entries:
        days.setdefault(entry[:8], []).append(entry)
    (_, first), *later = sorted(days.items())
    best = max(case.score(entry) for entry in first)
    assert case.score(claim["start"]) == best
    holder, p, names = claim["start"], [], []
    for _, entries in later:
        ahead = {entry: case.difference(entry, holder) for entry in entries}
        ahead = {entry: gap for entry, gap in ahead.items() if gap > 0}
        if not ahead:
            continue
        newcomer = max(ahead, key=lambda entry: ahead[entry])
        gaps = [case.cells[newcomer][i] - case.cells[holder][i] for i in case.shared(newcomer, holder)]
        b, c = sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)
        p.append(
            min(1.0, len(ahead) * one_sided(b, c) / one_sided((b + c) // 2 + 1, b + c - (b + c) // 2 - 1))
        )
        names.append(newcomer)
        holder = newcomer
    held = adjusted(p, "holm")
    assert claim["records"] == len(p)
    assert [n for n, x in zip(names, held, strict=True) if x < claim["alpha"]] == list(claim["stand"])
    assert [f"{n[:4]}-{n[4:6]}-{n[6:8]}" for n in claim["stand"]] == list(claim["dates"])


@checks("published-gap")
def published_gap(claim: Claim, case: Case) -> None:
    assert same(claim["difference"], case.score(claim["entry"]) - claim["published"])
    assert claim["separated"] == (claim["p"] < claim["alpha"])
    assert claim["adjusted"] == (case.document["methods"]["best_of"] is not None)
    assert claim["log10_p"] is None or math.isclose(claim["log10_p"], math.log10(claim["p"]), abs_tol=1e-6)


@checks("alone")
def alone(claim: Claim, case: Case) -> None:
    assert case.entries == [claim["entry"]]
    assert claim["items"] == len(case.cells[claim["entry"]])
    assert same(claim["value"], case.score(claim["entry"]))


@checks("visible-twin")
def visible_twin(claim: Claim, case: Case) -> None:
    (entry,) = case.entries
    single = all(len(x) == 1 for x in case.scores[entry].values())
    assert claim["test"] == ("mcnemar" if single and set(case.cells[entry].values()) <= {0.0, 1.0} else "t")
    assert (claim["power"], claim["alpha"]) == (0.8, case.alpha)
    assert claim["items"] == len(case.cells[entry])
    for gap, rho in zip(claim["differences"], claim["correlations"], strict=True):
        assert gap > 0
        if claim["test"] == "mcnemar":
            power = _power(case.score(entry), claim, gap, rho)
            assert claim["power"] - NEAR <= power <= claim["power"] + 0.02, power


def _power(rate: float, claim: Claim, gap: float, rho: float) -> float:
    """Chance that exact McNemar rejects, summed over every table of discordant counts."""
    from scipy import stats

    n = claim["items"]
    low = min(max(rate - gap / 2, 0.0), 1 - gap)
    high = low + gap
    spread = math.sqrt(max(low * (1 - low) * high * (1 - high), 0))
    differ = max(low * (1 - high) + high * (1 - low) - 2 * rho * spread, gap)
    found = 0.0
    for m in range(n + 1):
        weight = float(stats.binom.pmf(m, n, min(differ, 1.0)))
        if weight < 1e-13:
            continue
        side = stats.binom.pmf(range(m + 1), m, min((1 + gap / differ) / 2, 1.0))
        tails = stats.binom.cdf(range(m + 1), m, 0.5)
        reject = [min(1, 2 * tails[min(k, m - k)]) < claim["alpha"] for k in range(m + 1)]
        found += weight * float(sum(p for p, r in zip(side, reject, strict=True) if r))
    return found


@checks("listed-apart")
def listed_apart(claim: Claim, case: Case) -> None:
    assert claim["usual"] == case.usual
    assert claim["min_share"] == case.document["methods"]["min_share"]
    assert set(claim["entries"]) == set(case.cells) - set(case.entries) | set(claim["unfinished"])
    for entry in set(claim["entries"]) - set(claim["unfinished"]):
        assert len(case.cells[entry]) < claim["min_share"] * case.usual


@checks("fitted")
def fitted(claim: Claim, case: Case) -> None:
    everything = len({item for entry in case.entries for item in case.cells[entry]})
    held = sum(len(case.cells[entry]) for entry in case.entries)
    scores = {x["score"] for x in case.attempts}
    assert claim["model"] == ("rasch" if scores <= {0.0, 1.0} else "two-way")
    assert same(claim["missing"], 1 - held / (everything * len(case.entries)))
    if claim["open"] is None:
        return

    def least(entry: str) -> float:
        return math.fsum(case.cells[entry].values()) / everything

    def most(entry: str) -> float:
        return least(entry) + 1 - len(case.cells[entry]) / everything

    leader = claim["leader"]
    for entry in set(case.entries) - {leader}:
        if abs(most(entry) - least(leader)) > NEAR:
            assert (entry in claim["open"]) == (most(entry) > least(leader)), entry


@checks("withheld")
def withheld(claim: Claim, case: Case) -> None:
    texts = [note["text"] for note in case.document["notes"]]
    texts += [note["text"] for pair in case.document.get("comparisons", ()) for note in pair["notes"]]
    own = ("no pair of its entries could be tested", "the tests against it are undefined on these items")
    assert claim["why"] in (*texts, *own)
    assert claim["what"] in ("difference", "board", "margin")
    named = case.document["comparisons"][0] if "comparisons" in case.document else None
    assert set(claim["entries"]) == (set(case.entries) if named is None else {named["a"], named["b"]})
    if claim["what"] != "margin":
        for pair in combinations(claim["entries"], 2):
            assert case.p(*pair, case.document["methods"]["test"]) is None


@checks("placed-by-votes")
def placed_by_votes(claim: Claim, case: Any) -> None:
    """Wins lead from every entry with a strength to every other one, and not from or not to the rest."""
    names = ("undefeated", "winless", "unconnected")
    apart = {entry for name in names for entry in claim[name]}
    ranked = set(case.entries) - apart
    assert (claim["entries"], claim["of"]) == (len(ranked), len(case.entries))
    beaten: dict[str, set[str]] = {entry: set() for entry in case.entries}
    for a, b, result, *_ in case.votes:
        for one, other, wins in ((a, b, result), (b, a, 1 - result)):
            if wins > 0:
                beaten[one].add(other)

    def below(start: str) -> set[str]:
        found, left = {start}, [start]
        while left:
            new = beaten[left.pop()] - found
            found |= new
            left += new
        return found

    for entry in case.entries:
        both = {other for other in below(entry) if entry in below(other)}
        assert (both >= ranked) == (entry in ranked)
        own = [(v[2] if v[0] == entry else 1 - v[2]) for v in case.votes if entry in v[:2]]
        met = {name for v in case.votes if entry in v[:2] for name in v[:2]} & ranked
        assert (entry in claim["undefeated"]) == (entry in apart and bool(met) and min(own) == 1)
        assert (entry in claim["winless"]) == (entry in apart and bool(met) and max(own) == 0)


@checks("not-separated-by-votes")
def not_separated_by_votes(claim: Claim, case: Any) -> None:
    assert claim["votes"] == len(case.votes)
    assert claim["tested"] == len(case.entries) - 1
    assert claim["clusters"] == {
        "voter": len({vote[3] for vote in case.votes}),
        "prompt": len({vote[4] for vote in case.votes}),
    }
    assert claim["of"] == len(case.entries) - 1
    assert not claim["adjusted"]
    for other in case.entries:
        p = None if other == claim["entry"] else case.p(claim["entry"], other, "bradley-terry")
        if p is not None and abs(p - case.alpha) > FITTED:
            assert (other in claim["others"]) == (p >= case.alpha), (other, p)


@checks("vote-preference")
def vote_preference(claim: Claim, case: Any) -> None:
    gap, p = case.difference(claim["a"], claim["b"]), case.p(claim["a"], claim["b"], "bradley-terry")
    assert math.isclose(claim["win_probability"], 1 / (1 + math.exp(-gap)), abs_tol=FITTED)
    assert math.isclose(claim["p"], p, rel_tol=1e-3, abs_tol=FITTED)
    assert (claim["level"], claim["alpha"], claim["adjusted"]) == (1 - case.alpha, case.alpha, False)
    half = stats.t.ppf((1 + claim["level"]) / 2, case.df) * case.error(claim["a"], claim["b"])
    for end, shift in (("low", -half), ("high", half)):
        assert math.isclose(claim[end], 1 / (1 + math.exp(-gap - shift)), abs_tol=1e-4)
    assert claim["votes"] == len(case.votes)
    between = [v for v in case.votes if {v[0], v[1]} == {claim["a"], claim["b"]}]
    assert claim["direct"] == len(between)
    if abs(p - case.alpha) > FITTED:
        wanted = "not separated" if p >= case.alpha else "a" if gap > 0 else "b"
        assert claim["verdict"] == wanted


@checks("votes-needed")
def votes_needed(claim: Claim, case: Any) -> None:
    """By the binomial distribution of decided votes, exactly, for independent votes without ties."""
    chance = 1 / (1 + 10 ** (-claim["elo"] / 400))
    assert math.isclose(claim["win_probability"], chance, rel_tol=1e-9)
    assert claim["ties"] == 0
    n = claim["votes"]
    k = np.arange(n + 1)
    outside = k[stats.binom.cdf(np.minimum(k, n - k), n, 0.5) * 2 < claim["alpha"]]
    power = stats.binom.pmf(outside, n, chance).sum()
    assert abs(power - claim["power"]) < 0.5 / np.sqrt(n)  # counts are whole, the formula is not
