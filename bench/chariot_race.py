"""Chariot Race: speed, the strength of its drivers, and what must hold of its reference edition."""

from __future__ import annotations

import time

import numba
import numpy as np
from numpy.typing import NDArray

import spina
from bench.report import heading, mean_interval, measured
from bench.speed import best_of
from spina.games import get
from spina.games.chariot_race.state import ACTIONS, AT_PLACE, CHARIOTS, EDITION, GRID, RACE
from spina.kernel.bits import lowest_bit
from spina.kernel.random import below, new_dice, nth_seed
from spina.kernel.record import blank
from spina.kernel.story import silence
from spina.kernel.table import PLAN
from spina.simulation import wilson

NAME = "chariot-race"
CALIBRATION = 2400
STRENGTH = 2000


@numba.njit(nogil=True)
def observe(
    set_up, acting, legal, apply, over, ranking, driver, data, components, options, seed, dice, out, kinds, places
):  # type: ignore
    """Race after race: rounds, wrecks, and for every chariot its kind, its starting place and whether it won.

    Chariots and starting places are chosen at random, so that neither depends on the other.
    """
    race, edition = data.view(RACE)[0], components.view(EDITION)[0]
    plan, menu, ranks = np.zeros(PLAN, np.int64), np.zeros(ACTIONS, np.int64), np.zeros(12, np.int64)
    nobody = silence()
    for i in range(len(out)):
        set_up(data, components, options, nth_seed(seed, i))
        while race.stage <= AT_PLACE:
            seat = lowest_bit(acting(data, components))
            action = menu[below(dice, legal(data, components, seat, menu))]
            apply(data, components, seat, action, nobody)
        for chariot in range(race.chariots):
            kinds[i, chariot] = race.kind[chariot]
            for place in range(GRID):
                if edition.grid[place] == race.space[chariot]:
                    places[i, chariot] = place
        while not over(data, components):
            seat = lowest_bit(acting(data, components))
            driver(data, components, seat, dice, plan)
            apply(data, components, seat, plan[0], nobody)
        ranking(data, components, ranks)
        out[i, 0] = race.rounds
        for chariot in range(race.chariots):
            out[i, 1] += race.wrecked[chariot]
            if ranks[race.seat[chariot]] == 1:
                out[i, 2] |= 1 << chariot


def races(count: int, seed: int, seats: int = CHARIOTS, **options: object) -> tuple[NDArray[np.int64], ...]:
    """Competent drivers in every seat: (rounds, wrecks, winners as bits), kinds and starting places."""
    game = get(NAME)
    rules = game.rules
    out, kinds, places = np.zeros((count, 3), np.int64), np.zeros((count, 6), np.int64), np.zeros((count, 6), np.int64)
    edition = game.reference()
    codes = game.encode_options(seats, game.check_options(seats, options, edition), edition)
    observe(
        rules.set_up, rules.acting, rules.legal, rules.apply, rules.over, rules.ranking, game.drivers["competent"],
        blank(RACE), edition.data, codes, np.uint64(seed), new_dice(seed), out, kinds, places,
    )  # fmt: skip
    return out, kinds, places


def shares(winners: NDArray[np.int64], groups: NDArray[np.int64], values: range) -> dict[int, tuple[float, int]]:
    """For each value of a group: wins (a shared win counts as a part) and chariots."""
    won = (winners[:, None] >> np.arange(groups.shape[1]) & 1).astype(float)
    won /= np.maximum(1.0, won.sum(axis=1, keepdims=True))
    return {value: (float(won[groups == value].sum()), int((groups == value).sum())) for value in values}


def random_races() -> tuple[float, float]:
    begun = time.perf_counter()
    results = spina.simulate(NAME, seats=6, races=20_000, drivers="random", seed=1, threads=1)
    seconds = time.perf_counter() - begun
    return float(results["choices"].sum() / seconds), len(results) / seconds


