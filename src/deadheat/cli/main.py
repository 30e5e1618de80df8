"""The entry point: parse, run a verb, write the answer; the only place that catches, writes and exits."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from cyclopts import App, CycloptsError

from deadheat.cli.apart import keep_apart, separate
from deadheat.cli.ending import hush, open_streams, stoppable, told
from deadheat.cli.options import FIGURES, Answer, UsageError
from deadheat.cli.stderr import say
from deadheat.cli.stdin import PIPE
from deadheat.cli.stdout import emit
from deadheat.errors import DeadheatError
from deadheat.output import clear, write_whole
from deadheat.version import VERSION

RARELY = 100_000  # objects made and not freed between two searches

# One line a verb; the module is imported when the verb is called for.
COMMANDS = {
    "audit": "What in these results, or in what is published of them, contradicts what",
    "annotate": "A site's leaderboard document in, the same with standard errors and tie groups out",
    "demo": "The main job on a small simulated board that ships with the package",
    "compare": "Did one entry beat another, on the same items?",
    "completion": "Completions for bash, zsh or fish",
    "convert": "Any format to the canonical table, or to Every Eval Ever records",
    "coverage": "Exact coverage of an interval method",
    "explore": "The interactive explorer in a browser",
    "formats": "What can be read, and how each format is recognised",
    "items": "Which items separate nobody, run backwards or are twins, and what fewer would keep",
    "methods": "The paragraph of methods and the references of a result, for a paper",
    "plan": "How many items, how much power, how small a difference",
    "rank": "The board: score, SE, interval, rank interval, group, tie lines",
    "watch": "A comparison that may be looked at any time, while results come in",
    "records": "Which records of a board stand",
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

    0: done. 1: the data or the machine would not do. 2: the command was wrong. 3: a verdict asked about with
    --fail-on. 128 + a signal's number: ended by it, such as 130 by Ctrl-C.
    """
    # Searches for cycles of dead objects took a seventh of a short run: they come rarely, and none at exit.
    gc.set_threshold(RARELY)
    open_streams()
    with stoppable():
        code = run(sys.argv[1:] if arguments is None else arguments)
        _leave_nothing()
    gc.freeze()
    sys.exit(code)


def _leave_nothing() -> None:
    """Remove temporary files and flush the streams, whatever comes; from here on a signal only ends."""
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        signal.signal(number, signal.SIG_IGN)
    clear()
    hush()
    for number in signals:
        signal.signal(number, signal.SIG_DFL)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        return _answered(arguments)
    except (CycloptsError, UsageError) as error:
        say(_hinted(error, arguments))
        return 2
    except DeadheatError as error:
        line, code = told(error) or (str(error), 1)
        say(line)
        return code
    except BrokenPipeError:
        hush()  # whoever reads the output has seen enough
        return 0
    except BaseException as error:
        ended = told(error)
        if ended is None:
            raise
        say(ended[0])
        return ended[1]


def _hinted(error: Exception, arguments: Sequence[str]) -> str:
    """Say which option a bare number was meant for, where a verb takes none."""
    left = getattr(error, "unused_tokens", None) or ()
    verb = " ".join(arguments[:2])
    option = {"plan items": "--difference", "plan power": "--items", "plan mde": "--items"}.get(verb)
    if option and left and left[0].replace(".", "", 1).isdecimal():
        return f"{verb} {left[0]}: a number needs its option; did you mean {option} {left[0]}?"
    return str(error)


def _answered(arguments: Sequence[str]) -> int:
    """Call the verb, and write what it answers."""
    command, bound, _ = app.parse_args(_piped(arguments))
    separate(bound.arguments)
    answer = command(*bound.args, **bound.kwargs)
    if not isinstance(answer, Answer):
        return 0
    write(answer)
    return answer.exit_code


def _piped(arguments: Sequence[str]) -> list[str]:
    """Put what stands for standard input where there is a -; `-o -` is standard output, as without it."""
    words: list[str] = []
    for word in arguments:
        if word == "-" and words[-1:] in (["-o"], ["--output"]):
            words.pop()
        else:
            words.append(PIPE if word == "-" else word)
    return words


def write(answer: Answer) -> None:
    """Render the answer, then write it whole or not at all."""
    from deadheat.report import render

    output = answer.output
    terminal = output.output is None and sys.stdout is not None and sys.stdout.isatty()
    encoding = getattr(sys.stdout, "encoding", None) or ""
    text: str | bytes | Iterable[str]
    if answer.text is not None:
        text = answer.text
    elif output.chosen() in FIGURES:
        from deadheat.report.plots import figure

        text = figure(answer.documents, output.chosen(), output.title)
    else:
        text = render(
            answer.documents,
            output.chosen(),
            width=_width() if output.output is None else None,
            colour=terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
            unicode=output.output is not None or "utf" in encoding.lower(),
            title=output.title,
        )
    paths = [*answer.files, *([output.output] if output.output else [])]
    read = [Path(file.path) for document in answer.documents for file in document.provenance.files]
    for path in paths:  # files of a folder, too, are inputs
        keep_apart(path, read)
    for path, further in answer.files.items():
        write_whole(path, further)
    for line in answer.remarks:
        say(line)
    if output.output is None:
        assert not isinstance(text, bytes), "a figure goes to a file"
        emit(text, document=output.chosen() != "table")
    else:
        write_whole(output.output, text)


def _width() -> int | None:
    """Columns of the terminal, or what COLUMNS says; None leaves it to the renderer."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (AttributeError, OSError, ValueError):
        return None
