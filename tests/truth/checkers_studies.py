"""Checkers of the claims of studies: a quadrature or a simulation of the same world, from its description.

The logit of an entry at an item is skill - 1.9 difficulty + 0.6 turn, both standard normal; the skill gives
the true rate. Where a claim picks the worst cell, no row of the document is worse.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, special, stats

from truth.plain import Case, Claim, checks, mcnemar_power

X = np.linspace(-8, 8, 1601)
WEIGHT = stats.norm.pdf(X) / stats.norm.pdf(X).sum()
HARD, OWN, SOLVED = 1.9, 0.6, 0.97


def skill(rate: float) -> float:
    """The skill that has this true rate."""
    spread = math.hypot(HARD, OWN)
    return float(optimize.brentq(lambda s: WEIGHT @ special.expit(s + spread * X) - rate, -30, 30))


def chances(rate: float) -> np.ndarray:
    """Chances at items, one for each of X."""
    return np.asarray(special.expit(skill(rate) + math.hypot(HARD, OWN) * X))


def at_difficulty(rate: float, hard: float = HARD, own: float = OWN) -> np.ndarray:
    """The chance at each difficulty of X, averaged over the entry's own turn."""
    return np.asarray(special.expit(skill(rate) - hard * X[:, None] + own * X[None, :]) @ WEIGHT)


def discordance(first: float, second: float) -> float:
    """The share of items on which one attempt of each differs."""
    p, q = at_difficulty(first), at_difficulty(second)
    return float(WEIGHT @ (p * (1 - q) + q * (1 - p)))


def rate_of(claim: Claim, case: Case) -> float:
    """The true rate that a claim is about."""
    if claim["of"] is not None:
        return float(claim["of"].removeprefix("rate "))
    rate: float = case.document["rows"][0]["rate"]
    return rate


def known(row: Claim) -> float:
    return float(row["simulated"] if row.get("exact") is None else row["exact"])


def near(claim: Claim, name: str, right: float, tolerance: float = 1e-6) -> None:
    assert abs(claim[name] - right) < tolerance, (claim, right)


def cell(claim: Claim, case: Case, value: float, *names: str) -> None:
    """A row of the document has these names and this value, with its Monte Carlo error where it has one."""
    rows = [row for row in case.document["rows"] if all(row[name] == claim[name] for name in names)]
    rows = [row for row in rows if abs(known(row) - value) < 1e-12]
    assert rows, names
    if "error" in claim:
        assert claim["error"] in [row["mc_se"] if row["exact"] is None else None for row in rows]


@checks("plug-in-bias")
def plug_in_bias(claim: Claim, case: Case) -> None:
    assert claim["unbiased"] == any(row["estimator"] == "unbiased" for row in case.document["rows"])
    p, n, k = chances(rate_of(claim, case)), claim["samples"], claim["k"]
    counts = np.arange(n + 1)
    plug = stats.binom.pmf(counts[None], n, p[:, None]) @ (1 - (1 - counts / n) ** k)
    near(claim, "bias", float(WEIGHT @ (plug - (1 - (1 - p) ** k))))


@checks("share-from-items")
def share_from_items(claim: Claim, case: Case) -> None:
    p = chances(rate_of(claim, case))
    mean = float(WEIGHT @ p)
    items, noise = float(WEIGHT @ (p - mean) ** 2), float(WEIGHT @ (p * (1 - p)))
    for samples, share in claim["shares"]:
        assert abs(share - items / (items + noise / samples)) < 1e-6


@checks("largest-size")
def largest_size(claim: Claim, case: Case) -> None:
    rows = case.document["rows"]
    near(claim, "size", max(map(known, rows)), 1e-12)
    cell(claim, case, claim["size"], "test", "items", "samples")
    assert claim["tests"] == len({row["test"] for row in rows})
    for row in rows:
        if row["test"] == "mcnemar" and row["items"] <= 500:
            share = discordance(row["rate"], row["rate"])
            assert abs(row["exact"] - mcnemar_power(row["items"], share, 0.0, claim["alpha"])) < 1e-6


@checks("least-power")
def least_power(claim: Claim, case: Case) -> None:
    row = min(case.document["rows"], key=known)
    near(claim, "power", known(row), 1e-12)
    cell(claim, case, claim["power"], "test", "difference", "items", "samples")
    if claim["test"] == "mcnemar":
        pair = (row["rate"] + claim["difference"], row["rate"])
        near(
            claim, "power", mcnemar_power(claim["items"], discordance(*pair), claim["difference"], 0.05), 1e-5
        )


