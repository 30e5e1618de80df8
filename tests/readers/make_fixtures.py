"""Makes the small fixtures beside this file, each by hand to the documented layout of its harness.

`python tests/readers/make_fixtures.py` writes them anew. Inspect AI and lm-eval have scripts of their own.
"""

import csv
import json
from pathlib import Path

import duckdb

FIXTURES = Path(__file__).parent / "fixtures"


def put(path: str, content: object, *, lines: bool = False) -> None:
    """Write JSON, JSON Lines or text."""
    target = FIXTURES / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        target.write_text(content)
    elif lines:
        target.write_text("".join(json.dumps(row) + "\n" for row in content))
    else:
        target.write_text(json.dumps(content, indent=1) + "\n")


def swebench() -> None:
    for model, resolved, unresolved in (("org__a", [1, 3], [2]), ("org__b", [1], [2, 3])):
        ids = {n: f"django__django-{n}" for n in range(1, 6)} | {6: "psf__requests-6"}
        done = [ids[n] for n in sorted(resolved + unresolved)]
        report = {
            "total_instances": 6,
            "submitted_instances": 5,
            "completed_instances": 3,
            "resolved_instances": len(resolved),
            "unresolved_instances": len(unresolved),
            "empty_patch_instances": 1,
            "error_instances": 1,
            "completed_ids": [*done, ids[5]],
            "incomplete_ids": [ids[6]],
            "empty_patch_ids": [ids[4]],
            "submitted_ids": [*done, ids[4], ids[5]],
            "resolved_ids": [ids[n] for n in resolved],
            "unresolved_ids": [ids[n] for n in unresolved],
            "error_ids": [ids[5]],
            "infra_failure_ids": [ids[2]],
            "schema_version": 2,
        }
        put(f"swebench-report/runs/{model}.v1.json", report)
        put(
            f"swebench-report/logs/run_evaluation/v1/{model}/{ids[1]}/report.json",
            {
                ids[1]: {
                    "patch_is_None": False,
                    "patch_exists": True,
                    "resolved": True,
                    "infra_failure": False,
                }
            },
        )
    cli = {
        "total_instances": 3,
        "submitted_instances": 3,
        "resolved_instances": 1,
        "pending_instances": 1,
        "resolved_ids": ["psf__requests-1"],
        "unresolved_ids": ["psf__requests-2"],
        "pending_ids": ["psf__requests-3"],
    }
    put("swebench-report/sb-cli-reports/swe-bench_lite__dev__my_run.json", cli)
    multi = {
        "total_instances": 2,
        "submitted_instances": 2,
        "completed_instances": 2,
        "resolved_instances": 1,
        "resolved_ids": ["org/tool:pr-1"],
        "unresolved_ids": ["org/tool:pr-2"],
    }
    put("swebench-report/multi/model-m/final_report.json", multi)
    for entry, verdicts in (("agent-a", [True, False, True]), ("agent-b", [False, False])):
        commit = "0123456789abcdef0123456789abcdef01234567"
        ids = [f"instance_Node__Node-{n}{commit[1:]}-vnan" for n in range(len(verdicts))]
        put(f"swebench-pro/{entry}/eval_results.json", dict(zip(ids, verdicts, strict=True)))
    details = {
        "astropy__astropy-1": {"cost": 0.5, "api_calls": 9, "resolved": True},
        "astropy__astropy-2": {"cost": 0.1, "api_calls": 3, "resolved": None},
        "astropy__astropy-3": {"cost": 0.2, "api_calls": 5, "resolved": False},
    }
    put("swebench-details/20260101_mini_a/per_instance_details.json", details)
    put(
        "sample-lists/model-a.json",
        {"sample_0": [True, False, True], "sample_1": [False, False], "sample_2": []},
    )
    put("sample-lists/model-b.json", {"sample_0": [True], "sample_1": [True, True], "sample_2": [False]})


