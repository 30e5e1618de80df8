"""What the default commands load: starting is most of the time that a small board takes."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from deadheat.cli.main import run
code = run(sys.argv[1:])
print(code, "scipy" in sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize("verb", ["rank", "compare"])
def test_default_methods_need_no_scipy(tmp_path, verb):
    for name, right in (("a", 2), ("b", 3)):
        rows = [f"q{item},{int(item % 5 < right)}" for item in range(40)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,score", *rows]) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, verb, str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.strip().splitlines()[-1] == "0 False", done.stderr
