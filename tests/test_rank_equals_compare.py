"""The pair that `rank` shows is the pair that `compare` shows, to the last bit; or both refuse alike."""

from itertools import product

import numpy as np
import pytest

from deadheat.comparing.verb import compare
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.order import ADJUSTMENTS
from deadheat.methods import TESTS
from deadheat.ranking.verb import rank

ITEMS, SHOWN = 48, {"common", "p_adjusted", "verdict", "bounds"}
CLUSTERS = {"none": None, "nested": "nested", "spanning": "spanning"}


def table(samples: int, real: bool, entries: int = 3) -> Table:
    """Entries whose last items are ragged, with two kinds of clusters, categories and weights."""
    rng = np.random.default_rng(3)
    easy = rng.normal(0, 1, ITEMS)
    rows = [
        (entry, item, sample)
        for entry in range(entries)
        for item in range(ITEMS - 2 * entry)
        for sample in range(samples)
    ]
    entry, item, sample = np.array(rows).T
    chance = 1 / (1 + np.exp(-(easy[item] + 0.8 - 0.7 * entry)))
    score = (rng.random(len(rows)) < chance).astype(float)
    columns = {
        "entry": np.array([f"e{e}" for e in entry], dtype=object),
        "item": np.array([f"i{i:02d}" for i in item], dtype=object),
        "sample": np.array([f"s{s}" for s in sample], dtype=object),
        "score": score * rng.random(len(rows)) * 7 if real else score,
        "category": np.array([f"c{i // 16}" for i in item], dtype=object),
        "nested": np.array([f"n{i // 4}" for i in item], dtype=object),
        "spanning": np.array([f"x{i % 12}" for i in item], dtype=object),
        "weight": 1.0 + item % 3,
    }
    return Table.from_columns(columns)


TABLES = {(samples, real): table(samples, real) for samples, real in product((1, 3), (False, True))}


def outcome(verb, *arguments, **options):
    """What a verb gives, or the words of its refusal."""
    try:
        return verb(*arguments, **options)
    except MethodError as error:
        return str(error)


@pytest.mark.parametrize("generalises_to", ["items", "reruns"])
@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("weights", ["item", "category"])
@pytest.mark.parametrize("test", [None, *(name for name, test in TESTS.items() if test.fit.paired)])
def test_the_same_pair(test, weights, cluster, generalises_to):
    for (samples, _), data in TABLES.items():
        about = Estimand(weights=weights, cluster=CLUSTERS[cluster], generalises_to=generalises_to)
        options = {"test": test, "draws": 200, "seed": 5}
        board = outcome(rank, data, about, **options)
        if isinstance(board, str):
            anchor, other = "e0", "e1"
            assert outcome(compare, data, other, anchor, about, **options) == board, samples
            continue
        anchor = board.groups[0].anchor
        for score in board.entries:
            if score.vs_anchor is None:
                continue
            pair = compare(data, score.entry, anchor, about, **options).comparisons[0]
            for name in pair.__struct_fields__:
                if name not in SHOWN:
                    assert getattr(pair, name) == getattr(score.vs_anchor, name), name
            assert pair.verdict == score.vs_anchor.verdict


@pytest.mark.parametrize("adjust", [name for name in ADJUSTMENTS if name != "max-t"])
@pytest.mark.parametrize("cluster", CLUSTERS)
def test_of_two_entries_the_adjusted_pair_too(adjust, cluster):
    two = table(1, False, entries=2)
    about = Estimand(cluster=CLUSTERS[cluster])
    board = rank(two, about, adjust=adjust)
    shown = next(score.vs_anchor for score in board.entries if score.vs_anchor)
    pair = compare(two, shown.a, shown.b, about, adjust=adjust).comparisons[0]
    assert (pair.p_adjusted is None) == (shown.p_adjusted is None) == (adjust == "none")
    assert adjust == "none" or pair.p_adjusted == pytest.approx(shown.p_adjusted, rel=1e-12)
    assert pair.verdict == shown.verdict
