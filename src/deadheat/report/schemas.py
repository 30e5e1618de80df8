"""JSON Schemas of all documents, generated from the result types: ``python -m deadheat.report.schemas``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from deadheat.results import Board, Comparisons, Coverage, Document, Plan, Study
from deadheat.results.annotation import Annotation
from deadheat.results.audit import Audit
from deadheat.results.history import Records
from deadheat.results.items import Items
from deadheat.results.votes import VoteBoard, VoteComparisons
from deadheat.results.watch import Watch

FOLDER = Path(__file__).resolve().parent.parent / "schemas"
DOCUMENTS: tuple[type[Document], ...] = (
    Board,
    Comparisons,
    Plan,
    Coverage,
    Study,
    Audit,
    Annotation,
    Watch,
    VoteBoard,
    VoteComparisons,
    Records,
    Items,
)


def schema(document: type[Document]) -> dict[str, Any]:
    """Describe the JSON of one type of document.

    Every key is required, for documents write all of them; more may be added in later versions.

    Parameters
    ----------
    document : type
        A subclass of Document.
    """
    built = msgspec.json.schema(document)
    tag = _tag(document)
    top = built["$defs"].pop(document.__name__)
    for part in (top, *built["$defs"].values()):
        if "properties" in part:
            part["required"] = list(part["properties"])
    top["properties"]["schema"] = {"const": tag}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{tag.replace('/', ':')}",
        **top,
        "$defs": built["$defs"],
    }


def files() -> Iterator[tuple[Path, str]]:
    """Give path and text of every schema file: ``board-1.json`` for ``deadheat/board@1``."""
    for document in DOCUMENTS:
        name = _tag(document).removeprefix("deadheat/").replace("@", "-")
        yield FOLDER / f"{name}.json", json.dumps(schema(document), indent=2, ensure_ascii=False) + "\n"


def _tag(document: type[Document]) -> str:
    return next(str(field.default) for field in msgspec.structs.fields(document) if field.name == "schema")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in files():
        path.write_text(text, encoding="utf-8")
