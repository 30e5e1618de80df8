"""A hook that looks at every finished sample, and says when the comparison with a baseline is decided."""

from __future__ import annotations

import os

from inspect_ai.hooks import Hooks, SampleEnd, TaskEnd, TaskStart, hooks
from inspect_ai.scorer import value_to_float

import deadheat as dh
from deadheat.data.panel import panel
from deadheat.errors import DeadheatError
from deadheat.readers import Options, read

BASELINE, SCORER, MARGIN, LIVE = "DEADHEAT_BASELINE", "DEADHEAT_SCORER", "DEADHEAT_MARGIN", "DEADHEAT_LIVE"


@hooks(
    name="deadheat_live",
    description="Compares with DEADHEAT_BASELINE while samples finish, valid at every look.",
)
class LiveComparison(Hooks):
    """Counts each sample once, at its first epoch, and prints a line once the comparison is decided."""

    def __init__(self) -> None:
        self.monitor: dh.Monitor | None = None
        self.known: dict[str, float] = {}
        self.told = False
        self.task = ""

    def enabled(self) -> bool:
        """Whether a baseline was named, and looking while samples finish was asked for."""
        return bool(os.environ.get(BASELINE) and os.environ.get(LIVE))

    async def on_task_start(self, data: TaskStart) -> None:
        """Read the baseline, and never fail the evaluation over it."""
        self.monitor, self.told, self.task = None, False, data.spec.task
        try:
            margin = float(os.environ[MARGIN]) if os.environ.get(MARGIN) else None
            self.monitor, self.known = dh.Monitor(margin=margin), baseline_scores(os.environ[BASELINE])
        except (DeadheatError, OSError, ValueError) as error:
            print(f"deadheat: no look while samples finish: {error}")

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Look once per finished sample."""
        sample, item = data.sample, f"{self.task}/{data.sample.id}"
        item = item if item in self.known else str(data.sample.id)
        if self.monitor is None or sample.epoch != 1 or sample.error or item not in self.known:
            return
        score = next(iter((sample.scores or {}).values()), None)
        if os.environ.get(SCORER):
            score = (sample.scores or {}).get(os.environ[SCORER], score)
        if score is None:
            return
        try:
            self.monitor.update(item, value_to_float()(score.value), self.known[item])
        except DeadheatError as error:
            print(f"deadheat: {item} is not counted: {error}")
        if self.monitor.decided and not self.told:
            self.told = True
            print(f"deadheat: decided, {said(self.monitor)}")

    async def on_task_end(self, data: TaskEnd) -> None:
        """Say what is still open."""
        if self.monitor is not None and self.monitor.items and not self.told:
            print(f"deadheat: open, {said(self.monitor)}")


def baseline_scores(path: str) -> dict[str, float]:
    """Score every item of the baseline: item -> mean of its epochs."""
    choices = {"scorer": os.environ[SCORER]} if os.environ.get(SCORER) else {}
    seen = panel(read([f"baseline={path}"], options=Options(choices=choices)), dh.Estimand())
    return {item: float(seen.values[0, at]) for at, item in enumerate(seen.items) if seen.present[0, at]}


def said(monitor: dh.Monitor) -> str:
    """Write what a monitor knows: a is the run, b the baseline."""
    look = monitor.look()
    outcome = {"a": "the run is better", "b": "the baseline is better", None: "no decision"}
    told = outcome.get(look.outcome, f"the run is {look.outcome}")
    return (
        f"{told} after {look.items} items: {100 * look.difference:+.1f} points "
        f"({100 * look.interval.low:+.1f} to {100 * look.interval.high:+.1f}), always-valid p {look.p:.3g}"
    )
