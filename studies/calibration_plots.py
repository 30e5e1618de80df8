"""Pictures of the calibration: `python studies/calibration_plots.py` draws calibration.json for the docs."""

import json
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
IMAGES = HERE.parent / "docs" / "images"
SHOWN = {
    "wilson": "#0072b2",
    "score": "#0072b2",
    "clopper-pearson": "#000000",
    "wald": "#d55e00",
    "t": "#e69f00",
    "bell-mccaffrey": "#cc79a7",
    "mcnemar": "#0072b2",
    "mid-p": "#009e73",
    "mcnemar-chi2": "#d55e00",
    "unpaired-z": "#888888",
}


def panels(rows: list[dict], key: str, value: str, cases: list[dict], titles: list[str]) -> plt.Figure:
    """One panel a case: a value over the number of items, a line a method, the nominal one dotted."""
    figure, axes = plt.subplots(1, len(cases), figsize=(9, 3), sharey=True, layout="constrained")
    for axis, case, title in zip(axes, cases, titles, strict=True):
        here = [row for row in rows if all(row[name] == wanted for name, wanted in case.items())]
        for name in dict.fromkeys(row[key] for row in here if row[key] in SHOWN):
            line = sorted((row["items"], 100 * row[value]) for row in here if row[key] == name)
            axis.plot(*zip(*line, strict=True), label=name, color=SHOWN[name], marker="o", ms=3, lw=1.2)
        axis.axhline(95 if value == "coverage" else 5, color="#888888", ls=":", lw=1)
        axis.set(xscale="log", xlabel="items", title=title)
        axis.set_xticks([20, 50, 200, 500, 2000], ["20", "50", "200", "500", "2,000"], minor=False)
        axis.minorticks_off()
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(fontsize=7, frameon=False)
    return figure


def main() -> None:
    mpl.rcParams.update({"svg.hashsalt": "deadheat", "font.size": 8, "svg.fonttype": "path"})
    found = json.loads((HERE / "calibration.json").read_text())
    cases = [
        {"rate": 0.9, "samples": 1, "cluster_size": 1},
        {"rate": 0.99, "samples": 1, "cluster_size": 1},
        {"rate": 0.9, "samples": 5, "cluster_size": 12},
    ]
    titles = ["rate .9, one sample", "rate .99, one sample", "rate .9, 5 samples, clusters of 12"]
    figure = panels(found["intervals"], "method", "coverage", cases, titles)
    figure.axes[0].set(ylabel="coverage of 95 % intervals, %", ylim=(50, 101))
    figure.savefig(IMAGES / "calibration-intervals.svg", metadata={"Date": None})
    same = {"rate": 0.9, "samples": 1, "cluster_size": 1}
    cases = [{**same, "alike": 0.0}, {**same, "alike": 0.9}, {**same, "cluster_size": 12, "alike": 0.5}]
    titles = ["unlike entries", "entries alike to .9", "alike to .5, clusters of 12"]
    figure = panels(found["tests"], "test", "size", cases, titles)
    figure.axes[0].set(ylabel="equal entries separated at 5 %, %", ylim=(0, 12))
    figure.savefig(IMAGES / "calibration-tests.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
