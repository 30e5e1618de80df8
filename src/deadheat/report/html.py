"""Documents as one self-contained page: it asks for nothing, and without scripts every number is there."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from deadheat.report import csv, html_board, json, rows, rows_board, rows_firsts
from deadheat.report.names import clean, labels
from deadheat.report.payload import Packer, pairs
from deadheat.report.style import PLAIN, Style
from deadheat.results import Board, Category, Document, Outcomes, Pairs

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
CSS = ("base", "board", "narrow", "pairs")
JS = ("words", "payload", "axis", "sort", "matrix", "pair", "board", "tips", "page", "main")


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write a page.

    Parameters
    ----------
    documents : tuple of Document
        Results in order; the first one's summary is the heading.
    style : Style
        Not used: a page adapts to where it is shown.
    """
    packer, sections = Packer(), []
    boards: dict[str, Any] = {}
    for number, document in enumerate(documents):
        sections.append(section(document, f"b{number}", "h1" if number == 0 else "h2"))
        if isinstance(document, Board):
            boards |= _packed(packer, document, f"b{number}")
    first = documents[0]
    head = {"boards": boards, "downloads": _downloads(documents)}
    script = _joined("js", JS)
    css = _joined("css", CSS)
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=f"{clean(first.summary)} – deadheat",
            version=clean(first.version),
            eyebrow=_eyebrow(first),
            sections=sections,
            css=_safe(css),
            js=_safe(script),
            payload=packer.pack(head),
            policy=_policy(script, css),
        )
    )


def section(document: Document, id: str, heading: str) -> Any:
    """Write the part of a page that belongs to one document.

    Parameters
    ----------
    document : Document
        Any result document.
    id : str
        Prefix of element ids.
    heading : str
        Name of the heading element that its summary stands in.
    """
    sheet = rows.sheet(document)
    name, more = "sheet.html.j2", {}
    if isinstance(document, Board):
        name = "board.html.j2"
        lead = rows_board.winner(document)
        sheet = replace(sheet, notes=tuple(note for note in sheet.notes if note not in lead))
        more = {
            "views": [html_board.view(document, part, at, title) for at, title, part in _parts(document, id)],
            "lead": lead,
            "firsts": [rows_firsts.grid(document.firsts, labels(document.entries), document.methods.alpha)]
            if document.firsts
            else [],
        }
    text = _environment().get_template(name).render(document=document, sheet=sheet, heading=heading, **more)
    return _safe(text)


def _parts(board: Board, id: str) -> list[tuple[str, str | None, Board | Category]]:
    """Every board of a document with an id and a title of its own."""
    found = [(name, part) for name, part in rows_board.parts(board) if part is not None]
    return [(f"{id}-{at}" if at else id, name or None, part) for at, (name, part) in enumerate(found)]


def _packed(packer: Packer, board: Board, id: str) -> dict[str, Any]:
    """Pack all boards of a document that know their pairs."""
    out = {}
    for part_id, _, part in _parts(board, id):
        if part.pairs is None:
            continue
        scale = rows_board.scale(part.entries)
        level = board.methods.level
        out[part_id] = {
            "scale": {
                "digits": scale.digits,
                "points": scale.points,
                "alpha": board.methods.alpha,
                "level": None if level is None else f"{100 * level:.6g} %",
            },
            "pairs": pairs(packer, part.pairs, scale, board.methods.alpha),
            "outcomes": _outcomes(part.outcomes, part.pairs),
        }
    return out


def _outcomes(found: Outcomes | None, of: Pairs) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "items": [clean(item) for item in found.items],
        "marks": [found.entries[entry] for entry in of.entries],
    }


def _downloads(documents: tuple[Document, ...]) -> dict[str, str]:
    """The same documents as CSV and JSON, without what only a page needs."""
    bare = tuple(
        msgspec.structs.replace(document, pairs=None, outcomes=None)
        if isinstance(document, Board)
        else document
        for document in documents
    )
    return {"csv": csv.render(bare, PLAIN), "json": json.render(bare, PLAIN)}


def _eyebrow(document: Document) -> str:
    """Name the kind of document and the files behind it."""
    kind = document.schema.partition("/")[2].partition("@")[0]
    files = [clean(Path(file.path).name) for file in document.provenance.files]
    shown = ", ".join(files[:3]) + (f" and {len(files) - 3} more files" if len(files) > 3 else "")
    return f"deadheat {clean(kind)}" + (f" · {shown}" if shown else "")


def _policy(script: str, css: str) -> str:
    """Allow the page's own script and style by their hashes, and nothing else."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; script-src 'sha256-{digest(script)}'; style-src 'sha256-{digest(css)}'; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _joined(kind: str, names: tuple[str, ...]) -> str:
    return "\n".join((TEMPLATES / f"{name}.{kind}").read_text(encoding="utf-8") for name in names)


@cache
def _environment() -> Environment:
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


def _safe(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)