def choice_times() -> tuple[float, float]:
    """Median and longest time of a competent choice, in milliseconds, over whole races with every variant."""
    game = get(NAME)
    times = []
    for seed in range(12):
        board = ("AA", "AB", "BA", "BB")[seed % 4]
        race = spina.new(NAME, seats=6, seed=seed, board=board, individual=seed % 2 == 0)
        dice, plan = new_dice(seed), np.zeros(PLAN, np.int64)
        while not race.over:
            data, seat = race.dealt_anew(race.to_act[0], 0), race.to_act[0]
            begun = time.perf_counter()
            game.drivers["competent"](data, race.edition.data, seat, dice, plan)
            times.append(1000 * (time.perf_counter() - begun))
            race.play(seat, game.action(race.edition, int(plan[0])))
    return float(np.median(times)), max(times)


def strength(rival: str, races_wanted: int) -> int:
    """Races won by two competent drivers against two of another kind, seats rotated; a shared win counts half."""
    wins = 0.0
    for turn, names in enumerate((["competent", rival] * 2, [rival, "competent"] * 2)):
        results = spina.simulate(NAME, seats=4, races=races_wanted // 2, drivers=names, seed=11 + turn)
        won = results["places"] == 1
        own = won[:, turn::2].any(axis=1)
        other = won[:, 1 - turn :: 2].any(axis=1)
        wins += float((own & ~other).sum() + 0.5 * (own & other).sum())
    return int(wins)


def run() -> None:
    heading("Chariot Race: speed (best of three runs, one core)")
    decisions = best_of(lambda: random_races()[0])
    per_second = best_of(lambda: random_races()[1])
    measured("random six-chariot races: decisions", f"{decisions:,.0f}/s", "1,000,000/s", decisions >= 1_000_000)
    measured("random six-chariot races", f"{per_second:,.0f}/s", "3,000/s", per_second >= 3_000)
    size = get(NAME).record.itemsize
    measured("memory of one race", f"{size:,} bytes", "2,048 bytes", size <= 2048)
    median, longest = choice_times()
    measured("competent choice, median", f"{median:.2f} ms", "3 ms", median < 3)
    measured("competent choice, longest", f"{longest:.2f} ms", "20 ms", longest < 20)
    wins = strength("fastest", STRENGTH)
    low, high = wilson(wins, STRENGTH)
    measured(
        "competent against fastest, four seats, two of each",
        f"{wins / STRENGTH:.1%} ({low:.1%} to {high:.1%})",
        "75 %",
        low >= 0.75,
    )


def run_claims() -> None:
    heading(f"Chariot Race: what must hold of the reference edition ({CALIBRATION:,} races of six, 95 % intervals)")
    for board in ("AA", "BB"):
        out, _, places = races(CALIBRATION, 5, board=board)
        mean, low, high = mean_interval(out[:, 0].tolist())
        measured(
            f"{board}: rounds in a race", f"{mean:.2f} ({low:.2f} to {high:.2f})", "7 to 11", low >= 7 and high <= 11
        )
        wrecked = int(out[:, 1].sum())
        low, high = wilson(wrecked, CHARIOTS * CALIBRATION)
        value = f"{wrecked / CHARIOTS / CALIBRATION:.1%} ({low:.1%} to {high:.1%})"
        measured(f"{board}: chariots wrecked", value, "10 % to 40 %", low >= 0.1 and high <= 0.4)
        by_place = shares(out[:, 2], places, range(GRID))
        rates = [wins / count for wins, count in by_place.values()]
        ratio = max(rates) / min(rates)
        measured(f"{board}: best starting place / worst", f"{ratio:.2f}", "1.5", ratio < 1.5)
        print("        win shares by starting place: " + ", ".join(f"{rate:.1%}" for rate in rates))


def run_chariots(count: int = 4000) -> None:
    heading(f"Chariot Race: the six individual chariots ({count:,} races, drafted and placed at random)")
    out, kinds, _ = races(count, 9, individual=True)
    names = get(NAME).reference().characters  # type: ignore[attr-defined]
    for kind, (wins, raced) in shares(out[:, 2], kinds, range(1, CHARIOTS + 1)).items():
        low, high = wilson(round(wins), raced)
        value = f"{wins / raced:.1%} ({low:.1%} to {high:.1%})"
        measured(f"wins of {names[kind]}", value, "14 % to 20 %", 0.14 <= wins / raced <= 0.20)
