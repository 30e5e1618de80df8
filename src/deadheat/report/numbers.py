"""The one place where numbers become words: digits, signs, intervals, p-values, dashes for the withheld."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deadheat.results import Interval

if TYPE_CHECKING:
    from deadheat.results.records import Unit

DASH = "—"
MINUS = "−"
SMALLEST_P = -300.0


@dataclass(frozen=True)
class Scale:
    """How the scores of one document are written: in per cent or as they are, with so many decimals.

    Parameters
    ----------
    percent : bool
        Rates in [0, 1] are written in per cent and their differences in points.
    digits : int
        Decimals of every score, error and difference.
    """

    percent: bool
    digits: int

    @classmethod
    def of(
        cls,
        values: Iterable[float | None],
        errors: Iterable[float | None] = (),
        units: Iterable[Unit] = (),
    ) -> Scale:
        """Choose the scale: per cent for rates, decimals that show every error.

        Parameters
        ----------
        values : iterable of float or None
            Scores as computed.
        errors : iterable of float or None
            Standard errors in the same unit; the smallest positive one sets the decimals.
        units : iterable of Unit
            What the values are. Rates lie in [0, 1], item by item; a mean of seconds may do so by chance.
        """
        inside = all(0 <= value <= 1 for value in values if value is not None)
        percent = inside and all(unit == "rate" for unit in units)
        smallest = min((error for error in errors if error is not None and error > 0), default=None)
        if percent:
            places = 1 if smallest is None else math.ceil(-math.log10(100 * smallest))
            return cls(True, min(max(places, 1), 4))
        places = 2 if smallest is None else 1 - math.floor(math.log10(smallest))
        return cls(False, min(max(places, 0), 6))

    @property
    def unit(self) -> str:
        """The sign that stands behind a score: ``%`` or nothing."""
        return "%" if self.percent else ""

    @property
    def points(self) -> str:
        """The word that stands behind a difference: ``points`` or nothing."""
        return "points" if self.percent else ""

    def value(self, value: float | None) -> str:
        """Write a score; a rate that is not 0 or 1 is never written as if it were."""
        if value is None:
            return DASH
        text = self._fixed(value)
        if self.percent and 0 < value < 1:
            step = 10.0**-self.digits
            if text == self._fixed(0.0):
                return f"<{step:.{self.digits}f}"
            if text == self._fixed(1.0):
                return f">{100 - step:.{self.digits}f}"
        return text

    def size(self, value: float | None) -> str:
        """Write a quantity without a sign of its own: a standard error, a smallest visible difference."""
        return DASH if value is None else self._fixed(value)

    def least(self, value: float | None) -> str:
        """Write a size that has a stated power: never rounded down, which would have less."""
        if value is None:
            return DASH
        steps = 10**self.digits * (100 if self.percent else 1)
        return self._fixed(math.ceil(value * steps - 1e-6) / steps)

    def difference(self, value: float | None) -> str:
        """Write a difference with its sign."""
        if value is None:
            return DASH
        return ("+" if self.units(value) > 0 else "") + self._fixed(value)

    def interval(self, interval: Interval | None) -> str:
        """Write the interval of a score as ``72.9–80.2``."""
        return DASH if interval is None else self.span(interval.low, interval.high)

    def span(self, lowest: float, highest: float) -> str:
        """Write two scores as ``72.9–80.2``."""
        low, high = self._fixed(lowest), self._fixed(highest)
        return f"{low} to {high}" if MINUS in low + high else f"{low}–{high}"

    def difference_interval(self, interval: Interval | None) -> str:
        """Write the interval of a difference as ``−4.4 to +3.6``."""
        if interval is None:
            return DASH
        return f"{self.difference(interval.low)} to {self.difference(interval.high)}"

    def units(self, value: float) -> int:
        """Round to whole units of the last decimal: the one rounding that every format and picture shares."""
        factor: int = 10 ** (self.digits + 2 * self.percent)
        return round(value * factor)

    def _fixed(self, value: float) -> str:
        units = self.units(value)
        whole, part = divmod(abs(units), 10**self.digits)
        text = f"{whole}.{part:0{self.digits}d}" if self.digits else str(whole)
        return MINUS + text if units < 0 else text


def needed(ticks: Sequence[float], scale: Scale) -> int:
    """Count the decimals that evenly spaced ticks need.

    Parameters
    ----------
    ticks : sequence of float
        Places of the ticks.
    scale : Scale
        Whether they are written in per cent.
    """
    step = abs(ticks[1] - ticks[0]) * (100 if scale.percent else 1) if len(ticks) > 1 else 1.0
    return next((places for places in range(6) if abs(round(step, places) - step) < 1e-9), 6)


def p_value(p: float | None, log10_p: float | None = None, alpha: float | None = None) -> str:
    """Write a p-value: ``.583``, ``<.0001``, ``<1e-300``; never 0, and never rounded across alpha.

    Parameters
    ----------
    p : float or None
        The p-value; None or 0 when it underflowed.
    log10_p : float or None
        Its decimal logarithm, which speaks when p cannot.
    alpha : float or None
        Threshold on whose side the rounded value must stay, and which it must not meet unless p does.
    """
    if (log10_p is not None and log10_p < SMALLEST_P) or p == 0:
        return "<1e-300"
    if p is None:
        if log10_p is None:
            return DASH
        p = 10.0**log10_p
    if p == 1:
        return "1"
    if p < 0.0001:
        return "<.0001"
    if p >= 0.9995:
        return ">.999"
    digits = 4 if p < 0.001 else 3
    if alpha is not None:
        while digits < 12 and p != alpha and (round(p, digits) - alpha) * (p - alpha) <= 0:
            digits += 1
    return f"{p:.{digits}f}"[1:]


def p_phrase(p: float | None, log10_p: float | None = None, alpha: float | None = None) -> str:
    """Write a p-value as it stands in a sentence: ``p = .583``, ``p < .0001``."""
    text = p_value(p, log10_p, alpha)
    return f"p {text[0]} {text[1:]}" if text[0] in "<>" else f"p = {text}"


def ranks(rank: tuple[int, int] | None) -> str:
    """Write a rank interval as ``1–6``, or as one number when its ends agree."""
    if rank is None:
        return DASH
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}"


def count(value: int | None) -> str:
    """Write a count with separators for thousands."""
    return DASH if value is None else f"{value:,}"


def either(one: int | None, other: int | None) -> str:
    """Write two counts that belong together, as in ``39 / 26``."""
    return DASH if one is None or other is None else f"{count(one)} / {count(other)}"


def share(value: float | None) -> str:
    """Write a probability in per cent."""
    if value is None:
        return DASH
    return "<0.1 %" if 0 < value < 0.0005 else ">99.9 %" if 0.9995 <= value < 1 else f"{100 * value:.1f} %"


def level(value: float) -> str:
    """Write a confidence level as ``95 %``."""
    return f"{100 * value:.6g} %"


def percent(value: float) -> str:
    """Write a share as ``80 %``, never rounded to 0 or 1 or up to a whole per cent: 0.7997 is ``79.97 %``."""
    for digits in range(1, 6):
        text = f"{100 * value:.{digits}f}"
        shown = float(text)
        less = shown == round(shown) and shown > 100 * value + 1e-9
        if (0 < shown < 100 or value in (0, 1)) and not less:
            break
    return f"{text.rstrip('0').rstrip('.') if float(text) == round(float(text)) else text} %"


def points(value: float, *, up: bool = False) -> str:
    """Write a difference of rates as ``5 points``; `up`: one that has a power is not rounded down."""
    shown = math.ceil(1e4 * value - 1e-6) / 100 if up else 100 * value
    text = f"{shown:.2f}".rstrip("0").rstrip(".")
    if text in ("0", "-0") and value != 0:
        text = f"{100 * value:.2g}"
    return f"{text} {'point' if text == '1' else 'points'}"


def amount(value: float, *, rates: bool, up: bool = False) -> str:
    """Write a difference, an error or a width in points, or with four digits where scores are no rates."""
    if rates:
        return points(value, up=up)
    step = 10.0 ** (math.floor(math.log10(value)) - 3) if up and value > 0 else 0.0
    return f"{math.ceil(value / step - 1e-6) * step if step else value:.4g}"


def coefficient(value: float | None) -> str:
    """Write a correlation, an agreement or a weight with two digits; never as −0.00."""
    return DASH if value is None else f"{round(value, 2) + 0.0:.2f}".replace("-", MINUS)


def plain(value: Any) -> str:
    """Write a value whose meaning is not known here: an assumption, an answer, a cell of a study.

    Parameters
    ----------
    value : object
        A number, a text, None, or a list or dict of them.
    """
    if value is None:
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", MINUS)
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 1e15
        return (f"{value:,.0f}" if whole else f"{value:.4g}").replace("-", MINUS)
    if isinstance(value, dict):
        return "; ".join(f"{str(key).replace('_', ' ')} {plain(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(item) for item in value)
    return str(value)
