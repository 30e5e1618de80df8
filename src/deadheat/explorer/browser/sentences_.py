"""Sentences on plans, found by the name of the claim: MicroPython has no dispatch on types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SAID: dict[str, Any] = {}


class Voice:
    """How a document writes its numbers: plans say it themselves."""


class sentence:  # noqa: N801 - stands in for a function
    """Functions that put claims into words."""

    @staticmethod
    def register(said: Callable[[Any, Voice], str]) -> Callable[[Any, Voice], str]:
        """Enter a function: ``_half_width`` is for claims of the class `HalfWidth`."""
        SAID[said.__name__] = said
        return said


def sentences(made: tuple[Any, ...]) -> str:
    """Put claims into words, in their order."""
    from deadheat.report import sentences_plans  # noqa: F401 - it enters its functions

    names = ["".join(["_" + c.lower() if c.isupper() else c for c in type(claim).__name__]) for claim in made]
    return " ".join([SAID[name](claim, Voice()) for name, claim in zip(names, made, strict=True)])
