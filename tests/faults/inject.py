"""Faults injected into the commands: `python tests/faults/inject.py [--trials N] [--seed S]`.

A trial starts a command over a target that holds known bytes, lets something happen to it, and looks at what
is left: the target holds the old bytes or the whole new ones, nothing else lies beside it, the exit code is a
documented one, and standard error has one line at most and no traceback. Kills come at random moments of the
time that the command takes when it is left alone.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OLD = b"what was here before\n"
KILLS = {signal.SIGKILL: "kill -9", signal.SIGTERM: "kill -15", signal.SIGINT: "kill -2"}
PYTHON = [sys.executable, "-m", "deadheat"]


@dataclass(frozen=True)
class Command:
    """A command that writes a target, or none.

    Parameters
    ----------
    name : str
    words : tuple of str
        Of the command; TARGET stands for the target.
    whole : bytes
        What the target holds after a run that nothing happened to; empty where there is none.
    seconds : float
        What that run took.
    """

    name: str
    words: tuple[str, ...]
    whole: bytes = b""
    seconds: float = 1.0


@dataclass
class Bench:
    """A folder with inputs, and one for temporary files, both looked at after each trial."""

    folder: Path
    faults: list[str] = field(default_factory=list)
    counts: Counter = field(default_factory=Counter)

    @property
    def target(self) -> Path:
        """What the commands write."""
        return self.folder / "out" / "target"

    @property
    def temporary(self) -> Path:
        """Where temporary files go."""
        return self.folder / "tmp"

    def reset(self, old: bytes | None = OLD) -> None:
        """Lay the folders out anew."""
        for each in (self.target.parent, self.temporary):
            shutil.rmtree(each, ignore_errors=True)
            each.mkdir()
        if old is not None:
            self.target.write_bytes(old)

    def start(self, command: Command, **options) -> subprocess.Popen:
        """Start a command; its streams are kept unless `options` say otherwise."""
        words = [str(self.target) if word == "TARGET" else word for word in command.words]
        given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        env = os.environ | {"TMPDIR": str(self.temporary), "OPENBLAS_NUM_THREADS": "1"}
        return subprocess.Popen([*PYTHON, *words], cwd=self.folder, env=env, **given)

    def judge(
        self, kind: str, command: Command, ended: subprocess.Popen, codes: set[int], err: bytes
    ) -> None:
        """Look at what is left, and write down what is wrong."""
        self.counts[kind] += 1
        wrong = []
        if ended.returncode not in codes:
            wrong.append(f"exit code {ended.returncode}")
        lines = err.count(b"\n") - (b"exploring at" in err)  # the address is no complaint
        if b"Traceback" in err or lines > 1:
            wrong.append(f"standard error {err[-300:]!r}")
        if command.whole:
            now = self.target.read_bytes() if self.target.exists() else b""
            if now not in (OLD, command.whole):
                wrong.append(f"{len(now)} bytes, neither the old ones nor the new")
            if now == OLD and ended.returncode == 0:
                wrong.append("exit code 0, and the old bytes")
        left = sorted(path.name for path in self.target.parent.iterdir() if path != self.target)
        if left:
            wrong.append(f"left beside the target: {left}")
        if kind != "kill -9" and any(self.temporary.iterdir()):
            wrong.append(f"left in TMPDIR: {[path.name for path in self.temporary.iterdir()]}")
        self.faults += [f"{kind}: {command.name}: {each}" for each in wrong]


def inputs(folder: Path, entries: int = 12, items: int = 800, samples: int = 2) -> None:
    """Write a table and a site's document."""
    draw = random.Random(1)
    folder.joinpath("board.csv").write_text(
        "entry,item,sample,score\n"
        + "".join(
            f"e{e},i{i},{s},{int(draw.random() < 0.3 + e / 30)}\n"
            for e in range(entries)
            for i in range(items)
            for s in range(samples)
        )
    )
    rows = []
    for e in range(entries):
        bits = [draw.random() < 0.3 + e / 30 for _ in range(items)]
        details = ",".join(f'"i{i}":{{"resolved":{str(bit).lower()}}}' for i, bit in enumerate(bits))
        rate = 100 * sum(bits) / items
        rows.append(f'{{"folder":"e{e}","resolved":{rate:.4f},"per_instance_details":{{{details}}}}}')
    folder.joinpath("site.json").write_text(
        f'{{"leaderboards":[{{"name":"x","results":[{",".join(rows)}]}}]}}'
    )


STUDY = ("simulate", "flips", "-q", "--format", "csv", "-o", "TARGET")
COMMANDS = (
    Command("rank", ("rank", "board.csv", "-q", "--format", "json", "-o", "TARGET")),
    Command(
        "rank with draws",
        ("rank", "board.csv", "-q", "--interval", "percentile", "--format", "html", "-o", "TARGET"),
    ),
    Command("convert", ("convert", "board.csv", "-q", "--to", "parquet", "-o", "TARGET")),
    Command("annotate", ("annotate", "site.json", "-q", "-o", "TARGET")),
    Command("simulate", (*STUDY, "-R", "100000")),
    Command("simulate on two processes", (*STUDY, "-R", "40000", "--workers", "2")),
)
EXPLORE = Command("explore", ("explore", "board.csv", "--no-open"), seconds=3.0)


def alone(bench: Bench, command: Command) -> Command:
    """Run a command that nothing happens to: what it writes and how long it takes."""
    bench.reset()
    begun = time.monotonic()
    process = bench.start(command)
    _, err = process.communicate()
    assert process.returncode == 0, err
    return Command(command.name, command.words, bench.target.read_bytes(), time.monotonic() - begun)


