"""Planned power against simulated experiments: forty designs, each within its Monte Carlo error."""

import numpy as np
import pytest
from scipy import stats

from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.power.effects import t_power
from deadheat.stats.power.power_paired import paired_power, paired_power_exact
from deadheat.stats.power.power_unpaired import unpaired_power, unpaired_power_exact
from deadheat.stats.samples.sample_layout import variance_factor

TRIALS = 4000
NORMAL = 0.015  # what the normal and t approximations may be off for 0/1 scores, beside the Monte Carlo error

UNPAIRED = [(0.65, 0.6, 400), (0.65, 0.6, 1471), (0.9, 0.85, 300), (0.5, 0.4, 120), (0.1, 0.05, 250)]
UNPAIRED += [(0.3, 0.2, 60), (0.95, 0.8, 40), (0.5, 0.5, 200), (0.7, 0.75, 900), (0.02, 0.06, 500)]
PAIRED = [(0.125, 0.075, 626), (0.125, 0.075, 200), (0.05, 0.09, 685), (0.03, 0.01, 400), (0.3, 0.2, 150)]
PAIRED += [(0.1, 0.0, 60), (0.2, 0.2, 300), (0.02, 0.005, 900), (0.45, 0.3, 80), (0.06, 0.02, 250)]
SAMPLES = [
    (m, s, gap) for m in (60, 200) for s, gap in ((1, 0.1), (2, 0.07), (5, 0.05), (10, 0.04), (20, 0.0))
]
CLUSTERS = [(g, b, icc) for g in (12, 40) for b, icc in ((2, 0.3), (5, 0.1), (10, 0.2), (20, 0.05), (8, 0.0))]


def agree(planned, rejected, slack=0.0):
    """Four standard errors of the simulation; where none is seen, the rule of four."""
    seen = rejected.mean()
    error = np.sqrt(max(planned * (1 - planned), 1 / TRIALS) / TRIALS)
    assert abs(seen - planned) <= 4 * error + slack, f"planned {planned:.4f}, simulated {seen:.4f}"


def t_rejects(x):
    """The t test of the mean of each row."""
    t = x.mean(axis=1) / (x.std(axis=1, ddof=1) / np.sqrt(x.shape[1]))
    return np.abs(t) > stats.t.isf(0.025, x.shape[1] - 1)


@pytest.mark.parametrize(("p1", "p2", "n"), UNPAIRED)
def test_unpaired(p1, p2, n):
    rng = np.random.default_rng(n)
    a, b = rng.binomial(n, p1, TRIALS), rng.binomial(n, p2, TRIALS)
    pooled = (a + b) / (2 * n)
    rejected = np.abs(a - b) / n > stats.norm.isf(0.025) * np.sqrt(2 * pooled * (1 - pooled) / n)
    agree(unpaired_power_exact(p1, p2, n), rejected)
    agree(float(unpaired_power(p1, p2, n)), rejected, 0.03)  # a saw's teeth where counts are small


@pytest.mark.parametrize(("p10", "p01", "n"), PAIRED)
def test_paired(p10, p01, n):
    rng = np.random.default_rng(n)
    b, c, _ = rng.multinomial(n, [p10, p01, 1 - p10 - p01], TRIALS).T
    agree(float(paired_power_exact(p10 - p01, p10 + p01, n)), mcnemar_exact(b, c).p < 0.05)
    chi2 = (b - c) ** 2 > stats.chi2.isf(0.05, 1) * (b + c)
    agree(float(paired_power_exact(p10 - p01, p10 + p01, n, test="mcnemar-chi2")), chi2)
    if n * (p10 + p01) > 10:
        agree(float(paired_power(p10 - p01, p10 + p01, n)), chi2, 0.03)


@pytest.mark.parametrize(("m", "s", "gap"), SAMPLES)
def test_samples(m, s, gap):
    """0/1 attempts at hard and easy items, the same for both entries; the t test on item differences."""
    rng = np.random.default_rng(100 * m + s)
    hard = rng.random((TRIALS, m)) < 0.4
    base = np.where(hard, 0.2, 0.7)
    tilt = np.where(rng.random((TRIALS, m)) < 0.5, 0.15, -0.15)  # what sets the entries apart item by item
    a, b = base + (tilt + gap) / 2, base - (tilt + gap) / 2
    difference = (rng.binomial(s, a) - rng.binomial(s, b)) / s
    rates = np.array([0.2, 0.7])[:, None] + np.array([[0.15, -0.15]]) / 2 + gap / 2
    others = np.array([0.2, 0.7])[:, None] - np.array([[0.15, -0.15]]) / 2 - gap / 2
    weight = np.array([0.4, 0.6])[:, None] / 2
    within = (weight * (rates * (1 - rates) + others * (1 - others))).sum()
    single = 0.15**2 + within
    spread = single * variance_factor(s, within / single)
    agree(float(t_power(gap, spread, m, m - 1)), t_rejects(difference), NORMAL)


@pytest.mark.parametrize(("g", "b", "icc"), CLUSTERS)
def test_clusters(g, b, icc):
    """Differences -1, 0, 1 whose chances a cluster shares; the t test on cluster means."""
    rng = np.random.default_rng(1000 * g + b)
    gap, discordant = 0.06, 0.5
    single = discordant - gap**2
    shift = np.sqrt(icc * single) * rng.choice([-1.0, 1.0], (TRIALS, g, 1))  # shared by the cluster
    up, down = (discordant + gap + shift) / 2, (discordant - gap - shift) / 2
    assert down.min() >= 0
    u = rng.random((TRIALS, g, b))
    means = ((u < up).astype(float) - ((u >= up) & (u < up + down))).mean(axis=2)
    spread = single * variance_factor(1, 0.0, b, icc)
    agree(float(t_power(gap, spread, g * b, g - 1)), t_rejects(means), NORMAL)
