"""The verb `audit`: what in these results contradicts what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from deadheat.auditing.against import submissions
from deadheat.auditing.checks import CHECKS
from deadheat.auditing.figure_checks import printed
from deadheat.auditing.intake import Intake
from deadheat.auditing.item_checks import rates
from deadheat.auditing.judge_checks import labelled
from deadheat.auditing.rater_checks import divided, raters
from deadheat.auditing.structure_checks import READING
from deadheat.auditing.subject import Subject
from deadheat.data.publication import Stated
from deadheat.data.table import Table
from deadheat.errors import DataError
from deadheat.estimand import Estimand
from deadheat.evidence.judge_agreement import judge_lines
from deadheat.report.sentences import sentences
from deadheat.results import Methods, Provenance, claims
from deadheat.results.audit import Audit, Finding, Submission
from deadheat.version import VERSION

LEVEL = 0.95  # of the intervals of a judge's agreement with people


def audit(found: Intake | None, *, stated: Sequence[Stated] = (), denominators: bool = False) -> Audit:
    """Look for what contradicts itself in results, and in what is published about them.

    Parameters
    ----------
    found : Intake or None
        Results as they were read; None where only published figures are to be checked.
    stated : sequence of Stated
        Published figures.
    denominators : bool
        Also give each entry's rate under every policy for failed and missing attempts.

    Returns
    -------
    Audit
    """
    findings = list(found.findings) if found else []
    stated = (*(found.stated if found else ()), *stated)
    subject = Subject(found.table) if found and found.table else None
    if subject is not None:
        findings += [finding for check in CHECKS.values() for finding in check(subject)]
    elif found is not None:
        text = "no attempt can be used: every one is unnamed, contradictory or without a score"
        findings.append(Finding(code="nothing-usable", severity="error", text=text))
    findings += printed(stated, subject)
    people = None if subject is None else labelled(subject)
    several = None if subject is None else raters(subject, LEVEL)
    findings += [] if several is None else divided(several)
    unique = tuple(dict.fromkeys(findings))
    claimed = _counted(unique)
    return Audit(
        version=VERSION,
        estimand=Estimand(),
        methods=Methods(),
        summary=sentences((claimed,)),
        claims=(claimed,),
        notes=tuple(note for note in subject.table.notes if note.code not in READING) if subject else (),
        provenance=subject.table.provenance() if subject else Provenance(),
        findings=unique,
        denominators=tuple(rates(subject)) if subject is not None and denominators else (),
        judge=None if people is None else judge_lines(people, LEVEL),
        raters=several,
    )


def audit_against(
    found: Intake,
    board: Table,
    estimand: Estimand | None = None,
    *,
    stated: Sequence[Stated] = (),
    denominators: bool = False,
    alpha: float = 0.05,
    level: float = 0.95,
) -> Audit:
    """Audit results that are to join a board, and say what they change on it.

    Parameters
    ----------
    found : Intake
        The new results.
    board : Table
        The board as it is.
    estimand : Estimand or None
        What the scores are about; None takes the defaults.
    stated, denominators
        As for `audit`.
    alpha : float
        A pair is separated when p < alpha.
    level : float
        Level of the intervals.

    Raises
    ------
    DataError
        If nothing of the new results can be used, or they hold no new entry.
    """
    if found.table is None:
        raise DataError("no attempt of the new results can be used; `audit` without --against says why")
    estimand = estimand or Estimand()
    bare = audit(found, stated=stated, denominators=denominators)
    lines, more = submissions(board, found.table, estimand, alpha=alpha, level=level)
    findings = (*bare.findings, *more)
    claimed = (*(_joins(line) for line in lines), _counted(findings))
    return msgspec.structs.replace(
        bare,
        estimand=estimand,
        methods=Methods(
            test=_test(lines), adjust="none", alpha=alpha, level=level, rank="holm, simultaneous"
        ),
        summary=sentences(claimed),
        claims=claimed,
        findings=findings,
        submissions=tuple(lines),
    )


def _test(lines: Sequence[Submission]) -> str | None:
    return next((line.vs_anchor.test for line in lines if line.vs_anchor), None)


def _joins(line: Submission) -> claims.Joins:
    """Claim where a new entry stands."""
    low, high = line.rank or (0, 0)
    best = next(claim for claim in line.claims if claim.claim == "new best")
    return claims.Joins(
        entry=line.name or line.entry,
        place=line.place or 0,
        low=low,
        high=high,
        group=line.group,
        best=best.supported,
    )


def _counted(findings: Sequence[Finding]) -> claims.Findings:
    """Claim how much was found."""
    counts = Counter(finding.severity for finding in findings)
    return claims.Findings(errors=counts["error"], warnings=counts["warning"], infos=counts["info"])
