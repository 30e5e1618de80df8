"""Make the simulated board that ships with the package: run it to write src/deadheat/demo/board.csv again."""

import csv
from pathlib import Path

import numpy as np

from deadheat.seeds import stream

# Invented entries and the skill (in logits) each is given; the first four are close on purpose.
SKILLS = {
    "Orion Heavy": 1.35,
    "Tessera Pro": 1.25,
    "Gale 5": 1.20,
    "Kestrel M2": 1.05,
    "Orion": 0.70,
    "Qilin Max": 0.55,
    "Basalt": 0.10,
    "Gale 5 mini": 0.00,
    "Grove 4": -0.80,
    "Lumen 70B": -1.90,
    "Lumen 8B": -3.20,
    "Pebble 1B": -40.0,
}
REPOSITORIES = 12
ITEMS = 250
HERE = Path(__file__).resolve().parent.parent / "src" / "deadheat" / "demo" / "board.csv"


def main() -> None:
    """Simulate items in repositories of shared difficulty, and write one attempt of each entry at each."""
    rng = stream(2026, "demo")
    repository = np.sort(rng.integers(REPOSITORIES, size=ITEMS))
    difficulty = 0.7 * rng.normal(size=REPOSITORIES)[repository] + 1.7 * rng.normal(size=ITEMS)
    affinity = 0.6 * rng.normal(size=(len(SKILLS), ITEMS))
    skill = np.array(list(SKILLS.values()))[:, None]
    right = rng.random((len(SKILLS), ITEMS)) < 1 / (1 + np.exp(difficulty - skill - affinity))
    failed = rng.random((len(SKILLS), ITEMS)) < 0.004
    with HERE.open("w", newline="", encoding="utf-8") as stream_:
        writer = csv.writer(stream_, lineterminator="\n")
        writer.writerow(["entry", "item", "score", "status", "repository"])
        for e, entry in enumerate(SKILLS):
            for i in range(ITEMS):
                score, status = ("", "failed") if failed[e, i] else (int(right[e, i]), "scored")
                writer.writerow([entry, f"sim-{i:03d}", score, status, f"repo-{repository[i]:02d}"])


if __name__ == "__main__":
    main()
