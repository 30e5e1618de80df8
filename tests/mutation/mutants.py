"""Mutants of the modules of `stats`, made by cosmic-ray and chosen by a seed, as JSON Lines without an end.

python mutants.py FOLDER SEED | head -100
"""

import ast
import contextlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import MutationVisitor

EACH = 3  # mutants of a module in one round
SOME = 12  # replacements of an operator that are considered for a module, of about 120
# Left out: what changes no result (caching decorators) and what no test is meant to see (other exceptions).
LEFT_OUT = ("RemoveDecorator", "Exception", "Variable", "NoOp")


def annotated(source: str) -> set[int]:
    """Lines that hold nothing but annotations and signatures, which a run does not evaluate."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            found |= set(range(node.lineno, node.body[0].lineno))
        elif isinstance(node, ast.AnnAssign):
            found |= set(range(node.annotation.lineno, (node.annotation.end_lineno or 0) + 1))
    return found


def operators(rng: random.Random) -> list[str]:
    """Every kind of change, but of the replacements of one operator by another only a few."""
    names = sorted(cosmic_ray.plugins.operator_names())
    names = [name for name in names if not any(word in name for word in LEFT_OUT)]
    replacing = [name for name in names if "_" in name.split("/")[1]]
    return [name for name in names if name not in replacing] + rng.sample(replacing, SOME)


def places(source: str, names: list[str]) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Where something can be changed: (line, column) -> operators and the occurrence of each."""
    skipped = annotated(source)
    found = defaultdict(list)
    nodes = list(ast_nodes(get_ast(source)))  # in the order in which the visitor walks
    for name in names:
        operator = cosmic_ray.plugins.get_operator(name)()
        count = 0
        for node in nodes:
            for start, _ in operator.mutation_positions(node):
                if start[0] not in skipped:
                    found[tuple(start)].append((name, count))
                count += 1
    return found


def mutants(path: Path, rng: random.Random) -> Iterator[dict]:
    """A few mutants of one module."""
    source = path.read_text()
    found = sorted(places(source, operators(rng)).items())
    for _, ways in rng.sample(found, min(EACH, len(found))):
        name, occurrence = rng.choice(ways)
        code = MutationVisitor.mutate_code(source, cosmic_ray.plugins.get_operator(name)(), occurrence)
        if code is None or code == source:
            continue
        pairs = zip(source.split("\n"), code.split("\n"), strict=False)
        at, before, after = next((i, a, b) for i, (a, b) in enumerate(pairs, 1) if a != b)
        yield {
            "module": path.stem,
            "line": at,
            "operator": name.removeprefix("core/"),
            "before": before.strip(),
            "after": after.strip(),
            "code": code,
        }


def main(folder: Path, seed: int) -> None:
    """A round takes `EACH` mutants of each module, in the order of luck."""
    rng = random.Random(seed)
    paths = sorted((folder / "src" / "deadheat" / "stats").rglob("[!_]*.py"))
    while True:
        for path in rng.sample(paths, len(paths)):
            for mutant in mutants(path, rng):
                print(json.dumps(mutant), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main(Path(sys.argv[1]), int(sys.argv[2]))
