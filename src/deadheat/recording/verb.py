"""The verb `records`: each new record against the holder of its day, and which of them stand."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.data.panel import panel
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.participants import MIN_SHARE, participants
from deadheat.evidence.record_steps import dates, history, same_day
from deadheat.readers.given import Results, taken
from deadheat.report.numbers import Scale
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Methods, Note, claims
from deadheat.results.history import Records, Step
from deadheat.version import VERSION


def records(
    table: Results,
    date: str | None = None,
    estimand: Estimand | None = None,
    *,
    min_share: float = MIN_SHARE,
    alpha: float = 0.05,
) -> Records:
    """Say which records of a board stand.

    Parameters
    ----------
    table : Table, dataframe, path or list of paths
    date : str or None
        Column with the date of each entry, or ``name`` where names begin with it; None finds either.
    estimand : Estimand or None
        What the scores are about.
    min_share : float
        Least share of the usual items; runs that have fewer hold no record.
    alpha : float
        A record stands when its p, adjusted by Holm over the history, is below it.

    Returns
    -------
    Records

    Raises
    ------
    MethodError
        No dates.
    DataError
        Fewer than two entries.
    """
    if not 0 < alpha < 1:
        raise MethodError(f"alpha is between 0 and 1; found {alpha:g}")
    table, estimand = taken(table, estimand)
    dated = dates(table, date)
    if dated is None:
        raise MethodError(
            "records need the date of each entry; found neither a column date nor names with a date such as "
            "20260217: --date COLUMN names one"
        )
    seen = panel(table, estimand)
    taking = participants(table, seen, min_share)
    found = history(taking.panel, dated, estimand.generalises_to, alpha=alpha)
    stand = tuple(step for step in found.steps if step.stands)
    claimed = (
        claims.RecordsStand(
            records=len(found.steps),
            stand=tuple(step.entry for step in stand),
            dates=tuple(step.date for step in stand),
            start=found.start.entry,
            alpha=alpha,
        ),
    )
    scale = Scale.of([found.start.value, *(step.value for step in found.steps)], [])
    return Records(
        version=VERSION,
        estimand=estimand,
        methods=Methods(test=found.test, adjust="holm", alpha=alpha, min_share=min_share),
        summary=sentences(claimed, Voice(scale, lower_is_better=seen.lower_is_better)),
        claims=claimed,
        notes=(*seen.notes, *taking.why.values(), *_notes(dated.source, found.steps)),
        provenance=table.provenance(),
        start=found.start,
        steps=found.steps,
        standing=len(stand),
        entries=len(taking.panel.entries),
        days=found.days,
        dates=dated.source,
    )


def _notes(source: str, steps: Sequence[Step]) -> tuple[Note, ...]:
    text = (
        "p is selective: a newcomer is tested only because it is ahead, so the test is of how far ahead, "
        "given that it is; a record that does not stand may still be better"
    )
    notes = [Note(code="selective", text=text)] if steps else []
    if source == "name":
        notes.append(Note(code="dates", text="dates are those in the entries' names"))
    if several := same_day(steps):
        days = "day" if several == 1 else "days"
        text = (
            f"on {several:,} {days} several entries were ahead of the holder: the best of them is tested, "
            "and its p is multiplied by how many they were"
        )
        notes.append(Note(code="same-day", text=text))
    return tuple(notes)
