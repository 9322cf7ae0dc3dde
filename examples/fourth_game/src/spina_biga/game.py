"""Biga, as the rest of Spina meets it: what it is called, what is seen of it, and how its events are told."""

from __future__ import annotations

from typing import Any

from spina.games.defaults import EventKind
from spina.games.editions import Edition
from spina.games.game import Action, Game
from spina.kernel.record import Bytes, look
from spina_biga.rules import ACTIONS, FINISH, LAP, LAPS, NOT_CHOSEN, RACE, RULES, SEATS, drive_randomly

LANES = ("inner", "middle", "outer")
MANNERS = (
    "the higher of two dice, 4.5 spaces on average",
    "both dice, 7 spaces on average, for a point of stamina",
    "the lower of two dice, 2.5 spaces on average, and a point of stamina back",
)
EVENTS = (
    EventKind("ChangedLane", ("lane",)),
    EventKind("Drove", ("one", "other", "spaces"), "{seat} rolls {one} and {other} and goes {spaces} spaces."),
    EventKind("TippedOver", (), "{seat} tips over in the bend!"),
    EventKind("StoppedShort", ("rival",), "{seat} stops short of the chariot ahead."),
    EventKind("Finished", (), "{seat} has three laps behind."),
    EventKind("Chose"),
)


class Biga(Game):
    """Two dice, three lanes, three laps, and a secret choice every round."""

    name = "biga"
    title = "Biga"
    summary = "Two dice, three lanes, three laps and a secret choice; 2 to 6 players"
    seat_counts = range(2, SEATS + 1)
    rules = RULES
    rules_version = 1
    record = RACE
    steps = longest_menu = ACTIONS
    drivers = {"random": drive_randomly}  # noqa: RUF012 - declared by the contract
    line_up = ("random",) * 4
    turn_word = "round"
    laps = LAPS
    action_names = tuple(f"{how} {where}" for how in ("steady", "push", "rest") for where in ("in", "stay", "out"))
    event_kinds = EVENTS

    def view(self, race: Bytes, edition: Edition, seat: int | None) -> dict[str, Any]:
        """Everything but the dice to come and the rivals' choices."""
        state = look(race, RACE)
        chariots = [
            {
                "seat": each,
                "progress": int(state.progress[each]),
                "lap": int(state.progress[each]) // LAP + 1,
                "lane": LANES[state.lane[each]],
                "stamina": int(state.stamina[each]),
                "ready": bool(state.choice[each] != NOT_CHOSEN),
            }
            for each in range(state.seats)
        ]
        own = None if seat is None or state.choice[seat] == NOT_CHOSEN else self.action_names[state.choice[seat]]
        return {"turn": int(state.turn), "chariots": chariots, "choice": own}

    def explain(self, race: Bytes, edition: Edition, seat: int, action: Action) -> str:
        """What the dice promise, and what stamina and bends say to it."""
        (code,) = self.encode(race, edition, seat, action)
        lane = look(race, RACE).lane[seat] + code % 3 - 1
        return f"{MANNERS[code // 3]}; a bend costs {lane or 'nothing'} in the {LANES[lane]} lane"

    def done(self, race: Bytes, edition: Edition, seat: int) -> float:
        return min(1.0, int(look(race, RACE).progress[seat]) / FINISH)


GAME = Biga()
