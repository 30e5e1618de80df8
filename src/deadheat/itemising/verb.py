"""The verb `items`: which items separate nobody, run backwards or are twins, and what fewer would keep."""

from __future__ import annotations

from deadheat.data.panel import panel
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.participants import MIN_SHARE, participants
from deadheat.evidence.triangles import outcomes
from deadheat.itemising import item_lines
from deadheat.readers.given import Results, taken
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Methods, claims
from deadheat.results.claim import Claim
from deadheat.results.items import Items, Silent
from deadheat.stats.items.item_analysis import constant
from deadheat.version import VERSION

TOPS = (5, 10, 25)


def items(
    table: Results,
    estimand: Estimand | None = None,
    *,
    min_share: float = MIN_SHARE,
    alpha: float = 0.05,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
    every_outcome: bool = False,
) -> Items:
    """Say what each item of a board does.

    Parameters
    ----------
    table : Table, dataframe, path or list of paths
    estimand : Estimand or None
        What the scores are about.
    min_share : float
        Least share of the usual items; runs that have fewer are left out.
    alpha : float
        False discovery rate at which items are said to run backwards.
    level : float
        Level of the intervals.
    draws, seed : int
        Permutations of an item whose p is small, and their seed.
    every_outcome : bool
        Add the outcomes of all items, with which a page draws its map.

    Returns
    -------
    Items

    Raises
    ------
    DataError
        Fewer than three entries, or two items.
    MethodError
        Alpha or level outside (0, 1), or no draws.
    """
    for name, value in (("alpha", alpha), ("level", level)):
        if not 0 < value < 1:
            raise MethodError(f"{name} is between 0 and 1; found {value:g}")
    if draws < 1:
        raise MethodError(f"draws are 1 or more; found {draws}")
    table, estimand = taken(table, estimand)
    seen = panel(table, estimand)
    taking = participants(table, seen, min_share)
    board = taking.panel
    if len(board.entries) < 3 or len(board.items) < 2:
        raise DataError(
            f"items are judged by how entries differ on them: 3 entries and 2 items are the least; found "
            f"{len(board.entries)} and {len(board.items)}"
        )
    made = item_lines.lines(table, board, level=level, draws=draws, seed=seed)
    tops = [*(top for top in TOPS if top < len(board.entries)), len(board.entries)]
    silent = tuple(
        Silent(entries=top, items=int(constant(board.values[:top], board.present[:top]).sum()))
        for top in tops
    )
    tested = [line for line in made if line.p_adjusted is not None]
    backwards = tuple(line.item for line in tested if line.p_adjusted is not None and line.p_adjusted < alpha)
    twins = item_lines.twin_groups(made)
    reliability = item_lines.reliability(board, level=level, seed=seed)
    negative = sum(line.discrimination is not None and line.discrimination < 0 for line in made)
    said: list[Claim] = [
        claims.ItemsSilent(
            of=len(made),
            first=tuple(one.entries for one in silent),
            counts=tuple(one.items for one in silent),
        ),
        claims.ItemsBackwards(negative=negative, rejected=backwards, tested=len(tested), alpha=alpha),
    ]
    whole = reliability[0] if reliability else None
    if whole is not None and whole.value is not None and whole.interval is not None:
        said.append(
            claims.ItemsReliable(
                name=whole.name,
                items=whole.items,
                value=whole.value,
                low=whole.interval.low,
                high=whole.interval.high,
                level=level,
            )
        )
    if twins:
        said.append(claims.ItemTwins(patterns=len(twins), items=sum(map(len, twins))))
    return Items(
        version=VERSION,
        estimand=estimand,
        methods=Methods(
            interval="fisher-z",
            test="permutation",
            adjust="bh",
            alpha=alpha,
            level=level,
            seed=seed,
            draws=draws,
            min_share=min_share,
        ),
        summary=sentences(said, Voice()),
        claims=tuple(said),
        notes=(*seen.notes, *taking.why.values(), *item_lines.notes(board, made, alpha, draws)),
        provenance=table.provenance(),
        entries=len(board.entries),
        items=made,
        silent=silent,
        negative=negative,
        backwards=backwards,
        reliability=reliability,
        twins=twins,
        groups=item_lines.groups(made),
        smaller=item_lines.smaller(board, seed),
        outcomes=outcomes(board, range(len(board.entries))) if every_outcome else None,
    )
