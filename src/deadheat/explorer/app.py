"""The explorer's web application: a page, its views as JSON, a board to frame, a place to drop a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
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


def application(held: Held, port: int) -> ASGIApp:
    """Make the application.

    Parameters
    ----------
    held : Held
        The table of the view *Your data*.
    port : int
        Where it will be served.
    """
    gate = _Gate()

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
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > MOST_BYTES:
                return _refused(
                    f"the file has more than {MOST_BYTES:,} bytes; name it on the command line", 413
                )
        name = request.query_params.get("name", "dropped")
        return await gate.answer(lambda: _json({"summary": held.drop(name, bytes(content))}))

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
