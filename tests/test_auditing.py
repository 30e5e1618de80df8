"""What contradicts what: every finding on results made to show it, and on real ones."""

import json
import re
import shutil

import jsonschema
import numpy as np
import pytest

from deadheat.auditing.checks import CHECKS
from deadheat.auditing.figure_checks import PRINTED
from deadheat.auditing.intake import ROW_CHECKS, intake
from deadheat.auditing.printed_figures import read_stated
from deadheat.auditing.verb import audit, audit_against
from deadheat.cli.main import run
from deadheat.errors import DataError, MalformedFile, ReadError
from deadheat.ranking.verb import rank
from deadheat.readers import Options, read, read_with
from deadheat.report import RENDERERS, render, rows_audit, schemas
from deadheat.results.audit import Audit
from support import NEEDS_SHARED, ROOT, SHARED

SITE = SHARED / "data/swebench_site/leaderboards_20260226.json"


def audited(tmp_path, rows, head="entry,item,score", claims=None, **options):
    """Audit a table written as lines of CSV."""
    path = tmp_path / "results.csv"
    path.write_text("\n".join([head, *rows]) + "\n")
    stated = ()
    if claims is not None:
        (tmp_path / "claims.csv").write_text(claims)
        stated = read_stated(tmp_path / "claims.csv")
    return audit(read_with(intake, path), stated=stated, **options)


def grid(**entries):
    """Lines of CSV: entry -> outcomes of items i0, i1, …; None for an item that is not there."""
    return [f"{e},i{k},{s}" for e, scores in entries.items() for k, s in enumerate(scores) if s is not None]


def codes(found, entry=None):
    return {f.code for f in found.findings if entry is None or f.entry == entry}


def text_of(found, code, entry=None):
    return next(f.text for f in found.findings if f.code == code and (entry is None or f.entry == entry))


MIXED = [1, 0, 1, 1, 0, 1, 0, 1]


# ---- rows --------------------------------------------------------------------------------------------


def test_sound_results_have_no_finding(tmp_path):
    found = audited(tmp_path, grid(a=MIXED, b=[0, *MIXED[1:]]))
    assert found.findings == ()
    assert found.summary.startswith("Nothing found")


def test_rows_without_a_name(tmp_path):
    found = audited(tmp_path, [*grid(a=MIXED), ",i0,1", "a,,1"])
    assert "2 rows" in text_of(found, "unnamed-rows")
    assert found.provenance.read == 8


def test_scores_that_are_no_numbers(tmp_path):
    found = audited(tmp_path, ["a,i0,1", "a,i1,NaN", "a,i2,inf", "a,i3,0"])
    assert "1 scores are NaN" in text_of(found, "nan-scores", "a")
    assert "1 scores are infinite" in text_of(found, "infinite-scores", "a")
    assert "between 25.0 % and 75.0 %" in text_of(found, "missing-scores", "a")


def test_statuses(tmp_path):
    rows = ["a,i0,1,scored", "a,i1,,scored", "a,i2,1,failed", "a,i3,0,lost", "a,i4,0,scored"]
    found = audited(tmp_path, rows, "entry,item,score,status")
    assert {"unknown-status", "scored-without-score", "failed-with-score"} <= codes(found)


def test_repeats(tmp_path):
    found = audited(tmp_path, ["a,q1,1", "a,q2,0", "a,q1,0", "a,q3,1", "a,q3,1"])
    assert "for example q1; none of these scores is used" in text_of(found, "conflicting-repeats", "a")
    assert "each is used once" in text_of(found, "identical-repeats", "a")
    assert found.provenance.read == 2
    again = audited(tmp_path, ["a,q1,1,1", "a,q1,2,0"], "entry,item,epoch,score")
    assert not codes(again) & {"conflicting-repeats", "identical-repeats"}


def test_failures_hidden_as_zeros(tmp_path):
    rows = [
        f"a,i{k},{s},{m}" for k, (s, m) in enumerate([(1, "none"), (0, "timeout"), (0, ""), (1, "timeout")])
    ]
    found = audited(tmp_path, rows, "entry,item,score,failure_mode")
    assert "1 attempts that failure_mode calls timeout" in text_of(found, "failures-as-zeros", "a")
    assert text_of(found, "failed-with-score", "a").startswith("1 attempts have a score above zero")


