"""Who is answered: only this machine, only pages that this server made."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

import anyio
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost", "[::1]")
PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src "
    "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FRAMED = "frame-ancestors 'self'"  # a board carries its own policy inside


UNREAD = 60.0  # seconds that a part of an answer may wait to be read


class Unread(Exception):  # noqa: N818 - it ends an answer, and nobody sees it
    """Whoever asked does not read the answer."""


class Guard:
    """Refuse a foreign Host or Origin, and put safe headers on every answer.

    Parameters
    ----------
    app : ASGI application
    port : int
        The port that a Host must name.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in NAMES} | (set(NAMES) if port == 80 else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], scope["headers"])
        if refusal:
            await PlainTextResponse(refusal, status_code=403)(scope, receive, send)
            return
        policy = FRAMED if scope["path"] == "/board" else PAGE

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", policy.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                    (b"cross-origin-resource-policy", b"same-origin"),
                    (b"cache-control", b"no-store"),
                ]
            try:
                with anyio.fail_after(UNREAD):
                    await send(message)
            except TimeoutError:
                raise Unread from None

        with suppress(Unread):  # uvicorn closes a connection whose answer is not complete
            await self._app(scope, receive, guarded)

    def _refusal(self, method: str, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        given: dict[bytes, list[str]] = {}
        for name, value in headers:
            given.setdefault(name, []).append(value.decode("latin-1"))
        hosts, origins = given.get(b"host", []), given.get(b"origin", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "only the address that was printed at the start is answered; this request has another Host"
        if any(not self._ours(origin) for origin in origins):
            return "only the explorer's own pages are answered; this request comes from another Origin"
        if method not in ("GET", "HEAD") and not origins:
            return "a file is taken from the explorer's own page only; this request has no Origin"
        return None

    def _ours(self, origin: str) -> bool:
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme == "http" and parts.netloc.lower() in self._hosts
