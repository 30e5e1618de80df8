"""Every command of the README that shows its output still prints just that."""

import re
import shlex
import subprocess
import sys

import pytest

from support import ROOT

TEXT = (ROOT / "README.md").read_text()
BLOCKS = [
    (command, shown)
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    for command, shown in re.findall(
        r"^\$ (deadheat [^\n]*)\n(.*?)(?=^\$ |\Z)", block, re.DOTALL | re.MULTILINE
    )
    if shown.strip()
]


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_console(command, shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "96")
    words = shlex.split(command)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "deadheat", *words], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == shown


def test_the_readme_shows_three_tasks():
    assert [command.split()[1] for command, _ in BLOCKS] == ["rank", "compare", "plan"]


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target


def test_python(monkeypatch, tmp_path):
    """The Python of the README runs, on a folder of runs with samples and repositories."""
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL).group(1)
    (tmp_path / "runs").mkdir()
    for name, rate in (("a", 3), ("b", 2)):
        rows = [f"{i},{s},{int((i * 7 + s * 3) % 5 < rate)},r{i % 12}" for i in range(60) for s in range(5)]
        (tmp_path / "runs" / f"{name}.csv").write_text("\n".join(["id,epoch,score,repository", *rows]))
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(code, names)
    assert names["board"].estimand.k == 5
