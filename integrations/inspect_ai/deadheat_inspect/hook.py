"""A hook that compares a finished task with a baseline log."""

from __future__ import annotations

import os
from pathlib import Path

from inspect_ai.hooks import Hooks, TaskEnd, hooks

import deadheat as dh
from deadheat.errors import DeadheatError

BASELINE, SCORER, CLUSTER = "DEADHEAT_BASELINE", "DEADHEAT_SCORER", "DEADHEAT_CLUSTER"


@hooks(name="deadheat", description="Compares a finished task with the log that DEADHEAT_BASELINE names.")
class BaselineComparison(Hooks):
    """Writes the comparison beside the log, and its summary to the terminal."""

    def enabled(self) -> bool:
        """Whether a baseline was named."""
        return bool(os.environ.get(BASELINE))

    async def on_task_end(self, data: TaskEnd) -> None:
        """Compare, and never fail the evaluation over it."""
        try:
            path = Path(data.log.location.removeprefix("file://"))
            print(f"deadheat: {compare_with_baseline(path)}")
        except (DeadheatError, OSError) as error:
            print(f"deadheat: no comparison with the baseline: {error}")


def compare_with_baseline(log: Path) -> str:
    """Compare a log with the baseline and write the comparison beside it.

    Parameters
    ----------
    log : Path

    Returns
    -------
    str
        The summary, with the name of the file written.
    """
    from deadheat.readers import Options, read
    from deadheat.report.comment import comment

    choices = {"scorer": os.environ[SCORER]} if os.environ.get(SCORER) else {}
    cluster = os.environ.get(CLUSTER) or None
    if cluster:
        choices["columns"] = cluster
    paths = [f"candidate={log}", f"baseline={os.environ[BASELINE]}"]
    table = read(paths, options=Options(choices=choices))
    document = dh.compare(table, "candidate", "baseline", dh.Estimand(cluster=cluster))
    target = log.with_name(f"{log.stem}.deadheat.md")
    target.write_text(comment(document), encoding="utf-8")
    return f"{document.summary} ({target.name})"
