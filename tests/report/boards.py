"""Documents made by hand for tests of reports: simulated entries, closed forms, no statistics of ours."""

from __future__ import annotations

import math
import random
from functools import cache

import msgspec

from deadheat.estimand import Estimand
from deadheat.results import (
    Board,
    Category,
    Comparison,
    Comparisons,
    Coverage,
    Document,
    File,
    Group,
    Interval,
    Methods,
    Note,
    Outcomes,
    Pairs,
    Plan,
    Provenance,
    Score,
    Study,
)
from deadheat.results.audit import Audit, Finding

ALPHA, Z = 0.05, 1.959963984540054
METHODS = Methods(
    interval="wilson", test="mcnemar", adjust="none", alpha=ALPHA, level=0.95, seed=0, rank="holm"
)
NAMES = ("Orion", "Tessera", "Gale", "Kestrel", "Qilin", "Basalt", "Lumen", "Grove", "Zephyr", "Harbor")
KINDS = (
    "4.5 Heavy",
    "Pro 3",
    "5 (high)",
    "M2",
    "3 Max",
    "V3.2",
    "70B",
    "4.1",
    "mini",
    "Coder 480B",
    "Flash 3",
    "R1",
)


@cache
def mcnemar(a_only: int, b_only: int) -> tuple[float, float]:
    """Exact two-sided p and its logarithm, by whole numbers."""
    n = a_only + b_only
    tail = sum(math.comb(n, k) for k in range(min(a_only, b_only) + 1))
    log10_p = min(0.0, math.log10(2 * tail) - n * math.log10(2))
    return min(1.0, 10**log10_p), log10_p


def wilson(right: int, items: int) -> Interval:
    rate, z2 = right / items, Z * Z
    middle = (rate + z2 / (2 * items)) / (1 + z2 / items)
    half = Z / (1 + z2 / items) * math.sqrt(rate * (1 - rate) / items + z2 / (4 * items * items))
    return Interval(low=max(middle - half, 0.0), high=min(middle + half, 1.0), level=0.95, method="wilson")


def outcomes(rates: list[float], items: int, seed: int = 0) -> list[int]:
    """Bits of right answers: entries share the difficulty of items, as real ones do."""
    rng = random.Random(seed)
    hard = [rng.gauss(0, 2) for _ in range(items)]
    found = []
    for rate in rates:
        order = sorted(range(items), key=lambda item: hard[item] + rng.gauss(0, 1.2))
        found.append(sum(1 << item for item in order[: round(rate * items)]))
    return found


def compare(a: str, b: str, bits_a: int, bits_b: int, items: int) -> Comparison:
    a_only, b_only = (bits_a & ~bits_b).bit_count(), (bits_b & ~bits_a).bit_count()
    value_a, value_b = bits_a.bit_count() / items, bits_b.bit_count() / items
    gap = (a_only - b_only) / items
    se = math.sqrt(max(a_only + b_only - (a_only - b_only) ** 2 / items, 1)) / items
    p, log10_p = mcnemar(a_only, b_only)
    return Comparison(
        a=a,
        b=b,
        items=items,
        value_a=value_a,
        value_b=value_b,
        difference=gap,
        se=se,
        interval=Interval(low=gap - Z * se, high=gap + Z * se, level=0.95, method="tango"),
        p=p if log10_p > -300 else None,
        log10_p=log10_p,
        test="mcnemar",
        a_only=a_only,
        b_only=b_only,
        correlation=0.62,
        se_unpaired=math.sqrt((value_a * (1 - value_a) + value_b * (1 - value_b)) / items),
        smallest_visible=2.8 * se,
        items_to_separate=math.ceil(items * (2.8 * se / gap) ** 2) if gap else None,
        verdict=("a" if gap > 0 else "b") if p < ALPHA else "not separated",
    )


