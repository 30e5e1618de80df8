"""`watch` and `Monitor`: look after look, growing files, a killed process, a rewritten file."""

import io
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import deadheat as dh
from deadheat.errors import DuplicateAttempt, MalformedFile, MethodError, MissingScore, NothingShared
from deadheat.report.sentences import sentences
from deadheat.results import claims
from deadheat.stats.anytime import betting
from deadheat.watching import follow as following
from deadheat.watching.monitor import Monitor
from deadheat.watching.verb import watch


def test_monitor_is_the_e_value():
    monitor = Monitor()
    for k in range(7):
        assert not monitor.decided
        monitor.update(f"q{k}", 1, 0)
    assert monitor.decided
    assert (monitor.outcome, monitor.items, monitor.difference) == ("a", 7, 1.0)
    assert monitor.p == pytest.approx(1 / 26.8125, rel=1e-9)
    look = monitor.look()
    assert look.e == pytest.approx(26.8125, rel=1e-9)
    assert (look.a_only, look.b_only) == (7, 0)
    monitor.update([f"r{k}" for k in range(50)], np.zeros(50), np.ones(50))
    assert monitor.outcome == "a"  # the first decision stands, whatever comes later
    assert monitor.p == pytest.approx(float(np.exp(-betting.log_e(7, 50))), rel=1e-9)


@pytest.mark.parametrize("stop", ["separated", "margin", "equivalent"])
def test_one_by_one_and_in_batches(stop):
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 6, (2, 90)) / 5
    margin = None if stop == "separated" else 0.2
    single, batch = (Monitor(stop=stop, margin=margin) for _ in range(2))
    for k in range(90):
        single.update(k, a[k], b[k])
    batch.update(range(90), a, b)
    one, other = single.look(), batch.look()
    assert (one.items, one.difference) == (other.items, pytest.approx(other.difference))
    assert one.log10_e == pytest.approx(other.log10_e, abs=1e-9)
    assert (one.interval.low, one.interval.high) == pytest.approx(
        (other.interval.low, other.interval.high), abs=1e-8
    )
    assert single.p <= batch.p + 1e-12  # more looks, the largest e-value so far


def test_many_values_are_followed_one_by_one():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 6000))
    monitor = Monitor()
    monitor.update(None, a, b)
    direct = betting.log_wealth(betting.looks(a - b, every=6000), 0.0)[0]
    assert monitor.look().log10_e * np.log(10) == pytest.approx(direct, abs=1e-8)
    assert monitor.look().a_only is None


@pytest.mark.parametrize(
    ("stop", "a", "b", "outcome"),
    [
        ("margin", 0.9, 0.9, "non-inferior"),
        ("margin", 0.3, 0.9, "inferior"),
        ("equivalent", 0.8, 0.8, "equivalent"),
        ("equivalent", 0.9, 0.2, "superior"),
        ("equivalent", 0.2, 0.9, "inferior"),
        ("separated", 0.2, 0.9, "b"),
    ],
)
def test_ways_to_stop(stop, a, b, outcome):
    rng = np.random.default_rng(1)
    common = rng.random(2000)
    monitor = Monitor(stop=stop, margin=None if stop == "separated" else 0.1)
    monitor.update(None, common < a, common < b)
    assert monitor.outcome == outcome
    turned = Monitor(stop=stop, margin=monitor.margin, lower_is_better=True)
    turned.update(None, common < b, common < a)  # errors instead of hits
    assert turned.outcome == outcome
    assert turned.difference == pytest.approx(-monitor.difference)
    assert turned.look().interval.low == pytest.approx(-monitor.look().interval.high, abs=1e-9)


@pytest.mark.parametrize(("stop", "says"), [("separated", True), ("margin", False), ("equivalent", False)])
def test_only_a_stop_for_a_difference_overstates_it(stop, says):
    outcome = {"separated": "a", "margin": "non-inferior", "equivalent": "equivalent"}[stop]
    margin = None if stop == "separated" else 0.1
    claim = claims.Watched(
        a="a", b="b", stop=stop, outcome=outcome, items=9, difference=0.02, margin=margin, alpha=0.05
    )
    assert ("overstates" in sentences((claim,))) == says


