"""The answers: frozen records whose fields are the keys of the JSON contract; they compute nothing."""

from deadheat.results.board import (
    Board,
    Category,
    Chance,
    First,
    Group,
    Outcomes,
    Pairs,
    Score,
    Top,
    Winner,
)
from deadheat.results.comparison import (
    AgainstMargin,
    Common,
    Comparison,
    Comparisons,
    Flips,
    Gate,
    Own,
    Published,
    SelfCheck,
)
from deadheat.results.coverage import (
    Coverage,
)
from deadheat.results.plan import (
    Curve,
    Plan,
)
from deadheat.results.records import (
    COMPOSITE,
    EVERY_CATEGORY,
    EVERY_ITEM,
    Document,
    File,
    Interval,
    Methods,
    Note,
    Provenance,
    Record,
)
from deadheat.results.study import (
    Study,
)
from deadheat.results.uncertainty import (
    BothErrors,
    Components,
    Denominators,
    Error,
    TopVariance,
    Variance,
)

__all__ = [
    "COMPOSITE",
    "EVERY_CATEGORY",
    "EVERY_ITEM",
    "AgainstMargin",
    "Board",
    "BothErrors",
    "Category",
    "Chance",
    "Common",
    "Comparison",
    "Comparisons",
    "Components",
    "Coverage",
    "Curve",
    "Denominators",
    "Document",
    "Error",
    "File",
    "First",
    "Flips",
    "Gate",
    "Group",
    "Interval",
    "Methods",
    "Note",
    "Outcomes",
    "Own",
    "Pairs",
    "Plan",
    "Provenance",
    "Published",
    "Record",
    "Score",
    "SelfCheck",
    "Study",
    "Top",
    "TopVariance",
    "Variance",
    "Winner",
]
