"""How text is to look: its width, whether it may use colour and characters beyond ASCII."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import IO


@dataclass(frozen=True)
class Style:
    """What a renderer is told about the place its text goes to.

    Parameters
    ----------
    width : int
        Columns of a terminal; other formats have no width.
    colour : bool
        Terminal colours may be used.
    unicode : bool
        Characters beyond ASCII may be used.
    title : str or None
        Name of the benchmark, which stands above a page.
    """

    width: int = 100
    colour: bool = False
    unicode: bool = True
    title: str | None = None

    @classmethod
    def of(cls, stream: IO[str]) -> Style:
        """Read the style off an output stream: colour only on a terminal and without NO_COLOR."""
        terminal = stream.isatty()
        encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
        return cls(
            width=shutil.get_terminal_size((100, 24)).columns,
            colour=terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
            unicode=encoding.startswith("utf"),
        )


PLAIN = Style()
