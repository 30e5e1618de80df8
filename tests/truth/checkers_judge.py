"""The checker of what a board says of its judge, from the attempts and their labels."""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, stats

from truth.plain import Case, Claim, checks


@checks("judged")
def judged(claim: Claim, case: Case) -> None:
    labels = dict.fromkeys(case.entries, 0)
    for attempt in case.attempts:
        labels[attempt["entry"]] += attempt.get("human") is not None
    counts = [number for number in labels.values() if number]
    assert (claim["low"], claim["high"]) == (min(counts), max(counts))
    best = max(case.score(entry) for entry in case.entries if labels[entry])
    first = [e for e in case.entries if labels[e] and math.isclose(case.score(e), best, abs_tol=1e-9)]
    assert sorted(claim["first_by_judge"]) == sorted(first)
    assert claim["scores"] == case.document["estimand"]["judge"]
    for line in case.document["entries"]:
        if line["value"] is not None:
            assert math.isclose(line["value"], _score(case, claim["scores"], line["entry"]), abs_tol=1e-9)


@checks("labels-picked")
def labels_picked(claim: Claim, case: Case) -> None:
    """Entry by entry, the judge's mean where there are labels and where there are none."""
    means, terms = {True: [], False: []}, dict.fromkeys((x["item"] for x in case.attempts), 0.0)
    for entry in case.entries:
        mine = [x for x in case.attempts if x["entry"] == entry]
        for side in (True, False):
            part = [x for x in mine if (x.get("human") is not None) is side]
            mean = math.fsum(x["score"] for x in part) / len(part)
            means[side].append(mean)
            for x in part:
                share = (x["score"] - mean) / math.sqrt(len(part) * (len(part) - 1)) / len(case.entries)
                terms[x["item"]] += share if side else -share
    on, off = (math.fsum(means[side]) / len(case.entries) for side in (True, False))
    error = math.sqrt(math.fsum(term**2 for term in terms.values()))
    assert math.isclose(claim["labelled"], on, abs_tol=1e-9)
    assert math.isclose(claim["others"], off, abs_tol=1e-9)
    assert math.isclose(claim["errors"], abs(on - off) / error, rel_tol=1e-9)
    assert claim["errors"] > 2.6


def _link(case: Case) -> tuple[float, float]:
    """Variance of a label, and its squared correlation with the judge's score, by the definitions."""
    asked = case.options
    theta, right, wrong = asked["rate"], asked["sensitivity"], asked["specificity"]
    cells = {(1, 1): theta * right, (1, 0): theta * (1 - right)}
    cells |= {(0, 1): (1 - theta) * (1 - wrong), (0, 0): (1 - theta) * wrong}
    mean_y, mean_f = (math.fsum(p * cell[at] for cell, p in cells.items()) for at in (0, 1))
    together = math.fsum(p * (y - mean_y) * (f - mean_f) for (y, f), p in cells.items())
    own, its = mean_y * (1 - mean_y), mean_f * (1 - mean_f)
    return own, together**2 / (own * its) if own * its > 0 else 0.0


def _half(case: Case, level: float, labels: float, items: float) -> float:
    """Half-width of a corrected score, its tuning chosen by trying them all."""
    own, shared = _link(case)
    rest = items - labels
    # Variance of label - t * judge over the labels and of t * judge over the rest, the judge in units of sd.
    r, scale = math.sqrt(shared), math.sqrt(own)

    def variance(t: float) -> float:
        return (own - 2 * t * scale * r * scale + (t * scale) ** 2) / labels + (t * scale) ** 2 / rest

    ends = {"bounds": (0, 1), "method": "bounded", "options": {"xatol": 1e-10}}
    most = optimize.minimize_scalar(variance, **ends).fun if rest > 0 else own / labels
    return float(stats.norm.ppf((1 + level) / 2)) * math.sqrt(most)


@checks("labels-needed")
def labels_needed(claim: Claim, case: Case) -> None:
    """So many labels are enough, one fewer is not; the cheapest mix has no cheaper neighbour."""
    items = claim["items"] if claim["items"] is not None else 10**9
    wanted, z = claim["half_width"], float(stats.norm.ppf((1 + claim["level"]) / 2))
    own, _ = _link(case)
    assert claim["alone"] == max(2, math.ceil(z**2 * own / wanted**2 - 1e-9))
    if claim["labels"] is None:
        assert z * math.sqrt(own / items) > wanted
        assert math.isclose(claim["all_labelled"], z * math.sqrt(own / items), rel_tol=1e-9)
    else:
        assert _half(case, claim["level"], claim["labels"], items) <= wanted * (1 + 1e-6)
        if claim["labels"] > 2:
            assert _half(case, claim["level"], claim["labels"] - 1, items) > wanted * (1 - 1e-6)
    if claim["best_labels"] is not None:
        price = case.options["label_cost"], case.options["item_cost"]
        many, number = claim["best_labels"], claim["best_items"]
        assert math.isclose(claim["best_cost"], many * price[0] + number * price[1])
        assert _half(case, claim["level"], many, number) <= wanted * (1 + 1e-6)
        for share in (0.8, 0.9, 1.1, 1.25):
            fewer = max(round(many * share), 2)
            rest = (claim["best_cost"] * 0.99 - fewer * price[0]) / price[1]
            if rest >= fewer:
                assert _half(case, claim["level"], fewer, rest) > wanted * (1 - 1e-4)


