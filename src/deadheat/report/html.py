"""Documents as one self-contained page: it asks for nothing, and without scripts every number is there."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from deadheat.report import columns, csv, html_items, html_votes, json, numbers, pictures
from deadheat.report.figures import mark, place
from deadheat.report.html_board import sorts
from deadheat.report.html_pairs import pair_sorts
from deadheat.report.html_sections import TEMPLATES, environment, parts, section
from deadheat.report.names import clean, labels
from deadheat.report.payload import Packer, marks, pairs
from deadheat.report.style import PLAIN, Style
from deadheat.report.words import plural
from deadheat.results import Board, Category, Comparisons, Document, Outcomes, Pairs
from deadheat.results.items import Items
from deadheat.results.votes import VoteBoard

CSS = ("base", "board", "narrow", "pairs", "charts")
JS = (
    *("words", "payload", "axis", "sort", "matrix", "pair", "board", "address", "tips", "page"),
    *("item_map", "main"),
)


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write a page.

    Parameters
    ----------
    documents : tuple of Document
        Results in order; the first one's summary is the heading.
    style : Style
        Its title stands above the page.
    """
    return page_of(documents, style)


def page_of(documents: tuple[Document, ...], style: Style, names: tuple[str, ...] = ()) -> str:
    """Write a page of documents, each under its name where they have names.

    Parameters
    ----------
    documents : tuple of Document
    style : Style
    names : tuple of str
        Of all documents, or none.
    """
    from markupsafe import Markup

    first, packer = documents[0], Packer()
    last = max((at for at, each in enumerate(documents) if isinstance(each, Board)), default=-1)
    made = [
        section(each, f"b{at}", "h2" if at else "h1", name=name, explained=at == last)
        for at, (each, name) in enumerate(zip(documents, names or ("",) * len(documents), strict=True))
    ]
    boards = [_packed(packer, each, f"b{at}") for at, each in enumerate(documents)]
    found = {id: board for packed in boards for id, board in packed.items()}
    css = "\n".join([joined("css", CSS), *(each.css for each in made if each.css)])
    script = joined("js", JS)
    page = environment().get_template("page.html.j2")
    return page.render(
        title=clean(": ".join(part for part in (style.title, *names[:1], first.summary) if part)),
        version=clean(first.version),
        eyebrow=_eyebrow(first, style.title),
        sections=[Markup(each.text) for each in made],
        css=Markup(css),
        js=Markup(script),
        payload=packer.pack({"boards": found, "downloads": _downloads(documents)}),
        policy=_policy(script, css),
    )


@cache
def joined(kind: str, names: tuple[str, ...]) -> str:
    """Read style sheets or scripts, in order, as one text.

    Parameters
    ----------
    kind : str
        ``css`` or ``js``.
    names : tuple of str
        Files of that kind among the templates.
    """
    return "\n".join((TEMPLATES / f"{name}.{kind}").read_text(encoding="utf-8") for name in names)


def _packed(packer: Packer, document: Document, id: str) -> dict[str, Any]:
    """Pack what the tables of a document sort by, and the pairs of its boards."""
    if isinstance(document, Comparisons):
        return {id: {"sorts": {key: packer.add(at) for key, at in pair_sorts(document).items()}}}
    if isinstance(document, VoteBoard):
        return {id: {"sorts": {key: packer.add(at) for key, at in html_votes.sorts(document).items()}}}
    if isinstance(document, Items):
        return {id: {"map": html_items.picture(document)}}
    if not isinstance(document, Board):
        return {}
    board, out = document, {}
    for at, _, part in parts(board, id):
        held: dict[str, Any] = {
            "sorts": {key: packer.add(places) for key, places in sorts(board, part).items()}
        }
        if part.pairs is not None and len(part.pairs.entries) > 1:
            held |= _compared(packer, board, part, part.pairs)
        out[at] = held
    return out