def test_what_a_monitor_refuses():
    monitor = Monitor()
    monitor.update("q1", 1, 0)
    with pytest.raises(DuplicateAttempt, match="q1"):
        monitor.update(["q2", "q1"], [1, 1], [0, 0])
    with pytest.raises(DuplicateAttempt, match="q3"):
        monitor.update(["q3", "q3"], [1, 1], [0, 0])
    for score in (np.nan, 2, -0.1):
        with pytest.raises(MissingScore, match="scores are in"):
            monitor.update("q9", score, 0)
    with pytest.raises(MethodError, match="one score of a and one of b"):
        monitor.update(["q4", "q5"], [1], [0])
    assert monitor.items == 1
    monitor.update("q2", 1, 1)
    for options, words in (
        ({"stop": "margin"}, "needs a margin"),
        ({"margin": 2}, "needs a margin"),
        ({"margin": 0.1, "stop": "separated"}, "no part"),
        ({"stop": "never"}, "no way to stop"),
        ({"alpha": 0.7}, "alpha"),
    ):
        with pytest.raises(MethodError, match=words):
            Monitor(**options)
    with pytest.raises(MethodError, match="no item has come"):
        Monitor().look()
    assert Monitor().p == 1
    assert np.isnan(Monitor().difference)


def test_false_stops_by_enumeration():
    """Every sequence of ten items of equal entries: Monitor stops as often as the sum over paths says."""
    from deadheat.stats.anytime import crossing

    stopped = 0.0
    for signs in itertools.product((1, 0, -1), repeat=8):
        x = np.array(signs)
        b, c = (x == 1).cumsum(), (x == -1).cumsum()
        monitor_p = np.minimum.accumulate(np.exp(-betting.log_e(b, c)))
        stopped += (monitor_p[-1] <= 0.2) / 3**8
    survived = crossing.survival(0.5, 8, 0.2)
    assert stopped == pytest.approx(1 - crossing.not_stopped(survived, 2 / 3, [8])[0])
    assert stopped <= 0.2


def rows(entry, scores):
    return "".join(
        json.dumps({"model": entry, "item": f"q{k:03d}", "score": int(s)}) + "\n"
        for k, s in enumerate(scores)
    )


def batch_of(a, b):
    return [f"q{k:03d}" for k in range(len(a))], list(map(float, a)), list(map(float, b))


def test_a_watch_and_its_end():
    made = watch([batch_of([1] * 30, [0] * 30)], "new", "old", every=5)
    assert [look.items for look in made.looks] == [5, 10]
    assert (made.ended, made.outcome) == ("decided", "a")
    assert made.summary.startswith("Decided after 10 items: new scores higher than old.")
    open_ = watch([batch_of([1, 0] * 6, [0, 1] * 6)], every=5, budget=8)
    assert [look.items for look in open_.looks] == [5, 8]
    assert (open_.ended, open_.outcome) == ("budget", None)
    assert "After 8 items it is open whether" in open_.summary
    rest = watch([batch_of([1, 0] * 6, [0, 1] * 6)], every=5)
    assert ([look.items for look in rest.looks], rest.ended) == ([5, 10, 12], "end")
    with pytest.raises(NothingShared):
        watch([])
    with pytest.raises(MethodError, match="at least 1"):
        watch([], every=0)


def test_a_rewritten_file_keeps_what_was_counted():
    first, again = batch_of([1] * 4, [0] * 4), batch_of([0] * 9, [0] * 9)
    made = watch([first, again], every=1)
    assert made.looks[-1].items == 9
    assert made.looks[-1].difference == pytest.approx(4 / 9)
    assert made.changed == 4
    assert "changed" in {note.code for note in made.notes}


def test_a_journal_spends_error_once(tmp_path):
    journal = tmp_path / "watch.journal"
    half, whole = batch_of([1, 0, 1, 1], [0] * 4), batch_of([1, 0, 1, 1, 1, 1, 1, 1], [0] * 8)
    begun = watch([half], "new", "old", journal=journal)
    assert begun.outcome is None
    text = journal.read_text()
    journal.write_text(text + '{"items": ["q0')  # killed while writing
    resumed = watch([whole], "new", "old", journal=journal)
    assert resumed.resumed == 4
    assert resumed.looks[:4] == begun.looks
    assert resumed.outcome == "a"
    assert journal.read_text().startswith(text)
    again = watch([whole], "new", "old", journal=journal)  # decided: a new start does not get a new chance
    assert again.looks == resumed.looks
    with pytest.raises(MethodError, match="spent"):
        watch([whole], "new", "old", journal=journal, alpha=0.1)
    with pytest.raises(MethodError, match="margin None"):
        watch([whole], "new", "old", journal=journal, margin=0.1)
    for broken in ("hello\n", '{"journal": "other"}\n', text + "[]\n"):
        journal.write_text(broken)
        with pytest.raises(MalformedFile, match="not the journal"):
            watch([whole], "new", "old", journal=journal)


def command(*words, **options):
    line = [sys.executable, "-m", "deadheat", "watch", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, check=False, **options)


