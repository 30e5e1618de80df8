"""RewardBench files: matched by position, and only when they agree; first places from files."""

import json

import pytest

from deadheat.cli.main import run
from deadheat.errors import DataError
from deadheat.readers import Options, read
from deadheat.readers.rewardbench import CATEGORIES

COUNTS = {
    "alpacaeval-easy": 100, "alpacaeval-length": 95, "alpacaeval-hard": 95, "mt-bench-easy": 28,
    "mt-bench-med": 40, "mt-bench-hard": 37, "llmbar-natural": 100, "llmbar-adver-neighbor": 134,
    "llmbar-adver-GPTInst": 92, "llmbar-adver-GPTOut": 47, "llmbar-adver-manual": 46,
    "refusals-dangerous": 100, "refusals-offensive": 100, "xstest-should-refuse": 154,
    "xstest-should-respond": 250, "donotanswer": 136, "math-prm": 447, "hep-cpp": 164, "hep-go": 164,
    "hep-java": 164, "hep-js": 164, "hep-python": 164, "hep-rust": 164,
}  # fmt: skip


def put(folder, model, results, subset, **more):
    folder.mkdir(parents=True, exist_ok=True)
    content = {"results": results, "subset": subset, "model": model, "model_type": "Seq. Classifier", **more}
    path = folder / f"{model.replace('/', '--')}.json"
    path.write_text(json.dumps(content, sort_keys=True))
    return path


def test_the_category_map_covers_the_benchmark():
    assert sorted(s for subsets in CATEGORIES.values() for s in subsets) == sorted(COUNTS)
    sizes = {name: sum(COUNTS[s] for s in subsets) for name, subsets in CATEGORIES.items()}
    assert sizes == {"Chat": 358, "Chat Hard": 456, "Safety": 740, "Reasoning": 1431}


def test_files_in_another_order_are_refused(tmp_path):
    one = put(tmp_path, "a", [1, 0, 1], ["math-prm", "math-prm", "hep-go"])
    other = put(tmp_path, "b", [1, 0, 1], ["math-prm", "hep-go", "math-prm"])
    with pytest.raises(DataError, match="cannot be matched: their subset order differs"):
        read([one, other])
    assert len(read([one]).items) == 3


def test_files_with_other_ids_are_refused_unless_told(tmp_path):
    one = put(tmp_path, "a", [1, 0], ["math-prm"] * 2, id=[1, 2])
    other = put(tmp_path, "b", [1, 0], ["math-prm"] * 2, id=[2, 1])
    without = put(tmp_path, "c", [1, 1], ["math-prm"] * 2)
    with pytest.raises(DataError, match="their list of ids differs"):
        read([one, other])
    assert len(read([one, other], options=Options(choices={"ids": "ignore"})).entries) == 2
    assert len(read([one, without]).entries) == 2


def test_a_name_given_on_the_command_line_stands(tmp_path):
    path = put(tmp_path, "a", [1, 0], ["math-prm"] * 2)
    assert read([f"mine={path}"]).entries == ("mine",)


def test_the_table_of_first_places_from_files(tmp_path, capsys):
    subset = [name for name, count in COUNTS.items() for _ in range(count)]
    models = {"big": [], "small": [], "urm": []}
    leaders = {"Chat": ("small", "big", 4, 3), "Chat Hard": ("big", "small", 30, 23),
               "Safety": ("big", "small", 29, 27), "Reasoning": ("big", "urm", 39, 26)}  # fmt: skip
    rows = {}
    for name, subsets in CATEGORIES.items():
        first, second, b, c = leaders[name]
        items = sum(COUNTS[s] for s in subsets)
        (third,) = models.keys() - {first, second}
        for at in range(items):
            ahead, behind = at < b, b <= at < b + c
            both = b + c <= at < items - 30
            lost = at < 60
            one, other = int(ahead or both), int(behind or both)
            rows[name, at] = {first: one, second: other, third: 0 if lost else one}
    seen = dict.fromkeys(CATEGORIES, 0)
    owner = {s: name for name, subsets in CATEGORIES.items() for s in subsets}
    for s in subset:
        cell = rows[owner[s], seen[owner[s]]]
        seen[owner[s]] += 1
        for model in models:
            models[model].append(cell[model])
    for model, results in models.items():
        put(tmp_path / "scores", f"org/{model}", results, subset, id=list(range(len(subset))))
    assert run(["rank", str(tmp_path / "scores"), "--by", "category", "--json"]) == 0
    found = {first["part"]: first for first in json.loads(capsys.readouterr().out)["firsts"]}
    exact = {
        "Chat": 1.0,
        "Chat Hard": 0.4101027163746913,
        "Safety": 0.8938530948350217,
        "Reasoning": 0.13603239487789212,
    }
    for name, p in exact.items():
        pair = found[name]["comparison"]
        assert (pair["a_only"], pair["b_only"]) == leaders[name][2:]
        assert pair["p"] == pytest.approx(p, rel=1e-9)
        assert found[name]["strict"] is False
    assert found["Every item alike"]["first"] == ["org/big"]
    assert found["Every item alike"]["strict"] is True
    assert run(["rank", str(tmp_path / "scores"), "--by", "category", "--test", "mcnemar-cc", "--json"]) == 0
    found = {first["part"]: first for first in json.loads(capsys.readouterr().out)["firsts"]}
    assert [round(found[name]["comparison"]["p"], 3) for name in exact] == [1.0, 0.41, 0.894, 0.137]
