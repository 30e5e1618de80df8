"""Comparisons as Markdown for a pull-request comment: a verdict, a table, and everything else folded."""

from __future__ import annotations

from deadheat.report import rows_comparison
from deadheat.report.markdown import escape, table
from deadheat.report.names import clean
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
    blocks = [MARKER, f"### {_mark(document)} {escape(_heading(document))}", escape(sheet.summary)]
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


def _heading(document: Comparisons) -> str:
    """Say in a few words what came out; the sentences follow."""
    pairs = document.comparisons
    if len(pairs) == 1:
        a, b = clean(pairs[0].a), clean(pairs[0].b)
        names = {"a": f"{a} is ahead of {b}", "b": f"{a} is behind {b}"}
        return names.get(pairs[0].verdict or "", f"{a} and {b}: {pairs[0].verdict or 'not compared'}")
    found = [pair.verdict for pair in pairs]
    told = (("a", "ahead"), ("b", "behind"), ("not separated", "not separated"), (None, "not compared"))
    return ", ".join(f"{found.count(key)} {word}" for key, word in told if key in found)


def _mark(document: Comparisons) -> str:
    """A sign that can be seen before a word is read; a gate's where there is one."""
    if document.gate is not None:
        return "❌" if document.gate.failed else "✅"
    verdicts = {pair.verdict for pair in document.comparisons}
    if verdicts == {"a"}:
        return "🔼"
    return "🔽" if "b" in verdicts else "↔️"
