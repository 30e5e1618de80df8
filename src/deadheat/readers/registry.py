"""Every reader by name: a module of this folder is added with one line, a package with an entry point."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from deadheat.readers.base import Reader

BUILT_IN = (
    "tabular",
    "swebench_site",
    "swebench_experiments",
    "inspect_ai",
    "lm_eval",
    "swebench_report",
    "flat_flags",
    "helm",
    "tau_bench",
    "terminal_bench",
    "bfcl",
    "alpaca_eval",
    "eval_arena",
    "code_samples",
    "livecodebench",
    "promptfoo",
    "deepeval",
    "openai_evals",
    "every_eval_ever",
    "opencompass",
    "lighteval",
    "junit",
    "sieval",
    "promptfoo_csv",
    "rewardbench",
)


@cache
def readers() -> dict[str, Reader]:
    """Every reader by name: those of this package and those other packages offer.

    A package adds a format with an entry point in the group ``deadheat.readers`` that names a `Reader`.
    """
    found: dict[str, Reader] = {}
    for module in BUILT_IN:
        for reader in import_module(f"deadheat.readers.{module}").READERS:
            found[reader.name] = reader
    for point in entry_points(group="deadheat.readers"):
        reader = point.load()
        found[reader.name] = reader
    return found
