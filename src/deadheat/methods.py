"""The one table of methods: what each is called, which data it fits, and which is taken when none is named.

Functions that compute them are in `stats/`, under the same names (`stats.paired.catalogue`,
`stats.score.intervals`); a house test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from typing import Literal, NamedTuple

from deadheat.errors import MethodError

Kind = Literal["test", "interval", "adjustment"]
ANYTIME = "betting"  # the test, and its interval, that hold at every look
SIGN, BY_T = "sign", ("t", "bell-mccaffrey")  # the test of differences that do not vary, in place of one by t
FEW_CLUSTERS = 40  # below it a note says so: Cameron and Miller (2015), section VI
NO_RERUNS = (
    "every item has one sample, which does not show what a rerun would give; give more samples per item, or "
    "use --generalises-to items"
)


class Shape(NamedTuple):
    """What the choice of a method depends on.

    Parameters
    ----------
    binary : bool
        Every value is one 0/1 attempt.
    rates : bool
        Every value lies in [0, 1].
    clustered, weighted, stratified : bool
        Items share clusters, have unequal weights, or are parted into categories with weights of their own.
    nested : bool
        Every cluster lies within one category.
    composite : bool
        The categories have stated shares.
    reruns : bool
        The question is about the same items attempted again.
    """

    binary: bool = False
    rates: bool = False
    clustered: bool = False
    weighted: bool = False
    stratified: bool = False
    nested: bool = True
    composite: bool = False
    reruns: bool = False

    @property
    def plain(self) -> bool:
        """Whether items are independent and equally weighted."""
        return not (self.clustered or self.weighted or self.stratified)

    @property
    def obstacles(self) -> str:
        """What keeps items from being independent and equally weighted."""
        there = (self.clustered, self.weighted, self.stratified)
        what = ("clusters", "weights", "categories with weights of their own")
        return ", ".join(compress(what, there))


class Fit(NamedTuple):
    """What data a method fits.

    Parameters
    ----------
    binary : bool
        Single 0/1 attempts only.
    rates : bool
        Values in [0, 1] only.
    plain : bool
        Independent, equally weighted items only: no clusters, weights or categories.
    unstratified : bool
        No categories with weights of their own.
    nested : bool
        Clusters, if any, within one category each.
    composite : bool
        Composites too.
    draws : bool
        Draws resamples.
    paired : bool
        Uses that both entries met the same items.
    reruns : bool
        About the same items attempted again; without it, about comparable items.
    either : bool
        About either.
    """

    binary: bool = False
    rates: bool = False
    plain: bool = False
    unstratified: bool = False
    nested: bool = False
    composite: bool = False
    draws: bool = False
    paired: bool = True
    reruns: bool = False
    either: bool = False


class Method(NamedTuple):
    """A method: its title, what it fits, and for a test the interval that is shown with it."""

    title: str
    fit: Fit
    interval: str = ""


COUNTS = Fit(binary=True, plain=True)
TESTS: dict[str, Method] = {
    "mcnemar": Method("exact McNemar test", COUNTS, "tango"),
    "mid-p": Method("mid-p McNemar test", COUNTS, "tango"),
    "mcnemar-cc": Method("McNemar χ² test with continuity correction", COUNTS, "tango"),
    "mcnemar-chi2": Method("McNemar χ² test without correction", COUNTS, "tango"),
    "t": Method("t", Fit(composite=True), "t"),
    "bell-mccaffrey": Method("Bell–McCaffrey t", Fit(nested=True, composite=True), "bell-mccaffrey"),
    "sign-flip": Method("sign-flip permutation test", Fit(draws=True), "t"),
    "bootstrap": Method("paired bootstrap test", Fit(draws=True), "percentile"),
    ANYTIME: Method("betting, valid at every look", Fit(rates=True, unstratified=True), ANYTIME),
    "rerun-t": Method("t-test of reruns", Fit(reruns=True), "rerun-t"),
    "unpaired-z": Method(
        "unpaired two-proportion z test", Fit(plain=True, paired=False), "newcombe-unpaired"
    ),
    "welch": Method("Welch t (unpaired)", Fit(paired=False), "welch"),
}
"""Tests of a pair of entries."""

DIFFERENCES: dict[str, Method] = {
    "tango": Method("Tango", COUNTS),
    "newcombe": Method("Newcombe", COUNTS),
    "wald": Method("Wald", COUNTS),
    "bayes": Method("Bayes", COUNTS),
    "t": Method("t", Fit(composite=True)),
    "bell-mccaffrey": Method("Bell–McCaffrey t", Fit(nested=True, composite=True)),
    "percentile": Method("percentile bootstrap", Fit(draws=True)),
    "bca": Method("BCa bootstrap", Fit(draws=True, unstratified=True)),
    "studentised": Method("studentised bootstrap", Fit(draws=True, unstratified=True)),
    ANYTIME: Method("betting, valid at every look", Fit(rates=True, unstratified=True)),
    "rerun-t": Method("t-test of reruns", Fit(reruns=True)),
    "newcombe-unpaired": Method("Newcombe (unpaired)", Fit(plain=True, paired=False)),
    "welch": Method("Welch t (unpaired)", Fit(paired=False)),
}
"""Intervals of the difference of a pair."""

SCORES: dict[str, Method] = {
    "wald": Method("Wald", COUNTS),
    "wilson": Method("Wilson", COUNTS),
    "clopper-pearson": Method("Clopper–Pearson", COUNTS),
    "mid-p": Method("mid-p", COUNTS),
    "jeffreys": Method("Jeffreys", COUNTS),
    "agresti-coull": Method("Agresti–Coull", COUNTS),
    "bayes": Method("Bayes", COUNTS),
    "score": Method("effective-size score", Fit(rates=True, nested=True, composite=True, either=True)),
    "t": Method("t", Fit(composite=True, either=True)),
    "bell-mccaffrey": Method("Bell–McCaffrey t", Fit(nested=True, composite=True)),
    "jackknife": Method("jackknife", Fit(unstratified=True)),
    "wald-attempts": Method("Wald over all attempts", Fit(composite=True)),
    "percentile": Method("percentile bootstrap", Fit(draws=True)),
    "bca": Method("BCa bootstrap", Fit(draws=True, unstratified=True)),
    "studentised": Method("studentised bootstrap", Fit(draws=True, unstratified=True)),
}
"""Intervals of a score."""

ADJUSTMENTS = {
    "none": "no adjustment",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini–Hochberg",
    "max-t": "max-t",
}
"""Adjustments of p-values for many comparisons, by title."""


def default_test(shape: Shape) -> str:
    """Name the test of a pair: exact McNemar for single 0/1 attempts at independent items, otherwise t."""
    if shape.reruns:
        return "rerun-t"
    if shape.binary and shape.plain:
        return "mcnemar"
    return "bell-mccaffrey" if shape.clustered and shape.nested else "t"


def default_interval(shape: Shape) -> str:
    """Name the interval of a score.

    Wilson for single 0/1 attempts at independent items; ``score`` (at the design's effective size) for other
    rates in [0, 1]; otherwise t, with Bell and McCaffrey's degrees of freedom where there are clusters.
    """
    if shape.binary and shape.plain and not shape.reruns:
        return "wilson"
    if shape.rates and shape.nested:
        return "score"
    return "bell-mccaffrey" if shape.clustered and shape.nested and not shape.reruns else "t"


def check(name: str, method: Method, shape: Shape, known: Mapping[str, Method]) -> None:
    """Refuse a method that does not fit the data.

    Parameters
    ----------
    name : str
    method : Method
    shape : Shape
    known : mapping of str to Method
        The methods of its kind; those that fit are named in the refusal.

    Raises
    ------
    MethodError
        Says what was found and which methods fit.
    """
    found = _misfit(method.fit, shape)
    if found is None:
        return
    fitting = [
        each
        for each, other in known.items()
        if _misfit(other.fit, shape) is None and other.fit.paired == method.fit.paired
    ]
    use = f"; use {' or '.join(fitting[:3])}" if fitting else ""
    raise MethodError(f"{name} {found}{use}")


def _misfit(fit: Fit, shape: Shape) -> str | None:
    """Say what a method takes and what was found instead; None where it fits."""
    if not fit.either and fit.reruns != shape.reruns:
        return (
            "is about comparable items; found --generalises-to reruns"
            if shape.reruns
            else "is about reruns of the same items; found --generalises-to items"
        )
    if fit.binary and not shape.binary:
        return "takes single 0/1 attempts; found rates, real numbers or several samples per item"
    if fit.rates and not shape.rates:
        return "takes scores in [0, 1]; found scores outside"
    if fit.plain and not shape.plain:
        return f"takes independent, equally weighted items; found {shape.obstacles}"
    if fit.unstratified and shape.stratified:
        return "does not take categories with weights of their own"
    if fit.nested and not shape.nested:
        return "needs each cluster within one category; found clusters that span categories"
    if shape.composite and not fit.composite:
        return "does not take a composite of categories"
    return None


def choose_pair(shape: Shape, test: str | None, interval: str | None) -> tuple[str, str]:
    """Name the test and the interval of a pair: those asked for, if they fit, or the defaults.

    Raises
    ------
    MethodError
        An unknown name, a method that does not fit the data, or two methods about different things.
    """
    for what, name, known in (("test", test, TESTS), ("interval", interval, DIFFERENCES)):
        if name is not None and name not in known:
            raise MethodError(f"no {what} {name!r}; known are {', '.join(known)}")
    if shape.reruns and test == "t":
        test = "rerun-t"
    default = default_test(shape)
    test = test or default
    check(test, TESTS[test], shape, TESTS)
    # A test that brings no error of its own is shown with the t interval that fits the data.
    fitting = default if TESTS[test].fit.draws and TESTS[test].interval == "t" else None
    interval = interval or (fitting if fitting in DIFFERENCES else TESTS[test].interval)
    check(interval, DIFFERENCES[interval], shape, DIFFERENCES)
    if TESTS[test].fit.paired != DIFFERENCES[interval].fit.paired:
        raise MethodError(
            f"the test {test} and the interval {interval} answer different questions: one takes both entries "
            "on the same items, the other as if on different items"
        )
    return test, interval


def choose_score(shape: Shape, interval: str | None) -> str:
    """Name the interval of a score: the one asked for, if it fits, or the default.

    Raises
    ------
    MethodError
        An unknown name, or a method that does not fit the data.
    """
    if interval is None:
        return default_interval(shape)
    if interval not in SCORES:
        raise MethodError(f"no interval {interval!r}; known are {', '.join(SCORES)}")
    check(interval, SCORES[interval], shape, SCORES)
    return interval


def title(kind: Kind, name: str) -> str | None:
    """Give a method the title that its literature uses; None for a name that is not in the table."""
    if kind == "adjustment":
        return ADJUSTMENTS.get(name)
    known = TESTS | {SIGN: Method("sign test", Fit())} if kind == "test" else DIFFERENCES | SCORES
    return known[name].title if name in known else None
