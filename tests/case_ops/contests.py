"""Preferences and judges: win rates, Bradley-Terry, judged rates."""

import numpy as np

from deadheat.stats.judged.judged_rates import corrected_rate
from deadheat.stats.score import consistency
from deadheat.stats.score.binomial import wilson
from deadheat.stats.votes.preferences import bradley_terry, win_rate, win_rates
from deadheat.stats.votes.vote_errors import ELO

from .support import ends, known


def win_rate_op(asked):
    wins, losses, draws = (asked[key] for key in ("wins", "losses", "draws"))
    n = wins + losses + draws
    found = win_rate(wins, losses, draws)
    answer = {"win_rate": found.rate, "stderr": known(found.se), "implied_pct": 100 * found.rate}
    if "published_pct" in asked:
        published = asked["published_pct"] / 100
        right = wins + draws / 2
        answer |= {
            "consistent": bool(consistency.agrees(published, right, n)),
            "gap_items": abs(float(consistency.gap_in_items(published, right, n))),
        }
    return answer


def win_rate_board(asked):
    names = list(asked["scores"])
    return dict(zip(names, win_rates([asked["scores"][name] for name in names]).tolist(), strict=True))


def bradley_terry_op(asked):
    contests = [(*match, 1.0) for match in asked.get("matches", [])]
    for key, count in asked.get("counts", {}).items():
        if key == "tie":
            pair = sorted({name for other in asked["counts"] if ">" in other for name in other.split(">")})
            contests += [(pair[0], pair[1], count / 2), (pair[1], pair[0], count / 2)]
        else:
            contests.append((*key.split(">"), count))
    names = sorted({name for winner, loser, _ in contests for name in (winner, loser)})
    wins = np.zeros((len(names),) * 2)
    for winner, loser, count in contests:
        wins[names.index(winner), names.index(loser)] += count
    found = bradley_terry(wins)
    alone = sum(count for winner, loser, count in contests if winner == loser)
    answer = {name: known(value) for name, value in zip(names, found.log_strength, strict=True)}
    undefeated = [
        name
        for i, name in enumerate(names)
        if np.isnan(found.log_strength[i]) and np.delete(wins[:, i], i).sum() == 0
    ]
    answer |= {
        "used": len(asked.get("matches", [])) - int(alone),
        "ignored_self": int(alone),
        "order_still": undefeated,
        "flag": f"{', '.join(undefeated)} undefeated: no finite estimate" if undefeated else None,
    }
    if len(names) == 2 and np.isfinite(found.log_strength).all():
        c = found.covariance
        gap = float(found.log_strength[0] - found.log_strength[1])
        answer |= {
            "log_odds": gap,
            "ratio": float(np.exp(gap)),
            "elo_diff": gap * ELO,
            "se_log_odds": float(np.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1])),
        }
    return answer


def judge_agreement(asked):
    answer = {}
    for side, name in (("pos", "tpr"), ("neg", "tnr")):
        agree, n = asked[side]["agree"], asked[side]["n"]
        answer |= {name: agree / n, f"{name}_wilson": ends(wilson(agree, n))}
    return answer


def corrected(asked):
    found = corrected_rate(*(asked[key] for key in ("k", "n", "sensitivity", "specificity", "level")))
    interval = ends(found.interval)
    flag = None if interval else "the data contradict the judge's stated error rates"
    return {"corrected": found.rate, "interval_known_se_sp": interval, "flag": flag}


OPS = {
    "win_rate": win_rate_op,
    "win_rate_board": win_rate_board,
    "bradley_terry": bradley_terry_op,
    "judge_agreement": judge_agreement,
    "corrected_rate": corrected,
}
