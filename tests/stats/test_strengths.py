"""Strengths from votes: against other programs, against plain maximisation, and where no estimate exists."""

from itertools import combinations

import numpy as np
import pytest
from scipy import optimize

from deadheat.errors import DataError, MethodError
from deadheat.stats.votes import vote_errors
from deadheat.stats.votes.many_arenas import arenas, sandwiches
from deadheat.stats.votes.strengths import Votes, components, fit
from deadheat.stats.votes.tie_models import LOST, MODELS, TIED, WON
from deadheat.stats.votes.vote_errors import Grouping, differences, sandwich

# Stigler's citations of statistics journals (row cited by column); strengths and errors by R BradleyTerry2.
CITATIONS = np.array([[714, 730, 498, 221], [33, 425, 68, 17], [320, 813, 1072, 142], [284, 276, 325, 188]])
STRENGTHS, ERRORS = [-2.94907, -0.47957, 0.26895], [0.10255, 0.06059, 0.07083]


def table(won):
    first, second = np.nonzero(np.triu(np.ones_like(won), 1) + np.tril(np.ones_like(won), -1))
    return Votes(first, second, np.full(len(first), WON), won[first, second].astype(float))


def drawn(seed, entries=5, votes=400, ties=0.3, voters=20):
    rng = np.random.default_rng(seed)
    first = rng.integers(entries, size=votes)
    second = (first + rng.integers(1, entries, size=votes)) % entries
    lead = 0.5 * (second - first) + rng.logistic(size=votes)
    outcome = np.where(np.abs(lead) < ties * 2, TIED, np.where(lead > 0, WON, LOST))
    return Votes(first, second, outcome, np.ones(votes)), np.sort(rng.integers(voters, size=votes))


def test_journals():
    found = fit(table(CITATIONS), 4)
    assert found.strength[1:] - found.strength[0] == pytest.approx(STRENGTHS, abs=1e-5)
    _, se = differences(found, found.inverse)
    assert se[1:, 0] == pytest.approx(ERRORS, abs=1e-5)


def likelihood(model, votes, x, entries):
    """Written from the definitions: odds of win, tie and loss."""
    gap, tie = x[votes.first] - x[votes.second], x[entries] if len(x) > entries else 0.0
    if model == "half":
        p = 1 / (1 + np.exp(-gap))
        chance = [np.log(p), (np.log(p) + np.log(1 - p)) / 2, np.log(1 - p)]
    elif model == "davidson":
        odds = np.array([np.exp(gap / 2), np.full_like(gap, np.exp(tie)), np.exp(-gap / 2)])
        chance = np.log(odds / odds.sum(axis=0))
    else:
        k = np.exp(tie)
        a, b = np.exp(gap) / (np.exp(gap) + k), 1 / (1 + k * np.exp(gap))
        chance = [np.log(a), np.log(1 - a - b), np.log(b)]
    return float((votes.weight * np.choose(votes.outcome, chance)).sum())


@pytest.mark.parametrize("model", MODELS)
def test_the_estimate_is_the_maximum(model):
    votes, _ = drawn(3)
    found = fit(votes, 5, model=model)
    x = np.concatenate([found.strength, found.extra])
    assert found.strength.sum() == pytest.approx(0, abs=1e-9)
    gradient = optimize.approx_fprime(x, lambda at: likelihood(model, votes, at, 5), 1e-6)
    assert np.abs(gradient).max() < 2e-3
    for direction in np.random.default_rng(0).normal(size=(20, len(x))):
        assert likelihood(model, votes, x + 0.05 * direction, 5) <= likelihood(model, votes, x, 5)


@pytest.mark.parametrize("model", MODELS)
def test_scores_and_information_are_derivatives(model):
    gap, step = np.linspace(-2, 2, 7), 1e-5
    tie = 0.4
    for outcome in (WON, TIED, LOST):
        at = np.full(7, outcome)
        high, low = (MODELS[model](gap + sign * step, tie, at).log for sign in (1, -1))
        np.testing.assert_allclose(MODELS[model](gap, tie, at).score, (high - low) / (2 * step), atol=1e-7)
        high, low = (MODELS[model](gap, tie + sign * step, at).log for sign in (1, -1))
        np.testing.assert_allclose(MODELS[model](gap, tie, at).tie, (high - low) / (2 * step), atol=1e-6)
    if model == "half":
        return
    terms = [MODELS[model](gap, tie, np.full(7, outcome)) for outcome in (WON, TIED, LOST)]
    p = np.exp([each.log for each in terms])
    np.testing.assert_allclose(p.sum(axis=0), 1)
    np.testing.assert_allclose(sum(p * [each.score**2 for each in terms]), terms[0].information, atol=1e-12)
    np.testing.assert_allclose(sum(p * [each.tie**2 for each in terms]), terms[0].ties, atol=1e-12)
    np.testing.assert_allclose(sum(p * [each.score * each.tie for each in terms]), terms[0].cross, atol=1e-12)


