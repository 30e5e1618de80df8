"""What Inspect loads through its entry point: importing these registers them."""

from deadheat_inspect.hook import BaselineComparison
from deadheat_inspect.metrics import interval, standard_error

__all__ = ["BaselineComparison", "interval", "standard_error"]
