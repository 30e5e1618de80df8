"""Against the real Inspect: metrics in a log, the hook at the end of a task, all found by entry point."""

import math
from importlib.metadata import entry_points

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("deadheat_inspect", reason="pip install -e . first")

from deadheat_inspect import interval, standard_error
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import SampleScore, Score, accuracy, scorer
from inspect_ai.solver import Generate, TaskState, solver

from deadheat import wilson


@solver
def scripted(right: int):
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("mockllm/model", "C" if int(state.sample_id) < right else "I")
        return state

    return solve


@scorer(metrics=[accuracy(), interval(), standard_error(cluster="passage")])
def graded():
    async def score(state: TaskState, target: object) -> Score:
        return Score(value=state.output.completion)

    return score


def run(folder, right, model):
    samples = [Sample(id=str(n), input="?", metadata={"passage": f"p{n // 2}"}) for n in range(20)]
    task = Task(samples, solver=scripted(right), scorer=graded(), name="tiny")
    [log] = eval(task, model=model, log_dir=str(folder), display="none")
    return log


def test_the_entry_point_is_there():
    assert {point.name for point in entry_points(group="inspect_ai")} >= {"deadheat_inspect"}


def test_metrics_in_a_log(tmp_path):
    log = run(tmp_path, 15, "mockllm/a")
    metrics = {name: found.value for name, found in log.results.scores[0].metrics.items()}
    low, high = wilson(15, 20)
    assert metrics["low"] == pytest.approx(low)
    assert metrics["high"] == pytest.approx(high)
    assert metrics["standard_error"] > 0.1


def test_undefined_is_nan_and_never_zero():
    one = [SampleScore(score=Score(value="C"), sample_id="a")]
    assert math.isnan(standard_error()(one))
    assert math.isnan(standard_error()([]))
    assert math.isnan(interval()([])["low"])


def test_a_missing_cluster_is_named():
    with pytest.raises(ValueError, match="no 'passage' in its metadata"):
        interval(cluster="passage")([SampleScore(score=Score(value="C"), sample_id="a")])


def test_the_hook_compares_with_the_baseline(tmp_path, monkeypatch, capsys):
    baseline = run(tmp_path / "baseline", 5, "mockllm/a")
    monkeypatch.setenv("DEADHEAT_BASELINE", baseline.location)
    monkeypatch.setenv("DEADHEAT_CLUSTER", "passage")
    run(tmp_path / "new", 19, "mockllm/a")
    [written] = (tmp_path / "new").glob("*.deadheat.md")
    text = written.read_text()
    assert "candidate" in text
    assert "baseline" in text
    assert f"({written.name})" in capsys.readouterr().out


def test_a_comparison_that_cannot_be_made_fails_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DEADHEAT_BASELINE", str(tmp_path / "none.eval"))
    log = run(tmp_path / "new", 19, "mockllm/a")
    assert log.status == "success"
    assert "deadheat: no comparison with the baseline:" in capsys.readouterr().out


def test_a_look_at_every_finished_sample(tmp_path, monkeypatch, capsys):
    baseline = run(tmp_path / "baseline", 2, "mockllm/a")
    monkeypatch.setenv("DEADHEAT_BASELINE", baseline.location)
    monkeypatch.setenv("DEADHEAT_LIVE", "1")
    run(tmp_path / "new", 20, "mockllm/a")
    out = capsys.readouterr().out
    assert "deadheat: decided, the run is better after" in out
    run(tmp_path / "same", 2, "mockllm/a")
    assert "deadheat: open, no decision after 20 items: +0.0 points" in capsys.readouterr().out
