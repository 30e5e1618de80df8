"""Every claim of every generated board holds against a checker that starts from the attempts."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from deadheat import compare_votes, plan_votes, rank_votes, read_votes
from deadheat.errors import DataError
from deadheat.report import render
from deadheat.voting.evidence_of_votes import Setting
from truth.checkers import CHECKERS, check
from truth.plain import Case
from truth.tables import (
    KINDS,
    Kind,
    board,
    clustered,
    compared,
    hundreds,
    one_cluster,
    plain,
    ragged,
    ranked,
    recorded,
    repeated,
    watched,
)
from truth.votes import VoteCase, votes_of

BOARDS = 125 if os.environ.get("CI") else 30  # of each kind: in CI 2,200 tables with the other tests here


def cases(kind: Kind, seed: int) -> list[Case]:
    rng = random.Random(f"{kind.__name__} {seed}")
    attempts = kind(rng)
    bare, adjust = Case(attempts, {}), rng.choice(("none", "none", "holm", "hochberg", "bh"))
    kept = Case(attempts, {}, {"methods": {"min_share": 0.5}}).entries
    if len(kept) > 1 and not any(bare.shared(*pair) for pair in combinations(kept, 2)):
        with pytest.raises(DataError, match="share"):
            ranked(attempts, adjust=adjust)
        return []
    about: dict[str, Any] = {"cluster": "cluster"} if kind in (clustered, one_cluster) else {}
    if kind is repeated and rng.random() < 0.4:
        about["generalises_to"] = "reruns"
    anchor = rng.choice(kept) if rng.random() < 0.3 else None
    found = [ranked(attempts, adjust=adjust, anchor=anchor, **about)]
    able = [pair for pair in combinations(bare.entries, 2) if bare.shared(*pair)]
    if able:
        a, b = rng.choice(able)
        margin = rng.choice((None, 0.05, 0.2))
        fail_on = rng.choice((None, "worse", "inconclusive" if margin else "worse"))
        found.append(compared(attempts, a, b, margin=margin, fail_on=fail_on, **about))
        others = sorted(name for name in bare.entries if name != b)
        if 1 < len(others) < 20 and any(bare.shared(name, b) for name in others):
            found.append(compared(attempts, others, b, adjust=adjust, **about))
    return found


@pytest.mark.parametrize("kind", [plain, ragged, repeated], ids=lambda kind: kind.__name__)
def test_claims_of_looking_early_hold(kind):
    told: Counter[str] = Counter()
    for seed in range(6):
        rng = random.Random(f"early {kind.__name__} {seed}")
        attempts = kind(rng)
        times = {item: rng.random() for item in sorted({x["item"] for x in attempts})}
        timed = [{**attempt, "time": times[attempt["item"]]} for attempt in attempts]
        bare = Case(attempts, {})
        able = [pair for pair in combinations(bare.entries, 2) if bare.shared(*pair)]
        if not able:
            continue
        a, b = rng.choice(able)
        margin = rng.choice((None, 0.1, 0.3))
        told.update(check(compared(attempts, a, b, margin=margin, anytime=True)))
        case = compared(timed, a, b, anytime=True, order="time")
        told.update(check(Case(timed, {}, {**case.document, "claims": case.document["claims"][1:]})))
        for stop, width in (("separated", None), ("margin", 0.4), ("equivalent", 0.6)):
            told.update(check(watched(attempts, a, b, stop=stop, margin=width)))
        told.update(check(ranked(attempts, anytime=True)))
    assert told["watched"] > 3
    assert told["possible-best"] > 1
    assert told["stops-early"] == told["stopped-at"] > 1


def test_claims_of_records_hold():
    stand = 0
    for seed in range(25):
        rng = random.Random(f"records {seed}")
        case = recorded(board(rng, 7, 80))
        assert check(case) == ["records-stand"]
        stand += case.document["standing"]
    assert stand > 5


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_claims_hold(kind, part):
    told: Counter[str] = Counter()
    for seed in range(part, 4 if kind is hundreds else BOARDS, 2):
        for case in cases(kind, seed):
            told.update(check(case))
            assert case.document["summary"]
    assert told


def test_claims_of_fitted_boards_hold():
    """What they claim beyond the tests, which are of pseudo-values that a plain program does not have."""
    told: Counter[str] = Counter()
    for seed in range(BOARDS):
        attempts = ragged(random.Random(f"fitted {seed}"))
        kept = Case(attempts, {}, {"methods": {"min_share": 0.5}})
        if not any(kept.shared(*pair) for pair in combinations(kept.entries, 2)):
            continue
        case = ranked(attempts, absent="fitted")
        for claim in case.document["claims"]:
            if claim["code"] in ("fitted", "listed-apart"):
                CHECKERS[claim["code"]](claim, case)
                told[claim["code"]] += 1
    assert told["fitted"]


@pytest.mark.parametrize("seed", range(25))
def test_claims_of_votes_hold(seed, tmp_path):
    case = VoteCase(votes_of(random.Random(f"votes {seed}")))
    words = {1.0: "a", 0.5: "tie", 0.0: "b"}
    lines = [f"{a},{b},{words[result]},{voter},{prompt}" for a, b, result, voter, prompt in case.votes]
    (tmp_path / "v.csv").write_text("\n".join(["a,b,winner,voter,prompt", *lines]) + "\n")
    ballots, half = read_votes(tmp_path / "v.csv"), Setting(ties="half")
    for document in (rank_votes(ballots, setting=half), compare_votes(ballots, setting=half)):
        case.document = json.loads(render(document, "json"))
        for claim in case.document["claims"]:
            CHECKERS[claim["code"]](claim, case)


@pytest.mark.parametrize("seed", range(8))
def test_who_has_no_strength_is_said_first(seed, tmp_path):
    """Champions, losers and strangers beside an arena: the claims after the first are about the others."""
    rng = random.Random(f"apart {seed}")
    votes = votes_of(rng)
    some = sorted({vote[0] for vote in votes})
    for name, result in (("champion", 1.0), ("loser", 0.0)):
        votes += [(name, rng.choice(some), result, "v0", "q0")] * rng.choice((0, 4))
    votes += [("strange", "stranger", float(n % 2), "v1", "q1") for n in range(rng.choice((0, 6)))]
    words = {1.0: "a", 0.5: "tie", 0.0: "b"}
    lines = [f"{a},{b},{words[result]}" for a, b, result, *_ in votes]
    (tmp_path / "v.csv").write_text("\n".join(["a,b,winner", *lines]) + "\n")
    told = json.loads(
        render(rank_votes(read_votes(tmp_path / "v.csv"), setting=Setting(ties="half")), "json")
    )
    entries = sorted({name for vote in votes for name in vote[:2]})
    first = told["claims"][0]
    assert (first["code"] == "placed-by-votes") == bool(told["apart"])
    if told["apart"]:
        CHECKERS["placed-by-votes"](first, SimpleNamespace(votes=votes, entries=entries))
        assert told["summary"].startswith("What follows is about ")
        assert ("champion won every vote" in told["summary"]) == ("champion" in entries)


@pytest.mark.parametrize("elo", [20.0, -50.0, 150.0])
def test_claims_of_a_plan_of_votes_hold(elo):
    for claim in json.loads(render(plan_votes(elo), "json"))["claims"]:
        CHECKERS[claim["code"]](claim, None)
