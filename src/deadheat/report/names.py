"""Names of entries as they may be shown: made inert, told apart, shortened in the middle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from deadheat.results import Score

SPACES = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
# C0 and C1 controls, soft hyphen, zero-width spaces, bidirectional marks, embeddings and isolates, tags,
# interlinear marks, lone surrogates: nothing that moves the cursor, hides text or turns its direction.
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def clean(text: str) -> str:
    """Strip what a terminal or a page would obey instead of show; line breaks and tabs become spaces."""
    return UNSEEN.sub("", SPACES.sub(" ", text)).strip() or "(no name)"


def shorten(text: str, width: int, measure: Callable[[str], int] = len) -> str:
    """Shorten a name in the middle, where names differ least, to at most ``width`` cells.

    Parameters
    ----------
    text : str
        The name.
    width : int
        Cells that there are, at least 1.
    measure : callable
        Gives the cells that a text takes; wide characters take two.
    """
    if measure(text) <= width:
        return text
    head, tail = (width - 1) - (width - 1) // 2, (width - 1) // 2
    start, end = head, len(text) - tail
    start, end = min(start, len(text)), max(end, 0)
    while start and measure(text[:start]) > head:
        start -= 1
    while end < len(text) and measure(text[end:]) > tail:
        end += 1
    return f"{text[:start].rstrip()}…{text[end:].lstrip()}"


def shorten_all(texts: Sequence[str], width: int, measure: Callable[[str], int] = len) -> list[str]:
    """Shorten names and keep those apart that were apart: a number tells twins from each other."""
    short = [shorten(text, width, measure) for text in texts]
    owners: dict[str, dict[str, int]] = {}
    for name, text in zip(short, texts, strict=True):
        twins = owners.setdefault(name, {})
        twins.setdefault(text, len(twins) + 1)
    for index, (name, text) in enumerate(zip(short, texts, strict=True)):
        if len(owners[name]) > 1:
            mark = f"~{owners[name][text]}"
            short[index] = shorten(name, max(width - len(mark), 1), measure) + mark
    return short


def labels(scores: Iterable[Score]) -> dict[str, str]:
    """Give every entry the name that readers see; names that two entries share carry the entry's key.

    Parameters
    ----------
    scores : iterable of Score
        The lines of a board.

    Returns
    -------
    dict
        Entry to label.
    """
    names = {score.entry: clean(score.name or score.entry) for score in scores}
    shared = {name for name, number in Counter(names.values()).items() if number > 1}
    return {
        entry: f"{name} [{clean(entry)}]" if name in shared and clean(entry) != name else name
        for entry, name in names.items()
    }


@dataclass(frozen=True)
class Name:
    """A name as a narrow column shows it: what tells it from others, and what it shares with some."""

    full: str
    core: str
    aside: str = ""


SHARED, LEAST_CORE, MOST_CORE, MOST_ASIDE = 3, 3, 40, 26
HEADS = re.compile(r"[_/:]|\s[+–-]\s")
TAIL = re.compile(r"\s*[(\[][^()\[\]]*[)\]]$")


def parted(names: Sequence[str], width: int = MOST_CORE) -> list[Name]:
    """Set apart what several names begin or end with, and shorten what is left in the middle.

    A beginning up to ``_``, ``/``, ``:`` or `` + `` and an ending in brackets count when three names share
    them, digits apart. No two names that differ look the same: where that would happen, they are shown whole.

    Parameters
    ----------
    names : sequence of str
        Names as readers know them.
    width : int
        Letters of a name that there is room for.
    """
    heads = Counter(_shape(name[: cut.end()]) for name in set(names) for cut in HEADS.finditer(name))
    tails = Counter(found.group() for name in set(names) if (found := TAIL.search(name)))
    made = [_part(name, heads, tails, width) for name in names]
    owners: dict[tuple[str, str], set[str]] = {}
    for each in made:
        owners.setdefault((each.core, each.aside), set()).add(each.full)
    return [Name(each.full, each.full) if len(owners[each.core, each.aside]) > 1 else each for each in made]


def cores(named: Mapping[str, str]) -> dict[str, str]:
    """Give every entry what tells its name from the others, or the whole name where that does not.

    Parameters
    ----------
    named : mapping
        Entry to its name.
    """
    parts = dict(zip(named, parted(list(named.values())), strict=True))
    owners = Counter(name.core for name in parts.values())
    return {entry: name.core if owners[name.core] == 1 else name.full for entry, name in parts.items()}


def _shape(head: str) -> str:
    """Take dates and versions of the same form for the same beginning."""
    return re.sub(r"\d+", "#", head)


def _part(name: str, heads: Counter[str], tails: Counter[str], width: int) -> Name:
    ends = [cut.end() for cut in HEADS.finditer(name) if heads[_shape(name[: cut.end()])] >= SHARED]
    start = max((end for end in ends if len(name) - end >= LEAST_CORE), default=0)
    found = TAIL.search(name, start)
    stop = found.start() if found and tails[found.group()] >= SHARED else len(name)
    if stop - start < LEAST_CORE:
        stop = len(name)
    aside = " ".join(part for part in (name[stop:].strip(), name[:start].rstrip("_/:+–- ")) if part)
    return Name(name, shorten(name[start:stop], width), shorten(aside, MOST_ASIDE) if aside else "")
