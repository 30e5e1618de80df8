"""How many items, how much power, how small a difference: the verb `plan`."""

from deadheat.planning.board_plans import board
from deadheat.planning.differences import items, power
from deadheat.planning.label_plans import labels
from deadheat.planning.label_sheets import LabelSheet, label_sheet
from deadheat.planning.observed import Observed, observe
from deadheat.planning.observed_labels import ObservedLabels, observe_labels
from deadheat.planning.plan_design import Layout
from deadheat.planning.scored import ObservedScore, observe_score
from deadheat.planning.smallest import mde
from deadheat.planning.splits import samples
from deadheat.planning.widths import margin

__all__ = [
    "LabelSheet",
    "Layout",
    "Observed",
    "ObservedLabels",
    "ObservedScore",
    "board",
    "items",
    "label_sheet",
    "labels",
    "margin",
    "mde",
    "observe",
    "observe_labels",
    "observe_score",
    "power",
    "samples",
]
