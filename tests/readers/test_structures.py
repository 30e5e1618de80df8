"""A field is dropped, retyped, renamed or written twice: no traceback, and no attempt goes unsaid."""

import copy
import json
import random
import shutil

import pytest

from deadheat.errors import DeadheatError
from deadheat.readers import read, readers
from formats_kit import FORMATS, cases
from fuzzing.fuzz_seeds import promises

TRIES = 14
VALUES = (None, True, 0, 7, -1, 2.5, "", "x", "1", [], [1], {}, {"a": 1})


def loaded(path):
    """Documents of a JSON file, or None for any other; the flag says JSON Lines."""
    if path.suffix not in (".json", ".jsonl"):
        return None, False
    text = path.read_text()
    try:
        return [json.loads(text)], False
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()], True


def fields(value, found=None):
    """Every (object, key) of a document."""
    found = [] if found is None else found
    if isinstance(value, dict):
        found += [(value, key) for key in value]
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        fields(inner, found)
    return found


def changed(documents, kind, rng):
    """Change one field; what was done, for the message."""
    holder, key = rng.choice(fields(documents))
    kind = "drop" if kind == "retype" and isinstance(holder[key], list | dict) else kind  # rows may lie in it
    what = f"{kind} {key!r} of {str(holder)[:60]}"
    if kind == "drop":
        del holder[key]
    elif kind == "retype":
        holder[key] = copy.deepcopy(rng.choice(VALUES))
    elif kind == "rename":
        for name, value in [(k, holder.pop(k)) for k in list(holder)]:
            holder[f"{name}_" if name == key else name] = value
    return what, key, kind


def attempts_of(case, path):
    """Attempts read and notes told, or None where the file is refused."""
    try:
        table = read(
            path, format=case.format if readers()[case.format].asked else None, options=case.options()
        )
    except DeadheatError:
        return None
    promises(table)
    told = [note.text for note in table.notes], table.unpublished
    return table.provenance().read, told, {file.format for file in table.files}


@pytest.mark.parametrize("format", FORMATS)
def test_a_changed_field_loses_no_attempt_unsaid(format, tmp_path):
    case = next(case for case in cases("read") if case.format == format)
    folder = tmp_path / "copy"
    shutil.copytree(case.folder, folder, ignore=shutil.ignore_patterns("case.toml", "expected*.csv"))
    path = folder / case.path
    files = [f for f in (sorted(path.rglob("*")) if path.is_dir() else [path]) if f.is_file()]
    files = [file for file in files if loaded(file)[0] and fields(loaded(file)[0])]
    before = attempts_of(case, path)
    rng = random.Random(format)
    for number in range(TRIES if files else 0):
        file = rng.choice(files)
        original = file.read_text()
        documents, lines = loaded(file)
        kind = ("drop", "retype", "rename", "twice")[number % 4]
        what, key, kind = changed(documents, kind, rng)
        text = "\n".join(map(json.dumps, documents)) if lines else json.dumps(documents[0])
        if kind == "twice":  # the same field once more, with another value
            mark = json.dumps(key) + ":"
            text = text.replace(mark, f"{mark} 0, {mark}", 1)
        file.write_text(text)
        after = attempts_of(case, path)
        file.write_text(original)
        if after is None or before is None or kind == "drop":
            continue  # an item's own key may have gone
        if after[2] != before[2]:
            continue  # now a file of another kind, perhaps a table of any origin
        assert after[0] >= before[0] or after[1] != before[1], (
            f"{file.name}: {what}: {before[0]} attempts became {after[0]}"
        )
