"""Several judges as tables: each of them, each pair, and the entries by all of them."""

from __future__ import annotations

from collections.abc import Iterator

from deadheat.report import numbers
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import Scale, coefficient
from deadheat.report.rows_judge import ends, told
from deadheat.results.raters import Raters


def grids(found: Raters) -> Iterator[Grid]:
    """Give the tables of several judges."""
    how = Scale.of([line.score for line in found.raters])
    unit = f" {how.unit}".rstrip()
    yield told(
        Grid(
            (
                Column("rater", "Judge", right=False),
                Column("ratings", "Ratings"),
                Column("score", f"Score{unit}", tip="Its mean."),
                Column("with_others", "With most others", tip="Its verdicts that most others share."),
                Column("sensitivity", "Sensitivity", priority=2, tip="Inferred by Dawid and Skene's model."),
                Column("specificity", "Specificity", priority=2, tip="Inferred by Dawid and Skene's model."),
                Column("first", "Puts first", right=False, priority=1),
            ),
            tuple(
                (
                    clean(line.rater),
                    numbers.count(line.ratings),
                    how.value(line.score),
                    numbers.share(line.with_others),
                    numbers.share(line.sensitivity),
                    numbers.share(line.specificity),
                    ", ".join(map(clean, line.first)) or numbers.DASH,
                )
                for line in found.raters
            ),
            "Several judges",
        )
    )
    level = next((pair.kappa_interval.level for pair in found.pairs if pair.kappa_interval is not None), 0.95)
    yield told(
        Grid(
            (
                Column("a", "Judge", right=False),
                Column("b", "and judge", right=False),
                Column("ratings", "Ratings", priority=1),
                Column("agreement", "Agree"),
                Column("kappa", "κ"),
                Column("kappa_interval", f"κ {numbers.level(level)} CI", priority=1),
                Column("ac1", "AC1", priority=2),
                Column("alpha", "α", priority=3),
            ),
            tuple(
                (
                    clean(pair.a),
                    clean(pair.b),
                    numbers.count(pair.ratings),
                    numbers.share(pair.agreement) if pair.ratings else numbers.DASH,
                    coefficient(pair.kappa),
                    ends(pair.kappa_interval),
                    coefficient(pair.ac1),
                    coefficient(pair.alpha),
                )
                for pair in found.pairs
            ),
            "Each pair of judges",
        )
    )
    yield told(
        Grid(
            (
                Column("entry", "Entry", right=False),
                Column("score", f"Mean{unit}", tip="Of all judges."),
                Column("majority", f"By majority{unit}", tip="Answers that most judges accept."),
                Column("dawid_skene", f"Dawid–Skene{unit}", tip="If judges err independently."),
            ),
            tuple(
                (
                    clean(line.entry),
                    how.value(line.score),
                    how.value(line.majority),
                    how.value(line.dawid_skene),
                )
                for line in found.entries
            ),
            "Entries by all judges",
        )
    )
