"""Bootstrap intervals of a whole board beside `scipy.stats.bootstrap`, as called and in batches."""

import numpy as np
from scipy import stats

from benchmarks.harness import timed
from deadheat.stats.intervals import Data, score_interval

PEERS = {
    "scipy.stats.bootstrap, percentile, batch=100": {"method": "percentile", "batch": 100},
    "scipy.stats.bootstrap, BCa, batch=100": {"method": "BCa", "batch": 100},
    "scipy.stats.bootstrap, BCa, as called (7 GB)": {"method": "BCa"},
}


def workload(entries: int, items: int, draws: int, peer: str, repeats: int) -> dict:
    rng = np.random.default_rng(0)
    values = (rng.random((entries, items)) < rng.beta(2, 1, items)).astype(np.float32)
    data, options = Data(values, np.ones(values.shape, dtype=bool)), PEERS[peer]
    name = options["method"].lower()
    ours, found = timed(lambda: score_interval(name, data, draws=draws, rng=np.random.default_rng(1)))
    theirs, expected = timed(
        lambda: (
            stats.bootstrap(
                (values.astype(float),),
                np.mean,
                axis=-1,
                n_resamples=draws,
                rng=np.random.default_rng(2),
                **options,
            ).confidence_interval
        ),
        repeats,
    )
    # other draws, so ends agree to their own noise: a tenth of an interval's width at most
    width = np.nanmedian(expected.high - expected.low)
    near = all(np.nanmax(np.abs(a - b)) < width / 10 for a, b in zip(found, expected, strict=True))
    return {
        "workload": f"{entries} entries x {items} items, {draws} draws",
        "ours_s": ours,
        "peer": peer,
        "peer_s": theirs,
        "ratio": theirs / ours,
        "equal": bool(near),
    }


def run(quick: bool) -> list[dict]:
    first, second, third = PEERS
    if quick:
        return [workload(20, 200, 1000, first, 1)]
    return [
        workload(180, 500, 10_000, first, 3),
        workload(180, 500, 10_000, second, 3),
        workload(180, 500, 10_000, third, 1),
    ]
