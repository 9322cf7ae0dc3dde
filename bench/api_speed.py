"""Speed of the Python API: what `Race.view` and `Race.play` take, as means over whole races of competent drivers.

python -m bench.api_speed
"""

from __future__ import annotations

import random
import time
from statistics import median
from typing import NamedTuple

import spina
from bench.report import heading, measured
from spina.games import Action, get

GAMES = ("charioteer", "chariot-race")
SEATS = 4
RACES = 6
REPEATED = 5
VIEW, PLAY = 100.0, 15.0
"""Required: at most this many microseconds."""


class Played(NamedTuple):
    """A choice of a race that was played."""

    race: spina.Race
    """A copy of the race before it."""
    seat: int
    action: Action
    """The whole choice."""


def whole_race(game: str, seed: int) -> list[Played]:
    """The choices of a race of competent drivers."""
    race = spina.new(game, seats=SEATS, seed=seed)
    bot = spina.bots.make("competent", game=game, seed=seed)
    found = []
    while not race.over:
        seat = race.to_act[0]
        found.append(Played(race.copy(), seat, bot.choose(race, seat)))
        race.play(seat, found[-1].action)
    return found


def view_time(game: str) -> float:
    """Microseconds of CPU time of a view of the seat that chooses, the mean over whole races: median of the races."""
    times = []
    for seed in range(RACES):
        choices = whole_race(game, seed)
        begun = time.process_time()
        for race, seat, _ in choices * REPEATED:
            race.view(seat)
        times.append(1e6 * (time.process_time() - begun) / len(choices) / REPEATED)
    return median(times)


def single_actions(game: str, seed: int) -> list[Played]:
    """The same for actions as `legal` lists them, at random: in Charioteer they are the steps of choices."""
    race, chance = spina.new(game, seats=SEATS, seed=seed), random.Random(seed)
    found = []
    while not race.over:
        seat = race.to_act[0]
        found.append(Played(race.copy(), seat, chance.choice(race.legal(seat))))
        race.play(seat, found[-1].action)
    return found


def play_time(races: list[list[Played]]) -> float:
    """Microseconds of CPU time to play an action, the mean over whole races: median of the races."""
    times = []
    for actions in races:
        spent = 0.0
        for _ in range(REPEATED):
            race = actions[0].race.copy()
            begun = time.process_time()
            for _, seat, action in actions:
                race.play(seat, action)
            spent += time.process_time() - begun
        times.append(1e6 * spent / len(actions) / REPEATED)
    return median(times)


def run() -> None:
    heading("Python API: CPU time of calls, four seats, mean over whole races")
    for game in GAMES:
        get(game)  # compiled
        view = view_time(game)
        measured(f"{game}: race.view(seat)", f"{view:.1f} µs", f"{VIEW:.0f} µs", view <= VIEW)
        play = play_time([single_actions(game, seed) for seed in range(RACES)])
        what = f"{game}: race.play(seat, action) of race.legal(seat)"
        measured(what, f"{play:.1f} µs", f"{PLAY:.0f} µs", play <= PLAY)
        play = play_time([whole_race(game, seed) for seed in range(RACES)])
        print(f"        the whole choice of a competent driver, with the events of the turn: {play:.1f} µs")


if __name__ == "__main__":
    run()