def heeding() -> None:
    """Let a command heed Ctrl-C, though this program may have been started in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def killed(bench: Bench, command: Command, number: signal.Signals, share: float) -> None:
    """Kill a command after a share of the time that it takes."""
    bench.reset()
    process = bench.start(command, start_new_session=True, preexec_fn=heeding)
    try:
        process.wait(share * command.seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    _, err = process.communicate()
    if number == signal.SIGKILL:
        err = b""
    elif b"deadheat" not in err and process.returncode in (1, -number):  # Python itself was still starting
        process.returncode, err = -number, b""
    bench.judge(KILLS[number], command, process, {0, 128 + number, -number}, err)
    if number == signal.SIGKILL and command.whole:  # what it left goes with the next
        process = bench.start(command)
        process.communicate()
        bench.judge("kill -9, and run again", command, process, {0}, b"")


def full(bench: Bench, command: Command, size: int) -> None:
    """Run a command that may write files of so many bytes only, as on a disk that is nearly full."""
    bench.reset()

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    process = bench.start(command, preexec_fn=limit)
    _, err = process.communicate()
    bench.judge("disk full", command, process, {1} if size < len(command.whole) else {0, 1}, err)


def mount(*words: object) -> bool:
    """Mount something; False where that is not allowed."""
    done = subprocess.run(["mount", *map(str, words)], capture_output=True, check=False)
    return done.returncode == 0


def mounted(bench: Bench, command: Command, size: int) -> None:
    """Run a command whose target is on a small disk of its own (needs root)."""
    bench.reset()
    out = bench.target.parent
    if not mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", out):
        return
    try:
        bench.target.write_bytes(OLD)
        process = bench.start(command)
        _, err = process.communicate()
        bench.judge("tmpfs full", command, process, {1} if 2 * size < len(command.whole) else {0, 1}, err)
    finally:
        subprocess.run(["umount", out], check=True)


def no_temporary_files(bench: Bench, command: Command) -> None:
    """Run a command whose TMPDIR is a disk of two pages (needs root): what fits into memory still works."""
    bench.reset()
    if not mount("-t", "tmpfs", "-o", "size=8k", "tmpfs", bench.temporary):
        return
    try:
        process = bench.start(command)
        _, err = process.communicate()
        bench.judge("TMPDIR full", command, process, {0, 1}, err)
    finally:
        subprocess.run(["umount", bench.temporary], check=True)


def read_only(bench: Bench, command: Command) -> None:
    """Run a command whose target's folder is mounted read-only (needs root, who writes everywhere else)."""
    bench.reset()
    out = bench.target.parent
    if not mount("--bind", out, out):
        return
    try:
        assert mount("-o", "remount,ro,bind", out)
        process = bench.start(command)
        _, err = process.communicate()
        bench.judge("read-only folder", command, process, {1}, err)
    finally:
        subprocess.run(["umount", out], check=True)


def two_writers(bench: Bench, command: Command) -> None:
    """Run a command twice at once over one target."""
    bench.reset()
    processes = [bench.start(command) for _ in range(2)]
    for process in processes:
        _, err = process.communicate()
        bench.counts["two writers"] += 1
        if process.returncode or err:
            bench.faults.append(f"two writers: {command.name}: {process.returncode} {err!r}")
    if bench.target.read_bytes() != command.whole or len(list(bench.target.parent.iterdir())) != 1:
        bench.faults.append(f"two writers: {command.name}: not whole")


def vanished(bench: Bench, command: Command, share: float) -> None:
    """Remove what a command reads while it runs, and put it back."""
    bench.reset()
    path = next(bench.folder / word for word in command.words if (bench.folder / word).is_file())
    process = bench.start(command)
    time.sleep(share * command.seconds)
    path.rename(bench.folder / "away")
    _, err = process.communicate()
    (bench.folder / "away").rename(path)
    bench.judge("vanished input", command, process, {0, 1}, err)


def closed(bench: Bench, command: Command, streams: tuple[int, ...]) -> None:
    """Run a command some of whose standard streams are closed."""
    bench.reset()
    process = bench.start(
        command, stdin=None, stdout=None, stderr=None, preexec_fn=lambda: [os.close(each) for each in streams]
    )
    process.communicate()
    bench.judge("closed streams", command, process, {0}, b"")


def trials(bench: Bench, number: int, seed: int) -> None:
    """Run all kinds of trials; most of them are kills."""
    draw = random.Random(seed)
    commands = [alone(bench, command) for command in COMMANDS]
    for command in commands:
        for size in (0, 100, len(command.whole) // 2, len(command.whole) - 1):
            full(bench, command, size)
        mounted(bench, command, 4096)
        no_temporary_files(bench, command)
        read_only(bench, command)
        two_writers(bench, command)
        for streams in ((0,), (1,), (2,), (0, 1, 2)):
            closed(bench, command, streams)
        if any((bench.folder / word).is_file() for word in command.words):
            for _ in range(3):
                vanished(bench, command, draw.random())
    while bench.counts.total() < number:
        for command in (*commands, EXPLORE):
            killed(bench, command, draw.choice(list(KILLS)), draw.uniform(0, 1.1))


def main() -> int:
    """Run the trials and say what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=250)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        inputs(bench.folder, items=200)
        begun = time.monotonic()
        trials(bench, options.trials, options.seed)
        print("| fault | trials |\n|---|---:|")
        for kind, count in bench.counts.most_common():
            print(f"| {kind} | {count} |")
        print(f"\n{bench.counts.total()} trials in {(time.monotonic() - begun) / 60:.0f} minutes")
        print(f"{len(bench.faults)} faults", *bench.faults, sep="\n")
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
