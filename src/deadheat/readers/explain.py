"""What a scan stumbled over, in one line: which file, which line, and what is wrong there."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deadheat.readers.base import Source, damage

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
    whole = str(error)
    for source in sources:
        whole = source.renamed(whole)
    text = whole.split("\n\n")[0].replace("\n", " ")
    text = re.sub(r"^(Conversion|Invalid Input|IO|Parser|Binder) Error: ", "", text)
    text = re.sub(r" Try setting .*", "", text)
    text = re.sub(r"CSV Error on Line: (\d+) ", r"line \1: ", text)
    if "sniffing file" in text:
        text = (
            "not a regular table: rows differ in their number of columns, a quote is left open, or lines end "
            "in two ways"
        )
    if "Maximum line size" in text or "does not support a full read" in text:
        text = "a line is longer than 2,000,000 bytes, the most that a table of text may have"
    if "No magic bytes" in text:
        text = "the Parquet file is truncated or corrupt: its end is missing"
    if text.startswith("Out of Memory Error"):
        return (
            f"{', '.join(str(source.path) for source in sources[:3])}: reading needs more memory, or room on "
            "disk, than it may use; --memory SIZE raises the limit"
        )
    if "not utf-8" in text:
        text = re.sub(r"Original Line: .*", "not UTF-8 text; save the file as UTF-8", text)
    if "Unexpected end of GZIP" in text:
        text = "the gzip file is truncated"
    for source in sources:
        if str(source.path) in whole:
            text = text.replace(f'in file "{source.path}", ', "")
            return f"{source.path}: {_broken_line(source) or _broken_row(source) or text}"
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
    except OSError:
        return None
    except damage():
        return None
    if wrong is None:
        return None
    return f"line {wrong[0]}: incomplete last line, so a partial file; {whole} complete rows before it"


def _broken_row(source: Source) -> str | None:
    """Say which row of a delimited file is not as its header says; None if none, or of another kind."""
    if source.suffix not in (".csv", ".tsv", ".txt"):
        return None
    csv.field_size_limit(2**31 - 1)  # a long cell is no fault of a quote
    try:
        with io.TextIOWrapper(source.open(), "utf-8-sig", "replace", newline="") as stream:
            delimiter = max("\t;|,", key=stream.readline().count)
            stream.seek(0)
            rows = csv.reader(stream, delimiter=delimiter, strict=True)
            header = next(rows)
            while True:
                number = rows.line_num + 1
                try:
                    row = next(rows)
                except csv.Error:
                    return f"line {number}: a quote is left open, or text follows one"
                if row and len(row) != len(header):
                    return f"line {number}: {len(row)} cells where the header has {len(header)}"
    except (OSError, StopIteration, csv.Error):
        return None
    except damage():
        return None


def _fault(number: int, line: bytes) -> tuple[int, str] | None:
    try:
        json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        return number, f"not valid JSON ({error})"
    return None
