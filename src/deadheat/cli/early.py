"""Options of what may be looked at any time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Group, Parameter

EARLY = Group("Looking early", sort_key=2)


@Parameter(name="*")
@dataclass(frozen=True)
class Early:
    """Evidence that is valid at every look, and the order of the looks."""

    anytime: Annotated[
        bool,
        Parameter(
            group=EARLY, negative="", help="Valid at every look: e-value, p = 1/E, confidence sequence"
        ),
    ] = False
    order: Annotated[
        str | None,
        Parameter(group=EARLY, help="Item column by which items came (a time, a position in the log)"),
    ] = None
