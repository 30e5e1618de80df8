"""Every kind of public case again with other inputs, the answers computed by other programs or by hand."""

import base64
import gzip
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import cases

Z = stats.norm.ppf(0.975)


def wilson(k, n, level=0.95):
    low, high = stats.binomtest(k, n).proportion_ci(level, "wilson")
    return [0.0 if k == 0 else low, 1.0 if k == n else high]


def exact(k, n, level=0.95):
    return list(stats.binomtest(k, n).proportion_ci(level, "exact"))


def mcnemar(b, c):
    return float(stats.binomtest(min(b, c), b + c).pvalue)


def mid_p(b, c):
    n, small = b + c, min(b, c)
    return float(min(1.0, 2 * stats.binom.cdf(small, n, 0.5) - stats.binom.pmf(small, n, 0.5)))


def pass_at(n, c, k):
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))


def se(k, n):
    return math.sqrt(k / n * (1 - k / n) / (n - 1))


def sign_flips(d):
    d = np.array(d)
    flips = np.array(np.meshgrid(*[[-1, 1]] * len(d))).reshape(len(d), -1)
    return float(np.mean(np.abs(d @ flips) >= abs(d.sum()) - 1e-12))


def lines(*rows, end="\n"):
    return "".join(json.dumps(row) + end for row in rows).encode()


def loaded(name, content):
    return {"op": "load_bytes", "name": name, "base64": base64.b64encode(content).decode()}


def runs(**scores):
    return {name: {f"q{i}": s for i, s in enumerate(row) if s != "-"} for name, row in scores.items()}


def n_unpaired(p1, p2, power=0.8):
    both = (p1 + p2) / 2
    root = Z * math.sqrt(2 * both * (1 - both))
    root += stats.norm.ppf(power) * math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
    return (root / (p1 - p2)) ** 2


def n_paired(p10, p01, power=0.8):
    psi, d = p10 + p01, p10 - p01
    return (Z * math.sqrt(psi) + stats.norm.ppf(power) * math.sqrt(psi - d * d)) ** 2 / d**2


def clustered(rows):
    names = sorted({name for name, _ in rows})
    x = np.array([score for _, score in rows], dtype=float)
    sums = np.array([sum(s - x.mean() for n, s in rows if n == name) for name in names])
    return math.sqrt((sums**2).sum() * len(names) / (len(names) - 1)) / len(x)


