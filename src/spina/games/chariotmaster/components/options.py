"""The options of a race of Chariotmaster: scenario, laps, chariots, equipment, races and teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError
from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.components.equipment import CATEGORIES, MANY, MOST_POINTS, Design, Kit
from spina.games.chariotmaster.components.refusals import say
from spina.games.chariotmaster.components.scenarios import Scenario
from spina.games.chariotmaster.rules.record import (
    BEAST_NAMES,
    CHARIOTS,
    CM,
    DESIGN,
    OPT_CHARIOTS,
    OPT_DESIGN,
    OPT_LAPS,
    OPT_MUST_LEAVE,
    OPT_SCENARIO,
    OPT_SEATS,
    OPT_SECOND_ROW,
    OPT_TEAM,
    OPTIONS,
)
from spina.games.editions import listed, quoted
from spina.games.game import Setting
from spina.sentences import Sentence

RACE_POINTS = 2
"""Q4: with fewer points not every race can be built."""
DESIGN_KEYS = ("race", *CATEGORIES)


def check(edition: ChariotmasterEdition, given: Mapping[str, object], seats: int) -> dict[str, Any]:
    """All options, complete and plain. Raises OptionError.

    - `scenario`: its name; `laps`: as many as it offers;
    - `chariots`: how many each seat drives;
    - `points`: equipment points agreed on; `fantasy`: whether chariots belong to the fantasy races, from 2 points on;
    - `designs`: for each chariot the name of a ready-made one, or a table of race and items by category; a seat's
      first chariots come first, then everybody's second ones;
    - `teams`: the number of each seat's team, or null;
    - `second_row`: an extra stamina point for those who start there;
    - `must_leave`: drivers on foot may not stay in the way.

    Numbers and lists may be texts ("2", "citizen,courier"), as a command line has them.
    """
    defaults: dict[str, Any] = {
        "scenario": edition.scenario_names[0], "laps": None, "chariots": 1, "points": 0, "fantasy": False,
        "designs": None, "teams": None, "second_row": True, "must_leave": False,
    }  # fmt: skip
    for name in given:
        if name not in defaults:
            raise OptionError(say("chariotmaster.option-unknown", option=quoted(name), known=", ".join(defaults)))
    asked = {**defaults, **given}
    name = asked["scenario"]
    if not isinstance(name, str):
        raise OptionError(
            say(
                "chariotmaster.option-scenario",
                option="scenario",
                value=repr(name),
                known=listed(edition.scenario_names),
            )
        )
    scenario = edition.scenario(name)
    races, points = _flag("fantasy", asked["fantasy"]), _number("points", asked["points"], 0, MOST_POINTS)
    if races and points < RACE_POINTS:
        raise OptionError(say("chariotmaster.option-fantasy", option="fantasy", least=RACE_POINTS, points=points))
    chariots = _chariots(scenario, asked["chariots"], seats)
    designs = _designs(edition.kit, asked["designs"], seats * chariots, points, races)
    return {
        "scenario": scenario.name,
        "laps": _laps(scenario, asked["laps"]),
        "chariots": chariots,
        "points": points,
        "fantasy": races,
        "designs": [_written(edition.kit, design) for design in designs],
        "teams": _teams(asked["teams"], seats),
        "second_row": _flag("second_row", asked["second_row"]),
        "must_leave": _flag("must_leave", asked["must_leave"]),
    }


def encode(edition: ChariotmasterEdition, seats: int, options: Mapping[str, Any]) -> NDArray[np.int64]:
    """The same for the kernel: checked options as numbers."""
    codes = np.zeros(OPTIONS, np.int64)
    codes[OPT_SEATS] = seats
    codes[OPT_CHARIOTS] = seats * options["chariots"]  # of all seats together
    codes[OPT_SCENARIO] = edition.scenario_names.index(options["scenario"])
    codes[OPT_LAPS] = options["laps"]
    codes[OPT_SECOND_ROW] = options["second_row"]
    codes[OPT_MUST_LEAVE] = options["must_leave"]
    codes[OPT_TEAM : OPT_TEAM + seats] = options["teams"] or range(1, seats + 1)
    for chariot, written in enumerate(options["designs"]):
        begin = OPT_DESIGN + chariot * DESIGN
        codes[begin : begin + DESIGN] = edition.kit.numbers(
            _put_together(edition.kit, written, say("chariotmaster.design.of-all"))
        )
    return codes


def settings(edition: ChariotmasterEdition) -> list[Setting]:
    """The options of `check`, as the set-up of a race asks for them.

    The laps to choose from depend on the scenario. `teams` is chosen for each seat; either all seats have
    a team or none.
    """
    scenarios = edition.scenarios
    laps = sorted({laps for scenario in scenarios for laps in scenario.offered})
    return [
        Setting(name="scenario", kind="choice", default=scenarios[0].name, choices=tuple(edition.scenario_names)),
        Setting(name="laps", kind="number", default=scenarios[0].laps, low=laps[0], high=laps[-1]),
        Setting(name="chariots", kind="number", default=1, low=1, high=max(scenario.most for scenario in scenarios)),
        Setting(name="teams", kind="choice", choices=tuple(str(team) for team in range(1, CHARIOTS + 1))),
        Setting(name="points", kind="number", default=0, low=0, high=MOST_POINTS),
        Setting(name="fantasy", kind="switch", default=False),
        Setting(name="designs", kind="design"),
        Setting(name="second_row", kind="switch", default=True),
        Setting(name="must_leave", kind="switch", default=False),
    ]


def points_of(edition: ChariotmasterEdition, options: Mapping[str, Any]) -> list[int]:
    """The equipment points that each chariot of checked options costs."""
    kit = edition.kit
    return [kit.cost(_put_together(kit, written, say("chariotmaster.design.of-all"))) for written in options["designs"]]


def workshop(edition: ChariotmasterEdition) -> dict[str, Any]:
    """The tracks and equipment for the set-up page, as plain data."""
    kit = edition.kit
    return {
        "scenarios": [
            {"name": each.name, "title": each.title, "laps": each.laps, "offered": each.offered, "most": each.most}
            for each in edition.scenarios
        ],
        "categories": CATEGORIES,
        "many": MANY,
        "race_points": RACE_POINTS,
        "items": [
            {**item._asdict(), "beast": BEAST_NAMES[item.beast], "top": item.top / CM} for item in kit.items.values()
        ],
        "standard": dict(kit.standard),
        "plain": dict(kit.marks(None)),
        "races": {race: dict(marks) for race, marks in kit.races.items()},
        "ready_made": [
            {"name": name, "cost": kit.cost(design), **_written(kit, design)} for name, design in kit.ready_made.items()
        ],
    }


# --- numbers and flags ----------------------------------------------------------------------------------------------


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise OptionError(say("option.not-a-switch", option=name, value=repr(value)))
    return value


def _number(name: str, value: object, low: int, high: int) -> int:
    number = _whole(value)
    if number is None or not low <= number <= high:
        raise OptionError(say("option.not-in-range", option=name, low=low, high=high, value=repr(value)))
    return number


def _whole(value: object) -> int | None:
    """A whole number, or a text that writes one."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _laps(scenario: Scenario, value: object) -> int:
    laps = scenario.laps if value is None else _whole(value)
    if laps is None or laps not in scenario.offered:
        first, *others = map(str, scenario.offered)
        offered = reduce(lambda one, other: say("either", one=one, other=other), others, first)
        raise OptionError(
            say("chariotmaster.option-laps", option="laps", known=offered, scenario=scenario.name, value=repr(value))
        )
    return laps