def board(
    rates: list[float],
    items: int = 500,
    *,
    names: list[str] | None = None,
    withheld: tuple[int, ...] = (),
    seed: int = 0,
) -> Board:
    """A board of simulated entries, best first; ``withheld`` are rows that only have a published rate."""
    names = names or [f"{NAMES[i % 10]} {KINDS[(i * 7 + i // 10) % 12]}" for i in range(len(rates))]
    keys = [f"{i:03d}_{name}" for i, name in enumerate(names)]
    rates = sorted(rates, reverse=True)
    bits = outcomes(rates, items, seed)
    known = [i for i in range(len(rates)) if i not in withheld]
    only = {(i, j): (bits[i] & ~bits[j]).bit_count() for i in known for j in known}
    p = {(i, j): mcnemar(only[i, j], only[j, i])[0] for i, j in only}
    groups, left = [], known
    while left:
        members = [j for j in left if p[left[0], j] >= ALPHA]
        groups.append(members)
        left = [j for j in left if j not in members]
    group_of = {i: number for number, members in enumerate(groups, 1) for i in members}
    scores = []
    for i, key in enumerate(keys):
        if i in withheld:
            note = Note(code="no-items", text="no per-item results")
            scores.append(Score(entry=key, name=names[i], published=rates[i], notes=(note,)))
            continue
        value = bits[i].bit_count() / items
        worse = sum(p[i, j] < ALPHA and j > i for j in known)
        better = sum(p[i, j] < ALPHA and j < i for j in known)
        inside = 0 < value < 1
        edge = (
            ()
            if inside
            else (Note(code="boundary", text=f"boundary: {bits[i].bit_count()} of {items}, no SE"),)
        )
        scores.append(
            Score(
                entry=key,
                name=names[i],
                value=value,
                se=math.sqrt(value * (1 - value) / items) if inside else None,
                interval=wilson(bits[i].bit_count(), items),
                items=items,
                samples=items,
                notes=edge,
                place=1 + sum(bits[j].bit_count() > bits[i].bit_count() for j in known),
                rank=(better + 1, len(known) - worse),
                group=group_of[i],
                vs_anchor=None
                if i == known[0]
                else compare(key, keys[known[0]], bits[i], bits[known[0]], items),
            )
        )
    top = len(groups[0]) if groups else 0
    return Board(
        version="0.1.0",
        estimand=Estimand(),
        methods=METHODS,
        summary=f"{top} of {len(known)} entries share the top group: "
        f"these {items} items do not decide their order.",
        provenance=Provenance(
            files=(File(path="runs/board.csv", sha256="ab" * 32, format="csv", rows=len(known) * items),),
            read=len(known) * items,
            failed=3,
            absent=0,
            excluded=len(withheld),
        ),
        entries=tuple(scores),
        groups=tuple(
            Group(group=n, anchor=keys[m[0]], members=tuple(keys[i] for i in m))
            for n, m in enumerate(groups, 1)
        ),
        tie_lines=tuple(tuple(keys[i] for i in line) for line in tie_lines(known, p)),
    )


def with_pairs(made: Board) -> Board:
    """The same board with every pair and outcome, recomputed from the seed-0 outcomes behind it."""
    scored = [score for score in made.entries if score.value is not None]
    items = scored[0].items
    rates = [score.published if score.value is None else score.value for score in made.entries]
    drawn = outcomes([rate or 0.0 for rate in rates], items)
    bits = dict(zip((score.entry for score in made.entries), drawn, strict=True))
    below = [(a, b) for i, a in enumerate(scored) for b in scored[:i]]
    pairs = [compare(a.entry, b.entry, bits[a.entry], bits[b.entry], items) for a, b in below]
    return msgspec.structs.replace(
        made,
        pairs=Pairs(
            entries=tuple(score.entry for score in scored),
            items=(items,) * len(pairs),
            difference=tuple(pair.difference for pair in pairs),
            low=tuple(pair.interval.low if pair.interval else None for pair in pairs),
            high=tuple(pair.interval.high if pair.interval else None for pair in pairs),
            p=tuple(pair.p for pair in pairs),
            log10_p=tuple(pair.log10_p for pair in pairs),
            smallest_visible=tuple(pair.smallest_visible for pair in pairs),
            row_only=tuple(pair.a_only or 0 for pair in pairs),
            column_only=tuple(pair.b_only or 0 for pair in pairs),
        ),
        outcomes=Outcomes(
            items=tuple(f"item-{k:03d}" for k in range(items)),
            entries={
                score.entry: "".join("01"[bits[score.entry] >> k & 1] for k in range(items))
                for score in scored
            },
        ),
    )


def tie_lines(known: list[int], p: dict[tuple[int, int], float]) -> list[list[int]]:
    """Maximal runs in which no pair is separated."""
    lines: list[list[int]] = []
    for start in range(len(known)):
        run = [known[start]]
        for j in known[start + 1 :]:
            if any(p[i, j] < ALPHA for i in run):
                break
            run.append(j)
        if len(run) > 1 and not (lines and run[-1] <= lines[-1][-1]):
            lines.append(run)
    return lines


