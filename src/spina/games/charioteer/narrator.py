"""The story of a race of Charioteer, a line to an event."""

from __future__ import annotations

from collections.abc import Sequence

from spina.games.charioteer import events as e
from spina.games.game import Event

_WISHES = {
    "sprint": "The emperor wants to see a sprint (green).",
    "attack": "The emperor wants to see an attack (red).",
    "recover": "The emperor wants to see a recovery (yellow).",
    "corner": "The emperor wants to see cornering (black).",
    "all": "The emperor applauds everything.",
    "disrupt": "The emperor stirs up the crowd.",
}
_WHIPS = {
    "spent": "",
    "leads": "; a whip does nothing for the leader",
    "passed": "; a whip does nothing after passing somebody",
    "blocked": ", and must not pass",
    "first turn": "; whips do nothing on the first turn",
}


def sentence(event: Event, names: Sequence[str]) -> str:
    """One event in words; empty for what a story leaves out."""
    match event:
        case e.Turn(turn):
            return f"Turn {turn}."
        case e.Emperor(face):
            return _WISHES[face]
        case e.Revealed():
            return f"{names[event.seat]} {_choice(event)}."
        case e.Shielded(seat, cubes) if cubes:
            return f"{names[seat]}'s shield clears {_cubes(cubes)}."
        case e.Calmed(seat, damage, attack):
            return f"{names[seat]} halts, calms the horses and is rid of {_cubes(damage + attack)}."
        case e.Recovered(seat, cubes, left, _):
            return f"{names[seat]} recovers {_cubes(cubes)}, {left} left."
        case e.Counted():
            return f"{names[event.seat]} moves {event.points}: {_sum(event)}."
        case e.Attacked(seat, cubes, cards):
            return f"{names[seat]} attacks with {cards} cards: {_cubes(cubes)} for every rival."
        case e.Cube(seat, None, box):
            return f"The crowd throws things at {names[seat]} ({box} in the attack boxes)."
        case e.Passed(seat, rival, skipped):
            return f"{names[seat]} {'cuts the corner past' if skipped else 'passes'} {names[rival]}."
        case e.Whipped(seat, _, spaces, ended):
            return f"{names[seat]}'s whip is good for {_count(spaces, 'space')}{_WHIPS[ended]}."
        case e.Learned(seat, colour, _, _, bonus) if bonus > 1:
            return f"{names[seat]}'s {colour} marker reaches the bonus box: +{bonus} from now on."
        case e.FanToken(seat, token, empty):
            if empty:
                return f"{names[seat]} has earned a fan token, but none is left."
            return f"{names[seat]} delights the crowd and earns a fan token{f' ({token})' if token else ''}."
        case e.Lap(seat, lap):
            return f"{names[seat]} completes lap {lap}."
        case e.Suffered(seat, cubes, damage):
            return f"{names[seat]} takes {_cubes(cubes)} of damage, {damage} in all."
        case e.Shuffled(what, _):
            return f"The {what} is refilled."
        case e.Finished(seat, place, _):
            return f"{names[seat]} wins the race!" if place == 1 else f"{names[seat]} comes in {_ordinal(place)}."
        case _:
            return ""


def _choice(event: e.Revealed) -> str:
    if event.symbol == "reset":
        text = "resets"
    else:
        text = f"plays {event.symbol} with {_count(len(event.cards), 'card')}"
        if event.crowd:
            text += " and the crowd card"
    if event.token:
        text += f", token {event.token}"
    if event.discard_token:
        text += f", and discards {event.discards} under {event.discard_token}"
    return text


def _sum(event: e.Counted) -> str:
    text = f"{event.symbols} symbols + {event.number}"
    if event.token:
        text += f" + {event.token} token"
    if event.skill:
        text += f" + {event.skill} skill"
    if event.damage:
        text += f" - {event.damage} damage"
    return text


def _cubes(count: int) -> str:
    return _count(count, "cube")


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _ordinal(place: int) -> str:
    return {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}[place]
