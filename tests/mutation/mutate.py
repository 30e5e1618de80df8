"""Change `stats` in one small place at a time and see whether its tests notice: a sample within ten minutes.

./run mutate [--seconds N] [--seed N] [--workers N] [--out FILE]

Works on a copy of the checkout. Mutants are made by cosmic-ray; each is tried on the tests that import its
module. A mutant that no test notices is printed as it is found; all go to FILE as JSON Lines.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import io
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LARGE = ("hypothesis", "mpmath", "pytest", "scipy.special", "scipy.stats", "statsmodels.api")
PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
COSMIC_RAY = "cosmic-ray==8.7.0"
PATIENCE = 60  # seconds that tests may take beyond five times what they need without a change


def imported(path: Path) -> set[str]:
    """Modules of `stats` that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("deadheat.stats"):
            rest = (node.module or "").split(".")[2:]
            found |= {*rest, *(alias.name for alias in node.names)}
    return found


@cache
def tests_of(folder: Path, module: str) -> tuple[str, ...]:
    """Files of tests that import a module, its own first; else those of the modules that use it."""
    files = sorted((folder / "tests" / "stats").glob("test_*.py"))
    wanted, seen = {module}, set()
    while wanted:
        found = [str(file) for file in files if imported(file) & wanted]
        if found:
            return tuple(sorted(found, key=lambda name: not name.endswith(f"test_{module}.py")))
        seen |= wanted
        modules = (folder / "src" / "deadheat" / "stats").rglob("*.py")
        wanted = {path.stem for path in modules if imported(path) & wanted} - seen
    return ()


def tried(folder: Path, tests: tuple[str, ...], limit: float) -> str:
    """Run tests in a forked process that has the large libraries already: passed, failed or timeout."""
    child = os.fork()
    if not child:
        os.setsid()
        os.chdir(folder)
        sys.path[:0] = [str(folder / "src"), str(folder / "tests")]
        sys.dont_write_bytecode = True
        for descriptor in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        with contextlib.redirect_stdout(io.StringIO()):
            import pytest

            code = pytest.main([*PYTEST, *tests])
        os._exit(int(code))
    end = time.monotonic() + limit
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return "passed" if status == 0 else "failed"
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def work(mutants, results, end: float) -> None:
    """Try mutants on a copy of its own until time is over."""
    for name in LARGE:
        importlib.import_module(name)  # forked processes have them then
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / ROOT.name
        folder.mkdir()
        shared = ROOT.parent / "shared"
        if shared.exists():  # reference values that some tests use
            (Path(made) / "shared").symlink_to(shared)
        for part in ("src", "tests"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        needed: dict[str, float] = {}
        while (mutant := mutants.get()) is not None:
            module = mutant["module"]
            (path,) = (folder / "src" / "deadheat" / "stats").rglob(f"{module}.py")
            tests = tests_of(folder, module)
            if module not in needed:
                start = time.monotonic()
                fine = bool(tests) and tried(folder, tests, 600) == "passed"
                needed[module] = time.monotonic() - start if fine else 0.0
            if not needed[module] or time.monotonic() > end:
                continue
            before = path.read_text()
            path.write_text(mutant.pop("code"))
            mutant["outcome"] = tried(folder, tests, 5 * needed[module] + PATIENCE)
            path.write_text(before)
            results.put(mutant)
    results.put(None)


def main() -> int:
    """Try mutants until time is over and say what survived."""
    sys.path.insert(0, str(HERE.parent))
    from tools import tool

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=570)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=ROOT / ".tools" / "mutants.jsonl")
    asked = parser.parse_args()
    end = time.monotonic() + asked.seconds
    context = multiprocessing.get_context("fork")
    mutants, results = context.Queue(2 * asked.workers), context.Queue()
    workers = [context.Process(target=work, args=(mutants, results, end)) for _ in range(asked.workers)]
    for worker in workers:
        worker.start()
    command = [sys.executable, str(HERE / "mutants.py"), str(ROOT), str(asked.seed)]
    source = subprocess.Popen(command, env=tool(COSMIC_RAY), stdout=subprocess.PIPE, text=True)
    feeder = context.Process(target=feed, args=(source.stdout, mutants, asked.workers, end))
    feeder.start()
    outcomes: Counter[str] = Counter()
    running = len(workers)
    with asked.out.open("w") as log:
        while running:
            mutant = results.get()
            if mutant is None:
                running -= 1
                continue
            outcomes[mutant["outcome"]] += 1
            log.write(json.dumps(mutant) + "\n")
            log.flush()
            if mutant["outcome"] == "passed":
                print("survived: {module}.py:{line}: {before}  ->  {after}".format(**mutant), flush=True)
    source.kill()
    feeder.kill()
    total = outcomes.total()
    print(f"{total} mutants, {total - outcomes['passed']} noticed, {outcomes['passed']} survived")
    return 0


def feed(lines, mutants, workers: int, end: float) -> None:
    """Hand mutants out while there is time, then say that there are no more."""
    for line in lines:
        if time.monotonic() > end:
            break
        mutants.put(json.loads(line))
    for _ in range(workers):
        mutants.put(None)


if __name__ == "__main__":
    sys.exit(main())