def _chariots(scenario: Scenario, value: object, seats: int) -> int:
    chariots = _number("chariots", value, 1, CHARIOTS)
    if seats * chariots > scenario.most:
        many = say("count.chariot", count=chariots)
        raise OptionError(
            say(
                "chariotmaster.option-chariots",
                option="chariots",
                seats=say("count.seat", count=seats),
                each=many,
                scenario=scenario.name,
                most=say("count.chariot", count=scenario.most),
            )
        )
    return chariots


def _teams(value: object, seats: int) -> list[int] | None:
    if value is None:
        return None
    listed_teams = value.split(",") if isinstance(value, str) else value
    teams: list[int | None] = []
    if isinstance(listed_teams, Sequence):
        teams = [_whole(team.strip() if isinstance(team, str) else team) for team in listed_teams]
    found = [team for team in teams if team is not None and 1 <= team <= CHARIOTS]
    if len(found) != len(teams) or len(found) != seats:
        raise OptionError(
            say("chariotmaster.option-teams", option="teams", seats=seats, most=CHARIOTS, value=repr(value))
        )
    if seats > 1 and len({*found}) == 1:
        raise OptionError(say("chariotmaster.option-same-team", option="teams"))
    return found


# --- designs --------------------------------------------------------------------------------------------------------