def helm() -> None:
    def stat(name: str, mean: float | None, split: str = "test", **more: object) -> dict:
        counted = {"count": 0} if mean is None else {"count": 1, "sum": mean, "mean": mean}
        return {"name": {"name": name, "split": split, **more}, **counted}

    rows = []
    for trial in (0, 1):
        for n in (1, 2, 3):
            score = None if (n, trial) == (3, 1) else float((n + trial) % 2)
            rows.append(
                {
                    "instance_id": f"id{n}",
                    "train_trial_index": trial,
                    "stats": [stat("num_prompt_tokens", 12.0), stat("exact_match", score)],
                }
            )
            rows.append(
                {"instance_id": f"id{n}", "train_trial_index": trial, "stats": [stat("f1_score", 0.5)]}
            )
    typo = {"name": "typos", "prob": 0.1}
    rows.append(
        {
            "instance_id": "id1",
            "train_trial_index": 0,
            "perturbation": typo,
            "stats": [stat("exact_match", 0.0, perturbation=typo)],
        }
    )
    folder = "helm/runs/sums:kind=small,model=org_a"
    put(f"{folder}/per_instance_stats.json", rows)
    spec = {"name": "sums:kind=small,model=org_a", "adapter_spec": {"model": "org/a", "num_train_trials": 2}}
    put(f"{folder}/run_spec.json", spec)
    put(f"{folder}/stats.json", [stat("exact_match", 0.6), stat("exact_match", 0.0, perturbation=typo)])


def tau() -> None:
    attempts = [
        {"task_id": task, "reward": reward, "info": info, "traj": [{"role": "user"}], "trial": trial}
        for trial in (0, 1)
        for task, reward, info in (
            (0, 1.0, {}),
            (1, float(trial), {"user_cost": 0.1}),
            (2, 0.0, {"error": "boom", "traceback": ""} if trial else {}),
        )
    ]
    put("tau-bench/retail/tool-calling-model-a-0.0_range_0--1_user-gpt-4o-llm_0102030405.json", attempts)
    ends = [("0", 0, 1.0, "user_stop"), ("0", 1, 0.0, "max_steps"), ("1", 0, None, "agent_error")]
    ends.append(("1", 1, None, "infrastructure_error"))
    simulations = [
        {
            "id": f"{task}-{trial}",
            "task_id": task,
            "trial": trial,
            "reward_info": None if reward is None else {"reward": reward},
            "termination_reason": reason,
            "messages": [],
        }
        for task, trial, reward, reason in ends
    ]
    info = {
        "num_trials": 2,
        "agent_info": {"implementation": "llm_agent", "llm": "org/a"},
        "environment_info": {"domain_name": "telecom"},
    }
    run = {"timestamp": "2026-01-02T03:04:05", "info": info, "tasks": [{"id": "0"}, {"id": "1"}]}
    put("tau2-bench/one_file.json", run | {"simulations": simulations})
    index = [
        {
            "id": s["id"],
            "task_id": s["task_id"],
            "trial": s["trial"],
            "reward": (s["reward_info"] or {}).get("reward"),
        }
        | {"termination_reason": s["termination_reason"]}
        for s in simulations
    ]
    put("tau2-bench/folder/results.json", run | {"simulation_index": index})
    put("tau2-bench/folder/simulations/0-0.json", simulations[0])


def terminal() -> None:
    for run, last in (("2026-01-02__03-04-05", None), ("2026-01-03__03-04-05", True)):
        trials = [
            {"task_id": "hello", "is_resolved": True, "failure_mode": "unset"},
            {"task_id": "sort-it", "is_resolved": False, "failure_mode": "agent_timeout"},
            {
                "task_id": "build",
                "is_resolved": last,
                "failure_mode": "parse_error" if last is None else "none",
            },
            {"task_id": "slow", "is_resolved": None, "failure_mode": "unset"},
        ]
        for trial in trials:
            trial["trial_name"] = f"{trial['task_id']}.1-of-1.{run}"
            put(f"terminal-bench/runs/{run}/{trial['task_id']}/{trial['trial_name']}/results.json", trial)
        right = sum(trial["is_resolved"] is True for trial in trials)
        whole = {
            "id": f"id-{run}",
            "results": trials,
            "pass_at_k": {},
            "n_resolved": right,
            "accuracy": right / 4,
        }
        put(f"terminal-bench/runs/{run}/results.json", whole)
        put(
            f"terminal-bench/runs/{run}/run_metadata.json",
            {"run_id": run, "agent_name": "terminus", "model_name": "org/a", "dataset_name": "core"},
        )
    policy = {"should_retry": True, "has_valid_reward": False}
    broke = {"exception_type": "SandboxError", "exception_message": "", "policy": policy}
    late = {"exception_type": "AgentTimeoutError", "policy": {"has_valid_reward": True}}
    for trial, task, reward, exception in (
        ("hello__a1", "hello", 1, None),
        ("hello__b2", "hello", 0, late),
        ("sort-it__c3", "sort-it", 0, broke),
        ("sort-it__d4", "sort-it", None, None),
    ):
        result = {
            "schema_version": 1,
            "id": trial,
            "task_name": f"bench/{task}",
            "trial_name": trial,
            "source": "bench",
            "task_checksum": "0",
            "agent_info": {
                "name": "terminus-2",
                "version": "2",
                "model_info": {"name": "a", "provider": "org"},
            },
            "verifier_result": None if reward is None else {"rewards": {"reward": reward}},
            "exception_info": exception,
        }
        put(f"harbor/jobs/2026-01-02/{trial}/result.json", result)
    put(
        "harbor/jobs/2026-01-02/result.json",
        {"id": "job", "stats": {"evals": {"terminus-2__a__bench": {"n_trials": 3}}}},
    )