def test_columns_that_contradict(tmp_path):
    rows = ["a,i0,1,True,x", "a,i1,0,True,y", "b,i0,1,True,z", "b,i1,1,True,y"]
    found = audited(tmp_path, rows, "entry,item,score,resolved,category")
    texts = [f.text for f in found.findings if f.code == "contradictory-column"]
    assert texts == [
        "in 1 rows the column resolved says otherwise than the score",
        "the column category says different things of 1 items: i0",
    ]


def test_a_constant_column(tmp_path):
    found = audited(tmp_path, ["a,i0,1,x", "a,i1,0,x"], "entry,item,score,category")
    assert codes(found) == {"constant-column"}


@pytest.mark.parametrize(("labels", "severity"), [((0, 1, 1, 2), "warning"), ((0, 1, 5, 6), "info")])
def test_samples_that_do_not_line_up(tmp_path, labels, severity):
    pairs = zip("aabb", labels, strict=True)
    rows = [f"{entry},i{k},{sample},{k % 2}" for entry, sample in pairs for k in range(4)]
    found = audited(tmp_path, rows, "entry,item,sample,score")
    (finding,) = [f for f in found.findings if f.code == "samples-misaligned"]
    assert finding.severity == severity


def test_samples_of_which_some_have_no_label(tmp_path):
    found = audited(tmp_path, ["a,q1,0,1", "a,q1,1,0", "b,q1,,1", "b,q2,,0"], "entry,item,sample,score")
    (finding,) = [f for f in found.findings if f.code == "samples-misaligned"]
    assert "0 and 1 for a; no label for b" in finding.text


def test_a_label_that_is_the_word_none(tmp_path):
    found = audited(tmp_path, ["a,q1,none,1", "a,q2,none,0", "b,q1,,1", "b,q2,,0"], "entry,item,sample,score")
    (finding,) = [f for f in found.findings if f.code == "samples-misaligned"]
    assert "none for a; no label for b" in finding.text
    assert finding.severity == "info"


def test_nothing_usable(tmp_path):
    found = audited(tmp_path, ["a,q1,1", "a,q1,0"])
    assert "nothing-usable" in codes(found)


# ---- items and scores --------------------------------------------------------------------------------


def test_different_items_and_their_denominators(tmp_path):
    full = [1, 0, 1, 0, 1, 0, 1, 0]
    found = audited(
        tmp_path, grid(a=full, b=full[::-1], c=[1, 1, 1, None, 1, None, None, None]), denominators=True
    )
    assert "4 to 8 of 8, 4 of them common to all" in text_of(found, "different-items")
    said = text_of(found, "denominator", "c")
    assert "100.0 % of the 4 items with a score" in said
    assert "50.0 % of the board's 8 items, with 4 items without a result counted as failed" in said
    row = next(row for row in found.denominators if row["entry"] == "c")
    assert (row["scored"], row["missing_as_zero"], row["common"]) == (1.0, 0.5, 1.0)


def test_strays_are_no_part_of_the_board(tmp_path):
    rows = [*grid(a=MIXED, b=MIXED, c=MIXED, d=MIXED), *(f"d,stray{k},1" for k in range(9))]
    assert not [f for f in audited(tmp_path, rows).findings if f.code == "denominator" and f.entry == "a"]


def test_entries_that_share_nothing(tmp_path):
    rows = ["a,x1,1", "a,x2,0", "b,y1,1", "b,y2,0"]
    assert "a and b" in text_of(audited(tmp_path, rows), "nothing-shared")


def test_ids_that_were_cut_off_or_spelled_apart(tmp_path):
    base = [f"{e},org__core-{k},{k % 2}" for e in "abc" for k in range(6)]
    rows = [*base, "a,org__three,0", "b,org__three.js-1,1", "b,org__three.js-2,0", "a,Case-1,1", "b,case_1,1"]
    found = audited(tmp_path, rows)
    assert "org__three stands for 2 items" in text_of(found, "cut-off-ids")
    assert "'Case-1' in a" in text_of(found, "id-drift")
    assert "separators only" in text_of(found, "id-drift")
    nfc, nfd = "caf\u00e9", "cafe\u0301"
    found = audited(tmp_path, [f"a,{nfc},1", "a,x,0", f"b,{nfd},1", "b,x,1"])
    assert "Unicode normalisation" in text_of(found, "id-drift")


