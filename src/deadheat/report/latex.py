"""Documents as LaTeX: booktabs tables, with letters that entries share when no pair of them is separated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deadheat.report import methods_paragraph, rows, rows_board, words
from deadheat.report.grid import Column, Grid
from deadheat.report.style import Style
from deadheat.results import Board, Document

SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "[": "{[}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "`": r"\textasciigrave{}",
        "−": r"$-$",
        "–": "--",
        "—": "---",
        "…": r"\ldots{}",
        "α": r"$\alpha$",
        "Δ": r"$\Delta$",
        "τ": r"$\tau$",
        "·": r"$\cdot$",
        "≥": r"$\geq$",
        "×": r"$\times$",
    }
)
LAST_LATIN = "\u017f"
BESIDE_LETTERS = 10
"""Priority from which a column only repeats what the letters say, or is too wide for paper."""
LETTERS_NOTE = "Entries that share a letter are not separated from each other."


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write a booktabs table for every grid; the package booktabs is needed.

    Parameters
    ----------
    documents : tuple of Document
        Results in order.
    style : Style
        Not used: LaTeX looks the same everywhere.
    """
    return "\n".join(_document(document) for document in documents)


def escape(text: str) -> str:
    """Make a text stand for itself in LaTeX."""
    return text.translate(SPECIAL)


def letters(tie_lines: Sequence[Sequence[str]], order: Sequence[str]) -> dict[str, str]:
    """Give entries the letters of the tie lines that they are on; one that is on none gets its own.

    Parameters
    ----------
    tie_lines : sequence of sequences of str
        Maximal runs in which no pair is separated.
    order : sequence of str
        Entries of the board that were compared, in board order.
    """
    row = {entry: index for index, entry in enumerate(order)}
    covered = {entry for line in tie_lines for entry in line}
    lines = [list(line) for line in tie_lines] + [[entry] for entry in order if entry not in covered]
    lines.sort(key=lambda line: (row[line[0]], row[line[-1]]))
    out = dict.fromkeys(order, "")
    for index, line in enumerate(lines):
        for entry in line:
            out[entry] += _letter(index)
    return out


def _letter(index: int) -> str:
    """Count a, b, …, z, (27), (28), …"""
    return "abcdefghijklmnopqrstuvwxyz"[index] if index < 26 else f"({index + 1})"


def _document(document: Document) -> str:
    sheet = rows.sheet(document)
    grids = list(sheet.grids)
    remarks = list(sheet.notes)
    if isinstance(document, Board):
        for index, (_, part) in enumerate(rows_board.parts(document)):
            if part is None:
                continue
            compared = [score.entry for score in part.entries if score.value is not None]
            shared = letters(part.tie_lines, compared)
            marks = [score.letters or shared.get(score.entry, "") for score in part.entries]
            kept = tuple(column for column in grids[index].columns if column.priority < BESIDE_LETTERS)
            grids[index] = _with_letters(grids[index].only(kept), marks)
        remarks.insert(0, LETTERS_NOTE)
    blocks: list[str] = []
    foot = " ".join(escape(text) for text in words.printed((*remarks, *sheet.methods)))
    kind = document.schema.partition("/")[2].partition("@")[0]
    for index, grid in enumerate(grids):
        caption = escape(sheet.summary if index == 0 else grid.title or sheet.summary)
        blocks += [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            _label(kind, index),
            table(grid),
        ]
        if index == len(grids) - 1:
            blocks.append(rf"\par\smallskip\footnotesize {foot}")
        blocks.append(r"\end{table}")
    needs = "Needs \\usepackage{booktabs}."
    if any(character > LAST_LATIN for block in blocks for character in block):
        needs += (
            " Some characters are beyond pdfLaTeX: LuaLaTeX or XeLaTeX, with a font that has them, sets them."
        )
    said = methods_paragraph.latex(document, escape)
    lines = [*(f"% {line}" for line in (sheet.summary, needs)), *blocks, said]
    return "\n".join(filter(None, lines)) + "\n"


def _label(kind: str, index: int) -> str:
    """Name a table for references: ``tab:board``, ``tab:board-2``."""
    return rf"\label{{tab:{kind}{f'-{index + 1}' if index else ''}}}"


def _with_letters(grid: Grid, marks: Sequence[str]) -> Grid:
    """Put a column of letters behind the entries' scores."""
    at = [column.key for column in grid.columns].index("value") + 1
    columns = (*grid.columns[:at], Column("letters", "Letters", right=False), *grid.columns[at:])
    filled = tuple((*row[:at], mark, *row[at:]) for row, mark in zip(grid.rows, marks, strict=True))
    return replace(grid, columns=columns, rows=filled)


def table(grid: Grid) -> str:
    """Write a grid as a booktabs tabular.

    Parameters
    ----------
    grid : Grid
        Words, not yet escaped.
    """
    shape = "".join("r" if column.right else "l" for column in grid.columns)
    head = " & ".join(escape(column.title) for column in grid.columns)
    body = [" & ".join(escape(text) for text in row) + r" \\" for row in grid.rows]
    lines = [rf"\begin{{tabular}}{{@{{}}{shape}@{{}}}}", r"\toprule", head + r" \\", r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
