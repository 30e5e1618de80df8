"""The explorer's answers: equal to the engine's, refused when out of bounds, given to this machine only."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from anyio.from_thread import start_blocking_portal
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat import planning
from deadheat.cli.main import run
from deadheat.covering.verb import coverage
from deadheat.demo import BOARD
from deadheat.estimand import Estimand
from deadheat.explorer.app import VIEWS, application
from deadheat.explorer.board_view import Held, opened
from deadheat.explorer.plan_view import QUESTIONS
from deadheat.explorer.rerun_view import METHODS, RERUNS
from deadheat.readers import read
from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.paired.paired_intervals import tango
from deadheat.stats.score import exact_coverage as exact
from deadheat.stats.score.binomial import wilson
from deadheat.stats.score.exact_coverage import COVERAGE_METHODS

PORT = 8123
OURS = f"http://127.0.0.1:{PORT}"


class Client:
    """A browser's place before the application; an exception inside it is raised here."""

    def __init__(self, held: Held | None = None) -> None:
        self._thread = start_blocking_portal()
        self._portal = self._thread.__enter__()
        transport = httpx.ASGITransport(application(held or Held(), PORT))
        self._client = httpx.AsyncClient(transport=transport, base_url=OURS)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self._portal.call(lambda: self._client.get(path, **options))

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self._portal.call(lambda: self._client.post(path, **options))

    def close(self) -> None:
        self._portal.call(self._client.aclose)
        self._thread.__exit__(None, None, None)


@pytest.fixture(scope="module")
def api() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


@pytest.fixture(scope="module")
def demo() -> Iterator[Client]:
    made = Client(opened([str(BOARD)]))
    yield made
    made.close()


@pytest.fixture(scope="module")
def own_for_all() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


@pytest.fixture
def own() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


