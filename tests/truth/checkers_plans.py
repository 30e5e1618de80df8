"""Checkers of the claims of plans: each starts from what was asked, which `case.options` holds."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
from scipy import stats

from truth import tango
from truth.plain import Case, Claim, checks, mcnemar_power, rerun_error

PATHS = 300


def factor(case: Case, samples: int) -> float:
    """Variance of a mean in units of independent items attempted once."""
    noise, size = case.options.get("noise") or 0.0, case.options.get("cluster_size", 1)
    return 1 - noise + noise / samples + (size - 1) * case.options.get("icc", 0.0)


@checks("half-width")
def half_width(claim: Claim, case: Case) -> None:
    """The normal formula: this many items are enough, and one fewer is not."""
    rate = claim["rate"]
    variance = claim["sd"] ** 2 if rate is None else rate * (1 - rate)
    assert rate == case.options.get("rate", None if "sd" in case.options else 0.5)
    assert (claim["sd"], claim["rates"]) == (case.options.get("sd"), rate is not None)
    z = stats.norm.ppf((1 + claim["level"]) / 2)

    def half(items: int) -> float:
        return z * math.sqrt(variance * factor(case, claim["samples"]) / items)

    assert half(claim["items"]) <= claim["half_width"] * (1 + 1e-9)
    assert claim["items"] == 1 or half(claim["items"] - 1) > claim["half_width"] * (1 - 1e-9)


def discordance(case: Case) -> float:
    share, rates, rho = (case.options.get(name) for name in ("discordance", "rates", "correlation"))
    if share is not None:
        return float(share)
    (p, q), _ = rates, rho
    return float(p * (1 - q) + q * (1 - p) - 2 * rho * math.sqrt(p * (1 - p) * q * (1 - q)))


@cache
def two_proportions(n: int, p: float, q: float, alpha: float) -> float:
    """Power of the pooled z test over every pair of counts."""
    a, b = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    pooled = (a + b) / (2 * n)
    spread = np.sqrt(np.maximum(2 * pooled * (1 - pooled) / n, 1e-300))
    rejected = np.abs(a - b) / n > stats.norm.ppf(1 - alpha / 2) * spread - 1e-12
    return float((np.outer(stats.binom.pmf(a[:, 0], n, p), stats.binom.pmf(b[0], n, q)) * rejected).sum())


def t_power(case: Case, gap: float, items: int, samples: int, alpha: float) -> float:
    """Power of the two-sided t by the noncentral distribution."""
    asked = case.options
    size = asked.get("cluster_size", 1)
    if asked.get("sd_difference") is not None:
        variance = asked["sd_difference"] ** 2
    elif asked.get("sd") is not None:
        variance = 2 * asked["sd"] ** 2 * (1 - (asked.get("correlation") or 0.0))
    else:
        variance = discordance(case) - gap**2
    paired = asked.get("sd") is None or asked.get("correlation") is not None
    df = (items / size - 1) * (1 if paired else 2)
    shift = gap / math.sqrt(variance * factor(case, samples) / items)
    limit = stats.t.ppf(1 - alpha / 2, df)
    return float(stats.nct.sf(limit, df, shift) + stats.nct.cdf(-limit, df, shift))


def names(case: Case) -> tuple[bool, bool, str, str]:
    """Whether entries share their items, whether scores are single 0 or 1, and what test and formula run."""
    asked = case.options
    real = asked.get("sd") is not None or asked.get("sd_difference") is not None
    paired = any(asked.get(name) is not None for name in ("discordance", "correlation", "sd_difference"))
    if real or asked.get("samples", 1) > 1 or asked.get("cluster_size", 1) > 1:
        of = "clusters" if asked.get("cluster_size", 1) > 1 else "items"
        return (
            paired,
            False,
            f"t on the differences of {of}" if paired else f"two-sample t on {of}",
            "noncentral t distribution",
        )
    if asked.get("claim", "difference") != "difference":
        return paired, True, "one-sided score test (Tango)", "Nam's normal"
    if paired:
        return paired, True, "McNemar", "Connor's unconditional normal"
    return paired, True, "two-proportion z, pooled variance", "Fleiss' normal, no continuity correction"


def by_formula(claim: Claim, case: Case, items: int) -> float:
    """Power by the normal formulas of Connor, Fleiss and Nam."""
    gap, alpha = claim["difference"], claim["alpha"]
    if claim["formula"].startswith("Nam"):
        return nam(claim, discordance(case), items)
    if claim["formula"].startswith("Connor"):
        null = discordance(case)
        spread = null - gap**2
    else:
        p, q = case.options["rates"]
        null, spread = (p + q) * (1 - (p + q) / 2), p * (1 - p) + q * (1 - q)
    reach = stats.norm.ppf(1 - alpha / 2) * math.sqrt(null)
    return float(
        stats.norm.cdf((abs(gap) * math.sqrt(items) - reach) / math.sqrt(spread))
        + stats.norm.cdf((-abs(gap) * math.sqrt(items) - reach) / math.sqrt(spread))
    )


def nam(claim: Claim, share: float, items: int) -> float:
    """Tango's test by Nam's formula: the likeliest rate of one kind, where the truth lies on the margin."""
    limit = claim["margin"]

    def side(gap: float) -> float:
        better, worse = (share + gap) / 2, (share - gap) / 2
        middle = -better - worse - (2 - better + worse) * limit
        q = (math.sqrt(middle**2 - 8 * worse * limit * (1 + limit)) - middle) / 4
        null = 2 * q - limit * (1 + limit)
        top = (gap + limit) * math.sqrt(items) - stats.norm.ppf(1 - claim["alpha"]) * math.sqrt(null)
        return float(stats.norm.cdf(top / math.sqrt(share - gap**2)))

    if claim["goal"] == "equivalence":
        return side(claim["difference"]) + side(-claim["difference"]) - 1
    return side(claim["difference"])


def plain_power(claim: Claim, case: Case, items: int, gap: float) -> float:
    """Power of the test that is named, without an approximation where the product has none."""
    alpha, test = claim["alpha"], claim["test"]
    if claim["goal"] != "difference":
        if not test.endswith("(Tango)"):
            return t_margin(claim, case, items)
        share, margin = discordance(case), claim["margin"]
        return tango.chances(items, share, claim["difference"], margin, alpha)[claim["goal"]]
    if test == "McNemar":
        return mcnemar_power(items, discordance(case), gap, alpha)
    if test.startswith("two-proportion"):
        return two_proportions(items, *case.options["rates"], alpha)
    return t_power(case, gap, items, claim["samples"], alpha)


def t_margin(claim: Claim, case: Case, items: int) -> float:
    """Chance that a one-sided t shows non-inferiority; for equivalence both sides less one."""
    asked, alpha = case.options, claim["alpha"]
    spread = asked["sd_difference"] * math.sqrt(factor(case, claim["samples"]) / items)
    df = items / asked.get("cluster_size", 1) - 1
    limit = stats.t.ppf(1 - alpha, df)
    sides = [
        float(stats.nct.sf(limit, df, (claim["margin"] + d) / spread))
        for d in (claim["difference"], -claim["difference"])
    ]
    return sides[0] + sides[1] - 1 if claim["goal"] == "equivalence" else sides[0]


@checks("shows")
def shows(claim: Claim, case: Case) -> None:
    """The power of the test that is named: reached by this many items, and not by one fewer."""
    asked, (paired, exact, test, formula) = case.options, names(case)
    goal = asked.get("claim", "difference")
    assert (claim["paired"], claim["exact"], claim["formula"]) == (paired, exact, formula)
    assert claim["test"] == (test if exact or goal == "difference" else f"one-sided {test}")
    assert (claim["goal"], claim["margin"]) == (goal, asked.get("margin"))
    assert claim["rates"] == ("sd" not in asked and "sd_difference" not in asked)
    gap, what = abs(claim["difference"]), claim["asked"]
    if exact and claim["items"] > 1000:
        return
    power = plain_power(claim, case, claim["items"], gap)
    if what == "power":
        assert abs(power - claim["power"]) < 1e-6
    else:
        assert power >= claim["power"] - 1e-6
        fewer, less = (claim["items"] - 1, gap) if what == "items" else (claim["items"], 0.995 * gap)
        size = asked.get("cluster_size", 1)
        if fewer > 1 and (what == "items" or goal == "difference") and (exact or fewer > 2 * size):
            assert plain_power(claim, case, fewer, less) < claim["power"]
    other = claim["by_formula"]
    assert exact or other is None
    if other is None or (what == "difference" and not paired):
        return
    if what == "power":
        assert abs(by_formula(claim, case, claim["items"]) - other) < 1e-9
    elif what == "items":
        assert by_formula(claim, case, other) >= claim["power"] - 1e-4
        assert by_formula(claim, case, other - 1) < claim["power"] + 1e-4
    else:
        found = by_formula({**claim, "difference": other}, case, claim["items"])
        assert abs(found - claim["power"]) < 1e-4


@checks("stops-after")
def stops_after(claim: Claim, case: Case) -> None:
    """300 comparisons of our own, by 64 bets that are equally far apart in angle."""
    rng, share, gap = np.random.default_rng(1), discordance(case), case.options["difference"]
    bets = np.sin((np.arange(64) + 0.5) * np.pi / 128) ** 2
    held, stopped = np.full((PATHS, 64), 1 / 64), np.full(PATHS, np.inf)
    for at in range(1, int(6 * claim["mean"])):
        drawn = rng.random((PATHS, 1))
        won, lost = drawn < (share + gap) / 2, drawn > 1 - (share - gap) / 2
        held = held * np.where(won, 2 * bets, np.where(lost, 2 * (1 - bets), 1.0))
        stopped = np.where(np.isinf(stopped) & (held.sum(axis=1) >= 1 / claim["alpha"]), at, stopped)
    assert np.isfinite(stopped).mean() > 0.99
    times = stopped[np.isfinite(stopped)]
    assert abs(times.mean() - claim["mean"]) < 5 * times.std() / math.sqrt(PATHS)
    assert abs((times <= claim["most"]).mean() - claim["share"]) < 0.09


@checks("common-items")
def common_items(claim: Claim, case: Case) -> None:
    """The least number of items of which enough are common, by the binomial distribution."""
    chance = (1 - claim["missing"]) ** 2
    assert claim["missing"] == case.options["missing"]
    assert stats.binom.sf(claim["common"] - 1, claim["each"], chance) >= claim["power"]
    assert stats.binom.sf(claim["common"] - 1, claim["each"] - 1, chance) < claim["power"]


def _ordered(case: Case, items: int) -> tuple[float, float]:
    """Shares of 20,000 simulated boards in their true order, and with the best alone on top."""
    rates, rng = np.array(case.options["rates"]), np.random.default_rng(2)
    if case.options.get("correlation") is None:
        scores = rng.binomial(items, rates, size=(20_000, rates.size)).astype(float)
    else:
        rho, noise = case.options["correlation"], rng.normal(size=(20_000, rates.size + 1))
        moves = math.sqrt(rho) * noise[:, :1] + math.sqrt(1 - rho) * noise[:, 1:]
        scores = rates + moves * np.sqrt(rates * (1 - rates) / items)
    return float((np.diff(scores) < 0).all(axis=1).mean()), float(
        (scores[:, 1:] < scores[:, :1]).all(axis=1).mean()
    )


@checks("true-order")
def true_order(claim: Claim, case: Case) -> None:
    assert claim["entries"] == len(case.options["rates"])
    order, best = _ordered(case, claim["items"])
    assert abs(order - claim["order"]) < 0.015
    assert abs(best - claim["best"]) < 0.015


@checks("true-order-items")
def true_order_items(claim: Claim, case: Case) -> None:
    assert claim["entries"] == len(case.options["rates"])
    for part, name in enumerate(("order", "best")):
        assert abs(_ordered(case, claim[name])[part] - claim["probability"]) < 0.02


@checks("best-split")
def best_split(claim: Claim, case: Case) -> None:
    """No other number of samples costs 3 % less, or has 1 point more power for the budget."""
    asked = case.options
    assert claim["difference"] == abs(asked["difference"])

    def price(samples: int) -> float:
        return float(asked["item_cost"] + samples * asked["sample_cost"])

    def power(items: int, samples: int) -> float:
        return t_power(case, claim["difference"], items, samples, 0.05)

    assert math.isclose(claim["cost"], claim["items"] * price(claim["samples"]))
    assert claim["rates"]
    alone = claim["items_one_sample"]
    assert math.isclose(claim["cost_one_sample"], alone * price(1))
    if claim["budget"] is None:
        gap, share = claim["difference"], discordance(case)
        assert mcnemar_power(alone, share, gap, 0.05) >= claim["power"] - 1e-6
        assert mcnemar_power(alone - 1, share, gap, 0.05) < claim["power"]
    else:
        assert alone == int(claim["budget"] / price(1))
    if claim["samples"] > 1:
        assert abs(power(claim["items"], claim["samples"]) - claim["power"]) < 1e-6
    for samples in range(2, 12):
        if claim["budget"] is not None:
            assert power(int(claim["budget"] / price(samples)), samples) < claim["power"] + 0.01
        else:
            affordable = int(0.97 * claim["cost"] / price(samples))
            assert power(affordable, samples) < claim["power"] + 1e-6


def _error(case: Case, entry: str) -> float:
    """The standard error of a mean over items: plain, or CR1 of cluster totals."""
    cells = case.cells[entry]
    mean, sums = math.fsum(cells.values()) / len(cells), dict[str, float]()
    for item, value in cells.items():
        key = item if case.clusters is None else case.clusters[item]
        sums[key] = sums.get(key, 0.0) + value - mean
    many = len(sums)
    if many < 2:
        return math.nan
    return math.sqrt(math.fsum(x * x for x in sums.values()) * many / (many - 1)) / len(cells)


@checks("top-spread")
def top_spread(claim: Claim, case: Case) -> None:
    order = [line["entry"] for line in case.document["entries"] if line["value"] is not None][:5]
    first, last = order[0], order[-1]
    assert claim["entries"] == len(order)
    assert math.isclose(claim["spread"], case.score(first) - case.score(last), abs_tol=1e-9)
    p = case.deciding[first, last]
    assert claim["separated"] == (None if p is None else p < case.alpha)
    known = [entry for entry in order if any(len(x) > 1 for x in case.scores[entry].values())]
    if known:
        right = float(np.median([rerun_error(case.scores[entry])[0] for entry in known]))
        assert math.isclose(claim["se_reruns"], right, rel_tol=1e-9, abs_tol=1e-12)
    else:
        assert claim["se_reruns"] is None
    errors = [_error(case, entry) for entry in order]
    errors = [error for error in errors if math.isfinite(error)]
    if errors:
        assert math.isclose(claim["se_items"], float(np.median(errors)), rel_tol=1e-6, abs_tol=1e-9)


@checks("neighbours-separated")
def neighbours_separated(claim: Claim, case: Case) -> None:
    order = [line["entry"] for line in case.document["entries"] if line["value"] is not None]
    pairs = list(pairwise(order))
    assert claim["pairs"] == len(pairs)
    assert claim["separated"] == sum(
        (case.deciding[pair] or 0 if case.deciding[pair] is not None else 1) < case.alpha for pair in pairs
    )