def test_scales(tmp_path):
    found = audited(tmp_path, grid(A=[100, 0, 100, 100], B=[1, 0, 1, 0]))
    assert "up to 100 in A, up to 1 in B" in text_of(found, "scales-differ")
    assert "scales-differ" not in codes(audited(tmp_path, grid(A=[3, 0, 2, 1], B=[1, 0, 1, 0])))


def test_all_equal_scores(tmp_path):
    found = audited(tmp_path, grid(a=[0] * 8, b=[1] * 8, c=[0.5] * 8, d=MIXED))
    assert "no point in 8 items" in text_of(found, "all-equal", "a")
    assert "full marks" in text_of(found, "all-equal", "b")
    assert "0.5" in text_of(found, "all-equal", "c")
    assert "all-equal" not in codes(found, "d")


def test_missing_scores(tmp_path):
    found = audited(tmp_path, grid(a=[1, 1, 0, 1, "", "", 0, 1], b=[""] * 8))
    said = text_of(found, "missing-scores", "a")
    assert "2 items of 8" in said
    assert "between 50.0 % and 75.0 %" in said
    assert "66.7 % over the scored" in said
    assert "unknown" in text_of(found, "nothing-scored", "b")
    assert "2 items have a score in no entry: i4 and i5" in text_of(found, "items-never-scored")


def test_identical_entries(tmp_path):
    row = [k % 3 == 0 for k in range(30)]
    rows = grid(**{name: [int(s) for s in row] for name in ("x", "y")}, z=[int(not s) for s in row])
    assert "x and y" in text_of(audited(tmp_path, rows), "identical-entries")


def test_items_that_separate_nobody(tmp_path):
    rows = grid(**{f"e{k}": [1, 0, k % 2, (k + 1) % 2] for k in range(6)})
    assert "2 of 4 items separate nobody: every entry gets 1 right and 1 wrong" in text_of(
        audited(tmp_path, rows), "silent-items"
    )


def test_a_boundary_is_not_called_precise(tmp_path):
    found = audited(tmp_path, grid(a=[1] * 20, b=[0] * 20))
    for entry in "ab":
        assert "would wrongly imply perfect precision" in text_of(found, "all-equal", entry)


def test_silent_items_are_among_those_that_every_entry_has(tmp_path):
    rows = [
        row for row in grid(**{f"e{k}": [1, 0, k % 2, 1] for k in range(6)}) if not row.startswith("e1,i3")
    ]
    said = text_of(audited(tmp_path, rows), "silent-items")
    assert "2 of the 3 items that every entry has separate nobody: every entry gets 1 right" in said


def test_clusters_that_dominate(tmp_path):
    rows = [f"a,i{k},{k % 2},{'big' if k < 8 else k}" for k in range(12)]
    found = audited(tmp_path, rows, "entry,item,score,repo")
    assert "big holds 8 of 12 items (66.7 %)" in text_of(found, "dominant-cluster")


def test_uneven_samples(tmp_path):
    rows = [f"a,i{k},{s},1" for k in range(4) for s in range(5 - (k == 0))] + [
        f"b,i{k},0,1" for k in range(4)
    ]
    found = audited(tmp_path, rows, "entry,item,sample,score")
    assert "1 item of 4 have fewer than 5 samples (down to 4)" in text_of(found, "uneven-samples", "a")
    whole = next(f for f in found.findings if f.code == "uneven-samples" and f.entry is None)
    assert "1 in b, 5 in a" in whole.text


def test_failed_attempts(tmp_path):
    rows = [f"a,i{k},{'' if k < 2 else 1 - k % 2},{'failed' if k < 2 else 'scored'}" for k in range(8)]
    found = audited(tmp_path, rows, "entry,item,score,status")
    assert "50.0 % of the 6 items with a score; 37.5 % with failed attempts as zeros" in text_of(
        found, "denominator"
    )


