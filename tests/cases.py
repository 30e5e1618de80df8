"""Run a file of cases from public bug reports: `python tests/cases.py FILE` ends with `N passed, N failed`.

A case asks one question (`op`) of the package and holds the right answer. Numbers are compared within the
case's tolerance; `null` means that the number must be withheld with a reason; `flag`, `note` and such give
the sense of a reason, so ours must be there and share a telling word with it.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from case_ops import OPS

SENSES = ("flag", "note", "error", "reason", "reasons", "display", "assert", "mcnemar")
TINY = {"the", "and", "not", "for", "with", "are", "has", "have", "all", "one", "such", "null"}


def words(text: object) -> set[str]:
    """Telling words of a reason, cut to their stems; `n<k` stands for itself."""
    found = re.findall(r"[a-z]{3,}|\w<\w", str(text).lower())
    return {word[:5] for word in found if word not in TINY}


def same_sense(expected: object, got: object) -> bool:
    """Whether a reason is given, and speaks of the same thing."""
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(same_sense, expected, got))
    return bool(got) and (not words(expected) or bool(words(expected) & words(got)))


def tolerance_of(tolerance: dict, key: str) -> dict:
    """The tolerance of one key: of its own, or the case's; exact where neither says."""
    own = tolerance.get(key, tolerance)
    return own if isinstance(own, dict) and set(own) <= {"abs", "rel"} else {"abs": 1e-9}


def close(expected: float, got: object, tolerance: dict) -> bool:
    """Whether a number is right."""
    if isinstance(got, bool) or not isinstance(got, int | float):
        return False
    return abs(got - expected) <= max(tolerance.get("abs", 0.0), tolerance.get("rel", 0.0) * abs(expected))


def differences(expected: object, got: object, tolerance: dict, where: str = "") -> list[str]:
    """Say where an answer differs from the right one; empty if nowhere."""
    key = where.rsplit(".", 1)[-1]
    if key in SENSES and isinstance(expected, str | list):
        return [] if same_sense(expected, got) else [f"{where}: {expected!r} asked for, {got!r} found"]
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return [f"{where}: a table asked for, {got!r} found"]
        return [
            line
            for name, value in expected.items()
            for line in (
                differences(value, got[name], tolerance_of(tolerance, name), f"{where}.{name}".strip("."))
                if name in got
                else [f"{where}.{name}: nothing found".strip(".")]
            )
        ]
    if isinstance(expected, list):
        if not isinstance(got, list | tuple) or len(got) != len(expected):
            return [f"{where}: {expected!r} asked for, {got!r} found"]
        return [
            line
            for i, value in enumerate(expected)
            for line in differences(value, got[i], tolerance, f"{where}[{i}]")
        ]
    if isinstance(expected, bool) or expected is None or isinstance(expected, str):
        return (
            []
            if got == expected and type(got) is type(expected)
            else [f"{where}: {expected!r} asked for, {got!r} found"]
        )
    return [] if close(expected, got, tolerance) else [f"{where}: {expected!r} asked for, {got!r} found"]


def withheld_without_reason(expected: dict, got: dict) -> list[str]:
    """A number that is withheld says why, somewhere in the same answer."""
    bare = any(value is None for value in expected.values()) and not any(got.get(sense) for sense in SENSES)
    return ["a number is withheld without a reason"] if bare else []


def run(case: dict) -> list[str]:
    """Answer one case and list what is wrong with the answer."""
    asked = case["input"]
    op = OPS.get(asked["op"])
    if op is None:
        return [f"no such op: {asked['op']}"]
    try:
        got = op(asked)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    return differences(case["expected"], got, case.get("tolerance", {})) + withheld_without_reason(
        case["expected"], got
    )


def main(path: str) -> int:
    cases = json.loads(Path(path).read_text())["cases"]
    failed = 0
    for case in cases:
        wrong = run(case)
        failed += bool(wrong)
        for line in wrong:
            print(f"{case['id']} ({case['input']['op']}): {line}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
