"""Boards and comparisons of votes as grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Field, Kind, Sheet, table
from deadheat.report.names import clean
from deadheat.report.numbers import DASH, Scale
from deadheat.results.votes import Coefficient, VoteBoard, VoteComparisons, VotePair, VoteScore

WIN, ODDS, ELO = Scale(True, 1), Scale(False, 2), Scale(False, 0)
MODELS = {
    "half": "Bradley–Terry model, a tie as half a win of each",
    "davidson": "Bradley–Terry model, ties by Davidson",
    "rao-kupper": "Bradley–Terry model, ties by Rao and Kupper",
}


def board(document: VoteBoard) -> Sheet:
    """Put a board of votes into words."""
    lines = (*document.entries, *document.apart)
    kinds: tuple[Kind, ...] = tuple(
        "withheld" if line.value is None else "anchor" if line.vs_anchor is None else "" for line in lines
    )
    grids = [table(scores(document, lines), lines, kinds=kinds)]
    if document.coefficients:
        grids.append(table(_coefficients(document), document.coefficients, "What else moves a vote"))
    doubts = [clean(note.text) for note in document.notes]
    doubts += [f"{clean(line.entry)}: {clean(note.text)}" for line in document.apart for note in line.notes]
    return Sheet(clean(document.summary), tuple(grids), tuple(doubts), _methods(document))


def comparisons(document: VoteComparisons) -> Sheet:
    """Put comparisons by votes into words."""
    grid = table(_pairs(document, document.comparisons), document.comparisons)
    doubts = [clean(note.text) for note in document.notes]
    for pair in document.comparisons:
        doubts += [f"{clean(pair.a)} – {clean(pair.b)}: {clean(note.text)}" for note in pair.notes]
    return Sheet(clean(document.summary), (grid,), tuple(doubts), _methods(document))


def _methods(document: VoteBoard | VoteComparisons) -> tuple[str, ...]:
    errors = " and ".join(f"{count:,} {name}s" for name, count in document.clusters.items())
    how = f"sandwich errors by {errors}" if errors else "sandwich errors, votes taken as independent"
    used = document.methods
    parts = [
        MODELS.get(document.model, document.model),
        how,
        f"α = {used.alpha:g}",
        f"{numbers.level(used.level or 0.95)} intervals",
    ]
    if used.adjust:
        parts.append("p-values not adjusted" if used.adjust == "none" else
                     f"p-values adjusted by {words.method(used.adjust, 'adjustment')}")  # fmt: skip
    if used.rank:
        parts.append(f"rank intervals: {words.method(used.rank, 'adjustment')}")
    made = document.provenance
    counts = f"{words.plural(made.read, 'vote')} read from {words.plural(len(made.files), 'file')}"
    return (" · ".join(parts), f"{counts} · {made.excluded:,} excluded · deadheat {document.version}")


def scores(document: VoteBoard, lines: Sequence[VoteScore]) -> list[Field[VoteScore]]:
    """Give the columns of a board of votes."""
    alpha = document.methods.alpha
    interval = f"{numbers.level(document.methods.level or 0.95)} interval"

    def pair(word: Callable[[VotePair], str], anchor: str = DASH) -> Callable[[VoteScore], str]:
        return lambda line: word(line.vs_anchor) if line.vs_anchor else DASH if line.value is None else anchor

    return [
        Field(Column("rank", "Rank"), lambda s: numbers.ranks(s.rank)),
        Field(Column("entry", "Entry", right=False), lambda s: clean(s.entry)),
        Field(
            Column("win", "Wins % v anchor", tip="Probability of winning a decided vote against the anchor."),
            pair(lambda p: WIN.value(p.win_probability), "anchor"),
        ),
        Field(
            Column("interval", interval, priority=5),
            pair(lambda p: WIN.interval(p.win_interval)),
        ),
        Field(
            Column("elo", "Δ Elo", priority=3, tip="400 / log 10 times the difference of log strengths."),
            pair(lambda p: ELO.difference(p.elo), "0"),
        ),
        Field(Column("votes", "Votes", priority=4), lambda s: numbers.count(s.contests.votes)),
        Field(Column("tied", "Tied", priority=7), lambda s: numbers.count(s.contests.tied)),
        Field(Column("group", "Group"), lambda s: DASH if s.group is None else str(s.group)),
        Field(
            Column("letters", "Letters", right=False, priority=10),
            lambda s: s.letters or DASH,
            wanted=any(s.letters for s in lines),
        ),
        Field(Column("p", "p", priority=1), pair(lambda p: numbers.p_value(p.p, p.log10_p, alpha))),
        Field(
            Column("p_adjusted", "p adjusted", priority=1),
            pair(lambda p: numbers.p_value(p.p_adjusted, None, alpha)),
            wanted=any(s.vs_anchor and s.vs_anchor.p_adjusted is not None for s in lines),
        ),
    ]


def _coefficients(document: VoteBoard) -> list[Field[Coefficient]]:
    alpha = document.methods.alpha
    return [
        Field(Column("name", "Covariate", right=False), lambda c: clean(c.name)),
        Field(Column("value", "Log odds"), lambda c: ODDS.difference(c.value)),
        Field(Column("se", "SE"), lambda c: ODDS.size(c.se)),
        Field(Column("p", "p"), lambda c: numbers.p_value(c.p, None, alpha)),
    ]


def _pairs(document: VoteComparisons, pairs: Sequence[VotePair]) -> list[Field[VotePair]]:
    alpha = document.methods.alpha
    interval = f"{numbers.level(document.methods.level or 0.95)} interval"

    def through(word: Callable[[VotePair], str]) -> Callable[[VotePair], str]:
        return lambda pair: DASH if pair.through is None else word(pair)

    return [
        Field(Column("a", "A", right=False), lambda p: clean(p.a)),
        Field(Column("b", "B", right=False), lambda p: clean(p.b)),
        Field(Column("win", "A wins %"), lambda p: WIN.value(p.win_probability)),
        Field(Column("interval", interval, priority=3), lambda p: WIN.interval(p.win_interval)),
        Field(Column("elo", "Δ Elo", priority=4), lambda p: ELO.difference(p.elo)),
        Field(Column("p", "p"), lambda p: numbers.p_value(p.p, p.log10_p, alpha)),
        Field(
            Column("p_adjusted", "p adjusted"),
            lambda p: numbers.p_value(p.p_adjusted, None, alpha),
            wanted=any(p.p_adjusted is not None for p in pairs),
        ),
        Field(Column("direct", "Direct votes", priority=2), lambda p: numbers.count(p.direct.votes)),
        Field(
            Column("share", "Direct share %", priority=5, tip="Part of the evidence that is their own."),
            through(lambda p: WIN.value(p.through.share if p.through else None)),
        ),
        Field(
            Column("agree", "p, direct v indirect", priority=6),
            through(lambda p: numbers.p_value(p.through.p if p.through else None, None, alpha)),
        ),
        Field(
            Column("verdict", "Verdict", right=False),
            lambda p: "undecided" if p.verdict is None else p.verdict if p.verdict == "not separated" else
            f"{clean(p.a if p.verdict == 'a' else p.b)} preferred",
        ),
    ]  # fmt: skip
