"""No file that a command reads is written by it: its outputs are held against all else that it names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path

from deadheat.cli.usage import UsageError

# Parameters that name a file to be written; any other text or path may name an input.
WRITTEN = ("output", "html", "comment", "copy", "resume")
PAGES = (".html", ".md", ".tex", ".txt", ".pdf", ".png", ".svg")  # which no reader reads


def separate(arguments: Mapping[str, object]) -> None:
    """Refuse a command line on which one file is written and read, or written twice.

    Parameters
    ----------
    arguments : mapping of str to object
        Of a verb, by their names.

    Raises
    ------
    UsageError
    """
    named = list(_named(arguments))
    outputs = [Path(value) for name, value in named if name in WRITTEN]
    inputs = [Path(part) for name, value in named if name not in WRITTEN for part in _paths(value)]
    for at, output in enumerate(outputs):
        keep_apart(output, inputs)
        if any(_same(output, other) for other in outputs[:at]):
            raise UsageError(f"{output} is named for two outputs; name a file for each")


def keep_apart(output: Path, inputs: Sequence[Path]) -> None:
    """Refuse an output that is one of the inputs, or that lies among the files of one.

    Raises
    ------
    UsageError
    """
    for path in inputs:
        if path.is_dir():
            real = Path(os.path.realpath(output))
            within = output.exists() and real.is_relative_to(os.path.realpath(path))
            if within and output.suffix.lower() not in PAGES:
                raise UsageError(
                    f"{output} is in the folder {path}, which is read: an input is never written to; name a "
                    "file outside it"
                )
        elif _same(output, path):
            raise UsageError(
                f"{output} is read by this command, and an input is never written to; name another file"
            )


def _named(arguments: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Every text and path among the arguments, with the name of its parameter."""
    for name, value in arguments.items():
        if is_dataclass(value) and not isinstance(value, type):
            yield from _named({field.name: getattr(value, field.name) for field in fields(value)})
        elif isinstance(value, str | Path):
            yield name, str(value)
        elif isinstance(value, list | tuple):
            yield from ((name, str(each)) for each in value if isinstance(each, str | Path))


def _paths(value: str) -> Iterator[str]:
    """What an argument may name: ``path``, or the path of ``name=path``."""
    yield value
    if "=" in value:
        yield value.partition("=")[2]


def _same(path: Path, other: Path) -> bool:
    try:
        one, two = path.stat(), other.stat()
    except (OSError, ValueError):
        return False
    # A device or a pipe holds nothing that could be lost.
    return path.is_file() and os.path.samestat(one, two)
