"""What must hold of Charioteer's reference edition, measured with competent drivers."""

from __future__ import annotations

import sys

import numba
import numpy as np
from numpy.typing import NDArray

from bench.report import heading, mean_interval, measured
from spina.games import get
from spina.games.charioteer.state import COLOURS, EDITION, RACE, SEATS
from spina.kernel.bits import lowest_bit
from spina.kernel.random import new_dice, nth_seed
from spina.kernel.record import blank
from spina.kernel.runs import MOST_SEATS
from spina.kernel.story import silence
from spina.kernel.table import PLAN
from spina.simulation import wilson

RACES = 3000


@numba.njit(nogil=True)
def observe(set_up, acting, apply, over, ranking, usual, odd, data, components, seats, seed, dice, out):  # type: ignore
    """Race after race: turns, the turn in which the first marker reached the bonus box, whether the odd driver won."""
    race, edition = data.view(RACE)[0], components.view(EDITION)[0]
    plan, places, options = np.zeros(PLAN, np.int64), np.zeros(12, np.int64), np.zeros(1, np.int64)
    nobody = silence()
    options[0] = seats
    for i in range(len(out)):
        set_up(data, components, options, nth_seed(seed, i))
        first = 0
        odd_seat = i % seats
        while not over(data, components):
            turn = race.turn
            while race.turn == turn and not over(data, components):
                seat = lowest_bit(acting(data, components))
                driver = odd if seat == odd_seat else usual
                for k in range(driver(data, components, seat, dice, plan)):
                    apply(data, components, seat, plan[k], nobody)
            for seat in range(seats):
                for colour in range(COLOURS):
                    if first == 0 and race.skill[seat, colour] >= edition.skill_spaces:
                        first = turn
        ranking(data, components, places)
        out[i, 0] = race.turn
        out[i, 1] = first
        out[i, 2] = 1 if places[odd_seat] == 1 else 0


def races(seats: int, odd: str, seed: int) -> NDArray[np.int64]:
    """Competent drivers with one of another kind among them, who moves from seat to seat."""
    game = get("charioteer")
    rules = game.rules
    out = np.zeros((RACES, 3), np.int64)
    observe(
        rules.set_up, rules.acting, rules.apply, rules.over, rules.ranking,
        game.drivers["competent"], game.drivers[odd], blank(RACE), game.reference().data, seats,
        np.uint64(seed), new_dice(seed), out,
    )  # fmt: skip
    return out


def run() -> None:
    assert MOST_SEATS >= SEATS
    heading(f"Charioteer: what must hold of the reference edition ({RACES:,} races a line, 95 % intervals)")
    for seats in range(2, SEATS + 1):
        result = races(seats, "competent", seats)
        mean, low, high = mean_interval(result[:, 0].tolist())
        measured(
            f"{seats} seats: turns in a race",
            f"{mean:.2f} ({low:.2f} to {high:.2f})",
            "20 to 26",
            low >= 20 and high <= 26,
        )
        reached = result[result[:, 1] > 0]
        mean, low, high = mean_interval((reached[:, 1] / reached[:, 0]).tolist())
        measured(
            f"{seats} seats: first marker in the bonus box after",
            f"{mean:.1%} ({low:.1%} to {high:.1%})",
            "45 % to 70 %",
            low >= 0.45 and high <= 0.70,
        )
        print(
            f"        (in {len(reached) / RACES:.1%} of the races; {result[:, 0].min()} to {result[:, 0].max()} turns)"
        )
        wins = int(races(seats, "longest", 100 + seats)[:, 2].sum())
        low, high = wilson(wins, RACES)
        measured(
            f"{seats} seats: longest against competent wins",
            f"{wins / RACES:.1%} ({low:.1%} to {high:.1%})",
            f"clearly less than {1 / seats:.1%}",
            high < 0.75 / seats,
        )


if __name__ == "__main__":
    sys.exit(run())
