"""What the default commands load: starting is most of the time that a small board takes."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from deadheat.cli.main import run
code = run(sys.argv[1:])
print(code, *sys.modules, file=sys.stderr)
"""


def loaded(*arguments) -> set[str]:
    """Names of the modules that a command loads."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    code, *modules = done.stderr.strip().splitlines()[-1].split()
    assert code == "0", done.stderr
    return set(modules)


@pytest.fixture
def two(tmp_path):
    for name, right in (("a", 2), ("b", 3)):
        rows = [f"q{item},{int(item % 5 < right)}" for item in range(40)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,score", *rows]) + "\n")
    return tmp_path / "a.csv", tmp_path / "b.csv"


@pytest.mark.parametrize("verb", ["rank", "compare"])
def test_a_run_loads_only_what_it_uses(two, verb):
    modules = loaded(verb, *two, "--json")
    # Special functions, readers of JSON, a decompressor, and forms of output that nobody asked for.
    unused = {
        "readers.lm_eval",
        "readers.junit",
        "report.terminal",
        "report.csv",
        "report.latex",
        "report.phrases",
    }
    # And where two are compared, what belongs to boards, or to a published number.
    unused |= (
        {"evidence.scores", "evidence.variance", "comparing.published"}
        if verb == "compare"
        else {"comparing.verb"}
    )
    assert not modules & {"scipy", "backports.zstd", "rich", *(f"deadheat.{name}" for name in unused)}


def test_help_loads_nothing_heavy():
    assert not loaded("--help") & {"numpy", "scipy", "duckdb", "msgspec", "narwhals"}


def test_the_collector_comes_rarely_and_not_at_exit():
    program = (
        "import atexit, gc\n"
        "atexit.register(lambda: print(gc.get_threshold()[0], gc.get_freeze_count() > 1000))\n"
        "from deadheat.cli.main import main\n"
        "main(['--version'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "100000 True"
