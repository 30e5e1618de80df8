"""Run every study and write studies/simulation: `./run python studies/make_simulation.py`."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.cli.main import run
from deadheat.simulating import STUDIES, World
from deadheat.simulating.cluster_study import truth
from deadheat.simulating.order_study import TIES

FOLDER = Path(__file__).resolve().parent / "simulation"
WORKERS = "2"
RHO = (0.2, 0.4)
Study = dict[str, Any]
SPREADS = (
    (164, 1, "3.9"),
    (164, 10, "2.7"),
    (500, 1, "2.3"),
    (500, 10, "1.5"),
    (2294, 1, "1.0"),
    (2294, 10, "0.7"),
)
POWERS = (
    (164, 1, "7 %"),
    (164, 20, "51 %"),
    (500, 1, "16 %"),
    (500, 20, "93 %"),
    (2294, 1, "72 %"),
    (2294, 20, "100 %"),
)


def command(study: str, form: str) -> list[str]:
    return ["simulate", study, "-o", f"studies/simulation/{study}.{form}"]


def value(study: Study, key: str = "exact", **cell: Any) -> float:
    """A number of the only row with this cell."""
    (row,) = [row for row in study["rows"] if all(row[name] == what for name, what in cell.items())]
    return float(row[key])


# What the paper prints, ours in the same unit and digits, and what is to be said of it. Ours is the exact
# value where there is one, else that of normal theory; never one simulated board.
def lines(found: dict[str, Study]) -> list[tuple[str, str, str, str]]:
    pass_k, spread, size = found["passk"], found["variance"], found["calibration"]
    power, mde, flips = found["power"], found["mde"], found["flips"]
    known, clusters = found["contamination"], found["clusters"]
    made: list[tuple[str, str, str, str]] = []

    def add(what: str, printed: str, ours: float, digits: int, unit: str, remark: str = "") -> None:
        number = "".join(c for c in printed if c in "0123456789.-")
        same = f"{ours:.{digits}f}" == number
        verdict = "reproduces" if same and not remark else remark or "does not reproduce"
        made.append((what, f"{printed}", f"{ours:.{max(digits, 1)}f}{unit}", verdict))

    truth = {"samples": 10, "estimator": "truth", "quantity": "mean"}
    plug = {"estimator": "plug-in", "samples": 10, "quantity": "mean"}
    one_board = "does not reproduce: one draw of 164 problems has an SD of 1.9 points"
    add("pass@10, true", "88.2 %", 100 * value(pass_k, **truth), 1, " %", one_board)
    add("pass@10, plug-in, 10 samples", "83.1 %", 100 * value(pass_k, **plug), 1, " %", one_board)
    for samples, printed in ((10, "-5.0"), (20, "-2.3")):
        bias = 100 * value(pass_k, estimator="plug-in", samples=samples, quantity="bias")
        add(
            f"bias of the plug-in, {samples} samples",
            printed,
            bias,
            1,
            "",
            "does not reproduce: the same draw",
        )
    bias = 100 * value(pass_k, estimator="plug-in", samples=200, quantity="bias")
    add("bias of the plug-in, 200 samples", "a quarter of a point", bias, 2, "", "reproduces")

    for items, samples, printed in SPREADS:
        sd = 100 * value(spread, items=items, samples=samples, quantity="SD of the score")
        remark = "" if f"{sd:.1f}" == printed else "last digit: the error of an SD from few replicates"
        add(f"SD of the score, {items} items, {samples} samples (points)", printed, sd, 1, "", remark)
    for samples, printed in ((10, "88 %"), (100, "98 %")):
        share = 100 * value(spread, items=164, samples=samples, quantity="share from items")
        remark = "" if f"{share:.0f} %" == printed else "last digit: the error of an SD from few replicates"
        add(f"share of variance from items, {samples} samples", printed, share, 0, " %", remark)

    one = 100 * value(size, items=164, samples=1, test="unpaired-z")
    add("unpaired test, equal entries, 1 sample", "1.7 %", one, 1, " %", "within the noise of few replicates")
    twenty = 100 * value(size, "normal", items=164, samples=20, test="unpaired-z")
    add("the same, 20 samples", "one in ten", twenty, 1, " %", "reproduces")
    paired = 100 * value(size, items=164, samples=1, test="z")
    add("paired test, equal entries, 1 sample", "5 %", paired, 0, " %")
    few = "does not reproduce; exact McNemar has {:.1f} %"
    for items, samples, printed in POWERS:
        ours = 100 * value(power, "normal", items=items, samples=samples, test="z")
        remark = "" if f"{ours:.0f} %" == printed else "within the noise of few replicates"
        if remark and samples == 1:
            remark = few.format(100 * value(power, items=items, samples=samples, test="mcnemar"))
        add(f"power at 3 points, {items} items, {samples} samples", printed, ours, 0, " %", remark)
    smallest = 100 * value(mde, items=164, samples=1)
    add("smallest visible difference, 164 items, 1 sample", "about 12", smallest, 0, " points")

    for items, printed in ((164, "9 %"), (2294, "71 %")):
        order = {"items": items, "quantity": "full order"}
        right = 100 * value(flips, "normal", ties="broken at random", **order)
        strict = 100 * value(flips, "normal", ties="counted wrong", **order)
        remark = "" if f"{right:.0f} %" == printed else f"reproduces with ties counted wrong ({strict:.1f} %)"
        add(f"full order right, {items} items", printed, right, 0, " %", remark)
    for items, printed in ((164, "63 %"), (2294, "94 %")):
        best = {"items": items, "quantity": "best on top"}
        top = 100 * value(flips, "normal", ties="broken at random", **best)
        add(
            f"best on top, {items} items", printed, top, 0, " %", "does not reproduce under any rule for ties"
        )

    for share, printed in ((0.05, "3.1"), (0.1, "5.6"), (0.2, "10.7")):
        gain = 100 * value(known, share=share, known="at random", quantity="inflation")
        add(f"memorised share {share:.0%} (points)", printed, gain, 1, "", "does not reproduce")
    for rho, printed in ((0.2, "1.9"), (0.4, "2.7")):
        inflation = value(clusters, "equal_clusters", rho=rho, quantity="variance inflation")
        add(f"variance inflation, clusters of 12, ρ = {rho}", printed, inflation, 2, "", "does not reproduce")
    for rho, printed in ((0.2, "1,240"), (0.4, "850")):
        effective = value(clusters, "equal_clusters", rho=rho, quantity="effective items")
        add(f"effective items of 2,294, ρ = {rho}", printed, effective, 0, "", "does not reproduce")
    return made


PAPER = """# A printed study, figure by figure