def bfcl() -> None:
    def score(path: str, total: int, failures: list[dict]) -> None:
        right = total - len(failures)
        header = {"accuracy": right / total, "correct_count": right, "total_count": total}
        put(
            path,
            [header, *({"model_name": "m", "valid": False, "error_type": "decode", **f} for f in failures)],
            lines=True,
        )

    for model, wrong in (("org_a", ["live_simple_1-1-0"]), ("org_b", [])):
        path = f"bfcl/{{}}/{model}/live/BFCL_v4_live_simple_{{}}.json"
        score(path.format("score", "score"), 3, [{"id": id, "test_category": "live_simple"} for id in wrong])
        ids = [f"live_simple_{n}-{n}-0" for n in range(3)]
        put(path.format("result", "result"), [{"id": id, "result": "f()"} for id in ids], lines=True)
    score("bfcl/old/model-a/simple_score.json", 4, [{"id": 2, "test_category": "simple"}])


def judged() -> None:
    for model, preferences in (("model-a", [1.0, 1.75, None]), ("model-b", [2.0, 0, 3.5])):
        rows = [
            {
                "instruction": f"Question {n}?",
                "output_1": "x",
                "generator_1": "base",
                "output_2": "y",
                "generator_2": model,
                "dataset": "koala" if n else "vicuna",
                "annotator": "judge",
                "preference": preference,
            }
            for n, preference in enumerate(preferences)
        ]
        put(f"alpaca-eval/results/{model}/judge/annotations.json", rows)
        rate = {"model-a": 37.5, "model-b": 75.0}[model]
        header = ",win_rate,standard_error,n_total,length_controlled_winrate\n"
        put(f"alpaca-eval/results/{model}/judge/leaderboard.csv", f"{header}{model},{rate},10.0,2,40.0\n")


def counted() -> None:
    rows = [
        {"benchmark_id": "sums", "model": "a", "example_id": "0", "pass1": 0.5, "correct": 1, "count": 2},
        {"benchmark_id": "sums", "model": "a", "example_id": "1", "pass1": 0.0, "correct": 0, "count": 2},
        {"benchmark_id": "sums", "model": "b", "example_id": "0", "pass1": 0.25},
        {"benchmark_id": "sums", "model": "b", "example_id": "1", "pass1": None},
    ]
    put("eval-arena/counts.jsonl", rows, lines=True)
    base = {"equal_task_weight": 0.25, "invsqrt_task_weight": 0.5, "human_minutes": 3.0}
    runs = [
        {
            "task_family": "fix",
            "task_id": "fix/1",
            "run_id": "r1",
            "alias": "A",
            "score_binarized": 1,
            "score_cont": 0.9,
        },
        {
            "task_family": "fix",
            "task_id": "fix/1",
            "run_id": "r2",
            "alias": "A",
            "score_binarized": 0,
            "score_cont": 0.2,
        },
        {
            "task_family": "fix",
            "task_id": "fix/2",
            "run_id": "r3",
            "alias": "B",
            "score_binarized": 0,
            "score_cont": 0.0,
        },
        {
            "task_family": "run",
            "task_id": "run/1",
            "run_id": "r4",
            "alias": "B",
            "fatal_error_from": "server",
        },
    ]
    put("metr-runs/runs.jsonl", [run | base for run in runs], lines=True)


