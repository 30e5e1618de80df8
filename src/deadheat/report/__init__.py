"""Results in order become text: for a terminal, Markdown, CSV, JSON or LaTeX, or a page."""

from deadheat.report.renderers import RENDERERS, render
from deadheat.report.style import Style

__all__ = ["RENDERERS", "Style", "render"]
