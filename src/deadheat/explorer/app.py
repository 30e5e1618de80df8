"""The explorer's web application: a page, its views as JSON, a board to frame, a place to drop a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from deadheat.errors import DeadheatError
from deadheat.explorer import page
from deadheat.explorer.board_view import Held, shown
from deadheat.explorer.coverage_view import covers
from deadheat.explorer.guard import Guard
from deadheat.explorer.plain_values import finite
from deadheat.explorer.plan_view import how_many
from deadheat.explorer.query import Query
from deadheat.explorer.rerun_view import rerun
from deadheat.explorer.tie_view import tie

VIEWS: dict[str, Callable[[Query], dict[str, Any]]] = {
    "rerun": rerun,
    "coverage": covers,
    "tie": tie,
    "plan": how_many,
}
MOST_BYTES = 64 * 2**20  # of a file that is dropped in
AT_ONCE, WAITING = 2, 16
UPLOAD, PAUSE = 120.0, 10.0  # seconds that an upload may take, and may stand still


def application(held: Held, port: int) -> ASGIApp:
    """Make the application.

    Parameters
    ----------
    held : Held
        The table of the view *Your data*.
    port : int
        Where it will be served.
    """
    gate, uploads = _Gate(), anyio.Semaphore(AT_ONCE)

    async def view(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in VIEWS:
            return _refused(f"no view {name[:40]!r}; there are {', '.join(VIEWS)}", 404)
        given = request.query_params.multi_items()
        if name == "plan":
            return await gate.answer(lambda: _json(how_many(Query(given), held.observed)))
        return await gate.answer(lambda: _json(VIEWS[name](Query(given))))

    async def board(request: Request) -> Response:
        given = request.query_params.multi_items()
        return await gate.answer(
            lambda: _json(shown(held.board(Query(given), every_pair=False), held.columns()))
        )

    async def board_json(request: Request) -> Response:
        given = request.query_params.multi_items()
        return await gate.answer(lambda: _rendered(held, given, "json"))

    async def board_page(request: Request) -> Response:
        given = request.query_params.multi_items()
        return await gate.answer(lambda: _rendered(held, given, "html"))

    async def drop(request: Request) -> Response:
        if uploads.value == 0:
            return _refused("other files are being dropped in; try again in a moment", 503)
        async with uploads:
            return await _dropped(request, held, gate)

    async def asset(request: Request) -> Response:
        kind = request.path_params["kind"]
        types = {"css": "text/css", "js": "text/javascript"}
        if kind not in types:
            return _refused("there is explore.css and explore.js", 404)
        return Response(page.asset(kind), media_type=types[kind])

    async def index(request: Request) -> Response:
        return HTMLResponse(page.index())

    routes = [
        Route("/", index),
        Route("/explore.{kind}", asset),
        Route("/api/board", board),
        Route("/api/file", drop, methods=["POST"]),
        Route("/api/{name}", view),
        Route("/board", board_page),
        Route("/board.json", board_json),
    ]
    return Guard(Starlette(routes=routes), port)


async def _dropped(request: Request, held: Held, gate: _Gate) -> Response:
    """Take a file to disk as it comes, and read it; what is too large is refused before it is taken."""
    too_large = f"the file has more than {MOST_BYTES:,} bytes; name it on the command line"
    stated = request.headers.get("content-length", "0")
    if not stated.isdecimal() or int(stated) > MOST_BYTES:
        return _refused(too_large, 413)
    name = request.query_params.get("name", "dropped")
    with held.incoming(name) as path:
        size = 0
        try:
            with path.open("wb") as stream:
                parts = request.stream().__aiter__()
                with anyio.fail_after(UPLOAD):
                    while (part := await _next(parts)) is not None:
                        size += len(part)
                        if size > MOST_BYTES:
                            return _refused(too_large, 413)
                        stream.write(part)
        except TimeoutError:
            return _refused(f"the file did not come within {UPLOAD:g} s, or paused for {PAUSE:g} s", 408)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is left to read it
        except OSError as error:
            return _refused(f"the file could not be kept ({error.strerror})", 507)
        return await gate.answer(lambda: _json({"summary": held.drop(path, name)}))


async def _next(parts: AsyncIterator[bytes]) -> bytes | None:
    """The next part of an upload; None at its end."""
    with anyio.fail_after(PAUSE):
        return await anext(parts, None)


class _Gate:
    """Let a few requests compute at once and a few wait; time and memory stay bounded."""

    def __init__(self) -> None:
        self._limiter: anyio.CapacityLimiter | None = None

    async def answer(self, compute: Callable[[], Response]) -> Response:
        """Compute beside the event loop; what the engine refuses is told to whoever asked."""
        limiter = self._limiter = self._limiter or anyio.CapacityLimiter(AT_ONCE)
        if limiter.statistics().tasks_waiting >= WAITING:
            return _refused("too many requests wait already; ask again in a moment", 503)
        try:
            return await anyio.to_thread.run_sync(compute, limiter=limiter)
        except DeadheatError as error:
            return _refused(str(error), 400)


def _rendered(held: Held, given: list[tuple[str, str]], format: str) -> Response:
    from deadheat.report import render

    text = render(held.board(Query(given), every_pair=format == "html"), format)
    return HTMLResponse(text) if format == "html" else Response(text, media_type="application/json")


def _json(value: dict[str, Any]) -> Response:
    return Response(msgspec.json.encode(finite(value)), media_type="application/json")


def _refused(why: str, status: int) -> Response:
    return Response(msgspec.json.encode({"error": why}), status_code=status, media_type="application/json")
