"""Generated tables for the verbs beside `rank` and `compare`, and what deadheat says of them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from deadheat import Estimand, Table, compare, compare_published, items, rank
from deadheat.annotating.verb import annotate
from sites import document, entry, site_of
from truth.plain import Attempt, Case
from truth.tables import board, kept, plain, ragged, real, repeated, twins


def framed(attempts: list[Attempt]) -> Table:
    """Build a table with every column that the attempts have."""
    columns = dict.fromkeys(key for x in attempts for key in x)
    return Table.from_frame({key: np.array([x.get(key) for x in attempts], dtype=object) for key in columns})


def only(attempts: list[Attempt], made: Any, *codes: str, **options: Any) -> Case:
    """A case of the claims with these codes."""
    told = msgspec.to_builtins(made)
    told["claims"] = [claim for claim in told["claims"] if claim["code"] in codes]
    return Case(attempts, options, told)


def across(rng: random.Random) -> Case:
    """Several benchmarks, some entries without one of them, some benchmarks of a few items."""
    method = rng.choice(("win-rate", "borda", "mean", "z", "weights"))
    made = board(rng, rng.randint(3, 6), rng.randint(6, 90))
    made = [x | {"category": f"bench{int(x['item'][1:]) % 3}"} for x in made]
    if rng.random() < 0.3:
        made = [x for x in made if (x["entry"], x["category"]) != (made[0]["entry"], "bench1")]
    options: dict[str, Any] = {}
    if method == "weights":
        options["benchmark_weights"] = {"bench0": 0.5, "bench1": 0.3, "bench2": 0.2}
    told = rank(framed(made), across=method, draws=200, **options)
    return only(made, told, "first-across", **options)


def priced(rng: random.Random, made: list[Attempt]) -> list[Attempt]:
    """Each entry with prices of its own."""
    price = {name: rng.uniform(0.1, 3) for name in sorted({x["entry"] for x in made})}
    return [x | {"cost": round(price[x["entry"]] * rng.gammavariate(2, 1), 4)} for x in made]


def frontier(rng: random.Random) -> Case:
    """Entries against what they cost; some costs are unknown."""
    made = priced(rng, board(rng, rng.randint(2, 7), rng.randint(5, 60)))
    if rng.random() < 0.3:
        made = [x | {"cost": None} if x["entry"] == made[0]["entry"] else x for x in made]
    return only(made, rank(framed(made), cost="cost"), "cost-frontier")


def two_costs(rng: random.Random) -> Case:
    """Two entries, what they score and what they cost."""
    made, margin = priced(rng, board(rng, 2, rng.randint(8, 60))), rng.choice((None, 0.1, 0.4))
    told = msgspec.to_builtins(compare(framed(made), "A0", "B1", cost="cost", margin=margin))
    return Case(made, {"a": "A0", "b": "B1", "margin": margin}, told)


def curve(rng: random.Random) -> Case:
    """Two entries of several samples, over k."""
    made = board(rng, 2, rng.randint(5, 40), samples=rng.randint(2, 6))
    told = compare(framed(made), "A0", "B1", curve=rng.choice(("pass@k", "pass^k")), draws=500)
    return only(made, told, "leads-over-k")


def of_items(rng: random.Random) -> Case:
    """What items do: plain, ragged, real and repeated boards, and entries that repeat each other."""
    made = rng.choice((plain, ragged, real, repeated, twins))(rng)
    first = {x["entry"] for x in made}
    if rng.random() < 0.3:  # strong and weak entries, and an item that the weak ones get right
        made = board(rng, 40, 30)
        strength = {e: sum(x["score"] for x in made if x["entry"] == e) for e in {x["entry"] for x in made}}
        middle = sorted(strength.values())[20]
        made = [
            x | {"score": float(strength[x["entry"]] < middle)} if x["item"] == "i000" else x for x in made
        ]
    elif len(first) < 3 or len({x["item"] for x in made}) < 2:
        made = board(rng, rng.randint(3, 25), rng.randint(4, 40))
        made = kept(rng, made, lambda: rng.random() < 0.9) if rng.random() < 0.5 else made
    return Case(made, {}, msgspec.to_builtins(items(framed(made))))


def judged(rng: random.Random) -> Case:
    """A judge that is wrong at some answers, and labels at some items; sometimes at the right ones only."""
    made = board(rng, rng.randint(2, 4), rng.randint(60, 120))
    chosen = {x["item"] for x in made if rng.random() < 0.12}
    picked = rng.random() < 0.4
    scored = [
        x
        | {
            "score": 1 - x["score"] if rng.random() < 0.15 else x["score"],
            "human": x["score"] if x["item"] in chosen else None,
        }
        for x in made
    ]
    if picked:
        often = {x: rng.random() for x in {x["item"] for x in made}}
        scored = [
            x | {"human": y["score"] if often[x["item"]] < (0.5 if x["score"] else 0.1) else None}
            for x, y in zip(scored, made, strict=True)
        ]
    judge = rng.choice(("corrected", "labels"))
    told = rank(framed(scored), Estimand(judge=judge))
    return only(scored, told, "judged", "labels-picked")


def against_published(rng: random.Random) -> Case:
    """One entry against a number somebody published."""
    made = board(rng, 1, rng.randint(10, 80))
    told = compare_published(framed(made), "A0", round(rng.random(), 3), items=rng.randint(20, 400))
    return only(made, told, "published-gap", published=told.comparisons[0].published)


def annotated(rng: random.Random, folder: Path) -> Case:
    """A site's board, some of whose entries publish no items."""
    lines = []
    for at in range(rng.randint(2, 7)):
        right = [int(rng.random() < 0.3 + 0.1 * at) for _ in range(40)]
        bare = rng.random() < 0.3
        lines.append(entry(f"f{at}", round(100 * sum(right) / 40, 2), None if bare else right))
    site = site_of(folder, document(*lines))
    return Case([], {}, json.loads(msgspec.json.encode(annotate(site))))
