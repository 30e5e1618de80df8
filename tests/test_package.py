"""The wheel: small, whole, and what is written about the release agrees with it."""

import re
import subprocess
import sys
import tomllib
import zipfile

import pytest

from deadheat.cli.main import COMMANDS, app
from deadheat.version import VERSION
from support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGE = ROOT / "src" / "deadheat"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel with the back end that pyproject.toml names; nothing is fetched."""
    folder = tmp_path_factory.mktemp("dist")
    build = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


def test_size_and_name(wheel):
    assert wheel.name == f"deadheat-{VERSION}-py3-none-any.whl"
    assert wheel.stat().st_size < 2_000_000


def test_everything_that_is_needed_at_run_time(wheel):
    """Modules, types, schemas, templates and the demo board; no tests, no caches."""
    names = set(zipfile.ZipFile(wheel).namelist())
    ours = {
        str(path.relative_to(PACKAGE.parent))
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".pyo")
    }
    assert ours <= names
    assert {"deadheat/py.typed", "deadheat/demo/board.csv", "deadheat/schemas/board-1.json"} <= names
    assert any(name.startswith("deadheat/report/templates/") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    rest = {name for name in names - ours if ".dist-info/" not in name}
    assert rest == {f"deadheat-{VERSION}.data/data/share/man/man1/deadheat.1"}


def test_metadata(wheel):
    archive = zipfile.ZipFile(wheel)
    text = archive.read(f"deadheat-{VERSION}.dist-info/METADATA").decode()
    for extra in ("explore", "plot", "dask"):
        assert f"Provides-Extra: {extra}\n" in text
    assert "License-Expression: MIT\n" in text
    assert (
        "deadheat = deadheat.__main__:main"
        in archive.read(f"deadheat-{VERSION}.dist-info/entry_points.txt").decode()
    )


def test_one_version_everywhere():
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text()
    assert PROJECT["dynamic"] == ["version"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_know_every_verb(shell):
    """The completions that docs/reference/cli.md tells how to make."""
    text = app.generate_completion(shell=shell)
    assert all(verb in text for verb in COMMANDS)
    assert "both-errors" in text


def test_changelog_has_one_form():
    """Versions and kinds as Keep a Changelog has them, and `Changed numbers` for figures that move."""
    text = (ROOT / "CHANGELOG.md").read_text()
    kinds = {"Added", "Changed", "Changed numbers", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= kinds
    assert "Changed numbers" in text
