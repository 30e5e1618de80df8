"""Fuzz the readers with atheris: fixtures are mutated, and only a `DeadheatError` may come of it.

./run fuzz [--seconds N] [--out FOLDER] [READER ...]

Each reader has a process of its own for N seconds. What escaped is kept once a place in the code, with the
input that did it, and the run goes on; an input that takes longer than 60 seconds or more than 2 GB ends it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

ATHERIS = "atheris==3.0.0"
SLOW = 5.0  # seconds of the processor that one small file may take
LIMITS = ("-timeout=60", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=1")


def target(format: str, out: Path, corpus: Path, arguments: list[str]) -> None:
    """Fuzz one reader in this process; libFuzzer ends it."""
    import atheris

    with atheris.instrument_imports(include=["deadheat"], enable_loader_override=False):
        from deadheat.readers.registry import readers

        readers()
    import fuzz_mutate
    import fuzz_seeds

    from deadheat.data import engine

    engine.connect = fuzz_seeds.one_database()
    out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=out))
    parts = fuzz_seeds.lay_out(format, folder)
    longest = 0
    for number, part in enumerate(parts):
        content = fuzz_seeds.original(folder, part)
        longest = max(longest, len(content))
        (corpus / f"seed-{number}").write_bytes(bytes([number, 0]) + content)
    seen: set[str] = set()
    tally = {"accepted": 0, "refused": 0}

    def one(data: bytes) -> None:
        if len(data) < 3:
            return
        part = parts[data[0] % len(parts)]
        forced = format if data[1] % 4 == 1 and part.path == part.asked else None
        start = time.process_time()
        try:
            accepted = fuzz_seeds.check(
                folder, part, data[2:], format=forced, render_too=hashlib.md5(data).digest()[0] < 16
            )
            tally["accepted" if accepted else "refused"] += 1
            if sum(tally.values()) % 50 == 0:  # libFuzzer ends the process without a word
                (out / "tally.json").write_text(json.dumps(tally))
            if time.process_time() - start > SLOW:
                raise TimeoutError(f"{time.process_time() - start:.1f} s of processor time")
        except Exception as error:
            note(error, data, part)

    def note(error: Exception, data: bytes, part: fuzz_seeds.Part) -> None:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "deadheat" in f.filename]
        frames = frames or traceback.extract_tb(error.__traceback__)
        place = f"{type(error).__name__} {Path(frames[-1].filename).name}:{frames[-1].lineno}"
        if place in seen:
            return
        seen.add(place)
        name = re.sub(r"[^A-Za-z0-9.]+", "_", place)
        (out / f"{name}.input").write_bytes(data)
        words = [format, place, str(part), traceback.format_exc()]
        (out / f"{name}.txt").write_text("\n".join(words))

    def custom(data: bytes, size: int, seed: int) -> bytes:
        head, body = data[:2].ljust(2, b"\0"), data[2:]
        if seed % 50 == 0:
            head = bytes([seed // 50 % len(parts), seed // 7 % 256])
            return head + fuzz_seeds.original(folder, parts[head[0]])
        changed = fuzz_mutate.mutate(body, seed, size - 2) if seed % 3 else None
        return head + (atheris.Mutate(body, size - 2) if changed is None else changed)

    limit = f"-max_len={2 * longest + 4096}"
    atheris.Setup([sys.argv[0], *LIMITS, limit, *arguments, str(corpus)], one, custom_mutator=custom)
    atheris.Fuzz()


def spent() -> float:
    """Processor seconds of the processes that this one has waited for."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def drive(formats: list[str], seconds: int, out: Path) -> None:
    """Fuzz readers one after the other and add a line a reader to the log."""
    from tools import tool

    environment = tool(ATHERIS)
    for format in formats:
        corpus = out / "corpus" / format
        corpus.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, __file__, "--target", format, "--out", str(out)]
        start, used = time.monotonic(), spent()
        done = subprocess.run(
            [*command, "--seconds", str(seconds)],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        words = done.stderr
        executions = re.search(r"number_of_executed_units: (\d+)", words)
        tally = out / format / "tally.json"
        line = {
            "reader": format,
            "seconds": round(time.monotonic() - start),
            "cpu": round(spent() - used),
            "executions": int(executions[1]) if executions else 0,
            **(json.loads(tally.read_text()) if tally.exists() else {}),
            "exit": done.returncode,
        }
        if done.returncode:
            (out / f"stopped-{format}-{int(time.time())}.txt").write_text(words[-20_000:])
        with (out / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "deadheat-fuzz")
    parser.add_argument("--target")
    asked = parser.parse_args()
    if asked.target:
        corpus = asked.out / "corpus" / asked.target
        artifacts = f"-artifact_prefix={asked.out}/{asked.target}-"
        target(
            asked.target, asked.out / asked.target, corpus, [f"-max_total_time={asked.seconds}", artifacts]
        )
        return
    from deadheat.readers.registry import readers

    drive(asked.readers or sorted(readers()), asked.seconds, asked.out)


if __name__ == "__main__":
    main()
