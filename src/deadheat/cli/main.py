"""The entry point: parse, run a verb, write the answer; the only place that catches, writes and exits."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from deadheat.cli.options import Answer, UsageError
from deadheat.cli.stderr import inert, say
from deadheat.cli.stdin import PIPE
from deadheat.errors import DeadheatError
from deadheat.output import write_whole
from deadheat.version import VERSION

RARELY = 100_000  # objects made and not freed between two searches

# One line a verb; the module is imported when the verb is called for.
COMMANDS = {
    "audit": "What in these results, or in what is published of them, contradicts what",
    "annotate": "A site's leaderboard document in, the same with standard errors and tie groups out",
    "demo": "The main job on a small simulated board that ships with the package",
    "compare": "Did one entry beat another, on the same items?",
    "convert": "Any format to the canonical table, or to Every Eval Ever records",
    "coverage": "Exact coverage of an interval method",
    "explore": "The interactive explorer in a browser",
    "formats": "What can be read, and how each format is recognised",
    "plan": "How many items, how much power, how small a difference",
    "rank": "The board: score, SE, interval, rank interval, group, tie lines",
    "simulate": "What a benchmark's numbers do when the truth is known",
}

app = App(
    name="deadheat",
    help="Which gaps on a leaderboard are real?",
    version=VERSION,
    help_format="plaintext",
    result_action="return_value",
    exit_on_error=False,
    print_error=False,
    suppress_keyboard_interrupt=False,  # `run` says so
)
for verb, what in COMMANDS.items():
    app.command(f"deadheat.cli.{verb}:{verb}", name=verb, help=what)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code.

    0: done. 1: the data would not do. 2: the command was wrong. 3: a verdict asked about with --fail-on.
    """
    # Searches for cycles of dead objects took a seventh of a short run: they come rarely, and none at exit.
    gc.set_threshold(RARELY)
    code = run(sys.argv[1:] if arguments is None else arguments)
    gc.freeze()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        answer = app([PIPE if word == "-" else word for word in arguments])
        if isinstance(answer, Answer):
            write(answer)
            return answer.exit_code
    except (CycloptsError, UsageError) as error:
        say(str(error))
        return 2
    except DeadheatError as error:
        say(str(error))
        return 1
    except BrokenPipeError:
        _hush()  # whoever reads the output has seen enough
        return 0
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    return 0


def write(answer: Answer) -> None:
    """Render the answer, then write it whole or not at all."""
    from deadheat.report import render

    output = answer.output
    terminal = output.output is None and sys.stdout.isatty()
    text = (
        answer.text
        if answer.text is not None
        else render(
            answer.documents,
            output.chosen(),
            width=_width() if output.output is None else None,
            colour=terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
            unicode=output.output is not None or "utf" in (sys.stdout.encoding or "").lower(),
        )
    )
    for path, further in answer.files.items():
        write_whole(path, further)
    for line in answer.remarks:
        say(line)
    if output.output is None:
        _print(text, output.chosen())
    else:
        write_whole(output.output, text)


def _print(text: str, chosen: str) -> None:
    """Write to standard output; what is not laid out for the terminal is UTF-8 whatever that takes."""
    if chosen != "table" and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    if chosen != "table" and sys.stdout.isatty():
        text = inert(text, lines=True)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _hush()
        raise DeadheatError(f"standard output: cannot be written ({error.strerror})") from error


def _hush() -> None:
    """Let what is still to be written vanish, so that there is no second complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _width() -> int | None:
    """Columns of the terminal, or what COLUMNS says; None leaves it to the renderer."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return None
