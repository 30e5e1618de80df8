"""The paragraph of methods that a paper can print beside a result, and the works that it cites as BibTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from deadheat import methods
from deadheat.report import numbers, voice, words
from deadheat.report.citations import CITED, bibtex, named
from deadheat.report.style import Style
from deadheat.results import Board, Comparisons, Coverage, Document, Interval, Plan
from deadheat.results.claims import PossibleBest
from deadheat.results.history import Records
from deadheat.results.votes import VoteBoard, VoteComparisons


class Sentence(NamedTuple):
    """A sentence without its full stop, and the keys of the works that it cites."""

    text: str
    cite: str = ""


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write a paragraph for each document, then the works that they cite as BibTeX.

    Parameters
    ----------
    documents : tuple of Document
        Results in order.
    style : Style
        Not used: the text is to be pasted.
    """
    written = [sentences(document) for document in documents]
    paragraphs = [" ".join(f"{said.text}{named(said.cite)}." for said in each) for each in written]
    works = bibtex(said.cite for each in written for said in each)
    return "\n\n".join(filter(None, [*paragraphs, works])) + "\n"


def latex(document: Document, escape: Callable[[str], str]) -> str:
    """Write the paragraph of one document in LaTeX, and its works as comments; nothing where it has none."""
    if type(document) not in SENTENCES:
        return ""
    said = sentences(document)
    text = " ".join(
        escape(each.text) + (rf"~\cite{{{each.cite.replace(' ', ',')}}}" if each.cite else "") + "."
        for each in said
    )
    works = bibtex(each.cite for each in said).splitlines()
    return "\n".join(
        [rf"\paragraph{{Methods.}} {text}", "% The works, for a .bib file:"] + [f"% {line}" for line in works]
    )


def sentences(document: Document) -> list[Sentence]:
    """Say in sentences how a document was made; what has no methods of its own says what it found."""
    of = SENTENCES.get(type(document))
    said = [Sentence(document.summary.rstrip("."))] if of is None else [*of(document)]
    used = document.methods
    drawn = f", {used.draws:,} draws from seed {used.seed}" if used.draws else ""
    return [*said, Sentence(f"Computed with deadheat {document.version}{drawn}")]


def _data(document: Document, what: str, items: Iterable[int]) -> Iterator[Sentence]:
    """Say on how much the numbers stand, what the score is, and what was done about what is missing."""
    estimand, read = document.estimand, document.provenance
    counts = sorted({count for count in items if count})
    on = voice.shared_items(counts[0], counts[-1], "") if counts else "no items"
    yield Sentence(f"{what} on {on} ({read.read:,} attempts)")
    if estimand.metric != "mean":
        yield Sentence(
            f"The score is {estimand.label}, estimated from the samples of each item", CITED[estimand.metric]
        )
    if estimand.lower_is_better:
        yield Sentence("Lower scores are better")
    if read.failed:
        done = {"zero": "counted as zero", "drop": "left out", "refuse": "refused"}[estimand.failed]
        yield Sentence(f"Failed attempts ({read.failed:,}) were {done}")
    if read.absent:
        absent = {
            "shared": "left out, and pairs compared on the items both have",
            "zero": "counted as zero",
            "refuse": "refused",
            "fitted": "fitted",
        }[estimand.absent]
        yield Sentence(f"Absent attempts ({read.absent:,}) were {absent}")
    if estimand.judge is not None:
        told = {
            "corrected": "A judge's scores were corrected by labels of people (PPI++)",
            "raw": "Scores are those of a judge, as they are",
            "labels": "Scores are labels of people alone",
        }[estimand.judge]
        yield Sentence(told, CITED["ppi++"] if estimand.judge == "corrected" else "")
    whom = {
        "items": "take the items as a sample of comparable ones",
        "reruns": "are about reruns on these very items",
    }[estimand.generalises_to]
    clusters = f"; items that share {estimand.cluster} are one cluster" if estimand.cluster else ""
    weights = "; every category counts alike" if estimand.weights == "category" else ""
    yield Sentence(f"Standard errors, intervals and tests {whom}{clusters}{weights}")


def _inference(document: Document, interval: Interval | None) -> Iterator[Sentence]:
    """Say how pairs were tested, with which interval, and how p-values were adjusted."""
    used = document.methods
    if used.test is None:
        return
    alpha = f", two-sided at α = {used.alpha:g}" if used.alpha is not None else ""
    yield Sentence(
        f"Pairs were compared on the items both entries have by the {_test(used.test)}{alpha}",
        CITED.get(used.test, ""),
    )
    if interval is not None and interval.method in methods.DIFFERENCES:
        shown = words.method(interval.method)
        yield Sentence(
            f"Differences have {numbers.level(interval.level)} {shown} intervals", CITED[interval.method]
        )
    if used.adjust == "none":
        yield Sentence("p-values are not adjusted for the number of comparisons")
    elif used.adjust:
        name = words.method(used.adjust, "adjustment")
        yield Sentence(f"p-values are adjusted by {name} over all pairs", CITED[used.adjust])


