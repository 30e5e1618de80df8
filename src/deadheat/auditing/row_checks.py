"""Checks of rows as they were read: what cannot be used, contradicts itself or hides a failure."""

from __future__ import annotations

from typing import Any

from deadheat.data.attempts import Attempts, normalised
from deadheat.data.batch import COLUMNS, STATUSES, literal, quoted
from deadheat.data.roles import ALIASES, score_sql
from deadheat.report.phrases import listed
from deadheat.results.audit import Finding

FAILURES = ("error", "errors", "error_type", "error_message", "exception", "failure", "failure_mode",
            "failure_reason", "fail_reason", "stop_reason_error", "traceback")  # fmt: skip
NO_FAILURE = (
    "",
    "none",
    "null",
    "nan",
    "unset",
    "false",
    "no",
    "0",
    "ok",
    "success",
    "completed",
    "{}",
    "[]",
)
SHOWN = 5


def unnamed(attempts: Attempts) -> list[Finding]:
    """Rows without an entry or an item."""
    count = _count(attempts, "entry IS NULL OR item IS NULL OR entry = '' OR item = ''")
    text = f"{count:,} rows name no entry or no item, and belong to nobody"
    return [Finding(code="unnamed-rows", severity="error", text=text)] if count else []


def not_numbers(attempts: Attempts) -> list[Finding]:
    """Scores that are NaN, which is missing, or infinite, which is nothing."""
    found = []
    for entry, nan, infinite in _query(
        attempts,
        "SELECT entry, count(*) FILTER (isnan(score)), count(*) FILTER (isinf(score)) FROM attempts "
        "WHERE NOT isfinite(score) GROUP BY entry ORDER BY entry",
    ):
        if nan:
            text = f"{nan:,} scores are NaN or no number; they are taken as missing, not as zero"
            found.append(Finding(code="nan-scores", severity="warning", entry=entry, text=text))
        if infinite:
            text = f"{infinite:,} scores are infinite; they are left out"
            found.append(Finding(code="infinite-scores", severity="error", entry=entry, text=text))
    return found


def statuses(attempts: Attempts) -> list[Finding]:
    """A status that is none, or that contradicts the score beside it."""
    if "status" not in attempts.columns:
        return []
    known = ", ".join(map(literal, STATUSES))
    found = []
    for condition, code, text in (
        (
            f"status NOT IN ({known})",
            "unknown-status",
            f"attempts have a status other than {', '.join(STATUSES)}",
        ),
        (
            "status = 'scored' AND score IS NULL",
            "scored-without-score",
            "attempts are called scored, but have no score",
        ),
        (
            "status IN ('failed', 'absent') AND score <> 0",
            "failed-with-score",
            "attempts are called failed or absent, but have a score",
        ),
    ):
        if count := _count(attempts, condition):
            found.append(Finding(code=code, severity="error", text=f"{count:,} {text}; they are left out"))
    return found


def repeats(attempts: Attempts) -> list[Finding]:
    """The same entry, item and sample more than once."""
    found = []
    for entry, same, apart, items in _query(
        attempts,
        "SELECT entry, count(*) FILTER (outcomes = 1), count(*) FILTER (outcomes > 1), "
        f"list_sort(list(item) FILTER (outcomes > 1))[:{SHOWN}] FROM ({repeated(attempts)}) "
        "GROUP BY entry ORDER BY entry",
    ):
        what = "entry, item and sample" if "sample" in attempts.columns else "entry and item"
        if apart:
            text = (
                f"{apart:,} items occur more than once with the same {what} and different scores, for "
                f"example {listed(items)}; none of these scores is used"
            )
            found.append(Finding(code="conflicting-repeats", severity="error", entry=entry, text=text))
        if same:
            text = f"{same:,} items are repeated with the same {what} and the same score; each is used once"
            found.append(Finding(code="identical-repeats", severity="warning", entry=entry, text=text))
    return found


def repeated(attempts: Attempts) -> str:
    """SQL of the attempts that occur more than once, and how many outcomes they have."""
    keys = keys_of(attempts)
    return (
        "SELECT min(entry) AS entry, min(item) AS item, "
        f"count(DISTINCT (coalesce(score, -1e300), {attempts.status})) AS outcomes FROM attempts "
        f"WHERE entry <> '' AND item <> '' GROUP BY {keys} HAVING count(*) > 1"
    )


def keys_of(attempts: Attempts) -> str:
    """SQL of what identifies an attempt."""
    sample = ", sample" if "sample" in attempts.columns else ""
    return f"{normalised('entry')}, {normalised('item')}{sample}"