def code() -> None:
    def plus(task: str, *statuses: tuple[str | None, str | None]) -> list[dict]:
        return [
            {"task_id": task, "solution": "pass", "base_status": base, "plus_status": more}
            for base, more in statuses
        ]

    tasks = {
        "HumanEval/0": plus("HumanEval/0", ("pass", "fail"), ("pass", "pass")),
        "HumanEval/1": plus("HumanEval/1", ("timeout", "fail"), ("fail", "fail")),
    }
    rates = {"base": {"pass@1": 0.5}, "plus": {"pass@1": 0.25}}
    path = "evalplus/humaneval/org--a_vllm_temp_0.8_eval_results.json"
    put(path, {"date": "2026-01-02", "hash": "0", "eval": tasks, "pass_at_k": rates})
    old = {
        "nfiles": 2,
        "base": [["pass", [True]], ["fail", [False]]],
        "plus": [["pass", [True]], ["fail", [False]]],
    }
    put(
        "evalplus/old/model-b/eval_results.json",
        {"date": "2023-06-01", "hash": "0", "eval": {"HumanEval/0": old}},
    )
    stem = "bigcodebench/runs/org--a--main--bigcodebench-hard-instruct--vllm-0-1-sanitized_calibrated"
    statuses = {
        "BigCodeBench/13": "pass",
        "BigCodeBench/15": "timeout",
        "BigCodeBench/17": "fail",
        "BigCodeBench/19": None,
    }
    results = {
        task: [{"task_id": task, "solution": "", "status": status, "details": {}}]
        for task, status in statuses.items()
    }
    put(f"{stem}_eval_results.json", {"date": "2026-01-02", "eval": results})
    put(
        f"{stem}_pass_at_k.json", {"pass@1": 0.25, "model": "org/a", "split": "instruct", "gt_pass_rate": 1.0}
    )
    rows = [
        {"task_id": "HumanEval/0", "completion": "", "result": "passed", "passed": True},
        {"task_id": "HumanEval/0", "completion": "", "result": "timed out", "passed": False},
        {"task_id": "HumanEval/1", "completion": "", "result": "failed: AssertionError", "passed": False},
    ]
    put("humaneval/model-a.jsonl_results.jsonl", rows, lines=True)
    verdicts = {
        "0": [[0, {"passed": True, "result": "passed"}], [1, {"passed": False, "result": "timed out"}]]
    }
    put(
        "bigcode-harness/model-a_details.json",
        verdicts | {"1": [[0, {"passed": False, "result": "failed: x"}]]},
    )
    questions = [
        {
            "question_id": f"abc_{n}",
            "platform": "atcoder",
            "difficulty": "easy" if n else "hard",
            "contest_date": f"2026-01-0{n + 1}T00:00:00",
            "code_list": ["", ""],
            "graded_list": graded,
            "pass@1": sum(graded) / 2,
            "metadata": ["{}", "{}"],
        }
        for n, graded in enumerate(([True, False], [True, True]))
    ]
    put("livecodebench/model-a/Scenario.codegeneration_2_0.2_eval_all.json", questions)
    metrics = {"pass@1": 0.75, "detail": {"pass@1": {"0": 0.5, "1": 1.0}}}
    put("livecodebench/model-a/Scenario.codegeneration_2_0.2_eval.json", [metrics, {"0": [[1]]}, [["{}"]]])


def promptfoo() -> None:
    """A file of an older version; the others come from the program itself (see promptfooconfig.yaml)."""
    group = ["Status", "Score", "Named Scores", "Grader Reason", "Comment"]
    cells = [
        ["Description", "name", "[echo] Say", *group, "[slow] Say", *group],
        ["greets", "Ann", "Ann", "PASS", "1.00", "", "ok", "", "An", "FAIL", "0.50", "", "no", ""],
        ["greets", "Ann", "Ann", "PASS", "1.00", "", "ok", "", "Ann", "PASS", "0.50", "", "ok", ""],
        ["", "Bob", "Bob", "PASS", "1.00", "", "ok", "", "", "ERROR", "0.00", "", "", ""],
    ]
    target = FIXTURES / "promptfoo-csv" / "older.csv"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", newline="") as stream:
        csv.writer(stream).writerows(cells)


