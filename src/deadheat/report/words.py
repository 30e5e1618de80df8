"""The words for methods, estimands, sources and doubts that stand under every table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from deadheat.estimand import Estimand
from deadheat.methods import Kind, title
from deadheat.report import numbers
from deadheat.report.names import clean
from deadheat.results import Board, Comparison, Comparisons, Document, Note, Score

IN_JSON_ALONE = {"set-aside", "constant", "nothing-visible", "no-difference"}
"""Notes of a board's comparisons on numbers that its table does not show."""


ADVICE = re.compile(r"(?<!\S)--[a-z]|`deadheat ")
"""What only a command line can act on: not for paper."""
BESIDE = {"ppi++": "PPI++", "fisher-z": "Fisher's z", "permutation": "permutation test"}
"""Titles of methods that cannot be asked for by name."""


def method(name: str, kind: Kind = "interval") -> str:
    """Give a method the name that its literature uses, or its own; ``holm, simultaneous`` has two parts."""
    return ", ".join(title(kind, part) or BESIDE.get(part) or clean(part) for part in name.split(", "))


def methods(document: Document) -> tuple[str, ...]:
    """Say what the numbers are about, how they were made and from what; one line each.

    Parameters
    ----------
    document : Document
        Any result document.
    """
    used = document.methods
    parts = []
    if used.interval:
        level = f"{numbers.level(used.level)} " if used.level else ""
        parts.append(f"{level}{method(used.interval)} intervals")
    if used.test:
        parts.append(method(used.test, "test") + (f", α = {used.alpha:g}" if used.alpha is not None else ""))
    if used.adjust:
        parts.append(
            "p-values not adjusted"
            if used.adjust == "none"
            else f"p-values adjusted by {method(used.adjust, 'adjustment')}"
        )
    if used.rank:
        parts.append(f"rank intervals: {method(used.rank, 'adjustment')}")
    if used.draws:
        parts.append(f"{used.draws:,} draws")
    if used.seed is not None:
        parts.append(f"seed {used.seed}")
    about = isinstance(document, (Board, Comparisons)) or document.estimand != Estimand()
    lines = [
        document.estimand.describe() if about else "",
        " · ".join(parts),
        columns(document),
        source(document),
    ]
    return tuple(line for line in lines if line)


def columns(document: Document) -> str:
    """Say which columns of the files were taken for what, where their names are not the usual ones."""
    taken = [
        f"{clean(name)} as {clean(part)}"
        for name, part in document.provenance.columns.items()
        if name != part
    ]
    return f"columns read: {', '.join(taken)}" if taken else ""


def source(document: Document) -> str:
    """Count what was read and what became of it; the counts are shown even when they are 0."""
    made, version = document.provenance, f"deadheat {document.version}"
    if not made.files and not made.read:
        return version
    files = f" from {plural(len(made.files), 'file')}" if made.files else ""
    counts = f"{made.failed:,} failed · {made.absent:,} absent · {made.excluded:,} excluded"
    return f"{plural(made.read, 'attempt')} read{files} · {counts} · {version}"


def plural(number: int, noun: str) -> str:
    """Write a count with its noun: ``1 file``, ``2,294 items``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def notes(
    own: Iterable[Note], entries: Iterable[Score] = (), labels: Mapping[str, str] | None = None
) -> list[str]:
    """List the doubts of a board and of its entries; those that entries share are said once.

    Parameters
    ----------
    own : iterable of Note
        Notes of the whole, which come first.
    entries : iterable of Score
        Lines of a board, whose notes and comparison notes follow.
    labels : mapping, optional
        Names to show for entries.
    """
    named = labels or {}
    owners: dict[Note, dict[str, None]] = {}
    for score in entries:
        compared = score.vs_anchor.notes if score.vs_anchor else ()
        for note in (*score.notes, *(note for note in compared if note.code not in IN_JSON_ALONE)):
            owners.setdefault(note, {})[named.get(score.entry, clean(score.entry))] = None
    lines = [clean(note.text) for note in own]
    lines += [f"{listed(list(who))}: {clean(note.text)}" for note, who in owners.items()]
    return list(dict.fromkeys(lines))


def comparison_notes(comparisons: Iterable[Comparison]) -> list[str]:
    """List the doubts of comparisons, each said once, with the pairs that it is about."""
    owners: dict[Note, list[str]] = {}
    for each in comparisons:
        for note in (note for note in each.notes if note.code != "set-aside"):  # one note says it for all
            owners.setdefault(note, []).append(f"{clean(each.a)} – {clean(each.b)}")
    return [f"{listed(who)}: {clean(note.text)}" for note, who in owners.items()]


def listed(names: list[str], most: int = 3) -> str:
    """Join names, and count those that are too many to list."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def separation(who: str, open_: int, tested: int, of: int, *, adjusted: bool) -> str:
    """Say from how many of the `tested` (1 or more) of `of` other entries the tests do not separate one."""
    able = " that it can be compared with" * (tested < of)
    if tested == 1:
        one = "one entry" if able else "other entry"
        return f"By the two-sided test {who} is {'not ' * bool(open_)}separated from the {one}{able}"
    how = "All pairs adjusted together" if adjusted else "One pair at a time"
    apart = f"{open_:,} of the" if open_ < tested else "any of the"
    told = f"is not separated from {apart}" if open_ else "is separated from each of the"
    return f"{how}, {who} {told} {tested:,} other entries{able}"


def printed(texts: Sequence[str]) -> list[str]:
    """Turn notes into sentences for paper, without what only a command line can act on.

    ``with --cluster COLUMN`` becomes ``clustered by COLUMN``; any other clause or bracket that names an
    option or a command goes, and so does a note of which nothing is left.

    Parameters
    ----------
    texts : sequence of str
    """
    found = []
    for text in texts:
        told = re.sub(r"with --cluster (\S+)", r"clustered by \1,", text)
        told = re.sub(r"\s*\([^()]*--[a-z][^()]*\)", "", told)
        clauses = re.split(r"(?<=[;:,]) ", told)
        while clauses and ADVICE.search(clauses[-1]):
            clauses.pop()
        told = " ".join(clauses).rstrip(";:,.")
        if told and not ADVICE.search(told):
            symbol = told[1:2] in ("", " ")  # p, k and α stay small
            found.append(f"{told if symbol else told[:1].upper() + told[1:]}.")
    return found
