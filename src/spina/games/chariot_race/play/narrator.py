"""The story of a race of Chariot Race: round by round, or one sentence for each event."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.play import events as e
from spina.games.game import Event
from spina.games.mapping_struct import Fields


def called(chariot: int, names: Sequence[str]) -> str:
    """A chariot by the name of its driver; a seat's second chariot is called "NAME's second"."""
    seats = len(names)
    return names[chariot] if chariot < seats else f"{names[chariot % seats]}'s second"


def sentence(event: Event, names: Sequence[str]) -> str:
    """One event in words; empty for events that a story leaves out."""
    deed = _deed(event, names)
    chariot = getattr(event, "chariot", None)
    if isinstance(event, e.Round):
        return f"Round {event.number}."
    return f"{called(chariot, names)} {deed}." if deed and chariot is not None else ""


def _deed(event: Event, names: Sequence[str]) -> str:
    match event:
        case e.Drafted(_, character):
            return f"takes the {character} chariot"
        case e.Placed(_, space):
            return f"starts on {space}"
        case e.Repaired(_, gained, condition, _):
            return f"mends {gained}, condition {condition}"
        case e.HeldBack(_, speed):
            return f"must slow down to {speed}"
        case e.Rolled(_, dice, roll):
            return {"first": "rolls", "free": "re-rolls to", "bought": "pays Fortuna and re-rolls to"}[roll] + (
                " " + ", ".join(dice)
            )
        case e.Turned(_, before, side, _):
            return f"turns {before} to {side}"
        case e.Blessed(_, _, fate):
            return f"pleases Fortuna (fate {fate})"
        case e.Sped():
            return _speed(event)
        case e.Stepped(_, space, way, _, _) if way != "ahead":
            return f"changes {way} to {space}"
        case e.Cornered(_, damage, safe, condition):
            return f"takes a corner for {safe} too fast: -{damage}, condition {condition}"
        case e.Rammed(_, rammed, condition, other):
            return f"rams {called(rammed, names)} (condition {condition} and {other})"
        case e.Spiked(_, _, condition):
            return f"runs over a caltrop, condition {condition}"
        case e.PutBack(_, space, _):
            return f"is put back to {space}"
        case e.Crashed():
            return "crashes into a stone heap"
        case e.Wrecked():
            return "is WRECKED"
        case e.Line(_, laps) if laps:
            return f"completes lap {laps}"
        case e.JavelinThrown(_, target, condition):
            return f"hits {called(target, names)} with a javelin (condition {condition})"
        case e.CaltropDropped(_, space):
            return f"drops a caltrop on {space}"
        case e.Finished(_, seat_place, _):
            return "wins the race" if seat_place == 1 else f"comes in at place {seat_place}"
        case _:
            return ""


def _speed(event: e.Sped) -> str:
    parts = []
    if event.changes:
        parts.append(f"{2 * event.plus - event.changes:+d} from {event.changes} +/-")
    if event.sprints:
        parts.append(f"{event.sprints} sprint{'s' if event.sprints > 1 else ''}, condition {event.condition}")
    return f"drives {event.speed}" + (f" ({'; '.join(parts)})" if parts else "")


def heading(view: Fields, width: int, colour: bool) -> list[str]:
    """The heading of a round."""
    if not view["round"]:
        return ["The draft"]
    line = f"Round {view['round']}"
    return [f"\x1b[1m{line}\x1b[0m" if colour else line]


def story(events: Sequence[Event], names: Sequence[str], width: int, colour: bool) -> list[str]:
    """The events of a round, chariot by chariot."""
    lines: list[str] = []
    deeds: list[str] = []
    driver: int | None = None

    def close() -> None:
        if driver is not None and deeds:
            first = f"  {called(driver, names)}: "
            lines.extend(textwrap.wrap("; ".join(deeds) + ".", width, initial_indent=first, subsequent_indent=" " * 6))

    for event in events:
        chariot = getattr(event, "chariot", None)
        deed = _deed(event, names)
        if chariot is None or not deed or isinstance(event, e.Finished):
            continue
        if isinstance(event, e.Wrecked) and chariot != driver:
            deeds.append(f"{called(chariot, names)} {deed}")
            continue
        if chariot != driver:
            close()
            driver, deeds = chariot, []
        deeds.append(deed)
    close()
    ends = [event for event in events if isinstance(event, e.Finished)]
    won = sorted({names[end.chariot % len(names)] for end in ends if end.seat_place == 1})
    if won:
        lines.append(f"  {' and '.join(won)} win{'s' if len(won) == 1 else ''} the race!")
    elif ends:
        lines.append("  Nobody is left: the race has no winner.")
    return lines


def components(edition: ChariotRaceEdition) -> str:
    """An edition in one line."""
    counts = [sum(lane == k for lane in edition.lane) for k in range(edition.lanes)]
    return f"{edition.lanes} lanes of {', '.join(map(str, counts))} spaces; {edition.caltrops} caltrops"
