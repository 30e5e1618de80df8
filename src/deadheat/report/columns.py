"""The columns of boards and comparisons: name, heading, meaning, words and order, once for every format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Field, Form, Kind, Sort
from deadheat.report.names import clean, labels
from deadheat.report.numbers import DASH, Scale
from deadheat.results import Board, Category, Comparison, Score

UNTESTED = "not compared"
OWN = (
    Column("rank", "Rank", tip="The ranks that the data leave open to this entry{rank}."),
    Column("entry", "Entry", right=False),
    Column("value", "{metric}{unit}", tip="The observed score on these items."),
    Column("se", "SE", priority=5, tip="Standard error of the score, not that of a difference."),
    Column("interval", "Score {level} CI", priority=8, tip="Confidence interval of the score."),
    Column("own", "Own{unit}", priority=3, tip="Score over the entry's own items only."),
    Column(
        "bounds", "Bounds{unit}", priority=3, tip="The score if all absent are wrong, or right: no model."
    ),
    Column("items", "Items", priority=6, tip="Items that the entry ran."),
    Column("samples", "Samples", priority=9, tip="Attempts that the score is over."),
    Column("failed", "Failed", priority=4, tip="Attempts that ran and broke."),
    Column("absent", "Absent", priority=4, tip="Items without an attempt."),
    Column(
        "group",
        "Group",
        tip="The best entry anchors group 1 and takes all that are not separated from it ({test}); the best "
        "entry left anchors group 2, and so on.",
    ),
    Column(
        "letters",
        "Letters",
        right=False,
        priority=10,
        tip="Entries that share a letter are not separated from each other.",
    ),
)
"""What an entry has by itself, whoever is the anchor."""

VERSUS: tuple[tuple[Column, Form], ...] = (
    (Column("difference", "Δ anchor", priority=1, tip="Difference to the anchor on shared items."), "signed"),
    (
        Column(
            "difference_interval",
            "Δ {level} CI",
            priority=7,
            tip="Confidence interval of the difference to the anchor.",
        ),
        "range",
    ),
    (Column("shared", "Shared", priority=8, tip="Items that this entry and the anchor both have."), "count"),
    (
        Column(
            "only", "Wins / losses", priority=12, tip="Items only this entry, and only the anchor, got right."
        ),
        "only",
    ),
    (Column("p", "p", priority=2, tip="This entry against the anchor: {test}."), "p"),
    (Column("p_adjusted", "p adjusted", priority=2, tip="p adjusted by {adjust}."), "adjusted"),
    (
        Column(
            "verdict",
            "Verdict",
            right=False,
            priority=11,
            tip="Whether the test separates this entry from the anchor.",
        ),
        "verdict",
    ),
)
"""What a paired comparison with the anchor says of an entry; a page writes it for any other anchor."""


def scale(entries: Sequence[Score]) -> Scale:
    """Choose how the scores of a board are written."""
    values = [value for score in entries for value in (score.value, score.published)]
    pairs = [score.vs_anchor.se for score in entries if score.vs_anchor]
    return Scale.of(values, [score.se for score in entries] + pairs, (score.unit for score in entries))


def scale_of_pairs(pairs: Sequence[Comparison]) -> Scale:
    """Choose how the scores and differences of comparisons are written."""
    return Scale.of(
        [value for pair in pairs for value in (pair.value_a, pair.value_b)],
        [pair.se for pair in pairs],
        (pair.unit for pair in pairs),
    )


def anchor(entries: Sequence[Score]) -> str | None:
    """Name the entry that all others are compared with, when it is one and the same."""
    anchors = {score.vs_anchor.b for score in entries if score.vs_anchor}
    return anchors.pop() if len(anchors) == 1 else None


def kinds(entries: Sequence[Score]) -> tuple[Kind, ...]:
    """Say of every line whether it is the anchor's, or has no score of its own."""
    first = anchor(entries)
    return tuple(
        "withheld" if score.value is None else "anchor" if score.entry == first else "" for score in entries
    )


def metric(board: Board) -> str:
    """Name what the scores are."""
    if board.fit is not None:
        return "Fitted" if board.estimand.label == "mean" else f"Fitted {board.estimand.label}"
    return "Score" if board.estimand.label == "mean" else board.estimand.label


