"""The part of the module `statistics` that the engine's calculators use."""

from __future__ import annotations

from deadheat.explorer.browser.special import _ndtri


class NormalDist:
    """The standard normal distribution."""

    def inv_cdf(self, p: float) -> float:
        """Quantile."""
        return _ndtri(p)