def small() -> Board:
    """Twelve entries of which two have no per-item results and one scores nothing."""
    rates = [0.792, 0.768, 0.764, 0.744, 0.742, 0.734, 0.716, 0.696, 0.690, 0.61, 0.444, 0.0]
    return board(rates, withheld=(0, 7))


def large(entries: int = 200, items: int = 500) -> Board:
    return board([0.85 - 0.8 * i / entries for i in range(entries)], items)


def one() -> Board:
    return board([0.5], 40, names=["Only one"])


def hostile() -> Board:
    names = [
        "<script>alert(1)</script>",
        "[bold red]x[/] \x1b[31mred\x1b[0m \x07",
        "a|b *c* _d_ `e`",
        "=1+2",
        "‮evil‬ ⁦x⁩",
        "x" * 300,
        "名前の長いモデル🦊👩‍💻 4",
        "quote \" ' & {{ 7*7 }} %s",
        "two\nlines\ttab",
        r"\end{table} $x$ #1 50% ~",
    ]
    return board([0.8 - 0.03 * i for i in range(len(names))], names=names)


def categories() -> Board:
    """A board with two categories."""
    whole = board([0.7, 0.66, 0.5], 300, names=["A", "B", "C"])
    parts = {}
    for name, seed in (("simple", 1), ("parallel", 2)):
        part = board([0.8, 0.7, 0.45], 100, names=["A", "B", "C"], seed=seed)
        parts[name] = Category(
            entries=part.entries, groups=part.groups, tie_lines=part.tie_lines, summary=part.summary
        )
    return msgspec.structs.replace(whole, categories=parts)


def comparisons(pairs: int = 1) -> Comparisons:
    """Comparisons of a candidate with baselines."""
    bits = outcomes([0.7, *[0.68 - 0.05 * i for i in range(pairs)]], 500)
    made = [compare("candidate", f"baseline {i}", bits[0], bits[i], 500) for i in range(1, pairs + 1)]
    summary = "candidate and baseline 1 are not separated: +2.0 points on 500 shared items."
    return Comparisons(
        version="0.1.0", estimand=Estimand(), methods=METHODS, summary=summary, comparisons=tuple(made)
    )


def others() -> list[Document]:
    """A plan, a coverage curve, a study and an audit."""
    curve = tuple((i / 100, 0.95 + 0.02 * math.sin(i)) for i in range(101))
    rows = tuple(
        {
            "items": n,
            "samples": k,
            "simulated": 0.05 + 0.001 * k,
            "mc_se": 0.0022,
            "exact": None if k > 1 else 0.0431,
        }
        for n in (100, 500)
        for k in (1, 4)
    )
    return [
        Plan(
            version="0.1.0",
            estimand=Estimand(),
            methods=Methods(test="mcnemar", alpha=0.05),
            summary="1,234 items show a difference of 5 points with 80 % power.",
            question="items",
            assumptions={"rates": (0.65, 0.60), "discordance": 0.2, "power": 0.8},
            answer={"items": 1234, "items_approximate": 1228, "power": 0.8003},
        ),
        Coverage(
            version="0.1.0",
            estimand=Estimand(),
            methods=Methods(level=0.95),
            method="wilson",
            items=50,
            summary="Wilson at 95 % covers at least 83.8 % with 50 items.",
            curve=curve,
            minimum={"p": 0.11, "coverage": 0.93, "grid": 101},
            infimum={"p": 0.0013, "coverage": 0.838, "attained": False},
        ),
        Study(
            version="0.1.0",
            estimand=Estimand(),
            methods=Methods(seed=0),
            study="calibration",
            summary="The size of the test is at most 5.4 %.",
            rows=rows,
            replicates=10000,
        ),
        Audit(
            version="0.1.0",
            estimand=Estimand(),
            methods=Methods(),
            summary="1 error, 1 remark.",
            findings=(
                Finding(code="duplicate", severity="info", text="two entries have the same answers"),
                Finding(
                    code="rate",
                    severity="error",
                    entry="Claude 3.7",
                    item="django-1",
                    text="the published rate of 52.8 % is not what 51 of 500 items give: they give 10.2 %, "
                    "and no rounding takes one to the other",
                ),
            ),
        ),
    ]
