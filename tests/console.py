"""Run what a page shows: console blocks with the output under each command, and Python blocks, in page order.

`python tests/console.py` writes the present output into every page, to be reviewed as words.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deadheat.cli.main import run

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(console|python|pycon)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ ([^\n]*)\n(.*?)(?=^\$ |\Z)", re.DOTALL | re.MULTILINE)
# These change an environment or need another one: shown, never run.
NOT_RUN = ("./run", "pip ", "uvx ", "zensical ")
# Commands of other projects, run where `benchmarks/peers.txt` is installed.
PEERS = ROOT / ".bench-venv" / "bin"
PEER_COMMANDS = ("errorbars ", "evalstats ", "peer-python ")


@dataclass(frozen=True)
class Shown:
    """A command or a piece of Python, and what the page shows of its output."""

    kind: str
    text: str
    output: str

    @property
    def peer(self) -> bool:
        """Whether another project's command is asked for."""
        return self.text.startswith(PEER_COMMANDS)


def shown(text: str) -> list[Shown]:
    """Everything that a page runs, in its order."""
    found = []
    for kind, body in BLOCK.findall(text):
        if kind == "console":
            found += [Shown("console", *part) for part in COMMAND.findall(body) if runs(part[0])]
        else:
            found.append(Shown(kind, body, ""))
    return found


def runs(command: str) -> bool:
    """Whether a command is run."""
    return not command.startswith(NOT_RUN)


@contextlib.contextmanager
def desk() -> Iterator[Path]:
    """A folder with the demo board, in which a page's commands run one after another, 96 columns wide."""
    old, here = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(ROOT / "src/deadheat/demo/board.csv", folder / "board.csv")
        (folder / "src").symlink_to(ROOT / "src")
        (folder / "runs").mkdir()
        for entry, rate in (("a", 3), ("b", 2)):
            rows = [
                f"{i},{s},{int((i * 7 + s * 3) % 5 < rate)},r{i % 12}" for i in range(60) for s in range(5)
            ]
            (folder / "runs" / f"{entry}.csv").write_text("\n".join(["id,epoch,score,repository", *rows]))
        os.environ |= {"COLUMNS": "96", "NO_COLOR": "1", "PYTHONUTF8": "1"}
        os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), str(PEERS), old["PATH"]))
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(old)


def printed(command: str) -> tuple[int, str]:
    """Run a command; its exit code, and its words on standard output and standard error together."""
    if command.startswith("deadheat ") and not set("|<>;&$") & set(command):
        stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            code = run(shlex.split(command)[1:])
        stream.flush()
        return code, stream.buffer.getvalue().decode()
    if command.startswith("peer-python "):
        command = str(PEERS / "python") + command.removeprefix("peer-python")
    done = subprocess.run(
        ["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


def rewritten(text: str) -> str:
    """The page with what its commands print now; to be called at a desk."""
    last = 0

    def command(match: re.Match[str]) -> str:
        nonlocal last
        asked, output = match.groups()
        if not runs(asked) or (Shown("console", asked, output).peer and not PEERS.is_dir()):
            return match[0]
        if asked == "echo $?":
            return f"$ {asked}\n{last}\n"
        last, output = printed(asked)
        return f"$ {asked}\n{output}"

    names: dict[str, object] = {}

    def block(match: re.Match[str]) -> str:
        if match[1] == "python":  # it may write a file that a later command reads
            exec(compile(match[2], "page", "exec"), names)
        if match[1] == "pycon":
            for example in doctest.DocTestParser().get_examples(match[2]):
                exec(compile(example.source, "page", "single"), names)
        if match[1] != "console":
            return match[0]
        return f"```console\n{COMMAND.sub(command, match[2])}```"

    return BLOCK.sub(block, text)


if __name__ == "__main__":
    for page in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        with desk():
            new = rewritten(old := page.read_text())
        if new != old:
            page.write_text(new)
            print(f"{page.relative_to(ROOT)}: written anew")
