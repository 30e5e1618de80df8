"""The same on every machine: threads, hash seed, time zone, locale, order of a folder change nothing."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support import ROOT

CODE = """
import sys
import locale
locale.setlocale(locale.LC_ALL, "" if "LOCPATH" in __import__("os").environ else "C")
from deadheat.cli.main import run
for line in sys.stdin.read().splitlines():
    assert run(line.split()) in (0, 3), line
"""
COMMANDS = (
    "rank runs --json -o rank.json --winner --chances --draws 400",
    "rank runs --json -o clusters.json --cluster topic --both-errors --adjust max-t --draws 400",
    "rank runs --json -o reruns.json --generalises-to reruns",
    "compare runs --candidate a --against b --json -o compare.json",
    "compare runs --candidate a --against b --json -o bootstrap.json --test bootstrap --draws 400",
    "compare runs --candidate a --against b --json -o flips.json --test sign-flip --draws 400",
    "audit runs --json -o audit.json",
    "plan items --rates 0.6 --rates 0.65 --discordance 0.2 --json -o plan.json",
    "coverage wilson --items 40 --json -o coverage.json",
    "rank runs -o rank.csv",
    "rank runs -o rank.html",
)
SETTINGS = {
    "threads": {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"},
    "hash seed": {"PYTHONHASHSEED": "4711"},
    "time zone": {"TZ": "Pacific/Kiritimati"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "German": {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
    "plain C": {"LC_ALL": "C", "LANG": "C"},
}
BASE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "TZ": "UTC"}


def write_runs(folder: Path, order: int) -> None:
    """Fractional scores of several samples in clusters, a file an entry, made in some order."""
    rng = np.random.default_rng(1)
    files = {}
    for entry in ("a", "b", "ı", "Z", "ä", "i"):
        lines = ["item,sample,score,topic"]
        for item in range(60):
            lines += [f"q{item},{s},{round(rng.random() ** 0.7, 3)},t{item % 13}" for s in range(3)]
        files[f"{entry}.csv"] = "\n".join(lines) + "\n"
    names = sorted(files)
    random.Random(order).shuffle(names)
    (folder / "runs").mkdir()
    for name in names:
        (folder / "runs" / name).write_text(files[name], encoding="utf-8")


def results(folder: Path, order: int = 0, code: str = CODE, **settings: str) -> dict[str, str]:
    """What every command writes under some settings of the environment."""
    folder.mkdir()
    write_runs(folder, order)
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\n".join(COMMANDS),
        cwd=folder,
        env=os.environ | BASE | settings | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.*"))}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    found = results(tmp_path_factory.mktemp("base") / "here")
    assert len(found) == len(COMMANDS)
    return found


def alike(a: object, b: object, where: str = "") -> None:
    """Equal, numbers to 1e-12."""
    if isinstance(a, dict) and isinstance(b, dict):
        assert list(a) == list(b), where
        for key in a:
            alike(a[key], b[key], f"{where}.{key}")
    elif isinstance(a, list) and isinstance(b, list):
        assert len(a) == len(b), where
        for index, (left, right) in enumerate(zip(a, b, strict=True)):
            alike(left, right, f"{where}[{index}]")
    elif isinstance(a, float) and isinstance(b, float):
        assert abs(a - b) <= 1e-12 * max(1.0, abs(a)), f"{where}: {a!r} and {b!r}"
    else:
        assert a == b, where


def made_locale(folder: Path, name: str) -> dict[str, str]:
    """Compile a locale that may not be installed, where the system can."""
    language, _, charset = name.partition(".")
    if not charset or shutil.which("localedef") is None:
        return {}
    made = ["localedef", "-c", "-i", language, "-f", charset, str(folder / name)]
    subprocess.run(made, capture_output=True, check=False)
    return {"LOCPATH": str(folder)} if (folder / name).exists() else {}


def there_is(settings: dict[str, str]) -> bool:
    """Whether the system has a locale; without it a program runs in plain ASCII."""
    asked = "import locale; locale.setlocale(locale.LC_ALL, '')"
    done = subprocess.run(
        [sys.executable, "-c", asked], env=os.environ | settings, capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_change_nothing(name, base, tmp_path):
    settings = SETTINGS[name]
    settings = settings | made_locale(tmp_path, settings.get("LC_ALL", ""))
    if "LC_ALL" in settings and not there_is(settings):
        pytest.skip(f"the locale {settings['LC_ALL']} is not installed and cannot be compiled here")
    found = results(tmp_path / "here", **settings)
    assert list(found) == list(base)
    for file in base:
        if name == "threads":  # sums of fractions may differ in the last digit between kernels
            if file.endswith(".json"):
                alike(json.loads(base[file]), json.loads(found[file]), file)
        else:
            assert found[file] == base[file], file


def test_the_order_of_a_folder_changes_nothing(base, tmp_path):
    """Files made in another order, and a system that lists them in yet another."""
    shuffled = (
        "import os, random, pathlib\n"
        "def turned(give):\n"
        "    def listed(*arguments, **options):\n"
        "        names = list(give(*arguments, **options))\n"
        "        random.Random(3).shuffle(names)\n"
        "        return names\n"
        "    return listed\n"
        "os.listdir = turned(os.listdir)\n"
        "pathlib.Path.glob = turned(pathlib.Path.glob)\n"
        "pathlib.Path.iterdir = turned(pathlib.Path.iterdir)\n"
        "walk = os.walk\n"
        "def mixed(*arguments, **options):\n"
        "    for folder, folders, names in walk(*arguments, **options):\n"
        "        random.Random(5).shuffle(folders)\n"
        "        random.Random(5).shuffle(names)\n"
        "        yield folder, folders, names\n"
        "os.walk = mixed\n"
    )
    found = results(tmp_path / "here", order=7, code=shuffled + CODE)
    for file in base:
        assert found[file] == base[file], file
