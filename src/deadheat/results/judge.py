"""The results on a judge whose scores people have labelled in part."""

from __future__ import annotations

from deadheat.results.records import Record


class Judged(Record, frozen=True, kw_only=True):
    """A judge against people at one entry.

    `judge`: the judge's score over all items; `people`: the mean of the labels; `corrected`: by PPI++, with
    `tuning`, the weight it gives the judge (0: the labels alone). `place_judge`, `place`: by the judge alone,
    and on the board. For 0/1 scores `agreement`, `kappa`, `sensitivity` (right answers that the judge
    accepts), `specificity`, and `rogan_gladen`, the judge's rate corrected by these two with their errors.
    """

    entry: str
    labels: int
    judge: float
    people: float
    people_se: float | None = None
    corrected: float | None = None
    tuning: float | None = None
    place_judge: int | None = None
    place: int | None = None
    agreement: float | None = None
    kappa: float | None = None
    sensitivity: float | None = None
    specificity: float | None = None
    rogan_gladen: float | None = None
    rogan_gladen_se: float | None = None
