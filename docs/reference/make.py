#!/usr/bin/env python3
"""Write the pages that are made from the program itself: command line, Python names, formats.

python docs/reference/make.py [--check]
"""

from __future__ import annotations

import inspect
import io
import re
import sys
import tomllib
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import deadheat
from deadheat.cli.main import COMMANDS, app
from deadheat.readers import readers
from deadheat.readers.aggregates import KNOWN
from deadheat.readers.registry import DESCRIPTIONS
from deadheat.report.frames import pairs_frame, to_dict, to_frame
from deadheat.report.plots import plot

DOCS = Path(__file__).resolve().parent.parent
MADE = "<!-- Made by docs/reference/make.py; do not edit. -->\n"
FIXTURES = DOCS.parent / "tests" / "readers" / "fixtures"
FIELDS = ("recognised", "entry", "item", "sample", "score", "failed", "absent")
FIRST = "| part | where it is |\n|---|---|"
WRONG = "## When something is wrong"
TRIALS = """\
Files written by these versions were read: inspect_ai 0.3.285 (a run of its mock model, and the same log
after `invalidate_samples`), lm-eval 0.4.13, promptfoo 0.80 to 0.121, DeepEval 4.3.1, EvalPlus 0.3.1, HELM
0.5.16, swebench 5.0.2, pytest 9.2.0. Read in the writer's source without a run: evalscope 1.14.1, lmms-eval
0.7.3, Ragas 0.4.3, KernelBench, EQ-Bench 1, the OpenHands Index. No file of Braintrust, EQ-Bench 2, HAL,
Langfuse, LangSmith, MLflow, MTEB, the OpenAI Evals platform, Phoenix, VLMEvalKit and Weave was at hand:
their descriptions follow what is documented of them, and a fixture made by hand."""
LONGEST_CELL = 60  # characters of an example of damage
PLANS = ("margin", "items", "power", "mde", "samples", "board", "labels", "votes")


def cli() -> str:
    """Every verb's own help."""
    parts = [
        f"# Command line\n\n{MADE}\nWhat `--help` says, verb by verb. [Errors and exit codes](errors.md) · "
        "[JSON](json.md)\n",
        "Completions for a shell: `deadheat completion bash` (or `zsh`, `fish`) writes the script. "
        "`man deadheat` shows this page where the package is installed.\n",
        f"```text\n{helped()}```\n",
    ]
    for verb, what in sorted(COMMANDS.items()):
        parts.append(f"## deadheat {verb}\n\n{what.rstrip('.')}.\n\n```text\n{helped(verb)}```\n")
        if verb == "plan":
            parts += [f"### deadheat plan {name}\n\n```text\n{helped(verb, name)}```\n" for name in PLANS]
    return "\n".join(parts)


def manual() -> str:
    """The manual page: every verb's own help, as man(1) wants it."""
    parts = [
        f'.\\" {MADE.strip()[5:-4]}',
        '.TH DEADHEAT 1 "" "deadheat" "User Commands"',
        ".SH NAME\ndeadheat \\- which gaps on a leaderboard are real?",
        ".SH SYNOPSIS\n.B deadheat\nCOMMAND [OPTIONS] [PATH...]",
        f".SH DESCRIPTION\n{_roff(helped())}",
    ]
    for verb in sorted(COMMANDS):
        parts.append(f".SH DEADHEAT {verb.upper()}\n{_roff(helped(verb))}")
        parts += [
            f".SS deadheat plan {name}\n{_roff(helped(verb, name))}" for name in PLANS if verb == "plan"
        ]
    parts.append(
        ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe data or the machine would not do\n"
        ".TP\n2\nthe command was wrong\n.TP\n3\na verdict asked about with --fail-on\n"
        ".TP\n128 + n\nended by signal n"
    )
    return "\n".join(parts) + "\n"


