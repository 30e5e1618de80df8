"""Make the pictures of the docs: the terminal board, the page and figures, each as a user would make it.

Needs a headless Chromium: `./run python docs/images/make.py`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
STYLE = (
    "body{margin:0;background:#1b1f24;color:#e6e6e6;font:15px/1.35 'DejaVu Sans Mono',monospace}"
    "pre{margin:0;padding:18px 22px}"
)

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# The eight colours as a dark terminal shows them.
ANSI = [(27, 31, 36), (240, 113, 120), (153, 204, 120), (240, 190, 100), (108, 170, 255), (200, 140, 220),
        (90, 200, 200), (230, 230, 230)]  # fmt: skip


def coloured(width: int) -> str:
    """What `deadheat demo` prints on a terminal of this width, as HTML."""
    from rich.console import Console
    from rich.terminal_theme import TerminalTheme
    from rich.text import Text

    from deadheat.cli.demo import demo
    from deadheat.report import render

    text = render(demo().documents, "table", width=width, colour=True)
    console = Console(record=True, width=width, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(Text.from_ansi(text))
    theme = TerminalTheme((27, 31, 36), (230, 230, 230), ANSI, ANSI)
    return console.export_html(theme=theme, inline_styles=True, code_format="<pre>{code}</pre>")


def shot(source: str, target: Path, size: str) -> None:
    """Photograph a page."""
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as folder:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   f"--user-data-dir={folder}", f"--window-size={size}", f"--screenshot={target}",
                   source]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True, timeout=120)


def figures() -> None:
    """Draw the figures of the page on notebooks, as `plot()` draws them."""
    import matplotlib as mpl

    import deadheat as dh

    mpl.use("Agg")
    board = dh.rank("src/deadheat/demo/board.csv", every_pair=True)
    for kind in ("differences", "ranks"):
        board.plot(kind).figure.savefig(HERE / f"plot-{kind}.png", dpi=100, metadata={"Software": None})


def main() -> None:
    """Write the pictures beside this file."""
    figures()
    with tempfile.TemporaryDirectory() as folder:
        terminal, page = Path(folder, "terminal.html"), Path(folder, "board.html")
        body = coloured(110)
        terminal.write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{body}")
        shot(terminal.as_uri(), HERE / "board-terminal.png", "1040,640")
        subprocess.run([sys.executable, "-m", "deadheat", "demo", "-o", str(page)], check=True)
        shot(page.as_uri(), HERE / "board-page.png", "1200,900")


if __name__ == "__main__":
    main()
