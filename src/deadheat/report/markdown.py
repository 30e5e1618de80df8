"""Documents as Markdown: pipe tables whose names can neither break the table nor become markup."""

from __future__ import annotations

import re

from deadheat.report import rows, words
from deadheat.report.grid import Grid
from deadheat.report.style import Style
from deadheat.results import Document

MARKUP = re.compile(r"([\\`*_\[\]|~#^$])")


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write a sentence, tables and notes for every document.

    Parameters
    ----------
    documents : tuple of Document
        Results in order.
    style : Style
        Not used: Markdown looks the same everywhere.
    """
    return "\n".join(_document(document) for document in documents)


def escape(text: str) -> str:
    """Make a text stand for itself in Markdown and in the HTML that Markdown lets through."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = MARKUP.sub(r"\\\1", text)
    # Words that Markdown dialects turn into links and mentions.
    return (
        re.sub(r"(?i)(https?)://", r"\1:&#47;&#47;", text).replace("www.", "www&#46;").replace("@", "&#64;")
    )


def _document(document: Document) -> str:
    sheet = rows.sheet(document)
    blocks = [f"**{escape(sheet.summary)}**"]
    for grid in sheet.grids:
        if grid.title:
            blocks.append(escape(grid.title))
        blocks.append(table(grid))
    if notes := words.printed(sheet.notes):
        blocks.append("\n".join(f"- {escape(note)}" for note in notes))
    blocks.append("\n".join(f"*{escape(line)}*  " for line in sheet.methods).rstrip())
    return "\n\n".join(blocks) + "\n"


def table(grid: Grid) -> str:
    """Write a grid as a pipe table, aligned for readers of the source too.

    Parameters
    ----------
    grid : Grid
        Words, not yet escaped.
    """
    lines = [[escape(column.title) for column in grid.columns]]
    for row, kind in zip(grid.rows, grid.kinds or ("",) * len(grid.rows), strict=True):
        bold = [
            f"**{escape(text)}**" if kind == "anchor" and column.key == "entry" else escape(text)
            for text, column in zip(row, grid.columns, strict=True)
        ]
        lines.append(bold)
    widths = [max(3, *(len(line[at]) for line in lines)) for at in range(len(grid.columns))]
    rule = [
        "-" * (width - 1) + ":" if column.right else "-" * width
        for width, column in zip(widths, grid.columns, strict=True)
    ]
    padded = [
        [
            text.rjust(width) if column.right else text.ljust(width)
            for text, width, column in zip(line, widths, grid.columns, strict=True)
        ]
        for line in lines
    ]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (padded[0], rule, *padded[1:]))
