"""The table of real sizes on the page of paired comparisons is what exact sums give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deadheat.stats.paired.mcnemar import mcnemar_exact, mcnemar_mid_p
from deadheat.stats.power.unconditional import discordant_probability

PAGE = (Path(__file__).resolve().parents[2] / "docs/methods/paired.md").read_text()
ROWS = re.findall(r"^\| ([\d,]+) \| `(mcnemar|mid-p)` \| (.*) \|$", PAGE, re.MULTILINE)
DISCORDANCE = (0.1, 0.2, 0.3, 0.5)


@pytest.mark.parametrize(("items", "test", "sizes"), ROWS)
def test_sizes(items: str, test: str, sizes: str) -> None:
    p = {"mcnemar": mcnemar_exact, "mid-p": mcnemar_mid_p}[test]
    for share, size in zip(DISCORDANCE, sizes.split(" | "), strict=True):
        count = int(items.replace(",", ""))
        real = discordant_probability(lambda b, c: p(b, c).p < 0.05, count, share / 2, share / 2)
        assert f"{real:.3f}".lstrip("0") == size
        assert real <= 0.05


def test_the_table_is_there() -> None:
    assert len(ROWS) == 10
