"""A description in words: what it recognises, and what counts as entry, item, sample and score."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from deadheat.readers.description import Description, Marks
from deadheat.readers.expressions import Written


def says(one: Description) -> dict[str, str]:
    """What counts as each, in words: those of the description, else its paths."""
    scored = [
        f"{one.question}={name}: {gloss(w)}" if name else gloss(w) for name, w in one.scores().items() if w
    ]
    scored += [f"listed in {gloss(path)} = {value}" for path, value in one.members.items()]
    if one.of:
        scored.insert(0, f"{one.right} of {one.of} samples are 1, the others 0")
    values = "".join(f"; {word} = {value:g}" for word, value in one.values.items())
    samples = {"": "place in the list" if "[]" in str(one.score) else "one", "#": "order among equal rows"}
    found = {
        "recognised": "; or ".join(map(_marked, one.recognise)),
        "entry": gloss(one.entry),
        "item": gloss(one.item),
        "sample": samples[one.sample] if one.sample in ("", "#") else gloss(one.sample),
        "score": " or ".join(scored) + values,
        "failed": _rules(one.failed | one.failed_unscored) or "not told apart",
        "absent": "; ".join([*filter(None, [_rules(one.absent)]), *map(str, one.missing), "no score"]),
    }
    return found | one.says


def _marked(mark: Marks) -> str:
    kinds = [f"only {' or '.join(kinds)} at {key}" for key, kinds in mark.kinds.items()]
    named = [f"a file {mark.name}"] if mark.name else []
    return "; ".join([*filter(None, [", ".join(mark.keys)]), *kinds, *named]) or mark.head


def _rules(rules: Mapping[str, Any]) -> str:
    words = {"*": "is set", "!": "is not set"}
    return "; ".join(
        f"{gloss(path)} {words.get(str(wanted)) or 'is ' + ' or '.join(map(str, wanted))}"
        for path, wanted in rules.items()
    )


def gloss(written: Written) -> str:
    """Write a path, or what a rule makes of it, in words."""
    if isinstance(written, list):
        return ", else ".join(map(gloss, written))
    if isinstance(written, str):
        places = {
            "{file}": "file or folder name",
            "{stem}": "file name",
            "{folder}": "folder",
            ".": "the value",
        }
        return places.get(written, re.sub(r":\w+\??$", "", written))
    if "equals" in written:
        return f"1 if {' equals '.join(map(gloss, written['equals']))}"
    if "all" in written:
        return f"all of {', '.join(map(gloss, written['all']))}"
    return f"a hash of {gloss(written['path'])}" if written.get("hash") else gloss(written.get("path", ""))
