"""Bootstrap of a whole board, scores and ranks, beside scipy, arch, inspect_ai and a sacrebleu-style loop.

Ours gives the draws of all scores, the chances of every rank and, in the columns that say so, an interval for
each entry; `with numba` has its loops compiled beforehand, all other columns are of plain numpy. The peers
give the intervals (inspect_ai: standard errors) alone. Where a peer would take minutes it is timed on some of
the entries or draws, and its time is taken to grow in proportion; the row says so.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import by_turns, measured, peers, process, timed

DRAWS = 10_000
CLUSTERS = 500
IN_A_ROW = 5
SIZES = [(e, m) for m in (500, 2294, 14_042) for e in (40, 180, 1000)]
AS_CALLED = (180, 500)  # the only size at which scipy's default, all draws at once, fits a machine (7 GB)


def board(entries: int, items: int) -> np.ndarray:
    rng = np.random.default_rng(entries + items)
    return (rng.random((entries, items)) < rng.beta(2, 1, items)).astype(np.float32)


def ours(values: np.ndarray, cluster: np.ndarray | None = None) -> Any:
    """Intervals of all scores, and the chances of all ranks."""
    from deadheat.stats.score.bootstrap import percentile_interval

    scores, chances = scores_and_ranks(values, cluster)
    return percentile_interval(scores), chances


def scores_and_ranks(values: np.ndarray, cluster: np.ndarray | None = None, draws: int = DRAWS) -> Any:
    """Draws of all scores, and the chances of all ranks in them."""
    from deadheat.stats.drawing.resample import layers, orders
    from deadheat.stats.multiple.rank_draws import rank_probabilities

    parts = layers(values, np.ones(values.shape, dtype=bool), cluster)
    scores = np.empty((len(values), draws))

    def blocks() -> Iterator[np.ndarray]:
        start = 0
        for block in orders(parts, draws, rng=np.random.default_rng(1)):
            whole = block.dtype.kind == "i"  # totals of all items
            np.divide(block.T, values.shape[1] if whole else 1, out=scores[:, start : start + len(block)])
            start += len(block)
            yield block

    chances = rank_probabilities(blocks())
    return scores.T, chances


def scores_only(values: np.ndarray, cluster: np.ndarray | None = None) -> np.ndarray:
    from deadheat.stats.drawing.resample import bootstrap_scores

    present = np.ones(values.shape, dtype=bool)
    return bootstrap_scores(values, present, cluster, draws=DRAWS, rng=np.random.default_rng(1))


def bound(values: np.ndarray, units: int, draws: int) -> None:
    """What no bootstrap of this kind can do without: the weights, and one product with them."""
    from deadheat.stats.drawing.multinomial import resampling_weights

    totals = np.ascontiguousarray(values[:, :units])
    for counts in resampling_weights(units, draws, rng=np.random.default_rng(1), dtype=np.float32):
        totals @ counts.T


def of_scipy(values: np.ndarray, **options: Any) -> Any:
    """All entries in one call."""
    from scipy import stats

    return stats.bootstrap(
        (values.astype(np.float64),), np.mean, axis=-1, n_resamples=DRAWS, rng=2, **options
    ).confidence_interval


def of_scipy_by_entry(values: np.ndarray) -> Any:
    """A call for each entry with nothing but the number of resamples changed: BCa, all draws at once."""
    return np.array([of_scipy(row) for row in values]).T


def of_sacrebleu(values: np.ndarray, draws: int) -> Any:
    """A loop over resamples that takes the rows of every entry's statistics and sums them."""
    rng = np.random.default_rng(2)
    scores = np.empty((draws, len(values)))
    for draw in range(draws):
        at = rng.integers(0, values.shape[1], values.shape[1])
        for entry, row in enumerate(values):
            scores[draw, entry] = row[at].sum() / len(at)
    return np.quantile(scores, (0.025, 0.975), axis=0)


def measure(entries: int, items: int, clustered: int) -> dict[str, Any]:
    """One size: our steps, and the lower bound."""
    values = board(entries, items)
    cluster = np.arange(items) * CLUSTERS // items if clustered else None
    calls = {
        "both": lambda: scores_and_ranks(values, cluster),
        "scores": lambda: scores_only(values, cluster),
        "bound": lambda: bound(values, CLUSTERS if clustered else items, DRAWS),
    }
    made = by_turns(calls, 9 if entries * items < 10**6 else 5)
    both, scores, bare = (made[name][0] for name in calls)
    return {
        "workload": f"{entries} x {items}, {f'{CLUSTERS} clusters' if clustered else 'items'}",
        "scores + ranks_s": both,
        "scores_s": scores,
        "bound_s": bare,
        "bound / (scores + ranks)": bare / both,
        "bound / scores": bare / scores,
    }