def hidden_failures(attempts: Attempts) -> list[Finding]:
    """Attempts that broke, by a column of their own, and count as zeros without being called failed."""
    found = []
    for column in _extra(attempts, FAILURES):
        word = f"lower(trim({quoted(column)}))"
        nothing = ", ".join(map(literal, NO_FAILURE))
        broke = f"{word} IS NOT NULL AND {word} NOT IN ({nothing}) AND {attempts.status} = 'scored'"
        for entry, zeros, others, words in _query(
            attempts,
            f"SELECT entry, count(*) FILTER (score = 0), count(*) FILTER (score > 0), "
            f"list_sort(list(DISTINCT {word}))[:{SHOWN}] FROM read_rows WHERE {broke} "
            "GROUP BY entry ORDER BY entry",
        ):
            if zeros:
                text = (
                    f"{zeros:,} attempts that {column} calls {listed(words)} count as plain zeros: wrong "
                    "answers and broken runs cannot be told apart in the rate"
                )
                found.append(Finding(code="failures-as-zeros", severity="warning", entry=entry, text=text))
            if others:
                text = f"{others:,} attempts have a score above zero although {column} is set"
                found.append(Finding(code="failed-with-score", severity="info", entry=entry, text=text))
    return found


def contradictory_columns(attempts: Attempts) -> list[Finding]:
    """Columns that contradict the score, or themselves within an item."""
    found = []
    for column in _extra(attempts, ALIASES["score"]):
        said = score_sql(quoted(column))
        count = _query(
            attempts,
            f"SELECT count(*) FROM read_rows WHERE score IN (0, 1) AND {said} IN (0, 1) AND {said} <> score",
        )[0][0]
        if count:
            text = f"in {count:,} rows the column {column} says otherwise than the score"
            found.append(Finding(code="contradictory-column", severity="error", text=text))
    for column in ("cluster", "category", "weight"):
        if column in attempts.columns:
            rows = _query(
                attempts,
                f"SELECT item FROM attempts GROUP BY item HAVING min({column}) <> max({column}) "
                "ORDER BY item",
            )
            if rows:
                items = [row[0] for row in rows]
                text = f"the column {column} says different things of {len(items):,} items: {listed(items)}"
                found.append(Finding(code="contradictory-column", severity="error", item=items[0], text=text))
    return found


def constant_columns(attempts: Attempts) -> list[Finding]:
    """Columns that could tell something and say the same in every row."""
    found = []
    for column in ("cluster", "category", "weight"):
        if column in attempts.columns:
            values, example = _query(
                attempts, f"SELECT count(DISTINCT {column}), min({column}::VARCHAR) FROM attempts"
            )[0]
            if values == 1:
                text = f"the column {column} is {example!r} in every row, so it tells nothing"
                found.append(Finding(code="constant-column", severity="info", text=text))
    return found


def sample_labels(attempts: Attempts) -> list[Finding]:
    """Entries whose samples are numbered differently, so that they do not line up."""
    if "sample" not in attempts.columns:
        return []
    rows = _query(
        attempts,
        "SELECT labels, bare, list_sort(list(entry)) FROM (SELECT entry, bool_or(sample IS NULL) AS bare, "
        "coalesce(list_sort(list(DISTINCT sample) FILTER (sample IS NOT NULL)), []) AS labels "
        "FROM attempts GROUP BY entry) GROUP BY labels, bare ORDER BY bare, labels",
    )
    if len(rows) < 2:
        return []
    parts = [
        f"{listed(['no label'] * bare + labels, 4)} for {listed(entries, 3)}"
        for labels, bare, entries in rows[:SHOWN]
    ]
    text = (
        f"samples are labelled differently: {'; '.join(parts)}. Comparing sample by sample would pair what "
        "does not belong together; means over an item's samples are not affected"
    )
    sets = [set(labels + [None] * bare) for labels, bare, _ in rows]
    crossed = any(one & other for at, one in enumerate(sets) for other in sets[:at])
    return [Finding(code="samples-misaligned", severity="warning" if crossed else "info", text=text)]


def _extra(attempts: Attempts, names: tuple[str, ...]) -> list[str]:
    """Columns besides the canonical ones that carry one of some names."""
    return [c for c in attempts.columns if c not in COLUMNS and c.strip().lower().replace(" ", "_") in names]


def _query(attempts: Attempts, sql: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = attempts.connection.execute(sql).fetchall()
    return rows


def _count(attempts: Attempts, condition: str) -> int:
    return int(_query(attempts, f"SELECT count(*) FROM attempts WHERE {condition}")[0][0])
