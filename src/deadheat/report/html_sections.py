"""The part of a page that belongs to one document: its template, what that is told, its own styles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deadheat.report import (
    columns,
    html_board,
    html_categories,
    html_charts,
    html_pairs,
    html_records,
    html_studies,
    html_votes,
    numbers,
    pictures,
    rows,
    rows_audit,
    rows_board,
    rows_costs,
    rows_curves,
    rows_uncertainty,
    words,
)
from deadheat.report.grid import Sheet
from deadheat.report.names import clean, cores, labels
from deadheat.results import Board, Category, Comparisons, Coverage, Document, Plan, Study
from deadheat.results.annotation import HIDDEN
from deadheat.results.audit import Audit
from deadheat.results.claims import PossibleBest
from deadheat.results.history import Records
from deadheat.results.items import Items
from deadheat.results.votes import VoteBoard

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Section:
    """HTML and the style rules that only it needs."""

    text: str
    css: str = ""


@dataclass(frozen=True)
class Fact:
    """A number that a page shows large, and the words under it."""

    number: str
    words: str


@dataclass(frozen=True)
class Summary:
    """What a document says first: its first sentence is the heading, the others stand under it."""

    first: str
    rest: str

    @classmethod
    def of(cls, text: str, name: str = "") -> Summary:
        """Split a text behind its first sentence, which begins with a name where there is one."""
        first, stop, rest = text.partition(". ")
        told = ": ".join(part for part in (clean(name) if name else "", first) if part)
        return cls(told + "." if stop else told, rest)


def section(document: Document, id: str, heading: str, *, name: str = "", explained: bool = True) -> Section:
    """Write the part of a page that belongs to one document.

    Parameters
    ----------
    document : Document
        Any result document.
    id : str
        Prefix of element ids.
    heading : str
        Name of the heading element that its summary stands in.
    name : str
        Of the document, where a page has several.
    explained : bool
        Say how to read a board: once a page is enough.
    """
    sheet = rows.sheet(document)
    if isinstance(document, Board):
        return _board(document, sheet, id, heading, name, explained)
    charts: list[html_charts.Chart | html_studies.Curves] = []
    view = None
    if isinstance(document, Comparisons):
        view = html_pairs.versus_one(document, id)
    elif isinstance(document, VoteBoard):
        view = html_votes.view(document, id)
    if isinstance(document, Comparisons) and view is None:
        charts = [*html_charts.comparisons(document)]
    elif isinstance(document, Coverage):
        charts = list(html_charts.coverage(document))
    elif isinstance(document, Plan):
        charts = list(html_charts.plan(document))
    elif isinstance(document, Study):
        charts = html_studies.charts(document)
    elif isinstance(document, Records):
        charts = list(html_records.charts(document))
    if isinstance(document, Comparisons):
        charts += rows_curves.pictures(document.comparisons)
    text = fill(
        "sheet.html.j2",
        document=document,
        sheet=sheet,
        tag=heading,
        facts=_facts_of(document),
        view=view,
        charts=charts,
        map=isinstance(document, Items) and document.outcomes is not None,
        id=id,
        summary=Summary.of(sheet.summary, name),
    )
    css = [chart.css(f"{id}-c{at}") for at, chart in enumerate(charts)]
    return Section(text, "\n".join([*css, *([view.css] if view else [])]))


def _facts_of(document: Document) -> list[Fact]:
    """Count the verdicts of several comparisons, and the findings of an audit by what to do."""
    if isinstance(document, Comparisons) and len(document.comparisons) > 1:
        found: list[str | None] = [pair.verdict for pair in document.comparisons]
        against = {pair.b for pair in document.comparisons}
        base = f"the baseline {clean(against.pop())}" if len(against) == 1 else "their baselines"
        told = (
            ("a", f"ahead of {base}"),
            ("b", f"behind {base}"),
            ("not separated", f"not separated from {base}"),
            (None, f"not compared with {base}"),
        )
        counts = [(found.count(verdict), text) for verdict, text in told]
        return [Fact(f"{number:,} of {len(found):,}", text) for number, text in counts if number]
    if isinstance(document, Audit):
        told_of = [(grid.title or "", len(grid.rows)) for grid in rows_audit.findings(document)]
        return [Fact(words.plural(number, "finding"), title) for title, number in told_of]
    return []


def _board(document: Board, sheet: Sheet, id: str, heading: str, name: str, explained: bool) -> Section:
    named, scale = labels(document.entries), columns.scale(document.entries)
    lead = rows_uncertainty.standing(document, scale, named)
    lead += [clean(note.text) for note in document.notes if note.code == HIDDEN]
    beside = [rows_uncertainty.chances(document, named)] if document.chances else []
    beside += rows_uncertainty.grids(document, scale, named)
    views = [html_board.view(document, part, at, title) for at, title, part in parts(document, id)]
    text = fill(
        "board.html.j2",
        id=id,
        document=document,
        sheet=replace(sheet, notes=tuple(note for note in sheet.notes if note not in lead)),
        tag=heading,
        summary=Summary.of(sheet.summary if document.summary else "", name),
        facts=facts(document),
        views=views,
        lead=lead,
        first=[rows_board.firsts(document, cores(named))] if document.firsts else [],
        beside=beside,
        costs=[] if document.cost is None else rows_costs.picture(document.cost, scale),
        name=clean(name) if name else "",
        explained=explained,
        overview=html_categories.overview(document),
        repeated=any(score.samples > score.items for score in document.entries),
    )
    return Section(text, "\n".join(view.css for view in views))


def facts(board: Board) -> list[Fact]:
    """Give a board's first numbers: what these items detect, how many may be best, how many items decide.

    Parameters
    ----------
    board : Board
        The result of ranking.
    """
    scale, found = columns.scale(board.entries), []
    second = next((score for score in board.entries[1:] if score.vs_anchor and score.value is not None), None)
    size = None if second is None else pictures.visible(board)[board.entries.index(second)]
    if size is not None and second is not None:
        over = words.plural(second.vs_anchor.items if second.vs_anchor else 0, "item")
        text = f"is the smallest true difference between the first two that {over} detect (80 % power)"
        found.append(Fact(f"{scale.size(size)} {scale.points}".rstrip(), text))
    for claim in board.claims:
        if isinstance(claim, PossibleBest) and claim.of > 1:
            some = len(claim.entries) < claim.of
            sure = f"{numbers.level(claim.level)} confidence"
            text = f"of {claim.of:,} entries may be the best ({'★; ' if some else ''}{sure})"
            found.append(Fact(f"{len(claim.entries):,}{' ★' if some else ''}", text))
    leads = [first.strict for first in board.firsts if first.part in (board.categories or {})]
    if leads:
        text = "category leads are separated from the second place"
        found.append(Fact(f"{leads.count(True):,} of {len(leads):,}", text))
    needed = None if board.pairs is None else board.pairs.items_to_separate
    if needed is not None:
        text = "would separate the first two (80 % power) if their observed difference is true"
        found.append(Fact(f"≈ {needed:,} items", text))
    return found


def parts(board: Board, id: str) -> list[tuple[str, str | None, Board | Category]]:
    """Give every board of a document an id and, but for the whole, a title.

    Parameters
    ----------
    board : Board
        The whole.
    id : str
        Id of the whole and prefix of the others.
    """
    found = [(name, part) for name, part in rows_board.parts(board) if part is not None]
    return [(f"{id}-{at}" if at else id, name or None, part) for at, (name, part) in enumerate(found)]


def fill(template: str, **values: Any) -> str:
    """Fill a template; every text in it is escaped."""
    return environment().get_template(template).render(**values)


@cache
def environment() -> Environment:
    """Give the one template environment: autoescape on, and a name that is missing is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    made.filters["inert"] = clean
    return made
