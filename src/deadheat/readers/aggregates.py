"""Files of known tools that hold nothing by item, so that a refusal can say so."""

from __future__ import annotations

from deadheat.readers.base import Source
from deadheat.readers.outline import outline
from deadheat.readers.table_head import columns_of

# What a file is, and keys that tell it.
KNOWN = (
    (
        "results of MTEB hold the scores of whole tasks (--read mteb makes a board of tasks)",
        ("mteb_version", "task_name"),
    ),
    ("a file of Hugging Face evaluate holds a figure of the whole set", ("_evaluate_version",)),
    ("results of the bigcode-evaluation-harness hold rates only", ("config.tasks", "*.pass@1")),
)
VOTES = {"model_a", "model_b", "winner"}


def aggregate(source: Source) -> str | None:
    """Say what a file is that holds no results by item; None where it is none of these.

    Parameters
    ----------
    source : Source
        A file that no reader claims.
    """
    if set(columns_of(source)) >= VOTES:
        return "votes between two answers say which of two entries won"
    found = outline(source.head)
    return next((what for what, keys in KNOWN if found.has(*keys)), None)
