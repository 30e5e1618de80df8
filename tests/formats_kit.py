"""What the tests of readers share: the cases beside each fixture, attempts as plain rows, damaged copies."""

import csv
import math
import shutil
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deadheat.readers import Options, read, readers, registry

FIXTURES = Path(__file__).parent / "readers" / "fixtures"
SHARED = Path(__file__).resolve().parents[2] / "shared"
FORMATS = sorted(path.parent.name for path in FIXTURES.glob("*/case.toml"))
COLUMNS = ("entry", "item", "sample", "score", "status", "reason")


@dataclass(frozen=True)
class Case:
    """One thing to read, and what must come of it; see `case.toml` beside each fixture."""

    format: str
    path: str
    called: str = ""  # the format in the provenance, where a reader knows several
    choices: dict = field(default_factory=dict)
    latest: bool = False
    expected: str = ""
    published: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    message: str = ""
    cut: int = 0
    replace: list = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return FIXTURES / self.format

    def options(self) -> Options:
        return Options(choices=self.choices, latest=self.latest)

    def id(self) -> str:
        chosen = ",".join(f"{k}={v}" for k, v in self.choices.items())
        return "-".join(filter(None, [self.format, self.path, chosen, self.message[:30]]))


def cases(kind: str) -> list[Case]:
    """Every case of a kind: `read` or `broken`."""
    found = []
    for path in sorted(FIXTURES.glob("*/case.toml")):
        for case in tomllib.loads(path.read_text()).get(kind, []):
            found.append(Case(format=path.parent.name, **case))
    return found


def attempts(table) -> list[tuple]:
    """Rows of a table in the order of COLUMNS, sorted; empty text where there is nothing."""
    found = table.attempts.columns
    shown = [f'"{name}"' if name in found else "NULL" for name in COLUMNS]
    rows = table.attempts.connection.execute(f"SELECT {', '.join(shown)} FROM read_rows").fetchall()
    return sorted(tuple("" if value is None or value != value else value for value in row) for row in rows)


def expected(path: Path) -> list[tuple]:
    with path.open(newline="") as stream:
        rows = [tuple(row[name] for name in COLUMNS) for row in csv.DictReader(stream)]
    return sorted((*row[:3], float(row[3]) if row[3] else "", *row[4:]) for row in rows)


def write_expected(path: Path, rows: list[tuple]) -> None:
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])


def claimants(path: Path) -> list[str]:
    """Names of the readers that claim a file; plain tables only where nobody else does."""
    return registry.claimants(path, readers().values())


def damaged(case: Case, folder: Path) -> Path:
    """Copy a fixture and break the file that the case names."""
    shutil.copytree(case.folder, folder / case.format)
    path = folder / case.format / case.path
    data = path.read_bytes()
    for old, new in case.replace:
        assert old.encode() in data, old
        data = data.replace(old.encode(), new.encode(), 1)
    path.write_bytes(data[: case.cut] if case.cut else data)
    return path


def shared(*parts: str) -> Path:
    """A file or folder of the common ground truth; the test is skipped where it is not at hand."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the shared data are not at hand: {'/'.join(parts)}")
    return path


def score_table(table) -> dict[tuple[str, str, str], float | None]:
    """(entry, item, sample) -> score, None without one."""
    return {row[:3]: None if row[3] == "" or math.isnan(row[3]) else row[3] for row in attempts(table)}


def read_case(case: Case):
    asked = case.format if readers()[case.format].asked else None
    return read(case.folder / case.path, format=asked, options=case.options())
