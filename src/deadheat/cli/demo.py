"""`deadheat demo`: the main job on a board that ships with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from deadheat.cli.options import OUTPUT, Answer, Output, Reading


def demo(
    *,
    copy: Annotated[
        Path | None, Parameter(group=OUTPUT, help="Also write the board's results, a CSV file, to this file")
    ] = None,
    output: Output | None = None,
) -> Answer:
    """Rank a small simulated board: invented entries, made-up results."""
    from deadheat.demo import BOARD
    from deadheat.ranking.verb import rank
    from deadheat.results import Note

    output = output or Output()
    page = output.chosen() == "html"
    board = rank(Reading().table([str(BOARD)]), every_pair=page)
    note = Note(code="simulated", text="simulated data: the entries are invented, and no real system was run")
    files = {} if copy is None else {copy: BOARD.read_text(encoding="utf-8")}
    return Answer([msgspec.structs.replace(board, notes=(note, *board.notes))], output, files=files)