def test_the_command(tmp_path):
    new, base = tmp_path / "new.jsonl", tmp_path / "base.jsonl"
    base.write_text(rows("base", [0] * 40))
    new.write_text(rows("new", [1] * 40))
    good = command(new, "--against", base, "--wait", 0, "--every", 4)
    assert good.returncode == 0, good.stderr
    assert "      8 items" in good.stdout
    assert "Decided after 8 items: new scores higher than base." in good.stdout
    worse = command(base, new, "--against", "new", "--wait", 0, "--json")
    assert worse.returncode == 3
    assert json.loads(worse.stdout)["outcome"] == "b"
    assert "7 items" in worse.stderr
    same = command(base, "--against", f"other={base}", "--wait", 0, "-q")
    assert same.returncode in (1, 2)
    open_ = command(new, "--against", base, "--wait", 0, "--budget", 3, "--fail-on", "inconclusive", "-q")
    assert open_.returncode == 3


def test_standard_input_line_by_line(tmp_path):
    base = tmp_path / "base.csv"
    base.write_text("model,item,score\n" + "".join(f"base,q{k:03d},0\n" for k in range(40)))
    lines = "model,item,score\n" + "".join(f"new,q{k:03d},1\n" for k in range(40))
    found = command("-", "--against", base, "--json", "-q", input=lines)
    document = json.loads(found.stdout)
    assert (document["a"], document["b"], document["looks"][-1]["items"]) == ("new", "base", 7)
    both = rows("new", [1] * 9) + rows("base", [0] * 9)
    found = command("-", "--against", "base", "--json", "-q", input=both)
    assert json.loads(found.stdout)["outcome"] == "a"
    for text, words in (
        ('{"model": "new", "item": 1}\n', "line 1 has no item or no score"),
        ('{"model": \n', "line 1 is not JSON"),
        ("model,item,score\nnew,q1\n", "line 2 has 2 cells"),
        ("model,item,score\nnew,q1,blue\n", "line 2: score 1 is not a number"),
    ):
        refused = command("-", "--against", "base", input=text)
        assert refused.returncode == 1
        assert words in refused.stderr


def test_lines_wait_for_both():
    text = io.StringIO("entry,item,score\na,1,1\n\nb,2,0\nb,1,0\nc,2,1\na,2,\na,2,0\n")
    assert list(following.lines(text, "a", "b", {})) == [(["1"], [1.0], [0.0]), (["2"], [0.0], [0.0])]


def test_samples_are_waited_for(tmp_path):
    from deadheat.estimand import Estimand
    from support import table_of

    table = dh.Table.from_frame(
        {
            "entry": ["a", "a", "a", "b", "b", "b"],
            "item": ["1", "1", "2", "1", "1", "2"],
            "sample": [0, 1, 0, 0, 1, 0],
            "score": [1, 0, 1, 0, 0, 1],
        }
    )
    pick = ("a", "b")
    assert following._shared(table, pick, Estimand(), 2) == (["1"], [0.5], [0.0])
    assert following._shared(table, pick, Estimand(), 1)[0] == ["1", "2"]
    assert following._shared(table_of({"a": [1], "b": [0]}), pick, Estimand(), 2) == ([], [], [])


def test_a_half_written_line_is_not_read(tmp_path):
    path = tmp_path / "new.jsonl"
    path.write_text(rows("new", [1, 0]) + '{"model": "new", "it')
    (copy,) = following._copies([f"x={path}"])
    assert copy.startswith("x=")
    assert dh.read(copy.removeprefix("x=")).items == ("q000", "q001")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "part.csv").write_text("a,b\n1")
    (folder / "note.txt").write_text("whole")
    (copied,) = following._copies([str(folder)])
    assert {p.name: p.read_text() for p in Path(copied).iterdir()} == {
        "part.csv": "a,b\n",
        "note.txt": "whole",
    }


def test_kill_and_go_on(tmp_path):
    """A watch that is killed with -9 goes on from its journal, and stops where an unbroken one does."""
    new, base, journal = (tmp_path / name for name in ("new.jsonl", "base.jsonl", "w.journal"))
    base.write_text(rows("base", [0] * 40))
    new.write_text(rows("new", [1] * 3))
    line = [sys.executable, "-m", "deadheat", "watch", new, "--against", base, "--journal", journal]
    process = subprocess.Popen([*map(str, line), "--poll", "0.05", "-q"], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while (not journal.exists() or journal.read_text().count("\n") < 4) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert journal.read_text().count("\n") == 4  # what was asked, and three looks
    new.write_text(rows("new", [1] * 12))
    found = command(new, "--against", base, "--journal", journal, "--wait", 0, "--json", "-q")
    document = json.loads(found.stdout)
    assert (document["resumed"], document["looks"][-1]["items"], document["outcome"]) == (3, 7, "a")
