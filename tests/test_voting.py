"""Boards and comparisons of votes: real numbers, every kind of file, and the odd ones."""

import csv
import gzip
import json

import jsonschema
import numpy as np
import pytest

from deadheat import compare_votes, plan_votes, rank_votes, read_votes
from deadheat.cli.main import run
from deadheat.errors import DataError, MethodError, UnknownFormat
from deadheat.report import render, schemas
from deadheat.report.renderers import RENDERERS
from deadheat.results.votes import VoteBoard, VoteComparisons
from deadheat.voting.evidence_of_votes import Setting
from support import NEEDS_SHARED, SHARED


def arena(path, seed=1, votes=900, entries=4, voters=30, prompts=12):
    """A file of votes in which entry e0 is the best, e1 the next, and so on."""
    rng = np.random.default_rng(seed)
    first = rng.integers(entries, size=votes)
    second = (first + rng.integers(1, entries, size=votes)) % entries
    lead = 0.6 * (second - first) + rng.logistic(size=votes)
    winner = np.where(np.abs(lead) < 0.4, "tie", np.where(lead > 0, "model_a", "model_b"))
    rows = [
        {
            "model_a": f"e{a}",
            "model_b": f"e{b}",
            "winner": w,
            "judge": f"v{rng.integers(voters)}",
            "question_id": f"q{rng.integers(prompts)}",
            "longer": f"{rng.normal():.3f}",
        }
        for a, b, w in zip(first, second, winner, strict=True)
    ]
    write(path, rows)
    return rows


