"""Options that several verbs share, each group one dataclass; nothing heavy is imported here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from cyclopts import Group, Parameter

from deadheat.cli.sizes import size
from deadheat.cli.stdin import NAME, PIPE, spooled
from deadheat.cli.usage import UsageError as UsageError
from deadheat.errors import MethodError

if TYPE_CHECKING:
    from collections.abc import Collection

    from deadheat.cli.progress import Told
    from deadheat.data.batch import Batch
    from deadheat.data.table import Table
    from deadheat.estimand import Estimand
    from deadheat.results import Document

Made = TypeVar("Made")
OUTPUT = Group("Output", sort_key=4)
READING = Group("Reading", sort_key=3)
ABOUT = Group("What the numbers are about", sort_key=1)
INFERENCE = Group("Methods", sort_key=2)


SUFFIXES = {
    ".txt": "table",
    ".md": "md",
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".html": "html",
}


@Parameter(name="*")
@dataclass(frozen=True)
class Output:
    """Where the answer goes, and in which form."""

    format: Annotated[
        str | None,
        Parameter(group=OUTPUT, help="table, md, csv, json, latex or html; else from the suffix of -o"),
    ] = None
    json: Annotated[bool, Parameter(group=OUTPUT, negative="", help="Short for --format json")] = False
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="Write to this file, whole or not at all"),
    ] = None
    quiet: Annotated[
        bool,
        Parameter(name=["--quiet", "-q"], group=OUTPUT, negative="", help="No progress on standard error"),
    ] = False

    def chosen(self) -> str:
        """The format that was asked for, by name or by suffix.

        Raises
        ------
        UsageError
            Two formats at once, or a suffix that stands for none.
        """
        if self.json and self.format not in (None, "json"):
            raise UsageError(f"--json and --format {self.format} ask for two formats; give one")
        if self.json:
            return "json"
        if self.format is not None:
            return self.format
        if self.output is None:
            return "table"
        if self.output.suffix.lower() not in SUFFIXES:
            raise UsageError(
                f"{self.output.name}: the suffix stands for no format; use --format, or {', '.join(SUFFIXES)}"
            )
        return SUFFIXES[self.output.suffix.lower()]


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
    choose: Annotated[
        list[str],
        Parameter(
            group=READING,
            negative="",
            help="Answer a question that a format asks, as scorer=NAME, metric=NAME or filter=NAME",
        ),
    ] = field(default_factory=list)
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

        return self.read_with(Table.from_batches, paths, told)

    def read_with(self, make: Callable[..., Made], paths: Sequence[str], told: Told | None = None) -> Made:
        """Read the paths and hand what was read to a function, as `readers.read_with` does."""
        from deadheat.readers import Options, read_with

        parted = [choice.partition("=") for choice in self.choose]
        for name, equals, value in parted:
            if not (name and equals and value):
                raise UsageError(f"--choose takes NAME=VALUE, for example scorer=match; found {name!r}")
        options = Options(
            board=self.board,
            by_position=self.by_position,
            latest=self.latest,
            choices={name: value for name, _, value in parted},
            memory=size(self.memory),
        )
        return read_with(
            lambda batches, *rest: make([_unspooled(batch) for batch in batches], *rest),
            unpiped(paths),
            format=self.read,
            options=options,
            told=told,
        )


def _unspooled(batch: Batch) -> Batch:
    """Name standard input for what it is where a file of it was read."""
    from dataclasses import replace

    import msgspec

    if not spooled.cache_info().currsize or batch.file.path != str(spooled()):
        return batch
    return replace(batch, file=msgspec.structs.replace(batch.file, path=NAME))


def unpiped(paths: Sequence[str]) -> list[str]:
    """Put a file with what standard input holds where it was asked for."""
    return [str(spooled()) if path == PIPE else path for path in paths]


@Parameter(name="*")
@dataclass(frozen=True)
class About:
    """What the numbers are about."""

    metric: Annotated[
        Literal["mean", "pass@k", "pass^k", "maj@k", "self-consistency", "g-pass@k"],
        Parameter(group=ABOUT, help="What is made of the samples of one item"),
    ] = "mean"
    k: Annotated[int | None, Parameter(group=ABOUT, help="Samples that pass@k and its like speak of")] = None
    tau: Annotated[
        float | None, Parameter(group=ABOUT, help="Share of the k samples that g-pass@k wants right")
    ] = None
    generalises_to: Annotated[
        Literal["items", "reruns"],
        Parameter(group=ABOUT, help="Comparable items drawn anew, or these very items attempted again"),
    ] = "items"
    cluster: Annotated[
        str | None,
        Parameter(group=ABOUT, help="Column of items that share difficulty; none treats them as independent"),
    ] = None
    weights: Annotated[
        Literal["item", "category"],
        Parameter(group=ABOUT, help="What counts alike: every item, or every category"),
    ] = "item"
    failed: Annotated[
        Literal["zero", "drop", "refuse"],
        Parameter(group=ABOUT, help="What an attempt that ran and broke is"),
    ] = "zero"
    absent: Annotated[
        Literal["shared", "zero", "refuse"],
        Parameter(
            group=ABOUT, help="What an item without an attempt is; shared compares on the items both have"
        ),
    ] = "shared"
    drop_short: Annotated[
        bool,
        Parameter(group=ABOUT, negative="", help="Leave out, and count, items with fewer than k samples"),
    ] = False

    def estimand(self) -> Estimand:
        """The same as an Estimand."""
        from deadheat.estimand import Estimand

        cluster = None if self.cluster in (None, "none") else self.cluster
        return Estimand(
            metric=self.metric,
            k=self.k,
            tau=self.tau,
            generalises_to=self.generalises_to,
            cluster=cluster,
            weights=self.weights,
            failed=self.failed,
            absent=self.absent,
            drop_short=self.drop_short,
        )


@Parameter(name="*")
@dataclass(frozen=True)
class Inference:
    """Methods and levels."""

    interval: Annotated[
        str | None,
        Parameter(
            group=INFERENCE,
            help="Interval of a score, or of a difference; the default depends on the data and is named",
        ),
    ] = None
    test: Annotated[
        str | None,
        Parameter(group=INFERENCE, help="Test of a pair; the default depends on the data and is named"),
    ] = None
    adjust: Annotated[
        str | None,
        Parameter(group=INFERENCE, help="Adjustment for many comparisons: none, holm, hochberg, bh or max-t"),
    ] = None
    level: Annotated[float, Parameter(group=INFERENCE, help="Level of intervals")] = 0.95
    alpha: Annotated[float, Parameter(group=INFERENCE, help="A pair is separated when p < alpha")] = 0.05
    seed: Annotated[int, Parameter(group=INFERENCE, help="Seed of methods that use luck")] = 0
    draws: Annotated[int, Parameter(group=INFERENCE, help="Draws of methods that use luck")] = 10_000


def known(option: str, name: str | None, choices: Collection[str]) -> None:
    """Refuse a name that an option does not know."""
    if name is not None and name not in choices:
        raise UsageError(f"{option} {name}: no such name; there are {', '.join(choices)}")


def some(paths: Sequence[str]) -> None:
    """Refuse a verb without a path."""
    if not paths:
        raise UsageError("no path given: name files or folders of results, or - for standard input")


@contextmanager
def asked(alone: bool = True) -> Iterator[None]:
    """Take the refusal of a method for a wrong command where no data (`alone`) had a part in it."""
    try:
        yield
    except MethodError as error:
        if not alone:
            raise
        raise UsageError(str(error)) from error


@dataclass(frozen=True)
class Answer:
    """What a verb hands to `main`.

    Parameters
    ----------
    documents : sequence of Document
        The report.
    output : Output
        Where it goes.
    exit_code : int
        3 if a verdict that the user asked about came true, else 0.
    text : str or None
        What is written instead of the report; nothing if empty.
    files : mapping of Path to str
        Files that are written besides.
    remarks : sequence of str
        Lines for standard error.
    """

    documents: Sequence[Document]
    output: Output
    exit_code: int = 0
    text: str | None = None
    files: Mapping[Path, str] = field(default_factory=dict)
    remarks: Sequence[str] = ()