# ---- published figures -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claims", "code", "says"),
    [
        ("entry,rate,n,right\nm,51.0%,400,221\n", "rate-contradicts-counts", "55.25 %"),
        (
            "entry,rate,wins,losses,draws\nm,51.0,212,170,18\n",
            "rate-contradicts-counts",
            "400): 17 apart",
        ),
        (
            "model,accuracy,items\nm,22.4,124\n",
            "impossible-rate",
            "22.4 % is not a whole number of 124 items",
        ),
        ("entry,score,n\nm,63.64,198\n", "recovered-count", "63.64 % of 198 items is 126 right"),
        ("entry,score,n\nm,64%,198\n", "recovered-count", "any of 126 to 127"),
        ("entry,score,stderr,n\nm,0.06428571428571428,0.0,140\n", "stderr-zero", "0.0208028"),
        ("entry,score,stderr,n\nm,1.0,0.0,140\n", "stderr-boundary", "no precision"),
        ("entry,score,stderr,n\nm,0.5,0.05,100\n", "stderr-formula", "binomial"),
        ("entry,score,stderr,n\nm,0.5,0.050252,100\n", "stderr-formula", "n-1"),
        ("entry,score,stderr,n\nm,0.5,0.5,100\n", "stderr-is-sd", "never|not divided"),
        ("entry,score,stderr,n\nm,0.5,0.08,100\n", "stderr-unexplained", "no formula tried"),
    ],
)
def test_figures_by_themselves(tmp_path, claims, code, says):
    (tmp_path / "claims.csv").write_text(claims)
    found = audit(None, stated=read_stated(tmp_path / "claims.csv"))
    assert code in codes(found, "m")
    assert any(word in text_of(found, code, "m") for word in says.split("|"))


@pytest.mark.parametrize(
    "claims", ["entry,rate,n,right\nm,55.25%,400,221\n", "entry,rate,wins,losses,draws\nm,55.25,212,170,18\n"]
)
def test_sound_figures_have_no_finding(tmp_path, claims):
    (tmp_path / "claims.csv").write_text(claims)
    assert audit(None, stated=read_stated(tmp_path / "claims.csv")).findings == ()


def samples(right, n):
    """One entry with several samples an item: right counts, of n each."""
    return [f"m,i{k},{s},{int(s < c)}" for k, c in enumerate(right) for s in range(n)]


def test_published_pass_at_k(tmp_path):
    head, right = "entry,item,sample,score", [0, 1, 2, 5]
    unbiased = np.mean([1 - np.prod([(5 - c - j) / (5 - j) for j in range(2)]) for c in right])
    plug_in = np.mean([1 - (1 - c / 5) ** 2 for c in right])
    good = audited(tmp_path, samples(right, 5), head, f"entry,pass@2\nm,{unbiased:.4f}\n")
    assert "pass-at-k-contradicts-samples" not in codes(good)
    biased = audited(tmp_path, samples(right, 5), head, f"entry,pass@2\nm,{plug_in:.4f}\n")
    assert "biased plug-in" in text_of(biased, "pass-at-k-contradicts-samples", "m")
    claims = f"entry,metric,rate\nm,pass^2,{np.mean([(c / 5) ** 2 for c in right]):.4f}\n"
    hat = audited(tmp_path, samples(right, 5), head, claims)
    assert "(c/n)^k" in text_of(hat, "pass-at-k-contradicts-samples", "m")
    short = audited(tmp_path, samples(right, 5), head, "entry,pass@10\nm,0.5\n")
    assert "4 items of 4 have fewer than 10 samples" in text_of(short, "too-few-samples", "m")


def test_errors_that_only_the_items_explain(tmp_path):
    head, right = "entry,item,sample,score,cluster", [0, 1, 2, 5, 4, 3]
    rows = [f"{line},c{k // 10}" for k, line in enumerate(samples(right, 5))]
    means = np.array(right) / 5
    by = {
        "items, s/√n": means.std(ddof=1) / np.sqrt(6),
        "within items": np.sqrt(np.sum(means * (1 - means) / 4)) / 6,
        "binomial over attempts": np.sqrt(0.5 * 0.5 / 30),
        "clustered CR1": means.reshape(3, 2).mean(axis=1).std(ddof=1) / np.sqrt(3),
    }
    for formula, se in by.items():
        found = audited(tmp_path, rows, head, f"entry,rate,se\nm,0.5,{se:.6f}\n")
        assert formula in text_of(found, "stderr-formula", "m")