def _roff(text: str) -> str:
    """Set text as it stands; what roff would take for a request begins with nothing."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join([".nf", *("\\&" + line if line[:1] in ".'" else line for line in lines), ".fi"])


def helped(*words: str) -> str:
    """The help of a verb, 96 columns wide, without colour."""
    from rich.console import Console

    console = Console(width=96, color_system=None, force_terminal=False, record=True, file=io.StringIO())
    app.help_print([*words], console=console)
    return "\n".join(line.rstrip() for line in console.export_text().strip("\n").split("\n")) + "\n"


def api() -> str:
    """Every public name with its signature and docstring."""
    parts = [
        f"# Python\n\n{MADE}\n`import deadheat as dh`. Verbs take a `Table` and give frozen results that "
        "show themselves in a notebook and a terminal; [In a notebook](../notebook.md) has examples.\n",
        "## What every result can do\n",
        *(described(f"Board.{way.__name__}", way, "###") for way in (to_dict, to_frame, pairs_frame, plot)),
    ]
    for name in deadheat.__all__:
        thing = getattr(deadheat, name)
        if isinstance(thing, ModuleType):
            parts.append(f"## dh.{name}\n\n{inspect.getdoc(thing)}\n")
            parts += [described(f"{name}.{inner}", getattr(thing, inner), "###") for inner in thing.__all__]
        elif name != "__version__":
            parts.append(described(name, thing, "##"))
    return "\n".join(parts)


def described(name: str, thing: Any, level: str) -> str:
    """One name: heading, signature, docstring, and for a class its public methods."""
    text = f"{level} dh.{name}\n\n"
    error = isinstance(thing, type) and issubclass(thing, Exception)
    if error:
        text += f"A {', '.join(f'`{base.__name__}`' for base in thing.__bases__)}. "
    else:
        text += f"```text\n{signature(name, thing)}\n```\n\n"
    text += prose(own_doc(thing)) + "\n"
    if isinstance(thing, type) and not error and level == "##":
        for inner, method in sorted(vars(thing).items()):
            function = getattr(thing, inner, None)
            if not inner.startswith("_") and callable(function) and own_doc(method):
                text += "\n" + described(f"{name}.{inner}", function, "###")
    return text


def own_doc(thing: Any) -> str:
    """A docstring without its indent; empty where there is none of its own."""
    thing = getattr(thing, "__func__", thing)
    return inspect.cleandoc(thing.__doc__ or "")


def signature(name: str, thing: Any) -> str:
    """A call as it would be written, a line a parameter where it is long; the same on every Python."""
    try:
        made = inspect.signature(thing)
    except (TypeError, ValueError):
        return f"dh.{name}"
    hints = written_hints(thing)
    words, star = [], False
    for parameter in made.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            words.append("*")
            star = True
        hint = hints.get(parameter.name, "")
        default = (
            "" if parameter.default is parameter.empty else f"{' = ' if hint else '='}{parameter.default!r}"
        )
        words.append(parameter.name + (f": {hint}" if hint else "") + default)
    words = [word for word in words if word != "self"]
    back = f" -> {hints['return']}" if "return" in hints else ""
    short = f"dh.{name}({', '.join(words)}){back}"
    if len(short) <= 100:
        return short
    return "\n".join([f"dh.{name}(", *(f"    {word}," for word in words), f"){back}"])


def written_hints(thing: Any) -> dict[str, str]:
    """Type hints as the source writes them, a class's own and its bases'."""
    classes = reversed(thing.__mro__) if isinstance(thing, type) else [getattr(thing, "__func__", thing)]
    found: dict[str, str] = {}
    for each in classes:
        found |= inspect.get_annotations(each)
    return {name: str(hint).strip("'") for name, hint in found.items() if isinstance(hint, str)}


def prose(doc: str) -> str:
    """A numpydoc docstring as Markdown: sections become bold words, their entries lists."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", doc, flags=re.MULTILINE)
    text = parts[0].strip() + "\n"
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        text += f"\n**{title}**\n\n"
        if title in ("Parameters", "Returns", "Raises", "Attributes"):
            entries = re.split(r"\n(?=\S)", body.strip("\n"))
            for entry in entries:
                head, _, rest = entry.partition("\n")
                what, colon, kind = head.partition(" : ")
                words = " ".join(inspect.cleandoc(rest).split())
                text += (
                    f"- `{what}`" + (f" : {kind}" if colon else "") + (f". {words}" if words else "") + "\n"
                )
        else:
            text += body.strip() + "\n"
    return text


