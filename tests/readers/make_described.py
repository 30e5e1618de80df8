"""Makes the fixtures of formats that descriptions read, each by hand to the documented layout of its writer.

`python tests/readers/make_described.py` writes the files anew; what must come of them is in each `case.toml`.
"""

import zipfile

from make_fixtures import FIXTURES, put

RIGHT = [True, False, True, True, False, True]


def reviews() -> None:
    """Harnesses with a row a sample."""
    for model, right in (("model-a", RIGHT), ("model-b", RIGHT[::-1])):
        rows = [
            {
                "index": n,
                "target": "A",
                "sample_score": {
                    "score": {
                        "value": {"acc": float(one), "f1": 0.5},
                        "extracted_prediction": "A",
                        "main_score_name": "acc",
                    },
                    "sample_id": n,
                    "group_id": n // 2,
                },
            }
            for n, one in enumerate(right)
        ]
        put(f"evalscope/outputs/reviews/{model}/sums_main.jsonl", rows, lines=True)
        for mode, flip in (("strict", False), ("loose", True)):
            rows = [
                {
                    "prompt": f"prompt {n}",
                    "response": "r",
                    "instruction_id_list": ["keywords:existence", "length:words"][: 1 + n % 2],
                    "follow_all_instructions": one or flip,
                    "follow_instruction_list": [one or flip, True][: 1 + n % 2],
                }
                for n, one in enumerate(right[:4])
            ]
            put(f"ifeval/runs/{model}/eval_results_{mode}.jsonl", rows, lines=True)
        rows = [
            {
                "question_id": 70 + n,
                "question": "q",
                "options": ["a", "b"],
                "answer": "A",
                "answer_index": 0,
                "category": ["math", "law"][n % 2],
                "pred": None if n == 4 else "A" if one else "B",
                "model_outputs": "The answer is",
            }
            for n, one in enumerate(right)
        ]
        put(f"mmlu-pro/eval_results/{model}/math_result.json", rows)
        rows = [
            {
                "idx": n,
                "question": "q",
                "gt": "4",
                "pred": ["4", "5"],
                "score": [one, not one],
                "level": 1 + n,
                "subject": ["Algebra", "Geometry"][n % 2],
            }
            for n, one in enumerate(right[:3])
        ]
        put(f"qwen-math/{model}.jsonl", rows, lines=True)
        rows = [
            {
                "question_id": 81 + n // 2,
                "model": model,
                "judge": ["gpt-4", "single-v1"],
                "user_prompt": "u",
                "judgment": "Rating: [[8]]",
                "score": -1 if n == 3 else 8 - n,
                "turn": 1 + n % 2,
                "tstamp": 1.0 + n,
            }
            for n in range(6)
        ]
        put(f"mt-bench/{model}_single.jsonl", rows, lines=True)
    rows = [
        {
            "doc_id": n,
            "target": "cat",
            "filtered_resps": ["cat"],
            "doc_hash": f"{n}" * 64,
            "exact_match": float(one),
            "mme_score": {"question_id": f"q{n}", "score": 0.5},
        }
        for n, one in enumerate(RIGHT[:3])
    ]
    put("lmms-eval/org__m/20260102_030405_samples_mme.jsonl", rows, lines=True)


