"""Two runs on the same items: McNemar, differences, permutation, equivalence."""

import time

import numpy as np

from deadheat.data.panel import panel
from deadheat.data.scale import full_marks, same_scale
from deadheat.errors import DeadheatError
from deadheat.estimand import Estimand
from deadheat.evidence.pairwise import pairwise
from deadheat.report.numbers import p_value
from deadheat.stats.drawing.resample import bootstrap_scores
from deadheat.stats.numerics.pvalues import normal
from deadheat.stats.paired import equivalence, mcnemar, paired_intervals, pairs_mcnemar, signflip, unpaired
from deadheat.stats.paired.pairs_t import all_pairs_t
from deadheat.stats.score import bootstrap, clustered
from deadheat.stats.score.binomial import wilson
from deadheat.stats.score.composite import rate_errors

from .support import ends, known, table_of_runs

EXACT = {"exact": mcnemar.mcnemar_exact, "mid-p": mcnemar.mcnemar_mid_p, "chi2": mcnemar.mcnemar_chi2,
         "chi2_cc": mcnemar.mcnemar_cc}  # fmt: skip
RNG = 0


def flips(differences):
    return signflip.sign_flip(np.asarray(differences, dtype=float)[None], rng=np.random.default_rng(RNG))


def mcnemar_op(asked):
    b, c = asked["b"], asked["c"]
    method = np.atleast_1d(asked.get("method", "exact")).tolist()
    found = {name: EXACT[name](b, c) for name in method}
    first = found[method[0]]
    p, log10_p = float(first.p), float(first.log10_p)
    values = {float(result.p) for result in found.values()}
    return {
        "p": p if len(values) == 1 or len(method) == 1 else None,
        "log10_p": log10_p,
        "exact": float(found["exact"].p) if "exact" in found else None,
        "mid_p": float(found["mid-p"].p) if "mid-p" in found else None,
        "display": f"an upper bound: {p_value(p, log10_p)}" if p < 1e-300 else p_value(p, log10_p),
        "flag": "no discordant pairs" if b + c == 0 else None,
    }


def two_proportions(asked):
    k, n = asked["k"], asked["n"]
    found = unpaired.two_proportions(k[0], n[0], k[1], n[1])
    pooled = sum(k) / sum(n)
    return {
        "diff": k[0] / n[0] - k[1] / n[1],
        "p": known(found.p),
        "newcombe_diff_ci": ends(unpaired.newcombe_unpaired(k[0], n[0], k[1], n[1])),
        "flag": "zero pooled variance" if pooled in (0, 1) else None,
    }


def paired_mean_test(asked):
    x = np.array([asked["x"], asked["y"]], dtype=float)
    found = all_pairs_t(x, np.ones(x.shape, dtype=bool))
    flat = found.se[0, 1] == 0
    return {
        "diff": float(found.difference[0, 1]),
        "p": known(found.p[0, 1]),
        "flag": "all differences are zero" if flat and found.difference[0, 1] == 0 else None,
    }


def compare(asked):
    runs = asked["runs"]
    table = table_of_runs(runs)
    names = list(runs)
    seen = panel(table, Estimand())
    rows = [seen.entries.index(name) for name in names]
    values, present = seen.values[rows].astype(float), seen.present[rows]
    both = present.all(axis=0)
    zero = panel(table, Estimand(absent="zero"))
    attempted = [len(run) for run in runs.values()]
    found = {
        "n_pairs": int(both.sum()),
        "only_A": int((present[0] & ~present[1]).sum()),
        "only_B": int((present[1] & ~present[0]).sum()),
        "own_mean": [known(v) for v in clustered.mean(values, present)],
        "own_mean_scored": [known(v) for v in clustered.mean(values, present)],
        "shared_mean": [known(row[both].mean()) for row in values] if both.any() else None,
        "missing_as_zero_mean": [
            float(zero.values[zero.entries.index(name)].sum() / n)
            for name, n in zip(names, attempted, strict=True)
        ],
        "p": None,
        "same_group": None,
    }
    if not both.any():
        return found | {"flag": "no shared items"}
    gap = (values[0] - values[1])[both]
    found |= {"mean_diff": float(gap.mean()), "p_signflip_exact": float(flips(gap).p[0])}
    try:
        pairs = pairwise(seen, "mcnemar")
    except DeadheatError as error:
        return found | {"mcnemar": f"refused: graded scores ({error})"}
    b, c = int(pairs.a_only[rows[0], rows[1]]), int(pairs.a_only[rows[1], rows[0]])
    p = float(pairs.p[rows[0], rows[1]])
    return found | {"b": b, "c": c, "p": p, "same_group": p >= 0.05}


