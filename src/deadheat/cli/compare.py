"""`deadheat compare`: whether one entry beat another, on the same items."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from deadheat.cli.early import Early
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
from deadheat.cli.two_paths import order, two
from deadheat.cli.vote_options import Voting, holds_votes, of_votes, refuse

if TYPE_CHECKING:
    from deadheat.data.table import Table
    from deadheat.estimand import Estimand
    from deadheat.results import Comparisons

WHO = Group("Who is compared", sort_key=0)
PUBLISHED = Group("Against a published number", sort_key=2)
Many = Annotated[
    list[str] | None, Parameter(group=WHO, negative="", help="A candidate by its name; may be given again")
]


@Parameter(name="*")
@dataclass(frozen=True)
class Published:
    """A published number in place of a baseline."""

    published: Annotated[
        float | None,
        Parameter(group=PUBLISHED, help="A published score in place of a baseline, such as 0.712"),
    ] = None
    published_items: Annotated[
        int | None, Parameter(group=PUBLISHED, help="Items behind the published rate")
    ] = None
    published_se: Annotated[
        float | None, Parameter(group=PUBLISHED, help="Standard error of the published score")
    ] = None
    published_samples: Annotated[
        int | None,
        Parameter(group=PUBLISHED, help="Samples an item behind the published pass@k or its like"),
    ] = None

    def __post_init__(self) -> None:
        if self.published is None and {self.published_items, self.published_se, self.published_samples} != {
            None
        }:
            raise UsageError(
                "--published-items, --published-se and --published-samples describe --published, which is "
                "not given"
            )


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
    cost: Annotated[str | None, Parameter(group=ABOUT, help="Column of costs: who is cheaper")] = None,
    curve: Annotated[
        Literal["pass@k", "pass^k"] | None,
        Parameter(group=ABOUT, help="Curves over k, with a band for all k"),
    ] = None,
    published: Published | None = None,
    early: Early | None = None,
    about: About | None = None,
    inference: Inference | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
    voting: Voting | None = None,
) -> Answer:
    """Say whether the candidate beat the baseline on the items that both have.

    The first of two paths is the candidate, the second the baseline; with --against, every other entry is a
    candidate. The difference is candidate - baseline.
    """
    about, inference, number = about or About(), inference or Inference(), published or Published()
    reading, output, looks = reading or Reading(), output or Output(), early or Early()
    voting = voting or Voting()
    some(paths)
    output.chosen()
    with busy(f"reading {', '.join(paths)}", quiet=output.quiet) as told:
        if voting != Voting() or (len(paths) == 1 and holds_votes(paths)):
            own: dict[str, object] = {
                "margin": margin,
                "best_of": best_of,
                "by": by,
                "self_check": self_check,
                "cost": cost,
            }
            own |= {"show_flips": show_flips, "comment": comment, "fail_on": fail_on, "curve": curve}
            refuse({**own, "published": number.published, "anytime": looks.anytime}, about, inference)
            return of_votes(paths, voting, about, inference, reading, output, candidate, against)
        if number.published is None and against is None and not candidate and len(paths) == 2:
            table, first, second = two(reading, paths, told)
            candidate, against = [first], second
        else:
            table = reading.table(paths, told)
    estimand = about.estimand()
    if number.published is not None:
        names = ["against", "margin", "by", "self-check", "show-flips", "fail-on", "anytime"]
        names += ["test", "interval", "adjust", "cost"]
        values = (against, margin, by, self_check, show_flips, fail_on, looks.anytime)
        asked = (*values, inference.test, inference.interval, inference.adjust, cost)
        given = [f"--{name}" for name, value in zip(names, asked, strict=True) if value]
        if given:
            raise UsageError(
                f"{', '.join(given)} {'needs' if len(given) == 1 else 'need'} a baseline with per-item "
                "results; --published is one number"
            )
        document = _published(table, candidate, number.published, number, best_of, inference, estimand)
    else:
        from deadheat.comparing.verb import compare as verb
        from deadheat.evidence.order import ADJUSTMENTS

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
                cost=cost,
                curve=curve,
                anytime=looks.anytime,
                order=looks.order,
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


def _published(
    table: Table,
    candidate: list[str] | None,
    value: float,
    number: Published,
    best_of: int | None,
    inference: Inference,
    estimand: Estimand,
) -> Comparisons:
    from deadheat.comparing.published import compare_published

    names = candidate or list(table.entries)
    if len(names) != 1:
        found = f"{len(names)} ({', '.join(names[:5])})"
        raise UsageError(f"--published takes one entry; found {found}: use --candidate")
    return compare_published(
        table,
        names[0],
        value,
        estimand,
        items=number.published_items,
        se=number.published_se,
        samples=number.published_samples,
        best_of=best_of,
        level=inference.level,
        alpha=inference.alpha,
    )
