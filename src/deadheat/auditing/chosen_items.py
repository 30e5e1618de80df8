"""Whether a new entry ran items that are easier for the others than those it left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.report import phrases
from deadheat.results.audit import Finding

Floats = NDArray[np.float64]
FEWEST = 5  # items on either side from which their difficulty is compared


def chosen_items(seen: Panel, fresh: Sequence[str], alpha: float) -> Iterator[Finding]:
    """Find new entries whose items are easier for the rest of the board than the items they lack.

    The mean scores of the other entries on each item are compared by Welch's t-test.

    Parameters
    ----------
    seen : Panel
        The board with the new entries.
    fresh : sequence of str
        The new entries.
    alpha : float
        Size of the two-sided test.
    """
    others = np.array([entry not in fresh for entry in seen.entries])
    ran = seen.present[others].sum(axis=0)
    known = ran > 0
    ease = np.where(seen.present[others], seen.values[others], 0).sum(axis=0) / np.maximum(ran, 1)
    for entry in fresh:
        if entry not in seen.entries:
            continue
        mine = seen.present[seen.entries.index(entry)]
        inside, outside = ease[known & mine], ease[known & ~mine]
        if min(len(inside), len(outside)) < FEWEST or seen.sign * (inside.mean() - outside.mean()) <= 0:
            continue
        p = _welch(inside, outside)
        if p >= alpha:
            continue
        rates = bool(((ease >= 0) & (ease <= 1)).all())
        one, other = (
            phrases.percent(float(x.mean()), 1) if rates else f"{x.mean():.4g}" for x in (inside, outside)
        )
        text = (
            f"it ran {phrases.items(len(inside))} on which the other entries score {one}, and lacks "
            f"{phrases.items(len(outside))} on which they score {other} (Welch t, p = {p:.2g}): its score "
            "is over easier items; compare on shared items, or use --absent fitted"
        )
        yield Finding(code="chosen-items", severity="warning", entry=entry, text=text)


def _welch(one: Floats, other: Floats) -> float:
    """Two-sided p of Welch's t-test; 0 where both sides are constant and differ."""
    from scipy import special

    parts = [each.var(ddof=1) / len(each) for each in (one, other)]
    if not sum(parts) > 0:
        return 0.0
    df = sum(parts) ** 2 / sum(v**2 / (len(each) - 1) for v, each in zip(parts, (one, other), strict=True))
    t = abs(one.mean() - other.mean()) / np.sqrt(sum(parts))
    return float(2 * special.stdtr(df, -t))
