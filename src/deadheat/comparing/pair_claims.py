"""What comparisons claim: who scores higher, what these items can detect, and what holds of a margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from deadheat.methods import TESTS
from deadheat.report.numbers import Scale
from deadheat.results import Anytime, Comparison, Gate, claims

POWER = 0.8


def scale(pairs: Sequence[Comparison]) -> Scale:
    """How the numbers of these comparisons are written."""
    values = [value for pair in pairs for value in (pair.value_a, pair.value_b)]
    return Scale.of(values, [pair.se for pair in pairs], (pair.unit for pair in pairs))


def claims_of(
    pairs: Sequence[Comparison], alpha: float, decided: Gate | None = None, margin: float | None = None
) -> tuple[claims.Claim, ...]:
    """List what all comparisons claim, and the gate on them.

    Parameters
    ----------
    pairs : sequence of Comparison
        One, or several candidates against one baseline.
    alpha : float
        A pair is separated when p < alpha.
    decided : Gate or None
    margin : float or None
        The gate's.
    """
    gates = () if decided is None else (_gate(decided, pairs, margin, alpha),)
    if len(pairs) == 1:
        return (*_one(pairs[0], alpha), *gates)
    sides: dict[str | None, list[str]] = {"higher": [], "lower": [], "not separated": [], None: []}
    for pair in pairs:
        side: str | None = pair.verdict
        if side in ("a", "b") and pair.difference is not None:
            side = "higher" if pair.difference > 0 else "lower"
        sides[side].append(pair.a)
    return (
        claims.Candidates(
            baseline=pairs[0].b,
            higher=tuple(sides["higher"]),
            lower=tuple(sides["lower"]),
            open=tuple(sides["not separated"]),
            untested=tuple(sides[None]),
            adjusted=any(pair.p_adjusted is not None for pair in pairs),
        ),
        *gates,
    )


def _one(pair: Comparison, alpha: float) -> Iterator[claims.Claim]:
    """Claim what one comparison shows; with a margin, what it shows of the margin."""
    if pair.difference is None or pair.verdict is None:
        why = pair.notes[0].text if pair.notes else "the test is undefined on these items"
        yield claims.Withheld(entries=(pair.a, pair.b), what="difference", why=why)
        return
    yield _order(pair, alpha)
    if pair.curve is not None:
        yield claims.LeadsOverK(
            a=pair.a,
            b=pair.b,
            metric=pair.curve.metric,
            items=pair.curve.items,
            most=len(pair.curve.difference),
            leads=tuple((x.first, x.last, pair.a if x.leader == "a" else pair.b) for x in pair.curve.leads),
            level=pair.curve.level,
        )
    paid = pair.cost
    if paid is not None and paid.ratio is not None and paid.verdict is not None:
        yield claims.CostRatio(
            a=pair.a,
            b=pair.b,
            column=paid.column,
            items=paid.items,
            ratio=paid.ratio,
            low=None if paid.interval is None else paid.interval.low,
            high=None if paid.interval is None else paid.interval.high,
            level=0.95 if paid.interval is None else paid.interval.level,
            verdict=paid.verdict,
        )
        yield _score_and_cost(pair, paid.ratio, paid.verdict)
    if pair.anytime is not None:
        yield _early(pair, pair.anytime, alpha)
    if pair.verdict == "not separated" and pair.smallest_visible is not None and pair.test is not None:
        yield claims.SmallestVisible(
            difference=pair.smallest_visible,
            power=POWER,
            items=pair.items,
            test=pair.test,
            alpha=alpha,
            discordance=_discordance(pair) if TESTS[pair.test].fit.binary else None,
        )
    if pair.margin is not None:
        yield from _margin(pair, pair.margin, alpha)


def _score_and_cost(pair: Comparison, ratio: float, verdict: str) -> claims.Claim:
    """Claim who is better and who is cheaper, and whether the cheaper one is good enough."""
    assert pair.cost is not None
    cheaper = {"cheaper": pair.a, "dearer": pair.b}.get(verdict)
    enough = ("equivalent", "non-inferior") if cheaper == pair.a else ("equivalent",)
    return claims.ScoreAndCost(
        a=pair.a,
        b=pair.b,
        column=pair.cost.column,
        better={"a": pair.a, "b": pair.b}.get(pair.verdict or ""),
        cheaper=cheaper,
        ratio=1 / ratio if cheaper == pair.b else ratio,
        within=pair.margin if cheaper is not None and pair.equivalence in enough else None,
    )


def _discordance(pair: Comparison) -> float | None:
    """Share of discordant items; None where scores do not count as 0 or 1."""
    return None if pair.a_only is None or pair.b_only is None else (pair.a_only + pair.b_only) / pair.items


def _gate(found: Gate, pairs: Sequence[Comparison], margin: float | None, alpha: float) -> claims.Gate:
    """Claim what a gate decides, and how often it decides wrongly."""
    return claims.Gate(
        baseline=pairs[0].b,
        failing=found.failing,
        of=len(pairs),
        fail_on=found.fail_on,
        margin=margin,
        false_alarm=found.false_alarm,
        drop=found.drop,
        power=found.power,
        items_needed=found.items_needed,
        unadjusted=any(note.code == "not-adjusted" for note in found.notes),
        alpha=alpha,
    )


def _order(pair: Comparison, alpha: float) -> claims.Claim:
    """Claim which of the two scores higher, seen from the one that does."""
    assert pair.difference is not None
    swap = pair.difference < 0
    higher, lower = (pair.b, pair.a) if swap else (pair.a, pair.b)
    adjusted = pair.p_adjusted is not None
    low = high = level = None
    if pair.interval is not None:
        low, high, level = pair.interval.low, pair.interval.high, pair.interval.level
        low, high = (-high, -low) if swap else (low, high)
    p, log10_p = (pair.p_adjusted, None) if adjusted else (pair.p, pair.log10_p)
    paired = not any(note.code == "unpaired" for note in pair.notes)
    better, worse = (pair.a, pair.b) if pair.ahead == "a" else (pair.b, pair.a)
    made = (
        partial(claims.NotSeparated, higher=higher, lower=lower)
        if pair.verdict == "not separated"
        else partial(claims.Separated, better=better, worse=worse)
    )
    return made(
        difference=abs(pair.difference),
        p=p,
        log10_p=log10_p,
        adjusted=adjusted,
        shared=pair.items,
        paired=paired,
        low=low,
        high=high,
        level=level,
        alpha=alpha,
    )


def _early(pair: Comparison, early: Anytime, alpha: float) -> claims.Claim:
    """Claim when looking early would have stopped."""
    if early.order is not None:
        return claims.StoppedAt(
            a=pair.a,
            b=pair.b,
            order=early.order,
            units=early.units,
            of=early.looked,
            at=early.stopped_at,
            difference=early.difference_at_stop,
            alpha=alpha,
        )
    return claims.StopsEarly(
        a=pair.a,
        b=pair.b,
        units=early.units,
        of=early.looked,
        median=early.stop_median,
        share=early.stop_share,
        orders=early.orders,
        alpha=alpha,
    )


def _margin(pair: Comparison, margin: float, alpha: float) -> Iterator[claims.Claim]:
    """Claim what the tests against a margin show, and what would settle it."""
    a, b, against = pair.a, pair.b, pair.against_margin
    if pair.equivalence is None or against is None:
        why = "the tests against it are undefined on these items"
        yield claims.Withheld(entries=(a, b), what="margin", why=why)
        return
    below, both, inferior = against.p_non_inferior, against.p_equivalent, against.p_inferior
    if pair.equivalence == "equivalent" and both is not None:
        yield claims.Equivalent(a=a, b=b, margin=margin, p=both)
    elif pair.equivalence == "non-inferior" and below is not None:
        yield claims.NonInferior(a=a, b=b, margin=margin, p=below)
    elif pair.equivalence == "inferior" and inferior is not None:
        yield claims.Inferior(a=a, b=b, margin=margin, p=inferior)
    elif below is not None:
        yield claims.Inconclusive(a=a, b=b, margin=margin, p=below)
        needed = against.items_needed
        if needed is not None and needed > pair.items and pair.verdict == "not separated":
            yield claims.Settles(
                items=needed,
                power=POWER,
                condition="alike",
                margin=margin,
                alpha=alpha,
                discordance=_discordance(pair),
            )
