"""The checker of what a board says of its judge, from the attempts and their labels."""

from __future__ import annotations

import math

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