ROWS = [["u", 1], ["u", 0], ["v", 1], ["v", 1], ["v", 1], ["w", 0], ["x", 0], ["x", 1], ["x", 0]]
CASES = [
    ({"op": "interval", "k": 0, "n": 11, "level": 0.9}, {"wilson": wilson(0, 11, 0.9), "stderr": None}),
    (
        {"op": "interval", "k": 7, "n": 7, "level": 0.99},
        {"clopper_pearson": exact(7, 7, 0.99), "stderr": None},
    ),
    ({"op": "interval", "k": 13, "n": 90, "level": 0.95}, {"wilson": wilson(13, 90), "within_unit": True}),
    (
        {"op": "interval", "k": 3, "n": 5000, "level": 1 - 1e-8, "alpha": 1e-8, "method": "clopper_pearson"},
        {
            "clopper_pearson": [
                float(stats.beta.ppf(5e-9, 3, 4998)),
                float(stats.beta.isf(5e-9, 4, 4997)),
            ]
        },
    ),
    ({"op": "interval", "k": 1, "n": 2, "level": 0.95}, {"percentile_bootstrap_exact": [0.0, 1.0]}),
    (
        {"op": "interval_pair", "first": {"k": 0, "n": 7}, "second": {"k": 0, "n": 71}, "level": 0.95},
        {"first_wilson": wilson(0, 7), "second_wilson": wilson(0, 71), "widths_differ": True},
    ),
    ({"op": "mcnemar", "b": 3, "c": 3, "method": "exact"}, {"p": 1.0}),
    ({"op": "mcnemar", "b": 1, "c": 9, "method": "exact"}, {"p": mcnemar(1, 9)}),
    ({"op": "mcnemar", "b": 900, "c": 700, "method": "exact"}, {"p": mcnemar(900, 700)}),
    (
        {"op": "mcnemar", "b": 2, "c": 17, "method": ["exact", "mid-p"]},
        {"exact": mcnemar(2, 17), "mid_p": mid_p(2, 17)},
    ),
    (
        {"op": "mcnemar", "b": 1500, "c": 0, "method": "exact"},
        {"log10_p": (1 - 1500) * math.log10(2), "display": "an upper bound such as p < 1e-300"},
    ),
    (
        {"op": "mcnemar", "a": 4, "b": 0, "c": 0, "d": 1, "method": ["exact", "chi2_cc"]},
        {"p": 1.0, "flag": "no discordant pairs"},
    ),
    (
        {"op": "compare", "runs": {"P": {"1": 1}, "Q": {"2": 0, "3": 1}}},
        {"n_pairs": 0, "p": None, "same_group": None, "flag": "no shared items"},
    ),
    (
        {"op": "compare", "runs": runs(A=[1, 1, 1, 0, 1, "-"], B=[0, 1, 0, 0, "-", 1])},
        {"n_pairs": 4, "only_A": 1, "only_B": 1, "b": 2, "c": 0, "p": 0.5, "shared_mean": [0.75, 0.25]},
    ),
    (
        {"op": "compare", "runs": runs(A=[1, 0, None, 1], B=[None, 0, 1, 0])},
        {"n_pairs": 2, "b": 1, "c": 0, "p": 1.0, "missing_as_zero_mean": [0.5, 0.25]},
    ),
    (
        {"op": "compare", "runs": runs(A=[0.5, 1, 0.25], B=[0, 0.5, 0])},
        {
            "mcnemar": "refused: graded scores",
            "p_signflip_exact": 0.25,
            "mean_diff": 1.25 / 3,
        },
    ),
    (
        {"op": "two_proportions", "k": [9, 4], "n": [9, 4]},
        {"diff": 0.0, "p": 1.0, "flag": "zero pooled variance"},
    ),
    ({"op": "paired_mean_test", "x": [0.3, 0.3], "y": [0.3, 0.3]}, {"diff": 0.0, "p": 1.0, "flag": "zero"}),
    (
        {"op": "compare_table", "a": 50, "b": 3, "c": 12, "d": 15},
        {
            "n": 80,
            "p_exact_mcnemar": mcnemar(3, 12),
            "p_mid": mid_p(3, 12),
            "acc": [53 / 80, 62 / 80],
            "wilson": [wilson(53, 80), wilson(62, 80)],
        },
    ),
    (
        {"op": "compare_rows", "A": [["z", 1], ["y", 0], ["x", 1]], "B": [["x", 0], ["z", 0], ["y", 0]]},
        {"n_pairs": 3, "b": 2, "c": 0, "p": 0.5, "aligned_by": "id"},
    ),
    ({"op": "pass_at_k", "tasks": [[4, 4]], "k": 6}, {"pass_at_k": None, "flag": "n<k"}),
    ({"op": "pass_at_k", "tasks": [[12, 5]], "k": 3}, {"pass_at_k": pass_at(12, 5, 3)}),
    (
        {"op": "pass_at_k", "tasks": [[9, 1], [6, 6], [7, 2]], "k": 4},
        {
            "per_task": [pass_at(9, 1, 4), 1.0, pass_at(7, 2, 4)],
            "mean": (pass_at(9, 1, 4) + 1 + pass_at(7, 2, 4)) / 3,
        },
    ),
    (
        {"op": "pass_at_k", "tasks": [[1, 1], [1, 0], [1, 0]], "k": [1, 2]},
        {"pass_at_1": 1 / 3, "pass_at_2": None},
    ),
    (
        {"op": "pass_at_k", "tasks": [[50_000, 2]], "k": 700, "max_seconds": 0.5},
        {"pass_at_k": pass_at(50_000, 2, 700)},
    ),
    ({"op": "pass_hat_k", "tasks": [[10, 7]], "k": 2}, {"pass_hat_k": 21 / 45}),
    (
        {"op": "pass_hat_k_rewards", "tasks": [[1.0, 1.0, 0.9, 1.0]], "k": 2, "success": "reward >= 1-1e-6"},
        {"c": 3, "pass_hat_k": 0.5},
    ),
    (
        {
            "op": "group",
            "subtasks": [{"n": 10, "score": 0.5, "stderr": 0.1}, {"n": 30, "score": 0.9, "stderr": 0.02}],
        },
        {
            "micro": {"score": 0.8, "stderr": math.hypot(0.25 * 0.1, 0.75 * 0.02)},
            "macro": {"score": 0.7, "stderr": math.hypot(0.1, 0.02) / 2},
        },
    ),
    (
        {"op": "group_counts", "subtasks": [{"k": 3, "n": 10}, {"k": 30, "n": 40}]},
        {
            "micro": {"score": 0.66, "stderr": math.hypot(0.2 * se(3, 10), 0.8 * se(30, 40))},
            "macro": {"score": 0.525, "stderr": math.hypot(se(3, 10), se(30, 40)) / 2},
        },
    ),
    (
        {"op": "group_counts", "subtasks": [{"k": 20, "n": 20}, {"k": 40, "n": 80}]},
        {"micro": {"score": 0.6, "stderr_plugin": 0.8 * se(40, 80)}, "flag": "boundary: lower bound"},
    ),
    (
        {"op": "check_stderr", "score": 0.25, "n": 80, "stored_stderr": 0.0},
        {"consistent": False, "recomputed_stderr": math.sqrt(0.25 * 0.75 / 79)},
    ),
    (
        {"op": "check_stderr", "score": 0.25, "n": 80, "stored_stderr": math.sqrt(0.25 * 0.75 / 79)},
        {"consistent": True},
    ),
    (
        {
            "op": "composite",
            "parts": [
                {"score": 0.2, "stderr": 0.01, "weight": 1},
                {"score": 0.8, "stderr": 0.04, "weight": 3},
            ],
        },
        {"score": 0.65, "stderr": math.hypot(0.25 * 0.01, 0.75 * 0.04)},
    ),
    (
        {"op": "cluster_se", "rows": ROWS},
        {
            "mean_over_rows": 5 / 9,
            "se_clustered_rows": clustered(ROWS),
            "mean_over_clusters": (0.5 + 1 + 1 / 3) / 4,
        },
    ),
    (
        {"op": "cluster_se", "rows": [["k", 0], ["k", 1]]},
        {"mean": 0.5, "se_clustered": None, "flag": "one cluster"},
    ),
    (
        {"op": "cluster_se_invariance", "base": {"k": 5, "n": 20}, "copies": 7},
        {"mean": 0.25, "se_clustered": math.sqrt(0.25 * 0.75 / 19), "invariant": True},
    ),
    (
        {"op": "compare_repeats", "A": [[1, 1], [1, 0], [1, 1]], "B": [[0, 1], [0, 0], [0, 0]]},
        {"n_tasks": 3, "mean_diff": 2 / 3, "p_signflip_tasks": 0.25},
    ),
    (
        {"op": "coverage", "scores": [0, None, 1, 1]},
        {"n_scored": 3, "mean_scored": 2 / 3, "bounds": [0.5, 0.75]},
    ),
    (
        {"op": "coverage", "scores": ["NaN", 0.5]},
        {"n_scored": 1, "mean_missing_as_zero": 0.25, "bounds": [0.25, 0.75]},
    ),
    (
        {"op": "coverage_counts", "attempted": 20, "errored": 5, "correct": 12},
        {"mean_scored": 0.8, "bounds": [0.6, 0.85], "wilson_missing_as_zero": wilson(12, 20)},
    ),
    (
        {"op": "board", "scores": {"U": {"a": 1, "b": 0.5}, "V": {"a": 0.2, "b": None}}},
        {"complete_mean": {"U": 0.75, "V": None}, "common_tasks": ["a"], "common_mean": {"U": 1.0, "V": 0.2}},
    ),
    (
        {"op": "check_published", "published_pct": 55.0, "n": 80, "resolved": 44},
        {"implied_pct": 55.0, "consistent": True},
    ),
    (
        {"op": "check_published", "published_pct": 12.5, "n": 80, "resolved": 12},
        {"implied_pct": 15.0, "consistent": False},
    ),
    ({"op": "recover_k", "score_pct": 33.3, "decimals": 1, "n": 30}, {"k": [10]}),
    ({"op": "recover_k", "score_pct": 50.0, "decimals": 0, "n": 300}, {"k": [149, 150, 151]}),
    (
        {"op": "win_rate", "wins": 5, "losses": 2, "draws": 3},
        {"win_rate": 0.65, "stderr": float(np.std([1] * 5 + [0] * 2 + [0.5] * 3, ddof=1) / math.sqrt(10))},
    ),
    (
        {"op": "win_rate", "wins": 60, "losses": 40, "draws": 0, "published_pct": 60.0},
        {"implied_pct": 60.0, "consistent": True},
    ),
    ({"op": "win_rate_board", "scores": {"A": 0.1, "B": 0.3, "C": 0.3}}, {"A": 0.0, "B": 0.75, "C": 0.75}),
    ({"op": "rank", "scores": {"a": 1, "b": 3, "c": 3, "d": 2}}, {"rank": {"a": 4, "b": 1, "c": 1, "d": 3}}),
    (
        {
            "op": "groups",
            "order": ["P", "Q", "R"],
            "p": {"P,Q": 0.001, "Q,R": 0.2, "P,R": 0.001},
            "alpha": 0.05,
        },
        {
            "cliques": [["P"], ["Q", "R"]],
            "letters": {"P": "a", "Q": "b", "R": "b"},
            "anchor_groups": [["P"], ["Q", "R"]],
        },
    ),
    (
        {
            "op": "invariance",
            "what": "rename and shuffle",
            "scores": {"k": [1, 0, 1], "l": [0, 0, 1], "m": [1, 1, 1]},
        },
        {"all_numbers_identical": True},
    ),
    (
        {"op": "board_order", "higher_is_better": False, "scores": {"a": [0.1, 0.2], "b": [0.5, 0.9]}},
        {"first": "a", "last": "b"},
    ),
    (
        {"op": "top_pairs", "scores": {"m1": [1, 1, 0], "m2": [0, 0, 0], "m3": [1, 0, 0]}, "k": 2},
        {"top": ["m1", "m3"]},
    ),
    ({"op": "adjust", "p": [0.04, 0.01, None], "method": "holm"}, {"p_adj": [0.04, 0.02, None], "m": 2}),
    ({"op": "adjust", "p": [0.03, 0.02, 0.01], "method": "bh"}, {"p_adj": [0.03, 0.03, 0.03]}),
    (
        {"op": "best_of_k", "p_min": 0.01, "k": 5, "method": ["sidak", "bonferroni"]},
        {"sidak": 1 - 0.99**5, "bonferroni": 0.05},
    ),
    (
        {"op": "bootstrap_ci", "scores": [0] * 12, "level": 0.95, "method": "bca"},
        {"ci": None, "flag": "degenerate", "fallback_wilson": wilson(0, 12)},
    ),
    ({"op": "paired_permutation", "x": [0.2, 0.9], "y": [0.2, 0.9]}, {"p": 1.0}),
    (
        {"op": "paired_permutation", "d": [0.1, 0.2, -0.4, 0.7, 0.5], "resamples": "exact"},
        {"p": sign_flips([0.1, 0.2, -0.4, 0.7, 0.5])},
    ),
    (
        {"op": "paired_permutation", "d": [1.0] * 30, "resamples": 499},
        {"p_exact": 2.0**-29, "p_mc_min": 0.002},
    ),
    (
        {"op": "n_unpaired", "p1": 0.5, "p2": 0.4, "alpha": 0.05, "power": 0.9},
        {"raw": n_unpaired(0.5, 0.4, 0.9), "n_per_run": math.ceil(n_unpaired(0.5, 0.4, 0.9))},
    ),
    (
        {"op": "n_paired", "p10": 0.1, "p01": 0.04, "alpha": 0.05, "power": 0.8},
        {"raw": n_paired(0.1, 0.04), "n_items": math.ceil(n_paired(0.1, 0.04))},
    ),
    (
        {"op": "n_paired_many", "rows": [{"p10": 0.0, "p01": 0.0}, {"p10": 0.2, "p01": 0.2}]},
        {"n_items": [None, None], "reasons": ["no discordance", "zero effect: no finite n"]},
    ),
    (
        {"op": "gate_power", "n": 200, "baseline": 0.8, "tolerance": 0.05, "true_drop": 0.1},
        {
            "power": float(stats.binom.cdf(149, 200, 0.7)),
            "false_alarm": float(stats.binom.cdf(149, 200, 0.8)),
        },
    ),
    (
        {"op": "parse_scores", "values": [False, "no", "TRUE", "i", "0", "yes"]},
        {"scores": [0, 0, 1, 0, 0, 1]},
    ),
    (
        {"op": "compare_scales", "runs": {"A": [1, 0, 0], "B": [100, 100, 0]}},
        {"flag": "scales differ", "B_mean": 2 / 3},
    ),
    (
        {"op": "load_rows", "rows": [["a", 0], ["b", 1], ["b", 0], ["b", 1]]},
        {"error": "duplicate id b with different scores", "n_unique": 2},
    ),
    (
        {"op": "load_rows_epochs", "rows": [["a", 1, 1], ["a", 1, 1], ["a", 2, 0]]},
        {"mean": 0.5, "note": "1 identical repeats removed"},
    ),
    (
        {"op": "compare_ids", "A_ids": ["\u00fcber", "plain"], "B_ids": ["u\u0308ber", "plain"]},
        {"n_pairs_after_nfc": 2, "n_pairs_raw": 1, "flag": "ids matched after Unicode normalisation"},
    ),
    (
        {
            "op": "load_rows_models",
            "rows": [["s", "1", 1, "a", 1], ["s", "2", 1, "a", 0], ["s", "1", 1, "b", 0]],
        },
        {"n_models": 2},
    ),
    (loaded("r.jsonl", b"\xef\xbb\xbf" + lines({"id": "x", "score": 1})), {"rows": 1, "mean": 1.0}),
    (
        loaded("r.jsonl", b'{"id":"a","score":-Infinity}\n{"id":"b","score":0}\n{"id":"c","score":NaN}\n'),
        {"rows": 3, "scored": 1, "missing": 1, "invalid": 1, "output_json_strict": True},
    ),
    (
        loaded("r.csv", b"id;score\nx;0,25\ny;1,5\n"),
        {"rows": 2, "mean": 0.875, "note": "decimal comma detected"},
    ),
    (
        loaded(
            "r.jsonl.gz", gzip.compress(lines(*({"id": str(i), "score": i % 2} for i in range(3000))))[:-9]
        ),
        {"error": "truncated gzip", "exit_nonzero": True},
    ),
    (
        loaded("r.jsonl", lines({"id": "a", "score": 1}) + b'{"id": "b", "sc'),
        {"rows": 1, "bad_lines": [2], "flag": "last line incomplete: partial file"},
    ),
    (
        loaded("r.jsonl", lines({"id": "a", "score": 1}, {"id": "\u00e4", "score": 0}, end="\r\n\r\n")),
        {"rows": 2},
    ),
    ({"op": "load_eval_methods", "zip_method": 8}, {"readable": True}),
    (
        {"op": "load_lm_eval", "results": {"u": {"acc,none": 0.1, "acc_stderr,none": "N/A"}}},
        {"stderr": {"u": None}, "group_stderr": None},
    ),
    (
        {"op": "bradley_terry", "counts": {"A>B": 12, "B>A": 4}},
        {"log_odds": math.log(3), "elo_diff": 400 * math.log10(3), "se_log_odds": math.sqrt(1 / 12 + 1 / 4)},
    ),
    (
        {"op": "bradley_terry", "matches": [["x", "y"], ["y", "z"], ["z", "y"], ["x", "z"]]},
        {"x": None, "flag": "x undefeated: no finite estimate"},
    ),
    (
        {"op": "bradley_terry", "matches": [["p", "q"], ["q", "q"], ["q", "p"], ["p", "q"], ["p", "q"]]},
        {"used": 4, "ignored_self": 1, "log_odds": math.log(3)},
    ),
    (
        {"op": "bradley_terry", "counts": {"A>B": 2, "B>A": 6, "tie": 2}, "ties": "half"},
        {"ratio": 3 / 7, "elo_diff": 400 * math.log10(3 / 7)},
    ),
    (
        {"op": "stderr_scores", "scores": [1e9, 1e9 + 1, 1e9, 1e9]},
        {"stderr": 0.25},
    ),
    (
        {"op": "equivalence", "n": 400, "b": 5, "c": 9, "margin": 0.05, "alpha": 0.05},
        {
            "diff": 0.01,
            "se": math.sqrt(14 - 16 / 400) / 400,
            "p_tost": float(stats.norm.sf((0.05 - 0.01) / (math.sqrt(14 - 16 / 400) / 400))),
            "p_mcnemar": mcnemar(5, 9),
            "equivalent_at_0.05": True,
        },
    ),
    (
        {"op": "mean_ci", "scores": [1.0, 0.5, 0.25], "level": 0.9},
        {
            "mean": 1.75 / 3,
            "stderr": float(stats.sem([1.0, 0.5, 0.25])),
            "ci_t": list(map(float, stats.t.interval(0.9, 2, 1.75 / 3, stats.sem([1.0, 0.5, 0.25])))),
        },
    ),
    (
        {"op": "judge_agreement", "pos": {"agree": 9, "n": 10}, "neg": {"agree": 0, "n": 5}},
        {"tpr": 0.9, "tpr_wilson": wilson(9, 10), "tnr": 0.0, "tnr_wilson": wilson(0, 5)},
    ),
    (
        {"op": "corrected_rate", "k": 30, "n": 60, "sensitivity": 0.8, "specificity": 0.9, "level": 0.95},
        {
            "corrected": 0.4 / 0.7,
            "interval_known_se_sp": [(end - 0.1) / 0.7 for end in wilson(30, 60)],
        },
    ),
]


@pytest.mark.parametrize(
    ("asked", "expected"), CASES, ids=[f"{i}-{asked['op']}" for i, (asked, _) in enumerate(CASES)]
)
def test_again(asked, expected):
    tolerance = {"abs": 1e-9, "rel": 1e-9}
    case = {"input": asked, "expected": expected, "tolerance": tolerance}
    assert cases.run(case) == []
