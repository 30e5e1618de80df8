"""tests/test_evals.py: fails if the new results are worse than the committed ones by 5 points or more."""

from deadheat.pytest_plugin import assert_not_worse


def test_the_change_costs_no_accuracy():
    """Results that settle nothing are skipped; with "fail", non-inferiority must be shown."""
    assert_not_worse("evals/baseline.csv", "evals/results.csv", margin=0.05, inconclusive="skip")