def others() -> None:
    def metric(name: str, score: float | None, success: bool) -> dict:
        shown = {"error": "TimeoutError: slow judge"} if score is None else {"score": score}
        return {"name": name, "threshold": 0.5, "success": success, **shown}

    run = {
        "testCases": [
            {"name": "greets", "input": "hi", "success": True, "metricsData": [metric("Polite", 0.75, True)]},
            {
                "name": "test_case_1",
                "input": "bye",
                "success": False,
                "metricsData": [metric("Polite", None, False)],
            },
            {
                "name": "test_case_2",
                "input": "bye",
                "success": False,
                "metricsData": [metric("Polite", 0.25, False)],
            },
            {"name": "silent", "input": "…", "success": True, "metricsData": []},
        ],
        "conversationalTestCases": [],
        "metricsScores": [{"metric": "Polite", "scores": [0.75, 0.25], "passes": 1, "fails": 1, "errors": 1}],
        "hyperparameters": {"model": "org/a"},
        "testPassed": 2,
        "testFailed": 2,
    }
    put("deepeval/test_run_20260102_030405.json", run)
    put("deepeval/latest_test_run.json", {"testRunData": run})
    spec = {
        "completion_fns": ["org/a"],
        "eval_name": "sums.dev.v0",
        "run_id": "r",
        "created_at": "2026-01-02 03:04:05",
    }
    events = [
        {"spec": spec},
        {
            "run_id": "r",
            "event_id": 0,
            "sample_id": "sums.dev.0",
            "type": "sampling",
            "data": {"sampled": ["2"]},
        },
        {"run_id": "r", "event_id": 1, "sample_id": "sums.dev.0", "type": "match", "data": {"correct": True}},
        {"final_report": {"accuracy": 0.5}, "run_id": "r"},
        {
            "run_id": "r",
            "event_id": 2,
            "sample_id": "sums.dev.1",
            "type": "match",
            "data": {"correct": False},
        },
        {
            "run_id": "r",
            "event_id": 3,
            "sample_id": "sums.dev.2",
            "type": "error",
            "data": {"message": "late"},
        },
        {
            "run_id": "r",
            "event_id": 4,
            "sample_id": "sums.dev.3",
            "type": "sampling",
            "data": {"sampled": ["5"]},
        },
    ]
    put("openai-evals/log.jsonl", events, lines=True)
    examples = [{"score": 0.5, "prompt_id": "p1"}, {"score": 1.0, "prompt_id": "p2"}, None]
    health = {
        "score": 0.75,
        "metrics": {},
        "htmls": [],
        "convos": [],
        "metadata": {"example_level_metadata": examples},
    }
    put("simple-evals/healthbench_org-a_20260102_030405_allresults.json", health)
    put("simple-evals/gpqa_org-b_20260102_030405.json", {"chars": 10.0, "score:std": 0.48, "score": 0.61})
    instance = {
        "schema_version": "0.3.0",
        "evaluation_id": "sums/org_a/1",
        "model_id": "org/a",
        "evaluation_name": "sums",
        "interaction_type": "single_turn",
        "input": {"raw": "1+1?", "reference": ["2"]},
        "output": {"raw": ["2"]},
        "answer_attribution": [],
    }
    rows = [
        instance | {"sample_id": id, "evaluation": {"score": score, "is_correct": score > 0.5}} | more
        for id, score, more in (
            ("0", 1.0, {"evaluation_result_id": "acc", "metadata": {"epoch": "1"}}),
            ("0", 0.25, {"evaluation_result_id": "acc", "metadata": {"epoch": "2"}}),
            ("1", 0.0, {"error": "late", "metadata": {"epoch": "1"}}),
            ("1", 0.0, {"evaluation_result_id": "acc", "metadata": {"epoch": "2"}}),
            ("1", 0.0, {"evaluation_result_id": "acc", "metadata": {"epoch": "2"}}),
        )
    ]
    put("every-eval-ever/data/sums/org/a/0001_samples.jsonl", rows, lines=True)
    result = {
        "evaluation_name": "sums",
        "evaluation_result_id": "acc",
        "source_data": {"dataset_name": "sums", "source_type": "other"},
        "metric_config": {
            "lower_is_better": False,
            "metric_unit": "percent",
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 100,
        },
        "score_details": {"score": 31.25, "uncertainty": {"num_samples": 2}},
    }
    aggregate = {
        "schema_version": "0.3.0",
        "evaluation_id": "sums/org_a/1",
        "retrieved_timestamp": "1767323045",
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": "org",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "sums", "version": "1"},
        "model_info": {
            "name": "a",
            "id": "org/a",
            "developer": "org",
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
    }
    put("every-eval-ever/data/sums/org/a/0001.json", aggregate | {"evaluation_results": [result]})
    folder = "opencompass/outputs/default/20260102_030405/results/model-a"
    detail = {"prompt": "q", "predictions": "A", "references": "A"}
    found = {"type": "GEN", "0": detail | {"correct": True}, "1": detail | {"correct": False}}
    put(f"{folder}/sums.json", {"accuracy": 50.0, "details": found})
    repeated = [
        {"example_abbr": "words_0", "pred": ["A", "B"], "answer": ["A", "A"], "correct": [True, False]},
        {"example_abbr": "words_1", "pred": ["A", "A"], "answer": ["A", "A"], "correct": [True, True]},
    ]
    put(f"{folder}/words.json", {"accuracy (2 runs average)": 75.0, "details": repeated})
    put(f"{folder.replace('model-a', 'model-b')}/sums.json", {"accuracy": 75.0})


def sieval() -> None:
    folder = "sieval/run/sums_0shot_gen/20260102030405"
    put(
        f"{folder}/report.json",
        {"score": 50.0, "pass@1": 50.0, "denominator_policy": "requested", "fails": 1, "n": 2},
    )
    states = [{"sample_id": n, "stage": "failed" if n == 2 else "final", "iteration": 0} for n in range(3)]
    put(f"{folder}/manifest.json", states)
    put(f"{folder}/meta.json", {"version": "0.0.0", "deterministic": False})

    def final(id: int, iteration: int, *right: bool) -> dict:
        return {
            "sample_id": id,
            "iteration": iteration,
            "stage": "final",
            "infer_result": {"model": {"model": "org/a"}, "texts": ["2"] * len(right)},
            "feedback_result": {"rollouts": [{"index": i, "correct": r} for i, r in enumerate(right)]},
        }

    broke = {
        "iteration": 0,
        "stage": "failed",
        "error_action": "infer",
        "error_reason": "exception::RuntimeError",
    }
    put(f"{folder}/0/final/0.jsonl", [final(0, 0, False, False), final(1, 0, True, False)], lines=True)
    put(f"{folder}/0/failed/0.jsonl", [{"sample_id": 1, **broke}, {"sample_id": 2, **broke}], lines=True)
    put(f"{folder}/1/final/0.jsonl", [final(0, 1, True, True)], lines=True)


def lighteval() -> None:
    time = "2026-01-02T03-04-05.678901"
    target = (
        FIXTURES / "lighteval" / "out" / "details" / "org" / "a" / time / f"details_sums|0_{time}.parquet"
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    rows = "(VALUES ('7', '1+1', 1, 0.5), ('8', '2+2', 0, 0.25), ('9', '3+3', NULL, 'nan'::DOUBLE))"
    duckdb.execute(
        "COPY (SELECT {'id': id, 'query': query} AS doc, {'em': em, 'f1': f1::DOUBLE, 'lists': [1, 2]} "
        f"AS metric, {{'text': ['2', '4']}} AS model_response FROM {rows} t(id, query, em, f1)) "
        f"TO '{target}' (FORMAT parquet)"
    )
    results = {
        "config_general": {"model_name": "org/a"},
        "results": {"sums|0": {"em": 0.5}, "all": {"em": 0.5}},
    }
    put(f"lighteval/out/results/org/a/results_{time}.json", results)


def judgebench() -> None:
    """Decisions in both orders: right, one each way, one missing, none, and a tie."""
    decided = [("A>B", "B>A"), ("A>B", "A>B"), ("A>B", None), (None, None), ("A=B", "B>A"), ("B>A", "A>B")]
    for model, taken in (("org_a", decided), ("b", decided[::-1])):
        pairs = [
            {
                "pair_id": f"pair-{at}",
                "original_id": at,
                "source": "sums" if at < 3 else "words",
                "question": f"1+{at}",
                "response_model": "org/c",
                "response_A": "x",
                "response_B": "y",
                "label": "B>A" if at == 5 else "A>B",
                "judge_name": "vanilla",
                "judgments": [None if d is None and at == 3 else {"decision": d} for d in both],
            }
            for at, both in enumerate(taken)
        ]
        name = f"dataset=judgebench,response_model=org_c,judge_name=vanilla,judge_model={model}.jsonl"
        put(f"judgebench/outputs/{name}", pairs, lines=True)


if __name__ == "__main__":
    for make in (
        judgebench,
        swebench,
        helm,
        tau,
        terminal,
        bfcl,
        judged,
        counted,
        code,
        promptfoo,
        others,
        sieval,
        lighteval,
    ):
        make()
