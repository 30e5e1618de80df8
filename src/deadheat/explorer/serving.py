"""Serving the explorer: a free port of this machine, the browser opened once it answers."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Sequence

from deadheat.errors import DeadheatError, MissingExtra


def serve(paths: Sequence[str], port: int, *, open_page: bool) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    paths : sequence of str
        Files of the view *Your data*.
    port : int
        0 takes a free one.
    open_page : bool
        Open the page in a browser.

    Raises
    ------
    MissingExtra
        Starlette or uvicorn is not installed.
    DeadheatError
        The port is taken, or the paths cannot be read.
    """
    try:
        import uvicorn

        from deadheat.explorer.app import application
        from deadheat.explorer.patience import Patient
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("anyio", "starlette", "uvicorn"):
            raise
        raise MissingExtra(
            f"the explorer needs {error.name}: install it with `pip install 'deadheat[explore]'`"
        ) from error
    from deadheat.explorer.board_view import opened

    held = opened(paths)
    _warm()
    with socket.socket() as listening:
        try:
            listening.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise DeadheatError(
                f"port {port} of 127.0.0.1 cannot be had ({error}); leave --port out"
            ) from error
        listening.listen(64)
        found = listening.getsockname()[1]
        address = f"http://127.0.0.1:{found}/" + ("#data" if paths else "")
        print(f"deadheat: exploring at {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        if open_page:
            webbrowser.open(address)  # the socket listens already, so the browser waits rather than fails
        settings = uvicorn.Config(
            application(held, found),
            http=Patient,
            timeout_keep_alive=10,
            log_level="error",
            access_log=False,
            lifespan="off",
            ws="none",
            limit_concurrency=64,
            timeout_graceful_shutdown=2,
            server_header=False,
        )
        uvicorn.Server(settings).run(sockets=[listening])


def _warm() -> None:
    """Load the engine and the page before anyone waits for them."""
    from deadheat.explorer import page
    from deadheat.explorer.query import Query
    from deadheat.explorer.rerun_view import rerun

    page.index()
    rerun(Query(()))
