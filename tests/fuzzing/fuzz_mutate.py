"""Mutations that know what a document is: a value, a row or a cell is changed, the rest stays valid."""

from __future__ import annotations

import copy
import json
import random

RAW = {
    "@1": "1e400",
    "@2": "-1e400",
    "@3": "9" * 5000,
    "@4": "NaN",
    "@5": "Infinity",
    "@6": "1e-400",
    "@7": "-0",
}
VALUES = (
    *RAW,
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    0.5,
    1.0000001,
    -0.0,
    1e308,
    5e-324,
    2**31,
    2**63,
    -(2**63),
    10**30,
    [],
    {},
    "",
    " ",
    "0",
    "1",
    "0,5",
    "true",
    "nan",
    "inf",
    "a",
    "b",
    "q1",
    "=1+1",
    "<b>",
    "\0",
    "\x1b[31m",
    "a\nb",
    "\u202e",
    "e\u0301",
    "x" * 2000,
    "../../x",
    "2026-13-45T99:99:99Z",
    [[[[[]]]]],
    {"a": {"b": None}},
)


def mutate(content: bytes, seed: int, length: int) -> bytes | None:
    """Change a document in a few places; None where its kind is not known or the result is too long."""
    rng = random.Random(seed)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    changed = _json(text, rng) or _json_lines(text, rng) or _rows(text, rng)
    found = changed.encode() if changed else None
    return found if found and len(found) <= length else None


def _json(text: str, rng: random.Random) -> str | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        value = _changed(value, rng)
    try:
        return _written(value, rng)
    except (ValueError, RecursionError):
        return None


def _written(value, rng: random.Random) -> str:
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    for mark, raw in RAW.items():
        text = text.replace(f'"{mark}"', raw)
    return text


def _changed(value, rng: random.Random):
    """Walk down a random path and change what is there."""
    places = _places(value)
    if not places or rng.random() < 0.02:
        return copy.deepcopy(rng.choice(VALUES))
    holder, key = rng.choice(places)
    kind = rng.random()
    if kind < 0.55:
        holder[key] = copy.deepcopy(rng.choice(VALUES))
    elif kind < 0.7:
        del holder[key]
    elif kind < 0.85:
        other, place = rng.choice(places)
        if key in holder if isinstance(holder, dict) else key < len(holder):
            holder[key] = copy.deepcopy(other[place])
    elif isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(holder[key]))
    else:
        name = rng.choice(["x", "", key + " ", key.upper(), "score", "item", "entry", "\0"])
        holder[name] = copy.deepcopy(holder[key])
    return value


def _places(value, limit: int = 20_000) -> list:
    """Every (holder, key) of a document."""
    found, waiting = [], [value]
    while waiting and len(found) < limit:
        held = waiting.pop()
        keys = held.keys() if isinstance(held, dict) else range(len(held)) if isinstance(held, list) else ()
        for key in keys:
            found.append((held, key))
            waiting.append(held[key])
    return found


def _json_lines(text: str, rng: random.Random) -> str | None:
    lines = text.split("\n")
    if not text.lstrip().startswith("{"):
        return None
    at = rng.randrange(len(lines))
    kind = rng.random()
    if kind < 0.1:
        lines.insert(at, rng.choice(lines))
    elif kind < 0.2:
        del lines[at]
    else:
        lines[at] = _json(lines[at], rng) or rng.choice(["", "{}", "[]", "null", "1", "{"])
    return "\n".join(lines)


def _rows(text: str, rng: random.Random) -> str | None:
    """A table with a delimiter: a cell, a row or a column is changed."""
    lines = text.split("\n")
    delimiter = max("\t;|,", key=lines[0].count)
    if delimiter not in lines[0]:
        return None
    rows = [line.split(delimiter) for line in lines]
    row = rng.choice(rows)
    kind = rng.random()
    cell = rng.choice(
        [*map(str, VALUES), *RAW.values(), '"', '"a', "'", delimiter, "\r", "1e5", "0x10", "1_0"]
    )
    if kind < 0.6:
        row[rng.randrange(len(row))] = cell
    elif kind < 0.7:
        rows.insert(rng.randrange(len(rows)), list(row))
    elif kind < 0.8:
        row.append(cell)
    elif kind < 0.9:
        row.pop()
    else:
        name = rng.choice(
            ["item", "score", "entry", "sample", "status", "weight", "cluster", "category", "answer"]
        )
        rows[0][rng.randrange(len(rows[0]))] = name
    return "\n".join(delimiter.join(cells) for cells in rows)
