"""Settings of every test; a browser for pages, and axe-core, which npm fetches for the time of the run.

Hypothesis draws the same examples each time, and none is timed.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("DEADHEAT_HYPOTHESIS", "steady"))

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(autouse=True)
def _own_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed must not depend on the width that a test runner happens to set."""
    monkeypatch.delenv("COLUMNS", raising=False)


def _missing() -> str:
    """Libraries of the system that playwright's own node lacks, such as libatomic.so.1."""
    node = Path(importlib.util.find_spec("playwright").origin).parent / "driver" / "node"
    done = subprocess.run(["ldd", node], capture_output=True, text=True, check=False)
    lacks = [line.split()[0] for line in done.stdout.splitlines() if "not found" in line]
    return f"install {', '.join(lacks)}" if lacks else ""


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    driver = playwright.sync_playwright()
    try:
        tool = driver.start()
    except Exception as error:  # its own driver lacks a library of the system, and it raises nothing narrower
        pytest.skip(f"no browser can be had: the driver does not start ({_missing() or error})")
    try:
        made = tool.chromium.launch(executable_path=path, args=["--no-sandbox"])
    except playwright.Error as error:
        tool.stop()
        pytest.skip(f"no browser can be had: {str(error).splitlines()[0]}")
    yield made
    made.close()
    tool.stop()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so axe-core cannot be had")
    command = [
        npm,
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--prefix",
        str(folder),
        "axe-core@4.10.2",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not answer, so axe-core cannot be had")
    script = Path(folder, "node_modules", "axe-core", "axe.min.js")
    if done.returncode or not script.exists():
        pytest.skip(f"axe-core cannot be had: {done.stderr.strip()[-200:]}")
    return script.read_text(encoding="utf-8")
