"""Lines for standard error, in which no name of a file or an entry can move the cursor or hide a word."""

from __future__ import annotations

import sys
from contextlib import suppress

from deadheat.cli.stdin import named


def say(text: str) -> None:
    """Write one line to standard error; where that is closed or full, nobody hears."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"deadheat: {inert(named(text))}", file=sys.stderr, flush=True)


def inert(text: str, *, lines: bool = False) -> str:
    r"""Show what a terminal would obey, such as the escape character of a name, as ``\x1b``.

    Parameters
    ----------
    text : str
    lines : bool
        Keep line breaks and tabs; else they become spaces.
    """
    from deadheat.report.names import SPACES, UNSEEN

    kept = "\n\t" if lines else ""
    text = text if lines else SPACES.sub(" ", text)
    return UNSEEN.sub(
        lambda found: part if (part := found[0]) in kept else part.encode("unicode_escape").decode(), text
    )
