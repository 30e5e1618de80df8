"""The names under which the engine calls the stand-in for numpy."""

from __future__ import annotations

from deadheat.explorer.browser import functions
from deadheat.explorer.browser import legendre as _legendre
from deadheat.explorer.browser.functions import *  # noqa: F403
from deadheat.explorer.browser.making import *  # noqa: F403

any, all, round, abs = functions.any_, functions.all_, functions.rint, functions.absolute


class polynomial:  # noqa: N801 - numpy's name
    """Polynomials."""

    legendre = _legendre
