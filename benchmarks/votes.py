"""Boards of votes beside packages that fit Bradley and Terry's model, from the file to the answer.

Equal: strengths with a tie as half a win of each agree to 1e-5. Ours has errors by voter and prompt, all
pairs, groups and rank intervals; what a peer gives stands in its row.
"""

import json
import tempfile
from pathlib import Path

import numpy as np

import deadheat as dh
from benchmarks.harness import measured, peers, process, timed
from deadheat.voting.evidence_of_votes import Setting

PEERS = {
    "evalica": "strengths",
    "choix": "strengths",
    "arena-rank": "strengths, errors as if votes were independent",
    "fastchat": "strengths, with a ridge penalty",
}
DRAWS, OF = 10, 1000  # resamples that are timed, and that evalica takes unless told


def votes(path: Path, count: int, entries: int, voters: int, prompts: int) -> None:
    """Write simulated votes with their voters and prompts, as CSV or Parquet."""
    import duckdb

    rng = np.random.default_rng(0)
    strength = rng.normal(0, 0.5, entries)
    a = rng.integers(0, entries, count)
    b = (a + rng.integers(1, entries, count)) % entries
    won = rng.random(count) < 1 / (1 + np.exp(strength[b] - strength[a]))
    outcome = np.where(rng.random(count) < 0.2, 1, np.where(won, 0, 2))
    columns = {"a": a, "b": b, "w": outcome}
    columns |= {"v": rng.integers(0, voters, count), "q": rng.integers(0, prompts, count)}
    connection = duckdb.connect()
    connection.register("drawn", columns)
    form = "PARQUET" if path.suffix == ".parquet" else "CSV"
    connection.execute(
        "COPY (SELECT printf('model-%04d', a) AS model_a, printf('model-%04d', b) AS model_b, "
        "['model_a', 'tie', 'model_b'][w + 1] AS winner, 'user-' || v AS judge, 'q-' || q AS question_id "
        f"FROM drawn) TO '{path}' (FORMAT {form})"
    )


def beside(count: int, entries: int) -> list[dict]:
    """Time ours and each peer on one CSV file."""
    name = f"{count:,} votes, {entries} entries"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.csv"
        votes(path, count, entries, count // 50, count // 200)
        ours, _ = timed(lambda: dh.rank_votes(dh.read_votes(path)))
        plain = dh.rank_votes(dh.read_votes(path), setting=Setting(ties="half", cluster="none"))
        mine = {line.entry: (line.value, line.se) for line in plain.entries}
        strength, error = np.array([mine[entry] for entry in sorted(mine)]).T
        rows = []
        for peer, gives in [*PEERS.items(), ("evalica", f"errors by {OF:,} resamples")]:
            draws = DRAWS if "resamples" in gives else 0
            program = Path(__file__).parent / "programs" / "votes.py"
            done = process([str(peers() / "python"), str(program), str(path), peer, str(draws)], limit=300)
            row = {"workload": name, "ours_s": ours, "peer": peer, "gives": gives}
            if done.code != 0:
                rows.append(row | {"gives": f"{gives}: {'stopped' if done.code is None else done.output}"})
                continue
            seconds, theirs, errors = json.loads(done.output.splitlines()[-1])
            taken = seconds * OF / draws if draws else seconds
            rows.append(
                row
                | {
                    "peer_s": taken,
                    "ratio": taken / ours,
                    "timed": f"{draws} of {OF:,} resamples" if draws else "all",
                    "strengths differ by": float(np.abs(np.array(theirs) - strength).max()),
                    "errors differ by": None
                    if errors is None
                    else float(np.abs(np.array(errors) / error - 1).max()),
                }
            )
    return rows


def large(count: int, entries: int) -> dict:
    """Time the whole of `rank` on a large Parquet file, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.parquet"
        votes(path, count, entries, count // 50, count // 200)
        seconds, peak = measured("votes", str(path))
    return {
        "workload": f"{count:,} votes, {entries} entries, parquet",
        "ours_s": seconds,
        "peak_mb": peak,
        "gives": "strengths, errors by voter and prompt, all pairs, groups, ranks",
    }


def run(quick: bool) -> list[dict]:
    if quick:
        return beside(20_000, 20)
    return [*beside(100_000, 100), large(10_000_000, 300)]


def targets(rows: list[dict]) -> list[tuple[str, str, float, bool]]:
    last = rows[-1]
    same = ("evalica", "choix", "arena-rank")  # FastChat's has a penalty
    alike = [row["strengths differ by"] for row in rows if row.get("peer") in same]
    return [
        ("votes, 10^7 x 300, seconds", "<= 10 s", last["ours_s"], last["ours_s"] <= 10),
        ("votes, 10^7 x 300, memory", "<= 1 GB", last["peak_mb"] / 1000, last["peak_mb"] <= 1000),
        ("votes, strengths equal to peers'", "<= 1e-5", max(alike), max(alike) <= 1e-5),
    ]


if __name__ == "__main__":
    import sys

    print(json.dumps(timed(lambda: len(dh.rank_votes(dh.read_votes(sys.argv[1])).entries), 1)[0]))
