"""`deadheat compare` as a user, a pull request and a test suite run it."""

import json
import re
import subprocess
import sys

import pytest

from deadheat.cli.main import run
from deadheat.cli.two_paths import apart, order
from deadheat.errors import MissingScore
from deadheat.pytest_plugin import assert_not_worse
from deadheat.report.comment import MARKER


def write(path, scores, **columns):
    """Write scores as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {"id": f"q{i}", "correct": score} | {name: values[i] for name, values in columns.items()}
        for i, score in enumerate(scores)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def runs(tmp_path):
    base = [1, 1, 0, 1, 0, 0, 1, 1, 1, 0] * 12
    worse = [0 if i % 6 == 0 else score for i, score in enumerate(base)]
    category = ["x", "y"] * 60
    return (
        write(tmp_path / "base.jsonl", base, category=category),
        write(tmp_path / "new.jsonl", worse, category=category),
    )


def answer(capsys, *arguments):
    code = run(["compare", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_two_paths_are_candidate_and_baseline(runs, capsys):
    base, new = runs
    code, out, _ = answer(capsys, new, base, "--json")
    document = json.loads(out)
    pair = document["comparisons"][0]
    assert code == 0
    assert (pair["a"], pair["b"], pair["verdict"]) == ("new", "base", "b")
    assert pair["difference"] < 0
    assert document["schema"] == "deadheat/comparison@1"
    _, against, _ = answer(capsys, base, new, "--against", "base", "--json")
    assert json.loads(against)["comparisons"][0]["p"] == pair["p"]
    assert json.loads(against)["comparisons"][0]["a"] == "new"


def test_swapped_paths_are_doubted(runs, capsys):
    base, new = runs
    _, out, _ = answer(capsys, base, new)
    assert "was taken as the candidate" in out
    _, out, _ = answer(capsys, new, base)
    assert "was taken as the candidate" not in out
    assert order("baseline-7b", "tuned") is not None
    assert order("database", "x") is None
    assert order("old-main", "before") is None


def test_gate_sets_the_exit_code_only_when_asked(runs, capsys):
    base, new = runs
    assert answer(capsys, new, base)[0] == 0
    code, out, _ = answer(capsys, new, base, "--fail-on", "worse")
    assert code == 3
    assert "Gate" in out
    assert "failed" in out
    assert answer(capsys, base, new, "--fail-on", "worse")[0] == 0
    assert answer(capsys, new, base, "--fail-on", "inconclusive")[0] == 1
    assert answer(capsys, new, base, "--fail-on", "inconclusive", "--margin", "0.01")[0] == 3


def test_everything_at_once_in_every_format(runs, capsys, tmp_path):
    base, new = runs
    options = ["--margin", "0.02", "--by", "category", "--show-flips", "--self-check", "--fail-on", "worse"]
    for format in ("table", "md", "csv", "json", "latex", "html"):
        code, out, err = answer(capsys, new, base, *options, "--format", format)
        assert code == 3, err
        assert "new" in out
    text = answer(capsys, new, base, *options)[1]
    for words in ("By category", "Where the two differ", "Items that changed", "A/A check", "Gate", "q0"):
        assert words in text


def test_several_candidates_in_every_format(capsys, tmp_path):
    rows = [
        {"entry": entry, "item": f"q{i:02d}", "score": int((i * k) % 5 < 3), "category": "xy"[i % 2]}
        for k, entry in enumerate(("base", "one", "two", "three"), start=1)
        for i in range(k, 60)
    ]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = [
        "--against",
        "base",
        "--adjust",
        "holm",
        "--by",
        "category",
        "--show-flips",
        "--fail-on",
        "worse",
    ]
    for format in ("table", "md", "csv", "json", "latex", "html"):
        code, out, err = answer(capsys, path, *options, "--margin", "0.05", "--format", format)
        assert code in (0, 3), err
        assert "three" in out
    text = " ".join(answer(capsys, path, *options)[1].split())
    for words in ("The same on the 56 items", "p adjusted", "By category", "are set aside"):
        assert words in text
    plain = answer(capsys, path, "--against", "base")[1]
    assert "no p-value is adjusted" in " ".join(plain.split())
    one = answer(capsys, path, "--against", "base", "--candidate", "one", "--candidate", "two", "--json")[1]
    assert [pair["a"] for pair in json.loads(one)["comparisons"]] == ["one", "two"]


def test_same_names_are_told_apart_by_their_folders(runs, capsys, tmp_path):
    base, new = runs
    one, other = tmp_path / "main" / "run.jsonl", tmp_path / "pr" / "run.jsonl"
    for path, source in ((one, base), (other, new)):
        path.parent.mkdir()
        path.write_text(source.read_text())
    _, out, _ = answer(capsys, other, one, "--json")
    pair = json.loads(out)["comparisons"][0]
    assert (pair["a"], pair["b"]) == ("pr", "main")
    assert apart(["x/a.json", "y/b.json"]) == ("a", "b")
    assert apart(["x/a.json", "x/a.json"]) is None
    code, _, err = answer(capsys, one, one)
    assert code == 1
    assert "name them apart" in err


def test_wrong_commands(runs, capsys):
    base, new = runs
    for arguments, code, words in [
        ([], 2, "no path"),
        ([new], 1, "needs a baseline"),
        ([new, base, "--adjust", "x"], 2, "no such name"),
        ([new, base, "--published-items", "5"], 2, "--published, which is not given"),
        ([new, base, "--published", "0.7", "--published-items", "5"], 2, "--candidate"),
        (
            [new, "--published", "0.7", "--published-se", "0.1", "--margin", "0.1"],
            2,
            "--margin needs a baseline",
        ),
        ([new, base, "--fail-on", "better"], 2, ""),
        ([new, base, "--test", "x"], 1, "no test"),
    ]:
        found, out, err = answer(capsys, *arguments)
        assert (found, out) == (code, ""), arguments
        assert words in err


def test_published(runs, capsys):
    base, _ = runs
    code, out, _ = answer(capsys, base, "--published", "0.5", "--published-items", "400")
    assert code == 0
    assert "published number" in out
    assert "no repetition here can reduce" in " ".join(out.split())


def test_comment(runs, capsys, tmp_path):
    base, new = runs
    target = tmp_path / "comment.md"
    code, _, _ = answer(capsys, new, base, "--fail-on", "worse", "--show-flips", "--comment", target)
    text = target.read_text()
    assert code == 3
    lines = text.splitlines()
    assert lines[0] == MARKER
    assert lines[2].startswith("### ❌ new is behind base")
    assert "<details><summary>" in text
    assert text.index("| a ") < text.index("<details>")
    assert text.count("<details>") == text.count("</details>") == 1
    answer(capsys, base, new, "--comment", target)
    assert "🔼" in target.read_text()


def test_hostile_names_do_not_break_the_comment(tmp_path, capsys):
    rows = [
        {"entry": entry, "item": f"<b>{i}|`x`", "score": (i + k) % 3 == 0}
        for k, entry in enumerate(("</details>|**evil**", "<script>alert(1)</script>"))
        for i in range(30)
    ]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    target = tmp_path / "comment.md"
    code, _, err = answer(
        capsys, path, "--against", "</details>|**evil**", "--show-flips", "--comment", target
    )
    assert code == 0, err
    text = target.read_text()
    assert "<script>" not in text
    assert text.count("</details>") == 1
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in tables}) <= 4  # one width a table


def test_assert_not_worse(runs):
    base, new = runs
    scores = [1, 0, 1, 1] * 200
    same = assert_not_worse(scores, scores, margin=0.02)
    assert same.equivalence == "equivalent"
    with pytest.raises(AssertionError, match="candidate is worse than baseline by more than"):
        assert_not_worse(base, new, margin=0.01)
    noted = []
    assert assert_not_worse(new, base, margin=0.01, record=lambda *pair: noted.append(pair)).verdict == "a"
    assert noted[0][0] == "deadheat"
    few = {"q1": 1.0, "q2": 0.0, "q3": 1.0}
    with pytest.raises(AssertionError, match="no different"):
        assert_not_worse(few, {"q1": 1, "q2": 1, "q3": 0}, margin=0.01)
    other = {"q1": 1, "q2": 1, "q3": 0}
    assert assert_not_worse(few, other, margin=0.01, inconclusive="pass").equivalence == "inconclusive"
    with pytest.raises(pytest.skip.Exception):
        assert_not_worse(few, other, margin=0.01, inconclusive="skip")
    with pytest.raises(ValueError, match="equal lengths"):
        assert_not_worse([1, 0], [1], margin=0.1)
    with pytest.raises(TypeError, match="two paths"):
        assert_not_worse(base, [1, 0], margin=0.1)
    with pytest.raises(ValueError, match="fail, skip or pass"):
        assert_not_worse([1], [1], margin=0.1, inconclusive="maybe")


def test_a_nan_counts_as_failed_unless_told():
    """A candidate of which three quarters did not run is not equivalent to one that ran."""
    base = [1.0, 0.0] * 400
    broken = [score if i % 4 == 0 else float("nan") for i, score in enumerate(base)]
    with pytest.raises(AssertionError, match="candidate is worse than baseline by more than"):
        assert_not_worse(base, broken, margin=0.02)
    nothing = [None if score != score else score for score in broken]
    with pytest.raises(AssertionError, match="candidate is worse than baseline by more than"):
        assert_not_worse(base, nothing, margin=0.02)
    left = assert_not_worse(base, broken, margin=0.05, nan="absent")
    assert (left.items, left.equivalence) == (200, "equivalent")
    with pytest.raises(MissingScore, match=r"600 of 800 scores of the candidate are NaN or None"):
        assert_not_worse(base, broken, margin=0.02, nan="refuse")
    with pytest.raises(ValueError, match="nan is failed, absent, refuse"):
        assert_not_worse(base, broken, margin=0.02, nan="zero")


def test_plugin_gives_a_fixture(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "def test_it(assert_not_worse):\n    assert_not_worse([1, 0] * 300, [1, 0] * 300, margin=0.02)\n"
    )
    options = ["-q", "-p", "deadheat.pytest_plugin", "--junitxml=out.xml", "test_it.py"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pytest", "-W", "error", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert 'name="deadheat"' in (tmp_path / "out.xml").read_text()


def test_plugin_gives_monitors(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "def test_good(deadheat_monitor):\n    deadheat_monitor().update(None, [1] * 9, [0] * 9)\n"
        "def test_worse(deadheat_monitor):\n    deadheat_monitor(margin=0.1).update(None, [0] * 9, [1] * 9)\n"
    )
    options = ["-q", "-p", "deadheat.pytest_plugin", "--junitxml=out.xml", "test_it.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "2 passed, 1 error" in done.stdout
    assert "after 9 items the candidate is worse (always-valid p" in done.stdout
    assert "a after 9 items" in (tmp_path / "out.xml").read_text()


def test_assert_not_worse_at_every_look():
    assert assert_not_worse([1, 0] * 300, [1, 0] * 300, margin=0.05, anytime=True).test == "betting"


def test_two_paths_are_read_once_where_their_entries_differ(tmp_path, monkeypatch):
    from deadheat.cli.options import Reading
    from deadheat.cli.two_paths import two

    for name, entry in (("new", "a"), ("old", "b"), ("again", "a")):
        (tmp_path / f"{name}.csv").write_text(f"entry,item,score\n{entry},1,1\n{entry},2,0\n")
    asked, original = [], Reading.table
    monkeypatch.setattr(Reading, "table", lambda *a: asked.append(a[1]) or original(*a))
    new, old, again = (str(tmp_path / f"{name}.csv") for name in ("new", "old", "again"))
    assert two(Reading(), [new, old])[1:] == ("a", "b")
    assert len(asked) == 1
    assert two(Reading(), [f"x={new}", again])[1:] == ("x", "a")
    assert len(asked) == 2
    assert two(Reading(), [new, again])[1:] == ("new", "again")
