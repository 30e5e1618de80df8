"""The verb itself: a study, its cells, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.methods import SCORES
from deadheat.report.sentences import sentences
from deadheat.results import Methods, Note, Provenance, Study
from deadheat.simulating import (
    anytime_study,
    cluster_study,
    coverage_study,
    judge_study,
    order_study,
    pair_studies,
    ragged_study,
    score_studies,
    vote_study,
)
from deadheat.simulating.board_worlds import BoardWorld
from deadheat.simulating.collapsed_tests import DRAWN
from deadheat.simulating.jobs import Job, run
from deadheat.simulating.study_claims import claimed, notes
from deadheat.simulating.study_design import Design, Row
from deadheat.simulating.subjects import Source
from deadheat.version import VERSION


def simulate(
    study: str,
    design: Design | None = None,
    source: Source = None,
    *,
    executor: Executor | None = None,
    resume: Path | None = None,
    advance: Callable[[int, int], None] | None = None,
) -> Study:
    """Simulate a benchmark many times in a world where the truth is known.

    Parameters
    ----------
    study : str
        A name of STUDIES.
    design : Design or None
        What to vary; None takes the study's own cells.
    source : World, BoardWorld or None
        Entries to study; None takes invented ones with the rates of the design.
    executor : concurrent.futures.Executor or None
        Where blocks of replicates run: processes, threads, or a cluster's. The numbers do not depend on it.
    resume : Path or None
        A file that finished blocks are written to, and taken from at the next start.
    advance : callable or None
        Told ``(blocks done, blocks in all)``.

    Returns
    -------
    Study
        One row a cell: the simulated value, its Monte Carlo error and, where one exists, the exact value.

    Raises
    ------
    MethodError
        An unknown study, or one that the source does not fit.
    """
    if study not in STUDIES:
        raise MethodError(f"no study {study!r}; known are {', '.join(STUDIES)}")
    design = design or Design()
    jobs = STUDIES[study](design, source)
    rows = run(jobs, design.replicates, design.seed, executor=executor, resume=resume, advance=advance)
    made = claimed(study, design, rows)
    found: tuple[Note, ...] = source.notes if isinstance(source, BoardWorld) else ()
    return Study(
        version=VERSION,
        estimand=Estimand(),
        methods=Methods(alpha=design.alpha, level=design.level, seed=design.seed, draws=_draws(design, rows)),
        summary=sentences(made),
        claims=made,
        notes=(*found, *notes(study, design, rows)),
        provenance=source.provenance if isinstance(source, BoardWorld) else Provenance(),
        study=study,
        rows=tuple(rows),
        replicates=design.replicates,
    )


def _draws(design: Design, rows: Sequence[Row]) -> int | None:
    """The draws of methods that use luck, where any such method is among the rows."""
    lucky = {name for name, method in SCORES.items() if method.fit.draws}
    used = any(row.get("test") in DRAWN or row.get("interval") in lucky for row in rows)
    return design.draws if used else None


STUDIES: dict[str, Callable[[Design, Source], list[Job]]] = {
    "passk": score_studies.passk,
    "variance": score_studies.variance,
    "calibration": pair_studies.calibration,
    "power": pair_studies.power,
    "mde": pair_studies.mde,
    "flips": order_study.flips,
    "contamination": score_studies.contamination,
    "clusters": cluster_study.clusters,
    "coverage": coverage_study.coverage,
    "votes": vote_study.votes,
    "judge": judge_study.judge,
    "anytime": anytime_study.anytime,
    "ragged": ragged_study.ragged,
}
"""A line a study: cells in, jobs out."""
