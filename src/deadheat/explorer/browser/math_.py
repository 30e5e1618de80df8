"""The module `math` for numbers that may come as an array of one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from deadheat.explorer.browser.language import _one

inf, nan, pi = math.inf, math.nan, math.pi


def _of(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: function(*[_one(x) for x in given])


ceil, floor, sqrt, log = _of(math.ceil), _of(math.floor), _of(math.sqrt), _of(math.log)
log10, exp, copysign = _of(math.log10), _of(math.exp), _of(math.copysign)
isfinite, isinf, isnan = _of(math.isfinite), _of(math.isinf), _of(math.isnan)


def isclose(a: float, b: float, rel_tol: float = 1e-9, abs_tol: float = 0.0) -> bool:
    """Whether two numbers are nearly the same."""
    return a == b or abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
