"""Boards: means over missing tasks, ranks, groups, multiplicity, invariance."""

import numpy as np

from deadheat.data.panel import panel
from deadheat.errors import DeadheatError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.report import render
from deadheat.stats.multiple import adjustment, groups, ranks
from deadheat.stats.score import clustered

from .support import known, table_of_runs


def board(asked):
    table = table_of_runs(asked["scores"])
    seen = panel(table, Estimand())
    common = seen.present.all(axis=0)
    own = clustered.mean(seen.values, seen.present)
    shared = clustered.mean(seen.values[:, common], seen.present[:, common])

    def by_name(values):
        return {name: known(value) for name, value in zip(seen.entries, values, strict=True)}

    complete = seen.present.all(axis=1)
    return {
        "complete_mean": by_name(np.where(complete, own, np.nan)),
        "common_tasks": [item for item, here in zip(seen.items, common, strict=True) if here],
        "common_mean": by_name(shared),
        "skipna_mean": by_name(own),
        "flag": None if complete.all() else "some entries lack items: their mean over all is withheld",
    }


def rank_op(asked):
    names = list(asked["scores"])
    places = ranks.competition_place([asked["scores"][name] for name in names])
    return {"rank": dict(zip(names, places.tolist(), strict=True))}


def board_of(scores):
    return rank(
        table_of_runs({name: {f"i{i}": s for i, s in enumerate(row)} for name, row in scores.items()})
    )


def board_order(asked):
    sign = 1 if asked.get("higher_is_better", True) else -1  # of a cost, the smaller is the better
    found = board_of({name: [sign * score for score in row] for name, row in asked["scores"].items()})
    names = [entry.entry for entry in found.entries]
    return {"first": names[0], "last": names[-1], "reference_for_effect_size": found.groups[0].anchor}


def top_pairs(asked):
    scores = {name: np.mean(row) for name, row in asked["scores"].items()}
    names = list(scores)
    places = ranks.competition_place([scores[name] for name in names])
    top, shared = [], None
    for place in sorted(set(places.tolist()))[: asked["k"]]:
        here = sorted(name for name, at in zip(names, places, strict=True) if at == place)
        top.append(here[0] if len(here) == 1 else here)
        if len(here) > 1:
            shared = f"{'first' if place == 1 else 'second' if place == 2 else f'{place}th'} place is shared"
    return {"top": top, "note": shared}


def groups_op(asked):
    names, alpha = asked["order"], asked["alpha"]
    p = np.full((len(names),) * 2, np.nan)
    for pair, value in asked["p"].items():
        i, j = (names.index(name) for name in pair.split(","))
        p[i, j] = p[j, i] = np.nan if value is None else value
    order = list(range(len(names)))
    found = groups.letters(p, order, alpha)
    number = groups.anchor_groups(p, order, alpha)
    lines = groups.tie_lines(p, order, alpha)
    members = [sorted(names[i] for i in clique) for clique in found.cliques]
    over = [range(first, last + 1) for first, last in lines]
    clean = all(p[i, j] >= alpha for run in over for i in run for j in run if i != j)
    return {
        "cliques": sorted(members),
        "letters": {
            name: "".join(chr(97 + at) for at, clique in enumerate(found.cliques) if i in clique)
            for i, name in enumerate(names)
        },
        "anchor_groups": [
            [name for name, g in zip(names, number, strict=True) if g == k]
            for k in range(1, number.max() + 1)
        ],
        "no_bar_over_nonmember": clean,
    }


def adjust(asked):
    p = np.array([np.nan if v is None else v for v in asked["p"]], dtype=float)
    found = adjustment.ADJUSTMENTS[asked["method"]](p)
    missing = int(np.isnan(p).sum())
    return {
        "p_adj": [known(v) for v in found],
        "m": len(p) - missing,
        "flag": f"{missing} missing comparisons stay out of the count" if missing else None,
    }


def best_of_k(asked):
    found = adjustment.best_of(asked["p_min"], asked["k"])._asdict()
    return {name: float(found[name]) for name in asked["method"]}


def invariance(asked):
    scores = asked["scores"]
    names = list(scores)
    other = {f"x{len(names) - i}": scores[name] for i, name in reversed(list(enumerate(names)))}
    renamed = dict(zip(names, list(other)[::-1], strict=True))
    first, second = board_of(scores), board_of(other)

    def numbers(board_, back):
        return {
            back.get(e.entry, e.entry): (e.value, e.se, e.interval, e.place, e.rank, e.group)
            for e in board_.entries
        }

    same = numbers(first, {}) == numbers(second, {new: old for old, new in renamed.items()})
    rows = {e.entry: e for e in first.entries}
    pair = next((e.vs_anchor for e in first.entries if e.vs_anchor), None)
    strict = "NaN" not in render(first, "json")
    return {
        "all_numbers_identical": same and strict,
        "identical_intervals": len({(r.interval.low, r.interval.high) for r in rows.values()}) == 1,
        "paired_p": pair.p if pair else None,
    }


def guarded(op):
    """Bad input gives a reason, as the package gives it."""

    def run(asked):
        try:
            return op(asked)
        except DeadheatError as error:
            return {"error": str(error)}

    return run


OPS = {
    "board": guarded(board),
    "rank": guarded(rank_op),
    "board_order": guarded(board_order),
    "top_pairs": guarded(top_pairs),
    "groups": guarded(groups_op),
    "adjust": guarded(adjust),
    "best_of_k": guarded(best_of_k),
    "invariance": guarded(invariance),
}
