"""Measures by name, as targets of tuning write them: `turns@4`, `start-share@BB`."""

from __future__ import annotations

from dataclasses import dataclass

from spina.errors import OptionError
from spina.games import get
from spina.games.game import Game
from spina.games.studies.measures import Compute, Measure, best_over_fair, race_mean, turns, wins_of
from spina.lab import setups

SHARED = {
    "turns": Measure("turns in a race", "field", turns),
    "seat-share": Measure("best seat's wins over its fair share", "field", best_over_fair("seat")),
    "lead-changes": Measure("changes of the lead in a race", "field", race_mean("lead_changes")),
    "led-half": Measure("winners that lead after half of the race", "field", race_mean("winner_led_2", "share")),
    "led-last": Measure("winners that lead after three quarters", "field", race_mean("winner_led_3", "share")),
}
"""Measures of every game."""
WINS = "-wins"


@dataclass(frozen=True, slots=True)
class NamedMeasure:
    """A measure with its name as it was written and the label of the set-up to race."""

    name: str
    words: str
    label: str
    compute: Compute


def _known(game: Game) -> dict[str, Measure]:
    return {**SHARED, **game.lab.measures}


def names(game: str) -> list[str]:
    """The measures of a game; every driver but the usual one is a measure too, with `-wins` after its name."""
    found = get(game)
    usual = setups.usual_driver(found)
    return [*_known(found), *(f"{driver}{WINS}" for driver in found.drivers if driver != usual)]


def find(game: str, text: str) -> NamedMeasure:
    """A measure by its name, with an optional number of seats or variant after an @. Raises OptionError."""
    name, _, where = text.partition("@")
    found = get(game)
    driver = name.removesuffix(WINS)
    measure = _known(found).get(name)
    if measure is None and driver in found.drivers and name.endswith(WINS):
        measure = Measure(f"wins of {driver} among the others", driver, wins_of("driver", driver))
    if measure is None:
        raise OptionError(f'there is no measure "{name}" of {game}: there are {", ".join(names(game))}')
    kind, variant = found.lab.setups.get(measure.setup), found.lab.variant
    seats, value = (kind and kind.seats) or setups.usual_seats(found), ""
    if where.isdigit():
        seats = int(where)
    elif variant and where in variant.values:
        value = f" {where}"
    elif where:
        raise OptionError(f"after @ comes a number of seats{f' or a {variant.option}' if variant else ''}: {text}")
    return NamedMeasure(
        text, f"{measure.words} ({seats} seats{value})", f"{measure.setup} {seats}{value}", measure.compute
    )
