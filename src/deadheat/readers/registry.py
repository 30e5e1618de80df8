"""Every reader by name: a description is added by its file, a module by a line, a package by entry point."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from deadheat.data import engine
from deadheat.errors import UnknownFormat
from deadheat.readers.base import PARQUET, Reader, Source

BUILT_IN = (
    "tabular",
    "swebench_site",
    "swebench_experiments",
    "inspect_ai",
    "lm_eval",
    "swebench_report",
    "helm",
    "tau2_bench",
    "terminal_bench",
    "bfcl",
    "alpaca_eval",
    "promptfoo",
    "deepeval",
    "openai_evals",
    "every_eval_ever",
    "opencompass",
    "lighteval",
    "junit",
    "sieval",
    "promptfoo_csv",
    "rewardbench",
    "judgebench",
)
# Those that also claim a file which is JSON neither by its suffix nor by its first byte, with what is in its
# name or among its first bytes (an empty text is in every name); a test holds the others to it.
BEYOND_JSON: dict[str, str | bytes] = {
    "tabular": "",
    "inspect_ai": ".eval",
    "sieval": ".idx",
    "alpaca_eval": "leaderboard.csv",
    "promptfoo_csv": b"Grader Reason",
    "junit": b"<testsuite",
    "lighteval": PARQUET,
    "langsmith": b"example_id",
    "ragas": b"contexts",
    "vlmevalkit": "",
}
JSON = (".json", ".jsonl", ".ndjson")
DESCRIPTIONS = Path(__file__).parent / "descriptions"


def readers() -> dict[str, Reader]:
    """Every reader by name: those of this package and those other packages offer.

    A package adds formats with an entry point in the group ``deadheat.readers`` that names a `Reader`, or a
    tuple of them. One that cannot be used is passed over; `passed_over` names it.
    """
    return _loaded()[0]


def passed_over() -> tuple[str, ...]:
    """Say which readers of other packages cannot be used, and why; nothing before anyone asked for them."""
    return _loaded()[1] if _loaded.cache_info().currsize else ()


@cache
def _loaded() -> tuple[dict[str, Reader], tuple[str, ...]]:
    found = {reader.name: reader for module in (*BUILT_IN, *descriptions()) for reader in _of(module)}
    broken = []
    for point in _offered():
        origin = f"the reader {point.name} of the package {point.dist.name if point.dist else point.value}"
        try:
            offered = point.load()
        except Exception as error:  # whatever a package does when it is imported
            broken.append(f"{origin} cannot be loaded: {type(error).__name__}: {error}")
            continue
        for reader in offered if isinstance(offered, tuple) else (offered,):
            if not isinstance(reader, Reader):
                broken.append(f"{origin} is not a Reader but {type(reader).__name__}")
            elif reader.name in found:
                broken.append(f"{origin} is called {reader.name}, as another reader is")
            else:
                found[reader.name] = reader
    return found, tuple(f"{why}; it is passed over" for why in broken)


TABLES = ("csv", "json", "parquet")


def named(format: str) -> Reader:
    """Return the reader of a name, or the one that a description of the user's makes.

    Parameters
    ----------
    format : str
        A name, or the path of a description, which ends in ``.toml``.

    Raises
    ------
    UnknownFormat
        If there is none.
    """
    if format.endswith(".toml"):
        from deadheat.readers.described import from_file

        return from_file(Path(format))
    if format not in readers():
        known = ", ".join(sorted(readers()))
        broken = "".join(f"; {why}" for why in passed_over())
        raise UnknownFormat(
            f"no format {format!r}; known are {known}, or the path of a description (.toml){broken}"
        )
    return readers()[format]


def claimants(path: Path, offered: Iterable[Reader]) -> list[str]:
    """Names of the readers that claim a file, plain tables only where nobody else does."""
    with engine.connect([path]) as connection:
        source = Source(path, connection, root=path.parent)
        return [reader.name for reader in claiming(source, offered)]


def claiming(source: Source, offered: Iterable[Reader]) -> list[Reader]:
    """Readers that claim a file and know it best: of a harness, of a shape, or of any table.

    The readers of tables come first where the user named columns.
    """
    levels: list[list[Reader]] = [[], [], []]
    for reader in offered:
        levels[reader.general + (reader.name in TABLES)].append(reader)
    for level in (2, 0, 1) if source.columns else (0, 1, 2):
        if found := [reader for reader in levels[level] if reader.claims(source)]:
            return found
    return []


def candidates(source: Source) -> tuple[Reader, ...]:
    """Readers that may claim a file; those of the modules that cannot are not even imported."""
    if _offered() or source.suffix in JSON or source.head.lstrip()[:1] in (b"{", b"["):
        return tuple(readers().values())
    return tuple(
        reader
        for module in (*BUILT_IN, *descriptions())
        if module in BEYOND_JSON and _marked(source, BEYOND_JSON[module])
        for reader in _of(module)
    )


def _marked(source: Source, mark: str | bytes) -> bool:
    return mark in source.path.name.lower() if isinstance(mark, str) else mark in source.head


@cache
def descriptions() -> tuple[str, ...]:
    """Names of the descriptions that ship with the package."""
    return tuple(sorted(path.stem for path in DESCRIPTIONS.glob("*.toml")))


@cache
def _of(module: str) -> tuple[Reader, ...]:
    """Readers of a module, or of a description."""
    if module in descriptions():
        from deadheat.readers.described import from_file

        return (from_file(DESCRIPTIONS / f"{module}.toml"),)
    found: tuple[Reader, ...] = import_module(f"deadheat.readers.{module}").READERS
    return found


@cache
def _offered() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group="deadheat.readers"))