def _compared(packer: Packer, board: Board, part: Board | Category, found: Pairs) -> dict[str, Any]:
    """Pack what a page needs to compare with any entry."""
    scale, methods, named = columns.scale(part.entries), board.methods, labels(part.entries)
    return {
        "scale": {
            "digits": scale.digits,
            "points": scale.points,
            "sign": -1 if board.estimand.lower_is_better else 1,
            "alpha": methods.alpha,
            "level": None if methods.level is None else numbers.level(methods.level),
        },
        "columns": [
            {"key": field.column.key, "form": field.form}
            for field in columns.of_board(board, part)
            if field.form
        ],
        "names": [named[entry] for entry in found.entries],
        "pairs": pairs(packer, found, scale, methods.alpha),
        "own": _own(packer, part),
        "outcomes": _outcomes(part.outcomes, found),
    }


def _own(packer: Packer, part: Board | Category) -> dict[str, Any] | None:
    """Pack the picture of every entry's own score."""
    drawn = pictures.board(part)
    if drawn is None:
        return None
    rows = zip(drawn.points, drawn.ends, strict=True)
    ticks = zip(drawn.axis.ticks, drawn.ticks, strict=True)
    return {
        "ticks": [[place(drawn.axis, tick), word] for tick, word in ticks],
        "marks": marks(packer, [mark(drawn.axis, point, ends) for point, ends in rows]),
    }


def _outcomes(found: Outcomes | None, of: Pairs) -> dict[str, Any] | None:
    if found is None:
        return None
    marks = [found.entries[entry] for entry in of.entries]
    return {"items": [clean(item) for item in found.items], "marks": marks}


def _downloads(documents: tuple[Document, ...]) -> dict[str, str]:
    """The same documents as CSV and JSON, without what only a page needs."""
    kept = tuple(
        bare(each) if isinstance(each, Board) else html_items.bare(each) if isinstance(each, Items) else each
        for each in documents
    )
    return {"csv": csv.render(kept, PLAIN), "json": json.render(kept, PLAIN)}


def bare(board: Board) -> Board:
    """Give a board without its pairs and outcomes, which only a page with scripts needs.

    Parameters
    ----------
    board : Board
        The result of ranking.
    """
    without = {"pairs": None, "outcomes": None}
    categories = board.categories
    if categories is not None:
        categories = {name: msgspec.structs.replace(part, **without) for name, part in categories.items()}
    weighted = {
        name: None if part is None else msgspec.structs.replace(part, **without)
        for name, part in (("micro", board.micro), ("macro", board.macro), ("composite", board.composite))
    }
    return msgspec.structs.replace(board, categories=categories, **weighted, **without)


def _eyebrow(document: Document, title: str | None) -> str:
    """Name the benchmark, and count what was compared on it."""
    found = [title or _origin(document)]
    if isinstance(document, Board):
        scored = [score for score in document.entries if score.value is not None]
        counts = [score.items for score in scored]
        items, samples = max(counts, default=0), max((score.samples for score in scored), default=0)
        same = min(counts, default=0) == items
        entries = f"{len(document.entries):,} {'entry' if len(document.entries) == 1 else 'entries'}"
        found += [entries, plural(items, "item") if same else f"{min(counts):,} to {items:,} items per entry"]
        found += ["one attempt per item"] if 0 < samples <= items and same else []
    else:
        found.insert(0, document.schema.partition("/")[2].partition("@")[0])
    return " · ".join(clean(part) for part in found if part)


def _origin(document: Document) -> str:
    """The name of the one file, or of the folder that holds all of them."""
    paths = [Path(file.path) for file in document.provenance.files]
    if len(paths) == 1:
        return paths[0].name
    folders = {path.parent for path in paths}
    if len(folders) == 1 and (name := folders.pop().name):
        return f"{name} ({len(paths):,} files)"
    return f"{len(paths):,} files" if paths else ""


def _policy(script: str, css: str) -> str:
    """Allow the page's own script and style by their hashes, and nothing else."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; script-src 'sha256-{digest(script)}'; style-src 'sha256-{digest(css)}'; "
        "base-uri 'none'; form-action 'none'"
    )
