"""The estimand refuses what makes no sense, and says what it is."""

import pytest

from deadheat.errors import MethodError
from deadheat.estimand import Estimand


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"metric": "median"}, "metric is one of mean"),
        ({"failed": "ignore"}, "failed is one of zero, drop, refuse"),
        ({"metric": "pass@k"}, "needs k of at least 1"),
        ({"metric": "pass@k", "k": 0}, "found k = 0"),
        ({"k": 3}, "the metric asked for is mean"),
        ({"metric": "g-pass@k", "k": 3}, "tau"),
        ({"metric": "g-pass@k", "k": 3, "tau": 1.5}, r"tau lies in \(0, 1\]"),
        ({"tau": 0.5}, "belongs to g-pass@k"),
    ],
)
def test_refused(arguments, words):
    with pytest.raises(MethodError, match=words):
        Estimand(**arguments)


def test_described():
    text = Estimand(metric="pass@k", k=5, cluster="repository", weights="category").describe()
    assert text.startswith("pass@5; generalises to comparable items; items clustered by repository")
    assert "failed attempts are zeros" in text


def test_frozen():
    with pytest.raises(AttributeError):
        Estimand().k = 3