def slow_sandwich(found, votes, clusters):
    """Sum of scores per cluster by a loop over votes."""
    size = len(found.strength) + len(found.extra)
    sums = {}
    for row in range(len(votes.first)):
        gap = found.strength[votes.first[row]] - found.strength[votes.second[row]]
        tie = found.extra[0] if found.model != "half" else 0.0
        terms = MODELS[found.model](np.array([gap]), tie, np.array([votes.outcome[row]]))
        score = sums.setdefault(clusters[row], np.zeros(size))
        score[votes.first[row]] += votes.weight[row] * terms.score[0]
        score[votes.second[row]] -= votes.weight[row] * terms.score[0]
        if found.model != "half":
            score[len(found.strength)] += votes.weight[row] * terms.tie[0]
    meat = sum(np.outer(score, score) for score in sums.values())
    return found.inverse @ meat @ found.inverse * len(sums) / (len(sums) - 1)


def grouped(votes, code=None):
    """Rows of votes as single votes, in clusters or each by itself."""
    if code is None:
        return Grouping(np.arange(len(votes.first)), None, votes.weight, len(votes.first))
    order = np.argsort(code, kind="stable")
    cluster = np.unique(np.asarray(code)[order], return_inverse=True)[1]
    return Grouping(order, cluster, votes.weight[order], int(cluster[-1]) + 1)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_the_sandwich_is_a_sum_over_clusters(model, weighted, monkeypatch):
    votes, voter = drawn(4)
    voter = np.where(np.arange(len(voter)) % 3 > 0, voter, 1000 + np.arange(len(voter)))  # some vote once
    if weighted:
        votes = votes._replace(weight=np.random.default_rng(2).uniform(0.5, 3, len(voter)))
    found = fit(votes, 5, model=model)
    slow = slow_sandwich(found, votes, voter)
    for few, chunk, held in ((20, 1 << 20, 1 << 22), (20, 37, 50), (0, 1 << 20, 1 << 22), (0, 37, 50)):
        for name, value in (("FEW", few), ("CHUNK", chunk), ("HELD", held)):
            monkeypatch.setattr(vote_errors, name, value)
        np.testing.assert_allclose(sandwich(found, votes, [grouped(votes, voter)]), slow, atol=1e-12)
    alone = slow_sandwich(found, votes, np.arange(len(voter)))
    np.testing.assert_allclose(sandwich(found, votes, [grouped(votes)]), alone, atol=1e-12)


def test_two_ways_are_two_minus_their_cells():
    votes, voter = drawn(5)
    prompt = np.random.default_rng(1).integers(15, size=len(voter))
    cell = voter * 15 + prompt
    found = fit(votes, 5)

    both = sandwich(found, votes, [grouped(votes, code) for code in (voter, prompt, cell)])
    plain = sum(
        sign * slow_sandwich(found, votes, code) for sign, code in ((1, voter), (1, prompt), (-1, cell))
    )
    values = np.linalg.eigvalsh(plain)
    if values.min() > -1e-12:
        np.testing.assert_allclose(both, plain, atol=1e-10)
    assert np.linalg.eigvalsh(both).min() > -1e-12


def test_rows_may_stand_for_many_votes():
    votes, _ = drawn(6)
    keys, count = np.unique(np.stack(votes[:3]), axis=1, return_counts=True)
    packed = Votes(*keys, count.astype(float))
    one, many = fit(votes, 5), fit(packed, 5)
    np.testing.assert_allclose(one.strength, many.strength, atol=1e-9)
    counts = Grouping(np.arange(len(count)), None, np.sqrt(count), len(votes.first))
    assert np.allclose(sandwich(one, votes, [grouped(votes)]), sandwich(many, packed, [counts]), atol=1e-9)


def test_swapping_sides_and_renaming_change_nothing():
    votes, _ = drawn(7)
    turned = Votes(votes.second, votes.first, 2 - votes.outcome, votes.weight)
    np.testing.assert_allclose(fit(votes, 5).strength, fit(turned, 5).strength, atol=1e-9)
    renamed = votes._replace(first=4 - votes.first, second=4 - votes.second)
    np.testing.assert_allclose(fit(votes, 5).strength, fit(renamed, 5).strength[::-1], atol=1e-9)


def test_a_covariate_is_found():
    rng = np.random.default_rng(8)
    votes, _ = drawn(8, votes=6000, ties=0.0)
    longer = rng.normal(size=6000)
    lead = 0.5 * (votes.second - votes.first) + 0.7 * longer + 0.3 + rng.logistic(size=6000)
    outcome = np.where(lead > 0, WON, LOST)
    found = fit(
        Votes(votes.first, votes.second, outcome, votes.weight, np.stack([longer, np.ones(6000)], axis=1)), 5
    )
    assert found.extra == pytest.approx([0.7, 0.3], abs=0.1)
    assert np.diff(found.strength) == pytest.approx([-0.5] * 4, abs=0.2)


