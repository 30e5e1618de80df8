"""Connections that send nothing, or nothing more, are closed: a request has to come within a time."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 10.0  # seconds for a request's head, from the first byte or from the connection on


class Patient(H11Protocol):
    """HTTP as uvicorn speaks it, with a limit on how long a request's head may take."""

    _overdue: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for a request, for some time."""
        super().connection_made(transport)
        self._await()

    def data_received(self, data: bytes) -> None:
        """Take what came; once the head is complete, the application's own limits hold."""
        if self._overdue is None and self._idle():
            self._await()
        super().data_received(data)
        if not self._idle():
            self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._forget()
        super().connection_lost(exc)

    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _await(self) -> None:
        self._overdue = asyncio.get_running_loop().call_later(HEAD, self._close)

    def _forget(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None

    def _close(self) -> None:
        self._overdue = None
        if self._idle() and self.transport is not None:
            self.transport.close()
