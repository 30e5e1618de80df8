"""The verb `annotate`: two honest columns for a site's own leaderboard, recomputed from its own document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
import numpy as np

from deadheat.annotating.site_document import Line, Part, Site
from deadheat.annotating.site_evidence import Evidence, claim, evidence, rate
from deadheat.data.ids import cut_off
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.agreement import Claim, Surroundings, gate
from deadheat.evidence.pairwise import SMALLEST
from deadheat.report import phrases
from deadheat.report.sentences import sentences
from deadheat.results import Methods, Note, Provenance
from deadheat.results.annotation import Annotation, BoardStatistics, SiteBoard, SiteLine, Withheld
from deadheat.results.claims import Annotated, AnyClaim, NothingAnnotated
from deadheat.version import VERSION

DIGITS = 12  # of every number that is written, so that no last bit of a machine shows
EMPTY = ("no-per-item-results", "no-scored-items")
Doubts = Mapping[str, Note | None]
Claims = Mapping[str, Claim]


def annotate(
    site: Site, *, alpha: float = 0.05, test: str | None = None, always: bool = False, gated: bool = True
) -> Annotation:
    """Say how precise each published rate is and which entries a paired test cannot separate.

    Parameters
    ----------
    site : Site
    alpha : float
        A pair is separated when p < alpha.
    test : str or None
        A name of TESTS; None takes the default for this kind of data.
    always : bool
        Show the columns even where the anchor is not at the top.
    gated : bool
        Use per-item results only where they agree with the published rate to within one item. Off, nobody
        looks for a contradiction: for showing what the gate does.

    Returns
    -------
    Annotation

    Raises
    ------
    MethodError
        An alpha outside (0, 1), or a test that does not fit the data.
    """
    if not 0 < alpha < 1:
        raise MethodError(f"alpha lies between 0 and 1; found {alpha}")
    boards = {}
    for part in site.boards:
        claims = {line.entry: claim(line, site.layout) for line in part.lines}
        boards[part.name] = _board(part, claims, alpha, test, always, gated)
    tests = sorted({board.statistics.test for board in boards.values() if board.statistics.test})
    claimed = tuple(_claims({name: board.statistics for name, board in boards.items()}))
    return Annotation(
        version=VERSION,
        estimand=Estimand(),
        methods=Methods(test=", ".join(tests) or None, adjust="none", alpha=alpha),
        summary=sentences(claimed),
        claims=claimed,
        notes=site.notes,
        provenance=Provenance(files=(site.file,), read=site.file.rows),
        boards=boards,
    )


def _claims(boards: Mapping[str, BoardStatistics]) -> Iterator[AnyClaim]:
    """Claim what was annotated."""
    told = {name: board for name, board in boards.items() if board.with_items}
    for name, board in told.items():
        yield Annotated(
            board=name,
            entries=board.entries,
            annotated=board.annotated,
            groups=len(board.groups),
            top=len(board.groups[0].members) if board.groups else 0,
            withheld=len(board.withheld),
        )
    if not told:
        yield NothingAnnotated(boards=len(boards))


def _board(
    part: Part, claims: Claims, alpha: float, test: str | None, always: bool, gated: bool
) -> SiteBoard:
    items = {entry: claim.items for entry, claim in claims.items() if claim.items}
    around = Surroundings(items, cut_off(items))
    doubts = {
        entry: gate(claim, around, entry) if gated or not claim.items else None
        for entry, claim in claims.items()
    }
    used = [line for line in part.lines if doubts[line.entry] is None]
    found = evidence(used, claims, alpha=alpha, test=test) if used else None
    rows = {entry: row for row, entry in enumerate(found.seen.entries)} if found else {}
    lines = {}
    for line in part.lines:
        bare = _bare(line, claims[line.entry], doubts[line.entry])
        row = rows.get(line.entry)
        lines[line.entry] = (
            bare if row is None or not found else _measured(bare, claims[line.entry], found, row)
        )
    notes = tuple(Note(code="cut-off-ids", text=phrases.cut_ids(cut)) for cut in around.cuts)
    statistics = _statistics(part, claims, doubts, found, alpha, always)
    if found and found.overtaken:
        text = phrases.overtaken(
            found.overtaken, {line.entry: line.name or line.entry for line in part.lines}
        )
        notes += (Note(code="separated-above", text=text),)
        statistics = msgspec.structs.replace(statistics, note=(*statistics.note, text))
    return SiteBoard(statistics=msgspec.structs.replace(statistics, doubts=notes), entries=lines)


def _bare(line: Line, claim: Claim, doubt: Note | None) -> SiteLine:
    """What can be said of an entry without comparing it."""
    n, published = len(claim.items), claim.published
    return SiteLine(
        entry=line.entry,
        name=line.name,
        published=None if published is None else _round(100 * published),
        n=n,
        implied=_round(100 * claim.right / n) if n else None,
        code=None if doubt is None else doubt.code,
        reason=None if doubt is None else doubt.text,
    )


def _measured(line: SiteLine, claim: Claim, found: Evidence, row: int) -> SiteLine:
    anchor, se = int(found.anchor[row]), float(found.se[row])
    own, only = anchor == row, (found.a_only, found.b_only)
    boundary = phrases.BOUNDARY.get(claim.right / len(claim.items), phrases.ONE_VALUE)
    a_only, b_only = (None if own or counts is None else int(counts[row]) for counts in only)
    return msgspec.structs.replace(
        line,
        se=_round(100 * se) if np.isfinite(se) else None,
        group=int(found.group[row]),
        anchor=found.seen.entries[anchor],
        p=None if own else _round(max(float(found.p[row]), SMALLEST)),
        log10_p=None if own else _round(float(found.log10_p[row])),
        a_only=a_only,
        b_only=b_only,
        shared=None if own else int(found.shared[row]),
        code=None if np.isfinite(se) else "boundary",
        reason=None if np.isfinite(se) else boundary,
    )


def _statistics(
    part: Part, claims: Claims, doubts: Doubts, found: Evidence | None, alpha: float, always: bool
) -> BoardStatistics:
    """Count what stands above the anchor, and say what readers must know."""
    groups = found.groups() if found else ()
    anchor = groups[0].anchor if groups else None
    names = {line.entry: line.name or line.entry for line in part.lines}
    withheld = tuple(
        Withheld(entry=line.entry, name=line.name, code=doubt.code, reason=doubt.text)
        for line in part.lines
        if (doubt := doubts[line.entry]) is not None and doubt.code not in EMPTY
    )
    best = rate(claims[anchor]) if anchor else None
    counts = {"above": 0, "level": 0, "above_withheld": 0}
    for entry, doubt in doubts.items():
        stated = claims[entry].published
        if doubt is not None and best is not None and stated is not None and stated >= best:
            empty = doubt.code in EMPTY
            counts["above_withheld" if not empty else "above" if stated > best else "level"] += 1
    top = max((claim.published for claim in claims.values() if claim.published is not None), default=None)
    columns = anchor is not None and (always or best is None or top is None or best >= top)
    test = found.test if found else None
    annotated = len(found.seen.entries) if found else 0
    return BoardStatistics(
        anchor=anchor,
        anchor_name=names[anchor] if anchor else None,
        alpha=alpha,
        test=test,
        entries=len(part.lines),
        with_items=sum(bool(claim.items) for claim in claims.values()),
        annotated=annotated,
        groups=groups,
        withheld=withheld,
        above_without_items=counts["above"],
        level_without_items=counts["level"],
        above_withheld=counts["above_withheld"],
        columns=columns,
        note=phrases.note(
            alpha=alpha,
            test=phrases.test(test),
            binary=found is None or found.seen.binary,
            anchor=names[anchor] if anchor else None,
            rated=anchor is not None and claims[anchor].published is not None,
            above=counts["above"],
            level=counts["level"],
            above_withheld=counts["above_withheld"],
            withheld=len(withheld),
            annotated=annotated,
            entries=len(part.lines),
            columns=columns,
        ),
    )


def _round(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
