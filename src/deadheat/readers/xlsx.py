"""The first sheet of an .xlsx workbook as rows of text: as much of the format as tables of results use."""

from __future__ import annotations

import re
import zipfile
import zlib
from typing import TYPE_CHECKING

from deadheat.errors import MalformedFile
from deadheat.readers.base import ZIP, Source, too_large

if TYPE_CHECKING:
    from xml.etree import ElementTree

SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


def is_workbook(source: Source) -> bool:
    """Whether a file is such a workbook, by its name and first bytes."""
    return source.suffix == ".xlsx" and source.head.startswith(ZIP)


def rows(source: Source) -> list[list[str | None]]:
    """Read every row; a cell without a value is None.

    Raises
    ------
    MalformedFile
        For a broken workbook, or one that unpacks to more than the memory allows.
    """
    try:
        with zipfile.ZipFile(source.path) as book:
            sizes = {info.filename: info.file_size for info in book.infolist()}
            if sum(sizes.get(name, 0) for name in (SHEET, STRINGS)) > source.memory:
                raise MalformedFile(f"{source.path}: {too_large(source.memory)}")
            shared = [_text(one) for one in _parsed(book.read(STRINGS), source)] if STRINGS in sizes else []
            sheet = _parsed(book.read(SHEET), source)
        return [_cells(row, shared) for row in sheet.iter() if row.tag.endswith("}row")]
    except _BROKEN as error:
        raise MalformedFile(f"{source.path}: the workbook is truncated or corrupt ({error})") from error


def _parsed(data: bytes, source: Source) -> ElementTree.Element:
    from xml.etree import ElementTree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise MalformedFile(f"{source.path}: declares a document type, which is refused")
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise ValueError(str(error)) from error


def _text(node: ElementTree.Element) -> str:
    return "".join(part.text or "" for part in node.iter() if part.tag.endswith("}t"))


def _cells(row: ElementTree.Element, shared: list[str]) -> list[str | None]:
    """Values of a row in the place of their columns: `C5` is the third."""
    found: list[str | None] = []
    for cell in row:
        letters = re.match(r"[A-Z]+", cell.get("r", ""))
        at = len(found)
        if letters:
            at = 0
            for letter in letters[0]:
                at = 26 * at + ord(letter) - ord("A") + 1
            at -= 1
        found += [None] * (at + 1 - len(found))
        value = next((part.text for part in cell if part.tag.endswith("}v")), None)
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            value = _text(cell)
        elif kind == "s" and value is not None:
            value = shared[int(value)] if int(value) < len(shared) else None
        elif kind == "b" and value is not None:
            value = "true" if value == "1" else "false"
        found[at] = value or None
    return found
