"""What a study says in words: one sentence, and the doubts about its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.results import Note
from deadheat.simulating.study_design import Design, Row


def _share(value: float, digits: int = 0) -> str:
    """Write a share as ``57 %``."""
    return f"{100 * value:.{digits}f} %"


def summary(study: str, design: Design, rows: Sequence[Row]) -> str:
    """Give the one sentence that a reader should take along."""
    return SENTENCES[study](design, rows)


def _passk(design: Design, rows: Sequence[Row]) -> str:
    fewest = min(row["samples"] for row in rows)
    bias = next(
        row
        for row in rows
        if row["estimator"] == "plug-in" and row["quantity"] == "bias" and row["samples"] == fewest
    )
    return (
        f"From {fewest} samples the plug-in pass@{design.k} is {_points(-bias['exact'])} too low; the "
        "unbiased estimator is not."
    )


def _variance(design: Design, rows: Sequence[Row]) -> str:
    shares = [row for row in rows if row["quantity"] == "share from items"]
    parts = [
        f"{_share(row['exact'])} with {_samples(row['samples'])}" for row in _distinct(shares, "samples")
    ]
    return f"Share of a score's variance that more samples cannot remove: {', '.join(parts)}."


def _calibration(design: Design, rows: Sequence[Row]) -> str:
    worst = max(rows, key=lambda row: row["simulated"])
    return (
        f"At α = {design.alpha:g} the test that separates equal entries most often is {worst['test']}: "
        f"{_share(worst['simulated'], 1)} with {worst['items']:,} items and {_samples(worst['samples'])}."
    )


def _power(design: Design, rows: Sequence[Row]) -> str:
    needs = [row for row in rows if "items_needed" in row]
    if not needs:
        few = min(rows, key=lambda row: row["simulated"])
        return (
            f"A difference of {_points(few['difference'])} is detected {_share(few['simulated'])} of the "
            f"time by {few['test']} with {few['items']:,} items and {_samples(few['samples'])}."
        )
    said = []
    for row in {(row["a"], row["b"]): row for row in needs}.values():
        items = "no number of items" if row["items_needed"] is None else f"{row['items_needed']:,} items"
        more = "no number of samples is enough"
        if row["samples_needed"] is not None:
            more = f"{row['samples_needed']:,} samples are enough"
        if row["samples_needed_reruns"] is not None:
            more += f" (on these very items, {row['samples_needed_reruns']:,})"
        pair = f"{row['a']} – {row['b']} ({_points(row['difference'])})"
        said.append(f"{pair}: {items} with {_samples(row['samples'])}; on as many items as now {more}")
    return f"To separate them with power {_share(design.power)}: " + ". ".join(said) + "."


def _mde(design: Design, rows: Sequence[Row]) -> str:
    worst = max(rows, key=lambda row: row["normal"])
    return (
        f"With {worst['items']:,} items and {_samples(worst['samples'])} nothing smaller than "
        f"{_points(worst['normal'])} is detected with power {_share(design.power)}."
    )


def _flips(design: Design, rows: Sequence[Row]) -> str:
    few = min(row["items"] for row in rows)
    at = {row["quantity"]: row for row in reversed(rows) if row["items"] == few}
    return (
        f"With {few:,} items the full order of {at['full order']['entries']} entries is right "
        f"{_share(at['full order']['simulated'], 1)} of the time, and the best is on top "
        f"{_share(at['best on top']['simulated'], 1)}."
    )


def _contamination(design: Design, rows: Sequence[Row]) -> str:
    parts = [
        f"{_share(row['share'])} {row['known']}: {_points(row['exact'])}"
        for row in rows
        if row["quantity"] == "inflation"
    ]
    return f"What memorised items add to a score: {', '.join(dict.fromkeys(parts))}."


def _clusters(design: Design, rows: Sequence[Row]) -> str:
    parts = [
        f"ρ = {row['rho']:.2g}: {row['items']:,} items tell as much as {row['exact']:,.0f}"
        for row in rows
        if row["quantity"] == "effective items"
    ]
    return f"Items in clusters tell less than as many independent ones; {'; '.join(dict.fromkeys(parts))}."


def _coverage(design: Design, rows: Sequence[Row]) -> str:
    found = [row for row in rows if row["quantity"] == "coverage"]
    worst = min(found, key=lambda row: row["simulated"])
    return (
        f"Of {_share(design.level)} intervals the one that holds the true rate least often is "
        f"{worst['interval']}: {_share(worst['simulated'], 1)} with {worst['items']:,} items and "
        f"{_samples(worst['samples'])}."
    )


def _votes(design: Design, rows: Sequence[Row]) -> str:
    held = {(row["voters"], row["errors"]): row["simulated"] for row in rows if "holds 0" in row["quantity"]}
    kinds = {kind for kind, _ in held}
    voters = min(sorted(kinds), key=lambda kind: held[kind, "as if independent"])
    return (
        f"Where voters are {voters}, {_share(design.level)} intervals that take votes as independent hold "
        f"the true difference {_share(held[voters, 'as if independent'], 1)} of the time, intervals by voter "
        f"{_share(held[voters, 'by voter'], 1)}."
    )


def _anytime(design: Design, rows: Sequence[Row]) -> str:
    false = [row for row in rows if row["quantity"] == "false stop" and row["truth"] == "equal"]
    worst = {name: [row for row in false if row["test"] == name] for name in ("mcnemar", "betting")}
    told = []
    for name, found in worst.items():
        if found:
            row = max(found, key=lambda row: row["simulated"])
            share = row["simulated"] if row["exact"] is None else row["exact"]
            told.append(f"in {100 * share:.1f} % of runs by {name}")
    most = max(row["looks"] for row in rows)
    return (
        f"Looked at again and again up to {most:,} items, at α = {design.alpha:g}, two equal entries are "
        f"separated {' and '.join(told)}."
    )


def _ragged(design: Design, rows: Sequence[Row]) -> str:
    said = []
    for missing in dict.fromkeys(row["missing"] for row in rows):
        items = min(row["items"] for row in rows)
        shown = {
            row["policy"]: row["simulated"]
            for row in rows
            if row["missing"] == missing and row["items"] == items and row["simulated"] is not None
        }
        worst = max(shown, key=lambda policy: shown[policy])
        fitted = f"; fitted scores {100 * shown['fitted']:.0f} %" if "fitted" in shown else ""
        said.append(f"{missing}: {worst} {100 * shown[worst]:.0f} %{fitted}")
    return f"A wrong entry comes first most often with outcomes missing {'. Missing '.join(said)}."


SENTENCES = {
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
            "samples_needed_reruns speaks of these very items attempted again"
        )
        found.append(Note(code="no-number-of-samples", text=text))
    return found


def _points(value: float) -> str:
    return f"{100 * value:.1f} points"


def _samples(count: int) -> str:
    return f"{count} sample" if count == 1 else f"{count} samples"


def _distinct(rows: Sequence[Row], key: str) -> list[Row]:
    return list({row[key]: row for row in rows}.values())