def _designs(kit: Kit, value: object, number: int, points: int, races: bool) -> list[Design]:
    """A design for each chariot, all allowed."""
    if value is None:
        return [_usual(kit, chariot, points) if races else kit.complete(None, ()) for chariot in range(number)]
    given = [name.strip() for name in value.split(",")] if isinstance(value, str) else value
    if not isinstance(given, list | tuple):
        raise OptionError(say("chariotmaster.option-designs", option="designs", value=repr(value)))
    if len(given) != number:
        raise OptionError(say("chariotmaster.option-designs-length", option="designs", count=len(given), wanted=number))
    designs = []
    for index, entry in enumerate(given):
        where = say("chariotmaster.design.of-chariot", chariot=index + 1)
        design = _design(kit, entry, races, where)
        wrong = kit.fault(design, points)
        if wrong:
            raise _wrong_design(where, wrong)
        designs.append(design)
    return designs


def _usual(kit: Kit, chariot: int, points: int) -> Design:
    """The default designs: the races in turn, each with its most expensive ready-made chariot within the points."""
    races = [*kit.races]
    race = races[chariot % len(races)]
    fitting = [design for design in kit.ready_made.values() if design.race == race and kit.cost(design) <= points]
    if not fitting:
        raise OptionError(say("chariotmaster.design.none-ready", option="designs", race=race, points=points))
    return max(fitting, key=kit.cost)


def _wrong_design(where: Sentence, why: Sentence) -> OptionError:
    """The error for a wrong design; pages are also told the chariot."""
    return OptionError(say("chariotmaster.design.wrong", where=where, why=why, option="designs", **where.parameters))


def _design(kit: Kit, entry: object, races: bool, where: Sentence) -> Design:
    """A design from its name, or from a table. Without races a ready-made one is just its items."""
    if isinstance(entry, str):
        if entry not in kit.ready_made:
            raise _wrong_design(
                where, say("chariotmaster.design.not-ready-made", name=quoted(entry), known=listed([*kit.ready_made]))
            )
        design = kit.ready_made[entry]
        return design if races else Design(None, design.items)
    if not isinstance(entry, Mapping):
        raise _wrong_design(where, say("chariotmaster.design.not-a-table", entry=repr(entry)))
    race = entry.get("race")
    if races and race is None:
        raise _wrong_design(where, say("chariotmaster.design.no-race", races=listed([*kit.races])))
    if not races and race is not None:
        raise _wrong_design(where, say("chariotmaster.design.not-fantasy", race=repr(race)))
    return _put_together(kit, entry, where)


def _put_together(kit: Kit, entry: Mapping[str, object], where: Sentence) -> Design:
    """The design that a table describes."""
    for key in entry:
        if key not in DESIGN_KEYS:
            raise _wrong_design(
                where, say("chariotmaster.design.unknown-key", key=repr(key), known=listed(DESIGN_KEYS))
            )
    race = entry.get("race")
    if race is not None and (not isinstance(race, str) or race not in kit.races):
        raise _wrong_design(
            where, say("chariotmaster.design.unknown-race", race=repr(race), known=listed([*kit.races]))
        )
    names: list[str] = []
    for category in CATEGORIES:
        value = entry.get(category)
        chosen = [] if value is None else [*value] if isinstance(value, list | tuple) else [value]
        for name in chosen:
            if not isinstance(name, str) or name not in kit.of(category):
                raise _wrong_design(
                    where,
                    say(
                        "chariotmaster.design.unknown-item",
                        category=category,
                        name=repr(name),
                        known=listed(kit.of(category)),
                    ),
                )
            names.append(name)
    return kit.complete(race, names)


def _written(kit: Kit, design: Design) -> dict[str, Any]:
    """A design as a table, complete."""
    table: dict[str, Any] = {"race": design.race}
    for category in CATEGORIES:
        names = [name for name in design.items if kit.items[name].category == category]
        table[category] = names if category in MANY else names[0]
    return table
