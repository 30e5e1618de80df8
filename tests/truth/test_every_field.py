"""A checker looks at every field of its claim: another value is caught for each, in some case."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from deadheat import planning
from deadheat.results.claims import code, leaves
from truth import verbs
from truth.plain import CHECKERS, Case
from truth.tables import KINDS, board, hundreds, ragged, ranked, recorded
from truth.test_truth import cases
from truth.test_truth_of_plans import LAYOUT, PLANS

ELSEWHERE = {  # what other tests of claims generate: studies, audits, coverage, looks, votes, labels
    *("plug-in-bias", "share-from-items", "largest-size", "least-power", "separates-pair", "largest-visible"),
    *("order-right", "inflation", "effective-items", "least-coverage", "vote-coverage", "false-stops"),
    *("judge-coverage", "label-sheet"),
    *(
        "wrong-first",
        "joins",
        "findings",
        "lowest-coverage",
        "nothing-annotated",
        "stops-early",
        "stopped-at",
    ),
    *(
        "stopped-at",
        "common-items",
        "watched",
        "not-separated-by-votes",
        "vote-preference",
        "votes-needed",
        "placed-by-votes",
    ),
    *("labels-needed", "labels-for-budget", "true-order", "true-order-items", "stops-after"),
}
VERBS = (
    verbs.across,
    verbs.frontier,
    verbs.two_costs,
    verbs.curve,
    verbs.of_items,
    verbs.judged,
    verbs.against_published,
)
HELD = {  # only one value is possible in what is generated here, or it is a matter of resampling
    ("first-across", "may"),
    ("annotated", "withheld"),
}


def altered(value: Any, names: list[str]) -> Iterator[Any]:
    """Other values of one type, each of which would be false."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, max(value - 1, 0), 2 * value + 3)
    elif isinstance(value, float):
        yield from (value + 0.07, 1.5 * value + 1e-3, value - 0.07)
    elif isinstance(value, str):
        yield from (f"{value}~", *(name for name in names if name != value))
    elif value is None:
        yield from (0.3, 7, "Zz", True)
    elif isinstance(value, list | tuple):
        yield [*value, "Zz"]
        yield list(value)[:-1]
        yield [*value, *(name for name in names if name not in value)][: len(value) + 1]
        yield [next(altered(x, names)) for x in value]


def planned() -> Iterator[Case]:
    for question, asked in PLANS:
        of = ("samples", *LAYOUT) if question != "samples" else ()
        layout = {name: asked[name] for name in of if name in asked}
        rest = {name: value for name, value in asked.items() if name not in layout}
        given = {"layout": planning.Layout(**layout)} if layout else {}
        if not asked.get("anytime") and question != "board":
            yield Case([], asked, msgspec.to_builtins(getattr(planning, question)(**rest, **given)))


def generated(folder: Path) -> Iterator[Case]:
    """Cases of every kind, round after round."""
    yield from planned()
    for seed in range(12):
        rng = random.Random(f"fields {seed}")
        for kind in VERBS:
            yield kind(rng)
        yield verbs.annotated(rng, folder)
        yield recorded(board(rng, 7, 80))
        case = ranked(ragged(random.Random(f"fitted {seed % 3}")), absent="fitted")
        case.document["claims"] = [x for x in case.document["claims"] if x["code"] == "fitted"]
        yield case
        case = ranked(board(rng, 6, 30, samples=3), also=("variance",))
        case.document["claims"] = case.document["variance"]["claims"]
        yield case
        for kind in (kind for kind in KINDS if kind is not hundreds):
            yield from cases(kind, seed)


def refuses(claim: dict[str, Any], case: Case) -> bool:
    try:
        CHECKERS[claim["code"]](claim, case)
    except Exception:
        return True
    return False


def test_every_field_is_looked_at(tmp_path):
    kinds = {code(kind): kind.__struct_fields__ for kind in leaves() if code(kind) not in ELSEWHERE}
    pending = {(kind, name) for kind, names in kinds.items() for name in names} - HELD
    for case in generated(tmp_path):
        names = [] if not case.attempts else case.entries
        for claim in case.document["claims"]:
            for field in [field for field in pending if field[0] == claim["code"]]:
                value = claim[field[1]]
                others = [other for other in altered(value, names) if other != value]
                if any(refuses({**claim, field[1]: other}, case) for other in others):
                    pending.discard(field)
        if not pending:
            return
    assert not pending, "no checker looks at these"