@checks("separates-pair")
def separates_pair(claim: Claim, case: Case) -> None:
    """At the items that are needed the normal power is the power that was asked for."""
    rows = [row for row in case.document["rows"] if (row["a"], row["b"]) == (claim["a"], claim["b"])]
    assert all(row["difference"] == claim["difference"] for row in rows)
    for row in rows:
        if row["items"] == claim["items_needed"]:
            assert abs(row["normal"] - claim["power"]) < 0.01
    if claim["samples_needed"] is not None:
        assert claim["samples_needed_reruns"] <= claim["samples_needed"]


@checks("largest-visible")
def largest_visible(claim: Claim, case: Case) -> None:
    """Exact power of the paired t with single attempts, over all counts of discordant items."""
    rows = case.document["rows"]
    near(
        claim,
        "difference",
        max(row["normal"] if row["exact"] is None else row["exact"] for row in rows),
        1e-12,
    )
    size = claim["difference"]
    assert any(
        [row[name] for name in ("test", "items", "samples")]
        == [claim[name] for name in ("test", "items", "samples")]
        and abs((row["normal"] if row["exact"] is None else row["exact"]) - size) < 1e-12
        for row in rows
    )
    if claim["samples"] > 1 or claim["test"] != "t":
        return
    n, gap, rate = claim["items"], claim["difference"], rows[0]["rate"]
    share = discordance(rate + gap / 2, rate - gap / 2)
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = b + c <= n
    b, c = b[inside], c[inside]
    chance = stats.multinomial.pmf(
        np.stack([b, c, n - b - c], axis=1), n, [(share + gap) / 2, (share - gap) / 2, 1 - share]
    )
    mean = (b - c) / n
    variance = (b + c - n * mean**2) / (n - 1) / n
    rejected = np.abs(mean) > stats.t.ppf(0.975, n - 1) * np.sqrt(variance)
    near(claim, "power", float(chance @ rejected), 2e-3)


@checks("order-right")
def order_right(claim: Claim, case: Case) -> None:
    """2,000 boards of our own, of the same entries."""
    assert claim["entries"] == len(case.options["rates"])
    assert claim["items"] == min(row["items"] for row in case.document["rows"])
    rng, reps, rates = np.random.default_rng(3), 2000, np.array(case.options["rates"])
    skills = np.array([skill(rate) for rate in rates])
    totals = np.zeros((reps, rates.size))
    for _ in range(claim["items"]):
        logit = skills - HARD * rng.normal(size=(reps, 1)) + OWN * rng.normal(size=totals.shape)
        totals += rng.binomial(claim["samples"], special.expit(logit))
    totals += rng.random(totals.shape) / 2
    found = (np.diff(totals) < 0).all(axis=1).mean(), (totals[:, 1:] < totals[:, :1]).all(axis=1).mean()
    for name, share in zip(("order", "best"), found, strict=True):
        spread = math.sqrt(0.25 * (1 / reps + 1 / case.document["replicates"]))
        near(claim, name, share, 4 * spread)


@checks("inflation")
def inflation(claim: Claim, case: Case) -> None:
    rate = rate_of(claim, case)
    p = at_difficulty(rate)
    for share, taken, gain in claim["added"]:
        if taken == "at random":
            right = share * (SOLVED - rate)
        else:
            above = stats.norm.ppf(1 - share) <= X
            right = float(WEIGHT[above] @ (SOLVED - p[above]))
        assert abs(gain - right) < 1e-3