def _entries(verb: str, count: int) -> str:
    return f"We {verb} {count:,} entr{'y' if count == 1 else 'ies'}"


def _test(name: str) -> str:
    title = words.method(name, "test")
    return title if "test" in title else f"{title} test"


def _of_board(board: Board) -> Iterator[Sentence]:
    used = board.methods
    yield from _data(board, _entries("scored", len(board.entries)), (s.items for s in board.entries))
    if used.interval in (*methods.SCORES, "ppi++") and used.level:
        made = f"{numbers.level(used.level)} {words.method(used.interval)} intervals"
        yield Sentence(f"Scores have {made}", CITED[used.interval])
    if board.fit is not None:
        model = {"rasch": "a Rasch model", "two-way": "a linear two-way model"}[board.fit.model]
        yield Sentence(f"Absent outcomes were fitted by {model}", f"{CITED[board.fit.model]} manski1989")
    tested = (score.vs_anchor for score in board.entries)
    yield from _inference(board, next((pair.interval for pair in tested if pair and pair.interval), None))
    if board.groups:
        yield Sentence("A group is an anchor with all entries that the test does not separate from it")
    if any(score.letters for score in board.entries):
        yield Sentence("Entries that share a letter are not separated from each other", "piepho2004")
    if used.rank:
        rule, _, kind = used.rank.partition(", ")
        holds = "all together" if kind == "simultaneous" else "one by one"
        level = numbers.level(1 - used.alpha) if used.alpha is not None else ""
        title = words.method(rule, "adjustment")
        yield Sentence(
            f"Rank intervals hold {holds} with {level} confidence ({title})", f"mogstad2024 {CITED[rule]}"
        )
    if any(isinstance(claim, PossibleBest) for claim in board.claims):
        yield Sentence(
            "An entry may be the best unless another one beats it in a one-sided test at α divided by the "
            "number of its competitors",
            "hsu1984",
        )


def _of_comparisons(document: Comparisons) -> Iterator[Sentence]:
    pairs = document.comparisons
    entries = {entry for pair in pairs for entry in (pair.a, pair.b)}
    yield from _data(document, _entries("compared", len(entries)), (pair.items for pair in pairs))
    yield from _inference(document, next((pair.interval for pair in pairs if pair.interval), None))
    margin = next((pair.margin for pair in pairs if pair.margin is not None), None)
    if margin is not None:
        yield Sentence(
            f"Non-inferiority and equivalence were tested against a margin of {margin:g} by one-sided tests",
            "schuirmann1987" + (" tango1998" if document.methods.test in ("mcnemar", "mid-p") else ""),
        )


def _of_votes(document: VoteBoard | VoteComparisons) -> Iterator[Sentence]:
    used = document.methods
    ties = {"half": "a tie as half a win for each", "davidson": "Davidson's model of ties"}.get(
        document.model, "Rao and Kupper's model of ties"
    )
    yield Sentence(
        f"Strengths are maximum likelihood estimates of a Bradley–Terry model with {ties}, from "
        f"{document.provenance.read:,} votes",
        CITED[document.model],
    )
    if document.clusters:
        by = " and ".join(f"{count:,} {name}s" for name, count in document.clusters.items())
        yield Sentence(f"Standard errors are robust to dependence within clusters ({by})", "cameron2011")
    if used.adjust and used.adjust != "none":
        name = words.method(used.adjust, "adjustment")
        yield Sentence(f"p-values are adjusted by {name} over all pairs", CITED[used.adjust])
    if used.rank:
        yield Sentence("Rank intervals hold all together (Holm)", "mogstad2024 holm1979")


def _of_records(document: Records) -> Iterator[Sentence]:
    yield from _data(
        document,
        "We tested each new record against the holder of its day",
        (step.items for step in document.steps),
    )
    yield Sentence(
        "A newcomer is tested only because it is ahead, so its p-value is conditional on that", "fithian2014"
    )
    yield Sentence("Holm's rule adjusts over the history", "holm1979")
    yield Sentence("LORD++ gives the level of each record in turn", "javanmard2018")


def _of_plan(plan: Plan) -> Iterator[Sentence]:
    formula = str(plan.assumptions.get("formula", ""))
    yield Sentence(plan.summary.rstrip("."), "connor1987" if "Connor" in formula else "")


def _of_coverage(coverage: Coverage) -> Iterator[Sentence]:
    name = coverage.methods.interval or ""
    yield Sentence(f"{coverage.summary.rstrip('.')}; exact sums over all outcomes", CITED.get(name, ""))


SENTENCES: dict[type[Document], Callable[..., Iterator[Sentence]]] = {
    Board: _of_board,
    Comparisons: _of_comparisons,
    Records: _of_records,
    VoteBoard: _of_votes,
    VoteComparisons: _of_votes,
    Plan: _of_plan,
    Coverage: _of_coverage,
}
"""The documents that have a paragraph of methods, and what writes its sentences."""
