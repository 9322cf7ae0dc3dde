"""The story of a race of Charioteer: turn by turn for a spectator, or one sentence for each event."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.pictures.terminal_board import COLOUR_CODES, WISHES
from spina.games.charioteer.play import events as e
from spina.games.charioteer.rules.record import COLOUR_NAMES
from spina.games.editions import Edition, listed
from spina.games.game import Event
from spina.games.mapping_struct import Fields
from spina.games.pictures import ordinal
from spina.games.terminal import BOLD, NAME, badge, columns, fitted, paint

_WHIPS = {
    "leads": "cracks the whip for nothing: the leader needs none",
    "passed": "cracks the whip for nothing: it does not work after passing somebody",
    "blocked": "cracks the whip for nothing: a rival is in the way",
    "first turn": "cracks the whip for nothing: it does not work on the first turn",
}
TRACK_BONUS = 1
"""Bonus of the spaces of the skills track: a higher one is that of a place in the bonus box."""
_TIE = "\N{NO-BREAK SPACE}"
_TIED = re.compile(r"(?<=\d) (?=[a-z=])|(?<=[+−=]) (?=\d)|(?<=discards) (?=\d)|(?<=token) (?=\S)|(?<=now) (?=\+)")
"""Blanks at which lines are not broken: a number stays with its noun."""
_SYMBOL = rf"(?P<colour>{'|'.join(COLOUR_NAMES)})-\d+"

E = TypeVar("E", bound=Event)


# --- one sentence for each event ------------------------------------------------------------------------------------


def sentence(event: Event, names: Sequence[str]) -> str:
    """One event in words; empty for events that a story leaves out."""
    match event:
        case e.Turn(turn):
            return f"Turn {turn}."
        case e.Emperor(face):
            return _capital(WISHES[face]) + "."
        case e.Cube(seat, None, box):
            return f"The crowd throws things at {names[seat]} ({box} in the attack boxes)."
        case e.Shuffled(what, size):
            return f"The {what} is filled again: {size} {'tokens' if what == 'bag' else 'cards'}."
        case e.Finished(seat, 1, _):
            return f"{names[seat]} wins the race!"
        case _:
            deed = _deed(event, names)
            return f"{names[getattr(event, 'seat')]} {deed}." if deed else ""  # noqa: B009


def _deed(event: Event, names: Sequence[str]) -> str:
    """What a chariot or its driver does: a sentence without its subject."""
    match event:
        case e.Revealed():
            return _play(event)
        case e.Buried(_, cards):
            return f"discards {listed(cards)} face down"
        case e.Shielded(_, cubes) if cubes:
            return f"clears {_count(cubes, 'cube')} with a shield"
        case e.Calmed(_, damage, attack):
            return "calms the horses" + (f" and is rid of {_count(damage + attack, 'cube')}" if damage + attack else "")
        case e.Recovered(_, cubes, left, _):
            return f"recovers {_count(cubes, 'cube')}" + (f", {left} left" if left else "")
        case e.Counted():
            return f"moves {event.points}: {_sum(event)}"
        case e.Attacked(_, cubes, cards):
            return f"attacks with {_count(cards, 'card')}: {_count(cubes, 'cube')} for every rival"
        case e.Passed(_, rival, skipped):
            return f"cuts the corner past {names[rival]}" if skipped else f"passes {names[rival]}"
        case e.Whipped(_, _, spaces, ended):
            return f"cracks the whip: {_count(spaces, 'space')} more" if spaces else _WHIPS[ended]
        case e.Learned(_, colour, _, _, bonus) if bonus > TRACK_BONUS:
            return f"brings the {colour} marker into the bonus box: +{bonus} from now on"
        case e.FanToken(_, token, empty):
            if empty:
                return "has earned a fan token, but none is left"
            return f"earns a fan token ({token})" if token else "earns a fan token"
        case e.Lap(_, lap):
            return f"completes lap {lap}"
        case e.Suffered(_, cubes, damage):
            return f"takes {_count(cubes, 'cube')} of damage, {damage} in all"
        case e.Drew(_, cards, _) if cards:
            return f"draws {listed(cards)}"
        case e.Finished(_, place, _):
            return f"comes in {ordinal(place)}"
        case _:
            return ""


def _play(event: e.Revealed) -> str:
    if event.symbol == "reset":
        text = f"resets with {_count(len(event.cards), 'card')}"
    else:
        text = f"plays {event.symbol} on {_count(len(event.cards), 'card')}"
        if event.crowd:
            text += " and the crowd card"
        if event.token:
            text += f", token {event.token.removesuffix(' ' + event.symbol.rpartition('-')[0])}"
    if event.discard_token:
        text += f", discards {event.discards}"
    return text


def _sum(event: e.Counted) -> str:
    """The parts of the sum by name; parts that are zero are left out, but not the number."""
    parts = [_count(event.symbols, "symbol"), f"+ {event.number} number"]
    parts += [f"+ {amount} {name}" for amount, name in ((event.token, "token"), (event.skill, "skill")) if amount]
    if event.damage:
        parts.append(f"− {event.damage} damage")
    return " ".join(parts)


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- turn by turn ---------------------------------------------------------------------------------------------------


def heading(view: Fields, width: int, colour: bool) -> list[str]:
    """The heading of a turn: its number, the emperor's wish, the crowd card."""
    wish = WISHES[view["emperor"]]
    cubes = max(c["attack"] for c in view["chariots"])
    if view["emperor"] == "disrupt" and cubes:
        wish += f": {_count(cubes, 'cube')} for everybody"
    turn = f"Turn {view['turn']}"
    text = f"{turn} · {wish} · crowd {view['crowd'][0]}"
    lines = textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)
    return [_coloured(line, [turn], colour) for line in lines]