def of_board(board: Board, part: Board | Category) -> list[Field[Score]]:
    """Give the columns of a board, or of one of its categories, that have something to say."""
    entries = part.entries
    fields = [*_own(board, entries), *_versus(board, entries)]
    return [field for field in fields if field.wanted]


def _named(board: Board, how: Scale) -> Callable[[Column], Column]:
    """Put methods and units into headings and tips."""
    methods = board.methods
    said = {
        "metric": metric(board),
        "unit": f" {how.unit}" if how.unit else "",
        "level": numbers.level(methods.level) if methods.level else "",
        "test": words.method(methods.test, "test") if methods.test else "the test",
        "rank": f" ({words.method(methods.rank, 'adjustment')})" if methods.rank else "",
        "adjust": words.method(methods.adjust, "adjustment") if methods.adjust else "nothing",
    }

    def fill(column: Column) -> Column:
        title = column.title.format_map(said).strip()
        return replace(
            column,
            title=title[:1].upper() + title[1:] if title != "p" else title,
            tip=column.tip.format_map(said),
        )

    return fill


def _own(board: Board, entries: Sequence[Score]) -> list[Field[Score]]:
    how, named = scale(entries), labels(entries)
    fill = _named(board, how)

    def value(score: Score) -> str:
        if score.value is None and score.published is not None:
            return f"({how.value(score.published)})"
        return how.value(score.value)

    ways: dict[str, tuple[Callable[[Score], str], Callable[[Score], Sort]]] = {
        "rank": (
            lambda s: numbers.ranks(s.rank),
            lambda s: s.rank[0] + s.rank[1] / 1e6 if s.rank else None,
        ),
        "entry": (lambda s: named[s.entry], lambda s: named[s.entry].casefold()),
        "value": (value, lambda s: s.value),
        "se": (lambda s: how.size(s.se), lambda s: s.se),
        "interval": (
            lambda s: how.interval(s.interval),
            lambda s: s.interval.low if s.interval else None,
        ),
        "own": (lambda s: how.value(s.own), lambda s: s.own),
        "bounds": (lambda s: how.span(*s.bounds) if s.bounds else DASH, lambda s: (s.bounds or [None])[0]),
        "items": (lambda s: numbers.count(s.items), lambda s: s.items),
        "samples": (lambda s: numbers.count(s.samples), lambda s: s.samples),
        "failed": (lambda s: numbers.count(s.failed), lambda s: s.failed),
        "absent": (lambda s: numbers.count(s.absent), lambda s: s.absent),
        "group": (lambda s: DASH if s.group is None else str(s.group), lambda s: s.group),
        "letters": (lambda s: s.letters or DASH, lambda s: s.letters),
    }
    scored = any(score.value is not None for score in entries)
    wanted = {
        **dict.fromkeys(("rank", "se", "interval", "group"), scored),
        "own": any(score.own is not None for score in entries),
        "bounds": any(score.bounds is not None for score in entries),
        "items": len({score.items for score in entries if score.value is not None}) > 1,
        "samples": any(score.samples > score.items for score in entries),
        "failed": any(score.failed for score in entries),
        "absent": any(score.absent for score in entries),
        "letters": any(score.letters for score in entries),
    }
    return [Field(fill(column), *ways[column.key], wanted.get(column.key, True)) for column in OWN]


def _versus(board: Board, entries: Sequence[Score]) -> list[Field[Score]]:
    how, first, alpha = scale(entries), anchor(entries), board.methods.alpha
    fill = _named(board, how)
    ways: dict[str, tuple[Callable[[Comparison], str], Callable[[Comparison], Sort]]] = {
        "difference": (lambda p: how.difference(p.difference), lambda p: p.difference),
        "difference_interval": (
            lambda p: how.difference_interval(p.interval),
            lambda p: p.interval.low if p.interval else None,
        ),
        "shared": (lambda p: numbers.count(p.items), lambda p: p.items),
        "only": (lambda p: numbers.either(p.a_only, p.b_only), lambda p: p.a_only),
        "p": (lambda p: numbers.p_value(p.p, p.log10_p, alpha), lambda p: p.log10_p),
        "p_adjusted": (lambda p: numbers.p_value(p.p_adjusted, None, alpha), lambda p: p.p_adjusted),
        "verdict": (lambda p: verdict(p, how), _apart),
    }
    pairs = [score.vs_anchor for score in entries if score.vs_anchor]
    wanted = {
        "shared": len({pair.items for pair in pairs}) > 1,
        "only": any(pair.a_only is not None for pair in pairs),
        "p_adjusted": any(pair.p_adjusted is not None for pair in pairs),
    }
    is_anchor = {"difference": ("anchor", 0.0), "verdict": ("anchor", 0.0)}

    def field(column: Column, form: Form) -> Field[Score]:
        write, order = ways[column.key]
        own, at = is_anchor.get(column.key, (DASH, None))
        missing = UNTESTED if column.key == "verdict" else DASH

        def word(score: Score) -> str:
            if score.entry == first:
                return own
            return missing if score.vs_anchor is None else write(score.vs_anchor)

        def sort(score: Score) -> Sort:
            if score.entry == first:
                return at
            return None if score.vs_anchor is None else order(score.vs_anchor)

        return Field(fill(column), word, sort, bool(pairs) and wanted.get(column.key, True), form)

    return [field(column, form) for column, form in VERSUS]


