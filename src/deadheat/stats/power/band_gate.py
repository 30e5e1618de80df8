"""What a gate with a fixed band can see: fail the run if it falls too far below its baseline."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deadheat.errors import MethodError


class Gate(NamedTuple):
    """Least number of right items that passes, and the chances that the gate fails a run."""

    least: int
    power: float
    false_alarm: float


def fixed_band(items: int, baseline: float, tolerance: float, drop: float) -> Gate:
    """Compute the exact power and false alarms of "fail if the rate is below baseline - tolerance".

    Parameters
    ----------
    items : int
        Items of the run.
    baseline, tolerance : float
        Rate of the baseline, taken as known, and how far below it a run may fall.
    drop : float
        True loss of rate whose detection is asked for.

    Returns
    -------
    Gate
        `power`: chance to fail a run that lost `drop`; `false_alarm`: to fail one that lost nothing. Binomial
        sums over independent items.

    Raises
    ------
    MethodError
        For rates outside [0, 1] or no items.
    """
    from scipy.special import bdtr

    if items < 1:
        raise MethodError(f"a gate needs at least one item; found {items}")
    for name, value in (
        ("baseline", baseline),
        ("baseline - tolerance", baseline - tolerance),
        ("drop", drop),
    ):
        if not 0 <= value <= 1:
            raise MethodError(f"{name} lies between 0 and 1; found {value:g}")
    if drop > baseline:
        raise MethodError(f"a run cannot lose {drop:g} from a baseline of {baseline:g}")
    # (0.9 - 0.05) * 800 is 680.0000000000001 in doubles: the band's edge itself passes.
    least = int(np.ceil((baseline - tolerance) * items - 1e-9))
    if least == 0:
        return Gate(0, 0.0, 0.0)
    power, false_alarm = (float(bdtr(least - 1, items, rate)) for rate in (baseline - drop, baseline))
    return Gate(least, power, false_alarm)
