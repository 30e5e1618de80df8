"""Structure-aware fuzzing of annotate and the explorer: `python tests/fuzzing/fuzz_site.py [--seconds N]`.

A leaderboard document, a layout, an upload or a query is mutated: a value, a key or a place is changed and
the rest stays valid. Whatever comes is refused in a sentence or answered. An answer keeps its promises: the
document holds what it held, numbers are finite, groups cover the entries that have numbers.
"""

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import anyio
import httpx
import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from deadheat.annotating.site_layout import SWEBENCH, Layout, read_layout
from deadheat.annotating.site_reader import read_site
from deadheat.annotating.site_text import checked, written
from deadheat.annotating.verb import annotate
from deadheat.cli.site_page import page
from deadheat.errors import DeadheatError
from deadheat.explorer.app import VIEWS, application
from deadheat.explorer.board_view import Held
from deadheat.report import fragment, phrases, render
from fuzzing.fuzz_mutate import mutate
from sites import document, entry

PORT = 8123
OURS = {"Origin": f"http://127.0.0.1:{PORT}"}
WORDS = (
    "|0|1|-1|0.5|1e9|nan|inf|1e-320|a|q1|mcnemar|t|holm|max-t|items|reruns|pass@k|category|\x00|0.65 0.60"
    "|wald,wilson|" + "é" * 50
).split("|")
OPTIONS = (
    "items level alpha test interval adjust by anchor metric k cluster question rates difference n a b agree "
    "methods start stop samples method power discordance claim margin weights absent failed"
)
NAMES = OPTIONS.split(" ")
ROWS = "".join(f"e{e},q{i},{(e * i) % 3 % 2},c{i % 2}\n" for e in range(4) for i in range(9))
CSV = f"entry,item,score,category\n{ROWS}"


def site(rng: random.Random) -> str:
    """A document of a few entries, boards within boards among them."""
    rows = [
        entry(f"e{e}", 10.0 * e, [int(rng.random() < e / 8) for _ in range(rng.randrange(1, 12))])
        for e in range(6)
    ]
    made = document(*rows)
    if rng.random() < 0.3:
        made["leaderboards"][0]["leaderboards"] = document(*rows[:3], board="inner")["leaderboards"]
    return json.dumps(made, indent=rng.choice((None, 1)))


def annotated(folder: Path, rng: random.Random) -> str:
    """Annotate a mutated document, or one with a mutated layout."""
    path, layout = folder / "site.json", SWEBENCH
    text = site(rng).encode()
    if rng.random() < 0.7:
        text = mutate(text, rng.randrange(2**32), 10**6) or text
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text))]
    path.write_bytes(text)
    if rng.random() < 0.4:
        own = json.dumps(msgspec.structs.asdict(Layout())).encode()
        (folder / "layout.json").write_bytes(mutate(own, rng.randrange(2**32), 10**5) or own)
        layout = read_layout(folder / "layout.json")
    found = read_site(path, layout)
    annotation = annotate(found, test=rng.choice((None, None, "t", "mid-p")))
    out = "".join(written(found, annotation, "fuzzed"))
    json.loads(out)
    checked(found)
    render([annotation], "json").encode()
    page(found, annotation, (), None)
    fragment.fragment(annotation)
    phrases.remarks({name: board.statistics for name, board in annotation.boards.items()})
    for name, board in annotation.boards.items():
        members = [member for group in board.statistics.groups for member in group.members]
        numbered = [line.entry for line in board.entries.values() if line.group is not None]
        assert sorted(members) == sorted(numbered), name
        assert board.statistics.annotated == len(members)
    removed = json.loads(out)
    _without(removed, "fuzzed")
    before = json.loads(found.text)
    _without(before, "fuzzed")
    assert json.dumps(removed) == json.dumps(before)
    return "answered"


def _without(value: object, key: str) -> None:
    if isinstance(value, dict):
        value.pop(key, None)
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _without(each, key)


async def asked(client: httpx.AsyncClient, rng: random.Random) -> str:
    """Ask the explorer for a view with odd parameters, or drop a mutated file in."""
    if rng.random() < 0.3:
        content = mutate(CSV.encode(), rng.randrange(2**32), 10**6) or CSV.encode()
        name = rng.choice(["a.csv", "../b.csv", "c.json", "d.jsonl", "e.parquet", "\x00", "x" * 300])
        answer = await client.post("/api/file", params={"name": name}, content=content, headers=OURS)
    else:
        view = rng.choice([*(f"/api/{view}" for view in VIEWS), "/api/board", "/board.json", "/board"])
        query = [(rng.choice(NAMES), rng.choice(WORDS)) for _ in range(rng.randrange(4))]
        answer = await client.get(view, params=query)
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 400:
        assert answer.json()["error"]
        assert tempfile.gettempdir() + "/deadheat-" not in answer.text, answer.text
        return "refused"
    return "answered"


async def explored(rng: random.Random, until: float, counts: Counter, faults: list[str]) -> None:
    """Ask the explorer until the time is up."""
    transport = httpx.ASGITransport(application(Held(), PORT))
    async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}") as client:
        while time.monotonic() < until:
            state = rng.getstate()
            try:
                counts["explorer", await asked(client, rng)] += 1
            except Exception:
                counts["explorer", "broke"] += 1
                faults.append(f"explorer, state {hash(state)}:\n{traceback.format_exc(limit=-6)}")


def main() -> int:
    """Fuzz both for half of the time each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng, counts, faults = random.Random(options.seed), Counter(), []
    half = time.monotonic() + options.seconds / 2
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < half:
            try:
                counts["annotate", annotated(Path(folder), rng)] += 1
            except DeadheatError as error:
                counts["annotate", "refused"] += 1
                if len(str(error)) > 2000:
                    faults.append(f"annotate: a refusal of {len(str(error)):,} characters: {error!s:.80}")
            except Exception:
                counts["annotate", "broke"] += 1
                faults.append(f"annotate:\n{traceback.format_exc(limit=-6)}")
    anyio.run(explored, rng, half + options.seconds / 2, counts, faults)
    for (what, how), count in sorted(counts.items()):
        print(f"{what}: {count:,} {how}")
    for fault, times in Counter(faults).most_common(20):
        print(f"\n{times} x {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
