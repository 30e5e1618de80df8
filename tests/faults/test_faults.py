"""A few of the injected faults in each run of the tests; `python tests/faults/inject.py` runs hundreds."""

import signal

import pytest

from faults import inject


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    made = inject.Bench(tmp_path_factory.mktemp("faults"))
    inject.inputs(made.folder, items=60)
    return made


@pytest.fixture(scope="module")
def convert(bench):
    return inject.alone(bench, next(each for each in inject.COMMANDS if each.name == "convert"))


@pytest.fixture(autouse=True)
def nothing_wrong(bench):
    bench.faults.clear()
    yield
    assert not bench.faults


@pytest.mark.parametrize("number", inject.KILLS)
def test_killed(number, bench, convert):
    """At any moment, so that the time which the machine takes does not matter."""
    for share in (0.2, 0.6, 0.9):
        inject.killed(bench, convert, number, share)


def test_disk_full(bench, convert):
    for size in (0, len(convert.whole) - 1):
        inject.full(bench, convert, size)


def test_closed_streams(bench, convert):
    inject.closed(bench, convert, (0, 1, 2))


def test_two_writers(bench, convert):
    inject.two_writers(bench, convert)


def test_a_vanished_input(bench, convert):
    inject.vanished(bench, convert, 0.5)


def test_what_is_wrong_is_seen(bench, convert):
    """The judge is judged: each kind of damage is told."""
    bench.reset()
    ended = inject.subprocess.Popen([inject.sys.executable, "-c", "raise SystemExit(5)"])
    ended.wait()
    bench.target.write_bytes(convert.whole[:-1])
    (bench.target.parent / ".deadheat-x").touch()
    (bench.temporary / "deadheat-y").mkdir()
    bench.judge("kill -15", convert, ended, {0, 128 + signal.SIGTERM}, b"Traceback\n")
    told = "\n".join(bench.faults)
    for word in ("exit code 5", "Traceback", "neither the old", "beside the target", "left in TMPDIR"):
        assert word in told
    bench.faults.clear()
