"""Names are inert, told apart, and shortened in the middle."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from deadheat.report.names import clean, labels, parted, shorten, shorten_all
from deadheat.results import Score


@given(st.text())
def test_a_clean_name_has_nothing_to_obey(text: str) -> None:
    assert not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in clean(text))
    assert not set(clean(text)) & set("\u202e\u2066\u200f\u2028\ufeff")
    assert clean(text)


def test_clean_keeps_what_people_write() -> None:
    assert clean("名前 🦊👩‍💻 café") == "名前 🦊👩‍💻 café"
    assert clean("two\nlines\ttab") == "two lines tab"
    assert clean("\u202e") == "(no name)"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Mn", "Me"])), st.integers(1, 40))
def test_a_short_name_fits(text: str, width: int) -> None:
    assert cell_len(shorten(text, width, cell_len)) <= width


def test_names_lose_their_middle() -> None:
    assert shorten("Claude Opus (20251101)", 13) == "Claude…51101)"
    assert shorten("short", 5) == "short"


def test_twins_stay_apart_and_equals_stay_equal() -> None:
    names = ["prefix-one-suffix", "prefix-two-suffix", "prefix-one-suffix", "other"]
    short = shorten_all(names, 10)
    assert short[0] == short[2] != short[1]
    assert all(len(name) <= 10 for name in short)
    assert short[3] == "other"


def test_entries_that_share_a_name_show_their_key() -> None:
    scores = [Score(entry="run-1", name="Model"), Score(entry="run-2", name="Model"), Score(entry="solo")]
    assert labels(scores) == {"run-1": "Model [run-1]", "run-2": "Model [run-2]", "solo": "solo"}


def test_what_names_share_is_set_apart() -> None:
    names = [f"2026{month:02d}17_mini-v2.{month}.0_model-{month}" for month in range(1, 5)] + ["solo"]
    made = parted(names)
    assert [each.core for each in made] == ["model-1", "model-2", "model-3", "model-4", "solo"]
    assert [each.aside for each in made][:2] == ["20260117_mini-v2.1.0", "20260217_mini-v2.2.0"]
    assert [each.full for each in made] == names
    ends = parted(["Alpha (high)", "Beta (high)", "Gamma (high)", "Delta (low)", "Alpha"])
    assert [(each.core, each.aside) for each in ends][2:4] == [("Gamma", "(high)"), ("Delta (low)", "")]


@given(st.lists(st.text("ab_/(12)", min_size=1, max_size=60), unique=True))
def test_names_that_differ_look_different(names: list[str]) -> None:
    made = parted([clean(name) for name in names])
    shown = {(each.core, each.aside) for each in made}
    assert len(shown) == len({each.full for each in made})