def beside(entries: int, items: int) -> list[dict[str, Any]]:
    """One size beside scipy, as it comes and with batches that suit its memory."""
    import deadheat

    assert deadheat.compile_kernels()
    values = board(entries, items)
    some = max(1, min(entries, 20_000 // items))
    peers = {
        "a call an entry": lambda: of_scipy_by_entry(values[:some]),
        "percentile, batch=100": lambda: of_scipy(values[:some], method="percentile", batch=100),
    }
    mine = {
        "both": lambda: _in_a_row(scores_and_ranks, values, numba=False),
        "compiled": lambda: _in_a_row(scores_and_ranks, values, numba=True),
        "all": lambda: _in_a_row(ours, values, numba=False),
    }
    made = by_turns(mine | peers, 5)
    ends = made["all"][1][0]
    both, compiled, alls = (made[name][0] / IN_A_ROW for name in mine)
    assert all(np.array_equal(a, b) for a, b in zip(made["both"][1], made["compiled"][1], strict=True))
    rows = []
    for kind in peers:
        taken = made[kind][0] * entries / some
        rows.append(
            _beside(f"{entries} x {items}, items", both, alls)
            | {
                "peer": f"scipy, {kind}{_told(some, entries, 'entries')}",
                "peer_s": taken,
                "ratio": taken / both,
                "ratio with intervals": taken / alls,
                "with numba_s": compiled,
                "ratio with numba": taken / compiled,
                "equal": _near(ends, made[kind][1], some) if "percentile" in kind else None,
            }
        )
    return rows


def _in_a_row(call: Callable[[np.ndarray], Any], values: np.ndarray, numba: bool) -> Any:
    """Call several times, as a peer calls itself once an entry, with compiled loops or without."""
    from deadheat.stats.multiple import rank_draws
    from deadheat.stats.numerics import popcount

    popcount.PAYS = rank_draws.PAYS = 0 if numba else np.inf
    for _ in range(IN_A_ROW - 1):
        call(values)
    return call(values)


def _beside(workload: str, seconds: float, with_intervals: float) -> dict[str, Any]:
    return {"workload": workload, "scores + ranks_s": seconds, "with intervals_s": with_intervals}


def _told(some: int, of: int, what: str) -> str:
    return "" if some == of else f" ({some} of {of:,} {what} timed, extrapolated)"


def _near(found: Any, ends: Any, some: int) -> bool:
    """Other draws, so ends agree to their own noise: a tenth of an interval's width at most."""
    width = float(np.nanmedian(np.asarray(ends[1]) - ends[0]))
    gaps = [np.nanmax(np.abs(a[:some] - b)) for a, b in zip(found, ends, strict=True)]
    return bool(max(gaps) < width / 10)


def named(entries: int, items: int) -> list[dict[str, Any]]:
    """The other peers and scipy's own defaults, at one size."""
    values = board(entries, items)
    seconds, _ = timed(lambda: scores_and_ranks(values), 5)
    both, (found, _) = timed(lambda: ours(values), 5)
    rows = []

    def row(peer: str, taken: float, share: float, ends: Any, some: int, told: str) -> None:
        rows.append(
            _beside(f"{entries} x {items}, items", seconds, both)
            | {
                "peer": peer + told,
                "peer_s": taken / share,
                "ratio": taken / share / seconds,
                "ratio with intervals": taken / share / both,
                "equal": None if ends is None else _near(found, ends, some),
            }
        )

    for name, options in (
        ("scipy, one call, BCa, batch=100", {"method": "BCa", "batch": 100}),
        ("scipy, one call, percentile, all draws at once", {"method": "percentile"}),
        ("scipy, one call, BCa, all draws at once", {"method": "BCa"}),
    ):
        some = min(entries, 180 if "batch" not in options else 60)
        taken, ends = timed(lambda o=options, n=some: of_scipy(values[:n], **o), 1)
        near = ends if options["method"] == "percentile" else None
        row(name, taken, some / entries, near, some, _told(some, entries, "entries"))
    draws = 500
    taken, ends = timed(lambda: of_sacrebleu(values, draws), 1)
    row("sacrebleu-style loop", taken, draws / DRAWS, None, entries, _told(draws, DRAWS, "draws"))
    some = min(entries, 6)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "values.npy"
        np.save(file, values[:some])
        for peer in ("arch", "inspect_ai"):
            program = Path(__file__).parent / "programs" / "bootstrap.py"
            done = process([str(peers() / "python"), str(program), str(file), peer, str(DRAWS)])
            taken, ends = json.loads(done.output.splitlines()[-1])
            ends = np.array(ends).T if peer == "arch" else None
            what = peer if peer == "arch" else "inspect_ai's bootstrap_stderr"
            row(what, taken, some / entries, ends, some, _told(some, entries, "entries"))
    return rows


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure, each size in a process of its own."""
    rows = [] if quick else measured("bootstrap", "named", *AS_CALLED)[0]
    for entries, items in SIZES[:1] if quick else SIZES:
        for clustered in (0, 1) if quick or items > CLUSTERS else (0,):
            steps, peak = measured("bootstrap", "measure", entries, items, clustered)
            rows.append(steps | {"peak_mb": peak})
        rows += measured("bootstrap", "beside", entries, items)[0]
    return rows


def targets(rows: list[dict[str, Any]]) -> list[tuple[str, str, float, bool]]:
    by = {row["workload"]: row for row in rows if "bound_s" in row}
    small, large = "180 x 500, items", "1000 x 2294, items"
    lines = []
    for workload, least in ((small, 100), (large, 1000)):
        for kind in ("a call an entry", "percentile, batch=100"):
            (found,) = (
                row
                for row in rows
                if row["workload"] == workload and row.get("peer", "").startswith(f"scipy, {kind}")
            )
            for how, column in (("", "ratio"), (", with [numba]", "ratio with numba")):
                what = f"W2 {workload}, scores + ranks{how} v scipy, {kind}"
                met = found[column] >= least and found["equal"] in (True, None)
                lines.append((what, f">= {least} x", found[column], met))
    for workload in (small, large):
        for what in ("scores + ranks", "scores"):
            share = by[workload][f"bound / ({what})" if "+" in what else f"bound / {what}"]
            least = ">= 50 % of weights + product"
            lines.append((f"W2 {workload}, {what}", least, 100 * share, share >= 0.5))
    return lines


if __name__ == "__main__":
    kind, *sizes = sys.argv[1:]
    print(json.dumps({"measure": measure, "beside": beside, "named": named}[kind](*map(int, sizes))))