def objects() -> None:
    """One document a run."""
    put("id-flags/model-a.json", {f"q{n}": {"correct": one} for n, one in enumerate(RIGHT)})
    put("id-flags/model-b.json", {f"q{n}": int(one) for n, one in enumerate(RIGHT)})
    put(
        "id-flags/index/model-c/instance_results/gaia.json",
        {f"q{n}": {"cost": None, "resolved": one} for n, one in enumerate(RIGHT)},
    )
    put(
        "nested-rows/run.json",
        {
            "config": {"model": "org/m"},
            "accuracy": 0.5,
            "results": [{"id": n, "correct": one, "category": "c"} for n, one in enumerate(RIGHT)],
        },
    )
    grades = ["CORRECT", "INCORRECT", "NOT_ATTEMPTED"]
    put("labels/model-a.jsonl", [{"id": n, "label": g} for n, g in enumerate(grades)], lines=True)
    put("labels/model-b.json", [{"id": n, "model": "b", "grade": g} for n, g in enumerate(grades)])
    put(
        "irt-responses/responses.jsonl",
        [
            {"subject_id": "a", "responses": {"q1": 1, "q2": 0}},
            {
                "subject_id": "b",
                "responses": {"q1": {"successes": 1, "trials": 3}, "q2": {"successes": 0, "trials": 0}},
            },
        ],
        lines=True,
    )
    for n, one in enumerate(RIGHT[:3]):
        report = {"instance_id": f"org__repo-{n}", "resolved": one, "patch_applied": True}
        put(f"instance-reports/agent-a/org__repo-{n}_result.json", report)
    put(
        "instance-reports/agent-a/org__repo-9_result.json",
        {"instance_id": "org__repo-9", "resolved": None, "error": "timeout"},
    )
    put(
        "hal/taubench_agent_1_UPLOAD.json",
        {
            "config": {
                "agent_name": "agent (gpt)",
                "benchmark_name": "taubench",
                "date": "2026-01-02",
                "run_id": "r",
            },
            "results": {
                "accuracy": 0.5,
                "total_cost": 1.5,
                "successful_tasks": ["1", "4"],
                "failed_tasks": ["2", "3"],
            },
        },
    )
    samples = [
        {
            "sample_id": s,
            "compiled": True,
            "correctness": bool(s),
            "metadata": {},
            "runtime": 1.5,
            "runtime_stats": {"mean": 1.5},
        }
        for s in range(2)
    ]
    put("kernelbench/runs/run-a/eval_results.json", {"1": samples, "2": samples[:1], "3": []})
    put("kernelbench/old/run-b/eval_results.json", {"1": samples[0], "2": samples[1]})
    scores = {
        "1": {"first_pass_score": 5.5, "revised_score": 6.0},
        "2": {"first_pass_score": None, "revised_score": 7.25},
    }
    put(
        "eq-bench/raw_results.json", {"run1--org/m--none--chatml--none": {"1": {"individual_scores": scores}}}
    )
    iterations = {"iterations": {"1": {"individual_scores": scores}, "2": {"individual_scores": scores}}}
    put("eq-bench/v2/raw_results.json", {"run2--org/n--none--chatml--none": iterations})
    for model, score in (("org__m", 0.75), ("org__n", 0.5)):
        for task in ("Banking", "Emotion"):
            split = [
                {"hf_subset": "default", "languages": ["eng-Latn"], "main_score": score, "accuracy": score}
            ]
            done = {
                "task_name": task,
                "mteb_version": "2.0.0",
                "dataset_revision": "r",
                "scores": {"test": split},
                "evaluation_time": 1.0,
            }
            put(f"mteb/results/{model}/rev/{task}.json", done)