@checks("effective-items")
def effective_items(claim: Claim, case: Case) -> None:
    """The variance of a mean of clustered values, by two quadratures."""
    rate, n = rate_of(claim, case), claim["items"]
    rows = [row for row in case.document["rows"] if row["items"] == n]
    size = math.ceil(n / rows[0]["clusters"])
    sizes = [size] * (n // size) + [n % size] * (n % size > 0)
    p = chances(rate)
    value = float(WEIGHT @ (p - rate) ** 2) + float(WEIGHT @ (p * (1 - p))) / claim["samples"]
    for rho, number in claim["effective"]:
        spread = math.hypot(HARD * math.sqrt(1 - rho), OWN)
        inner = special.expit(skill(rate) - HARD * math.sqrt(rho) * X[:, None] + spread * X[None, :]) @ WEIGHT
        shared = float(WEIGHT @ (inner - rate) ** 2)
        variance = (n * value + sum(m * (m - 1) for m in sizes) * shared) / n**2
        assert abs(number / (value / variance) - 1) < 1e-3


@checks("least-coverage")
def least_coverage(claim: Claim, case: Case) -> None:
    rows = [row for row in case.document["rows"] if row["quantity"] == "coverage"]
    near(claim, "coverage", min(map(known, rows)), 1e-12)
    cell(claim, case, claim["coverage"], "interval", "items", "samples")
    z = stats.norm.ppf((1 + claim["level"]) / 2)
    for row in rows:
        if row["interval"] == "wald" and row["samples"] == 1 and row["clusters"] is None:
            n = row["items"]
            rate = np.arange(n + 1) / n
            held = np.abs(rate - row["rate"]) <= z * np.sqrt(rate * (1 - rate) / n)
            assert abs(row["exact"] - stats.binom.pmf(np.arange(n + 1), n, row["rate"]) @ held) < 1e-6


@checks("vote-coverage")
def vote_coverage(claim: Claim, case: Case) -> None:
    rows = [row for row in case.document["rows"] if "holds 0" in row["quantity"]]
    least = min(row["simulated"] for row in rows if row["errors"] == "as if independent")
    near(claim, "independent", least, 1e-12)
    assert claim["level"] == case.document["methods"]["level"]
    own = [row for row in rows if row["voters"] == claim["voters"] and row["errors"] == "by voter"]
    near(claim, "by_voter", own[0]["simulated"], 1e-12)


@checks("judge-coverage")
def judge_coverage(claim: Claim, case: Case) -> None:
    """The coverage of the judge's own scores is summed over all counts that it may accept."""
    rows = [row for row in case.document["rows"] if row["labelled"] == "at random"]
    sizes = [row for row in rows if row["quantity"] == "size" and row["labels"] == claim["labels"]]
    of_labels = [row for row in sizes if row["scores"] == "the judge's own"]
    near(claim, "own_size", max(row["simulated"] for row in of_labels), 1e-12)
    mine = [row for row in rows if (row["judge"], row["labels"]) == (claim["judge"], claim["labels"])]
    for scores, part in (("the judge's own", "own"), ("corrected", "corrected")):
        by = {row["quantity"]: row["simulated"] for row in mine if row["scores"] == scores}
        near(claim, f"{part}_size", by["size"], 1e-12)
        near(claim, part, by["coverage"], 1e-12)
    errors = {"right": (1, 1), "wrong at 15 %, alike": (0.85, 0.85), "wrong more at one entry": (0.8, 0.7)}
    right, wrong = errors.get(claim["judge"], (0.7, 0.7))
    rate, n = mine[0]["rate"], mine[0]["items"]
    accepted = rate * right + (1 - rate) * (1 - wrong)
    k, z = np.arange(n + 1), stats.norm.ppf((1 + claim["level"]) / 2)
    middle = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4)
    held = float(stats.binom.pmf(k, n, accepted) @ (np.abs(middle - rate) <= half))
    assert abs(claim["own"] - held) < 0.11


@checks("false-stops")
def false_stops(claim: Claim, case: Case) -> None:
    """1,000 equal pairs looked at every so many items by exact McNemar."""
    rows = [r for r in case.document["rows"] if (r["quantity"], r["truth"]) == ("false stop", "equal")]
    assert claim["looks"] == max(row["looks"] for row in rows)
    for test, share in claim["shares"]:
        own = [row for row in rows if row["test"] == test]
        assert abs(share - max(map(known, own))) < 1e-12
        if test != "mcnemar":
            assert share < 2 * claim["alpha"]
            continue
        rng, rate, step = np.random.default_rng(4), own[0]["rate"], own[0]["every"]
        apart = rng.random((1000, claim["looks"])) < discordance(rate, rate)
        for_a = np.cumsum(apart & (rng.random(apart.shape) < 0.5), axis=1)[:, step - 1 :: step]
        both = np.cumsum(apart, axis=1)[:, step - 1 :: step]
        p = 2 * stats.binom.cdf(np.minimum(for_a, both - for_a), both, 0.5)
        assert abs((p < claim["alpha"]).any(axis=1).mean() - share) < 0.06


@checks("wrong-first")
def wrong_first(claim: Claim, case: Case) -> None:
    rows = [
        row
        for row in case.document["rows"]
        if row["missing"] == claim["missing"] and row["items"] == claim["items"]
    ]
    shares = {row["policy"]: row["simulated"] for row in rows if row["simulated"] is not None}
    near(claim, "share", max(shares.values()), 1e-12)
    assert shares[claim["policy"]] == claim["share"]
    assert shares.get("fitted") == claim["fitted"]
