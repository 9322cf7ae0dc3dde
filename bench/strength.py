"""Speed of the search, and strength of the bots that use it.

The strength bars ask for a thousand races of each game, which takes hours: `python -m bench.strength GAME RIVAL RACES`
plays them (it can be stopped and continued: `spina lab arena` keeps its results in a file), and what came of it lies in
`bench/results`. Here a few races of each are played.
"""

from __future__ import annotations

import sys
import time

import spina
from bench.report import heading, measured
from spina.bots import Search, make
from spina.games import get
from spina.simulation import wilson

LINE_UPS = ((0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1))
"""Two seats for the expert and two for its rival, in every order."""
BEGINNERS = {"charioteer": "longest", "chariot-race": "fastest", "chariotmaster": "cautious"}
SHORT = {"charioteer": 12, "chariot-race": 6, "chariotmaster": 3}


def iterations_per_second() -> float:
    """Iterations a second of the search, with competent rollouts, in the middle of a race with four seats."""
    race = spina.new("charioteer", seats=4, seed=1)
    driver = make("competent", game="charioteer", seed=1)
    rates = []
    while not race.over:
        seat = race.to_act[0]
        if seat == 0:
            bot = Search(get("charioteer"), iterations=500, config=get("charioteer").levels["expert"].config, seed=1)
            begun = time.perf_counter()
            bot.choose(race, seat)
            rates.append(500 / (time.perf_counter() - begun))
        race.play(seat, driver.choose(race, seat))
    return sum(rates) / len(rates)


def share_of_wins(game: str, rival: str, races: int, level: str = "expert") -> tuple[float, float, float, float]:
    """The expert's share of wins with its interval, and the seconds that it took for a choice."""
    won, seconds, choices = 0.0, 0.0, 0
    for number in range(races):
        line_up = LINE_UPS[number % len(LINE_UPS)]
        race = spina.new(game, seats=4, seed=number)
        bots = [
            make(rival if other else level, game=game, seed=number * 4 + seat) for seat, other in enumerate(line_up)
        ]
        while not race.over:
            seat = race.to_act[0]
            begun = time.perf_counter()
            action = bots[seat].choose(race, seat)
            if not line_up[seat]:
                seconds, choices = seconds + time.perf_counter() - begun, choices + 1
            race.play(seat, action)
        first = race.ranking[0]
        won += sum(not line_up[seat] for seat in first) / len(first)
    low, high = wilson(round(won), races)
    return won / races, low, high, seconds / choices


def run() -> None:
    heading("Bots")
    rate = iterations_per_second()
    measured("search, Charioteer, four seats, iterations/s", f"{rate:,.0f}", "2,000", rate >= 2000)
    for game, races in SHORT.items():
        for rival, bar in (("competent", 0.65), (BEGINNERS[game], 0.85)):
            share, low, high, seconds = share_of_wins(game, rival, races)
            value = f"{share:.0%} ({low:.0%} to {high:.0%}), {seconds:.2f} s"
            # few races: the bar is missed only if the interval excludes it
            measured(f"{game}: expert against {rival}, {races} races", value, f"{bar:.0%}", high >= bar)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(share_of_wins(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    else:
        run()