def platforms() -> None:
    """Exports of evaluation platforms."""
    items = [
        {
            "object": "eval.run.output_item",
            "id": f"o{n}",
            "run_id": "run_1",
            "status": "pass" if one else "fail",
            "datasource_item_id": n,
            "datasource_item": {"q": "?"},
            "results": [
                {"name": "grader", "passed": one, "score": 0.75 if one else 0.25},
                {"name": "other", "passed": True, "score": 1.0},
            ],
            "sample": {"model": "gpt-x", "error": None},
        }
        for n, one in enumerate(RIGHT[:3])
    ]
    items[2] |= {"results": [], "sample": {"model": "gpt-x", "error": {"code": "500", "message": "broke"}}}
    put("openai-platform/items.json", {"object": "list", "data": items, "has_more": False})
    put("openai-platform/items.jsonl", items, lines=True)
    put(
        "langsmith/run-a.csv",
        "inputs.q,outputs.answer,feedback.correctness,feedback.brief,error,execution_time,example_id,id\n"
        '"2+2?",4,1,0.5,,0.1,e1,r1\n"3+3?",7,0,0.5,,0.1,e2,r2\n"4+4?",,,,boom,0.1,e3,r3\n',
    )
    events = [
        {
            "id": f"s{n}",
            "root_span_id": f"s{n}",
            "is_root": True,
            "input": {"q": n},
            "scores": {"Factuality": float(one), "Brief": 0.5},
            "error": None,
        }
        for n, one in enumerate(RIGHT[:3])
    ]
    events[2] |= {"scores": {}, "error": "boom"}
    events.append({"id": "t0", "root_span_id": "s0", "is_root": False, "input": None, "scores": None})
    put("braintrust/exp-a.json", {"events": events})
    put("braintrust/exp-b.jsonl", events, lines=True)
    heads = ["inputs", "ground_truth", "outputs", "token_count", "exact_match/v1/score", "toxicity/v1/score"]
    data = [["q1", "a", "a", 3, 1, 0.01], ["q2", "a", "b", 3, 0, 0.02], ["q3", "a", "b", 3, None, None]]
    put("mlflow/run-a/eval_results_table.json", {"columns": heads, "data": data})
    calls = [
        {
            "op_name": "weave:///e/p/op/Evaluation.predict_and_score:v1",
            "inputs": {"example": {"id": f"e{n}", "q": "?"}, "model": "weave:///e/p/object/m:v1"},
            "output": {
                "output": "x",
                "scores": {"exact": one, "judge": {"right": one, "words": 3}},
                "model_latency": 0.1,
            },
            "exception": None,
        }
        for n, one in enumerate(RIGHT[:3])
    ]
    calls[2] |= {"output": {"scores": {}}, "exception": "boom"}
    put("weave/calls.jsonl", calls, lines=True)
    run = [
        {"datasetItemId": f"i{n}", "traceId": f"t{n}", "scores": [{"name": "correct", "value": int(one)}]}
        for n, one in enumerate(RIGHT[:3])
    ]
    put("langfuse/run-a.json", {"name": "run a", "datasetName": "d", "datasetRunItems": run})
    put("langfuse/items.jsonl", [{**row, "datasetRunName": "run b"} for row in run], lines=True)
    runs = [
        {
            "example_id": f"ex{n}",
            "repetition_number": r,
            "input": {"q": n},
            "output": "x",
            "error": None,
            "annotations": [
                {"name": "correct", "annotator_kind": "CODE", "label": None, "score": float(one)}
            ],
        }
        for n, one in enumerate(RIGHT[:2])
        for r in (1, 2)
    ]
    runs[3] |= {"error": "boom", "annotations": []}
    put("phoenix/experiment.json", runs)
    put(
        "ragas/run-a.csv",
        "user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy\n"
        "q one,\"['c']\",r,t,1.0,0.9\nq two,\"['c']\",r,t,0.5,0.8\nq three,\"['c']\",r,t,,0.7\n",
    )
    put(
        "ragas/run-b.json",
        [
            {"user_input": f"q {n}", "retrieved_contexts": ["c"], "response": "r", "faithfulness": 0.5}
            for n in "12"
        ],
    )


SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    "<sheetData>{}</sheetData></worksheet>"
)


def workbooks() -> None:
    """A workbook by hand: text in the sheet, shared text, numbers, and a cell that is left out."""
    heads = ["index", "question", "prediction", "answer", "category", "hit"]
    rows = [
        (n + 10**6 * turn, hit)
        for n, hits in ((1, "11"), (2, "10"), (3, "1"))
        for turn, hit in enumerate(hits)
    ]
    lines = ["".join(f'<c r="{c}1" t="s"><v>{at}</v></c>' for at, c in enumerate("ABCDEF"))]
    for at, (index, hit) in enumerate(rows, 2):
        inline = '<c r="{}{}" t="inlineStr"><is><t>{}</t></is></c>'
        text = inline.format("C", at, "A") + inline.format("E", at, "logic")
        lines.append(f'<c r="A{at}"><v>{index}</v></c>{text}<c r="F{at}"><v>{hit}</v></c>')
    sheet = SHEET.format("".join(f'<row r="{at}">{line}</row>' for at, line in enumerate(lines, 1)))
    strings = "".join(f"<si><t>{name}</t></si>" for name in heads)
    path = FIXTURES / "vlmevalkit" / "model-a" / "model-a_MMBench_openai_result.xlsx"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in (
            ("xl/worksheets/sheet1.xml", sheet),
            ("xl/sharedStrings.xml", f'<sst xmlns="{SHEET.split(chr(34))[1]}">{strings}</sst>'),
        ):
            book.writestr(zipfile.ZipInfo(name), content)
    put("vlmevalkit/plain.csv", "index,question,prediction,hit\n1,q,A,1\n2,q,B,0\n")


if __name__ == "__main__":
    reviews()
    objects()
    platforms()
    workbooks()
