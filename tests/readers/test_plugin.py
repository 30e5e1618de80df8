"""A package of its own adds a format: the example of CONTRIBUTING is installed and used as a user would."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "reader_plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The example in a folder of its own, as an installer leaves it."""
    target = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source") / "plugin"
    shutil.copytree(EXAMPLE, source)
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not at hand")
    install = [
        uv,
        "pip",
        "install",
        "--quiet",
        "--offline",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
    ]
    subprocess.run([*install, "--python", sys.executable, "--target", str(target), str(source)], check=True)
    return target


def deadheat(target, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "deadheat", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_example_reads_files(installed, tmp_path):
    (tmp_path / "a.tally").write_text("q1\tok\nq2\twrong\nq3\tcrashed\n")
    (tmp_path / "b.tally").write_text("q1\tok\nq2\tok\nq3\tok\n")
    done = deadheat(installed, "convert", tmp_path, "-q")
    assert done.stdout.splitlines() == [
        "entry,item,score,status",
        "a,q1,1.0,scored",
        "a,q2,0.0,scored",
        "a,q3,,failed",
        "b,q1,1.0,scored",
        "b,q2,1.0,scored",
        "b,q3,1.0,scored",
    ]


def test_the_example_names_what_is_wrong(installed, tmp_path):
    (tmp_path / "a.tally").write_text("q1\tok\nq2\tmaybe\n")
    done = deadheat(installed, "convert", tmp_path / "a.tally")
    assert done.returncode == 1
    message = f"deadheat: {tmp_path / 'a.tally'}: line 2: 'maybe' is none of ok, wrong, crashed\n"
    assert done.stderr == message


def test_formats_lists_it_only_where_it_is_installed(installed):
    listed = deadheat(installed, "formats", "tally").stdout
    assert listed.startswith("tally: Tally files\n  recognised  the suffix .tally\n")
    assert "docs/formats" not in listed, "its page is not ours"
    assert deadheat("", "formats", "tally").returncode == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/0", "the reader odd of the package odd cannot be loaded: ZeroDivisionError: division by zero"),
        ("READER = 3", "the reader odd of the package odd is not a Reader but int"),
        (
            "from deadheat.readers.lm_eval import READERS as READER",
            "the reader odd of the package odd is called lm-eval, as another reader is",
        ),
    ],
)
def test_a_package_that_does_not_fit_is_named_and_passed_over(text, message, tmp_path):
    (tmp_path / "odd.py").write_text(text)
    folder = tmp_path / "odd-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[deadheat.readers]\nodd = odd:READER\n")
    done = deadheat(tmp_path, "formats", "lm-eval")
    assert (done.returncode, done.stderr) == (0, f"deadheat: {message}; it is passed over\n")
    assert done.stdout.startswith("lm-eval: ")
    (tmp_path / "board.csv").write_text("entry,item,score\na,1,1\nb,1,0\n")
    done = deadheat(tmp_path, "rank", str(tmp_path / "board.csv"), "--json")
    assert done.returncode == 0
    told = [note["text"] for note in json.loads(done.stdout)["notes"] if note["code"] == "reader-passed-over"]
    assert told == [f"{message}; it is passed over"]
    done = deadheat(tmp_path, "rank", str(tmp_path / "board.csv"), "--read", "odd")
    assert (done.returncode, message in done.stderr) == (1, True)


def test_contributing_quotes_the_example_whole():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    assert f"```python\n{(EXAMPLE / 'deadheat_tally.py').read_text()}```" in text
