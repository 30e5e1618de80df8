"""Several samples of an item: pass@k and its like, clusters, components, composites."""

import time

import numpy as np

from deadheat.stats.paired import signflip
from deadheat.stats.samples import metrics
from deadheat.stats.samples.components import components
from deadheat.stats.score import clustered
from deadheat.stats.score.composite import composite, rate_errors
from deadheat.stats.score.effective import t_interval

from .support import ends, known

SHORT = "n<k: some item has fewer samples than k"


def pass_at_k(asked):
    start = time.perf_counter()
    n, c = np.array(asked["tasks"]).T
    found = {}
    for k in np.atleast_1d(asked["k"]).tolist():
        values = metrics.pass_at_k(n, c, k)
        mean = known(values.mean())
        found |= {
            f"pass_at_{k}": mean,
            "pass_at_k": mean,
            "mean": mean,
            "per_task": [known(v) for v in values],
        }
        if mean is None:
            found["flag"] = SHORT
    late = time.perf_counter() - start > asked.get("max_seconds", 60)
    return {"error": "too slow"} if late else found


def pass_hat_k(asked):
    n, c = np.array(asked["tasks"]).T
    value = known(metrics.pass_hat_k(n, c, asked["k"]).mean())
    return {"pass_hat_k": value, "flag": None if value is not None else SHORT}


def pass_hat_k_rewards(asked):
    right = [sum(reward >= 1 - 1e-6 for reward in task) for task in asked["tasks"]]
    samples = [len(task) for task in asked["tasks"]]
    value = metrics.pass_hat_k(np.array(samples), np.array(right), asked["k"]).mean()
    return {"c": right[0] if len(right) == 1 else right, "pass_hat_k": known(value)}


def cluster_se(asked):
    labels, scores = zip(*asked["rows"], strict=True)
    row = np.array([scores], dtype=float)
    names, cluster = np.unique(labels, return_inverse=True)
    present = np.ones(row.shape, dtype=bool)
    error = clustered.standard_error(row, present, cluster)
    naive = clustered.standard_error(row, present)
    means = np.array([[row[0, cluster == c].mean() for c in range(len(names))]])
    over = clustered.standard_error(means, np.ones(means.shape, dtype=bool))
    one = len(names) < 2
    ci = ends(t_interval(row.mean(axis=1), error))
    return {
        "mean": float(row.mean()),
        "mean_over_rows": float(row.mean()),
        "mean_over_clusters": float(means.mean()),
        "se_clustered": known(error.se[0]),
        "se_clustered_rows": known(error.se[0]),
        "se_over_clusters": known(over.se[0]),
        "se_naive": known(naive.se[0]),
        "n_clusters": len(names),
        "ci95_t": ci,
        "ci": ci,
        "flag": "one cluster only: the SE is undefined" if one else None,
    }


def cluster_se_invariance(asked):
    k, n, copies = asked["base"]["k"], asked["base"]["n"], asked["copies"]
    base = np.array([[1.0] * k + [0.0] * (n - k)])
    copied = np.repeat(base, copies, axis=1)
    whole = np.ones(copied.shape, dtype=bool)
    plain = clustered.standard_error(base, np.ones(base.shape, dtype=bool)).se[0]
    kept = clustered.standard_error(copied, whole, np.repeat(np.arange(n), copies)).se[0]
    return {
        "mean": float(copied.mean()),
        "se_clustered": known(kept),
        "se_naive_after_copying": known(clustered.standard_error(copied, whole).se[0]),
        "invariant": bool(np.isclose(kept, plain, rtol=1e-12)),
    }


def compare_repeats(asked):
    a, b = (np.array(asked[side], dtype=float).mean(axis=1) for side in "AB")
    p = signflip.sign_flip((a - b)[None], rng=np.random.default_rng(0)).p[0]
    return {"n_tasks": len(a), "mean_diff": float((a - b).mean()), "p_signflip_tasks": float(p)}


def variance_components(asked):
    # Rows are trials, columns are tasks.
    trials = np.array(asked["trials"], dtype=float)
    n = trials.shape[0]
    right = trials.sum(axis=0)
    values = (right / n)[None]
    present = np.ones(values.shape, dtype=bool)
    within = metrics.mean_within(np.full(right.shape, n), right)[None]
    samples = np.full(values.shape, n)
    rerun = clustered.rerun_error(within, present, samples)
    parts = components(values, present, within, samples)
    assert np.isfinite(parts.items).all()
    return {
        "mean": float(trials.mean()),
        "se_total_items_random": known(clustered.standard_error(values, present).se[0]),
        "se_rerun_items_fixed": known(rerun.se[0]),
        "tasks_that_flip": int(((right > 0) & (right < n)).sum()),
    }


def averaged(scores, errors, sizes):
    micro, macro = composite(scores, errors, sizes), composite(scores, errors)
    return {
        "micro": {"score": micro.score, "stderr": known(micro.se), "stderr_plugin": known(micro.se)},
        "macro": {"score": macro.score, "stderr": known(macro.se)},
    }


def group(asked):
    parts = asked["subtasks"]
    return averaged(*([part[key] for part in parts] for key in ("score", "stderr", "n")))


def group_counts(asked):
    k, n = (np.array([part[key] for part in asked["subtasks"]], dtype=float) for key in "kn")
    found = averaged(k / n, rate_errors(k, n), n)
    flat = bool(((k == 0) | (k == n)).any())
    return found | {
        "flag": "a part at the boundary shows no variance: the error is a lower bound" if flat else None
    }


def composed(asked):
    parts = asked["parts"]
    found = composite(*([part[key] for part in parts] for key in ("score", "stderr", "weight")))
    return {"score": found.score, "stderr": known(found.se)}


OPS = {
    "pass_at_k": pass_at_k,
    "pass_hat_k": pass_hat_k,
    "pass_hat_k_rewards": pass_hat_k_rewards,
    "cluster_se": cluster_se,
    "cluster_se_invariance": cluster_se_invariance,
    "compare_repeats": compare_repeats,
    "variance_components": variance_components,
    "group": group,
    "group_counts": group_counts,
    "composite": composed,
}