def story(events: Sequence[Event], names: Sequence[str], width: int, colour: bool) -> list[str]:
    """The events of a turn after the last choice, chariot by chariot in race order."""
    names = [fitted(name, NAME).rstrip() for name in names]
    teller = _Teller(names, width, colour)
    order = _only(events, e.Ordered)
    for seat in order[0].seats if order else ():
        teller.entry(seat, _seat_story(events, seat, names))
    suffered = [_suffering(event, names) for event in _only(events, e.Suffered)]
    if suffered:
        teller.remark(f"New damage: {', '.join(suffered)}.")
    for shuffled in _only(events, e.Shuffled):
        teller.remark(sentence(shuffled, names))
    for finished in _only(events, e.Finished)[:1]:
        teller.remark(sentence(finished, names))
    return teller.lines


class _Teller:
    """Collects the wrapped lines of a story: entries that begin with a chariot's name, and remarks."""

    def __init__(self, names: Sequence[str], width: int, colour: bool) -> None:
        self.lines: list[str] = []
        self._names, self._width, self._colour = names, width, colour
        self._indent = max(map(columns, names)) + 6

    def entry(self, seat: int, text: str) -> None:
        for i, line in enumerate(self._wrapped(text)):
            name = f"  {badge(seat, self._colour)} {fitted(self._names[seat], self._indent - 4)}"
            self.lines.append((" " * self._indent if i else name) + line)

    def remark(self, text: str) -> None:
        self.lines += [f"  {line}" for line in self._wrapped(text, 2)]

    def _wrapped(self, text: str, indent: int | None = None) -> list[str]:
        room = max(20, self._width - (self._indent if indent is None else indent))
        lines = textwrap.wrap(_TIED.sub(_TIE, text), room, break_on_hyphens=False)
        return [_coloured(line.replace(_TIE, " "), self._names, self._colour) for line in lines]


