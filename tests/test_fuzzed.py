"""Inputs that fuzzing found, read again: each is refused in a sentence or accepted and keeps its promises."""

from pathlib import Path

import pytest

from fuzzing import fuzz_seeds

CORPUS = Path(__file__).resolve().parent / "fuzzing" / "corpus"


@pytest.mark.parametrize(
    "path", sorted(CORPUS.rglob("*.input")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_found_by_fuzzing(path, tmp_path, monkeypatch):
    monkeypatch.setattr("deadheat.data.engine.connect", fuzz_seeds.one_database())
    format, data = path.parent.name, path.read_bytes()
    parts = fuzz_seeds.lay_out(format, tmp_path)
    part = parts[data[0] % len(parts)]
    forced = format if data[1] % 4 == 1 and part.path == part.asked else None
    fuzz_seeds.check(tmp_path, part, data[2:], format=forced, render_too=True)
