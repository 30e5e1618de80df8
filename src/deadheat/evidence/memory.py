"""Boards that do not fit into memory are refused before the system ends the process."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from deadheat.errors import MethodError

CELL, PAIR = 30, 40  # bytes of a cell of the panel and its table, and of an ordered pair (docs/scale.md)
GROUP = Path("/sys/fs/cgroup")


def fits(entries: int, items: int) -> None:
    """Refuse all pairs of a board that needs more memory than is free.

    Raises
    ------
    MethodError
        Says how much it needs, how much there is, and what to do.
    """
    need, there = CELL * entries * items + PAIR * entries**2, free()
    if there is not None and need > there:
        raise MethodError(
            f"all pairs of {entries:,} entries on {items:,} items need about {need / 1e9:,.1f} GB of memory, "
            f"and {there / 1e9:,.1f} GB are free: rank fewer entries, or use blocks of pairs "
            "(evidence.blocks.pairs)"
        )


def free() -> int | None:
    """Bytes that this process may still take, as far as Linux tells; None elsewhere."""
    limits = []
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        limits.append(1024 * int(next(line for line in lines if line.startswith("MemAvailable")).split()[1]))
    with suppress(OSError, ValueError):  # a container's own limit
        limit = int((GROUP / "memory.max").read_text())
        limits.append(limit - int((GROUP / "memory.current").read_text()))
    if hasattr(os, "sched_getaffinity"):  # where there are limits of processes too
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            limits.append(soft)
    return min(limits, default=None)