def _coloured(line: str, names: Sequence[str], colour: bool) -> str:
    """A line of plain text with its names in bold and its symbols in their colours."""
    if not colour:
        return line
    wanted = [re.escape(name) for name in sorted(names, key=len, reverse=True)]
    pattern = rf"(?<!\w)(?:(?P<symbol>{_SYMBOL})|{'|'.join(wanted)})(?!\w)"
    return re.sub(
        pattern, lambda found: paint(found[0], COLOUR_CODES[found["colour"]] if found["symbol"] else BOLD), line
    )


def _seat_story(events: Sequence[Event], seat: int, names: Sequence[str]) -> str:
    """A seat's turn: what it plays, the sum of the move, then the consequences, one sentence each."""
    own = [event for event in events if getattr(event, "seat", None) == seat]
    said = [_deed(event, names) for event in _only(own, e.Revealed)]
    for counted in _only(own, e.Counted):
        said[-1] += f": {_sum(counted)} = {counted.points}"
    for event in own:
        match event:
            case e.Calmed():
                said[-1] += f": {_deed(event, names)}"
            case e.Attacked(_, _, cards):
                said.append(f"attacks with {_count(cards, 'card')}: {_hits(events, seat, names)}")
            case e.Passed():
                said += _passes(_only(own, e.Passed), names)
            case e.Shielded() | e.Recovered() | e.Whipped() | e.Lap() | e.FanToken() | e.Buried():
                said.append(_deed(event, names))
    said += _skill(_only(own, e.Learned), _only(own, e.Counted))
    said += [_deed(event, names) for event in _only(own, e.Drew)]
    first, *others = [text for text in dict.fromkeys(said) if text]
    return ". ".join([first, *map(_capital, others)]) + "."


def _only(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _hits(events: Sequence[Event], seat: int, names: Sequence[str]) -> str:
    """The cubes that each rival gets in an attack."""
    cubes = Counter(cube.seat for cube in _only(events, e.Cube) if cube.by == seat)
    if not cubes:
        return "nobody is hit"
    if len(cubes) == len(names) - 1 > 1 and len(set(cubes.values())) == 1:
        return f"{_count(cubes.popitem()[1], 'cube')} for every rival"
    parts = []
    for count in sorted(set(cubes.values()), reverse=True):
        hit = [names[rival] for rival in cubes if cubes[rival] == count]
        parts.append(f"{_count(count, 'cube')} for {listed(hit)}")
    return ", ".join(parts)


def _passes(passed: Sequence[e.Passed], names: Sequence[str]) -> list[str]:
    """One sentence for all rivals passed by changing places, one for those passed by skipping."""
    said = []
    for skipped, verb in ((False, "passes"), (True, "cuts the corner past")):
        rivals = dict.fromkeys(names[event.rival] for event in passed if event.skipped == skipped)
        if rivals:
            said.append(f"{verb} {listed([*rivals])}")
    return said


def _suffering(event: e.Suffered, names: Sequence[str]) -> str:
    total = f" ({event.damage} in all)" if event.damage > event.cubes else ""
    return f"{names[event.seat]} {event.cubes}{total}"


def _skill(learned: Sequence[e.Learned], counted: Sequence[e.Counted]) -> list[str]:
    """A sentence if the skill's bonus has changed, or its marker has gone more than one step."""
    if not learned:
        return []
    last = learned[-1]
    if last.bonus != counted[0].skill:
        return [f"{last.colour} skill is now +{last.bonus}"]
    return [f"{last.colour} skill rises {len(learned)} steps"] if len(learned) > 1 else []


# --- components -----------------------------------------------------------------------------------------------------


def components(edition: Edition) -> str:
    """An edition in one line."""
    if not isinstance(edition, CharioteerEdition):
        return ""
    return (
        f"{_count(edition.laps, 'lap')} of {edition.spaces} spaces ({sum(edition.outer)} outer), "
        f"{len(edition.card_names)} cards, {sum(edition.player_counts)} player tokens, "
        f"{sum(edition.fan_counts)} fan tokens"
    )
