"""What a study claims, and the doubts about its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from deadheat.results import Note, claims
from deadheat.simulating.study_design import Design, Row


def claimed(study: str, design: Design, rows: Sequence[Row]) -> tuple[claims.Claim, ...]:
    """Give what a reader should take along."""
    return tuple(CLAIMS[study](design, rows))


def _known(row: Row) -> float:
    """The exact value where there is one, or else the simulated one."""
    value: float = row["simulated"] if row.get("exact") is None else row["exact"]
    return value


def _error(row: Row) -> float | None:
    """The Monte Carlo error of a value that is simulated."""
    error: float | None = row["mc_se"] if row.get("exact") is None else None
    return error


def _by_subject(rows: Sequence[Row]) -> list[tuple[str | None, list[Row]]]:
    """Rows of each entry or true rate; a study of a single one does not name it."""
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(str(row["entry"]) if "entry" in row else f"rate {row['rate']:g}", []).append(row)
    return [(None if len(of) == 1 else name, found) for name, found in of.items()]


def _passk(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    off = [row for row in rows if row["quantity"] == "bias"]
    for of, own in _by_subject([row for row in off if row["estimator"] == "plug-in"]):
        first = min(own, key=lambda row: row["samples"])
        yield claims.PlugInBias(
            of=of,
            k=design.k,
            samples=first["samples"],
            bias=_known(first),
            unbiased=any(row["estimator"] == "unbiased" for row in off),
        )


def _variance(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    for of, own in _by_subject([row for row in rows if row["quantity"] == "share from items"]):
        yield claims.ShareFromItems(of=of, shares=tuple({row["samples"]: _known(row) for row in own}.items()))


def _calibration(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    worst = max(rows, key=_known)
    yield claims.LargestSize(
        test=worst["test"],
        size=_known(worst),
        error=_error(worst),
        items=worst["items"],
        samples=worst["samples"],
        alpha=design.alpha,
        tests=len({row["test"] for row in rows}),
    )


def _power(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    needs = {(row["a"], row["b"]): row for row in rows if "items_needed" in row}
    for row in needs.values():
        yield claims.SeparatesPair(
            a=row["a"],
            b=row["b"],
            difference=row["difference"],
            power=design.power,
            samples=row["samples"],
            items_needed=row["items_needed"],
            samples_needed=row["samples_needed"],
            samples_needed_reruns=row["samples_needed_reruns"],
        )
    if not needs:
        least = min(rows, key=_known)
        yield claims.LeastPower(
            test=least["test"],
            difference=least["difference"],
            power=_known(least),
            error=_error(least),
            items=least["items"],
            samples=least["samples"],
        )


def _mde(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    def size(row: Row) -> float:
        value: float = row["normal"] if row["exact"] is None else row["exact"]
        return value

    worst = max(rows, key=size)
    yield claims.LargestVisible(
        test=worst["test"],
        difference=size(worst),
        power=design.power,
        items=worst["items"],
        samples=worst["samples"],
    )


def _flips(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    least = min(rows, key=lambda row: (row["items"], row["samples"]))
    where = [row for row in rows if (row["items"], row["samples"]) == (least["items"], least["samples"])]
    at = {row["quantity"]: row for row in where if row["ties"] == "broken at random"}
    yield claims.OrderRight(
        entries=least["entries"],
        items=least["items"],
        samples=least["samples"],
        order=_known(at["full order"]),
        best=_known(at["best on top"]),
    )


def _contamination(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    for of, own in _by_subject([row for row in rows if row["quantity"] == "inflation"]):
        added = {(row["share"], row["known"]): _known(row) for row in own}
        yield claims.Inflation(of=of, added=tuple((*where, gain) for where, gain in added.items()))


def _clusters(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    for of, own in _by_subject([row for row in rows if row["quantity"] == "effective items"]):
        for items, samples in dict.fromkeys((row["items"], row["samples"]) for row in own):
            here = [row for row in own if (row["items"], row["samples"]) == (items, samples)]
            worth = tuple((row["rho"], _known(row)) for row in here)
            yield claims.EffectiveItems(of=of, items=items, samples=samples, effective=worth)


def _coverage(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    worst = min((row for row in rows if row["quantity"] == "coverage"), key=_known)
    yield claims.LeastCoverage(
        interval=worst["interval"],
        coverage=_known(worst),
        error=_error(worst),
        level=design.level,
        items=worst["items"],
        samples=worst["samples"],
    )


def _votes(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    held = {(row["voters"], row["errors"]): row["simulated"] for row in rows if "holds 0" in row["quantity"]}
    voters = min(sorted({kind for kind, _ in held}), key=lambda kind: held[kind, "as if independent"])
    yield claims.VoteCoverage(
        voters=voters,
        level=design.level,
        independent=held[voters, "as if independent"],
        by_voter=held[voters, "by voter"],
    )


def _judge(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    labels = {row["labels"] for row in rows}
    some = 100 if 100 in labels else max(labels)
    told = {
        (row["judge"], row["scores"], row["quantity"] == "size"): _known(row)
        for row in rows
        if row["labels"] == some and row["labelled"] == "at random" and "error" not in row["quantity"]
    }
    kinds = sorted({kind for kind, _, _ in told})
    worst = max(kinds, key=lambda kind: (told[kind, "the judge's own", True], kind))
    own, corrected = "the judge's own", "corrected"
    yield claims.JudgeCoverage(
        judge=worst,
        labels=some,
        level=design.level,
        alpha=design.alpha,
        own=told[worst, own, False],
        corrected=told[worst, corrected, False],
        own_size=told[worst, own, True],
        corrected_size=told[worst, corrected, True],
    )


def _anytime(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    false = [row for row in rows if row["quantity"] == "false stop" and row["truth"] == "equal"]
    of = {name: [_known(row) for row in false if row["test"] == name] for name in ("mcnemar", "betting")}
    yield claims.FalseStops(
        looks=max(row["looks"] for row in rows),
        alpha=design.alpha,
        shares=tuple((name, max(shares)) for name, shares in of.items() if shares),
    )


def _ragged(design: Design, rows: Sequence[Row]) -> Iterator[claims.Claim]:
    items = min(row["items"] for row in rows)
    known = [row for row in rows if row["items"] == items and row["simulated"] is not None]
    for missing in dict.fromkeys(row["missing"] for row in known):
        shares = {row["policy"]: row["simulated"] for row in known if row["missing"] == missing}
        worst = max(shares, key=lambda policy: shares[policy])
        yield claims.WrongFirst(
            missing=missing, items=items, policy=worst, share=shares[worst], fitted=shares.get("fitted")
        )


CLAIMS: dict[str, Callable[[Design, Sequence[Row]], Iterator[claims.Claim]]] = {
    "passk": _passk,
    "variance": _variance,
    "calibration": _calibration,
    "power": _power,
    "mde": _mde,
    "flips": _flips,
    "contamination": _contamination,
    "clusters": _clusters,
    "coverage": _coverage,
    "votes": _votes,
    "judge": _judge,
    "anytime": _anytime,
    "ragged": _ragged,
}

EXPLAINED = {
    "ragged": "own items, in order: the board of rank, on which nobody is above an entry that is separated "
    "above it; fitted: the first 200 of every 10,000 replicates",
    "calibration": "normal: the size if the statistic were normal, with true variances by quadrature",
    "power": "normal: the power if the statistic were normal, with true variances by quadrature",
    "mde": "simulated: the simulated power at the normal difference, taken back along the power curve",
    "flips": "normal: chance that normal scores come out so, with a half point of the totals for ties",
    "votes": "four entries, of which the first two are equal and the best; 40 voters cast 20 votes each",
    "judge": "two entries with one true rate. coverage: of the first one's interval; size: how often the two "
    "are separated; error ratio: the standard error of the corrected score over that of labels alone",
    "anytime": "looks: all units; every: units from one look to the next; exact: by all paths of counts",
    "coverage": "mean width counts an interval that is undefined as 0, and as holding nothing",
}


def notes(study: str, design: Design, rows: Sequence[Row]) -> list[Note]:
    """List what must be known to read the numbers."""
    found = []
    if study in EXPLAINED:
        found.append(Note(code="columns", text=EXPLAINED[study]))
    if any(row.get("exact", 0) is None for row in rows):
        text = "exact is empty where neither a quadrature nor a sum over tables gives the value"
        found.append(Note(code="no-exact-value", text=text))
    if any(row.get("normal", 0) is None for row in rows):
        text = "normal is empty where there is no normal theory to compare with"
        found.append(Note(code="no-normal-value", text=text))
    if any(row["simulated"] is None for row in rows):
        found.append(Note(code="not-simulated", text="a line without a simulated value is the truth itself"))
    alike = [row for row in rows if row["mc_se"] is None and row["simulated"] is not None]
    if alike:
        text = (
            f"in {len(alike)} lines all replicates came out alike: the Monte Carlo error is withheld; the "
            f"chance of another outcome is below {3 / design.replicates:.2g} (rule of three)"
        )
        found.append(Note(code="boundary", text=text))
    if any(row.get("samples_needed", 0) is None for row in rows):
        text = (
            "samples_needed is empty where the spread over items alone hides the difference; "
            "samples_needed_reruns is about reruns of the same items"
        )
        found.append(Note(code="no-number-of-samples", text=text))
    return found
