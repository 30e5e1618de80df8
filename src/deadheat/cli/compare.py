"""`deadheat compare`: whether one entry beat another, on the same items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from deadheat.cli.options import (
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

if TYPE_CHECKING:
    from deadheat.estimand import Estimand
    from deadheat.results import Comparisons, Note
    from deadheat.table import Table

BASELINE = re.compile(
    r"(?i)(?<![a-z])(base(line)?|old|before|main|master|reference|ref|control|prev(ious)?)(?![a-z])"
)
WHO = Group("Who is compared", sort_key=0)
PUBLISHED = Group("Against a published number", sort_key=2)
Many = Annotated[
    list[str] | None, Parameter(group=WHO, negative="", help="A candidate by its name; may be given again")
]


def compare(
    *paths: Annotated[
        str,
        Parameter(help="Results; two paths are candidate and baseline. NAME=PATH names an entry, - is stdin"),
    ],
    against: Annotated[str | None, Parameter(group=WHO, help="The baseline, by its name")] = None,
    candidate: Many = None,
    margin: Annotated[
        float | None,
        Parameter(
            group=INFERENCE, help="Largest loss that does not matter: adds (non-)inferiority, equivalence"
        ),
    ] = None,
    best_of: Annotated[
        int | None,
        Parameter(
            group=INFERENCE, help="Runs (seeds, prompts) of which the candidate was picked as the best"
        ),
    ] = None,
    by: Annotated[
        str | None,
        Parameter(group=INFERENCE, help="Item column, such as category: compare each of its values too"),
    ] = None,
    self_check: Annotated[
        bool,
        Parameter(group=INFERENCE, negative="", help="Show that the test holds its level on this very data"),
    ] = False,
    show_flips: Annotated[
        bool,
        Parameter(group=OUTPUT, negative="", help="List the items that changed, and those only one side has"),
    ] = False,
    comment: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Also write Markdown made for a pull-request comment to this file"),
    ] = None,
    fail_on: Annotated[
        Literal["worse", "inconclusive"] | None,
        Parameter(group=OUTPUT, help="Exit with 3 if a candidate is worse, or not shown to be non-inferior"),
    ] = None,
    published: Annotated[
        float | None,
        Parameter(group=PUBLISHED, help="A published score in place of a baseline, such as 0.712"),
    ] = None,
    published_items: Annotated[
        int | None, Parameter(group=PUBLISHED, help="Items behind the published rate")
    ] = None,
    published_se: Annotated[
        float | None, Parameter(group=PUBLISHED, help="Standard error of the published score")
    ] = None,
    about: About | None = None,
    inference: Inference | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Say whether the candidate beat the baseline on the items that both have.

    The first of two paths is the candidate, the second the baseline; with --against, every other entry is a
    candidate. The difference is candidate - baseline.
    """
    about, inference = about or About(), inference or Inference()
    reading, output = reading or Reading(), output or Output()
    some(paths)
    output.chosen()
    with busy(f"reading {', '.join(paths)}", quiet=output.quiet):
        if published is None and against is None and not candidate and len(paths) == 2:
            table, first, second = two(reading, paths)
            candidate, against = [first], second
        else:
            table = reading.table(paths)
    estimand = about.estimand()
    if published is not None:
        document = _published(
            table, candidate, published, published_items, published_se, best_of, inference, estimand
        )
    else:
        from deadheat.comparing import compare as verb
        from deadheat.placing import ADJUSTMENTS

        if published_items is not None or published_se is not None:
            raise UsageError("--published-items and --published-se describe --published, which is not given")
        known("--adjust", inference.adjust, ADJUSTMENTS)
        with busy("comparing", quiet=output.quiet):
            document = verb(
                table,
                candidate or None,
                against,
                estimand,
                test=inference.test,
                interval=inference.interval,
                margin=margin,
                adjust=inference.adjust or "none",
                best_of=best_of,
                by=by,
                show_flips=show_flips,
                self_check=self_check,
                fail_on=fail_on,
                level=inference.level,
                alpha=inference.alpha,
                draws=inference.draws,
                seed=inference.seed,
            )
    note = order(document.comparisons[0].a, document.comparisons[0].b) if len(paths) == 2 else None
    if note is not None:
        import msgspec

        document = msgspec.structs.replace(document, notes=(note, *document.notes))
    failed = document.gate is not None and document.gate.failed
    files = {}
    if comment is not None:
        from deadheat.report.comment import comment as markdown

        files[comment] = markdown(document)
    return Answer([document], output, exit_code=3 if failed else 0, files=files)


def two(reading: Reading, paths: Sequence[str]) -> tuple[Table, str, str]:
    """Read a candidate and a baseline, each from a path of its own.

    Two runs of one entry are told apart by the names of their files or folders.
    """
    from deadheat.cli.options import unpiped
    from deadheat.errors import DuplicateAttempt

    paths = list(unpiped(paths))
    first, second = (_only(reading.table([path]).entries, path) for path in paths)
    if first != second:
        return reading.table(paths), first, second
    labels = apart(paths)
    if labels is None:
        raise DuplicateAttempt(
            f"{paths[0]} and {paths[1]} both hold the entry {first!r}; name them apart: new=PATH old=PATH"
        )
    named = [f"{label}={path}" for label, path in zip(labels, paths, strict=True)]
    return reading.table(named), *labels


def order(first: str, second: str) -> Note | None:
    """Doubt that the first of two is the candidate, where its name says baseline and the other's does not."""
    from deadheat.results import Note

    if not BASELINE.search(first) or BASELINE.search(second):
        return None
    text = (
        f"the first path is the candidate and the second the baseline, so {first} was taken as the "
        "candidate: swap "
        f"them, or say --against {first}, if it is the baseline"
    )
    return Note(code="order", text=text)


def _only(entries: Sequence[str], path: str) -> str:
    if len(entries) != 1:
        raise UsageError(
            f"{path} holds {len(entries)} entries ({', '.join(entries[:5])}): name the baseline with "
            "--against"
        )
    return entries[0]


def apart(paths: Sequence[str]) -> tuple[str, str] | None:
    """Find the last parts in which two paths differ: ``new`` and ``old`` for new/run.json and "
    "old/run.json."""
    if any("=" in path for path in paths):
        return None
    one, other = (Path(path) for path in paths)
    stems = [(one.stem, other.stem), *zip(reversed(one.parts[:-1]), reversed(other.parts[:-1]), strict=False)]
    return next((pair for pair in stems if pair[0] != pair[1]), None)


def _published(
    table: Table,
    candidate: list[str] | None,
    value: float,
    items: int | None,
    se: float | None,
    best_of: int | None,
    inference: Inference,
    estimand: Estimand,
) -> Comparisons:
    from deadheat.comparing import compare_published

    names = candidate or list(table.entries)
    if len(names) != 1:
        raise UsageError(
            f"--published is held against one entry; found {len(names)} ({', '.join(names[:5])}): name it "
            "with "
            "--candidate"
        )
    return compare_published(
        table,
        names[0],
        value,
        estimand,
        items=items,
        se=se,
        best_of=best_of,
        level=inference.level,
        alpha=inference.alpha,
    )
