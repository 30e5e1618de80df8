"""The claims of plans, of studies and of a board's variance hold."""

from __future__ import annotations

import json
import math
import random
from collections import Counter

import pytest
from scipy import stats

from deadheat import planning, simulate
from deadheat.report import render
from deadheat.report.sentences import sentences
from deadheat.simulating import Design
from truth.checkers import check
from truth.plain import Case, rerun_error
from truth.tables import board, in_clusters, ranked

PAIR = {"difference": 0.05, "discordance": 0.2}
WITHIN = {"claim": "non-inferiority", "margin": 0.05}
LAYOUT = {"noise": 0.4, "cluster_size": 4, "icc": 0.1}
PLANS = (
    ("margin", {"half_width": 0.03, "rate": 0.7}),
    ("margin", {"half_width": 0.5, "sd": 3.0}),
    ("margin", {"half_width": 0.2, "sd": 1.0, "samples": 4, **LAYOUT}),
    ("items", PAIR),
    ("items", {**PAIR, "anytime": True, "missing": 0.1}),
    ("items", {"rates": (0.8, 0.7), "correlation": 0.4}),
    ("items", {"rates": (0.8, 0.68)}),
    ("items", {"difference": 2.0, "sd_difference": 9.0, "samples": 3, **LAYOUT}),
    ("items", {"difference": 2.0, "sd": 9.0, "correlation": 0.3}),
    ("items", {"difference": 0.0, "discordance": 0.1, "claim": "non-inferiority", "margin": 0.05}),
    ("items", {"difference": 0.0, "discordance": 0.1, "claim": "equivalence", "margin": 0.05}),
    ("items", {"difference": 0.01, "discordance": 0.15, "claim": "non-inferiority", "margin": 0.08}),
    ("items", {"difference": -0.02, "discordance": 0.1, "claim": "non-inferiority", "margin": 0.1}),
    ("items", {"difference": 0.5, "sd_difference": 9.0, "claim": "non-inferiority", "margin": 1.5}),
    (
        "power",
        {"items": 50, "difference": 0.0, "discordance": 0.02, "claim": "non-inferiority", "margin": 0.05},
    ),
    ("power", {"items": 120, "difference": 0.02, "discordance": 0.2, "claim": "equivalence", "margin": 0.1}),
    ("power", {"items": 80, "difference": 0.0, "sd_difference": 3.0, "claim": "equivalence", "margin": 1.0}),
    ("power", {"items": 300, **PAIR}),
    ("power", {"items": 300, "rates": (0.8, 0.7)}),
    ("power", {"items": 60, "difference": -2.0, "sd_difference": 9.0}),
    ("mde", {"items": 250, "discordance": 0.2}),
    ("mde", {"items": 40, "sd_difference": 9.0}),
    ("board", {"rates": (0.8, 0.7, 0.6), "items": 200}),
    ("board", {"rates": (0.8, 0.7, 0.6), "items": 200, "correlation": 0.5}),
    ("board", {"rates": (0.8, 0.7, 0.6), "probability": 0.9}),
    ("samples", {**PAIR, "noise": 0.6, "item_cost": 5.0, "sample_cost": 1.0}),
    ("samples", {**PAIR, "noise": 0.6, "item_cost": 5.0, "sample_cost": 1.0, "budget": 2000.0}),
)


@pytest.mark.parametrize(("question", "asked"), PLANS, ids=str)
def test_claims_of_plans_hold(question, asked):
    layout = {name: asked[name] for name in ("samples", *LAYOUT) if name in asked and question != "samples"}
    rest = {name: value for name, value in asked.items() if name not in layout}
    given = {"layout": planning.Layout(**layout)} if layout else {}
    made = getattr(planning, question)(**rest, **given)
    codes = check(Case([], asked, json.loads(render(made, "json"))))
    assert len(codes) == 1 + ("anytime" in asked) + ("missing" in asked)
    assert made.summary == sentences(made.claims)


@pytest.mark.parametrize("seed", range(12))
def test_both_errors_hold(seed):
    """Also where some items have one sample: the error of a rerun, and the interval for reruns, by hand."""
    rng = random.Random(f"both {seed}")
    attempts = board(rng, rng.randint(2, 5), rng.randint(4, 30), samples=rng.randint(2, 6))
    if seed % 2:
        once = {x["item"] for x in attempts if rng.random() < 0.1}
        attempts = [x for x in attempts if x["item"] not in once or x["sample"] == 0]
    if seed % 3 == 2:
        attempts = [{**x, "score": x["score"] * 3 + rng.gauss(0, 1)} for x in attempts]
    if not any(x["sample"] for x in attempts):
        return
    case = ranked(attempts, also=("both-errors",))
    for line in case.document["both_errors"]:
        cells = case.scores[line["entry"]]
        se, df = rerun_error(cells)
        found, value = line["reruns"], case.score(line["entry"])
        assert found["se"] == (None if se == 0 else pytest.approx(se, rel=1e-6))
        if se == 0:
            continue
        t = float(stats.t.ppf(0.975, df))
        if seed % 3 == 2:
            ends = (value - t * se, value + t * se)
        else:  # Wilson's interval at the number of attempts that has this error
            ratio = (t * se) ** 2 / (value * (1 - value))
            ends = wilson(value, ratio)
        assert [found["interval"]["low"], found["interval"]["high"]] == pytest.approx(ends, abs=1e-6)


def wilson(rate, ratio):
    """Where (rate - p)^2 = ratio p (1 - p), ratio being t^2 / n."""
    middle, half = rate + ratio / 2, math.sqrt(ratio * (rate * (1 - rate) + ratio / 4))
    return [(middle - half) / (1 + ratio), (middle + half) / (1 + ratio)]


STUDIES = {
    "passk": {},
    "variance": {"rates": (0.3, 0.8)},
    "calibration": {"items": (60,), "samples": (1, 4)},
    "power": {"items": (60,), "gap": 0.1},
    "mde": {"items": (100,), "samples": (1, 5)},
    "flips": {"items": (100,), "rates": (0.8, 0.7, 0.6)},
    "contamination": {},
    "clusters": {"items": (300,), "samples": (1, 3)},
    "coverage": {"items": (60,), "samples": (1, 3)},
    "votes": {},
    "judge": {},
    "anytime": {"items": (200,), "samples": (1,)},
    "ragged": {"items": (60,)},
}


@pytest.mark.parametrize("study", STUDIES)
def test_claims_of_studies_hold(study):
    made = simulate(study, Design(**STUDIES[study], replicates=200, draws=49))
    assert check(Case([], STUDIES[study], json.loads(render(made, "json"))))
    assert made.summary == sentences(made.claims)


def test_claims_of_variance_hold():
    told: Counter[str] = Counter()
    for seed in range(20):
        rng = random.Random(f"variance {seed}")
        attempts = board(rng, rng.randint(1, 7), rng.randint(2, 40), samples=rng.choice((1, 3)))
        about = {"cluster": "cluster"} if rng.random() < 0.4 else {}
        case = ranked(in_clusters(rng, attempts, 6), also=("variance",), **about)
        case.document["claims"] = case.document["variance"]["claims"]
        told.update(check(case))
    assert told["top-spread"] > told["neighbours-separated"] > 5
