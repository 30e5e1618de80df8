"""Audits as grids: findings by what to do, rates by denominator, and what a new entry changes."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report import numbers, rows_judge, rows_raters, words
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.report.numbers import DASH, Scale
from deadheat.results import Comparison
from deadheat.results.audit import Audit, Finding, Submission

ORDER = ("error", "warning", "info")
ACTIONS = {
    "Correct the published figures": (
        *("rate-contradicts-items", "rate-contradicts-counts", "impossible-rate", "other-denominator"),
        *(
            "fraction-not-percent",
            "percent-not-fraction",
            "failures-dropped",
            "pass-at-k-contradicts-samples",
        ),
        *("stderr-is-sd", "stderr-zero", "stderr-boundary", "stderr-unexplained", "too-few-samples"),
    ),
    "Repair the result files": (
        *("unnamed-rows", "nan-scores", "infinite-scores", "unknown-status", "scored-without-score"),
        *("failed-with-score", "conflicting-repeats", "identical-repeats", "repeated-items", "cut-off-ids"),
        *("id-drift", "contradictory-column", "samples-misaligned", "scales-differ"),
        *("report-contradicts-itself", "truncated-log", "no-scores", "invalid-samples", "edited-scores"),
        *("scores-outside-range", "nothing-usable", "entry-changed"),
    ),
    "Check that it is meant so": ("all-zero", "all-equal", "identical-entries", "constant-column"),
    "Run or publish what is missing": (
        *("missing-scores", "items-never-scored", "different-items", "nothing-shared", "uneven-samples"),
        *("failed-attempts", "no-scored-items", "nothing-scored", "no-per-item-results", "chosen-items"),
    ),
    "Say beside the scores": (
        *("denominator", "failures-as-zeros", "dominant-cluster", "judge-against-people", "judge-drift"),
        *("several-judges", "judges-disagree", "silent-items", "records-stand", "recovered-count"),
        "stderr-formula",
    ),
}
"""What to do, and the codes of the findings that it settles."""
OTHER = "Look at"
# Key -> heading and priority; the counts say what the rates beside them are of.
RATES = {
    "items_scored": ("Scored", 2),
    "scored": ("% of scored", 0),
    "items_tried": ("Tried", 2),
    "failed_as_zero": ("% of tried", 0),
    "items_board": ("Board", 2),
    "missing_as_zero": ("% of board", 0),
    "common": ("% of common", 3),
    "published": ("% published", 1),
}


def audit(document: Audit) -> Sheet:
    """Put an audit into words.

    Parameters
    ----------
    document : Audit
        The result of auditing.
    """
    grids = [grid for line in document.submissions for grid in submission(line)]
    if document.denominators:
        grids.append(denominators(document))
    grids += findings(document)
    if document.judge:
        values = [x for line in document.judge for x in (line.judge, line.people)]
        grids.append(rows_judge.scores(document.judge, Scale.of(values), lambda entry: clean(entry or "")))
        grids.append(rows_judge.agreement(document.judge, lambda entry: clean(entry or "")))
    if document.raters is not None:
        grids += rows_raters.grids(document.raters)
    doubts = dict.fromkeys(clean(note.text) for note in document.notes)
    return Sheet(clean(document.summary), tuple(grids), tuple(doubts), words.methods(document))


def findings(document: Audit) -> list[Grid]:
    """Make a table of each thing to do, the one with the worst finding first; within it errors first."""
    by_action: dict[str, list[Finding]] = {}
    for finding in sorted(document.findings, key=lambda each: ORDER.index(each.severity)):
        by_action.setdefault(action(finding.code), []).append(finding)
    return [_findings(title, found) for title, found in by_action.items()]


def action(code: str) -> str:
    """Say what to do about a finding."""
    return next((name for name, codes in ACTIONS.items() if code in codes), OTHER)


def _findings(title: str, found: Sequence[Finding]) -> Grid:
    columns = (
        Column("severity", "Severity", right=False),
        Column("code", "Code", right=False, priority=2),
        Column("entry", "Entry", right=False),
        Column("item", "Item", right=False, priority=1),
        Column("text", "Finding", right=False),
    )
    rows = tuple(
        (
            f.severity,
            clean(f.code),
            clean(f.entry) if f.entry else "",
            clean(f.item) if f.item else "",
            clean(f.text),
        )
        for f in found
    )
    full = Grid(columns, rows, title)
    return full.only(tuple(c for c in columns if c.key not in ("entry", "item") or any(full.column(c.key))))


def denominators(document: Audit) -> Grid:
    """A line an entry: its rate under every policy for attempts that failed or are not there."""
    rows = document.denominators
    kept = {key: head for key, head in RATES.items() if any(row.get(key) is not None for row in rows)}
    values = [row.get(key) for row in rows for key in kept if not key.startswith("items")]
    how = Scale.of(values)
    columns = [
        Column("entry", "Entry", right=False),
        *(Column(key, title, priority=low) for key, (title, low) in kept.items()),
    ]
    words_ = tuple(
        (
            clean(row["entry"]),
            *(
                numbers.count(row.get(key)) if key.startswith("items") else how.value(row.get(key))
                for key in kept
            ),
        )
        for row in rows
    )
    return Grid(tuple(columns), words_, "Rates by denominator")


def submission(line: Submission) -> list[Grid]:
    """Two grids a new entry: what changes, and which claims hold."""
    title = clean(line.name or line.entry)
    how = Scale.of([line.value, line.published])
    facts = [
        ("score", f"{how.value(line.value)} {how.unit}".strip()),
        (
            "published",
            f"{how.value(line.published)} {how.unit}".strip() if line.published is not None else "",
        ),
        ("items", numbers.count(line.items)),
        ("place", numbers.count(line.place)),
        ("ranks it may hold", numbers.ranks(line.rank)),
        ("tie group", numbers.count(line.group)),
        ("displaces", _versus(line.vs_displaced) if line.displaces else "nobody: it is last"),
        ("against the best so far", _versus(line.vs_anchor)),
        ("joins the top group", _entries(line.joined)),
        ("leaves the top group", _entries(line.left)),
    ]
    heads = (Column("fact", title, right=False), Column("text", "", right=False))
    claims = Grid(
        (
            Column("supported", "Supported", right=False),
            Column("text", "Claim, and what the items say of it", right=False),
        ),
        tuple(("yes" if c.supported else "no", clean(f"{c.claim}: {c.text}")) for c in line.claims),
    )
    return [Grid(heads, tuple(fact for fact in facts if fact[1])), claims]


def _entries(names: Sequence[str]) -> str:
    return words.listed([clean(name) for name in names]) if names else "nobody"


def _versus(versus: Comparison | None) -> str:
    """Write a paired comparison in one line."""
    if versus is None:
        return DASH
    if versus.difference is None:
        return f"{clean(versus.b)}: no item in common"
    how = Scale.of([versus.value_a, versus.value_b], [versus.se], [versus.unit])
    told = f"{clean(versus.b)}: {how.difference(versus.difference)} {how.points}".strip()
    if versus.interval is not None:
        told += f" ({how.difference_interval(versus.interval)})"
    if versus.a_only is not None:
        told += f", {versus.a_only:,} right here only, {versus.b_only:,} there only"
    return f"{told}, {numbers.p_phrase(versus.p, versus.log10_p)}"
