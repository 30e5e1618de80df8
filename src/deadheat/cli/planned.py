"""Options of `deadheat plan`: the comparison that is planned, its items, and real results to plan from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from deadheat.cli.options import About, Reading, UsageError
from deadheat.cli.progress import busy

if TYPE_CHECKING:
    from deadheat.data.table import Table
    from deadheat.planning import Layout, Observed, ObservedLabels, ObservedScore

TRUTH = Group("The comparison", sort_key=0)
AIM = Group("The aim", sort_key=1)
ITEMS = Group("Items and samples", sort_key=2)
FROM = Group("From real results", sort_key=3)
MANY = {"consume_multiple": True, "negative": ""}

Power = Annotated[float, Parameter(group=AIM, help="Power wanted")]
Alpha = Annotated[float, Parameter(group=AIM, help="Size of the test")]


@Parameter(name="*")
@dataclass(frozen=True)
class Variation:
    """What is known of how scores vary."""

    discordance: Annotated[
        float | None,
        Parameter(group=TRUTH, help="Share of shared items that exactly one entry gets right"),
    ] = None
    correlation: Annotated[
        float | None, Parameter(group=TRUTH, help="Correlation of the two entries' scores at one item")
    ] = None
    sd: Annotated[
        float | None, Parameter(group=TRUTH, help="Standard deviation of a score that is not 0/1")
    ] = None
    sd_difference: Annotated[
        float | None, Parameter(group=TRUTH, help="Standard deviation of the difference at a shared item")
    ] = None


@Parameter(name="*")
@dataclass(frozen=True)
class Truth:
    """The two entries as they are supposed to be."""

    rates: Annotated[
        list[float] | None,
        Parameter(group=TRUTH, help="True rates of the two entries, as 0.65 0.60", **MANY),
    ] = None
    difference: Annotated[
        float | None, Parameter(group=TRUTH, help="True difference, where the rates are not known")
    ] = None


@Parameter(name="*")
@dataclass(frozen=True)
class Aim:
    """What is to be shown."""

    claim: Annotated[
        Literal["difference", "non-inferiority", "equivalence"],
        Parameter(group=AIM, help="What is to be shown; the last two within --margin"),
    ] = "difference"
    margin: Annotated[float | None, Parameter(group=AIM, help="Largest difference that does not matter")] = (
        None
    )


@Parameter(name="*")
@dataclass(frozen=True)
class Items:
    """How items are attempted and drawn."""

    samples: Annotated[int | None, Parameter(group=ITEMS, help="Attempts of each entry at each item")] = None
    noise: Annotated[
        float | None,
        Parameter(group=ITEMS, help="Share of a single attempt's variance that comes from rerunning"),
    ] = None
    cluster_size: Annotated[float, Parameter(group=ITEMS, help="Items in a cluster")] = 1.0
    icc: Annotated[
        float, Parameter(group=ITEMS, help="Correlation of single attempts at two items of a cluster")
    ] = 0.0

    def layout(self, observed: Observed | ObservedScore | None) -> Layout:
        """The same as a Layout, or the one of real results with the samples asked for."""
        from deadheat.planning import Layout

        if observed is None:
            return Layout(self.samples or 1, self.noise, self.cluster_size, self.icc)
        if self.noise is not None or self.cluster_size != 1 or self.icc != 0:
            raise UsageError("--from takes noise and clusters from the results; leave --noise, --icc out")
        return observed.layout(self.samples)


@Parameter(name="*")
@dataclass(frozen=True)
class Ground:
    """Real results that variances are taken from."""

    paths: Annotated[
        list[str] | None,
        Parameter(name="--from", group=FROM, help="Take variances from these results", **MANY),
    ] = None
    entries: Annotated[
        list[str] | None,
        Parameter(group=FROM, help="Entries of them to plan for, two (margin: one); else the best", **MANY),
    ] = None
    level: Annotated[
        float, Parameter(group=FROM, help="Level of the interval, the plan's and a margin's own")
    ] = 0.95
    seed: Annotated[int, Parameter(group=FROM, help="Seed of the resamples behind it")] = 0

    def observed(self, about: About | None, reading: Reading | None, *, quiet: bool) -> Observed | None:
        """Read two entries' results, if there are any."""
        table = self._table(reading, 2, quiet=quiet)
        if table is None:
            return None
        from deadheat.planning import observe

        a, b = self.entries or (None, None)
        return observe(table, a, b, (about or About()).estimand(), level=self.level, seed=self.seed)

    def score(self, about: About | None, reading: Reading | None, *, quiet: bool) -> ObservedScore | None:
        """Read one entry's results, if there are any."""
        table = self._table(reading, 1, quiet=quiet)
        if table is None:
            return None
        from deadheat.planning import observe_score

        (name,) = self.entries or (None,)
        return observe_score(table, name, (about or About()).estimand(), level=self.level, seed=self.seed)

    def labels(self, about: About | None, reading: Reading | None, *, quiet: bool) -> ObservedLabels | None:
        """Read a judge's scores with labels of people, if there are any; of one entry, or of two."""
        table = self._table(reading, len(self.entries or ()), quiet=quiet)
        if table is None:
            return None
        from deadheat.planning import observe_labels

        asked = (about or About()).estimand()
        return observe_labels(table, tuple(self.entries or ()), asked, level=self.level, seed=self.seed)

    def table(self, reading: Reading | None, *, quiet: bool) -> Table:
        """Read the results, which have to be there."""
        table = self._table(reading, 0, quiet=quiet)
        if table is None:
            raise UsageError("no results given: name them with --from")
        return table

    def _table(self, reading: Reading | None, number: int, *, quiet: bool) -> Table | None:
        if not self.paths:
            if self.entries:
                raise UsageError("--entries names entries of --from; no results were given")
            return None
        if self.entries and len(self.entries) != number:
            wanted = "one name" if number == 1 else "two names"
            raise UsageError(f"--entries takes {wanted} here; found {len(self.entries)}")
        with busy(f"reading {', '.join(self.paths)}", quiet=quiet):
            return (reading or Reading()).table(self.paths)
