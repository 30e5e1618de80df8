"""Sample sizes, smallest visible differences, gates."""

from math import ceil

from deadheat.errors import DeadheatError
from deadheat.planning import items
from deadheat.stats.power.band_gate import fixed_band
from deadheat.stats.power.power_paired import paired_effect, paired_items, paired_power_exact
from deadheat.stats.power.power_unpaired import unpaired_items

WRONG_SIGN = "the effect has the wrong sign for this alternative: no number of items shows it"
NEVER_DIFFER = "no discordance: the two never differ, and no number of items shows a difference"


def n_unpaired(asked):
    raw = float(unpaired_items(asked["p1"], asked["p2"], asked["power"], asked["alpha"]))
    return {"n_per_run": ceil(raw), "raw": raw}


def n_paired(asked):
    gap, discordant = asked["p01"] - asked["p10"], asked["p01"] + asked["p10"]
    raw = float(paired_items(gap, discordant, asked["power"], asked["alpha"]))
    n = ceil(raw)
    return {
        "n_items": n,
        "raw": raw,
        "exact_mcnemar_power_at_n": float(paired_power_exact(gap, discordant, n, asked["alpha"])),
    }


def n_paired_many(asked):
    numbers, reasons = [], []
    for row in asked["rows"]:
        gap, discordant = row["p01"] - row["p10"], row["p01"] + row["p10"]
        wrong = {"B better": gap < 0, "A better": gap > 0}.get(row.get("alternative"), False)
        try:
            if wrong:
                raise DeadheatError(WRONG_SIGN)
            if discordant == 0:
                raise DeadheatError(NEVER_DIFFER)
            numbers.append(items(difference=gap, discordance=discordant).answer["items"])
            reasons.append(None)
        except DeadheatError as error:
            numbers.append(None)
            reasons.append(str(error))
    return {"n_items": numbers, "reasons": reasons}


def mde_paired(asked):
    return {"mde": float(paired_effect(asked["discordance"], asked["n"], asked["power"], asked["alpha"]))}


def gate_power(asked):
    found = fixed_band(asked["n"], asked["baseline"], asked["tolerance"], asked["true_drop"])
    return {"power": found.power, "false_alarm": found.false_alarm}


OPS = {
    "n_unpaired": n_unpaired,
    "n_paired": n_paired,
    "n_paired_many": n_paired_many,
    "mde_paired": mde_paired,
    "gate_power": gate_power,
}