def test_a_rate_against_the_items(tmp_path):
    found = audited(tmp_path, grid(m=MIXED, o=MIXED), claims="entry,rate\nm,90.0\nx,50.0\no,62.5\n")
    assert "imply 62.50 % (5 of 8)" in text_of(found, "rate-contradicts-items", "m")
    assert "no-per-item-results" in codes(found, "x")
    assert "rate-contradicts-items" not in codes(found, "o")


def test_figures_in_other_forms(tmp_path):
    path = tmp_path / "claims.jsonl"
    path.write_text('{"entry": "m", "rate": 63.60, "n": 250}\n{"entry": "o", "rate": null, "n": 5}\n')
    first = read_stated(path)[0]
    assert (first.rate.value, first.rate.decimals, first.n) == (pytest.approx(0.636), 4, 250)
    path.write_text('[{"model": "m", "score": 0.636, "stderr": "N/A"}]')
    assert read_stated(path)[0].se is None
    broken = (
        "",
        "entry,rate\n",
        "rate\n0.5\n",
        "entry,rate\nm,many\n",
        "entry,rate,n\nm,0.5,x\n",
        "entry,rate\nm,inf\n",
    )
    for text in broken:
        path.write_text(text)
        with pytest.raises(MalformedFile):
            read_stated(path)
    with pytest.raises(ReadError):
        read_stated(tmp_path / "nowhere.csv")


def test_errors_that_a_log_states(tmp_path):
    folder = tmp_path / "m"
    folder.mkdir()
    scores = [1, 0, 1, 1, 0]
    row = {"filter": "none", "metrics": ["acc"], "doc": {}, "target": "x", "arguments": []}
    lines = [json.dumps({"doc_id": k, "acc": score, **row}) for k, score in enumerate(scores)]
    (folder / "samples_t_2026-01-01T00-00-00.jsonl").write_text("\n".join(lines))
    error = float(np.std(scores, ddof=1) / np.sqrt(5))
    rest = {"configs": {}, "model_name": "m", "n-samples": {}, "higher_is_better": {}}
    results = {"results": {"t": {"acc,none": 0.6, "acc_stderr,none": error}}, **rest}
    (folder / "results_2026-01-01T00-00-00.json").write_text(json.dumps(results))
    found = audit(read_with(intake, folder))
    assert text_of(found, "stderr-formula", "m").endswith("n-1")


# ---- real results ------------------------------------------------------------------------------------


@NEEDS_SHARED
def test_swebench_pro_denominators():
    found = audit(read_with(intake, SHARED / "data/swebench_pro/raw"), denominators=True)
    said = text_of(found, "denominator", "claude-4sonnet-10132025")
    assert "42.7 % of the 562 items with a score" in said
    assert "32.9 % of 730 items (its own, and those that a third of the entries list)" in said
    row = next(row for row in found.denominators if row["entry"].startswith("claude-4sonnet"))
    assert row["scored"] == pytest.approx(240 / 562, rel=1e-12)
    assert row["missing_as_zero"] == pytest.approx(240 / 730, rel=1e-12)


@NEEDS_SHARED
def test_experiments_layout_submitted_v_total():
    found = audit(read_with(intake, SHARED / "data/swebench_experiments_layout/raw"))
    mini = text_of(found, "denominator", "20240825_SWE-agent_gpt-4o-mini-2024-07-18")
    assert "100.0 % of the 1 item with a score; 1.1 % of the board's 91 items" in mini
    other = text_of(found, "denominator", "20240825_SWE-agent_gpt-4o-2024-05-13")
    assert "7.1 % of the 85 items" in other
    assert "6.6 % of the board's 91 items" in other


GATED = [
    ("bash-only", "20250720_mini-v0.0.0-claude-3-7-sonnet-20250219", "rate-contradicts-items"),
    ("Multilingual", "20260213_mini-v2.0.0a0_claude-4-6-opus", "cut-off-ids"),
    ("Multilingual", "20260213_mini-v2.0.0a0_gemini-3-flash", "impossible-rate"),
]


