"""The results on a judge whose scores people have labelled in part."""

from __future__ import annotations

from deadheat.results.records import Interval, Record


class Judged(Record, frozen=True, kw_only=True):
    """A judge against people at one entry.

    `judge`: the judge's score over all items; `people`: the mean of the labels; `corrected`: by PPI++, with
    `tuning`, the weight it gives the judge (0: the labels alone). `place_judge`, `place`: by the judge alone,
    and on the board. `kappa`: Cohen's, with quadratic weights where scores are not 0/1; `alpha`:
    Krippendorff's; both with intervals over items. For 0/1 scores `agreement`, `ac1` (Gwet's), `sensitivity`
    (right answers that the judge accepts), `specificity`, and `rogan_gladen`, the judge's rate corrected by
    these two with their errors; `table`: answers that both, only the judge, only people, and neither accept.
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
    kappa_interval: Interval | None = None
    alpha: float | None = None
    alpha_interval: Interval | None = None
    ac1: float | None = None
    ac1_interval: Interval | None = None
    table: tuple[int, int, int, int] | None = None
    sensitivity: float | None = None
    specificity: float | None = None
    rogan_gladen: float | None = None
    rogan_gladen_se: float | None = None
