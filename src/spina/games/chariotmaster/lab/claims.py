"""Claims about Chariotmaster that can be measured."""

from __future__ import annotations

import numpy as np

from spina.games.studies import intervals, measures
from spina.games.studies.claim import Claim
from spina.games.studies.facts import Facts
from spina.games.studies.intervals import Estimate

TARGET = "Spina, targets of the reference tracks"
EQUIPMENT = "Chariotmaster, equipment"


def _three_home(facts: Facts) -> Estimate:
    return intervals.share(float((facts.races["finishers"] >= 3).sum()), len(facts))


def _dear(facts: Facts) -> Estimate:
    """The win rate of chariots that cost more than the mean of their race over that of chariots that cost less."""
    table = facts.chariots
    mean = facts.by_race(table["cost"]) / facts.by_race(np.ones(len(table["race"])))
    gap = table["cost"] - mean[table["race"]]
    side = np.where(gap > 0, "dear", np.where(gap < 0, "cheap", "none"))
    return measures.wins_against("side", "dear", "cheap")(Facts(facts.races, {**table, "side": side}))


def _better(name: str, category: str, item: str, other: str, statement: str) -> Claim:
    return Claim(
        f"chariotmaster-{name}", "chariotmaster", statement, EQUIPMENT, ("equipment 4",),
        measures.wins_against(category, item, other), f"wins with {item} against {other}", low=1.0,
    )  # fmt: skip


CLAIMS = (
    Claim("chariotmaster-row", "chariotmaster", "To start in the second row is a big disadvantage.",
          "Chariotmaster, starting order", ("rows 8",), measures.wins_against("row", 2, 1),
          "wins from the second row against the first (no extra stamina)", high=2 / 3),
    Claim("chariotmaster-fast-token", "chariotmaster", "Fast tokens make sub-moves harder.",
          "Chariotmaster, sub-move test", ("field 4",),
          measures.ratio("passed_token_2", "tests_token_2", "passed_token_0", "tests_token_0"),
          "tests passed with the 10 token against the 0 token", high=1.0),
    Claim("chariotmaster-skill", "chariotmaster", "Skill decides how well a chariot takes curves.",
          "Chariotmaster, terms", ("equipment 4",),
          measures.ratio("passed_skill_7", "tests_skill_7", "passed_skill_5", "tests_skill_5"),
          "tests passed with skill 7 against skill 5", low=1.0),
    Claim("chariotmaster-untrained", "chariotmaster", "Untrained horses are not up to racing.", EQUIPMENT,
          ("equipment 4",), measures.wins_against("horses", "untrained", "racing"),
          "wins with untrained against racing horses", high=1.0),
    _better("fast", "horses", "fast", "racing", "Fast horses are worth a point."),
    _better("staying", "horses", "staying", "racing", "Staying power is worth a point."),
    _better("veteran", "skill", "veteran", "rookie", "A veteran is better than a rookie."),
    _better("steeled", "fitness", "steeled", "weakling", "A steeled driver is better than a weakling."),
    _better("heavy", "chassis", "heavy", "light", "A heavy chassis is better than a light one."),
    _better("lucky", "other", "lucky", "ordinary", "A lucky driver is worth a point."),
    _better("frightening", "other", "frightening", "ordinary", "A frightening chariot is worth two points."),
    Claim("chariotmaster-points", "chariotmaster", "Equipment points buy chances.", EQUIPMENT, ("equipment 4",),
          _dear, "wins of the dearer chariots against the cheaper", low=1.0),
    Claim("chariotmaster-species", "chariotmaster", "The same points make equal chances, whatever the species.",
          "Chariotmaster, race specific rules", ("species 6",), measures.best_over_worst("species"),
          "best species against worst", high=1.5),
    Claim("chariotmaster-three-home", "chariotmaster", "Races end when three are home.", "Chariotmaster, game end",
          ("field 4",), _three_home, "races that at least three finish", low=0.9),
    Claim("chariotmaster-turns", "chariotmaster", "Two laps of the Circus take 20 to 45 game turns.", TARGET,
          ("field 4",), measures.turns, "game turns in a race", 20.0, 45.0),
    Claim("chariotmaster-able", "chariotmaster", "At least 60 % of the chariots come home or could still.", TARGET,
          ("field 4",), measures.chariots_with("able"), "chariots home or able", low=0.6),
    Claim("chariotmaster-cautious", "chariotmaster", "Caution alone does not win.", TARGET, ("cautious 4",),
          measures.wins_of("driver", "cautious"), "wins of a cautious driver among competent ones", high=0.25),
)  # fmt: skip
