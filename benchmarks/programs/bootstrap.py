"""Seconds of arch's and inspect_ai's bootstraps of every entry in a file of scores: FILE PEER DRAWS."""

import json
import sys
import time

import numpy as np


def arch(values, draws):
    """Percentile intervals of every entry, one object an entry, as arch has it."""
    from arch.bootstrap import IIDBootstrap

    ends = []
    for row in values:
        found = IIDBootstrap(row, seed=1).conf_int(lambda x: x.mean(), draws, method="percentile")
        ends.append(found[:, 0].tolist())
    return ends


def inspect_ai(values, draws):
    """Standard errors of every entry: the metric inspect_ai ships."""
    from inspect_ai.scorer import SampleScore, Score, bootstrap_stderr

    metric = bootstrap_stderr(draws)
    np.random.seed(1)
    return [metric([SampleScore(score=Score(value=float(x))) for x in row]) for row in values]


if __name__ == "__main__":
    values = np.load(sys.argv[1])
    peer, draws = {"arch": arch, "inspect_ai": inspect_ai}[sys.argv[2]], int(sys.argv[3])
    peer(values[:1], 10)  # imports are not what is timed
    start = time.perf_counter()
    found = peer(values, draws)
    print(json.dumps([time.perf_counter() - start, found]))
