"""The works to cite for each method, and their BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

CITED = {
    "mcnemar": "mcnemar1947 fagerland2013",
    "mid-p": "lancaster1961 fagerland2013",
    "mcnemar-cc": "mcnemar1947 edwards1948",
    "mcnemar-chi2": "mcnemar1947",
    "t": "miller2024",
    "bell-mccaffrey": "bell2002 imbens2016",
    "sign-flip": "fisher1935 phipson2010",
    "bootstrap": "efron1979",
    "betting": "waudbysmith2024",
    "rerun-t": "miller2024",
    "unpaired-z": "fleiss2003",
    "welch": "welch1947",
    "tango": "tango1998",
    "newcombe": "newcombe1998b",
    "newcombe-unpaired": "newcombe1998a",
    "wald": "brown2001 fleiss2003",
    "bayes": "altham1971",
    "percentile": "efron1979",
    "bca": "efron1987",
    "studentised": "hall1988",
    "wilson": "wilson1927",
    "ppi++": "angelopoulos2023",
    "clopper-pearson": "clopper1934",
    "jeffreys": "brown2001",
    "agresti-coull": "agresti1998",
    "score": "wilson1927 korn1998",
    "jackknife": "tukey1958",
    "wald-attempts": "miller2024",
    "none": "",
    "holm": "holm1979",
    "hochberg": "hochberg1988",
    "bh": "benjamini1995",
    "max-t": "romano2005",
    "pass@k": "chen2021",
    "pass^k": "yao2024",
    "maj@k": "wang2022",
    "self-consistency": "wang2022",
    "g-pass@k": "liu2024",
    "rasch": "bock1981",
    "two-way": "laird1982",
    "davidson": "bradley1952 davidson1970",
    "rao-kupper": "bradley1952 rao1967",
    "half": "bradley1952",
}
"""The works to cite for each method of `deadheat.methods`, metric and model, by its name."""


def bibtex(cites: Iterable[str]) -> str:
    """Give the works of some keys, in alphabetical order of the keys."""
    return "\n".join(works()[key] for key in sorted({key for cite in cites for key in cite.split()}))


@cache
def works() -> dict[str, str]:
    """Give the BibTeX entry of every key."""
    text = files("deadheat.report").joinpath("works.bib").read_text(encoding="utf-8")
    return {
        entry[entry.index("{") + 1 : entry.index(",")]: entry for entry in re.split(r"\n(?=@)", text.strip())
    }


def named(cite: str) -> str:
    """Cite works by author and year."""
    return f" ({'; '.join(map(_author_year, cite.split()))})" if cite else ""


def _author_year(key: str) -> str:
    entry = works()[key]
    authors, year = (re.findall(rf"{field} = {{(.*?)}},", entry)[0] for field in ("author", "year"))
    names = [re.sub(r"[{}\\']", "", name.partition(",")[0]) for name in authors.split(" and ")]
    who = " & ".join(names) if len(names) < 3 and "others" not in names else f"{names[0]} et al."
    return f"{who} {year}"
