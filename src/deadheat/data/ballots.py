"""Votes between two entries, reduced to counts: who met whom, who won, and whose votes they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.results import File, Note, Provenance

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


class VoteFile(NamedTuple):
    """What a reader makes of one file of votes.

    Parameters
    ----------
    file : File
    query : str or None
        SQL that selects ``first``, ``second``, ``winner`` and, where the file has them, ``voter``,
        ``prompt``, ``category``, ``weight`` and further columns.
    columns : mapping or None
        Or the columns themselves.
    columnar : bool
        Each column can be read on its own, as in Parquet.
    notes : tuple of Note
    """

    file: File
    query: str | None = None
    columns: dict[str, NDArray[Any]] | None = None
    columnar: bool = False
    notes: tuple[Note, ...] = ()


class Rows(NamedTuple):
    """Votes that are alike, one row each: entries, outcome for the first (0 won, 1 tied, 2 lost), counts.

    `weight` sums the weights of a row's votes and `square` their squares. `covariates` has a column per
    covariate that was asked for.
    """

    first: Codes
    second: Codes
    outcome: Codes
    weight: Floats
    square: Floats
    votes: NDArray[np.int64]
    covariates: Floats | None = None


class Single(NamedTuple):
    """Every vote by itself, sorted by voter, then prompt: its row in `Rows`, and whose it is.

    `weight` is None where each vote counts as one; `owners` has the codes of voters and prompts, as far as
    the files have them. A vote without a voter has a code of its own.
    """

    row: Codes
    weight: Floats | None
    owners: dict[str, Codes]


@dataclass(frozen=True, eq=False)
class Ballots:
    """A table of votes.

    Parameters
    ----------
    entries : tuple of str
        Sorted names.
    rows : Rows
        All votes, parted by pair and outcome (and covariates).
    single : Single or None
        The votes one by one, where the files say whose they are.
    files : tuple of File
    columns : tuple of str
        Further columns, which may serve as covariates.
    covariates : tuple of str
        Those that were asked for.
    notes : tuple of Note
    votes, unusable : int
        Votes used, and rows left out.
    """

    entries: tuple[str, ...]
    rows: Rows
    single: Single | None
    files: tuple[File, ...]
    columns: tuple[str, ...]
    covariates: tuple[str, ...]
    notes: tuple[Note, ...]
    votes: int
    unusable: int

    @property
    def provenance(self) -> Provenance:
        """Where the votes come from; those that could not be used are excluded."""
        return Provenance(files=self.files, read=self.votes + self.unusable, excluded=self.unusable)
