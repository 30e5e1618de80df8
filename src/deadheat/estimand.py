"""What a number is about, said before it is computed and printed after it."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from deadheat.errors import MethodError

Metric = Literal["mean", "pass@k", "pass^k", "maj@k", "self-consistency", "g-pass@k"]
GeneralisesTo = Literal["items", "reruns"]
Weights = Literal["item", "category"]
Failed = Literal["zero", "drop", "refuse"]
Absent = Literal["shared", "zero", "refuse", "fitted"]
Judge = Literal["corrected", "raw", "labels"]

CHOICES: dict[str, tuple[str, ...]] = {
    "metric": get_args(Metric),
    "generalises_to": get_args(GeneralisesTo),
    "weights": get_args(Weights),
    "failed": get_args(Failed),
    "absent": get_args(Absent),
}
NEEDS_K = ("pass@k", "pass^k", "maj@k", "g-pass@k")


class Estimand(msgspec.Struct, frozen=True, kw_only=True):
    """What a score estimates, of whom, and what becomes of attempts that failed or never ran.

    Parameters
    ----------
    metric : str
        What is made of the samples of one item: ``mean``, ``pass@k``, ``pass^k``, ``maj@k``,
        ``self-consistency`` or ``g-pass@k``.
    k : int or None
        Samples that ``pass@k``, ``pass^k``, ``maj@k`` and ``g-pass@k`` speak of.
    tau : float or None
        Share of the k samples that must be right, for ``g-pass@k``.
    generalises_to : str
        ``items``: comparable items would be drawn anew; ``reruns``: these items, attempted again.
    cluster : str or None
        Column that names items sharing difficulty; None treats items as independent.
    weights : str
        ``item``: every item counts alike; ``category``: every category does (macro average).
    failed : str
        An attempt that ran and broke: ``zero`` (a fixed zero, not a draw), ``drop`` or ``refuse``.
    absent : str
        An item an entry has no attempt for: ``shared`` (compare on shared items, each entry's own
        rate over its own items), ``zero``, ``refuse``, or ``fitted`` (scores over all items: as observed
        where observed, by a model of entries and items where not; for `rank` and `compare`).
    drop_short : bool
        Exclude, and count, items with fewer than k samples instead of refusing.
    lower_is_better : bool or None
        The direction of the score; None takes what the results say of their metric, or else that higher is
        better. Every document states the direction that was used.
    judge : str or None
        Where a judge gave the scores and people labelled some: ``corrected`` by the labels, ``raw``, or the
        ``labels`` alone; None corrects where every entry has labels. Of `rank` and `compare`.

    Raises
    ------
    MethodError
        For a value that is not a choice, a missing or needless k or tau.
    """

    metric: Metric = "mean"
    k: int | None = None
    tau: float | None = None
    generalises_to: GeneralisesTo = "items"
    cluster: str | None = None
    weights: Weights = "item"
    failed: Failed = "zero"
    absent: Absent = "shared"
    drop_short: bool = False
    lower_is_better: bool | None = None
    judge: Judge | None = None

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise MethodError(
                    f"{name} is one of {', '.join(choices)}; {getattr(self, name)!r} was asked for"
                )
        if self.judge not in (None, *get_args(Judge)):
            raise MethodError(f"judge is one of {', '.join(get_args(Judge))}; found {self.judge!r}")
        if self.metric in NEEDS_K:
            if self.k is None or self.k < 1:
                raise MethodError(
                    f"the metric {self.metric} needs k of at least 1 (--k K); found k = {self.k}"
                )
        elif self.k is not None:
            raise MethodError(f"k belongs to {', '.join(NEEDS_K)}; the metric asked for is {self.metric}")
        if (self.metric == "g-pass@k") != (self.tau is not None):
            raise MethodError(f"tau (in (0, 1]) belongs to g-pass@k and to it alone; found tau = {self.tau}")
        if self.tau is not None and not 0 < self.tau <= 1:
            raise MethodError(f"tau lies in (0, 1]; found {self.tau}")

    @property
    def label(self) -> str:
        """The metric with its k, as it is printed: ``pass@5``."""
        name = self.metric if self.k is None else self.metric.replace("k", str(self.k))
        return name if self.tau is None else f"{name}(τ={self.tau:g})"

    def describe(self) -> str:
        """Say in one line what the number is about."""
        whom = {
            "items": "generalises to comparable items",
            "reruns": "generalises to reruns of these very items",
        }[self.generalises_to]
        parts = [self.label]
        if self.lower_is_better is not None:
            parts.append("lower is better" if self.lower_is_better else "higher is better")
        parts.append(whom)
        if self.cluster:
            parts.append(f"items clustered by {self.cluster}")
        if self.judge is not None:
            parts.append(
                {
                    "corrected": "scores of a judge, corrected by labels of people",
                    "raw": "scores of a judge as they are",
                    "labels": "labels of people alone",
                }[self.judge]
            )
        if self.weights == "category":
            parts.append("every category counts alike")
        parts.append(
            {
                "zero": "failed attempts are zeros",
                "drop": "failed attempts are left out",
                "refuse": "failed attempts are refused",
            }[self.failed]
        )
        parts.append(
            {
                "shared": "comparisons on shared items",
                "zero": "absent items are zeros",
                "refuse": "absent items are refused",
                "fitted": "absent items are fitted",
            }[self.absent]
        )
        return "; ".join(parts)
