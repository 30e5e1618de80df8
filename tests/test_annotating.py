"""A site's own board: what it is given, what is withheld and why, and that every guard bites."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import msgspec
import numpy as np
import pytest

import deadheat.evidence.agreement
from deadheat.annotating import site_evidence
from deadheat.annotating.site_layout import SWEBENCH, Layout, read_layout
from deadheat.annotating.site_reader import read_site
from deadheat.annotating.site_text import written
from deadheat.annotating.verb import annotate
from deadheat.data.panel import panel
from deadheat.data.table import Table
from deadheat.errors import DataError, DeadheatError, MalformedFile, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.pairwise import pairwise
from deadheat.evidence.scores import scores
from deadheat.report import schemas
from deadheat.results import Note
from deadheat.stats.multiple import groups
from deadheat.stats.paired import catalogue
from deadheat.stats.score import consistency
from sites import document, entry, right, site_of
from support import NEEDS_SHARED, SHARED

SITE = SHARED / "data/swebench_site/leaderboards_20260226.json"


def board_of(tmp_path, *entries, **options):
    return annotate(site_of(tmp_path, document(*entries)), **options).boards["main"]


def test_an_anchor_that_is_beaten_on_shared_items_is_named(tmp_path):
    """a has 20 of 40 right and is right on all 20 items that b has, of which b is right on 10."""
    told = board_of(tmp_path, entry("a", 50.0, right(20, 40)), entry("b", 50.0, right(10, 20)))
    (note,) = told.statistics.doubts
    assert note.code == "separated-above"
    assert note.text.startswith("The a is separated above The b on the 20 items that both have")
    assert note.text in told.statistics.note
    level = board_of(tmp_path, entry("a", 50.0, right(20, 40)), entry("b", 50.0, right(20, 40)))
    assert level.statistics.doubts == ()


# ---- the board of seed 000 ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real():
    return read_site(SITE)


def sizes(board):
    return [len(group.members) for group in board.statistics.groups]


@NEEDS_SHARED
def test_bash_only(real):
    board = annotate(real).boards["bash-only"]
    said = board.statistics
    assert (said.annotated, said.with_items, said.entries, len(said.groups)) == (39, 40, 46, 11)
    assert said.columns
    seed = json.loads((SHARED / "data/swebench_site/SEED000.json").read_text())["reproduced"]
    top = [board.entries[member] for member in said.groups[0].members]
    assert len(top) == 6
    for line, told in zip(top, seed["group 1 anchored on Claude 4.5 Opus (high)"], strict=True):
        assert f"{line.published:.1f}" == told.split()[0]
        if "/" in told:
            a, b = next(word for word in told.split() if "/" in word).split("/")
            assert (line.b_only, line.a_only) == (int(a), int(b))
            assert f"p={line.p:.3f}".replace("0.", ".") in told
    flash = next(line for line in top if line.name.startswith("Gemini 3 Flash"))
    assert flash.p == pytest.approx(0.5831321542611763, rel=1e-9)
    assert board.entries[said.anchor].se == pytest.approx(1.8877287940803362, rel=1e-9)


@NEEDS_SHARED
def test_verified_with_and_without_the_made_up_entry(real, tmp_path):
    said = annotate(real).boards["Verified"].statistics
    assert (said.annotated, said.with_items, said.entries) == (38, 39, 178)
    assert (said.above_without_items, said.level_without_items) == (4, 2)
    assert not said.columns
    assert "6 entries publish none" in said.note[0]
    (sonnet,) = said.withheld
    assert sonnet.name.endswith("Claude 3.7 Sonnet (20250219)")
    assert "published 52.80 %" in sonnet.reason
    assert "imply 10.20 %" in sonnet.reason

    made = json.loads(real.text)
    verified = next(board for board in made["leaderboards"] if board["name"] == "Verified")
    items = next(r["per_instance_details"] for r in verified["results"] if "per_instance_details" in r)
    verified["results"].append(entry("made-up", 69.60, dict.fromkeys(items, False)))
    site = site_of(tmp_path, made)
    board = annotate(site).boards["Verified"]
    assert (board.statistics.annotated, board.statistics.with_items) == (38, 40)
    assert sizes(board) == [6, 8, 6, 4, 7, 1, 2, 1, 1, 1, 1]
    assert {w.code for w in board.statistics.withheld} == {"all-zero", "rate-contradicts-items"}
    assert board.entries["made-up"].se is None
    ungated = annotate(site, gated=False).boards["Verified"]
    assert sizes(ungated) == [6, 8, 1, 6, 4, 7, 1, 2, 2, 1, 1, 1]
    assert ungated.statistics.groups[2].members == ("made-up",)


@NEEDS_SHARED
def test_multilingual_finds_the_merged_ids(real):
    board = annotate(real).boards["Multilingual"]
    said = board.statistics
    assert (said.annotated, len(said.withheld)) == (9, 4)
    for entry_ in said.withheld:
        assert entry_.code == "cut-off-ids"
        assert "mrdoob__three stands for 3 items" in entry_.reason
        assert "mrdoob__three.js-25687" in entry_.reason
        assert "over all 300 items" in entry_.reason
    assert [doubt.code for doubt in said.doubts] == ["cut-off-ids"]
    assert "in 12 entries" in said.doubts[0].text


@NEEDS_SHARED
def test_nothing_else_of_the_real_document_changes(real):
    text = "".join(written(real, annotate(real)))
    found = json.loads(text)
    for board in found["leaderboards"]:
        board.pop("statistics")
        for line in board["results"]:
            line.pop("statistics")
    assert json.dumps(found) == json.dumps(json.loads(SITE.read_text()))
    again = site_text(text, real)
    assert "".join(written(again, annotate(again))) == text


def site_text(text, like):
    """A site of another text, without a file in between."""
    from deadheat.annotating.json_text import Text
    from deadheat.annotating.site_reader import MEMORY, _Reader

    boards = _Reader(Text(text), like.layout, Path(like.file.path), MEMORY).document()
    return replace(like, text=text, boards=tuple(boards))


# ---- rules, each in a test that a mutation must make fail --------------------------------------------


def test_gate_lets_one_item_pass(tmp_path):
    board = board_of(tmp_path, entry("a", 76.0, right(37, 50)), entry("b", 72.0, right(37, 50)))
    assert board.statistics.annotated == 2
    assert not board.statistics.withheld


def test_gate_stops_two_items(tmp_path):
    board = board_of(tmp_path, entry("a", 78.0, right(37, 50)), entry("b", 70.0, right(37, 50)))
    assert board.statistics.annotated == 0
    assert [w.entry for w in board.statistics.withheld] == ["a", "b"]
    assert board.entries["a"].group is None
    assert "published 78.00 %, but its per-item results imply 74.00 % (37 of 50)" in board.entries["a"].reason


def test_gate_stops_seven_items(tmp_path):
    board = board_of(tmp_path, entry("a", 88.0, right(37, 50)))
    assert [w.entry for w in board.statistics.withheld] == ["a"]


def test_gate_is_not_decided_in_rates(tmp_path):
    n = 500
    board = board_of(tmp_path, *(entry(f"e{k}", 100 * (k + 1) / n, right(k, n)) for k in range(390, 400)))
    assert board.statistics.annotated == 10


def test_long_names_are_quoted_in_part(tmp_path):
    """Neither a refusal nor a path that does not exist takes its length from the document."""
    long = "x" * 3_000
    odd = document(entry(long, 50.0, right(1, 2)))
    odd["leaderboards"][0]["results"][0]["resolved"] = "half"
    layout = msgspec.structs.replace(SWEBENCH, file="{folder}.json")
    for made, how in ((odd, SWEBENCH), (document(entry(long, 50.0, right(1, 2))), layout)):
        with pytest.raises(DeadheatError) as refused:
            annotate(site_of(tmp_path, made, how))
        assert len(str(refused.value)) < 600


def test_an_empty_sample_has_no_numbers(tmp_path):
    board = board_of(tmp_path, entry("a", 50.0, right(5, 10)), entry("b", 40.0, {}), entry("c", 30.0, None))
    for empty in ("b", "c"):
        line = board.entries[empty]
        assert (line.se, line.n, line.implied, line.group, line.code) == (
            None,
            0,
            None,
            None,
            "no-per-item-results",
        )
    unscored = board_of(tmp_path, entry("a", 50.0, {"x": None, "y": None}))
    assert unscored.entries["a"].code == "no-scored-items"
    assert unscored.entries["a"].se is None
    with pytest.raises(MethodError, match="no items"):
        consistency.gap_in_items(0.5, 0, 0)


def test_entries_that_share_nothing_are_no_tie(tmp_path):
    other = {f"else-{i}": i < 5 for i in range(10)}
    board = board_of(tmp_path, entry("a", 50.0, right(5, 10)), entry("b", 50.0, other))
    assert sizes(board) == [1, 1]
    assert {board.entries[e].anchor for e in "ab"} == {"a", "b"}
    assert all(line.p is None for line in board.entries.values())


def test_a_boundary_rate_keeps_the_test_and_withholds_the_se(tmp_path):
    board = board_of(
        tmp_path,
        entry("all", 100.0, right(12, 12)),
        entry("most", 91.7, right(11, 12)),
        entry("none", 0.0, right(0, 12)),
    )
    top, low = board.entries["all"], board.entries["none"]
    assert top.se is None
    assert low.se is None
    assert top.code == low.code == "boundary"
    assert (top.group, board.entries["most"].group, low.group) == (1, 1, 2)
    assert board.entries["most"].p == 1.0


def plug_in(*arguments, **options):
    """Scores whose SE at a boundary is what the formula gives: 0."""
    made = scores(*arguments, **options)
    return replace(made, se=np.nan_to_num(made.se))


# What somebody might do to the code, and the test that then fails.
MUTATIONS = {
    "gate loosened twofold": (consistency, "GATE", 2.0, test_gate_stops_two_items),
    "gate loosened tenfold": (consistency, "GATE", 10.0, test_gate_stops_seven_items),
    "gate tightened tenfold": (consistency, "GATE", 0.1, test_gate_lets_one_item_pass),
    "gate without its slack": (consistency, "SLACK", -1e-13, test_gate_is_not_decided_in_rates),
    "an empty sample gives zero": (
        consistency,
        "gap_in_items",
        lambda published, right, n: np.zeros(()),
        test_an_empty_sample_has_no_numbers,
    ),
    "an empty sample passes": (
        deadheat.annotating.verb,
        "gate",
        lambda claim, around, entry: None,
        test_an_empty_sample_has_no_numbers,
    ),
    "disjoint sets tie": (
        catalogue,
        "undefined_unless",
        lambda defined, found: found,
        test_entries_that_share_nothing_are_no_tie,
    ),
    "boundary zero published": (
        site_evidence,
        "scores",
        plug_in,
        test_a_boundary_rate_keeps_the_test_and_withholds_the_se,
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_every_guard_bites(mutation, tmp_path, monkeypatch):
    home, name, worse, test = MUTATIONS[mutation]
    test(tmp_path)
    monkeypatch.setattr(home, name, worse)
    with pytest.raises((AssertionError, ArithmeticError, pytest.fail.Exception)):
        test(tmp_path)


# ---- causes ------------------------------------------------------------------------------------------

IDS = [f"org__repo-{i}" for i in range(40)]


def under(ids, outcomes):
    return dict(zip(ids, outcomes, strict=True))


@pytest.mark.parametrize(
    ("published", "scores", "code", "says"),
    [
        (40.0, dict.fromkeys(IDS, 0), "all-zero", "no item right"),
        (0.5, under(IDS, right(20, 40)), "fraction-not-percent", "reads as a fraction"),
        (25.0, under(IDS[:20], right(10, 20)), "other-denominator", "10 of 40"),
        (
            25.0,
            under(IDS, right(10, 20) + [None] * 20),
            "other-denominator",
            "with and without",
        ),
        (60.0, under(IDS, right(20, 40)), "rate-contradicts-items", "imply 50.00 %"),
    ],
)
def test_the_cause_is_named(tmp_path, published, scores, code, says):
    board = board_of(tmp_path, entry("a", published, scores), entry("b", 50.0, under(IDS, right(20, 40))))
    assert board.entries["a"].code == code
    assert says in board.entries["a"].reason
    assert board.statistics.annotated == 1


def test_repeated_items_are_withheld(tmp_path):
    text = json.dumps(document(entry("a", 50.0, right(5, 10)), entry("b", 50.0, right(5, 10))))
    text = text.replace('"repo__repo-1"', '"repo__repo-0"', 1)
    board = annotate(site_of(tmp_path, text)).boards["main"]
    assert board.entries["a"].code == "repeated-items"
    assert "repo__repo-0" in board.entries["a"].reason


def test_a_fraction_scale(tmp_path):
    layout = Layout(scale="fraction")
    made = document(entry("a", 0.5, right(5, 10)), entry("b", 50.0, right(5, 10)))
    board = annotate(site_of(tmp_path, made, layout)).boards["main"]
    assert board.entries["a"].published == 50.0
    assert board.entries["b"].code == "percent-not-fraction"


def test_no_published_rate_is_nothing_to_contradict(tmp_path):
    board = board_of(tmp_path, entry("a", None, right(5, 10)), entry("b", 40.0, right(4, 10)))
    assert sizes(board) == [2]
    assert board.statistics.anchor == "a"
    assert board.entries["a"].published is None


# ---- anchors -----------------------------------------------------------------------------------------


def test_anchors_follow_the_published_rate_and_never_a_name(tmp_path):
    rng = np.random.default_rng(5)
    rows = [(rng.random(60) < rate).astype(int).tolist() for rate in (0.9, 0.7, 0.7, 0.7, 0.4, 0.2)]
    rates = [100 * sum(row) / 60 for row in rows]
    told = set()
    for names in itertools.islice(itertools.permutations("abcdef"), 0, None, 97):
        lines = [entry(n, rate, row) for n, rate, row in zip(names, rates, rows, strict=True)]
        board = board_of(tmp_path, *lines[::-1] if ord(names[0]) % 2 else lines)
        told.add(
            json.dumps([(board.entries[n].group, board.entries[n].p, board.entries[n].a_only) for n in names])
        )
    assert len(told) == 1


def test_columns_only_where_the_anchor_is_at_the_top(tmp_path):
    lines = [entry("top", 90.0, None), entry("a", 50.0, right(5, 10)), entry("b", 40.0, right(4, 10))]
    board = board_of(tmp_path, *lines)
    assert not board.statistics.columns
    assert board.statistics.above_without_items == 1
    assert "not shown in this view" in board.statistics.note[0]
    assert "The a" in board.statistics.note[0]
    forced = board_of(tmp_path, *lines, always=True)
    assert forced.statistics.columns
    assert any("1 entry publishes none" in line for line in forced.statistics.note)
    level = board_of(tmp_path, entry("top", 50.0, None), *lines[1:])
    assert level.statistics.columns
    assert level.statistics.level_without_items == 1
    broken = board_of(tmp_path, entry("top", 90.0, right(0, 10)), *lines[1:])
    assert broken.statistics.above_withheld == 1
    assert not broken.statistics.columns


def test_a_board_without_items(tmp_path):
    board = board_of(tmp_path, entry("a", 50.0, None))
    assert board.statistics.anchor is None
    assert board.statistics.groups == ()
    assert board.statistics.note[0].startswith("No entry of this board")


def test_part_scores(tmp_path):
    layout = Layout(score="score")
    made = document(entry("a", 50.0, None), entry("b", 35.0, None))
    for line, outcomes in zip(
        made["leaderboards"][0]["results"], ([0.5, 1, 0.25, 0.25], [0.5, 0.5, 0.4, 0]), strict=True
    ):
        line["per_instance_details"] = {f"i{k}": {"score": s} for k, s in enumerate(outcomes)}
    board = annotate(site_of(tmp_path, made, layout)).boards["main"]
    assert board.statistics.test == "t"
    a = board.entries["a"]
    assert a.se == pytest.approx(100 * np.std([0.5, 1, 0.25, 0.25], ddof=1) / 2, rel=1e-9)
    assert a.a_only is None
    assert "binomial" not in " ".join(board.statistics.note)


def test_an_alpha_that_is_none(tmp_path):
    with pytest.raises(MethodError, match="alpha"):
        board_of(tmp_path, entry("a", 50.0, right(5, 10)), alpha=1.0)


def test_equal_p_and_alpha_is_a_tie(tmp_path):
    lines = [entry("a", 60.0, right(6, 10)), entry("b", 0.0, right(0, 10))]
    assert board_of(tmp_path, *lines, alpha=0.03125).entries["b"].group == 1
    assert board_of(tmp_path, *lines, alpha=0.0313).entries["b"].group == 2


# ---- the text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "style", [{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}, {"ensure_ascii": False}]
)
def test_only_keys_are_added(tmp_path, style):
    made = document(
        entry("a", 50.0, right(5, 10), note='é \u2028 "x" \\ /', odd=1.10, big=12345678901234567890)
    )
    made["extra"] = {"statistics": "of the site's own"}
    site = site_of(tmp_path, made, **style)
    before = (tmp_path / "leaderboards.json").read_bytes()
    text = "".join(written(site, annotate(site)))
    assert (tmp_path / "leaderboards.json").read_bytes() == before
    found = json.loads(text)
    assert list(found["leaderboards"][0]) == ["name", "results", "statistics"]
    line = found["leaderboards"][0]["results"][0]
    assert list(line)[-1] == "statistics"
    del line["statistics"], found["leaderboards"][0]["statistics"]
    assert json.dumps(found) == json.dumps(made)
    kept = [row for row in text.splitlines() if '"statistics": {"' not in row]
    if "indent" in style:
        assert len(kept) == len(site.text.splitlines())


def test_bytes_of_values_are_kept(tmp_path):
    head = '\ufeff{"x": 1.50, "leaderboards" : [ {"results":[{"folder":"a","resolved":5.0E+1,"e":"\\u00e9",'
    items = '"per_instance_details":{"i":{"resolved":true},"j":{"resolved":false}}'
    tail = '} ],"y":-0}\r\n'
    site = site_of(tmp_path, f'{head}{items}}}],"name":"n"{tail}')
    out = "".join(written(site, annotate(site)))
    assert out.startswith(f'{head}{items},"statistics":{{"se":')
    assert out.endswith(tail)
    assert json.loads(out.removeprefix("\ufeff"))["leaderboards"][0]["results"][0]["statistics"]["n"] == 2


def test_annotating_twice_changes_nothing(tmp_path):
    site = site_of(
        tmp_path, document(entry("a", 50.0, right(5, 10)), entry("b", 10.0, right(1, 10))), indent=1
    )
    once = "".join(written(site, annotate(site)))
    again = site_of(tmp_path, once)
    assert "".join(written(again, annotate(again))) == once


def test_a_key_of_the_sites_own_is_not_overwritten(tmp_path):
    site = site_of(tmp_path, document(entry("a", 50.0, right(5, 10), statistics={"views": 3})))
    with pytest.raises(DataError, match="--key"):
        written(site, annotate(site))
    assert '"views": 3' in "".join(written(site, annotate(site), "uncertainty"))


def test_output_is_the_contract(tmp_path):
    from deadheat.report import render
    from deadheat.results.annotation import Annotation

    site = site_of(
        tmp_path,
        document(
            entry("a", 50.0, right(5, 10)),
            entry("b", 100.0, right(10, 10)),
            entry("c", 90.0, right(1, 10)),
            entry("d", 1, None),
        ),
    )
    annotation = annotate(site, always=True)
    schema = schemas.schema(Annotation)
    jsonschema.validate(json.loads(render(annotation, "json")), schema)
    inside = json.loads("".join(written(site, annotation)))["leaderboards"][0]
    part = {"$schema": schema["$schema"], "$defs": schema["$defs"]}
    jsonschema.validate(inside["statistics"], part | {"$ref": "#/$defs/BoardStatistics"})
    entry_schema = {**schema["$defs"]["SiteLine"]}
    entry_schema["required"] = [
        k for k in entry_schema["required"] if k not in ("entry", "name", "published")
    ]
    for line in inside["results"]:
        jsonschema.validate(line["statistics"], part | entry_schema)
    for line in annotation.boards["main"].entries.values():
        assert (line.group is not None and line.se is not None) or line.reason


# ---- layouts and broken documents --------------------------------------------------------------------


def test_another_layout(tmp_path):
    (tmp_path / "layout.json").write_text(
        json.dumps(
            {
                "boards": "data.tables",
                "board": "title",
                "entries": "rows",
                "entry": None,
                "name": "label",
                "published": "score.accuracy",
                "scale": "fraction",
                "items": "log",
                "item": "id",
                "score": "ok",
            }
        )
    )
    made = {
        "data": {
            "tables": [
                {
                    "title": "T",
                    "rows": {
                        "m1": {
                            "label": "One",
                            "score": {"accuracy": 0.5},
                            "log": [{"id": 1, "ok": "yes"}, {"id": 2, "ok": "no"}],
                        },
                        "m2": {
                            "label": "Two",
                            "score": {"accuracy": 1.0},
                            "log": [{"id": 1, "ok": 1}, {"id": 2, "ok": 1}],
                        },
                    },
                }
            ]
        }
    }
    site = site_of(tmp_path, made, read_layout(tmp_path / "layout.json"))
    board = annotate(site).boards["T"]
    assert board.statistics.anchor == "m2"
    assert board.entries["m1"].n == 2
    made = json.loads("".join(written(site, annotate(site))))
    assert "statistics" in made["data"]["tables"][0]["rows"]["m1"]


def test_items_in_files_of_their_own(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/a.json").write_text('{"results": {"x": 1, "y": 0}}')
    layout = Layout(
        boards=None, board=None, entries="", entry="id", file="logs/{id}.json", items="results", score=None
    )
    made = [{"id": "a", "resolved": 50}, {"id": "b", "resolved": 40}]
    site = site_of(tmp_path, made, layout)
    board = annotate(site).boards["board 1"]
    assert board.entries["a"].n == 2
    assert board.entries["b"].code == "no-per-item-results"
    assert list(json.loads("".join(written(site, annotate(site))))[0]) == ["id", "resolved", "statistics"]
    with pytest.raises(MalformedFile, match="outside"):
        site_of(tmp_path, [{"id": "../../x", "resolved": 50}], layout)


LISTED = {
    "boards": "data.tables",
    "board": "title",
    "entries": "rows",
    "entry": "id",
    "name": "label",
    "published": "score.accuracy",
    "items": "log",
    "item": "task",
    "score": "passed",
}


def listed_site():
    """A document that LISTED describes."""

    def row(name, outcomes):
        log = [{"task": f"t{i}", "passed": outcome} for i, outcome in enumerate(outcomes)]
        return {"id": name, "label": name, "score": {"accuracy": 100 * np.mean(outcomes)}, "log": log}

    rows = [row("a", right(6, 10)), row("b", right(3, 10))]
    return {"data": {"tables": [{"title": "T", "rows": rows}]}}


def test_every_key_of_a_layout_must_occur(tmp_path):
    assert annotate(site_of(tmp_path, listed_site(), Layout(**LISTED))).boards["T"].statistics.annotated == 2
    for key, path in LISTED.items():
        for wrong in (path + "x", path[:-1]):
            with pytest.raises(MalformedFile, match=rf"{wrong}|no boards found"):
                site_of(tmp_path, listed_site(), Layout(**LISTED | {key: wrong}))
    with pytest.raises(MalformedFile, match=r"'file' is 'logs/\{id\}.json', but no such file was found"):
        site_of(tmp_path, listed_site(), Layout(**LISTED, file="logs/{id}.json"))
    # What the SWE-bench site calls its rates, missing from a document of another: no rate would be checked.
    made = document(entry("a", 60.0, right(6, 10)))
    made["leaderboards"][0]["results"][0]["rate"] = made["leaderboards"][0]["results"][0].pop("resolved")
    with pytest.raises(MalformedFile, match="'published' is 'resolved', but no entry has it; "):
        site_of(tmp_path, made)
    assert site_of(tmp_path, made, Layout(published=None)).boards


def test_an_entry_without_a_rate_is_not_said_to_agree_with_it(tmp_path):
    made = document(entry("a", 0, right(9, 10)), entry("b", 60.0, right(6, 10)))
    del made["leaderboards"][0]["results"][0]["resolved"]
    board = annotate(site_of(tmp_path, made)).boards["main"]
    said = " ".join(board.statistics.note)
    assert board.statistics.anchor == "a"
    assert board.statistics.columns
    assert "agree with its rate" not in said
    assert "no rate is published for it, so its results could not be checked" in said
    # Published above what the items of the one without a rate imply, and without items: it counts as above.
    made["leaderboards"][0]["results"].append(entry("c", 95.0, None))
    board = annotate(site_of(tmp_path, made)).boards["main"]
    assert (board.statistics.above_without_items, board.statistics.columns) == (1, False)


def test_boards_within_boards(tmp_path):
    inner = document(entry("a", 60.0, right(6, 10)), board="inner")["leaderboards"]
    outer = {"leaderboards": inner, "name": "outer"}
    both = {"name": "both", "results": [entry("b", 50.0, right(5, 10))], "leaderboards": inner}
    other = {"name": "other", "groups": inner}
    site = site_of(tmp_path, {"leaderboards": [outer, both, other]})
    assert [part.name for part in site.boards] == ["outer / inner", "both", "both / inner", "other"]
    annotation = annotate(site)
    assert [board.statistics.annotated for board in annotation.boards.values()] == [1, 1, 1, 0]
    assert [note.text for note in annotation.notes] == [
        "board outer has no 'results', so nothing is said of it",
        "board other has no 'results', so nothing is said of it",
    ][1:]
    made = json.loads("".join(written(site, annotation)))
    assert "statistics" in made["leaderboards"][0]["leaderboards"][0]["results"][0]


HOSTILE = {
    "deep": '{"leaderboards": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "deep in an entry": '{"leaderboards": [{"name": "x", "results": [{"folder": "a", "per_instance_details": '
    + '{"i": ' * 50_000
    + "1"
    + "}" * 50_000
    + "}]}]}",
    "digits": '{"leaderboards": [{"name": "x", "results": [{"folder": "a", "resolved": '
    + "9" * 100_000
    + "}]}]}",
    "huge": '{"leaderboards": [{"name": "x", "results": [{"folder": "a", "resolved": 1e400}]}]}',
    "twice": '{"leaderboards": [{"name": "x", "results": [{"folder": "a", "resolved": 1, "resolved": 2}]}]}',
    "twice above": '{"leaderboards": [{"name": "x", "results": [], "results": []}]}',
    "half a surrogate": '{"leaderboards": [{"name": "x", "results": [{"folder": "\\ud800"}]}]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents(name, tmp_path):
    """Refused in a line, or read and written."""
    said = ""
    try:
        site = site_of(tmp_path, HOSTILE[name])
        "".join(written(site, annotate(site))).encode()
    except MalformedFile as error:
        said = str(error)
    assert len(said) < 500
    assert said == "" or "leaderboards.json" in said


def test_a_key_that_stands_twice_many_times(tmp_path):
    """Repeats are counted, not compared with one another."""
    details = ", ".join(f'"i{i // 2}": {{"resolved": true}}' for i in range(60_000))
    text = '{"folder": "a", "resolved": 100, "per_instance_details": {' + details + "}}"
    site = site_of(tmp_path, one_board(text))
    assert len(site.boards[0].lines[0].repeated) == 30_000


def test_an_impossible_rate_is_told_in_few_digits(tmp_path):
    board = board_of(tmp_path, entry("a", 1e50, right(6, 10)))
    assert len(board.statistics.withheld[0].reason) < 200


@pytest.mark.parametrize("test", ["mcnemar", "mid-p", "t", "sign-flip"])
def test_only_anchors_are_compared_and_the_numbers_are_those_of_all_pairs(test, tmp_path, monkeypatch):
    """In blocks of a few entries too."""
    rng = np.random.default_rng(3)
    rates = rng.uniform(0.2, 0.9, 30)
    scores_ = {
        f"e{i}": {f"i{j}": int(rng.random() < rate) for j in rng.permutation(60)[:50]}
        for i, rate in enumerate(rates)
    }
    lines = [entry(name, round(100 * np.mean([*row.values()]), 6), row) for name, row in scores_.items()]
    site = site_of(tmp_path, document(*lines))
    board = annotate(site, test=test).boards["main"]
    monkeypatch.setattr(site_evidence, "CELLS", 200)
    assert annotate(site, test=test).boards["main"] == board
    table = table_of_scores(scores_)
    seen = panel(table, Estimand())
    found = pairwise(seen, test)
    order = [
        seen.entries.index(line.entry)
        for line in sorted(board.entries.values(), key=lambda x: (-x.published, seen.entries.index(x.entry)))
    ]
    expected = groups.anchor_groups(found.p, order, 0.05)
    row = {name: at for at, name in enumerate(seen.entries)}
    for line in board.entries.values():
        assert line.group == expected[row[line.entry]]
        if line.p is not None:
            at = row[line.entry], row[line.anchor]
            assert line.p == pytest.approx(found.p[at], rel=1e-9)
            assert (line.shared, line.a_only) == (found.shared[at], found.a_only[at])


def table_of_scores(rows):
    columns = {"entry": [], "item": [], "score": []}
    for name, row in rows.items():
        columns["entry"] += [name] * len(row)
        columns["item"] += list(row)
        columns["score"] += list(row.values())
    return Table.from_frame(columns)


def one_board(results):
    return f'{{"leaderboards": [{{"name": "x", "results": [{results}]}}]}}'


BROKEN = {
    "": "not valid JSON",
    "{": "not valid JSON",
    "[]": "no boards found",
    '{"leaderboards": {}}': "not valid JSON",
    '{"leaderboards": []}': "no boards found",
    '{"leaderboards": []} x': "not valid JSON",
    '{"leaderboards": [{"name": "x", "results": []}, {"name": "x", "results": []}]}': "occurs twice",
    one_board("{}"): "has no 'folder'",
    one_board('{"folder": "a", "resolved": "many"}'): "a published rate is a number",
    one_board('{"folder": "a"}, {"folder": "a"}'): "more than once",
    one_board('{"folder": "a", "per_instance_details": 3}'): "keyed by item",
    one_board('{"folder": "a", "resolved": 1e300}'): "a published rate is a number",
    one_board('{"folder": "a", "per_instance_details": {"i": {"resolved": 1e300}}}'): "at most 1e.60 in size",
    one_board('{"folder": "a", "per_instance_details": {"i": {"resolved": "?"}}}'): "not a number",
}


@pytest.mark.parametrize("text", BROKEN)
def test_broken_documents_are_named(tmp_path, text):
    with pytest.raises(MalformedFile, match=BROKEN[text]) as caught:
        site_of(tmp_path, text)
    assert "leaderboards.json" in str(caught.value)


def test_a_layout_that_is_none(tmp_path):
    (tmp_path / "layout.json").write_text('{"entris": "x"}')
    with pytest.raises(MalformedFile, match="entries"):
        read_layout(tmp_path / "layout.json")


def test_notes_keep_four_objects_apart(tmp_path):
    board = board_of(tmp_path, entry("a", 50.0, right(5, 10)), entry("b", 40.0, right(4, 10)))
    said = " ".join(board.statistics.note)
    for needed in (
        "fixed set of items",
        "exchangeable",
        "open to question",
        "α = 0.05",
        "The a anchors group 1",
        "not corrected",
        "group 1 would keep its members",
        "ran again",
        "no error of a difference",
    ):
        assert needed in said


def test_gate_texts():
    note = deadheat.evidence.agreement.gate(deadheat.evidence.agreement.Claim(0.5, 3, 0.0, frozenset()))
    assert note == Note(code="no-per-item-results", text="publishes no per-item results")