def _apart(pair: Comparison) -> Sort:
    """Sort a verdict by how far the test sees the two apart."""
    return None if pair.verdict is None else 0.0 if pair.verdict == "not separated" else pair.difference


def verdict(pair: Comparison, how: Scale) -> str:
    """Say how far an entry is behind or ahead of the anchor, where the test separates the two."""
    if pair.verdict is None:
        return UNTESTED
    if pair.verdict == "not separated":
        return pair.verdict
    size = how.size(None if pair.difference is None else abs(pair.difference))
    return f"{size} {'ahead' if pair.verdict == 'a' else 'behind'}"


def of_pairs(pairs: Sequence[Comparison], how: Scale, alpha: float | None) -> list[Field[Comparison]]:
    """Give the columns of several comparisons that have something to say; one baseline needs no column."""
    same = len({pair.b for pair in pairs}) == 1 and len(pairs) > 1
    level = next((numbers.level(pair.interval.level) for pair in pairs if pair.interval), "")

    Written = tuple[Column, Callable[[Comparison], str], Callable[[Comparison], Sort] | None]
    fields: list[Written] = [
        (Column("a", "a", right=False), lambda p: clean(p.a), lambda p: clean(p.a).casefold()),
        (Column("b", "b", right=False), lambda p: clean(p.b), None),
        (Column("difference", "a − b"), lambda p: how.difference(p.difference), lambda p: p.difference),
        (
            Column("interval", f"{level} interval".strip(), priority=2),
            lambda p: how.difference_interval(p.interval),
            lambda p: p.interval.low if p.interval else None,
        ),
        (Column("p", "p"), lambda p: numbers.p_value(p.p, p.log10_p, alpha), lambda p: p.log10_p),
        (
            Column("p_adjusted", "p adjusted", priority=1),
            lambda p: numbers.p_value(p.p_adjusted, None, alpha),
            lambda p: p.p_adjusted,
        ),
        (Column("items", "Items", priority=4), lambda p: numbers.count(p.items), None),
        (Column("a_only", "a only", priority=5), lambda p: numbers.count(p.a_only), None),
        (Column("b_only", "b only", priority=5), lambda p: numbers.count(p.b_only), None),
        (Column("smallest_visible", "Visible", priority=6), lambda p: how.least(p.smallest_visible), None),
        (
            Column("items_to_separate", "To separate", priority=7),
            lambda p: numbers.count(p.items_to_separate if p.verdict == "not separated" else None),
            None,
        ),
        (
            Column("verdict", "Verdict" if same else "Better", right=False),
            (lambda p: verdict(p, how)) if same else better,
            _apart,
        ),
        (Column("equivalence", "Margin", right=False, priority=3), lambda p: p.equivalence or DASH, None),
    ]
    optional = ("p_adjusted", "a_only", "b_only", "equivalence", "items_to_separate", "smallest_visible")
    empty = {key for key in optional if all(getattr(pair, key) is None for pair in pairs)}
    empty |= {"b"} if same else set()
    return [Field(column, word, sort) for column, word, sort in fields if column.key not in empty]


def better(pair: Comparison, tail: str = "", verdict: str | None = None) -> str:
    """Name the better entry of a pair, followed by `tail`, or say that the two are not separated."""
    said = verdict or pair.verdict
    if said in ("a", "b"):
        return clean(pair.a if said == "a" else pair.b) + tail
    return said or DASH
