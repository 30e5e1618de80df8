"""Whole processes, timed in turn: wall time, peak memory, and an environment of their own for the peers."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".bench-venv"
REQUIREMENTS = ROOT / "benchmarks" / "peers.txt"


class Run(NamedTuple):
    """One process: seconds, peak resident memory in MB, exit code (None when it was stopped), its output.

    The output of one that fails is the last line of its complaint.
    """

    seconds: float
    peak_mb: float
    code: int | None
    output: str


def process(command: list[str], *, limit: float = 300.0, memory_gb: float = 20.0) -> Run:
    """Run a command to its end, or stop it at a time limit; its memory is capped.

    Its peak is read by a small parent of its own, so that no other process counts.
    """
    program = (
        "import json, resource, subprocess, sys, time\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({int(memory_gb * 2**30)},) * 2)\n"
        "start, output = time.perf_counter(), ''\n"
        "try:\n"
        f"    done = subprocess.run(sys.argv[1:], capture_output=True, text=True, timeout={limit})\n"
        "    code, output = done.returncode, done.stdout\n"
        "    if code:\n"
        "        output = done.stderr.strip().rpartition('\\n')[2]\n"
        "except subprocess.TimeoutExpired:\n"
        "    code = None\n"
        "seconds = time.perf_counter() - start\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024\n"
        "print(json.dumps([seconds, peak, code, output]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        cwd=ROOT,
    )
    return Run(*json.loads(done.stdout.splitlines()[-1]))


def measured(module: str, *arguments: object) -> tuple[Any, float]:
    """What a benchmark's own process printed as JSON on its last line, and that process's peak in MB."""
    done = process([sys.executable, "-m", f"benchmarks.{module}", *map(str, arguments)], limit=900)
    assert done.code == 0, f"{module} {arguments}: exit {done.code}, {done.output}"
    return json.loads(done.output.splitlines()[-1]), done.peak_mb


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}


def interleaved(
    commands: dict[str, list[str]], repeats: int, *, limit: float = 300.0, memory_gb: float = 20.0
) -> dict[str, Run]:
    """Time commands in turn, `repeats` times each: their medians; one that fails or is stopped runs once."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            if all(run.code == 0 for run in found[name]):
                found[name].append(process(command, limit=limit, memory_gb=memory_gb))
    return {
        name: runs[-1]._replace(
            seconds=statistics.median(run.seconds for run in runs), peak_mb=max(run.peak_mb for run in runs)
        )
        for name, runs in found.items()
    }


def by_turns(calls: dict[str, Callable[[], Any]], repeats: int) -> dict[str, tuple[float, Any]]:
    """Median seconds of each call, made in turn so that a busy moment meets all, and what each returned."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    result: dict[str, Any] = {}
    for _ in range(repeats):
        for name, call in calls.items():
            result.pop(name, None)  # one answer of each is held at a time
            start = time.perf_counter()
            result[name] = call()
            seconds[name].append(time.perf_counter() - start)
    return {name: (statistics.median(taken), result[name]) for name, taken in seconds.items()}


def sgemm(size: int) -> float:
    """Floating-point operations a second of a square float32 product: the roofline of products."""
    import numpy as np

    square = np.random.default_rng(0).random((size, size), dtype=np.float32)
    best, _ = min(timed(lambda: square @ square.T[::-1], 1) for _ in range(2))
    return 2.0 * size**3 / best


def peers() -> Path:
    """Install the peers into an environment of their own and return its bin folder."""
    stamp = PEERS / "stamp"
    wanted = REQUIREMENTS.read_text()
    if not (stamp.exists() and stamp.read_text() == wanted):
        import venv

        venv.create(PEERS, with_pip=False, clear=True)
        python = str(PEERS / "bin" / "python")
        uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
        subprocess.run([*uv, "-r", str(REQUIREMENTS)], check=True)
        stamp.write_text(wanted)
    return PEERS / "bin"


def timed(call, repeats: int = 3) -> tuple[float, object]:
    """Median seconds of a call, and what it returned last."""
    seconds, result = [], None
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result
