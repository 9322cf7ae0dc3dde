"""Claims about Charioteer that can be measured."""

from __future__ import annotations

import numpy as np

from spina.games.studies import intervals, measures
from spina.games.studies.claim import Claim
from spina.games.studies.facts import Facts
from spina.games.studies.intervals import Estimate

NOTES = "Charioteer, designer's notes"
TARGET = "Spina, targets of the reference edition"
SEATS = range(2, 7)


def _skill_growth(facts: Facts) -> Estimate:
    ones = np.ones(len(facts))
    return intervals.times(facts.races["skill_late"], ones, facts.races["skill_early"], ones)


def _winners_bonus(facts: Facts) -> Estimate:
    markers, won = facts.chariots["bonus_end"], facts.chariots["won"]
    return intervals.times(*map(facts.by_race, (markers * won, won, markers * (1 - won), 1 - won)))


def _sprints(facts: Facts) -> Estimate:
    table, others = facts.races, ("red", "yellow", "black")
    return intervals.times(
        table["spaces_green"], table["moves_green"],
        np.sum([table[f"spaces_{name}"] for name in others], axis=0),
        np.sum([table[f"moves_{name}"] for name in others], axis=0),
    )  # fmt: skip


def _resets(facts: Facts) -> Estimate:
    choices = facts.by_race(facts.chariots["moves"] + facts.chariots["resets"])
    return intervals.rate(facts.races["resets"], choices, "share")


def _fans(facts: Facts) -> Estimate:
    return intervals.rate(facts.by_race(facts.chariots["fan_tokens"]), facts.by_race(facts.chariots["moves"]), "share")


def _top_first(facts: Facts) -> Estimate:
    table = facts.chariots
    some = table["first_in_box"] != "none"
    return intervals.share(
        float((table["top_skill"] == table["first_in_box"])[some].sum()), int(some.sum()), len(facts)
    )


def _first_lap(facts: Facts) -> Estimate:
    ones = np.ones(len(facts))
    return intervals.times(facts.races["lap_1"], ones, facts.races["lap_3"], ones)


CLAIMS = (
    *(
        Claim(f"charioteer-moves-{seats}", "charioteer", f"With {seats} players, everybody makes more than 20 moves.",
              NOTES, (f"field {seats}",), measures.turns, "turns in a race", low=20.0)
        for seats in SEATS
    ),
    *(
        Claim(f"charioteer-longest-{seats}", "charioteer",
              f"A dummy that always takes the longest move generally loses ({seats} players).",
              NOTES, (f"longest {seats}",), measures.wins_of("driver", "longest"), "its share of wins",
              high=1 / seats)
        for seats in (2, 4, 6)
    ),
    Claim("charioteer-decisions", "charioteer", "Decisions decide: moves without thought do not win.", NOTES,
          ("random 4",), measures.wins_of("driver", "random"), "wins of a random driver among competent ones",
          high=0.05),
    Claim("charioteer-corner", "charioteer", "A black move goes round corners twice as fast as any other.",
          "Charioteer, cornering", ("field 4",),
          measures.ratio("corner_spaces_black", "corner_steps_black", "corner_spaces_other", "corner_steps_other"),
          "spaces gained by a step in a corner, black against the rest", low=1.8, high=2.2),
    Claim("charioteer-sprint", "charioteer", "Sprints have the highest numbers: they are the longest moves.",
          "Charioteer, colours of movement", ("field 4",), _sprints,
          "length from number and symbols, green against the rest", low=1.0),
    Claim("charioteer-payoff", "charioteer", "Investments in skill pay off towards the end.", NOTES, ("field 4",),
          _skill_growth, "mean skill bonus, last quarter against first", low=2.0),
    Claim("charioteer-bonus", "charioteer", "The bonus box rewards those who go for it.", NOTES, ("field 4",),
          _winners_bonus, "markers in the bonus box at the end, winners against the others", low=1.0),
    Claim("charioteer-first-lap", "charioteer", "The first lap is the longest.", "Charioteer, laps", ("field 4",),
          _first_lap, "turns of the leader, first lap against third", low=1.0),
    Claim("charioteer-reset", "charioteer", "Calming the horses is needed now and then, not often.",
          "Charioteer, reset move", ("field 4",), _resets, "resets among all choices", low=0.001, high=0.1),
    Claim("charioteer-fans", "charioteer", "A move that wins a fan is out of the ordinary.",
          "Charioteer, fan tokens", ("field 4",), _fans, "moves that earn a fan token", high=0.5),
    Claim("charioteer-card", "charioteer", "The skills card says what a charioteer is good at.",
          "Charioteer, skills cards", ("field 4",), _top_first,
          "first marker in the bonus box is the card's highest", low=0.25),
    *(
        Claim(f"charioteer-box-{seats}", "charioteer",
              f"With {seats} players, the first marker is in a bonus box after 45 % to 70 % of the race.", TARGET,
              (f"field {seats}",), measures.race_mean("first_bonus", "share"), "part of the race", 0.45, 0.70)
        for seats in (2, 4, 6)
    ),
)  # fmt: skip
