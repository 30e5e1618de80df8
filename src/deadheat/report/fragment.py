"""An annotated board as HTML to paste into a site: table, note, style and a sort that puts dashes last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from deadheat.report import numbers, phrases
from deadheat.report.names import clean, labels
from deadheat.results import Score
from deadheat.results.annotation import Annotation, SiteBoard, SiteLine

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Cell:
    """What a cell shows, the number it sorts by (nothing for none), and what it says when asked."""

    text: str
    value: str = ""
    tip: str = ""


@dataclass(frozen=True)
class Column:
    """A heading, how it sorts when first clicked, and whether the table comes sorted by it."""

    title: str
    first: str = "ascending"
    tip: str = ""
    text: bool = False
    sorted: bool = False


@dataclass(frozen=True)
class Row:
    """An entry's line."""

    name: str
    kind: str
    place: Cell
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A board ready for its template."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: tuple[str, ...]
    withheld: tuple[str, ...]
    withheld_title: str = phrases.WITHHELD


def fragment(annotation: Annotation, boards: Sequence[str] = ()) -> str:
    """Write boards as HTML that can be pasted into any page.

    Parameters
    ----------
    annotation : Annotation
    boards : sequence of str
        Names of the boards; empty takes all that have per-item results, or else all.

    Returns
    -------
    str
        Sections, one style element and one script; no request leaves it, and colours follow the page.
    """
    chosen = list(boards) or [name for name, b in annotation.boards.items() if b.statistics.with_items]
    made = [table(clean(name), annotation.boards[name]) for name in chosen or annotation.boards]
    said = [board.note for board in made]
    shared = [line for line in said[0] if all(line in note for note in said)] if len(said) > 1 else []
    made = [replace(board, note=tuple(line for line in board.note if line not in shared)) for board in made]
    css, js = _own("fragment.css"), _own("fragment.js")
    return _render("fragment.html.j2", boards=made, shared=shared, css=css, js=js)


def _render(template: str, **values: object) -> str:
    from jinja2 import Environment, FileSystemLoader

    place = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, keep_trailing_newline=True)
    return place.get_template(template).render(values)


def _own(name: str) -> str:
    """Read a style or script of ours, which holds nothing of anybody's data."""
    from markupsafe import Markup

    return Markup((TEMPLATES / name).read_text("utf-8"))


def table(title: str, board: SiteBoard) -> Table:
    """Put one board into words, best published rate first."""
    statistics = board.statistics
    lines = sorted(
        board.entries.values(), key=lambda line: (line.published is None, -(line.published or 0.0))
    )
    named = labels(Score(entry=line.entry, name=line.name) for line in lines)
    digits = max((_digits(line.published) for line in lines), default=1)
    columns = [
        Column("#"),
        Column("Entry", text=True),
        Column("Rate %", first="descending", sorted=True, tip=phrases.RATE_TIP),
    ]
    if statistics.columns:
        columns += [
            Column(phrases.SE_TITLE, tip=phrases.SE_TIP),
            Column(phrases.TIE_TITLE, tip=phrases.TIE_TIP),
        ]
    return Table(
        title=title,
        columns=tuple(columns),
        rows=tuple(_row(line, board, named, digits) for line in lines),
        note=tuple(clean(line) for line in statistics.note),
        withheld=tuple(clean(f"{named[w.entry]}: {w.reason}") for w in statistics.withheld),
    )


def _digits(published: float | None) -> int:
    text = "" if published is None else f"{published:.2f}".rstrip("0")
    return max(1, len(text.partition(".")[2]))


def _row(line: SiteLine, board: SiteBoard, named: Mapping[str, str], digits: int) -> Row:
    statistics = board.statistics
    rate = line.published
    if rate is None:
        place, shown = (
            Cell(phrases.DASH, tip=phrases.NO_RATE),
            Cell(phrases.DASH, tip=phrases.NO_RATE),
        )
    else:
        above = sum(
            other.published is not None and other.published > rate for other in board.entries.values()
        )
        place, shown = Cell(str(above + 1), str(above + 1)), Cell(f"{rate:.{digits}f}", repr(rate))
    own = line.entry == statistics.anchor
    kinds = ["dh-top"] if statistics.columns and line.group == 1 else []
    kinds += ["dh-anchor"] if statistics.columns and own else []
    cells = (shown, _se(line), _tie(line, board, named)) if statistics.columns else (shown,)
    return Row(named[line.entry], " ".join(kinds), place, cells)


def _se(line: SiteLine) -> Cell:
    if line.se is None:
        return Cell(phrases.DASH, tip=clean(phrases.withheld(line.reason)))
    return Cell(f"± {line.se:.2f}", repr(line.se), phrases.se_cell(line.se, line.n))


def _tie(line: SiteLine, board: SiteBoard, named: Mapping[str, str]) -> Cell:
    if line.group is None or line.anchor is None:
        return Cell(phrases.DASH, tip=clean(phrases.withheld(line.reason)))
    alpha = board.statistics.alpha
    tip = phrases.tie_cell(
        group=line.group,
        members=len(board.statistics.groups[line.group - 1].members),
        anchor=None if line.anchor == line.entry else named[line.anchor],
        p=numbers.p_phrase(line.p, line.log10_p, alpha),
        a_only=line.a_only,
        b_only=line.b_only,
        shared=line.shared or 0,
    )
    return Cell(str(line.group), str(line.group), clean(tip))
