"""Standard input as a file: `-` among the paths."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from deadheat.errors import ReadError
from deadheat.output import scratch

NAME = "standard input"
PIPE = "<stdin>"  # what stands for - once the command line is parsed
# What the first bytes stand for; anything else is taken for CSV.
SUFFIXES = {b"{": ".jsonl", b"[": ".json", b"P": ".parquet"}


@cache
def spooled() -> Path:
    """Write standard input, once, to a temporary file that lives as long as the process.

    Returns
    -------
    Path
        A file called ``stdin`` whose suffix fits its first byte.
    """
    import shutil

    if sys.stdin is None:
        raise ReadError(f"{NAME}: it is closed; pipe results into it, or name a file")
    path = scratch() / "stdin"
    with path.open("wb") as stream:
        shutil.copyfileobj(sys.stdin.buffer, stream)
    with path.open("rb") as stream:
        first = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return path.rename(path.with_suffix(SUFFIXES.get(first, ".csv")))


def unpiped(paths: Sequence[str]) -> list[str]:
    """Put a file with what standard input holds where it was asked for."""
    return [str(spooled()) if path == PIPE else path for path in paths]


def named(text: str) -> str:
    """Call the temporary file by what it holds."""
    return text.replace(str(spooled()), NAME) if spooled.cache_info().currsize else text
