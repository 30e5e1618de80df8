"""How results show themselves in a notebook or a rich console; put onto their type from here, above them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from deadheat.report import markdown, terminal
from deadheat.report.html import bare, joined
from deadheat.report.style import PLAIN, Style
from deadheat.results import Board, Document

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

CSS = ("base", "board", "narrow", "charts")


def html(document: Document) -> str:
    """Write a document as a fragment of a page, with its own styles and without scripts.

    Parameters
    ----------
    document : Document
        Any result document.
    """
    from deadheat.report.html_sections import fill, section

    plain = bare(document) if isinstance(document, Board) else document
    id = "dh" + hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:12]
    made = section(plain, id, "h3")
    return fill("fragment_notebook.html.j2", css=f"{joined('css', CSS)}\n{made.css}", body=made.text)


def markdown_text(document: Document) -> str:
    """Write a document as Markdown."""
    return markdown.render((document,), PLAIN)


class Shown:
    """A document in a rich console, as wide as the console is."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Give rich what to print."""
        unicode = options.encoding.startswith("utf")
        yield terminal.renderable(self.document, Style(options.max_width, True, unicode))


def rich(document: Document) -> Shown:
    """Give rich what stands for a document."""
    return Shown(document)


def text(document: Document) -> str:
    """Write a document as a plain terminal shows it."""
    return terminal.render((document,), PLAIN).rstrip("\n")


def plot(document: Document, kind: str | None = None, ax: Any = None) -> Any:
    """Draw a document by matplotlib; see ``deadheat.report.plots.plot``."""
    from deadheat.report import plots

    return plots.plot(document, kind, ax)


def attach() -> None:
    """Give every document its ways to show itself."""
    ways = {
        "_repr_html_": html,
        "_repr_markdown_": markdown_text,
        "__rich__": rich,
        "__str__": text,
        "plot": plot,
    }
    for name, way in ways.items():
        setattr(Document, name, way)
