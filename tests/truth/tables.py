"""Generated boards of every kind, and what deadheat says of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from deadheat import Table, compare, rank, records
from deadheat.data.cells import Cells
from deadheat.estimand import Estimand
from deadheat.watching.verb import watch
from truth.plain import Attempt, Case

Kind = Callable[[random.Random], list[Attempt]]


def plain(rng: random.Random) -> list[Attempt]:
    """One 0/1 attempt per item and entry."""
    return board(rng, rng.randint(2, 7), rng.randint(1, 60))


def ragged(rng: random.Random) -> list[Attempt]:
    """Entries with items of their own choice, so that some pairs share few or none."""
    share = rng.choice((0.05, 0.3, 0.6, 0.9))
    return kept(rng, board(rng, rng.randint(2, 6), rng.randint(4, 60)), lambda: rng.random() < share)


def disjoint(rng: random.Random) -> list[Attempt]:
    """Two halves of the entries on two halves of the items."""
    made = board(rng, rng.randint(2, 6), rng.randint(4, 40))
    return [x for x in made if (int(x["item"][1:]) % 2) == (ord(x["entry"][0]) % 2)] or made


def repeated(rng: random.Random) -> list[Attempt]:
    """Several samples per item."""
    return board(rng, rng.randint(2, 5), rng.randint(2, 30), samples=rng.randint(2, 5))


def real(rng: random.Random) -> list[Attempt]:
    """Real-valued scores."""
    made = board(rng, rng.randint(2, 5), rng.randint(2, 40))
    return [x | {"score": round(x["score"] * 3 + rng.gauss(0, 2), rng.choice((0, 3)))} for x in made]


def all_right(rng: random.Random) -> list[Attempt]:
    """Everything right."""
    return [x | {"score": 1.0} for x in plain(rng)]


def all_wrong(rng: random.Random) -> list[Attempt]:
    """Everything wrong."""
    return [x | {"score": 0.0} for x in plain(rng)]


def alone(rng: random.Random) -> list[Attempt]:
    """One entry."""
    return board(rng, 1, rng.randint(1, 60), samples=rng.choice((1, 1, 3)))


def aborted(rng: random.Random) -> list[Attempt]:
    """One or two entries that stopped early."""
    made = board(rng, rng.randint(2, 6), rng.randint(10, 60))
    last = [f"{chr(65 + e)}{e}" for e in range(rng.choice((1, 2)))]
    return [x for x in made if x["entry"] not in last or int(x["item"][1:]) < 3]


def clustered(rng: random.Random) -> list[Attempt]:
    """Items in clusters of unequal size, some entries without some of them."""
    made = in_clusters(rng, board(rng, rng.randint(2, 5), rng.randint(4, 40)), rng.randint(2, 9))
    return kept(rng, made, lambda: rng.random() < 0.9) if rng.random() < 0.5 else made


def one_cluster(rng: random.Random) -> list[Attempt]:
    """All items in one cluster."""
    return in_clusters(rng, plain(rng), 1)


def failed(rng: random.Random) -> list[Attempt]:
    """Attempts of which some ran and broke: they count as zeros."""
    made = board(rng, rng.randint(2, 5), rng.randint(2, 40), samples=rng.choice((1, 1, 3)))
    return [x | {"score": 0.0, "status": "failed"} if rng.random() < 0.15 else x for x in made]


def twins(rng: random.Random) -> list[Attempt]:
    """Entries that repeat each other, so that scores and differences are equal."""
    made = board(rng, 2, rng.randint(1, 40))
    first = made[0]["entry"]
    return made + [
        x | {"entry": f"Z{n}"} for n in range(rng.randint(1, 3)) for x in made if x["entry"] == first
    ]


def hundreds(rng: random.Random) -> list[Attempt]:
    """Hundreds of entries."""
    return board(rng, rng.randint(100, 140), rng.randint(8, 25))


def in_clusters(rng: random.Random, made: list[Attempt], number: int) -> list[Attempt]:
    """Give every item a cluster."""
    of = {item: f"c{rng.randrange(number)}" for item in sorted({x["item"] for x in made})}
    return [x | {"cluster": of[x["item"]]} for x in made]


KINDS: tuple[Kind, ...] = (
    plain,
    ragged,
    disjoint,
    repeated,
    real,
    all_right,
    all_wrong,
    alone,
    aborted,
    clustered,
    one_cluster,
    failed,
    twins,
    hundreds,
)


def board(rng: random.Random, entries: int, items: int, samples: int = 1) -> list[Attempt]:
    """Entries of some skill on items of some difficulty."""
    skill = [rng.choice((0.05, 0.3, 0.5, 0.7, 0.95)) for _ in range(entries)]
    ease = [rng.gauss(0, 0.25) for _ in range(items)]
    return [
        {
            "entry": f"{chr(65 + e % 26)}{e}",
            "item": f"i{i:03d}",
            "sample": s,
            "score": float(rng.random() < skill[e] + ease[i]),
        }
        for e in range(entries)
        for i in range(items)
        for s in range(samples)
    ]


def kept(rng: random.Random, made: list[Attempt], keep: Callable[[], bool]) -> list[Attempt]:
    """Keep some attempts, and one of every entry at least."""
    found = [x for x in made if keep()]
    there = {x["entry"] for x in found}
    first = {x["entry"]: x for x in reversed(made) if x["entry"] not in there}
    return [*found, *first.values()]


def table(attempts: list[Attempt]) -> Table:
    """Build the table that reading these attempts gives."""
    entries, items = (tuple(sorted({x[key] for x in attempts})) for key in ("entry", "item"))
    cells: dict[tuple[int, int], list[float]] = {}
    broken: dict[tuple[int, int], int] = {}
    of_entry, of_item = ({name: at for at, name in enumerate(names)} for names in (entries, items))
    for x in attempts:
        at = of_entry[x["entry"]], of_item[x["item"]]
        cells.setdefault(at, [])
        if x.get("status") == "failed":
            broken[at] = broken.get(at, 0) + 1
        else:
            cells[at].append(x["score"])
    order = sorted(cells)
    zeros = np.zeros(len(order), dtype=np.int32)
    made = Cells(
        entry=np.array([e for e, _ in order], dtype=np.int32),
        item=np.array([i for _, i in order], dtype=np.int32),
        scored=np.array([len(cells[at]) for at in order], dtype=np.int32),
        failed=np.array([broken.get(at, 0) for at in order], dtype=np.int32),
        absent=zeros,
        total=np.array([sum(cells[at]) for at in order]),
        squares=np.array([sum(x * x for x in cells[at]) for at in order]),
    )
    times = {x["item"]: x["time"] for x in attempts if "time" in x}
    columns = {"time": np.array([times[item] for item in items])} if times else {}
    clusters = {x["item"]: x["cluster"] for x in attempts if "cluster" in x}
    if clusters:
        columns["cluster"] = np.array([clusters[item] for item in items], dtype=object)
    scores = {x["score"] for x in attempts}
    rates = all(0 <= score <= 1 for score in scores)
    return Table(entries, items, made, binary=scores <= {0.0, 1.0}, rates=rates, attributes=columns)


def about(options: dict[str, Any]) -> tuple[Estimand, dict[str, Any]]:
    """Part what the question is from how it is answered."""
    asked = {name: options[name] for name in ("cluster", "absent", "generalises_to") if name in options}
    return Estimand(**asked), {name: value for name, value in options.items() if name not in asked}


def ranked(attempts: list[Attempt], **options: Any) -> Case:
    """Rank a board."""
    estimand, rest = about(options)
    return Case(attempts, options, msgspec.to_builtins(rank(table(attempts), estimand, **rest)))


def recorded(attempts: list[Attempt]) -> Case:
    """Date the entries of a board, some on one day, and follow its record."""
    days = {e: f"202601{10 + at // 2 * 3} {e}" for at, e in enumerate(sorted({x["entry"] for x in attempts}))}
    dated = [{**x, "entry": days[x["entry"]]} for x in attempts]
    return Case(dated, {}, msgspec.to_builtins(records(table(dated))))


def watched(attempts: list[Attempt], a: str, b: str, **options: Any) -> Case:
    """Watch two entries of a board, a look after each item, in the order of the attempts."""
    case = Case(attempts, {})
    shared = case.shared(a, b)
    order = [item for item in dict.fromkeys(x["item"] for x in attempts) if item in shared]
    batches = [([item], [case.cells[a][item]], [case.cells[b][item]]) for item in order]
    return Case(attempts, options, msgspec.to_builtins(watch(batches, a, b, **options)))


def compared(attempts: list[Attempt], a: str | list[str], b: str, **options: Any) -> Case:
    """Compare entries of a board."""
    estimand, rest = about(options)
    document = compare(table(attempts), a, b, estimand, **rest)
    return Case(attempts, options | {"a": a, "b": b}, msgspec.to_builtins(document))