@NEEDS_SHARED
@pytest.mark.parametrize(("board", "entry", "code"), GATED)
def test_the_site(board, entry, code):
    found = audit(read_with(intake, SITE, options=Options(board=board)))
    assert code in codes(found, entry)
    gated = {"bash-only": 1, "Multilingual": 4}[board]
    assert len({f.entry for f in found.findings if f.severity == "error" and f.entry}) == gated


@NEEDS_SHARED
def test_terminal_bench_pass_at_k_agrees():
    found = audit(read_with(intake, SHARED / "data/terminal_bench_core/raw"))
    assert "pass-at-k-contradicts-samples" not in codes(found)
    assert "too-few-samples" not in codes(found)


# ---- what a submission changes -----------------------------------------------------------------------


def write(path, rows):
    path.write_text("\n".join(["entry,item,score", *rows]) + "\n")
    return path


def outcomes(rate, n, seed):
    """As many right as the rate says, anywhere."""
    return np.random.default_rng(seed).permutation(np.arange(n) < round(rate * n)).astype(int).tolist()


BOARD = {f"e{k}": outcomes(rate, 200, k) for k, rate in enumerate((0.7, 0.65, 0.5, 0.3))}


@pytest.fixture
def board(tmp_path):
    return read(write(tmp_path / "board.csv", grid(**BOARD)))


def against(tmp_path, board, **rows):
    path = write(tmp_path / "new.csv", grid(**rows))
    return audit_against(read_with(intake, path), board)


def test_a_new_best_that_the_items_support(tmp_path, board):
    found = against(tmp_path, board, new=[1] * 190 + [0] * 10)
    (line,) = found.submissions
    assert (line.place, line.rank, line.group) == (1, (1, 1), 1)
    assert line.displaces == line.vs_anchor.b == "e0"
    assert line.joined == ("new",)
    assert "e0" in line.left
    claims = {claim.claim: claim.supported for claim in line.claims}
    assert claims == {"new best": True, "better than e0, the best so far": True, "in the top group": True}
    assert "support calling it the new best" in found.summary


def test_a_highest_score_that_is_no_new_best(tmp_path, board):
    top = outcomes(0.7, 200, 0)
    top[top.index(0)] = 1
    found = against(tmp_path, board, new=top)
    (line,) = found.submissions
    assert line.place == 1
    assert line.rank[1] > 1
    assert (line.vs_anchor.a_only, line.vs_anchor.b_only) == (1, 0)
    assert not any(claim.supported for claim in line.claims if "best" in claim.claim)
    assert line.left == ()


def test_places_further_down(tmp_path, board):
    found = against(tmp_path, board, last=[0] * 199 + [1], mid=outcomes(0.5, 200, 9))
    mid, last = found.submissions
    assert (mid.entry, last.entry) == ("mid", "last")
    assert last.displaces is None
    assert mid.vs_displaced.b == mid.displaces
    assert mid.vs_anchor.verdict == "b"
    assert not any(claim.supported for claim in last.claims)


def test_a_place_is_the_boards_own_and_no_name_matters(tmp_path, board):
    row = outcomes(0.6, 200, 11)
    found = against(tmp_path, board, zz=row).submissions[0]
    again = against(tmp_path, board, aa=row).submissions[0]
    for field in ("place", "rank", "group", "displaces"):
        assert getattr(found, field) == getattr(again, field)
    ranked = rank(read(write(tmp_path / "whole.csv", [*grid(**BOARD), *grid(zz=row)])))
    score = next(score for score in ranked.entries if score.entry == "zz")
    assert (found.place, found.rank, found.group) == (score.place, score.rank, score.group)


def test_entries_that_are_there_already(tmp_path, board):
    e0 = outcomes(0.7, 200, 0)
    with pytest.raises(DataError, match="on it already"):
        against(tmp_path, board, e0=e0)
    e0[0] = 1 - e0[0]
    found = against(tmp_path, board, e0=e0, new=outcomes(0.4, 200, 5))
    assert "1 item differ" in text_of(found, "entry-changed", "e0")
    assert [line.entry for line in found.submissions] == ["new"]


