"""A format as a description in TOML: where the rows are, and what is entry, item, sample and score."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Any, Literal

import msgspec

from deadheat.errors import MalformedFile
from deadheat.readers import xlsx
from deadheat.readers.base import PARQUET, Source
from deadheat.readers.expressions import Written, paths
from deadheat.readers.outline import outline
from deadheat.readers.paths import Path, parse
from deadheat.readers.table_head import header

VARIABLES = ("file", "stem", "folder", "path")  # what the place of a file says


class Marks(msgspec.Struct, forbid_unknown_fields=True):
    """What a file is recognised by: all that is said must hold.

    Parameters
    ----------
    keys : list of str
        Paths of a JSON document that stand in its first bytes, or columns of a table; ``a|b`` is either.
    without : list of str
        Paths that do not.
    kinds : mapping
        Path -> kinds, of which all values there are one: object, list, string, number, bool, null.
    name : str
        A regular expression for the end of the file's path.
    head : str
        A regular expression for the first bytes.
    beside : pair of str or None
        A pattern in the file's name and its replacement, which names a file that lies beside it.
    """

    keys: list[str] = []
    without: list[str] = []
    kinds: dict[str, list[str]] = {}
    name: str = ""
    head: str = ""
    beside: tuple[str, str] | None = None

    def fit(self, source: Source, table: Sequence[str]) -> bool:
        """Whether a file has all of these marks."""
        if self.name and not re.search(f"(?:{self.name})$", str(source.path.as_posix())):
            return False
        if self.beside is not None:
            other = source.path.with_name(re.sub(*self.beside, source.path.name))
            if other == source.path or not other.exists():
                return False
        if table:
            return all(any(name in table for name in key.split("|")) for key in self.keys)
        seen = outline(source.head)
        if (self.keys or self.kinds or self.without) and not seen.kind:
            return False
        return (
            all(seen.at(parse(key).head()) for key in self.keys)
            and not any(seen.at(parse(key).head()) for key in self.without)
            and all(_only(seen.at(parse(key).head()), kinds) for key, kinds in self.kinds.items())
            and (not self.head or re.search(self.head.encode(), source.head) is not None)
        )


def _only(found: set[str], kinds: list[str]) -> bool:
    return bool(found) and found <= set(kinds)


class Published(msgspec.Struct, forbid_unknown_fields=True):
    """A rate that the harness states itself.

    Parameters
    ----------
    path : str
        Where it stands.
    scale : float
        What it is multiplied by: 0.01 for per cent.
    beside : pair of str or None
        A pattern in the file's name and its replacement, where the rate stands in a file beside it.
    """

    path: str
    scale: float = 1.0
    beside: tuple[str, str] | None = None


class Side(msgspec.Struct, forbid_unknown_fields=True):
    """Files of one run that score the same items in several ways, of which one is read.

    Parameters
    ----------
    question : str
        What is asked: ``--choose QUESTION=NAME``.
    of : Written
        Where a file says which it is.
    first : str
        The one that is read where nothing is chosen, if its file lies beside.
    """

    question: str
    of: Written
    first: str


class Description(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One format; docs/formats/descriptions.md explains each field."""

    name: str
    title: str
    item: Written
    score: Written = ""
    recognise: list[Marks]
    companions: list[Marks] = []
    general: bool = False
    asked: bool = False
    table: bool = False
    rows: str | list[str] = ""
    members: dict[str, float | str] = {}
    layout: Literal["rows", "columns", "split"] = "rows"
    without: list[str] = []
    entry: Written = "{file}"
    sample: Written = ""
    values: dict[str, float | None] = {}
    missing: list[float | str] = []
    scale: float = 1.0
    range: tuple[float, float] | None = None
    right: str = ""
    of: str = ""
    question: str = "metric"
    lower_is_better: bool | None = None
    metrics: str = ""
    parts: list[str] = []
    side: Side | None = None
    combine: Literal["", "all"] = ""
    failed: dict[str, Any] = {}
    failed_unscored: dict[str, Any] = {}
    absent: dict[str, Any] = {}
    skip: dict[str, Any] = {}
    reason: Written = ""
    columns: dict[str, Written] = {}
    optional: dict[str, dict[str, Written]] = {}
    names: dict[str, str] = {}
    define: dict[str, Written] = {}
    task: Written = ""
    time: Written = ""
    published: Published | None = None
    note: dict[str, str] = {}
    says: dict[str, str] = {}
    about: str = ""
    variants: list[dict[str, Any]] = []

    def known(self) -> set[str]:
        """Names that a text in braces may hold besides paths."""
        ways = [self.rows] if isinstance(self.rows, str) else self.rows
        captured = (
            text for way in ways for kind, text in parse(way).steps if kind in ("list", "map") and text
        )
        return {*VARIABLES, *self.define, *captured, *(("member",) if self.members else ())}

    def ways(self) -> list[Path]:
        """Paths to the rows."""
        given = list(self.members) or ([self.rows] if isinstance(self.rows, str) else self.rows)
        return [parse(way) for way in given]

    def told(self, chosen: str) -> Written:
        """Where the reason stands, which may depend on the score that was chosen."""
        if isinstance(self.reason, dict) and not set(self.reason) & RULES:
            found: Written = self.reason.get(chosen, "")
            return found
        return self.reason

    def scores(self) -> dict[str, Written]:
        """Candidates for the score by their names; a single one has none."""
        if isinstance(self.score, dict) and not set(self.score) & RULES:
            return self.score
        return {"": self.score}


