"""Comparisons as Markdown for a pull-request comment: a verdict, a table, and everything else folded."""

from __future__ import annotations

from deadheat.report import columns, numbers, rows_comparison
from deadheat.report.markdown import escape, table
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results import Comparisons, Gate

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
    gate = document.gate
    if gate is not None:
        blocks.append(escape(_gate(gate, columns.scale_of_pairs(document.comparisons))))
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


def _gate(found: Gate, how: Scale) -> str:
    """Say the same of a gate in a sentence."""
    text = f"Gate {'failed' if found.failed else 'passed'}: it {found.rule}."
    if found.false_alarm is not None:
        text += f" It fails {numbers.share(found.false_alarm)} of candidates that are no different"
        if found.drop is not None and found.power is not None:
            size = f"{how.size(found.drop)} {how.points}".rstrip()
            text += f", and {numbers.share(found.power)} of those with a true loss of {size}"
        text += "."
    if found.items_needed is not None:
        text += f" For 80 % power at this margin it needs about {numbers.count(found.items_needed)} items."
    return text
