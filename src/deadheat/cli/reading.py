"""How files are read: the options that all verbs share which read results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Group, Parameter

from deadheat.cli.sizes import size
from deadheat.cli.stdin import NAME, spooled, unpiped
from deadheat.cli.usage import UsageError

if TYPE_CHECKING:
    from deadheat.cli.progress import Told
    from deadheat.data.batch import Batch
    from deadheat.data.table import Table
    from deadheat.readers.base import Options

Made = TypeVar("Made")
READING = Group("Reading", sort_key=3)


@Parameter(name="*")
@dataclass(frozen=True)
class Reading:
    """How files are read."""

    read: Annotated[
        str | None,
        Parameter(group=READING, help="Read every file as this format (`deadheat formats` lists them)"),
    ] = None
    board: Annotated[str | None, Parameter(group=READING, help="Which board, of a file of several")] = None
    by_position: Annotated[
        bool, Parameter(group=READING, negative="", help="Match rows without item ids by their position")
    ] = False
    latest: Annotated[
        bool, Parameter(group=READING, negative="", help="Of several runs of one entry, take the latest")
    ] = False
    join_labels: Annotated[
        bool,
        Parameter(
            group=READING,
            negative="",
            help="Take labels that differ in case, blanks or the form of a number only for one",
        ),
    ] = False
    choose: Annotated[
        list[str],
        Parameter(
            group=READING,
            negative="",
            help="Answer a question that a format asks, as scorer=NAME, metric=NAME or filter=NAME",
        ),
    ] = field(default_factory=list)
    columns: Annotated[
        list[str],
        Parameter(
            group=READING,
            negative="",
            consume_multiple=True,
            help="Name the columns of tables: item=NAME, score=NAME, sample=NAME, entry=NAME, status=NAME, …",
        ),
    ] = field(default_factory=list)
    labels: Annotated[
        str | None,
        Parameter(
            group=READING,
            help="File of people's labels of a judge's scores: entry, item, and the label as score",
        ),
    ] = None
    memory: Annotated[
        str,
        Parameter(
            group=READING,
            help="Memory for reading; a document that needs more is refused, tables use the disk",
        ),
    ] = "2GB"

    def table(self, paths: Sequence[str], told: Told | None = None) -> Table:
        """Read the paths into one table; `told` hears how many files are done, of how many."""
        from deadheat.data.table import Table

        table = self.read_with(Table.from_batches, paths, told)
        if self.labels is None:
            return table
        from deadheat.data.people import with_labels
        from deadheat.readers import read

        return with_labels(table, read(self.labels))

    def read_with(self, make: Callable[..., Made], paths: Sequence[str], told: Told | None = None) -> Made:
        """Read the paths and hand what was read to a function, as `readers.read_with` does."""
        from deadheat.readers import read_with

        return read_with(
            lambda batches, *rest: make([_unspooled(batch) for batch in batches], *rest),
            unpiped(paths),
            format=self.read,
            options=self.options(),
            told=told,
        )

    def options(self) -> Options:
        """What the user said about reading."""
        from deadheat.readers.base import Options

        return Options(
            board=self.board,
            by_position=self.by_position,
            latest=self.latest,
            join_labels=self.join_labels,
            choices=_pairs("--choose", "NAME=VALUE, for example scorer=match", self.choose),
            columns=_pairs("--columns", "PART=NAME, for example item=index", self.columns),
            memory=size(self.memory),
        )


def _pairs(option: str, form: str, given: Sequence[str]) -> dict[str, str]:
    """Part ``NAME=VALUE`` at its first equals sign."""
    parted = [each.partition("=") for each in given]
    for name, equals, value in parted:
        if not (name and equals and value):
            raise UsageError(f"{option} takes {form}; found {name!r}")
    return {name: value for name, _, value in parted}


def _unspooled(batch: Batch) -> Batch:
    """Name standard input for what it is where a file of it was read."""
    from dataclasses import replace

    import msgspec

    if not spooled.cache_info().currsize or batch.file.path != str(spooled()):
        return batch
    return replace(batch, file=msgspec.structs.replace(batch.file, path=NAME))
