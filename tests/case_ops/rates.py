"""Rates and means: intervals, errors, missing scores, published numbers."""

import numpy as np

from deadheat.errors import DeadheatError
from deadheat.stats.drawing.resample import bootstrap_scores, jackknife_scores
from deadheat.stats.score import binomial, clustered, consistency
from deadheat.stats.score.bootstrap import bca_interval
from deadheat.stats.score.effective import t_interval
from deadheat.stats.score.exact_coverage import bootstrap_limit

from .support import ends, known, level_of, scores_of

BOUNDARY = "boundary: the SE formula gives 0 there, so the SE is withheld"


def interval(asked):
    k, n, level = asked["k"], asked["n"], level_of(asked)
    wilson, exact = binomial.wilson(k, n, level), binomial.clopper_pearson(k, n, level)
    low, high = ends(wilson)
    stderr = known(binomial.standard_error(k, n))
    inside = 0.0 <= low <= high <= 1.0
    snapped = (low == 0.0) == (k == 0) and (high == 1.0) == (k == n)
    return {
        "wilson": ends(wilson),
        "clopper_pearson": ends(exact),
        "percentile_bootstrap_exact": ends(bootstrap_limit(k, n, level)),
        "stderr": stderr,
        "flag": BOUNDARY if stderr is None else None,
        "within_unit": inside,
        "assert": "lo == 0 iff k == 0; hi == 1 iff k == n" if inside and snapped else None,
    }


def interval_pair(asked):
    method = asked.get("method", "wilson").replace("_", "-")
    bounds = binomial.BINOMIAL_INTERVALS[method]
    pairs = {
        side: ends(bounds(asked[side]["k"], asked[side]["n"], level_of(asked)))
        for side in ("first", "second")
    }
    wide = [high - low for low, high in pairs.values()]
    return {
        **pairs,
        **{f"{side}_wilson": pair for side, pair in pairs.items()},
        "widths_differ": abs(wide[0] - wide[1]) > 0.1 * max(wide),
        "monotone_upper": pairs["first"][1] <= pairs["second"][1],
    }


def error_of(scores):
    row = np.asarray(scores, dtype=float)[None]
    return clustered.standard_error(row, np.ones(row.shape, dtype=bool))


def stderr_scores(asked):
    return {"stderr": known(error_of(asked["scores"]).se[0])}


def mean_ci(asked):
    error = error_of(asked["scores"])
    mean = np.array([np.mean(asked["scores"])])
    return {
        "mean": float(mean[0]),
        "stderr": known(error.se[0]),
        "ci_t": ends(t_interval(mean, error, level_of(asked))),
    }


def coverage(asked):
    found = consistency.score_coverage(scores_of(asked["scores"]))
    return covered(found)


def coverage_counts(asked):
    attempted = asked["attempted"]
    found = consistency.count_coverage(asked["correct"], attempted - asked["errored"], attempted)
    return covered(found) | {"wilson_missing_as_zero": ends(binomial.wilson(asked["correct"], attempted))}


def covered(found):
    return {
        "n_attempted": found.attempted,
        "n_scored": found.scored,
        "mean_scored": known(found.mean),
        "mean_missing_as_zero": known(found.missing_as_zero),
        "bounds": ends(found.bounds),
        "flag": f"{found.attempted - found.scored} of {found.attempted} attempts carry no score",
    }


def check_published(asked):
    right, n, published = asked["resolved"], asked["n"], asked["published_pct"] / 100
    agrees = bool(consistency.agrees(published, right, n))
    stderr = known(binomial.standard_error(right, n)) if agrees else None
    return {
        "implied_pct": 100 * right / n,
        "consistent": agrees,
        "stderr": stderr,
        "in_groups": agrees,
        "flag": None if agrees else "the items contradict the published rate: withheld",
    }


def check_stderr(asked):
    formulas = consistency.stderr_formulas(asked["score"], asked["n"])
    stored = asked["stored_stderr"]
    decimals = max(4, len(f"{stored}".partition(".")[2]))
    return {
        "consistent": bool(consistency.reproduced_by(stored, formulas, decimals)),
        "recomputed_stderr": consistency.binomial_n1(asked["score"], asked["n"]),
    }


def recover_k(asked):
    decimals = asked["decimals"] + 2
    found = consistency.recover_counts(asked["score_pct"] / 100, asked["n"], decimals)
    k = [int(x) for x in found]
    return {"k": k, "flag": None if k else "no count gives this rate: impossible"}


def bootstrap_ci(asked):
    row = np.asarray(asked["scores"], dtype=float)[None]
    present = np.ones(row.shape, dtype=bool)
    draws = bootstrap_scores(row, present, draws=2000, rng=np.random.default_rng(0))
    found = bca_interval(draws, row.mean(axis=1), jackknife_scores(row, present), level_of(asked))
    ci = ends(found)
    return {
        "ci": ci,
        "flag": "degenerate: every resample is the same" if ci is None else None,
        "fallback_wilson": ends(binomial.wilson(row.sum(), row.size, level_of(asked))),
    }


def bootstrap_se(asked):
    k, n = asked["k"], asked["n"]
    row = np.array([[1.0] * k + [0.0] * (n - k)])
    present = np.ones(row.shape, dtype=bool)
    draws = bootstrap_scores(row, present, draws=asked["resamples"], rng=np.random.default_rng(0))
    spread = k / n * (1 - k / n) * n / (n - 1)

    def without_replacement(share):
        """What another scheme would give, by its formula: the case names it to tell them apart."""
        return float(np.sqrt(spread / (share * n) * (1 - share)))

    return {
        "se": float(draws.std()),
        "se_if_half_without_replacement": without_replacement(0.5),
        "se_if_80pct_without_replacement": without_replacement(0.8),
    }


def parse_scores(asked):
    from deadheat.data.columns import parse_scores as parse

    try:
        return {"scores": [int(s) if s == int(s) else float(s) for s in parse(asked["values"]).tolist()]}
    except DeadheatError as error:
        return {"scores": None, "error": str(error)}


OPS = {
    "interval": interval,
    "interval_pair": interval_pair,
    "stderr_scores": stderr_scores,
    "mean_ci": mean_ci,
    "coverage": coverage,
    "coverage_counts": coverage_counts,
    "check_published": check_published,
    "check_stderr": check_stderr,
    "recover_k": recover_k,
    "bootstrap_ci": bootstrap_ci,
    "bootstrap_se": bootstrap_se,
    "parse_scores": parse_scores,
}