def ask(api: Client, view: str, **query: Any) -> dict[str, Any]:
    answer = api.get(f"/api/{view}", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_default_scene_is_the_known_one(api: Client) -> None:
    found = ask(api, "rerun")
    assert found["method"] == "wilson"
    assert found["truth"] == 0.6
    ends = exact.interval_ends(wilson, 200, 0.95)
    assert found["promise"]["width"] == pytest.approx(0.1342128322907041, abs=1e-12)
    assert found["promise"]["coverage"] == float(exact.coverage(ends, 0.6))
    assert found["mean_width"] == pytest.approx(0.1342, abs=0.0005)
    assert len(found["low"]) == RERUNS


def test_reruns_are_scored_by_the_engine(api: Client) -> None:
    found = ask(api, "rerun", items=80, rate=0.3, method="clopper-pearson", level=0.9, seed=7)
    right = np.rint(np.array(found["score"]) * 80)
    low, high = COVERAGE_METHODS["clopper-pearson"](right, 80, 0.9)
    assert found["low"] == low.tolist()
    assert found["high"] == high.tolist()
    assert found["covered"] == [a <= 0.3 <= b for a, b in zip(low, high, strict=True)]
    count = np.cumsum(found["covered"])
    assert found["running"]["count"] == count.tolist()
    assert found["running"]["low"] == wilson(count, np.arange(1, 31), 0.95).low.tolist()


def test_a_seed_gives_the_same_reruns_and_another_seed_others(api: Client) -> None:
    assert ask(api, "rerun", seed=3) == ask(api, "rerun", seed=3)
    assert ask(api, "rerun", seed=3)["score"] != ask(api, "rerun", seed=4)["score"]


def test_reruns_of_the_same_items_move_the_truth_and_are_covered_more_often(api: Client) -> None:
    found = ask(api, "rerun", redraw="reruns", spread=2)
    assert found["truth"] != 0.6
    assert "these very 200 items" in found["truth_says"]
    assert found["promise"]["coverage"] > 0.97
    assert found["promise"]["error"] > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("redraw", ["items", "reruns"])
def test_every_method_of_reruns(api: Client, method: str, redraw: str) -> None:
    found = ask(api, "rerun", items=30, method=method, redraw=redraw)
    assert len(found["covered"]) == RERUNS
    several = api.get("/api/rerun", params={"items": 30, "samples": 4, "method": method, "redraw": redraw})
    fits = method in ("default", "score", "t", "wald-attempts", "percentile")
    assert several.status_code == (200 if fits else 400)
    assert fits or "use score or t" in several.json()["error"]


@pytest.mark.parametrize("method", COVERAGE_METHODS)
def test_coverage_is_that_of_the_verb(api: Client, method: str) -> None:
    [curve] = (found := ask(api, "coverage", methods=method, items=17, level=0.9))["curves"]
    verb = coverage(method, 17, level=0.9, rates=found["p"])
    assert curve["coverage"] == [value for _, value in verb.curve]
    assert curve["minimum"] == {key: verb.minimum[key] for key in ("p", "coverage")}
    assert curve["infimum"] == verb.infimum
    assert curve["mean"] == verb.mean


def test_coverage_of_the_seed(api: Client) -> None:
    curves = {each["method"]: each for each in ask(api, "coverage")["curves"]}
    worst = {name: round(100 * each["minimum"]["coverage"], 1) for name, each in curves.items()}
    assert worst == {"wald": 33.2, "wilson": 92.7, "clopper-pearson": 95.9}


def test_zoom_gives_the_rates_asked_for(api: Client) -> None:
    found = ask(api, "coverage", start=0.4, stop=0.41)
    assert found["p"][0] == 0.4
    assert found["p"][-1] == 0.41
    assert all(0.4 <= each["infimum_here"]["p"] <= 0.41 for each in found["curves"])


def test_the_tie_of_the_seed(api: Client) -> None:
    found = ask(api, "tie")
    low, high = wilson([341, 339], 500)
    assert [found["a"]["low"], found["b"]["low"]] == low.tolist()
    assert [found["a"]["high"], found["b"]["high"]] == high.tolist()
    assert found["unpaired"]["p"] == pytest.approx(0.892, abs=5e-4)
    assert found["unpaired"]["smallest"] == pytest.approx(0.08255648107207769, abs=1e-8)
    assert found["unpaired"]["items"] == 213_489
    assert found["verdict"].startswith("68.2 % and 67.8 % are not separated by 500 items")


@given(n=st.integers(1, 5000), x=st.floats(0, 1), y=st.floats(0, 1), agree=st.floats(0, 1))
def test_ties_are_tested_by_the_engine(api: Client, n: int, x: float, y: float, agree: float) -> None:
    a, b = round(x * n), round(y * n)
    found = ask(api, "tie", a=a, b=b, n=n, agree=agree)
    both, a_only, b_only, neither = found["cells"].values()
    assert min(both, a_only, b_only, neither) >= 0
    assert (both + a_only, both + b_only, both + a_only + b_only + neither) == (a, b, n)
    assert found["paired"]["p"] == float(mcnemar_exact(a_only, b_only).p)
    ends = tango(both, a_only, b_only, neither)
    assert (found["paired"]["low"], found["paired"]["high"]) == (float(ends.low), float(ends.high))


def test_agreeing_more_shows_smaller_differences(api: Client) -> None:
    seen = [ask(api, "tie", agree=agree)["paired"]["smallest"] for agree in (0, 0.4, 0.8)]
    assert seen == sorted(seen, reverse=True)


def test_plans_are_those_of_the_verb(api: Client) -> None:
    found = ask(api, "plan", question="items", rates="0.65, 0.60", discordance=0.2)
    assert found["plan"]["answer"] == planning.items((0.65, 0.6), discordance=0.2).answer
    found = ask(api, "plan", question="power", items=400, rates="0.65 0.60", noise=0.4, correlation=0.3)
    assert found["plan"]["answer"] == planning.power(400, (0.65, 0.6), correlation=0.3,
                                                     layout=planning.Layout(1, 0.4)).answer  # fmt: skip
    samples, power = found["curves"][1]["points"][2]
    layout = planning.Layout(samples, 0.4)
    assert power == planning.power(400, (0.65, 0.6), correlation=0.3, layout=layout).answer["power"]


COMPARED = {"rates": (0.65, 0.60), "correlation": 0.3}
PLANS: list[tuple[str, dict[str, Any], Callable[[], Any]]] = [
    ("margin", {"half_width": 0.02, "rate": 0.3}, lambda: planning.margin(0.02, 0.3)),
    ("margin", {"half_width": 2, "sd": 15}, lambda: planning.margin(2, sd=15)),
    (
        "items",
        {"rates": "0.65 0.65", "correlation": 0.5, "claim": "non-inferiority", "margin": 0.02},
        lambda: planning.items((0.65, 0.65), correlation=0.5, claim="non-inferiority", margin=0.02),
    ),
    (
        "power",
        {"rates": "0.6 0.61", "correlation": 0.5, "claim": "equivalence", "margin": 0.05, "items": 900},
        lambda: planning.power(900, (0.6, 0.61), correlation=0.5, claim="equivalence", margin=0.05),
    ),
    (
        "items",
        {"rates": "0.65 0.60", "correlation": 0.3, "cluster_size": 5, "icc": 0.1},
        lambda: planning.items(**COMPARED, layout=planning.Layout(cluster_size=5, icc=0.1)),
    ),
    ("items", {"difference": 3, "sd": 10}, lambda: planning.items(difference=3, sd=10)),
    ("mde", {"items": 300, "sd_difference": 4}, lambda: planning.mde(300, sd_difference=4)),
    ("mde", {"items": 300, "discordance": 0.2}, lambda: planning.mde(300, discordance=0.2)),
    (
        "samples",
        {"rates": "0.65 0.60", "correlation": 0.3, "noise": 0.5, "item_cost": 9, "budget": 9000},
        lambda: planning.samples(**COMPARED, noise=0.5, item_cost=9, sample_cost=1, budget=9000),
    ),
    ("board", {"rates": "0.7 0.6 0.5", "items": 200}, lambda: planning.board((0.7, 0.6, 0.5), 200)),
    (
        "board",
        {"rates": "0.7 0.6 0.5", "probability": 0.9, "correlation": 0.2},
        lambda: planning.board((0.7, 0.6, 0.5), probability=0.9, correlation=0.2),
    ),
]


@pytest.mark.parametrize(("question", "query", "plan"), PLANS)
def test_every_option_of_a_plan(
    api: Client, question: str, query: dict[str, Any], plan: Callable[[], Any]
) -> None:
    found, wanted = ask(api, "plan", question=question, **query), plan()
    assert found["plan"]["answer"] == wanted.answer
    assert found["plan"]["assumptions"] == json.loads(json.dumps(wanted.assumptions))
    assert found["summary"] == wanted.summary
    for curve in found["curves"]:
        assert len(curve["points"]) > 1
        assert all(isinstance(y, (int, float)) for _, y in curve["points"])


def test_curves_pass_through_the_answer(api: Client) -> None:
    found = ask(api, "plan", question="mde", items=400, correlation=0.5, rate=0.6)
    points = dict(map(tuple, found["curves"][0]["points"]))
    assert points[found["plan"]["answer"]["difference"]] == pytest.approx(0.8, abs=1e-6)
    found = ask(api, "plan", question="samples", correlation=0.3)
    costs = dict(map(tuple, found["curves"][0]["points"]))
    assert costs[found["plan"]["answer"]["samples"]] == min(costs.values()) == found["plan"]["answer"]["cost"]


def test_a_plan_takes_variances_from_the_data(demo: Client, api: Client) -> None:
    table = read([str(BOARD)])
    found = ask(demo, "plan", question="items", **{"from": "data", "first": "Gale 5", "second": "Orion"})
    assert (
        found["plan"]["answer"] == planning.items(observed=planning.observe(table, "Gale 5", "Orion")).answer
    )
    found = ask(demo, "plan", question="mde", items=800, cluster="repository", **{"from": "data"})
    observed = planning.observe(table, estimand=Estimand(cluster="repository"))
    assert found["plan"]["answer"] == planning.mde(800, observed=observed, layout=observed.layout()).answer
    found = ask(demo, "plan", question="margin", **{"from": "data", "first": "Orion"})
    assert (
        found["plan"]["answer"]
        == planning.margin(0.03, observed=planning.observe_score(table, "Orion")).answer
    )
    for client, question in ((api, "items"), (demo, "board")):
        answer = client.get("/api/plan", params={"question": question, "from": "data"})
        assert answer.status_code == 400


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_an_answer(api: Client, question: str) -> None:
    found = ask(api, "plan", question=question)
    assert found["plan"]["question"] == question
    assert found["summary"]


def test_the_board_is_that_of_the_command(demo: Client, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(BOARD), "--json", "--adjust", "holm", "--level", "0.9", "--test", "mid-p"]) == 0
    printed = json.loads(capsys.readouterr().out)
    answer = demo.get("/board.json", params={"adjust": "holm", "level": 0.9, "test": "mid-p"})
    assert answer.json() == printed
    page = demo.get("/board", params={"adjust": "holm"})
    assert page.headers["content-security-policy"] == "frame-ancestors 'self'"
    assert "<table" in page.text


