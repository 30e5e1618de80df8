"""Coverage and size of scores of a judge corrected by labels: `python studies/judge.py` writes judge.md.

More cells of `deadheat simulate judge`: entries whose truths correlate over items are judged with stated
sensitivity and specificity; labels are drawn at random, or picked by outcome.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from deadheat.simulating.judge_study import Cell, judge_kernel

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


def cell(labels, items, rate, judges, replicates, seed=0, picked=False):
    """Coverage and size, corrected and raw, and the error beside that of the labels alone."""
    drawn = Cell(labels, items, rate, judges, picked)
    made = judge_kernel(drawn, 0.05, 0.95, replicates=replicates, rng=np.random.default_rng(seed))
    mean = made.mean(axis=0)
    return mean[0], mean[6], mean[1], mean[7], mean[2] / mean[5]


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
