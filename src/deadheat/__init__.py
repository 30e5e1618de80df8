"""Which gaps on a leaderboard are real? Exact, reproducible statistics from per-item results."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deadheat import planning as plan
    from deadheat.comparing.published import compare_published
    from deadheat.comparing.verb import compare
    from deadheat.covering.verb import coverage
    from deadheat.data.reducing import reduce
    from deadheat.data.table import Table
    from deadheat.errors import (
        DataError,
        DeadheatError,
        DuplicateAttempt,
        MalformedFile,
        MethodError,
        MissingExtra,
        MissingScore,
        NothingShared,
        ReadError,
        UnknownFormat,
    )
    from deadheat.estimand import Estimand
    from deadheat.evidence.rates import wilson
    from deadheat.itemising.verb import items
    from deadheat.ranking.verb import rank
    from deadheat.readers import read
    from deadheat.readers.vote_files import read_votes
    from deadheat.recording.verb import records
    from deadheat.results import Board, Comparison, Interval, Note, Score
    from deadheat.simulating.study_design import Design
    from deadheat.simulating.verb import simulate
    from deadheat.simulating.worlds import World
    from deadheat.stats.numerics.kernels import compile_kernels
    from deadheat.version import VERSION as __version__  # noqa: N811 - the usual name
    from deadheat.voting.verb import rank_votes
    from deadheat.voting.versus import compare_votes
    from deadheat.voting.vote_plan import plan_votes
    from deadheat.watching.monitor import Monitor
    from deadheat.watching.verb import watch

# Where each public name lives; a module is imported when one of its names is asked for.
_HOMES = {
    "Board": "deadheat.results",
    "Comparison": "deadheat.results",
    "DataError": "deadheat.errors",
    "DeadheatError": "deadheat.errors",
    "Design": "deadheat.simulating.study_design",
    "DuplicateAttempt": "deadheat.errors",
    "Estimand": "deadheat.estimand",
    "Interval": "deadheat.results",
    "MalformedFile": "deadheat.errors",
    "MethodError": "deadheat.errors",
    "MissingExtra": "deadheat.errors",
    "MissingScore": "deadheat.errors",
    "Monitor": "deadheat.watching.monitor",
    "Note": "deadheat.results",
    "NothingShared": "deadheat.errors",
    "ReadError": "deadheat.errors",
    "Score": "deadheat.results",
    "Table": "deadheat.data.table",
    "UnknownFormat": "deadheat.errors",
    "World": "deadheat.simulating.worlds",
    "compare": "deadheat.comparing.verb",
    "compare_published": "deadheat.comparing.published",
    "compare_votes": "deadheat.voting.versus",
    "compile_kernels": "deadheat.stats.numerics.kernels",
    "coverage": "deadheat.covering.verb",
    "items": "deadheat.itemising.verb",
    "plan": "deadheat.planning",
    "rank": "deadheat.ranking.verb",
    "plan_votes": "deadheat.voting.vote_plan",
    "rank_votes": "deadheat.voting.verb",
    "read": "deadheat.readers",
    "read_votes": "deadheat.readers.vote_files",
    "records": "deadheat.recording.verb",
    "reduce": "deadheat.data.reducing",
    "simulate": "deadheat.simulating.verb",
    "watch": "deadheat.watching.verb",
    "wilson": "deadheat.evidence.rates",
}

__all__ = [
    "Board",
    "Comparison",
    "DataError",
    "DeadheatError",
    "Design",
    "DuplicateAttempt",
    "Estimand",
    "Interval",
    "MalformedFile",
    "MethodError",
    "MissingExtra",
    "MissingScore",
    "Monitor",
    "Note",
    "NothingShared",
    "ReadError",
    "Score",
    "Table",
    "UnknownFormat",
    "World",
    "__version__",
    "compare",
    "compare_published",
    "compare_votes",
    "compile_kernels",
    "coverage",
    "items",
    "plan",
    "plan_votes",
    "rank",
    "rank_votes",
    "read",
    "read_votes",
    "records",
    "reduce",
    "simulate",
    "watch",
    "wilson",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from deadheat.version import VERSION

        return VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'deadheat' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    # Results know nothing of how they are shown; whoever takes them from here gets the ways along.
    import_module("deadheat.report.notebook").attach()
    return home if name == "plan" else getattr(home, name)


def __dir__() -> list[str]:
    return __all__
