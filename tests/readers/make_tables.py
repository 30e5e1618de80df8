"""Makes by hand the fixtures of plain tables and of the boards of SWE-bench."""

import duckdb
from make_fixtures import FIXTURES, put


def tables() -> None:
    header = "model,question_id,epoch,correct,status,subject,answer\n"
    rows = [
        ("a", "q1", 1, "true", "", "sum", "4"),
        ("a", "q1", 2, "no", "", "sum", "5"),
        ("a", "q2", 1, "", "failed", "product", ""),
        ("a", "q3", 1, "", "", "product", ""),
        ("b", "q1", 1, "C", "", "sum", "4"),
        ("b", "q1", 2, "1", "scored", "sum", "4"),
        ("b", "q2", 1, "0", "", "product", "7"),
        ("b", "q3", 1, "PASS", "", "product", "6"),
    ]
    put("csv/attempts.csv", header + "".join(",".join(map(str, row)) + "\n" for row in rows))
    put("csv/wide.tsv", "task_id\ta\tb\nq1\t0.5\t1\nq2\t0\t\nq3\t1\t0.25\n")
    names = header.strip().split(",")
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    words = {"true": True, "no": False, "": None, "C": True, "1": True, "0": False, "PASS": True}
    for one in objects:
        one["correct"] = words[one["correct"]]
        one["status"] = one["status"] or None
    put("json/attempts.jsonl", objects, lines=True)
    listed = [{"item": f"q{n}", "score": score} for n, score in ((1, 0.5), (2, None), (3, 1))]
    put("json/model-a.json", listed)
    (FIXTURES / "parquet").mkdir(exist_ok=True)
    target = FIXTURES / "parquet" / "attempts.parquet"
    duckdb.execute(f"COPY (SELECT * FROM read_json('{FIXTURES / 'json' / 'attempts.jsonl'}')) TO '{target}'")


def boards() -> None:
    """SWE-bench as its site and its repository of experiments publish it."""
    details = {
        "20260101_a": {"astropy__astropy-1": True, "astropy__astropy-2": False, "django__django-3": True},
        "20260102_b": {"astropy__astropy-1": False, "django__django-3": True},
    }
    results = [
        {
            "name": "Agent (same name)",
            "folder": folder,
            "date": folder[:8],
            "resolved": 66.7 if folder.endswith("a") else 33.3,
            "tags": ["Model: m"],
            "per_instance_details": {id: {"resolved": r, "cost": 0.5} for id, r in verdicts.items()},
        }
        for folder, verdicts in details.items()
    ]
    bare = {"name": "Old", "folder": "20250101_c", "resolved": 12.5, "tags": []}
    other = {"name": "Lite", "results": [{"name": "Old", "folder": "20250101_c", "resolved": 10.0}]}
    site = {"leaderboards": [{"name": "Verified", "results": [*results, bare]}, other]}
    put("swebench-site/leaderboards.json", site)
    lists = {
        "20240402_a": {
            "no_generation": ["astropy__astropy-4"],
            "generated": ["astropy__astropy-1", "astropy__astropy-2", "django__django-3"],
            "with_logs": ["astropy__astropy-1", "astropy__astropy-2", "django__django-3"],
            "install_fail": [],
            "no_apply": ["astropy__astropy-2"],
            "applied": ["astropy__astropy-1", "django__django-3"],
            "test_errored": [],
            "test_timeout": [],
            "resolved": ["astropy__astropy-1"],
        },
        "20240620_b": {
            "no_generation": [],
            "no_logs": ["astropy__astropy-4"],
            "resolved": ["astropy__astropy-2", "django__django-3"],
        },
    }
    for entry, outcome in lists.items():
        put(f"swebench-experiments/lite/{entry}/results/results.json", outcome)
    for entry in lists:
        put(f"swebench-experiments/known/{entry}/results/results.json", lists[entry])
    ids = [f"astropy__astropy-{n}" for n in (1, 2, 4, 5)] + ["django__django-3"]
    put("swebench-experiments/known/index.json", {id: {"repository": id.split("__")[0]} for id in ids})


if __name__ == "__main__":
    tables()
    boards()
