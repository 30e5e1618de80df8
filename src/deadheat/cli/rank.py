"""`deadheat rank`: the board."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from deadheat.cli.options import (
    ABOUT,
    INFERENCE,
    OUTPUT,
    About,
    Answer,
    Inference,
    Output,
    Reading,
    UsageError,
    known,
    some,
)
from deadheat.cli.progress import busy
from deadheat.cli.vote_options import Voting, refuse, scores_or_votes

if TYPE_CHECKING:
    from deadheat.data.table import Table


def rank(
    *paths: Annotated[
        str, Parameter(help="Files or folders of results; NAME=PATH names an entry, - reads standard input")
    ],
    anchor: Annotated[
        str | None, Parameter(group=INFERENCE, help="The entry that anchors group 1; else the best")
    ] = None,
    min_share: Annotated[
        float,
        Parameter(
            group=ABOUT,
            help="List apart, without a rank, entries with less than this share of the usual number of items",
        ),
    ] = 0.5,
    by: Annotated[
        str | None,
        Parameter(group=INFERENCE, help="Item column, such as category: a board for each of its values"),
    ] = None,
    categories: Annotated[
        Path | None,
        Parameter(group=INFERENCE, help="JSON file: category -> the values of --by that make it up"),
    ] = None,
    composite: Annotated[
        Path | None,
        Parameter(group=INFERENCE, help="JSON file: category -> weight, may be nested: that mean too"),
    ] = None,
    ranks: Annotated[
        Literal["simultaneous", "marginal"],
        Parameter(group=INFERENCE, help="Rank intervals that hold all together, or each by itself"),
    ] = "simultaneous",
    top: Annotated[
        int | None,
        Parameter(group=INFERENCE, help="Name the entries that cannot be excluded from so many first places"),
    ] = None,
    chances: Annotated[
        bool,
        Parameter(
            group=INFERENCE, negative="", help="Show how often each entry takes each rank in resamples"
        ),
    ] = False,
    both_errors: Annotated[
        bool,
        Parameter(
            group=ABOUT, negative="", help="Show the error over comparable items beside that of a rerun"
        ),
    ] = False,
    variance: Annotated[
        bool,
        Parameter(
            group=ABOUT, negative="", help="Show where the variance comes from, and whether the set can rank"
        ),
    ] = False,
    denominators: Annotated[
        bool,
        Parameter(
            group=ABOUT, negative="", help="Score with failed attempts as zeros, left out, and bounded"
        ),
    ] = False,
    anytime: Annotated[
        bool,
        Parameter(group=INFERENCE, negative="", help="Valid at every look, over all pairs: e-Holm"),
    ] = False,
    winner: Annotated[
        bool,
        Parameter(
            group=INFERENCE, negative="", help="Show who may be the best, and what picking the top adds to it"
        ),
    ] = False,
    flat_keys: Annotated[
        bool,
        Parameter(group=OUTPUT, negative="", help="Add score_ci95_low and the like to JSON, for other tools"),
    ] = False,
    cost: Annotated[
        str | None,
        Parameter(group=ABOUT, help="Column of costs (dollars, tokens, seconds): who is on the frontier"),
    ] = None,
    across: Annotated[
        Literal["win-rate", "borda", "mean", "z", "weights"] | None,
        Parameter(
            group=ABOUT,
            help="One number over several benchmarks: folders that are given one by one, or the column --by "
            "(default: category); weights takes a JSON file of them as the last path",
        ),
    ] = None,
    new_benchmarks: Annotated[
        bool,
        Parameter(
            group=ABOUT,
            negative="",
            help="With --across: ranks for new benchmarks like these, not for new items",
        ),
    ] = False,
    about: About | None = None,
    inference: Inference | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
    voting: Voting | None = None,
) -> Answer:
    """Rank entries and say which of their gaps the data support.

    The board shows for each entry its score, standard error and interval, the ranks it may hold, and
    its group: the anchor and every entry that the test cannot separate from it.
    """
    about, inference = about or About(), inference or Inference()
    reading, output, voting = reading or Reading(), output or Output(), voting or Voting()
    some(paths)
    format = output.chosen()
    extras = {
        "both-errors": both_errors,
        "chances": chances,
        "variance": variance,
        "denominators": denominators,
        "flat-keys": flat_keys,
        "winner": winner,
    }
    shares = None
    if across == "weights":
        paths, last = paths[:-1], paths[-1]
        some(paths)
        shares = mapping(Path(last), dict[str, float])
    table: Table | None
    with busy(f"reading {', '.join(paths)}", quiet=output.quiet) as told:
        folders = across is not None and len(paths) > 1 and all(Path(path).is_dir() for path in paths)
        if folders:
            table = _benchmarks(paths, reading, [name for name in (about.cluster, cost) if name])
        else:
            table = scores_or_votes(lambda: reading.table(paths, told), paths, voting)
    if table is None:
        given = {
            **{name.replace("-", "_"): value for name, value in extras.items()},
            "by": by,
            "categories": categories,
            "composite": composite,
            "top": top,
            "anytime": anytime,
            "cost": cost,
            "across": across,
        }
        refuse(given, about, inference)
        return _of_votes(paths, voting, about, inference, reading, output, anchor, ranks)
    from deadheat.evidence.order import ADJUSTMENTS
    from deadheat.methods import SCORES
    from deadheat.ranking.verb import rank as verb

    known("--adjust", inference.adjust, ADJUSTMENTS)
    known("--interval", inference.interval, SCORES)

    with busy(f"ranking {len(table.entries)} entries", quiet=output.quiet):
        board = verb(
            table,
            about.estimand(),
            interval=inference.interval,
            test=inference.test,
            anytime=anytime,
            adjust=inference.adjust or "none",
            by=None if across else by,
            categories=None if categories is None else mapping(categories, dict[str, list[str]]),
            composite=None if composite is None else mapping(composite, dict[str, Any] | list[str]),
            ranks=ranks,
            top=top,
            anchor=anchor,
            cost=cost,
            across=across,
            new_benchmarks=new_benchmarks,
            benchmark=by or "category",
            benchmark_weights=shares,
            min_share=min_share,
            alpha=inference.alpha,
            level=inference.level,
            draws=inference.draws,
            seed=inference.seed,
            every_pair=format == "html",
            also=[name for name, asked in extras.items() if asked],
        )
    return Answer([board], output)


def _of_votes(
    paths: tuple[str, ...],
    voting: Voting,
    about: About,
    inference: Inference,
    reading: Reading,
    output: Output,
    anchor: str | None,
    ranks: Literal["simultaneous", "marginal"],
) -> Answer:
    """Rank entries by votes."""
    from deadheat.voting.verb import rank_votes

    with busy(f"ranking by the votes of {', '.join(paths)}", quiet=output.quiet):
        board = rank_votes(
            voting.ballots(reading, paths),
            setting=voting.setting(about),
            anchor=anchor,
            adjust=inference.adjust or "none",
            ranks_hold=ranks,
            alpha=inference.alpha,
            level=inference.level,
        )
    return Answer([board], output)


def _benchmarks(paths: Sequence[str], reading: Reading, further: Sequence[str]) -> Table:
    """Read each folder as a benchmark of its own."""
    from deadheat.data.benchmarks import merged

    names = [Path(path).resolve().name for path in paths]
    if len(set(names)) < len(names):
        raise UsageError(f"folders of benchmarks need names of their own; found {', '.join(names)}")
    tables = {name: reading.table([path]) for name, path in zip(names, paths, strict=True)}
    return merged(tables, further)


def mapping(path: Path, form: Any) -> Any:
    """Read a JSON file of one form."""
    from deadheat.errors import ReadError
    from deadheat.readers.base import decode

    try:
        return decode(path.read_bytes(), form, str(path))
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened ({error.strerror})") from error