def formats() -> str:
    """The list of formats, one line each."""
    lines = [
        f"# What can be read\n\n{MADE}\nA folder or file is recognised by what is in it; `--read FORMAT` "
        "decides where you know better, `--read my-format.toml` reads a format of [your own]"
        "(../reference/descriptions.md), and `deadheat formats` prints the same. A page a format says what "
        "becomes entry, item, sample and score, and what counts as failed or absent. `deadheat convert` "
        "makes a canonical table of any of them.\n",
        "| format | what | recognised by |",
        "|---|---|---|",
    ]
    for name, reader in sorted(readers().items()):
        if reader.read.__module__.startswith("deadheat."):
            recognised = reader.recognised.replace("|", "\\|").replace("<", "&lt;")
            lines.append(f"| [{name}]({name}.md) | {reader.title} | {recognised} |")
    lines += ["\n## What holds nothing by item\n", "These files are refused with a word of what they are:\n"]
    lines += [f"- {what}" for what, _ in KNOWN]
    lines.append(
        "- aggregated results of lm-eval, lighteval, HELM and Every Eval Ever, where the samples or "
        "instances that they go with are not there (lm-eval writes them with `--log_samples`)"
    )
    lines += ["\n## Tried with\n", TRIALS]
    return "\n".join(lines) + "\n"


def messages(name: str) -> str:
    """A format's page: what is read as what, and what is said of each broken copy of its fixture."""
    file, description = DOCS / "formats" / f"{name}.md", DESCRIPTIONS / f"{name}.toml"
    page = file.read_text().split(f"\n{WRONG}\n")[0].rstrip() if file.exists() else ""
    if description.exists() and ("about" in (told := tomllib.loads(description.read_text())) or not page):
        page = f"# {told['title']}\n\n{told.get('about', '').strip()}\n\n{FIRST}"
    table = [FIRST, *(f"| {field} | {_row(getattr(readers()[name], field))} |" for field in FIELDS)]
    page = re.sub(
        rf"{re.escape(FIRST)}(\n\| ({'|'.join(FIELDS)}) \|[^\n]*)*", lambda _: "\n".join(table), page
    )
    case = tomllib.loads((FIXTURES / name / "case.toml").read_text())
    lines = [f"{page}\n", f"{WRONG}\n", "| what is done to a good file | what is said |", "|---|---|"]
    for twin in case["broken"]:
        said = twin["message"].replace("{path}", "FILE").replace("{folder}", "FOLDER")
        lines.append(f"| {_done(twin)} | {said.replace('|', chr(92) + '|').replace('<', '&lt;')} |")
    return "\n".join(lines) + "\n"


def _row(said: str) -> str:
    return said.replace("|", "\\|")


def _done(twin: dict[str, Any]) -> str:
    """What was done to a file before it was read."""
    done = [f"`{_cell(old)}` becomes `{_cell(new)}`" for old, new in twin.get("replace", [])]
    done += ["cut short"] if "cut" in twin else []
    done += [f"`--choose {name}={value}`" for name, value in twin.get("choices", {}).items()]
    return ", ".join(done) or "no choice made"


def _cell(text: str) -> str:
    text = text.replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"


PAGES = {
    "reference/cli.md": cli,
    "reference/deadheat.1": manual,
    "reference/api.md": api,
    "formats/index.md": formats,
} | {
    f"formats/{path.parent.name}.md": partial(messages, path.parent.name)
    for path in sorted(FIXTURES.glob("*/case.toml"))
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check say which are out of date."""
    stale = 0
    for name, make in PAGES.items():
        page, text = DOCS / name, make()
        if page.exists() and page.read_text() == text:
            continue
        stale += 1
        print(f"docs/{name}: " + ("out of date" if "--check" in arguments else "written"))
        if "--check" not in arguments:
            page.write_text(text)
    return int(bool(stale)) if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