def compare_rows(asked):
    runs = {side: dict(asked[side]) for side in "AB"}
    return compare({"runs": runs}) | {"aligned_by": "id"}


def compare_table(asked):
    a, b, c, d = (asked[cell] for cell in "abcd")
    n = a + b + c + d
    right = np.array([a + b, a + c])
    intervals = wilson(right, n)
    error = rate_errors(right, n)
    p = float(mcnemar.mcnemar_exact(b, c).p)
    apart = float(normal((right[0] - right[1]) / n / np.hypot(*error)).p)
    return {
        "n": n,
        "acc": (right / n).tolist(),
        "p_exact_mcnemar": p,
        "p_mid": float(mcnemar.mcnemar_mid_p(b, c).p),
        "unpaired_p_from_stderrs": apart,
        "verdict_differs_at_0.05": (p < 0.05) != (apart < 0.05),
        "wilson": [[float(intervals.low[i]), float(intervals.high[i])] for i in (0, 1)],
        "intervals_overlap": bool(intervals.low.max() <= intervals.high.min()),
        "separated_at_0.05": p < 0.05,
    }


def paired_bootstrap_mean(asked):
    gap = (np.array(asked["x"]) - np.array(asked["y"]))[None]
    present = np.ones(gap.shape, dtype=bool)
    draws = bootstrap_scores(gap, present, draws=10_000, rng=np.random.default_rng(RNG))
    low, high = ends(bootstrap.percentile_interval(draws, asked["level"]))
    return {
        "diff": float(gap.mean()),
        "se_paired": known(clustered.standard_error(gap, present).se[0]),
        "ci_excludes_zero": low > 0 or high < 0,
    }


def paired_permutation(asked):
    gap = np.array(asked["d"]) if "d" in asked else np.array(asked["x"]) - np.array(asked["y"])
    found = flips(gap)
    p = float(found.p[0])
    draws = asked.get("resamples")
    return {
        "p": p,
        "p_exact": p if found.exact[0] else None,
        "p_mc_min": 1 / (1 + draws) if isinstance(draws, int) else None,
        "p_not_zero": p > 0,
        "flag": "exact: every flip counted" if found.exact[0] else "random flips",
    }


def equivalence_op(asked):
    n, b, c, margin, alpha = (asked[key] for key in ("n", "b", "c", "margin", "alpha"))
    found = equivalence.wald_margin(n, b, c, margin)
    p = float(found.p_equivalent)
    return {
        "diff": (c - b) / n,  # the second run less the first
        "se": float(paired_intervals.wald_se(n, b, c)),
        "p_tost": p,
        "ci90": ends(paired_intervals.wald_paired(0, c, b, n - b - c, level=1 - 2 * alpha)),
        "p_mcnemar": float(mcnemar.mcnemar_exact(b, c).p),
        f"equivalent_at_{alpha}": p < alpha,
    }


def perf_compare(asked):
    rng = np.random.default_rng(RNG)
    b, c = asked["discordant"]
    x = (rng.random((1, asked["items"])) < 0.6).repeat(asked["runs"], axis=0).astype(np.float32)
    x[0, : b + c], x[1, :b], x[1, b : b + c] = np.repeat([1, 0], [b, c]), 0, 1
    start = time.perf_counter()
    a_only, _ = pairs_mcnemar.discordant(x, np.ones(x.shape, dtype=bool))
    p = float(mcnemar.mcnemar_exact(a_only[0, 1], a_only[1, 0]).p)
    late = time.perf_counter() - start > asked["max_seconds"]
    return {"error": "too slow"} if late else {"p": p}


def compare_scales(asked):
    runs = {name: np.array(scores, dtype=float) for name, scores in asked["runs"].items()}
    full = {name: float(full_marks(scores.min(), scores.max())) for name, scores in runs.items()}
    means = {f"{name}_mean": float(scores.mean() / full[name]) for name, scores in runs.items()}
    table = table_of_runs(
        {name: {str(i): score for i, score in enumerate(run)} for name, run in runs.items()}
    )
    try:
        same_scale(panel(table, Estimand()), range(len(runs)))
    except DeadheatError as error:
        return means | {"flag": str(error)}
    return means | {"flag": None}


OPS = {
    "mcnemar": mcnemar_op,
    "two_proportions": two_proportions,
    "paired_mean_test": paired_mean_test,
    "compare": compare,
    "compare_rows": compare_rows,
    "compare_table": compare_table,
    "paired_bootstrap_mean": paired_bootstrap_mean,
    "paired_permutation": paired_permutation,
    "equivalence": equivalence_op,
    "perf_compare": perf_compare,
    "compare_scales": compare_scales,
}
