"""What a scan stumbled over, in one line: which file, which line, and what is wrong there."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deadheat.readers.base import Source

if TYPE_CHECKING:
    import duckdb


def explain(error: duckdb.Error, sources: Sequence[Source]) -> str:
    """Turn DuckDB's account of a broken file into ours.

    Parameters
    ----------
    error : duckdb.Error
    sources : sequence of Source
        The files that were being read.
    """
    text = str(error).split("\n\n")[0].replace("\n", " ")
    text = re.sub(r"^(Conversion|Invalid Input|IO|Parser|Binder) Error: ", "", text)
    text = re.sub(r"CSV Error on Line: (\d+) ", r"line \1: ", text)
    if "sniffing file" in text:
        text = "not a regular table: rows differ in their number of columns, or a quote is left open"
    if "not utf-8" in text:
        text = re.sub(r"Original Line: .*", "not UTF-8 text; save the file as UTF-8", text)
    if "Unexpected end of GZIP" in text:
        text = "the gzip file is truncated"
    for source in sources:
        if str(source.path) in str(error):
            text = text.replace(f'in file "{source.path}", ', "")
            return f"{source.path}: {_broken_line(source) or text}"
    return text


def _broken_line(source: Source) -> str | None:
    """Say which line of a JSON Lines file is no JSON; None if none is, or the file is of another kind."""
    if source.suffix not in (".jsonl", ".ndjson"):
        return None
    number, whole, wrong = 0, 0, None
    try:
        with source.open() as stream:
            for number, line in enumerate(stream, 1):
                if wrong is not None:
                    return f"line {wrong[0]}: {wrong[1]}"
                if line.strip():
                    wrong = _fault(number, line)
                    whole += wrong is None
    except (EOFError, OSError):
        return None
    if wrong is None:
        return None
    return f"line {wrong[0]}: incomplete last line, so a partial file; {whole} complete rows before it"


def _fault(number: int, line: bytes) -> tuple[int, str] | None:
    try:
        json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        return number, f"not valid JSON ({error})"
    return None
