"""Seconds, strengths and errors of a peer's Bradley-Terry fit of a file of votes: FILE PEER [DRAWS].

A tie is half a win of each, as all of them take it; strengths are log odds that sum to 0.
"""

import ast
import importlib.util
import json
import math
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

WORDS = {"model_a": 1.0, "tie": 0.5, "model_b": 0.0}


def evalica(frame, draws):
    """Strengths by evalica; with draws, errors by its bootstrap."""
    import evalica as peer

    winner = {1.0: peer.Winner.X, 0.5: peer.Winner.Draw, 0.0: peer.Winner.Y}
    data = frame.model_a, frame.model_b, frame.winner.map(WORDS).map(winner)
    if draws:
        made = peer.bootstrap(
            peer.bradley_terry, *data, n_resamples=draws, bootstrap_method="percentile", tolerance=1e-12
        )
        return np.log(made.result.scores), None
    return np.log(peer.bradley_terry(*data, tolerance=1e-12, limit=10_000).scores), None


def choix(frame, draws):
    """Strengths by choix, which has no ties: every vote twice, a tie once each way."""
    import choix as peer

    codes, names = pd.factorize(pd.concat([frame.model_a, frame.model_b]), sort=True)
    a, b = codes[: len(frame)], codes[len(frame) :]
    score = frame.winner.map(WORDS).to_numpy()
    won = np.stack([np.where(score >= 0.5, a, b), np.where(score >= 0.5, b, a)], axis=1)
    again = np.stack([np.where(score > 0.5, a, b), np.where(score > 0.5, b, a)], axis=1)
    data = np.concatenate([won, again]).tolist()
    return pd.Series(peer.ilsr_pairwise(len(names), data), index=names), None


def arena_rank(frame, draws):
    """Strengths and errors by the package that LMArena publishes."""
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    data = PairDataset.from_pandas(frame)
    model = BradleyTerry(n_competitors=len(data.competitors), ftol=1e-14, gtol=1e-12)
    made = model.compute_ratings_and_cis(data)
    scale = 400 / math.log(10)
    index = made["competitors"]
    strength = pd.Series(np.asarray(made["ratings"]) / scale, index=index)
    return strength, pd.Series(np.sqrt(np.asarray(made["variances"])) / scale, index=index)


def fastchat(frame, draws):
    """Strengths by FastChat's script: a logistic regression, with its ridge penalty."""
    # Its module imports torch; the function itself needs three libraries.
    (folder,) = importlib.util.find_spec("fastchat").submodule_search_locations
    text = (Path(folder) / "serve" / "monitor" / "elo_analysis.py").read_text()
    name = "compute_elo_mle_with_tie"
    (made,) = (one for one in ast.parse(text).body if getattr(one, "name", None) == name)
    known = {"np": np, "pd": pd, "math": math}
    exec(compile(ast.Module([made], []), "elo_analysis.py", "exec"), known)
    return known[name](frame) / (400 / math.log(10)), None


if __name__ == "__main__":
    path, peer, draws = sys.argv[1], sys.argv[2], int(sys.argv[3])
    fit = {"evalica": evalica, "choix": choix, "arena-rank": arena_rank, "fastchat": fastchat}[peer]
    fit(pd.read_csv(path, nrows=2000), min(draws, 2))  # imports are not what is timed
    start = time.perf_counter()
    strength, error = fit(pd.read_csv(path), draws)
    seconds = time.perf_counter() - start
    strength = strength.sort_index() - strength.mean()
    print(json.dumps([seconds, strength.tolist(), None if error is None else error.sort_index().tolist()]))
