"""Run benchmarks and record them: `./run bench [NAME ...] [--quick]`; names are the modules here.

A run that records ends with the summary: every target, what was measured, and whether it was met.
"""

import argparse
import importlib
import json
import os
import platform
import sys
import traceback
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.summary import lines

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
NOT_WORKLOADS = ("__init__", "__main__", "harness", "summary")


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NOT_WORKLOADS)


def machine() -> dict[str, Any]:
    """What the figures were measured on; no name of a host."""
    model = ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        named = [
            line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line
        ]
        model = named[0] if named else ""
    import numpy
    import scipy

    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "date": date.today().isoformat(),
        "load": round(os.getloadavg()[0], 1),
    }


def markdown(name: str, rows: list[dict[str, Any]], where: dict[str, Any]) -> str:
    """Give the table of one workload."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    lines = [
        f"# {name}",
        "",
        f"{where['cores']} cores, {where['cpu']}; Python {where['python']}, numpy {where['numpy']}, "
        f"scipy {where['scipy']}; {where['date']}, load {where['load']} at the start. "
        "Ratios count, times only orient.",
        "",
        "| " + " | ".join(keys) + " |",
        "|" + " --- |" * len(keys),
    ]
    lines += ["| " + " | ".join(shown(row.get(key)) for key in keys) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "–" if value is None else str(value)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run bench", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which of: {', '.join(names())}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="small sizes, nothing recorded")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(names())
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    # Some machines pin an OpenBLAS kernel, which slows current numpy: here, and only here, it chooses itself.
    pinned = [name for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE") if os.environ.pop(name, None)]
    if pinned:
        os.execv(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]])
    broken = []
    for name in arguments.names or names():
        where = machine()
        try:
            rows = importlib.import_module(f"benchmarks.{name}").run(arguments.quick)
        except Exception:  # the other workloads are worth having
            traceback.print_exc()
            broken.append(name)
            continue
        record(name, rows, where, keep=not arguments.quick)
    if not arguments.quick:
        record("summary", lines(names()), machine(), keep=True)
    if broken:
        print(f"not measured: {', '.join(broken)}", file=sys.stderr)
    return 1 if broken else 0


def record(name: str, rows: list[dict[str, Any]], where: dict[str, Any], *, keep: bool) -> None:
    """Print a table and, if it is to be kept, write it with its rows."""
    text = markdown(name, rows, where)
    print(text, flush=True)
    if keep:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.md").write_text(text)
        (RESULTS / f"{name}.json").write_text(json.dumps({"machine": where, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