@checks("label-sheet")
def label_sheet(claim: Claim, case: Case) -> None:
    """Probabilities of 0/1 verdicts, by the mean squared residual of a regression within each verdict."""
    of_item: dict[str, list[float]] = {}
    errors, known = [], True
    for entry in case.entries:
        mine = [x for x in case.attempts if x["entry"] == entry]
        both = [(x["score"], x["human"]) for x in mine if x.get("human") is not None]
        known &= len(both) >= 10
        if known:
            slope, middle = (
                np.polyfit(*zip(*both, strict=True), 1) if len({f for f, _ in both}) > 1 else (0, None)
            )
            middle = np.mean([y for _, y in both]) if middle is None else middle
            off = [(f, (y - middle - slope * f) ** 2) for f, y in both]
            errors.append(np.var([y for _, y in both]))
            for x in mine:
                alike = [z for f, z in off if f == x["score"]]
                alike = alike if len(alike) >= 5 else [z for _, z in off]
                of_item.setdefault(x["item"], []).append(float(np.mean(alike)))
    items = {x["item"] for x in case.attempts}
    has = {x["item"] for x in case.attempts if x.get("human") is not None}
    assert (claim["pool"], claim["labelled"]) == (len(items - has), len(has))
    size = {item: math.sqrt(np.mean(of_item[item])) if known else 1.0 for item in items}
    total = sum(size[item] for item in items - has)
    first, n, pool = len(has) / len(items), claim["items"], claim["pool"]
    second = {i: n * (0.5 / pool + 0.5 * (size[i] / total if total else 1 / pool)) for i in items}
    assert max(second.values()) <= 1  # the cases here need no item for certain
    chance = {item: first + (1 - first) * second[item] for item in items}
    assert math.isclose(claim["low"], min(chance.values()), rel_tol=1e-9)
    assert math.isclose(claim["high"], max(chance.values()), rel_tol=1e-9)
    assert (claim["ratio"] is None) == (not known)
    if known:
        alike = first + (1 - first) * n / pool
        told = [
            np.mean(errors) + np.mean([size[i] ** 2 * (1 / p[i] - 1) for i in items])
            for p in (chance, dict.fromkeys(items, alike))
        ]
        assert math.isclose(claim["ratio"], math.sqrt(told[0] / told[1]), rel_tol=1e-9)


@checks("labels-for-budget")
def labels_for_budget(claim: Claim, case: Case) -> None:
    """The mix costs no more than the budget, and no other one that does is better."""
    price, many, number = (
        (case.options["label_cost"], case.options["item_cost"]),
        claim["labels"],
        claim["items"],
    )
    assert many * price[0] + number * price[1] <= claim["budget"] * (1 + 1e-9)
    assert math.isclose(claim["half_width"], _half(case, claim["level"], many, number), rel_tol=1e-4)
    for share in (0.7, 0.9, 1.1, 1.4):
        other = max(many * share, 2)
        rest = (claim["budget"] - other * price[0]) / price[1]
        if rest >= other:
            assert _half(case, claim["level"], other, rest) >= claim["half_width"] * (1 - 0.02)


def _score(case: Case, scores: str, entry: str) -> float:
    """PPI++ of one entry, term by term."""
    mine = [x for x in case.attempts if x["entry"] == entry]
    pairs = [(x["score"], x["human"]) for x in mine if x.get("human") is not None]
    rest = [x["score"] for x in mine if x.get("human") is None]
    mean_y = math.fsum(y for _, y in pairs) / len(pairs)
    if scores == "labels":
        return mean_y
    mean_f = math.fsum(f for f, _ in pairs) / len(pairs)
    every = [x["score"] for x in mine]
    middle = math.fsum(every) / len(every)
    spread = math.fsum((f - middle) ** 2 for f in every) / (len(every) - 1)
    together = math.fsum((f - mean_f) * (y - mean_y) for f, y in pairs) / len(pairs)
    tuning = together / ((1 + len(pairs) / len(rest)) * spread) if spread > 1e-15 else 0.0
    tuning = min(max(tuning, 0.0), 1.0)
    return tuning * math.fsum(rest) / len(rest) + mean_y - tuning * mean_f
