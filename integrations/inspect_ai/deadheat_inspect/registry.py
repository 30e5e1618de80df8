"""What Inspect loads through its entry point: importing these registers them."""

from deadheat_inspect.hook import BaselineComparison
from deadheat_inspect.live import LiveComparison
from deadheat_inspect.metrics import interval, standard_error

__all__ = ["BaselineComparison", "LiveComparison", "interval", "standard_error"]
