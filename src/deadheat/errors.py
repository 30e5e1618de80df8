"""Every error that deadheat raises on purpose; only the command line catches them.

DeadheatError
├── ReadError                 a file that could not be read
│   ├── UnknownFormat         nothing recognises it, or two formats claim it
│   ├── MalformedFile         recognised, but broken at a stated line or key
│   └── MissingExtra          needs an optional dependency
├── DataError(ValueError)     readable, but not what was asked for
│   ├── DuplicateAttempt      the same entry, item and sample twice
│   ├── MissingScore          a score that is not a finite number
│   └── NothingShared         no item in common
└── MethodError(ValueError)   a method asked of data that it does not fit
"""

from __future__ import annotations

from collections.abc import Sequence


class DeadheatError(Exception):
    """Base of all errors; its text says what was asked, what was found and what would do."""


class ReadError(DeadheatError):
    """A file or folder that could not be read."""


class UnknownFormat(ReadError):  # noqa: N818 - the names are part of the public contract
    """No reader recognises the file, or more than one does."""


class MalformedFile(ReadError):  # noqa: N818
    """A recognised file that is broken; the text names the file and the line or key."""


class MissingExtra(ReadError):  # noqa: N818
    """An optional dependency is not installed; the text names the extra."""


class DataError(DeadheatError, ValueError):
    """Data that was read but cannot answer what was asked."""


class DuplicateAttempt(DataError):  # noqa: N818
    """The same entry, item and sample occurs more than once."""


class MissingScore(DataError):  # noqa: N818
    """A score that is not a finite number.

    Parameters
    ----------
    message : str
    counts : dict of str to int
        Rows in all, and how many are scored, missing or invalid, where they were counted.
    """

    def __init__(self, message: str, counts: dict[str, int] | None = None) -> None:
        super().__init__(message)
        self.counts = counts or {}


class NothingShared(DataError):  # noqa: N818
    """Entries that have no item in common."""


class MethodError(DeadheatError, ValueError):
    """A statistical method asked of data that it does not fit."""


def listed(words: Sequence[str], most: int = 5) -> str:
    """List a few words, and count the rest."""
    few = list(words[:most])
    if len(words) > most:
        return f"{', '.join(few)} and {len(words) - most:,} more"
    return " and ".join([", ".join(few[:-1]), few[-1]] if len(few) > 1 else few)
