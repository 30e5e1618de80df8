"""Figures: every kind of every document is drawn, from the numbers of the document."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import matplotlib
import msgspec
import pytest
from matplotlib import pyplot

from deadheat.errors import MethodError, MissingExtra
from deadheat.report import plots
from deadheat.results import Comparisons, Curve, Document, Flips
from deadheat.results.claims import PossibleBest
from deadheat.results.cost import CostLine, Costs
from deadheat.results.k_curves import KCurve
from report import boards, real_boards

SMALL = boards.with_pairs(boards.small())
PLAN = msgspec.structs.replace(
    boards.others()[0], curve=Curve(x="items", y="power", points=((100.0, 0.3), (500.0, 0.7), (900.0, 0.85)))
)
DOCUMENTS: list[Document] = [SMALL, boards.comparisons(3), PLAN, boards.others()[1]]
KINDS = [(document, kind) for document in DOCUMENTS for kind in plots.PLOTS[type(document)]]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    matplotlib.use("Agg")
    yield
    pyplot.close("all")


@pytest.mark.parametrize(("document", "kind"), KINDS, ids=lambda value: getattr(value, "schema", value))
def test_every_figure_is_drawn(document: Document, kind: str, tmp_path: Any) -> None:
    if kind == "costs":
        lines = [
            CostLine(entry=x.entry, value=x.value, cost=float(at), observed=at < 2, possible=at < 3)
            for at, x in enumerate(SMALL.entries)
        ]
        paid = Costs(column="dollars", lines=tuple(lines), observed=(), possible=(), possible_with_error=())
        document = msgspec.structs.replace(document, cost=paid)
    if kind == "curve" and isinstance(document, Comparisons):
        curve = KCurve(
            metric="pass@k",
            items=9,
            a=(0.2, 0.3),
            b=(0.1, 0.4),
            difference=(0.1, -0.1),
            low=(0.0, -0.2),
            high=(0.2, 0.0),
            level=0.95,
            leads=(),
            crossings=((1, 2),),
        )
        pairs = tuple(msgspec.structs.replace(pair, curve=curve) for pair in document.comparisons)
        document = msgspec.structs.replace(document, comparisons=pairs)
    ax = plots.plot(document, kind)
    ax.figure.savefig(tmp_path / "figure.pdf")
    assert plots.plot(document, kind, ax=ax) is ax


def test_a_forest_has_the_numbers_of_the_board() -> None:
    ax = plots.plot(SMALL)
    shown = [score for score in SMALL.entries if score.value is not None]
    bars = [
        line for line in ax.lines if len(line.get_xdata()) == 2 and line.get_ydata()[0] == line.get_ydata()[1]
    ]
    assert [tuple(line.get_xdata()) for line in bars] == [
        (100 * score.interval.low, 100 * score.interval.high) for score in shown if score.interval
    ]
    assert [label.get_text() for label in ax.get_yticklabels()] == [score.name for score in shown]
    assert "95 % interval" in ax.get_xlabel()


def test_the_pair_matrix_leaves_out_what_is_not_separated() -> None:
    image = plots.plot(SMALL, "pairs").images[0].get_array()
    assert SMALL.pairs is not None
    assert SMALL.pairs.p[0] is not None
    assert SMALL.pairs.p[0] >= 0.05
    assert image.mask[1][0]
    assert image[0][9] == pytest.approx(76.8)
    assert image[9][0] == pytest.approx(-76.8)


def test_a_margin_is_a_band() -> None:
    pair = msgspec.structs.replace(
        boards.comparisons(1).comparisons[0],
        margin=0.01,
        flips=(Flips(cluster="django", items=10, a_only=1, b_only=2),),
    )
    ax = plots.plot(msgspec.structs.replace(boards.comparisons(1), comparisons=(pair,)))
    assert (ax.patches[0].get_x(), ax.patches[0].get_width()) == (-1.0, 2.0)


@pytest.mark.parametrize(
    ("document", "kind", "words"),
    [
        (boards.others()[2], None, "no figure of a Study"),
        (SMALL, "pie", "known are forest, differences, ranks, pairs"),
        (boards.small(), "pairs", "every_pair"),
        (boards.others()[0], None, "no curve"),
    ],
)
def test_what_cannot_be_drawn(document: Document, kind: str | None, words: str) -> None:
    with pytest.raises(MethodError, match=words):
        plots.plot(document, kind)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"deadheat\[plot\]"):
        plots.plot(SMALL)


@pytest.mark.parametrize("format", plots.IMAGES)
@pytest.mark.parametrize("document", [SMALL, boards.one(), boards.comparisons(3), PLAN, boards.others()[1]])
def test_a_file_is_the_same_each_time(document: Document, format: str) -> None:
    text = plots.figure([document], format, "A title")
    assert text[:5] in (b"<?xml", b"\x89PNG\r", b"%PDF-")
    assert text == plots.figure([document], format, "A title")
    if format == "svg":
        assert b"A title" in text


def test_differences_are_those_of_the_board() -> None:
    ax = plots.plot(SMALL, "differences")
    shown = [score.vs_anchor for score in SMALL.entries if score.vs_anchor]
    bars = [tuple(line.get_xdata()) for line in ax.lines if len(set(line.get_xdata())) == 2]
    assert bars == [(100 * pair.interval.low, 100 * pair.interval.high) for pair in shown if pair.interval]
    assert "Difference to Tessera 4.1, points, 95 % interval" in ax.get_xlabel()


def test_figures_say_what_pages_say() -> None:
    """The star of who may be the best, the baseline in the title alone, the answer of a plan on its curve."""
    board = real_boards.board("plain")
    ax = plots.plot(board, "differences")
    (claim,) = [each for each in board.claims if isinstance(each, PossibleBest)]
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert [name[2:] for name in names if name.startswith("★ ")] == list(claim.entries)
    assert "★ may be the best: 95 % confidence" in ax.get_xlabel()
    same = tuple(msgspec.structs.replace(p, a=p.b, b="base") for p in boards.comparisons(3).comparisons)
    ax = plots.plot(msgspec.structs.replace(boards.comparisons(3), comparisons=same))
    assert [label.get_text() for label in ax.get_yticklabels()] == [pair.a for pair in same]
    assert ax.get_xlabel().startswith("Difference to base, points, 95 % interval")
    ax = plots.plot(msgspec.structs.replace(PLAN, answer={"items": 700, "items_to_run": 800}))
    assert [text.get_text() for text in ax.texts] == ["800 items"]
