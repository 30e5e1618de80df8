"""Whole processes, timed in turn: wall time, peak memory, and an environment of their own for the peers."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".bench-venv"
REQUIREMENTS = ROOT / "benchmarks" / "peers.txt"


class Run(NamedTuple):
    """One process: seconds, peak resident memory in MB, exit code (None when it was stopped)."""

    seconds: float
    peak_mb: float
    code: int | None


def process(command: list[str], *, limit: float = 300.0, memory_gb: float = 20.0) -> Run:
    """Run a command to its end, or stop it at a time limit; its memory is capped.

    Its peak is read by a small parent of its own, so that no other process counts.
    """
    program = (
        "import json, resource, subprocess, sys, time\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({int(memory_gb * 2**30)},) * 2)\n"
        "start = time.perf_counter()\n"
        "try:\n"
        f"    code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, timeout={limit}).returncode\n"
        "except subprocess.TimeoutExpired:\n"
        "    code = None\n"
        "seconds = time.perf_counter() - start\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024\n"
        "print(json.dumps([seconds, peak, code]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    import json

    return Run(*json.loads(done.stdout.splitlines()[-1]))


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}


def interleaved(commands: dict[str, list[str]], repeats: int, *, limit: float = 300.0) -> dict[str, Run]:
    """Time commands in turn, `repeats` times each: their medians; one that was stopped runs once."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            if not any(run.code is None for run in found[name]):
                found[name].append(process(command, limit=limit))
    return {
        name: Run(
            statistics.median(run.seconds for run in runs), max(run.peak_mb for run in runs), runs[-1].code
        )
        for name, runs in found.items()
    }


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
