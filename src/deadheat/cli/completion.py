"""`deadheat completion`: completions for a shell."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from deadheat.cli.options import Answer, Output


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="The shell that reads them")],
) -> Answer:
    """Write the script that lets a shell complete verbs and options.

    bash: eval "$(deadheat completion bash)" in ~/.bashrc; zsh: write it to _deadheat in a folder of fpath;
    fish: write it to ~/.config/fish/completions/deadheat.fish.
    """
    from deadheat.cli.main import app

    return Answer([], Output(), text=app.generate_completion(shell=shell))
