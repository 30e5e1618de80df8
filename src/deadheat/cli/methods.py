"""`deadheat methods`: the paragraph of methods of results that were saved as JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from deadheat.cli.options import OUTPUT, Answer, Output, some
from deadheat.cli.stdin import PIPE
from deadheat.errors import ReadError


def methods(
    *paths: Annotated[
        str, Parameter(help="Results that --json wrote, such as board.json; - reads standard input")
    ],
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="Write to this file, whole or not at all"),
    ] = None,
) -> Answer:
    """Write how a result was made in sentences for a paper, and the works that they cite as BibTeX.

    --format methods of a verb writes the same without a file between; --format latex puts it below the table.
    """
    some(paths)
    from deadheat.report import json, render

    documents = [document for path in paths for document in json.read(_bytes(path), path)]
    return Answer([], Output(output=output), text=render(documents, "methods"))


def _bytes(path: str) -> bytes:
    if path == PIPE:
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ReadError(f"{path}: {error.strerror}") from error
