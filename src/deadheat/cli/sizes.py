"""Sizes of memory as a user writes them."""

from __future__ import annotations

import re

from deadheat.cli.usage import UsageError


def size(text: str) -> int:
    """Bytes of a size such as 500MB or 2 GB, in binary units; at least 16 MB.

    Raises
    ------
    UsageError
        For a text that is no size.
    """
    found = re.fullmatch(r"(\d{1,9}) ?([KMGT])i?B", text.strip(), re.IGNORECASE)
    memory = int(found[1]) << " KMGT".index(found[2].upper()) * 10 if found else 0
    if memory < 16 * 2**20:
        raise UsageError(f"--memory takes a size of at least 16MB, such as 500MB or 8GB; found {text!r}")
    return memory
