"""What a page asks for, checked: every name known, every number within its bounds."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from deadheat.errors import MethodError

LONGEST = 200  # characters of a value


class Query:
    """The parameters of one request; each is taken once, and what is left over is refused.

    Parameters
    ----------
    pairs : iterable of (str, str)
        Names and values as they came.

    Raises
    ------
    MethodError
        A name given twice, or a value that is too long.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._left: dict[str, str] = {}
        for name, value in pairs:
            if name in self._left:
                raise MethodError(f"{name[:40]} was given twice; give it once")
            if len(value) > LONGEST:
                raise MethodError(
                    f"{name[:40]} has {len(value):,} characters; at most {LONGEST} are looked at"
                )
            self._left[name] = value.strip()

    def text(self, name: str) -> str | None:
        """Take a text; None where nothing was given."""
        return self._left.pop(name, "") or None

    def number(self, name: str, default: float | None, least: float, most: float) -> float | None:
        """Take a number from `least` to `most`."""
        given = self.text(name)
        if given is None:
            return default
        try:
            value = float(given)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise MethodError(
                f"{name} {given[:40]!r} was asked for; it is a number from {least:g} to {most:,g}"
            )
        return value

    def real(self, name: str, default: float, least: float, most: float) -> float:
        """Take a number that has a default."""
        value = self.number(name, default, least, most)
        assert value is not None
        return value

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """Take a whole number."""
        given = self.text(name)
        if given is None:
            return default
        try:
            value = int(given)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise MethodError(
                f"{name} {given[:40]!r} was asked for; it is a whole number from {least:,} to {most:,}"
            )
        return value

    def choice(self, name: str, default: str, choices: Collection[str]) -> str:
        """Take one of several names."""
        given = self.text(name) or default
        if given not in choices:
            raise MethodError(f"{name} {given[:40]!r} was asked for; there are {', '.join(choices)}")
        return given

    def numbers(self, name: str, default: str, least: float, most: float, many: int) -> list[float]:
        """Take numbers that are separated by blanks or commas."""
        words = (self.text(name) or default).replace(",", " ").split()
        if len(words) > many:
            raise MethodError(f"{len(words)} numbers were given as {name}; at most {many} are taken")
        return [Query([(name, word)]).real(name, 0.0, least, most) for word in words]

    def done(self) -> None:
        """Refuse what nobody took."""
        if self._left:
            raise MethodError(f"nothing here is called {', '.join(name[:40] for name in self._left)}")
