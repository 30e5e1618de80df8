"""The result of a simulation study."""

from __future__ import annotations

from typing import Any

from deadheat.results.records import Document


class Study(Document, frozen=True, kw_only=True):
    """A simulation study: one row a cell."""

    study: str
    rows: tuple[dict[str, Any], ...]
    replicates: int
    schema: str = "deadheat/study@1"
