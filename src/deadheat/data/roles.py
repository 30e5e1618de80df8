"""Which column of a table plays which part, by its name or as the user says, and what statuses mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deadheat.data.batch import COLUMNS, STATUSES
from deadheat.data.direction import lower_is_better
from deadheat.errors import DataError, MethodError

# Names that tools give to each column, most telling first; case and -/space/_ do not matter.
ALIASES: dict[str, tuple[str, ...]] = {
    part: tuple(names.split())
    for part, names in {
        "entry": "model model_name system agent submission llm model_id entry_id method run run_id",
        "item": "item_id question_id instance_id task_id problem_id example_id doc_id qid id question "
        "problem instance task prompt_id test_id case_id uid idx index",
        "sample": "epoch repeat trial rollout attempt sample_index sample_id iteration seed turn run run_id",
        "score": "correct is_correct resolved passed success solved score_value value metric_value hit pass "
        "is_pass is_resolved right",
        "status": "",
        "cluster": "repository repo passage_id cluster_id",
        "category": "subject subset domain categories",
        "weight": "item_weight",
        "answer": "prediction extracted_answer final_answer",
        "human": "human_score human_label",
        "metric": "metric_name measure",
    }.items()
}
VERDICTS = ("label", "grade", "verdict", "judgement", "judgment", "outcome", "result")
"""Names of a score where nothing else is one."""
RIGHT = ("true", "t", "yes", "y", "c", "correct", "pass", "passed", "resolved", "right", "success")
WRONG = (
    *("false", "f", "no", "n", "i", "incorrect", "fail", "failed", "unresolved", "wrong"),
    *("not_attempted", "not attempted"),
)
# What tools call a status.
MEANINGS = {
    "scored": ("success", "succeeded", "completed", "complete", "ok", "done", "pass", "passed", "fail"),
    "failed": ("error", "errored", "failure", "timeout", "timed_out", "timed out", "crashed", "exception"),
    "absent": ("skipped", "skip", "missing", "not_run", "not run"),
}
STATUS_OF = {word: status for status, words in MEANINGS.items() for word in (status, *words)}
MOST = 12  # columns that a message names


def canonical(found: Iterable[str], named: Mapping[str, str] | None = None) -> dict[str, str]:
    """Say which column plays which part.

    Parameters
    ----------
    found : iterable of str
        Column names of a table.
    named : mapping or None
        Part -> column, as the user says, before any usual name.

    Returns
    -------
    dict
        Part -> name as found, for the columns that play one; without a score, a verdict given as a status
        plays both parts.

    Raises
    ------
    MethodError
        A part that does not exist.
    DataError
        A column that does not exist.
    """
    names = list(found)
    chosen = _said(names, named or {})
    by_form = {_form(name): name for name in reversed(names) if name not in chosen.values()}
    for part, aliases in ALIASES.items():
        if part not in chosen:
            form = next((form for form in (part, *aliases) if form in by_form), None)
            if form is not None:
                chosen[part] = by_form.pop(form)
    if "score" not in chosen:
        verdicts = [by_form[form] for form in VERDICTS if form in by_form][:1]
        status = [chosen["status"]] if "status" in chosen else []
        if len(able := [*_metrics(by_form.values()), *(verdicts or status)]) == 1:
            chosen["score"] = able[0]
    if "score" not in chosen and "human" in chosen:
        chosen["score"] = chosen.pop("human")  # nothing beside the labels of people
    return {part: chosen[part] for part in ALIASES if part in chosen}


def carried(name: str) -> str:
    """What a further column is called, so that it takes no part's place."""
    return f"{name}_" if name in COLUMNS else name


def _metrics(names: Iterable[str]) -> list[str]:
    """Columns whose names are those of metrics; an error is a message more often than a number."""
    return [name for name in names if lower_is_better(name) is not None and _form(name) != "error"]


