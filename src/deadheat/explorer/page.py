"""The explorer's page: one template, one style sheet and one script, put together from small files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from deadheat.estimand import CHOICES
from deadheat.evidence.order import ADJUSTMENTS
from deadheat.explorer.rerun_view import METHODS
from deadheat.methods import SCORES, TESTS
from deadheat.report.html import joined
from deadheat.report.words import method
from deadheat.stats.score.exact_coverage import COVERAGE_METHODS
from deadheat.version import VERSION

TEMPLATES = Path(__file__).parent / "templates"
OWN = {"css": ("explore",), "js": ("source_server", "chart", "views", "made", "explore")}
POLICY = (
    "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; "
    "frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
)
REPORT = {"css": ("base",), "js": ("words", "page")}


@cache
def asset(kind: str) -> str:
    """Join the report's and the explorer's own styles or scripts.

    Parameters
    ----------
    kind : str
        ``css`` or ``js``.
    """
    return _joined(kind, OWN[kind])


def kept_script() -> str:
    """The script of a page that is opened from disk: no module, since a page may load none from there."""
    names = tuple("source_kept" if name == "source_server" else name for name in OWN["js"])
    return f"(async () => {{\n{_joined('js', names)}\n}})();\n"


def _joined(kind: str, names: tuple[str, ...]) -> str:
    own = [(TEMPLATES / f"{name}.{kind}").read_text(encoding="utf-8") for name in names]
    return "\n".join([joined(kind, REPORT[kind]), *own])


def index(kept: Mapping[str, Mapping[str, Sequence[str]]] | None = None, *, board: bool = True) -> str:
    """Fill the page's template.

    Parameters
    ----------
    kept : mapping or None
        Settings that were computed beforehand, by view and field; None: a server answers, whatever is asked.
    board : bool
        With the view *Your data*.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    place = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    place.filters |= {"method": _titled, "pair": lambda value: (value, value), "level": _percent}
    return place.get_template("explore.html.j2").render(
        version=VERSION,
        kept=kept,
        board=board,
        policy=POLICY,
        methods=kept["rerun"]["method"] if kept else METHODS,
        coverage_methods=tuple(COVERAGE_METHODS),
        shown={"wald", "wilson", "clopper-pearson"},
        tests=("default", *TESTS),
        intervals=("default", *SCORES),
        adjustments=tuple(ADJUSTMENTS),
        choices=CHOICES,
    )


def _percent(value: str) -> tuple[str, str]:
    return value, f"{100 * float(value):g} %"


def _titled(name: str) -> str:
    if name == "default":
        return "Default"
    words = method(name)
    return words[:1].upper() + words[1:]