*Pass@k is not a ranking: the statistics of code-model leaderboards* describes a simulated world and
prints what it found. The same world, here by quadrature and by sums over every table; the orders by normal
theory, which the simulation confirms:

| figure | printed | here | verdict |
| --- | --- | --- | --- |
{rows}

Three sentences of that paper do not follow from its world:

- Memorised problems add *less* than their share, {random:.2f} of it when they are a random subset and
  {hard:.2f} of it even when the hardest tenth is memorised; the paper says more than the share.
- Clusters of 12 leave {effective} effective tasks of 2,294, not 1,240 and 850. If ρ were meant for the whole
  latent scale, affinity included, they would be {whole}.
- The best of five entries is on top of 164 problems {top} of the time ({top_strict} if ties count as wrong,
  {top_weak} if they count as right), not 63 %. The same entries are in their right order {order} of the time,
  as printed.

Made by `./run python studies/make_simulation.py`.
"""

README = """# Studies: the outputs of `deadheat simulate`

Each study at its own cells, 20,000 replicates, seed 0. The numbers do not depend on the number of workers.

| study | outputs | made by |
| --- | --- | --- |
{rows}
| a printed study, figure by figure | [paper.md](paper.md) | `./run python studies/make_simulation.py` |

`./run python studies/make_simulation.py` makes all of them again, and nothing else is in this folder.
"""


def whole_latent(rho: float) -> float:
    """Inflation by clusters of 12 when items of a cluster share their part of the affinity too."""
    return 1 + 11 * truth(World.of((0.45,), difficulty=float(np.hypot(1.9, 0.6)), affinity=0.0), 1, rho).icc


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    found: dict[str, Study] = {}
    for study in STUDIES:
        for form in ("json", "md"):
            code = run([*command(study, form)[:3], str(FOLDER / f"{study}.{form}"), "--workers", WORKERS])
            assert code == 0, study
        found[study] = json.loads((FOLDER / f"{study}.json").read_text())
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines(found))
    gain = {
        taken: value(found["contamination"], share=0.1, known=taken, quantity="inflation / share")
        for taken in ("at random", "hardest first")
    }
    flips, quantity = found["flips"], "effective items"
    top, top_strict, top_weak = (
        f"{value(flips, 'normal', items=164, quantity='best on top', ties=ties):.0%}" for ties in TIES
    )
    paper = PAPER.format(
        rows=table,
        random=gain["at random"],
        hard=gain["hardest first"],
        effective=" and ".join(
            f"{value(found['clusters'], 'equal_clusters', rho=rho, quantity=quantity):,.0f}" for rho in RHO
        ),
        whole=" and ".join(f"{2294 / whole_latent(rho):,.0f}" for rho in RHO),
        top=top,
        top_strict=top_strict,
        top_weak=top_weak,
        order=f"{value(flips, 'normal', items=164, quantity='full order', ties=TIES[0]):.1%}",
    )
    (FOLDER / "paper.md").write_text(paper, encoding="utf-8")
    rows = "\n".join(
        f"| {study} | [{study}.md]({study}.md), [{study}.json]({study}.json) "
        f"| `deadheat {' '.join(command(study, 'md'))}` |"
        for study in STUDIES
    )
    (FOLDER / "README.md").write_text(README.format(rows=rows), encoding="utf-8")


if __name__ == "__main__":
    main()
