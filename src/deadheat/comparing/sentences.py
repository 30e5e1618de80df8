"""The one sentence of a comparison: who is better, or what these items could not show."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report.numbers import Scale, level, p_phrase
from deadheat.results import Comparison


def scale(pairs: Sequence[Comparison]) -> Scale:
    """How the numbers of these comparisons are written."""
    values = [value for pair in pairs for value in (pair.value_a, pair.value_b)]
    return Scale.of(values, [pair.se for pair in pairs])


def summary(pairs: Sequence[Comparison], alpha: float) -> str:
    """Say what all comparisons show.

    Parameters
    ----------
    pairs : sequence of Comparison
        One, or several candidates against one baseline.
    alpha : float
        A pair is separated when p < alpha.
    """
    if len(pairs) == 1:
        return sentence(pairs[0], alpha)
    base = pairs[0].b
    better = [pair.a for pair in pairs if pair.verdict == "a"]
    worse = [pair.a for pair in pairs if pair.verdict == "b"]
    open_ = [pair.a for pair in pairs if pair.verdict == "not separated"]
    unknown = len(pairs) - len(better) - len(worse) - len(open_)
    told = [
        f"{_listed(names)} {verb} {base}"
        for names, verb in ((better, _be(better, "better than")), (worse, _be(worse, "worse than")))
        if names
    ]
    if open_:
        told.append(f"{_listed(open_)} {_be(open_, 'not separated from')} {base}")
    text = "; ".join(told)
    if unknown:
        text += f"{'; ' if told else ''}of {unknown} nothing can be said"
    return f"Of {len(pairs)} candidates: {text}."


def sentence(pair: Comparison, alpha: float) -> str:
    """Say what one comparison shows; with a margin, what it shows of the margin."""
    how = scale([pair])
    if pair.difference is None or pair.verdict is None:
        return f"Nothing can be said of the difference between {pair.a} and {pair.b}."
    items = f"{pair.items:,} shared item{'s' * (pair.items != 1)}"
    if any(note.code == "unpaired" for note in pair.notes):
        items = "their own items, taken as unpaired"
    facts = [p_told(pair, alpha)]
    if pair.interval is not None:
        low, high = pair.interval.low, pair.interval.high
        if pair.difference < 0 or (pair.difference == 0 and pair.verdict == "b"):
            low, high = -high, -low
        facts.insert(
            0, f"{level(pair.interval.level)} interval {how.difference(low)} to {how.difference(high)}"
        )
    evidence = f"on {items} ({', '.join(facts)})"
    gap = f"{how.size(abs(pair.difference))} {how.points}".rstrip()
    if pair.verdict in ("a", "b"):
        ahead, behind = (pair.a, pair.b) if pair.verdict == "a" else (pair.b, pair.a)
        text = f"{ahead} is better than {behind} by {gap} {evidence}."
    elif pair.difference == 0:
        text = f"{pair.a} and {pair.b} score the same and are not separated {evidence}."
    else:
        ahead = pair.a if pair.difference > 0 else pair.b
        text = f"{pair.a} and {pair.b} are not separated: {ahead} leads by {gap} {evidence}."
    if pair.verdict == "not separated" and pair.smallest_visible is not None:
        seen = f"{how.size(pair.smallest_visible)} {how.points}".rstrip()
        text += (
            f" A true difference of {seen} would have been detected with 80 % power, a smaller one with less."
        )
    return f"{text} {_margin(pair)}".rstrip()


def p_told(pair: Comparison, alpha: float) -> str:
    """Tell the p-value that decides: the adjusted one, where there is one."""
    if pair.p_adjusted is None:
        return p_phrase(pair.p, pair.log10_p, alpha)
    return f"adjusted {p_phrase(pair.p_adjusted, None, alpha)}"


def _margin(pair: Comparison) -> str:
    if pair.margin is None:
        return ""
    how = scale([pair])
    size = f"{how.size(pair.margin)} {how.points}".rstrip()
    told = {
        "equivalent": f"The two are equivalent within {size}.",
        "non-inferior": f"{pair.a} is not worse than {pair.b} by {size} or more.",
        "inferior": f"{pair.a} is worse than {pair.b} by more than {size}.",
        "inconclusive": f"Whether {pair.a} is worse than {pair.b} by {size} or more is open: inconclusive.",
        None: f"Nothing can be said about a margin of {size}.",
    }[pair.equivalence]
    against = pair.against_margin
    needed = None if against is None else against.items_needed
    if pair.equivalence == "inconclusive" and pair.verdict == "not separated" and (needed or 0) > pair.items:
        told += f" {needed:,} items would settle it with 80 % power if the two are equally good."
    return told


def _be(names: Sequence[str], rest: str) -> str:
    return f"{'is' if len(names) == 1 else 'are'} {rest}"


def _listed(names: Sequence[str], most: int = 3) -> str:
    """List a few names, and count the rest."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