def test_entries_that_cannot_be_compared():
    # 0 beats all, 1 and 2 beat each other, 3 and 4 are an island
    votes = Votes(np.array([0, 0, 1, 2, 3, 4]), np.array([1, 2, 2, 1, 4, 3]), np.zeros(6, int), np.ones(6))
    strong, islands = components(votes, 5)
    assert strong[1] == strong[2] != strong[0]
    assert strong[3] == strong[4] != strong[1]
    assert islands[0] == islands[1] != islands[3]
    tied = votes._replace(outcome=np.array([0, TIED, 0, 0, 0, 0]))
    strong, _ = components(tied, 5)
    assert strong[0] == strong[1] == strong[2]
    with pytest.raises(DataError, match="no maximum"):
        fit(Votes(np.array([0, 0]), np.array([1, 2]), np.array([0, 0]), np.ones(2)), 3)
    penalised = fit(Votes(np.array([0, 0]), np.array([1, 2]), np.array([0, 0]), np.ones(2)), 3, penalty=1.0)
    assert penalised.strength[0] > 0 > penalised.strength[1]


def test_too_many_entries_are_refused():
    with pytest.raises(MethodError, match="at most 5,000 entries"):
        fit(Votes(*np.zeros((3, 1), int), np.ones(1)), 5001)


def test_intervals_hold_where_voters_copy_themselves():
    """200 arenas in which a voter repeats one opinion: errors by voter hold, errors by vote do not."""
    rng = np.random.default_rng(11)
    held = np.zeros(2)
    for _ in range(200):
        voter = np.repeat(np.arange(60), 10)
        taste = rng.normal(0, 1.5, size=(60, 2))
        first, second = np.zeros(600, int), np.ones(600, int)
        lead = taste[voter, 0] - taste[voter, 1] + rng.logistic(size=600)
        votes = Votes(first, second, np.where(lead > 0, WON, LOST), np.ones(600))
        found = fit(votes, 2)
        for at, code in enumerate((voter, None)):
            gap, se = differences(found, sandwich(found, votes, [grouped(votes, code)]))
            held[at] += abs(gap[0, 1]) < 2.0 * se[0, 1]
    assert held[0] / 200 > 0.9
    assert held[1] / 200 < 0.8


def test_errors_by_voter_are_those_of_a_bootstrap_of_voters():
    """2,000 resamples of 80 voters who have tastes: standard errors of all differences within 10 %."""
    rng = np.random.default_rng(21)
    pairs = np.array(list(combinations(range(4), 2)))
    taste = np.linspace(1, 0, 4) + rng.normal(0, 0.8, size=(80, 4))
    met = rng.integers(2, 6, size=(80, 6))
    won = rng.binomial(met, 1 / (1 + np.exp(taste[:, pairs[:, 1]] - taste[:, pairs[:, 0]])))
    strength, inverse = arenas(won.sum(axis=0)[None], met.sum(axis=0)[None], 4)
    covariance = sandwiches(strength, inverse, won[None], met[None], by_voter=True)[0]
    times = rng.multinomial(80, np.full(80, 1 / 80), size=2000)
    resampled, _ = arenas(times @ won, times @ met, 4)
    for a, b in pairs:
        analytic = np.sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
        assert np.std(resampled[:, a] - resampled[:, b]) == pytest.approx(analytic, rel=0.1)


def test_many_arenas_at_once_are_each_the_same():
    rng = np.random.default_rng(13)
    pairs = np.array(list(combinations(range(4), 2)))
    met = rng.integers(1, 5, size=(3, 25, 6)).astype(float)
    won = rng.binomial(met.astype(int), 0.5).astype(float)
    strength, inverse = arenas(won.sum(axis=1), met.sum(axis=1), 4)
    both = [sandwiches(strength, inverse, won, met, by_voter=by) for by in (True, False)]
    for at in range(3):
        rows = [(v, p, o) for v in range(25) for p in range(6) for o in (WON, LOST)]
        voter, pair, outcome = np.array(rows).T
        weight = np.where(outcome == WON, won[at][voter, pair], (met - won)[at][voter, pair])
        there = weight > 0
        votes = Votes(*pairs[pair].T, outcome, weight)
        votes = Votes(*(column[there] for column in votes[:4]))
        found = fit(votes, 4)
        np.testing.assert_allclose(found.strength, strength[at], atol=1e-9)
        by_voter = sandwich(found, votes, [grouped(votes, voter[there])])
        np.testing.assert_allclose(by_voter, both[0][at], atol=1e-9)
        counts = Grouping(np.arange(len(votes.first)), None, np.sqrt(votes.weight), int(votes.weight.sum()))
        np.testing.assert_allclose(sandwich(found, votes, [counts]), both[1][at], atol=1e-9)
    never, _ = arenas(met.sum(axis=1), met.sum(axis=1), 4)
    assert np.isnan(never).all()