def write(path, rows):
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def read(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def votes(tmp_path):
    arena(tmp_path / "votes.csv")
    return tmp_path / "votes.csv"


@NEEDS_SHARED
def test_strengths_of_a_real_arena():
    ballots = read_votes(SHARED / "data/votes_llmfao/votes.csv.gz")
    assert (len(ballots.entries), ballots.votes, ballots.unusable) == (59, 8931, 0)
    board = rank_votes(ballots, setting=Setting(ties="half"))
    assert board.clusters == {"voter": 124, "prompt": 13}
    with (SHARED / "data/votes_llmfao/evalica_golden.csv").open() as stream:
        golden = {
            row["item"]: float(row["score"])
            for row in csv.DictReader(stream)
            if row["algorithm"] == "bradley_terry"
        }
    ours = {line.entry: np.exp(line.value) for line in board.entries}
    total, theirs = sum(ours.values()), sum(golden.values())
    for name, strength in golden.items():
        assert ours[name] / total == pytest.approx(strength / theirs, abs=1e-12)


def test_a_board(votes):
    board = rank_votes(read_votes(votes))
    assert [line.entry for line in board.entries] == ["e0", "e1", "e2", "e3"]
    assert board.clusters == {"voter": 30, "prompt": 12}
    assert board.contests.votes == 900 == sum(line.contests.votes for line in board.entries) / 2
    assert sum(line.value for line in board.entries) == pytest.approx(0, abs=1e-9)
    for line in board.entries[1:]:
        pair = line.vs_anchor
        assert pair.difference == pytest.approx(line.value - board.entries[0].value)
        assert pair.interval.low < pair.difference < pair.interval.high
        assert pair.win_probability == pytest.approx(1 / (1 + np.exp(-pair.difference)))
        assert (line.group == 1) == (pair.p >= 0.05)
    assert board.entries[0].rank == (1, 1)
    assert board.summary.startswith("The best of the 4 entries is e0, with 95 % confidence.")
    assert not board.apart


def test_order_of_rows_and_sides_change_nothing(tmp_path, votes):
    rows = read(votes)
    turned = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
    other = [
        {**row, "model_a": row["model_b"], "model_b": row["model_a"], "winner": turned[row["winner"]]}
        for row in reversed(rows)
    ]
    write(tmp_path / "other.csv", other)
    one, two = rank_votes(read_votes(votes)), rank_votes(read_votes(tmp_path / "other.csv"))
    for a, b in zip(one.entries, two.entries, strict=True):
        assert (a.entry, a.group, a.rank) == (b.entry, b.group, b.rank)
        assert a.value == pytest.approx(b.value, abs=1e-9)
        assert a.se == pytest.approx(b.se, rel=1e-6)


def test_adjusted_p_decides(votes):
    raw, holm = (rank_votes(read_votes(votes), adjust=adjust) for adjust in ("none", "holm"))
    for a, b in zip(raw.entries[1:], holm.entries[1:], strict=True):
        assert b.vs_anchor.p == a.vs_anchor.p
        assert b.vs_anchor.p_adjusted >= a.vs_anchor.p
        assert (b.group == 1) == (b.vs_anchor.p_adjusted >= 0.05)
    with pytest.raises(MethodError, match="use --adjust holm"):
        rank_votes(read_votes(votes), adjust="max-t")


def test_position_and_covariates(votes):
    ballots = read_votes(votes, covariates=["longer"])
    board = rank_votes(ballots, setting=Setting(position=True, cluster="voter"))
    assert [c.name for c in board.coefficients] == ["longer", "position"]
    assert all(abs(c.value) < 4 * c.se for c in board.coefficients)
    with pytest.raises(DataError, match="no column 'shorter'"):
        read_votes(votes, covariates=["shorter"])
    with pytest.raises(DataError, match="no number in the column 'voter'"):
        read_votes(votes, covariates=["voter"])
    with pytest.raises(MethodError, match="no clusters 'country'"):
        rank_votes(ballots, setting=Setting(cluster="country"))


def test_direct_and_indirect_evidence(tmp_path):
    arena(tmp_path / "v.csv", votes=3000)
    pair = compare_votes(read_votes(tmp_path / "v.csv"), "e0", "e1").comparisons[0]
    assert pair.verdict == "a"
    assert 0 < pair.through.share < 1
    low, high = sorted((pair.through.direct, pair.through.indirect))
    assert low - 0.05 <= pair.difference <= high + 0.05
    assert pair.through.p > 0.001
    rows = read(tmp_path / "v.csv")
    for row in rows:  # between these two alone the votes are turned round
        if {row["model_a"], row["model_b"]} == {"e0", "e1"} and row["winner"] != "tie":
            row["winner"] = "model_b" if row["winner"] == "model_a" else "model_a"
    write(tmp_path / "odd.csv", rows)
    odd = compare_votes(read_votes(tmp_path / "odd.csv"), "e0", "e1").comparisons[0]
    assert odd.through.p < 1e-4
    assert odd.through.direct < 0 < odd.through.indirect


def test_undefeated_islands_and_one_way(tmp_path):
    rows = [{"left": "a", "right": "b", "winner": w} for w in ["left", "right", "left", "tie"]]
    rows += [{"left": "champion", "right": x, "winner": "left"} for x in "ab"]
    rows += [{"left": "a", "right": "loser", "winner": "left"}]
    rows += [{"left": "x", "right": "y", "winner": w} for w in ("left", "right")]
    write(tmp_path / "v.csv", rows)
    board = rank_votes(read_votes(tmp_path / "v.csv"))
    assert {line.entry for line in board.entries} == {"a", "b"}
    why = {line.entry: line.notes[0].code for line in board.apart}
    assert why == {"champion": "undefeated", "loser": "never-won", "x": "island", "y": "island"}
    assert "votes-independent" in {note.code for note in board.notes}
    text = render(board, "table")
    assert "champion: won every vote, so its strength has no finite estimate" in " ".join(text.split())
    whole = rank_votes(read_votes(tmp_path / "v.csv"), setting=Setting(penalty=0.1))
    assert whole.entries[0].entry == "champion"
    assert "penalised" in {note.code for note in whole.notes}


@pytest.mark.parametrize("rows", [
    [{"a": "x", "b": "y", "winner": "a"}],
    [{"a": "x", "b": "y", "winner": "a"}, {"a": "x", "b": "z", "winner": "a"}],
])  # fmt: skip
def test_nothing_to_compare(tmp_path, rows):
    write(tmp_path / "v.csv", rows)
    with pytest.raises(DataError, match="can be compared"):
        rank_votes(read_votes(tmp_path / "v.csv"))


def test_all_ties_and_two_entries(tmp_path):
    write(tmp_path / "v.csv", [{"a": "x", "b": "y", "winner": "tie"}] * 20)
    with pytest.raises(DataError, match=r"every vote is a tie.*--ties half"):
        rank_votes(read_votes(tmp_path / "v.csv"))
    board = rank_votes(read_votes(tmp_path / "v.csv"), setting=Setting(ties="half"))
    assert [line.value for line in board.entries] == [0, 0]
    assert board.entries[1].vs_anchor.verdict in (None, "not separated")
    write(tmp_path / "w.csv", [{"a": "x", "b": "y", "winner": w} for w in "aaabbaaa"])
    found = rank_votes(read_votes(tmp_path / "w.csv"))
    assert found.model == "half"
    assert found.entries[1].vs_anchor.win_probability == pytest.approx(2 / 8)


@pytest.mark.parametrize(
    ("winners", "said"),
    [
        (["a", "tie"], "The votes give no test of x against another entry."),
        (["a", "b", "a", "tie"], "x is not separated from the other entry by 4 votes,"),
        (["a"] * 50 + ["b"] * 2, "x is separated from the other entry by 52 votes,"),
    ],
)
def test_a_headline_on_two_entries_claims_no_more_than_was_tested(tmp_path, winners, said):
    write(tmp_path / "v.csv", [{"a": "x", "b": "y", "winner": w} for w in winners])
    text = render(rank_votes(read_votes(tmp_path / "v.csv")), "table")
    assert said in " ".join(text.split())


def test_every_row_is_counted(tmp_path):
    good = [{"a": "x", "b": "y", "winner": w, "weight": "1"} for w in ["a", "b", "a", "tie"]]
    bad = [
        {"a": "x", "b": "x", "winner": "a", "weight": "1"},
        {"a": "", "b": "y", "winner": "a", "weight": "1"},
        {"a": "x", "b": "y", "winner": "walrus", "weight": "1"},
        {"a": "x", "b": "y", "winner": "", "weight": "1"},
        {"a": "x", "b": "y", "winner": "a", "weight": "-1"},
        {"a": "x", "b": "y", "winner": "a", "weight": "heavy"},
    ]
    write(tmp_path / "v.csv", good + bad)
    ballots = read_votes(tmp_path / "v.csv")
    assert (ballots.votes, ballots.unusable) == (4, 6)
    text = " ".join(note.text for note in ballots.notes)
    assert "outcome that is not known (such as 'walrus')" in text
    assert "2 votes left out: a weight below 0 or not a number" in text
    assert rank_votes(ballots).provenance.excluded == 6


WRITTEN = {
    "left and right": {"left": "x", "right": "y", "winner": "left"},
    "numbers": {"model_a": "x", "model_b": "y", "winner": "1"},
    "names": {"model_a": "x", "model_b": "y", "winner": "x"},
    "grades": {"model_a": "x", "model_b": "y", "verdict": "[[A]]"},
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_words_for_who_won(tmp_path, kind):
    row = WRITTEN[kind]
    (won,) = [key for key in row if key in ("winner", "verdict")]
    turned = {"left": "right", "1": "0", "x": "y", "[[A]]": "[[B]]"}[row[won]]
    write(tmp_path / "v.csv", [row] * 3 + [{**row, won: turned}])
    ballots = read_votes(tmp_path / "v.csv")
    assert ballots.votes == 4
    assert rank_votes(ballots).entries[0].entry == "x"


def test_one_and_two_name_the_sides(tmp_path):
    write(tmp_path / "v.csv", [{"a": "x", "b": "y", "winner": w} for w in "11123"])
    contests = rank_votes(read_votes(tmp_path / "v.csv")).entries[0].contests
    assert (contests.won, contests.lost, contests.tied) == (3, 1, 1)


def test_forms_of_files(tmp_path, votes):
    rows = read(votes)
    (tmp_path / "v.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "v.json").write_text(json.dumps(rows))
    (tmp_path / "v.csv.gz").write_bytes(gzip.compress(votes.read_bytes()))
    wanted = rank_votes(read_votes(votes))
    for name in ("v.jsonl", "v.json", "v.csv.gz"):
        found = rank_votes(read_votes(tmp_path / name))
        assert [line.value for line in found.entries] == [line.value for line in wanted.entries], name
        assert found.clusters == wanted.clusters
    both = read_votes([votes, tmp_path / "v.jsonl"])
    assert both.votes == 1800


def test_arena_hard_judgments(tmp_path):
    def record(one, other, model="m"):
        games = [{"score": one}, {"score": other}]
        return {"question_id": "q", "model": model, "judge": "j", "games": games}

    lines = [record("A>>B", "B>A"), record("B>A", "A>B"), record("A=B", "A=B"), record(None, "A>B")]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ballots = read_votes(tmp_path / "m.jsonl")
    assert set(ballots.entries) == {"m", "gpt-4-0314"}
    assert (ballots.votes, ballots.unusable) == (7, 1)
    assert ballots.rows.weight.sum() == 9  # a clear verdict is three
    board = rank_votes(ballots)
    assert {line.entry: line.contests.won for line in board.entries} == {"gpt-4-0314": 2, "m": 3}


def test_mt_bench_pairs(tmp_path):
    def record(one, other):
        return {"question_id": 1, "model_1": "x", "model_2": "y", "g1_winner": one, "g2_winner": other,
                "judge": ["gpt-4", "pair-v2"]}  # fmt: skip

    lines = [record("model_1", "model_1"), record("model_2", "model_2"), record("model_1", "model_2"),
             record("tie", "tie"), record("error", "model_1")]  # fmt: skip
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ballots = read_votes(tmp_path / "p.jsonl")
    assert (ballots.votes, ballots.unusable) == (4, 1)
    contests = rank_votes(ballots).entries[0].contests
    assert (contests.won, contests.tied, contests.lost) == (1, 2, 1)


def test_what_holds_no_votes(tmp_path):
    write(tmp_path / "s.csv", [{"item": "i", "score": "1"}])
    with pytest.raises(UnknownFormat, match="two columns of entries"):
        read_votes(tmp_path / "s.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnknownFormat, match="no file of votes"):
        read_votes(tmp_path / "empty")


@pytest.mark.parametrize("format", RENDERERS)
def test_every_format_takes_them(votes, format):
    ballots = read_votes(votes)
    for document, kind in ((rank_votes(ballots), VoteBoard), (compare_votes(ballots), VoteComparisons)):
        text = render(document, format)
        assert ("Davidson" if format == "methods" else "e3") in text
        if format == "json":
            jsonschema.validate(json.loads(text), schemas.schema(kind))


def test_commands(votes, capsys):
    assert run(["rank", str(votes), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "deadheat/votes@1"
    assert [line["entry"] for line in found["entries"]] == ["e0", "e1", "e2", "e3"]
    assert (
        run(["rank", str(votes), "--ties", "half", "--position", "--anchor", "e1", "--adjust", "holm"]) == 0
    )
    assert "p adjusted" in capsys.readouterr().out
    assert run(["compare", str(votes), "--against", "e0", "--candidate", "e1"]) == 0
    assert "e0 wins" in capsys.readouterr().out
    assert run(["rank", str(votes), "--test", "t"]) == 2
    assert "--test: for scores alone; these files hold votes" in capsys.readouterr().err
    for asked in (["--by", "x"], ["--top", "2"], ["--metric", "pass@k"], ["--judge", "labels"], ["--winner"]):
        assert run(["rank", str(votes), *asked]) == 2
        assert f"{asked[0]}: for scores alone" in capsys.readouterr().err
    assert run(["compare", str(votes), "--fail-on", "worse", "--margin", "0.1"]) == 2
    assert "--margin and --fail-on: for scores alone" in capsys.readouterr().err
    assert run(["rank", str(votes), "--ranks", "marginal"]) == 0
    assert "rank intervals: Holm, marginal" in capsys.readouterr().out
    assert run(["rank", str(votes), "--ties", "x"]) == 2
    assert run(["rank", str(votes), "--anchor", "nobody"]) == 1


def test_votes_options_of_scores_are_refused(tmp_path, capsys):
    write(tmp_path / "s.csv", [{"entry": e, "item": i, "score": "1"} for e in "ab" for i in "123"])
    assert run(["rank", str(tmp_path / "s.csv"), "--ties", "half"]) == 2
    assert "these files hold scores" in capsys.readouterr().err


def test_a_folder_may_hold_other_tables_beside_its_votes(tmp_path, votes, capsys):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.csv").write_text(votes.read_text())
    (tmp_path / "more" / "a.csv").write_text("method,model,score\nelo,e0,high\n")
    assert run(["rank", str(tmp_path / "more"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "deadheat/votes@1"


def test_plans(votes, capsys):
    plan = plan_votes(20)
    assert plan.answer["votes"] == plan.answer["decided"] == pytest.approx(2370, abs=15)
    assert plan_votes(20, ties=0.5).answer["votes"] == pytest.approx(2 * plan.answer["votes"], abs=2)
    assert plan_votes(20, design_effect=3).answer["votes"] == pytest.approx(3 * plan.answer["votes"], abs=2)
    found = plan_votes(ballots=read_votes(votes), entries=("e0", "e1"))
    assert "observed-lead" in {note.code for note in found.notes}
    best = found.answer["ask_next"][0]
    assert {best["a"], best["b"]} == {"e0", "e1"}
    with pytest.raises(MethodError, match="a lead of 0"):
        plan_votes(0)
    with pytest.raises(MethodError, match="name two entries"):
        plan_votes(ballots=read_votes(votes), entries=("e0", "nobody"))
    assert run(["plan", "votes", "--elo", "20"]) == 0
    assert "votes between the two detect a lead of 20 Elo points" in " ".join(capsys.readouterr().out.split())
    assert run(["plan", "votes", "--from", str(votes), "--entries", "e0", "e1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["question"] == "votes"
    assert run(["plan", "votes"]) == 2
