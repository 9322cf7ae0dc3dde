"""Chariotmaster: speed, the strength of its drivers, and what must hold of the Circus."""

from __future__ import annotations

import time

import numba
import numpy as np
from numpy.typing import NDArray

import spina
from bench.report import heading, mean_interval, measured
from bench.speed import best_of
from spina.games import get
from spina.games.chariotmaster import measuring
from spina.games.chariotmaster.state import DRAGGED, RACE
from spina.kernel.bits import lowest_bit
from spina.kernel.random import new_dice, nth_seed
from spina.kernel.record import blank
from spina.kernel.story import silence
from spina.kernel.table import PLAN
from spina.simulation import wilson

NAME = "chariotmaster"
SEATS = 4
STRENGTH = 500
CALIBRATION = 500
CHECKS = 4_800


@numba.njit(nogil=True)
def observe(set_up, acting, apply, over, driver, data, components, options, seed, dice, out):  # type: ignore
    """Race after race: game turns, chariots home or still able to race, and the greatest step back of any turn."""
    race = data.view(RACE)[0]
    plan, before = np.zeros(PLAN, np.int64), np.zeros(12, np.int64)
    nobody = silence()
    for i in range(len(out)):
        set_up(data, components, options, nth_seed(seed, i))
        turn = race.turns
        for chariot in range(race.chariots):
            before[chariot] = race.progress[chariot]
        while not over(data, components):
            seat = lowest_bit(acting(data, components))
            driver(data, components, seat, dice, plan)
            apply(data, components, seat, plan[0], nobody)
            if race.turns != turn:
                turn = race.turns
                for chariot in range(race.chariots):
                    if race.progress[chariot] < before[chariot]:
                        out[i, 2] += 1
                    before[chariot] = race.progress[chariot]
        out[i, 0] = race.turns
        for chariot in range(race.chariots):
            able = race.horses[chariot] > 0 and race.place[chariot] <= DRAGGED and not race.out[chariot]
            if race.home[chariot] or able:
                out[i, 1] += 1
            out[i, 3] += race.points[chariot, 0]


def races(count: int, seed: int, driver: str = "competent") -> NDArray[np.int64]:
    """Four chariots with the same driver: turns, chariots able, turns that ended further back, stamina left."""
    game = get(NAME)
    rules, edition = game.rules, game.reference()
    out = np.zeros((count, 4), np.int64)
    codes = game.encode_options(SEATS, game.check_options(SEATS, {}, edition), edition)
    observe(
        rules.set_up, rules.acting, rules.apply, rules.over, game.drivers[driver], blank(RACE), edition.data, codes,
        np.uint64(seed), new_dice(seed), out,
    )  # fmt: skip
    return out


def random_races() -> float:
    begun = time.perf_counter()
    results = spina.simulate(NAME, seats=SEATS, races=1000, drivers="random", seed=1, threads=1)
    return float(results["choices"].sum() / (time.perf_counter() - begun))


