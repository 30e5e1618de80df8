"""Options of boards of votes, and the way from files of votes to an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Group, Parameter

from deadheat.cli.options import About, Answer, Inference, Output, known
from deadheat.cli.reading import Reading
from deadheat.cli.stdin import unpiped
from deadheat.cli.usage import UsageError
from deadheat.errors import DataError, ReadError, listed

if TYPE_CHECKING:
    from deadheat.data.ballots import Ballots
    from deadheat.voting.evidence_of_votes import Setting

VOTING = Group("Votes", sort_key=2)
OF_VOTES = ("cluster", "adjust", "level", "alpha", "seed", "draws")
TIES = ("half", "davidson", "rao-kupper")
Table = TypeVar("Table")


@Parameter(name="*")
@dataclass(frozen=True)
class Voting:
    """How votes between two entries are made into strengths; scores have no use for these."""

    ties: Annotated[
        str, Parameter(group=VOTING, help="Model of a tie: half (of a win each), davidson or rao-kupper")
    ] = "davidson"
    position: Annotated[
        bool, Parameter(group=VOTING, negative="", help="Estimate what being named first adds to a vote")
    ] = False
    covariate: Annotated[
        list[str],
        Parameter(
            group=VOTING,
            negative="",
            help="Numeric column whose influence on the vote is estimated, such as a difference of lengths",
        ),
    ] = field(default_factory=list)
    penalty: Annotated[
        float, Parameter(group=VOTING, help="Ridge penalty on strengths; makes undefeated entries finite")
    ] = 0.0

    def setting(self, about: About) -> Setting:
        """The same as a Setting; clusters are voters and prompts where --cluster names neither."""
        from deadheat.voting.evidence_of_votes import Setting

        known("--ties", self.ties, TIES)
        return Setting(
            ties=self.ties,
            cluster=about.cluster or "auto",
            position=self.position,
            penalty=self.penalty,
        )

    def ballots(self, reading: Reading, paths: Sequence[str]) -> Ballots:
        """Read files of votes."""
        from deadheat.readers.vote_files import read_votes

        return read_votes(unpiped(paths), covariates=self.covariate, options=reading.options())


def scores_or_votes(read: Callable[[], Table], paths: Sequence[str], voting: Voting) -> Table | None:
    """Read a table of scores; None where the files hold votes instead.

    Parameters
    ----------
    read : callable
        Reads the scores.
    paths : sequence of str
    voting : Voting
        Options that only votes have a use for.
    """
    from deadheat.readers.vote_files import any_votes

    asked = voting != Voting()
    try:
        table = read()
    except (ReadError, DataError):
        if any_votes(unpiped(paths)):
            return None
        raise
    if asked:
        raise UsageError(
            "--ties, --position, --covariate and --penalty are for votes; these files hold scores"
        )
    return table


def holds_votes(paths: Sequence[str]) -> bool:
    """Whether the first of some files holds votes."""
    from deadheat.readers.vote_files import any_votes

    return any_votes(unpiped(paths), first=True)


def of_votes(
    paths: Sequence[str],
    voting: Voting,
    about: About,
    inference: Inference,
    reading: Reading,
    output: Output,
    candidates: Sequence[str] | None,
    against: str | None,
) -> Answer:
    """Compare entries by votes."""
    from deadheat.voting.versus import compare_votes

    document = compare_votes(
        voting.ballots(reading, paths),
        candidates or None,
        against,
        setting=voting.setting(about),
        adjust=inference.adjust or "none",
        alpha=inference.alpha,
        level=inference.level,
    )
    return Answer([document], output)


def refuse(given: Mapping[str, object], about: About, inference: Inference) -> None:
    """Refuse what is asked of scores where the files hold votes: nothing is left undone in silence.

    Parameters
    ----------
    given : mapping of str to object
        Options of the verb alone, with their values.
    about, inference
        Of which votes take clusters, adjustment, level and alpha.
    """
    asked = [name for name, value in given.items() if value not in (None, False)]
    for options in (about, inference):
        asked += [
            one.name
            for one in fields(options)
            if one.name not in OF_VOTES and getattr(options, one.name) != one.default
        ]
    if asked:
        names = listed([f"--{name.replace('_', '-')}" for name in asked])
        raise UsageError(f"{names}: for scores alone; these files hold votes, so leave it out")
