"""`deadheat demo`: the main job on a board that ships with the package."""

from __future__ import annotations

import msgspec

from deadheat.cli.options import Answer, Output, Reading


def demo(*, output: Output | None = None) -> Answer:
    """Rank a small simulated board: invented entries, made-up results."""
    from deadheat.demo import BOARD
    from deadheat.ranking import rank
    from deadheat.results import Note

    output = output or Output()
    page = output.chosen() == "html"
    board = rank(Reading().table([str(BOARD)]), every_pair=page)
    note = Note(code="simulated", text="simulated data: the entries are invented, and no real system was run")
    return Answer([msgspec.structs.replace(board, notes=(note, *board.notes))], output)
