"""Where a leaderboard document keeps its boards, entries, published rates and per-item results."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from deadheat.errors import MalformedFile, ReadError


class Layout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping from our words to a document's keys; the defaults are those of the SWE-bench site.

    A path such as ``results.verified`` leads through objects; an empty one stands for the whole.

    Parameters
    ----------
    boards : str or None
        Path of the list of boards; None where the document is one board.
    board : str or None
        Key of a board's name.
    entries : str
        Path, within a board, of its entries: a list, or an object keyed by entry.
    entry : str or None
        Key of what identifies an entry; None for the key of an object of entries.
    name : str or None
        Key of the name that readers see.
    published : str or None
        Path of the published rate.
    scale : str
        ``percent`` or ``fraction``: what the published rate is in.
    items : str
        Path of an entry's per-item results: an object keyed by item, or a list of objects.
    item : str or None
        Key of the item's id, where they are a list.
    score : str or None
        Key of the outcome within an item's result; None where the result is the outcome.
    file : str or None
        Where per-item results lie in a file for each entry: its path from the document's folder, in which
        ``{key}`` stands for what the entry says under that key. `items` then leads within that file.
    """

    boards: str | None = "leaderboards"
    board: str | None = "name"
    entries: str = "results"
    entry: str | None = "folder"
    name: str | None = "name"
    published: str | None = "resolved"
    scale: Literal["percent", "fraction"] = "percent"
    items: str = "per_instance_details"
    item: str | None = None
    score: str | None = "resolved"
    file: str | None = None


SWEBENCH = Layout()


def read_layout(path: Path) -> Layout:
    """Read a mapping file: a JSON object with some of the fields of `Layout`.

    Raises
    ------
    ReadError, MalformedFile
        A file that is missing, no JSON, or has a key that Layout does not know.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Layout)
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened ({error.strerror})") from error
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        known = ", ".join(Layout.__struct_fields__)
        raise MalformedFile(
            f"{path}: not a layout: {error!s:.300}; it is an object with keys of: {known}"
        ) from error


def reach(value: Any, path: str | None, default: Any = None) -> Any:
    """Follow a path of keys through objects; `default` where it leads nowhere."""
    for key in path.split(".") if path else ():
        if not isinstance(value, dict) or key not in value:
            return default
        value = value[key]
    return value
