"""Which way a metric runs: by the words of its name, or as files state it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadheat.data.batch import Batch
from deadheat.errors import DataError

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


def stated_direction(batches: Sequence[Batch]) -> bool | None:
    """What the files say of the direction of their scores, which must not differ.

    Raises
    ------
    DataError
        Naming two files that differ.
    """
    said = {batch.lower_is_better: batch for batch in batches if batch.lower_is_better is not None}
    if len(said) == 2:
        low, high = (f"{said[key].task or 'the score'} of {said[key].file.path}" for key in (True, False))
        raise DataError(
            f"lower is better in {low}, and higher in {high}: their mean has no direction; read the files of "
            "one metric, or choose one with --choose metric=NAME"
        )
    return next(iter(said), None)
