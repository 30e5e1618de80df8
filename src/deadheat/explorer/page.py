"""The explorer's page: one template, one style sheet and one script, put together from small files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from deadheat.explorer.rerun import METHODS
from deadheat.placing import ADJUSTMENTS
from deadheat.report.html import joined
from deadheat.report.words import method
from deadheat.stats.coverage import COVERAGE_METHODS
from deadheat.stats.intervals import INTERVALS
from deadheat.stats.paired import TESTS
from deadheat.version import VERSION

TEMPLATES = Path(__file__).parent / "templates"
OWN = {"css": ("explore",), "js": ("chart", "views", "explore")}
REPORT = {"css": ("base",), "js": ("words", "page")}


@cache
def asset(kind: str) -> str:
    """Join the report's and the explorer's own styles or scripts.

    Parameters
    ----------
    kind : str
        ``css`` or ``js``.
    """
    own = [(TEMPLATES / f"{name}.{kind}").read_text(encoding="utf-8") for name in OWN[kind]]
    return "\n".join([joined(kind, REPORT[kind]), *own])


@cache
def index() -> str:
    """Fill the page's template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    place = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    place.filters["method"] = _titled
    return place.get_template("explore.html.j2").render(
        version=VERSION,
        methods=METHODS,
        coverage_methods=tuple(COVERAGE_METHODS),
        shown={"wald", "wilson", "clopper-pearson"},
        tests=("default", *TESTS),
        intervals=("default", *INTERVALS),
        adjustments=tuple(ADJUSTMENTS),
    )


def _titled(name: str) -> str:
    if name == "default":
        return "Default"
    words = method(name)
    return words[:1].upper() + words[1:]
