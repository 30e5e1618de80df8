"""The stand-ins for numpy and scipy against numpy and scipy, and the translation against the original."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from asked import ASKED, expected, near, without_words
from deadheat.explorer.browser import functions, legendre, making, math_, numpy_
from deadheat.explorer.browser import special as own
from deadheat.explorer.browser.arrays import Array, asarray
from deadheat.explorer.browser.bundle import sources
from deadheat.explorer.browser.language import _cached, _shown
from deadheat.explorer.browser.translate import translated

SHAPES = [(), (1,), (4,), (3, 1), (3, 4), (1, 4), (2, 3, 1), (2, 1, 4), (2, 3, 4)]
FITS = [(a, b) for a in SHAPES for b in SHAPES if np.broadcast_shapes((1,), a) is not None
        and all(x == y or 1 in (x, y) for x, y in zip(a[::-1], b[::-1], strict=False))]  # fmt: skip


def made(shape: tuple[int, ...], seed: int = 0) -> tuple[Any, Array]:
    array = np.round(np.random.default_rng([seed, *shape]).normal(0, 3, shape), 3)
    return array, asarray(array.tolist())


def same(found: Any, wanted: Any) -> None:
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(np.array(found.tolist()), wanted, rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize(("a", "b"), FITS)
def test_operations_broadcast_as_numpys(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    (x, p), (y, q) = made(a), made(b, 1)
    for name in ("add", "sub", "mul", "truediv", "lt", "le", "gt", "ge", "eq", "ne"):
        same(getattr(p, f"__{name}__")(q), getattr(np.asarray(x), f"__{name}__")(np.asarray(y)))
    same(functions.maximum(p, q), np.maximum(x, y))
    same(functions.where(functions.isnan(p), p, q), np.where(np.isnan(x), x, y))
    same(functions.clip(p, -1, q), np.clip(x, -1, y))
    same(2 - p, np.asarray(2 - x))
    same(1 / p, np.asarray(1 / x))


@pytest.mark.parametrize("key", [
    0, -1, slice(1, None), slice(None, None, -1), (slice(None), 1), (slice(None), None), (0, slice(1, 3)),
    (slice(None, -1), None, slice(None)), (slice(None), slice(1, None)), (Ellipsis, None),
])  # fmt: skip
def test_indices_point_where_numpys_do(key: Any) -> None:
    x, p = made((3, 4))
    same(p[key], x[key])
    x[key], p[key] = 7.0, 7.0
    same(p, x)


def test_picking_and_putting() -> None:
    x, p = made((6,))
    places, mask = np.array([[0, 5], [2, 2]]), x > 0
    same(p[asarray(places.tolist())], x[places])
    same(p[p > 0], x[mask])
    x[mask], p[p > 0] = 1.5, 1.5
    same(p, x)
    x[:2], p[:2] = [8.0, 9.0], asarray([8.0, 9.0])
    same(p, x)


def test_sums_and_shapes() -> None:
    x, p = made((2, 3, 4))
    for axis in range(3):
        same(p.sum(axis=axis), x.sum(axis=axis))
        same(p.prod(axis=axis), x.prod(axis=axis))
        same(p.sum(axis=axis, keepdims=True), x.sum(axis=axis, keepdims=True))
    assert p.max() == x.max()
    assert p.ravel().min(initial=-9) == -9
    same(p.reshape(4, -1), x.reshape(4, -1))
    (y, q), (z, r) = made((3, 4)), made((4, 2))
    same(q @ r, y @ z)
    same(q @ r[:, 0], y @ z[:, 0])
    same(q.T, y.T)
    same(functions.cumsum(q, axis=1), np.cumsum(y, axis=1))
    same(functions.diff(q.ravel()), np.diff(y.ravel()))
    values, where = functions.unique(asarray([3, 1, 3, 2]), return_inverse=True)
    assert (values.tolist(), where.tolist()) == ([1, 2, 3], [2, 0, 2, 1])
    with pytest.raises(ValueError, match="no one truth"):
        bool(q)
    with pytest.raises(ValueError, match="go together"):
        q + r


def test_arrays_from_nothing() -> None:
    same(making.arange(2, 60, 2), np.arange(2, 60, 2))
    same(making.linspace(0, 1, 21), np.linspace(0, 1, 21))
    same(making.full((2, 3), 4.0), np.full((2, 3), 4.0))
    assert numpy_.all(making.ones(3) == making.ones_like(making.zeros(3)) + 0)
    assert numpy_.any(functions.concatenate([[1.0], making.zeros(2)]))
    for mine, theirs in zip(legendre.leggauss(12), np.polynomial.legendre.leggauss(12), strict=True):
        np.testing.assert_allclose(mine.tolist(), theirs, rtol=1e-13)
    same(legendre.legvander([0.3, -0.2], 5), np.polynomial.legendre.legvander(np.array([0.3, -0.2]), 5))


VALUES = [-1e300, -750.0, -3.5, -1.0, -1e-9, 0.0, 1e-17, 1e-9, 0.5, 1.0, 2.5, 709.75, 1e300, np.inf, np.nan]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "name",
    ["log", "log1p", "exp", "sqrt", "square", "floor", "ceil", "rint", "isfinite", "isnan", "isinf"],
)
def test_functions_at_the_edges(name: str) -> None:
    few = [x for x in VALUES if not (name in ("floor", "ceil") and not np.isfinite(x))]
    found = getattr(functions, name)([x for x in few if not (name == "square" and abs(x) > 1e200)])
    same(found, getattr(np, name)([x for x in few if not (name == "square" and abs(x) > 1e200)]))


SIZES = st.floats(0.5, 1e5)
TAILS = st.floats(1e-4, 1 - 1e-4)


def close(found: float, wanted: float, far: float = 1e-11) -> None:
    assert abs(found - wanted) <= far * max(1, abs(wanted))


@settings(max_examples=100)
@given(a=SIZES, b=SIZES, at=st.floats(-6, 6), tail=TAILS)
def test_beta_is_scipys(a: float, b: float, at: float, tail: float) -> None:
    x = float(np.clip(a / (a + b) + at * np.sqrt(a * b / (a + b)) / (a + b), 1e-6, 1 - 1e-6))
    close(own.betainc(a, b, x).item(), special.betainc(a, b, x))
    close(own.betaincc(a, b, x).item(), special.betaincc(a, b, x))
    close(own.betaincinv(a, b, tail).item(), special.betaincinv(a, b, tail))
    close(own.betainccinv(a, b, tail).item(), special.betainccinv(a, b, tail))


@settings(max_examples=100)
@given(df=st.floats(1, 1e5), shift=st.floats(-6, 9), t=st.floats(-5, 9), tail=TAILS)
def test_t_is_scipys(df: float, shift: float, t: float, tail: float) -> None:
    close(own.stdtr(df, t).item(), special.stdtr(df, t))
    close(own.stdtrit(df, tail).item(), special.stdtrit(df, tail), 1e-10)
    wanted = float(special.nctdtr(df, shift, t))
    if np.isfinite(wanted):
        close(own.nctdtr(df, shift, t).item(), wanted, 1e-10)


@settings(max_examples=100)
@given(x=st.floats(-37, 37), far=st.floats(-1e4, 10), p=st.floats(1e-300, 1, exclude_max=True))
def test_normal_is_scipys(x: float, far: float, p: float) -> None:
    close(own.ndtr(x).item(), special.ndtr(x), 1e-15)
    close(own.log_ndtr(far).item(), special.log_ndtr(far))
    close(own.ndtri(p).item(), special.ndtri(p), 1e-13)


def test_limits() -> None:
    assert own.ndtri([0.0, 1.0]).tolist() == [-np.inf, np.inf]
    assert own.log_ndtr(-np.inf).item() == -np.inf
    assert own.betainc(2.0, 3.0, [0.0, 1.0]).tolist() == [0.0, 1.0]
    assert np.isnan(own.betainc(0.0, 3.0, 0.5).item())
    close(own.nctdtr(np.inf, 1.0, 2.0).item(), special.ndtr(1.0))
    close(own.stdtrit(np.inf, 0.3).item(), special.ndtri(0.3))
    close(own.gammaln(7.5).item(), special.gammaln(7.5))
    close(own.betaln(7.5, 2.5).item(), special.betaln(7.5, 2.5))
    for mine, theirs in ((own.xlogy, special.xlogy), (own.xlog1py, special.xlog1py)):
        same(mine([0.0, 2.0], [0.0, 0.5]), theirs([0.0, 2.0], [0.0, 0.5]))


SOURCE = '''
"""A module."""
from __future__ import annotations
import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
if TYPE_CHECKING:
    from nowhere import Nothing
Pair = tuple[int, int]
class Ends(NamedTuple):
    """Two ends."""
    low: float
    high: float = 2.0
@dataclass(frozen=True)
class Plan:
    """A plan."""
    size: int
    name: str = "x"
    def __post_init__(self) -> None:
        if not 0 < self.size <= 9:
            raise ValueError(f"{self.size!r} is no size")
    @property
    def twice(self) -> int:
        """Double."""
        return 2 * self.size
@cache
def slow(n: int) -> Pair:
    """Compute."""
    return (n, *range(n))
def answer(n: int, *, most: int | None = None) -> dict[str, object]:
    """Answer."""
    found: dict[str, object] = {"zeta": 1, **{"alpha": 2}} | {"beta": [*slow(n), n]}
    low, high = Ends(1.5)
    kept = {key: value for key, value in found.items()}
    return kept | {"text": f"{n:,} and {high:.{n}f}, {'%s' % low}", "cut": "5.0".removesuffix(".0"),
                   "plan": Plan(n).twice, "whole": (2.0).is_integer(), "up": math.ceil(1.2),
                   "ends": Ends(1)._replace(high=3)._asdict(), "part": [1, 2, 3][slice(0, 2)],
                   "zip": list(zip([1], [2], strict=True))}
'''


def test_a_translated_file_says_the_same() -> None:
    text = translated(SOURCE)
    for word in ("annotations", "typing", "->", '"""', "strict", "NamedTuple", "TYPE_CHECKING"):
        assert word not in text
    there: dict[str, Any] = {}
    here: dict[str, Any] = {"__name__": "deadheat"}
    exec(text, there)
    exec(SOURCE, here)
    found, wanted = there["answer"](4), here["answer"](4)
    assert list(found) == list(wanted)
    assert {**found, "ends": dict(found["ends"])} == wanted
    with pytest.raises(ValueError, match="10 is no size"):
        there["Plan"](10)
    with pytest.raises(TypeError, match="size is missing"):
        there["Plan"]()