def test_a_submission_that_shares_nothing(tmp_path, board):
    path = write(tmp_path / "new.csv", [f"new,else{k},{k % 2}" for k in range(20)])
    (line,) = audit_against(read_with(intake, path), board).submissions
    assert line.vs_anchor.p is None
    assert all("nothing can be said" in c.text for c in line.claims if c.claim.startswith("better"))


# ---- the document and the command --------------------------------------------------------------------


@pytest.mark.parametrize("format", sorted(RENDERERS))
def test_every_format_takes_it(tmp_path, board, format):
    path = write(tmp_path / "new.csv", grid(new=outcomes(0.6, 200, 3)))
    found = audit_against(read_with(intake, path), board, denominators=True)
    assert "new" in render(found, format)
    if format == "json":
        jsonschema.validate(json.loads(render(found, "json")), schemas.schema(Audit))


def test_one_contradiction_is_told_once(tmp_path):
    """A rate that a log publishes, and states in full precision, is held against its items once."""
    folder = tmp_path / "log"
    shutil.copytree(ROOT / "tests/readers/fixtures/lm-eval/ran/org__terse", folder)
    (results,) = folder.glob("results*")
    results.write_text(results.read_text().replace("0.8", "0.4"))
    (log,) = folder.glob("samples_add_mc*")
    for path in (str(log), f"a={log}"):
        found = audit(read_with(intake, path))
        texts = [finding.text for finding in found.findings if finding.code == "rate-contradicts-items"]
        assert texts == ["published 40.00 %, but its per-item results imply 80.00 % (4 of 5)"]


def test_names_of_codes_are_documented():
    page = (ROOT / "docs/methods/audit.md").read_text()
    folder = ROOT / "src/deadheat"
    for path in [*folder.glob("auditing/*.py"), folder / "evidence/agreement.py"]:
        for code in re.findall(r'code="([a-z@-]+)"', path.read_text()):
            assert f"`{code}`" in page, f"{code} of {path.name} is not in docs/methods/audit.md"


def test_every_code_has_something_to_do():
    """Findings are grouped by what to do; a code without a place would stand under "Look at"."""
    page = (ROOT / "docs/methods/audit.md").read_text()
    rows = re.findall(r"^\| (`[^|]*) \|", page, re.MULTILINE)
    told = [code for row in rows for code in re.findall(r"`([a-z-]+)`", row)]
    codes = {code for code in told if "-" in code or code == "denominator"}
    assert len(codes) > 40
    placed = [code for group in rows_audit.ACTIONS.values() for code in group]
    assert len(placed) == len(set(placed)), "each code has one place"
    assert codes <= set(placed), codes - set(placed)


def test_every_check_is_a_line_in_a_dict():
    assert len(CHECKS) + len(ROW_CHECKS) + len(PRINTED) >= 25
    assert all(check.__doc__ for check in (*CHECKS.values(), *ROW_CHECKS.values(), *PRINTED.values()))


def test_command(tmp_path, capsys):
    path = write(tmp_path / "r.csv", grid(a=[0] * 8, b=MIXED))
    assert run(["audit", str(path)]) == 0
    assert "no point in 8 items" in " ".join(capsys.readouterr().out.split())
    assert run(["audit", str(path), "--fail-on", "finding", "--format", "md"]) == 3
    capsys.readouterr()
    sound = write(tmp_path / "s.csv", grid(a=MIXED, b=MIXED[::-1]))
    assert run(["audit", str(sound), "--fail-on", "finding"]) == 0
    capsys.readouterr()
    assert run(["audit"]) == 2
    assert "no path given" in capsys.readouterr().err
    assert run(["audit", "--against", str(path)]) == 2
    capsys.readouterr()
    board = write(tmp_path / "b.csv", grid(x=MIXED, y=[1, *MIXED[1:]]))
    assert run(["audit", str(sound), "--against", str(board), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["submissions"]) == 2
    claims = tmp_path / "c.csv"
    claims.write_text("entry,rate,n\nm,22.4,124\n")
    assert run(["audit", "--claims", str(claims), "--fail-on", "finding"]) == 3
