"""Claims about Chariot Race that can be measured."""

from __future__ import annotations

import numpy as np

from spina.games.studies import intervals, measures
from spina.games.studies.claim import Claim
from spina.games.studies.facts import Facts
from spina.games.studies.intervals import Estimate

TARGET = "Spina, targets of the reference edition"
FAIR = 1 / 6
DAMAGE = ("corners", "rams", "caltrops", "javelins", "sprints")


def _corner_damage(facts: Facts) -> Estimate:
    damage = {name: facts.by_race(facts.chariots[f"damage_{name}"]) for name in DAMAGE}
    return intervals.rate(damage["corners"], np.sum([*damage.values()], axis=0), "share")


def _alone(facts: Facts) -> Estimate:
    alone = facts.races["alone"]
    return intervals.share(float((alone & ~facts.races["nobody"]).sum()), int(alone.sum()))


def _more_wrecks(heaps: Facts, plain: Facts) -> Estimate:
    wrecked = measures.part_of("wrecked", "fleet")
    return measures.apart(wrecked(heaps), wrecked(plain))


CLAIMS = (
    Claim("chariot-race-control", "chariot-race", "The higher the speed, the less control over the chariot.",
          "Chariot Race, chariot boards", ("field 6 AA",),
          measures.ratio("damage_few_dice", "turns_few_dice", "damage_many_dice", "turns_many_dice"),
          "damage from corners in a turn, up to three dice against five", low=1.0),
    Claim("chariot-race-corners", "chariot-race", "High speeds mean a lot of damage in the corners.",
          "Chariot Race, cornering", ("field 6 AA",), _corner_damage, "part of all damage that corners do", low=0.25),
    Claim("chariot-race-gallop", "chariot-race", "Taking corners at a wild gallop is not a good idea.",
          "Chariot Race, cornering", ("fastest 6 AA",), measures.wins_of("driver", "fastest"),
          "wins of a driver that is always as fast as it can", high=FAIR),
    Claim("chariot-race-inside", "chariot-race", "The inside lane is the shorter way round.",
          "Chariot Race, board", ("field 6 AA",),
          measures.ratio("units_inside", "steps_inside", "units_outside", "steps_outside"),
          "ground gained by a step, inside against outside", low=1.0),
    Claim("chariot-race-repair", "chariot-race", "Repairs in mid-race are often badly needed.",
          "Chariot Race, overview", ("field 6 AA",), measures.chariots_with("repairs"),
          "chariots that repair at least once", low=0.5),
    Claim("chariot-race-unmended", "chariot-race", "Without repairs one does badly.", "Chariot Race, overview",
          ("unmended 6 AA",), measures.wins_of("held", 1), "wins of one that never repairs", high=FAIR),
    Claim("chariot-race-attacks", "chariot-race", "Speed, boldness and skill alone do not win: attacks pay.",
          "Chariot Race, attack", ("peaceful 6 AA",), measures.wins_of("held", 1), "wins of one that never attacks",
          high=FAIR),
    Claim("chariot-race-alone", "chariot-race", "The last chariot left usually has no trouble finishing.",
          "Chariot Race, end of game", ("field 6 BB",), _alone, "races finished once one is left", low=0.8),
    Claim("chariot-race-heaps", "chariot-race", "Stone heaps wreck the careless.", "Chariot Race, alternate racetrack",
          ("field 6 BB", "field 6 AA"), _more_wrecks, "wrecks on side B against side A", low=1.0),
    *(
        Claim(f"chariot-race-rounds-{board}", "chariot-race", f"A race takes 7 to 11 rounds on {board}.", TARGET,
              (f"field 6 {board}",), measures.turns, "rounds in a race", 7.0, 11.0)
        for board in ("AA", "BB")
    ),
    *(
        Claim(f"chariot-race-wrecked-{board}", "chariot-race", f"10 % to 40 % of the chariots are wrecked on {board}.",
              TARGET, (f"field 6 {board}",), measures.part_of("wrecked", "fleet"), "chariots wrecked", 0.1, 0.4)
        for board in ("AA", "BB")
    ),
    *(
        Claim(f"chariot-race-start-{board}", "chariot-race",
              f"The best starting place wins less than 1.5 times as often as the worst on {board}.", TARGET,
              (f"field 6 {board}",), measures.best_over_worst("grid"), "best starting place against worst", high=1.5)
        for board in ("AA", "AB", "BB")
    ),
    Claim("chariot-race-kinds", "chariot-race", "The six individual chariots are about equally strong.", TARGET,
          ("kinds 6 AA",), measures.best_over_worst("kind"), "best individual chariot against worst", high=20 / 14),
)  # fmt: skip
