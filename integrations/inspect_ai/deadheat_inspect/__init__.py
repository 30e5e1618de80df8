"""deadheat's intervals as Inspect AI metrics, and a comparison with a baseline when a task ends."""

from deadheat_inspect.hook import BaselineComparison
from deadheat_inspect.metrics import interval, standard_error

__all__ = ["BaselineComparison", "interval", "standard_error"]
