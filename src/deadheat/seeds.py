"""A named random stream for each piece of work, so that call order and worker count change nothing."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return the generator that belongs to `names` under `seed`.

    Parameters
    ----------
    seed : int
        The seed the user stated, any integer >= 0.
    *names : str or int
        What the stream is for, for example ``"bootstrap", block``.

    Returns
    -------
    numpy.random.Generator
        PCG64, keyed by a SHA-256 of the names: the same on every machine, and independent of every
        other name's stream.
    """
    import numpy as np

    digest = hashlib.sha256("\x1f".join(map(str, names)).encode()).digest()
    key = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))