def _form(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def _said(names: Sequence[str], named: Mapping[str, str]) -> dict[str, str]:
    for part, name in named.items():
        if part not in ALIASES:
            raise MethodError(f"a column plays one of the parts {', '.join(ALIASES)}; found {part!r}")
        if name not in names:
            raise DataError(f"no column {name!r} to take as {part}; found {', '.join(names[:MOST])}")
    return dict(named)


def check_parts(found: Sequence[str], parts: Mapping[str, str], needed: Sequence[str]) -> None:
    """Refuse a table in which a part is not played.

    Raises
    ------
    DataError
        Listing the columns, what each was taken for, and the option that would settle it.
    """
    missing = [part for part in needed if part not in parts]
    if missing:
        raise DataError(refusal(found, parts, missing))


def refusal(found: Sequence[str], parts: Mapping[str, str], missing: Sequence[str]) -> str:
    """Say what is missing of a table, and what would settle it."""
    of = {name: part for part, name in parts.items()}
    shown = [f"{name!r} as {of[name]}" if of.get(name, name) != name else repr(name) for name in found[:MOST]]
    if len(found) > MOST:
        shown.append(f"{len(found) - MOST} more")
    option = " ".join(f"{part}=NAME" for part in missing)
    text = (
        f"a table of attempts needs a column for the {' and the '.join(missing)}; found {', '.join(shown)}; "
        f"--columns {option} names {'it' if len(missing) == 1 else 'them'}"
    )
    able = [name for name in found if name not in of and (name in _metrics(found) or _form(name) in VERDICTS)]
    if "score" in missing and able:
        text += f" (for the score {', '.join(map(repr, able[:MOST]))} may be meant)"
    if missing == ["item"] and "entry" in parts and not {"sample", "status", "answer"} & set(parts):
        text += (
            "; without items it is a table of totals, one per entry, which nothing can compare item by item: "
            "`deadheat audit --claims FILE` checks such figures, and `deadheat compare --published` holds "
            "results of your own against one of them"
        )
    return text


def which_metric(found: Sequence[str], asked: str | None) -> str:
    """Choose among the metrics of a long table.

    Raises
    ------
    MethodError
        If there are several and none was named, or one that is not there.
    """
    if asked in found:
        return str(asked)
    if len(found) == 1 and asked is None:
        return found[0]
    wanted = f"no metric {asked!r}" if asked else f"{len(found)} metrics per attempt and none chosen"
    raise MethodError(f"{wanted}; choose with --choose metric=NAME, one of {', '.join(sorted(found))}")


def status_of(word: str | None) -> str | None:
    """The status that a word stands for; the word itself where it is none."""
    clean = "" if word is None else word.strip()
    return STATUS_OF.get(clean.lower(), word) if clean else None


def status_sql(column: str) -> str:
    """SQL of `status_of` a text column; an empty text says nothing."""
    plain, clean = f"coalesce({column}, '')", f"lower(trim({column}))"
    cases = " ".join(
        f"WHEN {clean} IN ({', '.join(repr(word) for word in (status, *MEANINGS[status]))}) THEN '{status}'"
        for status in STATUSES
    )
    return f"CASE WHEN trim({plain}) = '' THEN NULL {cases} ELSE {column} END"


def score_sql(column: str, *, decimal_comma: bool = False) -> str:
    """Give the SQL that turns a text column of scores into numbers.

    Words for right and wrong become 1 and 0, empty text no score; anything else that is not a number
    becomes NaN, which the check of attempts refuses.
    """
    number = f"replace({column}, ',', '.')" if decimal_comma else column
    right, wrong = (", ".join(map(repr, words)) for words in (RIGHT, WRONG))
    return (
        f"coalesce(TRY_CAST({number} AS DOUBLE), CASE WHEN coalesce(trim({column}), '') = '' THEN NULL "
        f"WHEN lower(trim({column})) IN ({right}) THEN 1.0 WHEN lower(trim({column})) IN ({wrong}) THEN 0.0 "
        "ELSE 'NaN'::DOUBLE END)"
    )
