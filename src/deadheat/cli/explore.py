"""`deadheat explore`: the explorer in a browser."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Group, Parameter

from deadheat.cli.options import UsageError

SERVING = Group("Serving", sort_key=1)
KEEPING = Group("Keeping", sort_key=2)


def explore(
    *paths: Annotated[str, Parameter(help="Files or folders of results for the view of your data")],
    port: Annotated[int, Parameter(group=SERVING, help="Port of this machine; 0 takes a free one")] = 0,
    open_page: Annotated[
        bool, Parameter(name="--open", group=SERVING, help="Open the page in a browser")
    ] = True,
    static: Annotated[
        str | None,
        Parameter(
            group=KEEPING, help="Write the pages into this folder instead, to be opened without a server"
        ),
    ] = None,
) -> None:
    """Open a page on which intervals, ties and plans can be tried.

    The page is served to this machine only and asks nothing of any other. Ctrl-C ends it. Pages
    written with --static work when opened from disk: curves and reruns for a stated set of settings, the
    calculators for any.
    """
    if static is not None:
        if port:
            raise UsageError("--port is for serving; pages written with --static need no server")
        from deadheat.cli.progress import busy
        from deadheat.explorer.kept import keep

        with busy(f"computing the pages of {static}") as told:
            print(f"deadheat: wrote {keep(static, paths, told)}", file=sys.stderr)
        return
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port}: a port lies from 0 to 65535")
    from deadheat.explorer.serving import serve

    serve(paths, port, open_page=open_page)
