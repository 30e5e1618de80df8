"""Leaderboard documents made on the spot."""

import json

from deadheat.annotating.site_layout import SWEBENCH
from deadheat.annotating.site_reader import read_site


def entry(folder, published, scores, **more):
    """One entry: a published rate in per cent, and item -> outcome (a list names the items itself)."""
    if isinstance(scores, list | tuple):
        scores = {f"repo__repo-{i}": score for i, score in enumerate(scores)}
    made = {"name": f"The {folder}", "folder": folder, "resolved": published, **more}
    if scores is not None:
        made["per_instance_details"] = {
            item: {"cost": 0.5, "resolved": s if s is None else bool(s)} for item, s in scores.items()
        }
    return made


def document(*entries, board="main"):
    return {"leaderboards": [{"name": board, "results": list(entries)}]}


def site_of(tmp_path, made, layout=SWEBENCH, **style):
    path = tmp_path / "leaderboards.json"
    path.write_text(made if isinstance(made, str) else json.dumps(made, **style), encoding="utf-8")
    return read_site(path, layout)


def right(k, n):
    """k right items, then n - k wrong ones."""
    return [1] * k + [0] * (n - k)
