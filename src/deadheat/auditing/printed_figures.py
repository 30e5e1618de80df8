"""A table of published figures: rates, errors and counts as somebody printed them, digits included."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import msgspec

from deadheat.data.publication import Number, Stated
from deadheat.errors import MalformedFile, ReadError

NAMES: dict[str, tuple[str, ...]] = {
    "entry": ("model", "model_name", "system", "agent", "submission", "folder", "name"),
    "rate": ("score", "accuracy", "acc", "value", "published", "resolved", "pass_rate", "win_rate", "mean"),
    "se": ("stderr", "std_err", "standard_error", "acc_stderr", "sem"),
    "n": ("items", "total", "n_items", "num_samples", "attempts"),
    "right": ("correct", "k", "solved", "count", "correct_count", "passed"),
    "wins": ("win", "n_wins"),
    "losses": ("loss", "n_losses"),
    "draws": ("draw", "ties", "n_draws"),
    "metric": (),
}
PASS_AT = re.compile(r"pass(?:@|_at_|_hat_|\^)(\d+)")


def read_stated(path: Path) -> tuple[Stated, ...]:
    """Read a table of published figures: CSV, TSV, JSON or JSON Lines with a row an entry.

    Parameters
    ----------
    path : Path
        Columns `entry`, `rate`, and, if present, `se`, `n`, `right`, `wins`, `losses`, `draws`, `metric`
        (usual other names are understood); a column `pass@5` or a metric `pass@5` states that metric.
        Rates above 1, with a % sign, or beside others above 1 are in per cent.

    Raises
    ------
    ReadError, MalformedFile
        A file that is missing, or no such table.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise MalformedFile(f"{path}: not UTF-8 text; save the file as UTF-8") from error
    rows = _rows(text, path)
    found = [
        figure for number, row in enumerate(rows, 1) for figure in _figures(row, f"{path}: row {number}")
    ]
    if not found:
        raise MalformedFile(
            f"{path}: no published figures; a table of them has a row an entry with columns entry, rate and "
            "any of se, n, right, wins, losses, draws, metric"
        )
    percent = any(f.rate is not None and f.rate.value > 1 for f in found)
    return tuple(_scaled(f) for f in found) if percent else tuple(found)


def _rows(text: str, path: Path) -> list[Mapping[str, Any]]:
    """Rows with every number as it was written."""
    try:
        if text.lstrip().startswith(("[", "{")):
            raws = _json_rows(text)
            return [{key: _word(raw) for key, raw in row.items()} for row in raws]
        dialect = "excel-tab" if path.name.lower().endswith(".tsv") else "excel"
        return list(csv.DictReader(io.StringIO(text), dialect=dialect))
    except (msgspec.DecodeError, csv.Error) as error:
        raise MalformedFile(f"{path}: not a table of published figures: {error}") from error


def _json_rows(text: str) -> list[dict[str, msgspec.Raw]]:
    if text.lstrip().startswith("["):
        return msgspec.json.decode(text, type=list[dict[str, msgspec.Raw]])
    lines = [line for line in text.splitlines() if line.strip()]
    return [msgspec.json.decode(line, type=dict[str, msgspec.Raw]) for line in lines]


def _word(raw: msgspec.Raw) -> str:
    text = bytes(raw).decode()
    if text.startswith('"'):
        return str(msgspec.json.decode(text))
    return "" if text == "null" else text


def _figures(row: Mapping[str, Any], where: str) -> list[Stated]:
    words = {
        str(key).strip().lower().replace(" ", "_"): str(value or "").strip() for key, value in row.items()
    }
    said = {}
    for part, others in NAMES.items():
        said[part] = next((words[name] for name in (part, *others) if words.get(name)), "")
    if not said["entry"]:
        raise MalformedFile(f"{where}: names no entry; found the columns {', '.join(words)}")
    rates = {name: word for name, word in words.items() if word and PASS_AT.fullmatch(name)}
    if said["rate"] or not rates:
        rates = {"": said["rate"], **rates}
    made = []
    for name, word in rates.items():
        metric = PASS_AT.fullmatch(name or said["metric"].lower())
        made.append(
            Stated(
                entry=said["entry"],
                rate=_number(word, where),
                se=_number(said["se"], where) if not name else None,
                n=_count(said["n"], where),
                right=_count(said["right"], where) if not name else None,
                wins=_count(said["wins"], where),
                losses=_count(said["losses"], where),
                draws=_count(said["draws"], where),
                k=int(metric[1]) if metric else None,
                hat=metric is not None and ("^" in metric[0] or "hat" in metric[0]),
            )
        )
    return made


def _number(word: str, where: str) -> Number | None:
    if word in ("", "N/A", "n/a", "-", "—", "[]"):
        return None
    try:
        number = Decimal(word.removesuffix("%").strip())
    except InvalidOperation:
        raise MalformedFile(f"{where}: not a number: {word!r}") from None
    if not number.is_finite():
        raise MalformedFile(f"{where}: not a finite number: {word!r}")
    if word.endswith("%"):
        number = number.scaleb(-2)
    return Number(float(number), max(0, -int(number.as_tuple().exponent)))


def _count(word: str, where: str) -> int | None:
    if not word:
        return None
    try:
        return int(word)
    except ValueError:
        raise MalformedFile(f"{where}: not a whole number: {word!r}") from None


def _scaled(figure: Stated) -> Stated:
    """Bring per cent to [0, 1]."""
    from dataclasses import replace

    def part(number: Number | None) -> Number | None:
        return None if number is None else Number(number.value / 100, number.decimals + 2)

    return replace(figure, rate=part(figure.rate), se=part(figure.se))
