"""`deadheat coverage`: exact coverage of an interval method."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Group, Parameter

from deadheat.cli.options import Answer, Output, asked, known

COVERAGE = Group("Coverage", sort_key=1)


def coverage(
    method: Annotated[
        str,
        Parameter(help="wilson, wald, clopper-pearson, jeffreys, agresti-coull, mid-p, bayes or bootstrap"),
    ],
    *,
    items: Annotated[int, Parameter(group=COVERAGE, help="Items behind the rate")],
    level: Annotated[float, Parameter(group=COVERAGE, help="Level that the interval claims")] = 0.95,
    rate: Annotated[
        list[float] | None,
        Parameter(group=COVERAGE, negative="", help="True rates of the curve; else 0.001, 0.002, ..., 0.999"),
    ] = None,
    step: Annotated[
        float, Parameter(group=COVERAGE, help="The minimum is over the rates STEP, 2 STEP, ..., 1 - STEP")
    ] = 0.02,
    output: Output | None = None,
) -> Answer:
    """Say what the level of an interval for a rate is worth, exactly.

    Coverage is summed over every possible score, at any true rate. Shown are the minimum on a stated grid,
    the true infimum (coverage only jumps at interval ends), the average over rates, and the expected width.
    `bootstrap` is the limit of the percentile bootstrap as its draws grow.
    """
    output = output or Output()
    output.chosen()
    from deadheat.covering.verb import coverage as verb
    from deadheat.stats.score.exact_coverage import COVERAGE_METHODS

    known("METHOD", method, COVERAGE_METHODS)
    with asked():
        return Answer([verb(method, items, level=level, rates=rate, step=step)], output)
