"""Required properties of Charioteer's reference edition, measured with competent drivers."""

from __future__ import annotations

import sys

from bench.report import heading, measured
from spina.games import get
from spina.games.studies import intervals, measures
from spina.lab import setups
from spina.lab.fact_collection import gather

NAME = "charioteer"
RACES = 3000


def run() -> None:
    heading(f"Charioteer: what must hold of the reference edition ({RACES:,} races a line, 95 % intervals)")
    for seats in get(NAME).seat_counts:
        facts = gather(setups.make(NAME, f"field {seats}", RACES, seats))
        turns = measures.turns(facts)
        measured(f"{seats} seats: turns in a race", str(turns), "20 to 26", turns.low >= 20 and turns.high <= 26)
        box = intervals.mean(facts.races["first_bonus"], "share")
        measured(
            f"{seats} seats: first marker in the bonus box after",
            str(box),
            "45 % to 70 %",
            box.low >= 0.45 and box.high <= 0.70,
        )
        shortest, longest = facts.races["turns"].min(), facts.races["turns"].max()
        print(f"        (in {box.races / RACES:.1%} of the races; {shortest} to {longest} turns)")
        wins = measures.wins_of("driver", "longest")(gather(setups.make(NAME, f"longest {seats}", RACES, 100 + seats)))
        measured(
            f"{seats} seats: longest against competent wins",
            str(wins),
            f"clearly less than {1 / seats:.1%}",
            wins.high < 0.75 / seats,
        )


if __name__ == "__main__":
    sys.exit(run())
