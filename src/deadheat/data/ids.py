"""Item ids that do not line up between entries: cut off, so that several became one, or spelled apart."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass

BOUNDARY = re.compile(r"[^0-9A-Za-z]")
OVERLAP = 0.5  # share of items two entries have in common before their odd ids are held against each other


@dataclass(frozen=True)
class CutOff:
    """An id that stands where other entries have longer ones.

    Parameters
    ----------
    short : str
        The id as found.
    full : tuple of str
        The ids that begin with it, which no entry with `short` has.
    short_in, full_in : tuple of str
        Entries that have the one, and any of the others.
    """

    short: str
    full: tuple[str, ...]
    short_in: tuple[str, ...]
    full_in: tuple[str, ...]

    @property
    def mark(self) -> str:
        """The character at which the id was cut."""
        return self.full[0][len(self.short)]


@dataclass(frozen=True)
class Spelling:
    """Ids that differ in spelling only, no two of them in one entry.

    Parameters
    ----------
    spellings : tuple of str
        The ids as found.
    how : str
        What makes them equal: ``Unicode form``, ``case``, ``space`` or ``separators``.
    entries : tuple of tuples of str
        Entries that have each.
    """

    spellings: tuple[str, ...]
    how: str
    entries: tuple[tuple[str, ...], ...]


def cut_off(items: Mapping[str, Set[str]]) -> list[CutOff]:
    """Find ids that were cut off at a character such as ``.``, so that several items became one.

    Parameters
    ----------
    items : mapping
        Ids that each entry has.

    Returns
    -------
    list of CutOff
        Sorted by id. A prefix alone is no proof: no entry may have both forms, and some entry with the one
        shares at least half of its items with an entry that has the other.
    """
    ordered = sorted(_every(items))
    longer_than = {}
    for at, short in enumerate(ordered, 1):
        end = at
        while end < len(ordered) and ordered[end].startswith(short):
            end += 1
        full = [longer for longer in ordered[at:end] if BOUNDARY.match(longer[len(short)])]
        if full:
            longer_than[short] = full
    carriers = _carriers(items, {*longer_than, *itertools.chain(*longer_than.values())})
    found = []
    for short, full in longer_than.items():
        if any(carriers[longer] & carriers[short] for longer in full):
            continue
        full_in = set().union(*(carriers[longer] for longer in full))
        if _akin(items, carriers[short], full_in):
            found.append(CutOff(short, tuple(full), tuple(sorted(carriers[short])), tuple(sorted(full_in))))
    return found


def spelled_apart(items: Mapping[str, Set[str]]) -> list[Spelling]:
    """Find ids that different entries spell differently.

    Parameters
    ----------
    items : mapping
        Ids that each entry has.

    Returns
    -------
    list of Spelling
        Sorted by id; each by the smallest change that makes its spellings equal.
    """
    carriers = _carriers(items, _every(items))
    found: list[Spelling] = []
    told: set[str] = set()
    for how, form in FORMS.items():
        alike = defaultdict(list)
        for item in sorted(carriers):
            alike[form(item)].append(item)
        for spellings in alike.values():
            owners = [carriers[spelling] for spelling in spellings]
            both = sum(map(len, owners)) > len(set().union(*owners))
            if len(spellings) < 2 or told >= set(spellings) or both:
                continue
            told.update(spellings)
            found.append(Spelling(tuple(spellings), how, tuple(tuple(sorted(owner)) for owner in owners)))
    return sorted(found, key=lambda f: f.spellings)


def _every(items: Mapping[str, Set[str]]) -> set[str]:
    """All ids; a set that several entries share is looked at once."""
    return set().union(*{id(ids): ids for ids in items.values()}.values())


def _carriers(items: Mapping[str, Set[str]], of: Set[str]) -> dict[str, set[str]]:
    """Entries that have each of some ids."""
    carriers: dict[str, set[str]] = {item: set() for item in of}
    if carriers:
        for entry, ids in items.items():
            for item in of if len(of) < len(ids) else ids:
                if item in carriers and item in ids:
                    carriers[item].add(entry)
    return carriers


def _akin(items: Mapping[str, Set[str]], these: Set[str], those: Set[str]) -> bool:
    """Whether some entry of these shares enough items with one of those."""
    return any(
        len(items[a] & items[b]) >= OVERLAP * min(len(items[a]), len(items[b])) for a in these for b in those
    )


def _unicode(item: str) -> str:
    return unicodedata.normalize("NFC", item)


def _space(item: str) -> str:
    return " ".join(_unicode(item).split())


def _case(item: str) -> str:
    return _space(item).casefold()


def _separators(item: str) -> str:
    return re.sub(r"[\s_/\\.:-]+", "-", _case(item))


FORMS = {"Unicode form": _unicode, "space": _space, "case": _case, "separators": _separators}
