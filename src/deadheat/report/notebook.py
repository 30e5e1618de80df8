"""How results show themselves in a notebook or a rich console; put onto their type from here, above them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from deadheat.report import frames, markdown, numbers, terminal
from deadheat.report.html import bare, joined
from deadheat.report.style import PLAIN, Style
from deadheat.results import Board, Comparison, Document

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


def short(document: Document) -> str:
    """Name the kind of a document and say what it found: its representation in a prompt."""
    return f"<{type(document).__name__}: {document.summary}>"


def short_pair(pair: Comparison) -> str:
    """Write the representation of a pair in a prompt."""
    gap = "—" if pair.difference is None else f"{pair.difference:+.4g}"
    p = numbers.p_phrase(pair.p, pair.log10_p)
    verdict = {"a": f"{pair.a} is better", "b": f"{pair.b} is better"}.get(pair.verdict or "", pair.verdict)
    words = f"{pair.a} v {pair.b}, {gap} on {pair.items} items, {p}, {verdict or 'not tested'}"
    return f"<Comparison: {words}>"


def attach() -> None:
    """Give every document its ways to show itself and to be taken as data."""
    ways = {
        "_repr_html_": html,
        "_repr_markdown_": markdown_text,
        "__repr__": short,
        "__rich__": rich,
        "__str__": text,
        "plot": plot,
        "to_dict": frames.to_dict,
        "to_frame": frames.to_frame,
    }
    for name, way in ways.items():
        setattr(Document, name, way)
    Board.pairs_frame = frames.pairs_frame  # type: ignore[method-assign, assignment]
    Comparison.__repr__ = short_pair  # type: ignore[method-assign, assignment]
