"""Which way a metric runs, told from the words of its name."""

from __future__ import annotations

import re

LOWER = re.compile(
    r"wer|cer|ter|mer|der|perplexity|ppl|loss|nll|latency|ttft|duration|runtime|seconds|toxic(ity)?|errors?|mse|"
    r"rmse|mae|mape|brier|ece|hallucinat(ions?|ed)|bpb|bits|cost|regret|fid|distance|levenshtein|incorrect|"
    r"wrong|violations?|harmfulness"
)
HIGHER = re.compile(
    r"acc|accuracy|em|match|f1|bleu|chrf|rouge\w*|meteor|comet|mcc|correct|pass|passed|resolved|success|solved|"
    r"precision|recall|auc|auroc|rewards?|wins?"
)
UNDONE = re.compile(r"free|no|non|not|without|reduction")  # turn another word's meaning


def lower_is_better(metric: str) -> bool | None:
    """Say whether lower values of a metric are better, by its name.

    Parameters
    ----------
    metric : str
        As a file or a column calls it: ``wer``, ``word_error_rate``, ``val-loss``.

    Returns
    -------
    bool or None
        None for a name that does not tell.

    Examples
    --------
    >>> lower_is_better("Word Error Rate"), lower_is_better("exact_match"), lower_is_better("fluency")
    (True, False, None)
    """
    words = re.split(r"[^a-z0-9]+", metric.lower())
    low, high, undone = (any(map(kind.fullmatch, words)) for kind in (LOWER, HIGHER, UNDONE))
    return None if low == high or undone else low
