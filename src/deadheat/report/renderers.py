"""The output formats by name, and the one function that renders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from deadheat.errors import MethodError
from deadheat.report.style import PLAIN, Style
from deadheat.results import Document

Renderer = Callable[[tuple[Document, ...], Style], str]


def render(
    report: Document | Sequence[Document],
    format: str = "table",
    *,
    width: int | None = None,
    colour: bool = False,
    unicode: bool = True,
    title: str | None = None,
) -> str:
    """Turn results into text.

    Parameters
    ----------
    report : Document or sequence of Document
        Results in the order in which they are to be read.
    format : str
        A name in ``RENDERERS``, or of an entry point in the group ``deadheat.renderers``.
    width : int, optional
        Columns of the terminal, for ``table``.
    colour : bool
        Use terminal colours, for ``table``.
    unicode : bool
        Use characters beyond ASCII, for ``table``.
    title : str, optional
        Name of the benchmark, for ``html``; the file or folder names it unless given.

    Returns
    -------
    str
        The text, which ends with a line break.

    Raises
    ------
    MethodError
        For a format that nobody offers, or a document that a format has no form for.
    """
    documents = (report,) if isinstance(report, Document) else tuple(report)
    style = Style(width or PLAIN.width, colour, unicode, title)
    return find(format)(documents, style)


def find(format: str) -> Renderer:
    """Look a renderer up by its name, among ours and then among installed ones.

    Parameters
    ----------
    format : str
        The name.

    Raises
    ------
    MethodError
        When nobody offers it.
    """
    if format in RENDERERS:
        return RENDERERS[format]
    from importlib.metadata import entry_points

    for point in entry_points(group="deadheat.renderers", name=format):
        renderer: Renderer = point.load()
        return renderer
    raise MethodError(f"no output format is called {format!r}; there are {', '.join(RENDERERS)}")


def _of(module: str) -> Renderer:
    """The renderer of a module of this folder, which is imported when something is rendered."""

    def render(documents: tuple[Document, ...], style: Style) -> str:
        text: str = import_module(f"deadheat.report.{module}").render(documents, style)
        return text

    return render


RENDERERS: dict[str, Renderer] = {
    "table": _of("terminal"),
    "md": _of("markdown"),
    "csv": _of("csv"),
    "json": _of("json"),
    "latex": _of("latex"),
    "html": _of("html"),
    "methods": _of("methods_paragraph"),
}
