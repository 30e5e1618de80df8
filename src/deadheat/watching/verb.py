"""The verb `watch`: batches of items in, a look each, and an end once it is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from deadheat.errors import MethodError, NothingShared
from deadheat.estimand import Estimand
from deadheat.methods import ANYTIME
from deadheat.report.numbers import Scale
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Methods, Note, Provenance, claims
from deadheat.results.watch import Look, Stop, Watch
from deadheat.seeds import stream
from deadheat.version import VERSION
from deadheat.watching.monitor import Monitor
from deadheat.watching.watch_journal import Batch, WatchJournal

CAME = (
    "the answer holds if items came in an order that has nothing to do with their difficulty: shuffle the "
    "items before a run; items that came together are taken in an order drawn from the seed"
)


def watch(
    batches: Iterable[Batch],
    a: str = "a",
    b: str = "b",
    estimand: Estimand | None = None,
    *,
    stop: Stop | None = None,
    margin: float | None = None,
    every: int = 1,
    budget: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    journal: Path | None = None,
    tell: Callable[[Look], None] | None = None,
    provenance: Callable[[], Provenance] = Provenance,
) -> Watch:
    """Follow a comparison while its items come, and stop once it is decided.

    Parameters
    ----------
    batches : iterable of (items, scores of a, scores of b)
        Item ids and scores in [0, 1], as they come; an item that came before is passed over.
    a, b : str
        The candidate and the baseline.
    estimand : Estimand or None
        What the scores are; here for whether the lower one is better.
    stop : str or None
        ``separated``, ``margin`` or ``equivalent``; None takes ``margin`` where there is one.
    margin : float or None
        Largest loss that does not matter.
    every : int
        Items from one look to the next.
    budget : int or None
        Items after which it ends undecided.
    alpha : float
        Chance of ever deciding wrongly.
    seed : int
        Order of items that come together.
    journal : Path or None
        A file that every look is written to, and taken from at the next start.
    tell : callable or None
        Told every look.
    provenance : callable
        Called at the end: where the batches came from.

    Returns
    -------
    Watch

    Raises
    ------
    NothingShared
        No item came.
    """
    estimand = estimand or Estimand()
    if every < 1 or (budget is not None and budget < 1):
        raise MethodError(f"every and budget are at least 1; found {every} and {budget}")
    monitor = Monitor(margin=margin, stop=stop, alpha=alpha, lower_is_better=bool(estimand.lower_is_better))
    asked = {"a": a, "b": b, "stop": monitor.stop, "margin": margin, "alpha": alpha, "every": every}
    kept = WatchJournal(journal, asked)
    looks, counted = [], _Counted()
    resumed = sum(len(items) for items, *_ in kept.batches)
    for old, batch in _pieces(kept.batches, batches, counted, every, budget, seed):
        if not old:
            kept.add(batch)
        monitor.update(*batch)
        looks.append(monitor.look())
        if tell:
            tell(looks[-1])
        if monitor.decided:
            break
    if not looks:
        raise NothingShared(f"no item came with a score of {a} and one of {b}")
    last = looks[-1]
    claimed = (
        claims.Watched(
            a=a,
            b=b,
            stop=monitor.stop,
            outcome=monitor.outcome,
            items=last.items,
            difference=last.difference,
            margin=margin,
            alpha=alpha,
        ),
    )
    return Watch(
        version=VERSION,
        estimand=estimand,
        methods=Methods(test=ANYTIME, interval=ANYTIME, alpha=alpha, level=round(1 - alpha, 12), seed=seed),
        summary=sentences(claimed, Voice(Scale(True, 1))),
        claims=claimed,
        notes=_notes(counted),
        provenance=provenance(),
        a=a,
        b=b,
        stop=monitor.stop,
        margin=margin,
        every=every,
        budget=budget,
        outcome=monitor.outcome,
        ended="decided" if monitor.decided else "budget" if last.items == budget else "end",
        looks=tuple(looks),
        resumed=min(resumed, last.items),
        changed=len(counted.changed),
    )


class _Counted:
    """Items and the scores that were counted; later scores of the same item are only compared."""

    def __init__(self) -> None:
        self.scores: dict[str, tuple[float, float]] = {}
        self.changed: set[str] = set()

    def fresh(self, batch: Batch) -> list[tuple[str, float, float]]:
        """Take what did not come before, and note what came with other scores."""
        new = []
        for item, *pair in zip(*batch, strict=True):
            scores = float(pair[0]), float(pair[1])
            before = self.scores.setdefault(item, scores)
            if before is scores:
                new.append((item, *scores))
            elif before != scores:
                self.changed.add(item)
        return new


def _pieces(
    kept: Iterable[Batch],
    batches: Iterable[Batch],
    counted: _Counted,
    every: int,
    budget: int | None,
    seed: int,
) -> Iterator[tuple[bool, Batch]]:
    """Give each look its items: those of the journal, then `every` new ones at a time, up to the budget."""
    for batch in kept:
        counted.fresh(batch)
        yield True, batch
    waiting: list[tuple[str, float, float]] = []
    for number, batch in enumerate(batches):
        new = counted.fresh(batch)
        order = stream(seed, "watch", number, len(new)).permutation(len(new))
        waiting += [new[at] for at in order]
        taken = len(counted.scores) - len(waiting)
        while len(waiting) >= every or (budget is not None and 0 < budget - taken <= len(waiting)):
            size = every if budget is None else min(every, budget - taken)
            if size <= 0:
                return
            piece, waiting = waiting[:size], waiting[size:]
            taken += size
            yield False, _columns(piece)
            if taken == budget:
                return
    if waiting:
        yield False, _columns(waiting)


def _columns(rows: list[tuple[str, float, float]]) -> Batch:
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


def _notes(counted: _Counted) -> tuple[Note, ...]:
    notes = [Note(code="arrival", text=CAME)]
    if counted.changed:
        text = (
            f"{len(counted.changed):,} items changed after they were counted; what was seen first counts, "
            "because an item that is counted again would spend error twice"
        )
        notes.append(Note(code="changed", text=text))
    return tuple(notes)
