"""`deadheat watch`: a comparison followed while results come in."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from deadheat.cli.early import EARLY
from deadheat.cli.options import ABOUT, OUTPUT, About, Answer, Output, Reading, UsageError, some
from deadheat.cli.stderr import inert, say
from deadheat.cli.stdin import PIPE
from deadheat.cli.two_paths import two

if TYPE_CHECKING:
    from deadheat.data.table import Table
    from deadheat.results import Provenance
    from deadheat.results.watch import Look
    from deadheat.watching.watch_journal import Batch


def watch(
    *paths: Annotated[
        str,
        Parameter(help="Results that grow; NAME=PATH names an entry, - takes standard input line by line"),
    ],
    against: Annotated[str, Parameter(help="The baseline: an entry's name, or a path of its results")],
    candidate: Annotated[
        str | None, Parameter(help="The candidate by its name (default: the only other entry)")
    ] = None,
    stop: Annotated[
        Literal["separated", "equivalent", "margin"] | None,
        Parameter(group=EARLY, help="What ends it (default: margin with --margin, otherwise separated)"),
    ] = None,
    margin: Annotated[float | None, Parameter(group=EARLY, help="Largest loss that does not matter")] = None,
    every: Annotated[int, Parameter(group=EARLY, help="Items from one look to the next")] = 1,
    budget: Annotated[int | None, Parameter(group=EARLY, help="Items after which it ends undecided")] = None,
    samples: Annotated[
        int, Parameter(group=ABOUT, help="Samples of an item that both have before it counts")
    ] = 1,
    poll: Annotated[float, Parameter(group=EARLY, help="Seconds between two looks at the files")] = 1.0,
    wait: Annotated[
        float,
        Parameter(group=EARLY, help="End when nothing has changed for this many seconds; 0: one reading"),
    ] = 60.0,
    journal: Annotated[
        Path | None,
        Parameter(group=EARLY, help="Keep every look in this file, and go on from it after an interruption"),
    ] = None,
    alpha: Annotated[float, Parameter(group=EARLY, help="Chance of ever deciding wrongly")] = 0.05,
    seed: Annotated[int, Parameter(group=EARLY, help="Order of items that come together")] = 0,
    fail_on: Annotated[
        Literal["worse", "inconclusive", "never"],
        Parameter(group=OUTPUT, help="Exit with 3 if the candidate is worse; or also if nothing was decided"),
    ] = "worse",
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Follow a comparison while results come in, print a line per look, and stop once it is decided.

    Valid at every look: the chance of ever deciding wrongly is at most --alpha. Exits with 3 if the candidate
    is worse, otherwise with 0.
    """
    from deadheat.watching.verb import watch as verb

    some(paths)
    about, reading, output = about or About(), reading or Reading(), output or Output()
    if about.cluster not in (None, "none"):
        raise UsageError(
            "--cluster: a cluster counts once all its items are there, which files that grow do not tell; "
            "use compare --anytime --cluster once they are complete"
        )
    told = sys.stdout if output.chosen() == "table" and output.output is None else None
    source = _Source(paths, against, candidate, reading)
    batches = source.lines() if PIPE in paths else source.follow(about, poll, wait, samples)
    first = next(batches, None)

    def all_batches() -> Iterator[Batch]:
        if first is not None:
            yield first
            yield from batches

    document = verb(
        all_batches(),
        source.names[0],
        source.names[1],
        about.estimand(),
        stop=stop,
        margin=margin,
        every=every,
        budget=budget,
        alpha=alpha,
        seed=seed,
        journal=journal,
        tell=None if output.quiet else lambda look: _tell(look, told is not None),
        provenance=source.provenance,
    )
    if source.table is not None:
        import msgspec

        from deadheat.data.people import unused

        document = msgspec.structs.replace(document, notes=(*document.notes, *unused(source.table)))
    worse = document.outcome in ("b", "inferior")
    failed = fail_on != "never" and (worse or (fail_on == "inconclusive" and document.outcome is None))
    return Answer([document], output, exit_code=3 if failed else 0)


def _tell(look: Look, plain: bool) -> None:
    """Write a look: on standard output where the table goes there, otherwise on standard error."""
    from deadheat.report.rows_early import look_line

    line = look_line(look)
    if plain:
        print(inert(line), flush=True)
    else:
        say(line)


class _Source:
    """Where the items come from, and what the two entries are called once that is known."""

    def __init__(self, paths: Sequence[str], against: str, candidate: str | None, reading: Reading) -> None:
        self.paths, self.against, self.candidate, self.reading = list(paths), against, candidate, reading
        self.names = (candidate or "candidate", against)
        self.table: Table | None = None

    def provenance(self) -> Provenance:
        """Where the items came from."""
        from deadheat.results import Provenance

        return Provenance() if self.table is None else self.table.provenance()

    def _read(self, paths: Sequence[str]) -> Table:
        if Path(self.against).exists() and len(paths) == 2 and self.candidate is None:
            self.table, *names = two(self.reading, paths)
            self.names = (names[0], names[1])
        else:
            self.table = self.reading.table(paths)
        return self.table

    def _pick(self, table: Table) -> tuple[str, str] | None:
        if Path(self.against).exists() and self.names[1] != self.against:
            return self.names
        others = [name for name in table.entries if name != self.against]
        found = self.candidate or (others[0] if len(others) == 1 else None)
        if found is None and len(others) > 1:
            raise UsageError(f"--candidate is needed; found {len(others)} entries: {', '.join(others[:5])}")
        if found not in table.entries or self.against not in table.entries:
            return None
        assert found is not None
        self.names = (found, self.against)
        return self.names

    def follow(self, about: About, poll: float, wait: float, samples: int) -> Iterator[Batch]:
        """Follow files."""
        from deadheat.watching.follow import follow

        paths = [*self.paths, self.against] if Path(self.against).exists() else self.paths
        yield from follow(
            paths, self._read, self._pick, about.estimand(), poll=poll, wait=wait, samples=samples
        )

    def lines(self) -> Iterator[Batch]:
        """Take standard input line by line, the baseline's scores from files where there are any."""
        from deadheat.watching.follow import lines

        files = [path for path in self.paths if path != PIPE]
        known: dict[str, float] = {}
        if Path(self.against).exists():
            files.append(self.against)
        if files:
            known = self._known(files)
        yield from lines(sys.stdin, self.candidate, self.names[1], known, self._called)

    def _called(self, name: str) -> None:
        if self.candidate is None and self.names[0] not in ("candidate", name):
            raise UsageError(f"--candidate is needed; found the entries {self.names[0]} and {name}")
        self.names = (name, self.names[1])

    def _known(self, files: Sequence[str]) -> dict[str, float]:
        from deadheat.data.panel import panel
        from deadheat.estimand import Estimand

        table = self.table = self.reading.table(files)
        name = self.against if self.against in table.entries else table.entries[0]
        if self.against not in table.entries and len(table.entries) > 1:
            raise UsageError(f"--against {self.against}: no such entry; found {', '.join(table.entries[:5])}")
        self.names = (self.names[0], name)
        seen = panel(table, Estimand())
        row = seen.entries.index(name)
        at = seen.present[row].nonzero()[0]
        return {seen.items[i]: float(seen.values[row, i]) for i in at}