def check_times() -> tuple[float, float, float]:
    """Microseconds to check one sub-move among twelve chariots, at every game turn of a race: median, mean, longest."""
    race = spina.new(NAME, seats=12, seed=4)
    bot = spina.bots.make("competent", game=NAME, seed=4)
    times, turn = [], 0
    while not race.over:
        if race.turn != turn:
            turn = race.turn
            begun = time.perf_counter()
            measuring.try_submoves(race._bytes, race.edition.data, 1500, 300, CHECKS // 12)
            times.append(1e6 * (time.perf_counter() - begun) / CHECKS)
        race.play(race.to_act[0], bot.choose(race, race.to_act[0]))
    return float(np.median(times)), float(np.mean(times)), max(times)


def choice_times() -> tuple[float, float]:
    """Median and longest time of a competent choice, in milliseconds, over whole races on every track."""
    game = get(NAME)
    times = []
    for seed, (seats, scenario) in enumerate(((4, "circus"), (6, "trial"), (12, "maximus"), (12, "circus"))):
        race = spina.new(NAME, seats=seats, seed=seed, scenario=scenario)
        dice, plan = new_dice(seed), np.zeros(PLAN, np.int64)
        while not race.over:
            data, seat = race.dealt_anew(race.to_act[0], 0), race.to_act[0]
            begun = time.perf_counter()
            game.drivers["competent"](data, race.edition.data, seat, dice, plan)
            times.append(1000 * (time.perf_counter() - begun))
            race.play(seat, game.action(race.edition, int(plan[0])))
    return float(np.median(times)), max(times)


def strength(rival: str, wanted: int) -> float:
    """Races won by two competent drivers against two of another kind, seats rotated; a shared win counts half."""
    wins = 0.0
    for turn, names in enumerate((["competent", rival] * 2, [rival, "competent"] * 2)):
        results = spina.simulate(NAME, seats=SEATS, races=wanted // 2, drivers=names, seed=11 + turn)
        won = results["places"] == 1
        own, other = won[:, turn::2].any(axis=1), won[:, 1 - turn :: 2].any(axis=1)
        wins += float((own & ~other).sum() + 0.5 * (own & other).sum())
    return wins


def run() -> None:
    heading("Chariotmaster: speed (best of three runs, one core) and strength")
    decisions = best_of(random_races)
    measured("random four-chariot races on the Circus", f"{decisions:,.0f} decisions/s", "100,000/s", decisions >= 1e5)
    median, mean, longest = check_times()
    value = f"{median:.2f} µs (mean {mean:.2f})"
    measured("checking one sub-move among twelve chariots, median", value, "5 µs", median < 5)
    print(f"        in the game turn with the most contact: {longest:.2f} µs")
    size = get(NAME).record.itemsize
    measured("memory of one race with twelve chariots", f"{size:,} bytes", "8,192 bytes", size <= 8192)
    median, longest = choice_times()
    measured("competent choice, median", f"{median:.2f} ms", "20 ms", median < 20)
    measured("competent choice, longest", f"{longest:.2f} ms", "100 ms", longest < 100)
    wins = strength("cautious", STRENGTH)
    low, high = wilson(round(wins), STRENGTH)
    value = f"{wins / STRENGTH:.1%} ({low:.1%} to {high:.1%})"
    measured("competent against cautious, four chariots, two of each", value, "70 %", low >= 0.7)


def run_claims() -> None:
    heading(
        f"Chariotmaster: what must hold of the Circus ({CALIBRATION} races of four competent drivers, 95 % intervals)"
    )
    out = races(CALIBRATION, 5)
    mean, low, high = mean_interval(out[:, 0].tolist())
    shortest, longest = out[:, 0].min(), out[:, 0].max()
    within = shortest >= 20 and longest <= 45
    measured("game turns, mean", f"{mean:.1f} ({low:.1f} to {high:.1f})", "20 to 45", low >= 20 and high <= 45)
    measured("game turns, shortest and longest race", f"{shortest} and {longest}", "20 to 45", within)
    able = int(out[:, 1].sum())
    low, high = wilson(able, SEATS * CALIBRATION)
    value = f"{able / SEATS / CALIBRATION:.1%} ({low:.1%} to {high:.1%})"
    measured("chariots home or still able to race", value, "60 %", low >= 0.6)
    crossed = backwards()
    measured("driving the wrong way over the line counts as a lap", "yes" if crossed else "no", "no", not crossed)
    back, turns = int(out[:, 2].sum()), int(out[:, 0].sum()) * SEATS
    print(f"        game turns after which a chariot stood further back: {back / turns:.2%}")
    print(f"        stamina left at the end: {out[:, 3].mean() / SEATS:.1f} of 19")


def backwards() -> bool:
    """Whether a chariot that goes back over the line, as far as it came, is taken to have finished."""
    race = spina.position(NAME, {"chariots": [{"progress": 300, "heading": 180}], "active": 0, "options": {"laps": 1}})
    while not race.over and race.view(None)["chariots"][0]["progress"] > -1000:
        seat = race.to_act[0]
        moves = [action for action in race.legal(seat) if str(action).startswith("ahead")]
        race.play(seat, min(moves, key=lambda move: race.explain(seat, move).gained) if moves else race.legal(seat)[0])
    return bool(race.view(None)["chariots"][0]["finished"])