def test_the_engine_answers_over_the_stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What pages carry, run by this Python instead of theirs: says at once which function is missing."""
    for path, text in sources().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); "
        "from deadheat.explorer.browser.driver import answer; "
        "print(json.dumps([json.loads(answer(json.dumps(each))) for each in json.load(sys.stdin)]))"
    )
    asked = [(view, [(k, str(v)) for k, v in query.items()], exactly) for view, query, exactly in ASKED]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(tmp_path)],
        input=json.dumps(asked), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for found, (view, pairs, exactly) in zip(json.loads(done.stdout), asked, strict=True):
        with monkeypatch.context() as patch:
            near(without_words(found), expected(view, pairs, exactly, patch), f"{view} {pairs}")


def test_helpers_of_the_language() -> None:
    for value, form in [
        (1234567, ","),
        (1234567.25, ",.1f"),
        (1e9, ",g"),
        (0.5, "+.1f"),
        (-1234.5, ",.0f"),
        (7, ""),
    ]:
        assert _shown(value, form, False) == format(value, form)
    assert _shown("a", "", True) == "'a'"
    assert _shown(asarray(2.5), ".2f", False) == "2.50"
    assert math_.isclose(1, 1 + 1e-12)
    assert math_.ceil(asarray(1.5)) == 2
    calls: list[int] = []
    once = _cached(lambda n: calls.append(n) or n)
    assert (once(3), once(3), calls) == (3, 3, [3])
