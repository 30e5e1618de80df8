"""Options that several verbs share, each group one dataclass; nothing heavy is imported here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from deadheat.cli.reading import READING as READING
from deadheat.cli.reading import Reading as Reading
from deadheat.cli.usage import UsageError as UsageError
from deadheat.errors import MethodError

if TYPE_CHECKING:
    from collections.abc import Collection

    from deadheat.estimand import Estimand
    from deadheat.results import Document

OUTPUT = Group("Output", sort_key=4)
ABOUT = Group("What the numbers are about", sort_key=1)
INFERENCE = Group("Methods", sort_key=2)


SUFFIXES = {
    ".txt": "table",
    ".md": "md",
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".html": "html",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
}
FIGURES = ("svg", "png", "pdf")


@Parameter(name="*")
@dataclass(frozen=True)
class Output:
    """Where the answer goes, and in which form."""

    format: Annotated[
        str | None,
        Parameter(
            group=OUTPUT,
            help="table, md, csv, json, latex, html, methods, svg, png or pdf "
            "(default: table, or the suffix of -o)",
        ),
    ] = None
    json: Annotated[bool, Parameter(group=OUTPUT, negative="", help="Short for --format json")] = False
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="Write to this file, whole or not at all"),
    ] = None
    title: Annotated[
        str | None,
        Parameter(group=OUTPUT, help="Title of a page or figure (default: name of the file or folder)"),
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
        if self.format in FIGURES and self.output is None:
            raise UsageError(f"a figure is not text: name a file for it, as in -o board.{self.format}")
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
        Literal["shared", "zero", "refuse", "fitted"],
        Parameter(
            group=ABOUT,
            help="How to treat items without an attempt: shared compares on the items both have, fitted "
            "estimates scores on all items by a model",
        ),
    ] = "shared"
    drop_short: Annotated[
        bool,
        Parameter(group=ABOUT, negative="", help="Leave out, and count, items with fewer than k samples"),
    ] = False
    lower_is_better: Annotated[
        bool | None,
        Parameter(
            group=ABOUT,
            negative="--higher-is-better",
            help="Which scores are better (default: as the files or the metric's name say, otherwise higher)",
        ),
    ] = None

    judge: Annotated[
        Literal["corrected", "raw", "labels"] | None,
        Parameter(
            group=ABOUT,
            help="Scores of a judge that people labelled in part: corrected by the labels, raw, or the "
            "labels alone (default: corrected where every entry has labels)",
        ),
    ] = None

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
            lower_is_better=self.lower_is_better,
            judge=self.judge,
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
    text : str, iterable of str, or None
        What is written instead of the report, a text or its pieces; nothing if empty.
    files : mapping of Path to str
        Files that are written besides.
    remarks : sequence of str
        Lines for standard error.
    """

    documents: Sequence[Document]
    output: Output
    exit_code: int = 0
    text: str | Iterable[str] | None = None
    files: Mapping[Path, str] = field(default_factory=dict)
    remarks: Sequence[str] = ()
