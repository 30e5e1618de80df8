"""Coverage and size of scores of a judge corrected by labels: `python studies/judge.py` writes judge.md.

Entries whose truths correlate over items are judged with stated sensitivity and specificity; labels are drawn
at random, or picked by outcome. Every replicate is a row of one call, so nothing is looped over.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy import special

from deadheat.data.people import Truth
from deadheat.evidence.scores import truth_interval
from deadheat.stats.judged.prediction_powered import corrected
from deadheat.stats.numerics.pvalues import student
from deadheat.stats.score.binomial import wilson

OUT = Path(__file__).with_suffix(".md")
SIZES = ((30, 500), (50, 500), (100, 500), (300, 1000), (500, 2000))
RATES = (0.7, 0.9)
JUDGES = (
    ((1.0, 1.0), (1.0, 1.0)),
    ((0.85, 0.85), (0.85, 0.85)),
    ((0.9, 0.7), (0.7, 0.9)),
    ((0.95, 0.9), (0.8, 0.7)),
)
HEAD = """# Scores of a judge, corrected by labels of people

Coverage of 95 % intervals of entry A and size of the paired test at .05 of two entries with one true rate, by
`python studies/judge.py` ({replicates:,} replicates, Monte Carlo error at most {error:.3f}). A judge accepts
right answers with the sensitivity and rejects wrong ones with the specificity given for A and for B; outcomes
of the two correlate over items. "Raw" takes the judge's scores as the truth. "Error" is the standard error of
the corrected score divided by that of the labels alone: below 1 correcting pays.

| labels | items | rate | A: sens, spec | B: sens, spec | coverage | raw | size | raw | error |
|---:|---:|---:|---|---|---:|---:|---:|---:|---:|
"""


def draw(rng, replicates, items, rate, judges):
    """Truth and judge's scores of two entries, (replicates, items) each."""
    ease, out = rng.normal(size=(replicates, items)), []
    for sensitivity, specificity in judges:
        own = np.sqrt(0.5) * (ease + rng.normal(size=ease.shape))
        truth = (own < special.ndtri(rate)).astype(float)
        luck = rng.random(ease.shape)
        out.append((truth, np.where(truth == 1, luck < sensitivity, luck > specificity).astype(float)))
    return out


def cell(labels, items, rate, judges, replicates, seed=0, picked=False):
    """Coverage and size, corrected and raw, and the error beside that of the labels alone."""
    rng = np.random.default_rng(seed)
    pair = draw(rng, replicates, items, rate, judges)
    labelled = np.zeros((replicates, items), dtype=bool)
    labelled[:, :labels] = True
    if picked:  # people looked at what the judge accepted
        chance = rng.random((replicates, items)) - 0.15 * pair[0][1]
        labelled = np.argsort(np.argsort(chance, axis=1), axis=1) < labels
    present = np.ones_like(labelled)
    a, b = (corrected(judge, truth, present, labelled) for truth, judge in pair)
    found = truth_interval(Truth(a.value, a.se, a.careful, labelled.sum(axis=1)), 0.95, rates=True)
    hit = np.mean((found.low <= rate) & (rate <= found.high))
    raw = wilson(pair[0][1].sum(axis=1), np.full(replicates, items), 0.95)
    raw_hit = np.mean((raw.low <= rate) & (rate <= raw.high))
    gap, n, m = a.value - b.value, labels, items - labels
    parts = a.parts - b.parts
    spread = [np.where(where, parts, np.nan) for where in (labelled, ~labelled)]
    one, two = (np.nanvar(part, axis=1, ddof=1) / size for part, size in zip(spread, (n, m), strict=True))
    df = (one + two) ** 2 / np.maximum(one**2 / (n - 1) + two**2 / (m - 1), 1e-300)
    size = np.mean(student(gap / np.sqrt(np.maximum(one + two, 1e-300)), df).p < 0.05)
    difference = pair[0][1] - pair[1][1]
    t = difference.mean(axis=1) / (difference.std(axis=1, ddof=1) / np.sqrt(items))
    raw_size = np.mean(student(t, np.full(replicates, items - 1.0)).p < 0.05)
    people = np.where(labelled, pair[0][0], np.nan)
    alone = np.nanstd(people, axis=1, ddof=1) / np.sqrt(n)
    return hit, raw_hit, size, raw_size, float(np.mean(a.se) / np.mean(alone))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=4_000)
    asked = parser.parse_args()
    lines = [HEAD.format(replicates=asked.replicates, error=np.sqrt(0.25 / asked.replicates))]
    for labels, items in SIZES:
        for rate in RATES:
            for judges in JUDGES:
                shown = " | ".join(f"{100 * s:.0f}, {100 * c:.0f}" for s, c in judges)
                numbers = " | ".join(f"{x:.3f}" for x in cell(labels, items, rate, judges, asked.replicates))
                lines.append(f"| {labels} | {items:,} | {rate} | {shown} | {numbers} |\n")
    bad = cell(100, 500, 0.7, JUDGES[1], asked.replicates, picked=True)
    lines.append(
        "\n## Labels that are not drawn at random\n\nPeople labelled 100 of 500 items, more often those that "
        f"the judge accepted: the corrected interval holds the truth in {100 * bad[0]:.1f} % of replicates\n"
        "instead of 95 %, because the labelled items are no longer like the others.\n"
    )
    OUT.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
