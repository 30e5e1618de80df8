"""Checkers of the claims of plans: each starts from what was asked, which `case.options` holds."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
from scipy import stats

from truth.plain import Case, Claim, checks, mcnemar_power

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


@checks("shows")
def shows(claim: Claim, case: Case) -> None:
    """The power of the test that is named: reached by this many items, and not by one fewer."""
    gap, alpha, test = abs(claim["difference"]), claim["alpha"], claim["test"]

    def power(items: int, difference: float) -> float | None:
        if claim["goal"] != "difference" or not claim["exact"]:
            return None
        if test == "McNemar" and items < 1000:
            return mcnemar_power(items, discordance(case), difference, alpha)
        if test.startswith("two-proportion") and items < 1000:
            return two_proportions(items, *case.options["rates"], alpha)
        return None

    if test.startswith("t on"):
        found = t_power(case, gap, claim["items"], claim["samples"], alpha)
        assert (
            found >= claim["power"] - 1e-6
            if claim["asked"] == "items"
            else abs(found - claim["power"]) < 1e-6
        )
        return
    found = power(claim["items"], gap)
    if found is None:
        return
    if claim["asked"] == "power":
        assert abs(found - claim["power"]) < 1e-9
    else:
        assert found >= claim["power"] - 1e-7
        less = (
            power(claim["items"] - 1, gap)
            if claim["asked"] == "items"
            else power(claim["items"], 0.995 * gap)
        )
        assert less is not None
        assert less < claim["power"]


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