RULES = {"path", "match", "replace", "hash", "default", "choose", "equals", "all"}


def load(data: str, where: str) -> list[Description]:
    """Read a description, and its variants as descriptions of their own.

    Raises
    ------
    MalformedFile
        Naming the field that is none, or the path that cannot be parsed.
    """
    try:
        found = tomllib.loads(data)
    except tomllib.TOMLDecodeError as error:
        raise MalformedFile(f"{where}: not valid TOML: {error}") from error
    variants = found.pop("variants", [{}])
    try:
        read = [msgspec.convert(found | variant, Description) for variant in variants]
    except msgspec.ValidationError as error:
        raise MalformedFile(
            f"{where}: not a description of a format: {error} (docs/reference/descriptions.md)"
        ) from error
    for one in read:
        _check(one, where)
    return read


def _check(one: Description, where: str) -> None:
    """Parse every path once, so that a misspelt one is told before a file is read."""
    reasons = [one.told(name) for name in one.scores()]
    written = [one.entry, one.item, one.sample, *reasons, one.task, one.time, *one.columns.values()]
    written += [w for part in one.optional.values() for w in part.values()]
    written += [*one.scores().values(), *one.failed, *one.failed_unscored, *one.absent, *one.skip]
    written += [*one.define.values(), one.right, one.of]
    try:
        for part in written:
            list(paths(part, one.known()) if part else ())
        for mark in (*one.recognise, *one.companions):
            for key in (*mark.keys, *mark.without, *mark.kinds):
                parse(key)
            re.compile(mark.name)
            re.compile(mark.head.encode())
    except (MalformedFile, re.error) as error:
        raise MalformedFile(f"{where}: {error}") from error
    if not (one.score or one.of or one.members):
        raise MalformedFile(f"{where}: no score: a description has score, or right and of, or members")


def columns_of_table(source: Source) -> dict[str, str]:
    """Names and types of the columns of a CSV or Parquet file; empty for any other."""
    if xlsx.is_workbook(source):
        return dict.fromkeys([name for name in (xlsx.rows(source) or [[]])[0] if name], "VARCHAR")
    if not source.head.startswith(PARQUET):
        return dict.fromkeys(header(source), "VARCHAR")
    import duckdb

    try:
        scan = f"DESCRIBE FROM read_parquet({source.scanned})"
        return {row[0]: row[1] for row in source.connection.execute(scan).fetchall()}
    except duckdb.Error:
        return {}


def read_description(path: FilePath) -> list[Description]:
    """Read a description from a file of the user's."""
    try:
        data = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedFile(f"{path}: cannot be read as a description: {error}") from error
    return load(data, str(path))
