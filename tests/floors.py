"""Run a part of the suite at the lowest versions that pyproject.toml declares: `./run floors [PYTHON]`.

An environment is made from them in .floors, with pytest beside them. The part is what needs no other program
to compare with: command line, tables, panels, outputs, conversions of every format, annotate, the server.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PART = (
    "tests/test_cli.py",
    "tests/test_panel.py",
    "tests/test_output.py",
    "tests/test_ending.py",
    "tests/test_annotating.py",
    "tests/readers/test_convert.py",
    "tests/explorer/test_server.py",
)
BESIDE = ("pytest", "pytest-xdist", "hypothesis", "jsonschema", "httpx", "pyyaml", "mpmath")


def main() -> int:
    """Make the environment unless it is current, and run the tests in it."""
    version = sys.argv[1] if len(sys.argv) > 1 else f"{sys.version_info.major}.{sys.version_info.minor}"
    home = ROOT / ".floors" / version
    uv = [str(Path(sys.executable).parent / "uv")]
    project = ROOT / "pyproject.toml"
    stamp, made_of = home / "stamp", hashlib.sha256(project.read_bytes()).hexdigest()
    python = home / "bin" / "python"
    if not stamp.exists() or stamp.read_text() != made_of:
        subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", version, home], check=True)
        lowest = home / "lowest.txt"
        resolve = ["--quiet", "--extra", "explore", "--resolution", "lowest-direct", "--python", python]
        subprocess.run([*uv, "pip", "compile", project, *resolve, "-o", lowest], check=True)
        install = ["--quiet", "--python", python, "-r", lowest, *BESIDE]
        subprocess.run([*uv, "pip", "install", *install], check=True)
        stamp.write_text(made_of)
    told = "from importlib.metadata import distributions as d; print(*(f'{i.name} {i.version}' for i in d()))"
    subprocess.run([python, "-c", told], check=True)
    options = ["-q", "-n", "auto", "--dist", "loadfile", "-p", "no:cacheprovider", *PART]
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run([python, "-m", "pytest", *options], cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
