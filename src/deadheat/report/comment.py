"""Comparisons as Markdown for a pull-request comment: a verdict, a table, and everything else folded."""

from __future__ import annotations

from deadheat.report import rows_comparison
from deadheat.report.markdown import escape, table
from deadheat.results import Comparisons

MARKER = "<!-- deadheat: comparison -->"
"""First line of a comment, by which the next run finds and replaces it."""


def comment(document: Comparisons) -> str:
    """Write comparisons for a pull request.

    Parameters
    ----------
    document : Comparisons

    Returns
    -------
    str
        Markdown; its first line is `MARKER`.
    """
    sheet = rows_comparison.sheet(document)
    blocks = [MARKER, f"### {_mark(document)} {escape(sheet.summary.split('. ')[0].rstrip('.'))}."]
    rest = sheet.summary.split(". ", 1)[1:]
    if rest:
        blocks.append(escape(rest[0]))
    gate = document.gate
    if gate is not None:
        blocks.append(
            escape(rows_comparison.gate_sentence(gate, rows_comparison.scale(document.comparisons)))
        )
    blocks.append(table(rows_comparison.table(document.comparisons, document.methods.alpha)))
    folded = []
    for grid in sheet.grids:
        folded.append(f"**{escape(grid.title)}**" if grid.title else "")
        folded.append(table(grid))
    folded.append("\n".join(f"- {escape(note)}" for note in sheet.notes))
    folded.append("\n".join(f"*{escape(line)}*  " for line in sheet.methods).rstrip())
    inside = "\n\n".join(part for part in folded if part)
    blocks.append(f"<details><summary>Numbers, doubts and methods</summary>\n\n{inside}\n\n</details>")
    return "\n\n".join(blocks) + "\n"


def _mark(document: Comparisons) -> str:
    """A sign that can be seen before a word is read; a gate's where there is one."""
    if document.gate is not None:
        return "❌" if document.gate.failed else "✅"
    verdicts = {pair.verdict for pair in document.comparisons}
    if verdicts == {"a"}:
        return "🔼"
    return "🔽" if "b" in verdicts else "↔️"
