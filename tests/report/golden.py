"""Golden texts: kept as files to be read as words; rewritten when UPDATE_GOLDEN is set."""

from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def check(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    assert path.read_text(encoding="utf-8") == text, f"{name} changed; set UPDATE_GOLDEN=1 and review it"


def bones(text: str) -> str:
    """Leave out styles, scripts and packed numbers."""
    body = re.sub(r"<(style|script)\b.*?</\1>", "", text[text.index("<main>") :], flags=re.DOTALL)
    return re.sub(r"\n{2,}", "\n", body)