def test_a_board_of_another_estimand(own: Client, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [
        f"{entry},{item},{sample},{(item * 7 + sample * 5 + skill) % 11 > 4:d},r{item % 9},c{item % 3}"
        for skill, entry in enumerate(["a", "b", "c"])
        for item in range(45)
        for sample in range(4)
    ]
    text = "\n".join(["entry,item,sample,score,repo,kind", *rows])
    (file := tmp_path / "r.csv").write_text(text)
    assert own.post("/api/file?name=r.csv", content=text, headers={"Origin": OURS}).status_code == 200
    assert own.get("/api/board").json()["columns"] == ["cluster", "kind"]
    for options, query in [
        (["--metric", "pass@k", "--k", "2"], {"metric": "pass@k", "k": 2}),
        (["--cluster", "repo", "--test", "t"], {"cluster": "repo", "test": "t", "k": 1}),
        (["--by", "kind"], {"by": "kind"}),
        (["--generalises-to", "reruns"], {"generalises_to": "reruns"}),
    ]:
        assert run(["rank", str(file), "--json", *options]) == 0
        printed, found = json.loads(capsys.readouterr().out), own.get("/board.json", params=query).json()
        for document in (printed, found):
            document["provenance"]["files"][0].pop("path")
        assert found == printed


def test_a_dropped_file_takes_the_place_of_the_last(own: Client) -> None:
    mine = own
    assert "no data yet" in mine.get("/api/board").json()["error"]
    rows = "entry,item,score\n" + "".join(
        f"{e},{i},{(i * 7 + len(e)) % 3 % 2}\n" for e in "ab" for i in range(9)
    )
    done = mine.post("/api/file?name=../../x%20y.csv", content=rows, headers={"Origin": OURS})
    assert done.json()["summary"] == "x y.csv: 2 entries, 9 items"
    assert mine.get("/api/board").json()["entries"]
    assert mine.get("/board.json").json()["provenance"]["files"][0]["path"] == "x y.csv"
    broken = mine.post("/api/file?name=x.csv", content="entry,item,score\na,1,x\n", headers={"Origin": OURS})
    assert broken.status_code == 400
    assert mine.get("/api/board").status_code == 200


@pytest.mark.parametrize(
    ("view", "query", "words"),
    [
        ("rerun", {"items": 10**9}, "from 2 to 5,000"),
        ("rerun", {"items": 5000, "samples": 5000}, "samples"),
        ("rerun", {"level": "nan"}, "level"),
        ("rerun", {"walt": 1}, "walt"),
        ("coverage", {"items": 10**9}, "items"),
        ("coverage", {"items": 20_000, "methods": "wilson,wald,bayes"}, "at most 40,000"),
        ("coverage", {"start": 0.5, "stop": 0.5}, "wide"),
        ("coverage", {"methods": "walt"}, "walt"),
        ("tie", {"n": 10**9}, "n"),
        ("tie", {"a": 501}, "501"),
        ("plan", {"question": "power", "items": 10**9}, "items"),
        ("plan", {"rates": "0.6 0.5999"}, "0.004"),
        ("plan", {"rates": "0.6"}, "two"),
        ("plan", {"rates": "0.65 0.6", "discordance": 0.001}, "discordance"),
        ("board", {"adjust": "walt"}, "none, holm"),
        ("board", {"cluster": "walt"}, "walt"),
    ],
)
def test_refusals_say_why(demo: Client, view: str, query: dict[str, Any], words: str) -> None:
    answer = demo.get(f"/api/{view}", params=query)
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert demo.get("/api/tie").status_code == 200


HOSTS = [
    "evil.example",
    f"evil.example:{PORT}",
    "127.0.0.1",
    f"127.0.0.1:{PORT + 1}",
    "127.0.0.1.evil.example",
    "",
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_host_is_refused(api: Client, host: str) -> None:
    for path in ("/", "/explore.js", "/api/tie", "/board.json"):
        assert api.get(path, headers={"Host": host}).status_code == 403


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://[", OURS + "1"]
)
def test_a_foreign_origin_is_refused(api: Client, origin: str) -> None:
    assert api.get("/api/tie", headers={"Origin": origin}).status_code == 403
    assert api.post("/api/file?name=a.csv", content="x", headers={"Origin": origin}).status_code == 403


def test_a_file_needs_an_origin_and_a_size(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert api.post("/api/file?name=a.csv", content="x").status_code == 403
    monkeypatch.setattr("deadheat.explorer.app.MOST_BYTES", 10)
    answer = api.post("/api/file?name=a.csv", content="x" * 11, headers={"Origin": OURS})
    assert answer.status_code == 413


def test_localhost_is_this_machine_too(api: Client) -> None:
    assert api.get("/api/tie", headers={"Host": f"localhost:{PORT}"}).status_code == 200


def test_every_answer_is_guarded(api: Client) -> None:
    for path in ("/", "/explore.css", "/explore.js", "/api/tie", "/nowhere", "/api/walt", "/explore.py"):
        answer = api.get(path)
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["x-content-type-options"] == "nosniff"
    page = api.get("/").text
    assert "http" + "://" not in page
    assert " style=" not in page


NAMES = [
    "items",
    "samples",
    "rate",
    "spread",
    "method",
    "level",
    "redraw",
    "seed",
    "methods",
    "start",
    "stop",
    "a",
    "b",
    "n",
    "agree",
    "question",
    "rates",
    "power",
    "discordance",
    "correlation",
    "alpha",
    "half_width",
    "noise",
    "cluster_size",
    "icc",
    "item_cost",
    "sample_cost",
    "budget",
    "test",
    "interval",
    "adjust",
    "cluster",
    "anchor",
    "from",
    "first",
    "second",
    "claim",
    "margin",
    "difference",
    "sd",
    "sd_difference",
    "probability",
    "metric",
    "k",
    "tau",
    "by",
    "generalises_to",
    "weights",
    "failed",
    "absent",
]
ODD = ["", "nan", "inf", "-1", "0", "1", "1e308", "0.5", "0.9", "2", "17", "0.65 0.6", "9" * 30]
ODD += ["t", "wilson", "reruns", "margin", "power", "samples", "board", "mde", "holm", "category"]
ODD += ["data", "Orion", "equivalence", "non-inferiority", "pass@k", "maj@k", "repository", "drop", "refuse"]
PLANNED = ["items", "samples", "noise", "rates", "power", "discordance", "correlation", "alpha", "icc"]
PLANNED += ["claim", "margin", "difference", "sd", "sd_difference", "probability", "cluster_size", "from"]
WORDS = st.one_of(
    st.sampled_from(ODD),
    st.floats(allow_nan=True).map(str),
    st.integers(-5, 300).map(str),
    st.text(max_size=12),
)


@settings(max_examples=120)
@given(
    view=st.sampled_from([*VIEWS, "board"]), query=st.dictionaries(st.sampled_from(NAMES), WORDS, max_size=5)
)
def test_whatever_is_asked_is_answered_or_refused(demo: Client, view: str, query: dict[str, str]) -> None:
    began = time.process_time()
    answer = demo.get(f"/api/{view}", params=query)
    assert time.process_time() - began < 20  # of all threads; no question hangs
    assert answer.status_code in (200, 400), answer.text
    assert len(answer.content) < 500_000
    assert answer.json()["summary" if answer.status_code == 200 else "error"]


@settings(max_examples=60)
@given(
    question=st.sampled_from(list(QUESTIONS)),
    query=st.dictionaries(
        st.sampled_from(PLANNED), st.one_of(st.floats(0, 1).map(str), st.sampled_from(ODD)), max_size=4
    ),
)
def test_plans_never_break(demo: Client, question: str, query: dict[str, str]) -> None:
    answer = demo.get("/api/plan", params={"question": question, **query})
    assert answer.status_code in (200, 400), answer.text


@settings(max_examples=40)
@given(
    items=st.integers(2, 60), samples=st.integers(1, 4), rate=st.floats(0.001, 0.999), spread=st.floats(0, 4),
    method=st.sampled_from(METHODS), redraw=st.sampled_from(["items", "reruns"]), seed=st.integers(0, 9),
)  # fmt: skip
def test_reruns_never_break(api: Client, **query: Any) -> None:
    answer = api.get("/api/rerun", params=query)
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 200:
        found = answer.json()
        assert 0 <= found["truth"] <= 1
        assert len(found["low"]) == RERUNS


CONTENTS = st.one_of(
    st.binary(max_size=200),
    st.sampled_from(
        [b"entry,item,score\na,1,1\nb,1,0\n", b'{"a": [1, {"b": null}]}', b"[]", b"PK\x03\x04", b"PAR1"]
    ),
    st.lists(
        st.sampled_from([b"entry", b"item", b"score", b",", b"\n", b"1", b"a", b'"', b"\xff", b"{", b"]"])
    ).map(b"".join),
)


@settings(max_examples=60)
@given(
    name=st.one_of(
        st.text(max_size=20), st.sampled_from(["../x.csv", "a.jsonl", "b.parquet", "c.eval", "d.csv.gz"])
    ),
    content=CONTENTS,
)
def test_whatever_is_dropped_is_read_or_refused(own_for_all: Client, name: str, content: bytes) -> None:
    answer = own_for_all.post("/api/file", params={"name": name}, content=content, headers={"Origin": OURS})
    assert answer.status_code in (200, 400), answer.text
    assert answer.json()["summary" if answer.status_code == 200 else "error"]


@pytest.mark.parametrize("name", ["uvicorn", "starlette.applications"])
def test_a_missing_extra_is_named(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "deadheat.explorer.app", raising=False)
    assert run(["explore", "--no-open"]) == 1
    assert "pip install 'deadheat[explore]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("port", "code", "words"), [("70000", 2, "from 0 to 65535"), ("taken", 1, "cannot be had")]
)
def test_a_port_that_cannot_be_had(
    port: str, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        asked = str(other.getsockname()[1]) if port == "taken" else port
        assert run(["explore", "--no-open", "--port", asked]) == code
    assert words in capsys.readouterr().err
