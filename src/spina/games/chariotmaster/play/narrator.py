"""The story of a race of Chariotmaster: a game turn at a time for spectators, or a sentence for each event."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TypeVar

from spina.games.chariotmaster.play import events as e
from spina.games.chariotmaster.play.piece_names import COLOURS
from spina.games.chariotmaster.rules.record import CHARIOTS, DRIVER_OF, OBSTACLE, WALL, WRECK_OF
from spina.games.game import Event
from spina.games.mapping_struct import Fields
from spina.games.pictures import ordinal
from spina.games.terminal import BOLD, badge, badge_style, paint

FURTHER = (
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_TIE = "\N{NO-BREAK SPACE}"
E = TypeVar("E", bound=Event)


# --- names and numbers ------------------------------------------------------------------------------------------------


def called(chariot: int, names: Sequence[str], seats: int | None = None) -> str:
    """A chariot by its driver; with several chariots each, the further ones say so."""
    seats = seats or len(names)
    name = names[chariot % seats]
    return name if chariot < seats else f"{name}'s {FURTHER[chariot // seats - 1]}"


def called_piece(piece: int, names: Sequence[str], seats: int | None = None) -> str:
    """A piece, or the wall, as a story names it."""
    if piece < WRECK_OF:
        return called(piece, names, seats)
    if piece < DRIVER_OF:
        return f"the wreck of {called(piece - WRECK_OF, names, seats)}"
    if piece < OBSTACLE:
        return f"{called(piece - DRIVER_OF, names, seats)} on foot"
    return "the wall" if piece == WALL else f"obstacle {piece - OBSTACLE + 1}"


def cm(mm: float) -> str:
    """A length in centimetres, as short as possible."""
    return f"{mm / 10:.2f}".rstrip("0").rstrip(".").replace("-", "−") + " cm"


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _faces(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice)) or "no dice"


def _sum(face: int, modifier: int) -> str:
    """A die with its modifier."""
    if not modifier:
        return str(face)
    return f"{face} {'+' if modifier > 0 else '−'} {abs(modifier)} = {face + modifier}"


def _turn(degrees: float) -> str:
    return f"{abs(degrees):g}° {'left' if degrees > 0 else 'right'}"


# --- a sentence for each event --------------------------------------------------------------------------------------


def sentence(event: Event, names: Sequence[str], seats: int | None = None) -> str:
    """One event in words; empty for what a story leaves out."""
    if isinstance(event, e.GameTurn):
        return f"Turn {event.number}."
    subject = _subject(event)
    deed = _Words(names, seats).deed(event)
    if not deed:
        return ""
    name = "it" if subject is None else called_piece(subject, names, seats)
    return f"{_capital(name)} {deed}{'!' if isinstance(event, e.Finished) and event.place == 1 else '.'}"


def _subject(event: Event) -> int | None:
    """The piece that a sentence about the event begins with."""
    match event:
        case e.Moved() | e.Pivoted() | e.Aligned() | e.Destroyed():
            return event.piece
        case e.Collided() | e.Bounced():
            return event.initiator
        case e.LeftTrack(chariot) | e.Placed(chariot, _, _):
            return DRIVER_OF + chariot
        case e.Of() | e.OfPiece():
            return event.chariot
        case _:
            return None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_ROLLS = {
    "sub-move test": "the next sub-move",
    "brake": "the brake",
    "spur": "the spurs",
    "whip": "the whip",
    "defence": "the defence",
    "brake away": "the way back",
    "evade": "the way aside",
    "grab": "the grab from the haft",
    "side of the fall": "the side of the fall",
    "cut loose": "the knife",
    "dragged": "what the ground does",
    "exhausted": "the exhausted horses",
    "wheel": "the damaged wheel",
    "out of points": "what comes of it",
    "backwards": "the way back",
    "sideways": "the way aside",
    "entangled": "the reins",
    "hurled": "the flight",
    "collision": "the collision",
    "whip at horses": "the whipped horses",
    "whip duel": "the duel",
    "whip wound": "the wound",
    "bite": "the bites",
}
_PAYMENTS = {
    "brake": "to brake",
    "spur": "to spur the horses",
    "whip": "to whip the horses",
    "side sweep": "for a side sweep",
    "attack": "for the attack",
    "defence": "for the defence",
    "centring": "to reach the middle of the track",
    "detour": "for a way round",
}
_TESTS = {
    "sub-move": ("holds the line", "loses the line"),
    "defence": ("gets away", "does not get away"),
    "grab": ("gets hold", "does not get hold"),
    "cut loose": ("the reins part", "the reins hold"),
}
_MOVES = {
    "ahead": "drives {} ahead",
    "sweep": "sweeps {} to the side",
    "skid": "skids {}",
    "bounce": "is knocked {} away",
    "follow": "follows {}",
    "back": "is set back {}",
    "sideways": "lurches {} sideways",
    "brake away": "drops back {}",
    "evade": "swerves {} away",
    "whipped on": "bolts {} ahead",
    "hurled": "flies {}",
    "run away": "runs on for {}",
    "centring": "sweeps {} across the track",
    "walk": "walks {}",
    "run through": "drives {} and does not spare what lies there",
    "collide": "drives {} at what is ahead",
}
_DEFENCES = {
    "bears it": "bears the attack of {}",
    "brakes": "brakes away from {}",
    "evades": "tries to swerve from {}",
    "shies": "shies away from {}",
}
_PLAIN: dict[type[Event], str] = {
    e.Kept: "trusts the dice as they lie",
    e.LostControl: "is OUT OF CONTROL",
    e.LostReins: "lets the reins go",
    e.StunnedNow: "goes down and does not stir",
    e.IsExhausted: "has exhausted horses from now on",
    e.WheelLoose: "has a damaged wheel from now on",
    e.LostWhip: "loses the whip",
    e.LostKnife: "loses the knife",
    e.Crashed: "CRASHES: the chariot is a wreck",
    e.Entangled: "is caught in the reins and dragged behind the horses",
    e.DriverDied: "DIES",
    e.Grabbed: "climbs back and holds the reins",
    e.CutFree: "cuts the dead horse free",
    e.CutLoose: "is cut loose from the horses",
    e.Clings: "clings to the horses",
    e.LeftTrack: "leaves the track",
    e.RanOff: "runs off the course without a driver",
    e.Destroyed: "falls to pieces and is gone",
    e.TeamGone: "has lost the last horse of the team",
    e.StruckOut: "did not live to the end of the turn: the crossing does not count",
    e.Eliminated: "is OUT of the race",
    e.Stands: "is boxed in and stands",
    e.ControlBack: "is under control again",
    e.Awake: "comes to",
    e.Removed: "leaves the track as a finisher",
}


class _Words:
    """The rest of each event's sentence, which begins with the name of its subject."""

    def __init__(self, names: Sequence[str], seats: int | None) -> None:
        self._names, self._seats = names, seats

    def _who(self, chariot: int) -> str:
        return called(chariot, self._names, self._seats)

    def _what(self, piece: int, part: str = "object") -> str:
        """A piece, or a part of a chariot or team."""
        name = called_piece(piece, self._names, self._seats)
        if piece >= CHARIOTS or part == "object":
            return name
        return f"{name}'s {part}" if part != "driver" else f"{name}, dragged behind the horses"

    def deed(self, event: Event) -> str:
        """The words; empty for events that a story leaves out."""
        return _PLAIN.get(type(event)) or self._turn(event) or self._dice(event) or self._fight(event)

    def _turn(self, event: Event) -> str:
        """Words for the events of a turn."""
        match event:
            case e.Chose(_, token, _):
                return f"puts the {token} token into the mug"
            case e.Drawn(_, token, replaced, wild):
                lost = ", all that is left" if replaced else ""
                return f"has the {token} token drawn{lost}" + (" and is out of control" if wild else "")
            case e.Moved(_, _, how, mm):
                return _MOVES[how].format(cm(mm))
            case e.Pivoted(_, _, degrees) if degrees:
                return f"pivots {_turn(degrees)}"
            case e.TurnedRound(_, about, degrees) if degrees:
                return f"turns {_turn(degrees)} about the {about} on the spot"
            case e.Skids():
                return "begins to skid"
            case e.Aligned(_, _, degrees) if degrees:
                return f"is turned {_turn(degrees)} by the blow"
            case e.Hurled():
                return "is hurled out of the wreck"
            case e.Fell(_, side):
                return "falls " + ("off behind the chariot" if side == "behind" else f"to the {side} of the horses")
            case e.Climbed(_, purpose):
                return "climbs on to the haft " + (
                    "for the reins" if purpose == "reins" else "to cut a dead horse free"
                )
            case e.Crossed(_, place):
                return f"crosses the line, {ordinal(place)}"
            case e.TurnEnds(_, mm):
                return f"comes to rest after {cm(mm)}" if mm else "does not drive on"
            case e.Finished(_, place):
                return "wins the race" if place == 1 else f"comes in {ordinal(place)}"
            case _:
                return ""

    def _dice(self, event: Event) -> str:
        """Words for rolls and points."""
        match event:
            case e.Rolled(_, what, dice):
                return f"rolls {_faces(dice)} for {_ROLLS[what]}"
            case e.RolledBoth(_, what, dice, other, others):
                rival = f"{self._who(other)}'s " if other is not None else ""
                return f"rolls {_faces(dice)} against {rival}{_faces(others)} for {_ROLLS[what]}"
            case e.Modified(_, die, face):
                return f"has luck: die {die} becomes {face}"
            case e.Paid(_, points, what):
                return f"spends {points} stamina {_PAYMENTS[what]}"
            case e.Lost(_, what, left):
                return f"loses 1 {what} ({left} left)"
            case e.OutOf():
                return _out_of(event)
            case e.Changed(_, how, mm, least, most):
                return f"{how}: {'+' if mm > 0 else ''}{cm(mm)}, now {cm(least).removesuffix(' cm')} to {cm(most)}"
            case e.Tested():
                return _test(event)
            case e.HorseDied(_, left):
                return f"has a horse drop dead ({_count(left, 'horse')} left)"
            case e.LostToken(_, highest):
                return f"has nothing faster than the {highest} token from now on"
            case _:
                return ""

    def _fight(self, event: Event) -> str:
        """Words for attacks and collisions."""
        match event:
            case e.Attacked(_, how, target, part, side):
                return self._attack(how, target, part, side)
            case e.Defended(_, how, attacker):
                return _DEFENCES[how].format(self._who(attacker))
            case e.Void(_, target):
                return f"attacks {self._what(target)} in vain"
            case e.Duelled(_, defender, total, defence):
                end = "hits" if total > defence else "misses" if total < defence else "is disarmed"
                return f"has {total} against {self._who(defender)}'s {defence} and {end}"
            case e.Bitten(_, defender, hits, blows):
                return f"bites {_count(hits, 'time')}, {self._who(defender)} {_count(blows, 'time')}"
            case e.Collided(_, _, part, target, target_part, kind, number):
                deed = {"ram": "rams", "run-through": "runs over"}.get(kind, "collides with")
                if kind == "collision" and part in ("horses", "body"):
                    deed = f"collides, {part} first, with"
                return f"{deed} {self._what(target, target_part)}" + (f" (no. {number} in a row)" if number > 1 else "")
            case e.Hits(_, hits, blows, impact, answer):
                return f"deals {_count(hits, 'hit')} and takes {blows}, impact {impact} against {answer}"
            case e.Bounced(_, value, _, target):
                return self._bounce(value, target)
            case e.RanThrough(_, value, target):
                ends = ((-2, "sticks fast in"), (-1, "is shaken by"), (0, "is caught by"), (3, "gets across"))
                deed = next((text for limit, text in ends if value < limit), "tears through")
                return f"{deed} {self._what(target)} (run-through {_signed(value)})"
            case _:
                return ""

    def _attack(self, how: str, target: int, part: str, side: str) -> str:
        aim = self._what(target, part)
        match how:
            case "ram":
                return f"turns to ram {aim}"
            case "boars":
                where = "straight ahead" if side == "front" else f"on the {side}"
                return f"sets the boars on {aim}" + (f" {where}" if side else "")
            case "whip at horses":
                return f"swings the whip at {self._what(target, 'horses')}"
            case "whip at driver":
                return f"swings the whip at {self._what(target)}"
            case _:
                return f"lets the team bite {self._what(target, 'horses')}"

    def _bounce(self, value: int, target: int) -> str:
        number = f"(bounce {_signed(value)})"
        if value < 0:
            return f"comes off worse {number}"
        if value < 3:
            return f"stays where it hit {number}"
        if target == WALL:
            return f"cannot move the wall {number}"
        return f"has the greater force {number}"


def _test(event: e.Tested) -> str:
    """Words for a test; they say so when a natural 1 or 6 decides against the sum."""
    total = event.face + event.modifier
    why = ""
    if event.passed and total > event.skill:
        why = f" (a {event.face} always passes)"
    elif not event.passed and total <= event.skill:
        why = f" (a {event.face} always fails)"
    outcome = _TESTS[event.what][0 if event.passed else 1]
    return f"tests {_sum(event.face, event.modifier)} against skill {event.skill}: {outcome}{why}"


def _out_of(event: e.OutOf) -> str:
    what = event.table.split()[0]
    before = event.result - event.face
    text = f"has no {what} left to lose and rolls {_sum(event.face, before)}"
    if event.modifier > before:
        text += f" (further such rolls +{event.modifier})"
    elif event.modifier < before:
        text += f" (further such rolls only +{event.modifier})"
    return text


# --- a turn at a time -------------------------------------------------------------------------------------------------


def heading(view: Fields, width: int, colour: bool) -> list[str]:
    """How a game turn begins: its number and the chariots in the order of the race.

    Of the view it needs `turn`, `limit` and of each of its `chariots` the number `chariot`, `place`, `progress` in
    millimetres, `stamina`, `finished` and `out`.
    """
    first = f"Turn {view['turn']} of at most {view['limit']}"
    ranked = sorted(view["chariots"], key=lambda c: (c["place"], c["chariot"]))
    text = " · ".join(map(_standing, ranked))
    lines = textwrap.wrap(text, max(20, width), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return [paint(first, BOLD, colour), *(line.replace(_TIE, " ") for line in lines)]


def _standing(chariot: Fields) -> str:
    name = COLOURS[chariot["chariot"]]
    if chariot["finished"]:
        return f"{name} home"
    if chariot["out"]:
        return f"{name} out"
    return f"{name} {cm(chariot['progress'])}, stamina {chariot['stamina']}".replace(" ", _TIE)


def story(events: Sequence[Event], names: Sequence[str], width: int, colour: bool) -> list[str]:
    """A game turn told chariot turn by chariot turn, in the order in which the tokens were drawn."""
    lines: list[str] = []
    for active, section in _sections(events):
        text = _tell(section, active, names)
        if not text:
            continue
        if active is None:
            lines += textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
            continue
        letter, _ = badge_style(active)
        label = f"  {letter} {called(active, names)}: "
        told = textwrap.wrap(text, width, initial_indent=label, subsequent_indent=" " * 4, break_on_hyphens=False)
        bold = f"  {badge(active, colour)} {paint(called(active, names), BOLD, colour)}: "
        lines += [bold + told[0].removeprefix(label), *told[1:]]
    ends = [event for event in events if isinstance(event, e.Finished)]
    won = sorted({names[end.chariot % len(names)] for end in ends if end.place == 1})
    if won:
        lines.append(f"  {' and '.join(won)} win{'s' if len(won) == 1 else ''} the race!")
    return lines


def _sections(events: Sequence[Event]) -> list[tuple[int | None, list[Event]]]:
    """The events of each chariot turn, and those between turns."""
    sections: list[tuple[int | None, list[Event]]] = [(None, [])]
    for event in events:
        if isinstance(event, e.Drawn):
            sections.append((event.chariot, []))
        elif isinstance(event, e.GameTurn | e.StruckOut | e.Removed) and sections[-1][0] is not None:
            sections.append((None, []))
        if not isinstance(event, e.GameTurn | e.Chose | e.Finished):
            sections[-1][1].append(event)
    return sections


def _tell(section: Sequence[Event], active: int | None, names: Sequence[str]) -> str:
    """The events as sentences; consecutive deeds of one subject share a sentence."""
    teller = _Teller(section, names)
    said: list[tuple[int | None, list[str]]] = [(active, [])]
    while teller.more():
        subject, deed = teller.next()
        if not deed:
            continue
        if subject != said[-1][0]:
            said.append((subject, []))
        said[-1][1].append(deed)
    parts = []
    for place, (subject, deeds) in enumerate(said):
        if deeds:
            name = "it " if subject is None else f"{called_piece(subject, names)} "
            parts.append(("" if place == 0 and active is not None else _capital(name)) + "; ".join(deeds) + ".")
    return " ".join(parts)


class _Teller:
    """Goes through events and tells related ones together."""

    def __init__(self, events: Sequence[Event], names: Sequence[str]) -> None:
        self._events, self._at = events, 0
        self._words = _Words(names, len(names))
        self._moves: list[e.Moved] = []

    def more(self) -> bool:
        """Whether events are left to tell."""
        return self._at < len(self._events)

    def next(self) -> tuple[int | None, str]:
        """The subject and the words of the next deed."""
        event = self._events[self._at]
        self._at += 1
        return _subject(event), self._deed(event)

    def _take(self, kind: type[E], of: Event) -> E | None:
        """The next event, if it is of this kind and has the same subject."""
        if self.more():
            event = self._events[self._at]
            if isinstance(event, kind) and _subject(event) == _subject(of):
                self._at += 1
                return event
        return None

    def _deed(self, event: Event) -> str:
        words = self._words.deed
        match event:
            case e.Drawn(_, token, replaced, wild):
                return (
                    f"token {token}" + (", all that is left" if replaced else "") + (", out of control" if wild else "")
                )
            case e.Paid():
                return self._payment(event)
            case e.Lost():
                return self._losses(event)
            case e.Rolled(_, "out of points" | "brake" | "spur" | "whip", _):
                told: Event | None = self._take(e.OutOf, event) or self._take(e.Changed, event)
                return self._result(told) if told else words(event)
            case e.Rolled():
                tested = self._take(e.Tested, event)
                return words(tested or event)
            case e.OutOf() | e.Changed():
                return self._result(event)
            case e.Moved():
                return self._move(event)
            case e.Collided():
                return self._collision(event)
            case e.TurnEnds(chariot, mm) if mm:
                return f"{cm(mm)} in all" if sum(move.piece == chariot for move in self._moves) > 1 else ""
            case e.TurnEnds() if any(isinstance(other, e.Moved | e.TurnedRound | e.Stands) for other in self._events):
                return ""
            case e.Attacked(_, "ram" | "boars", _, _, _):
                rammed = self._take(e.Collided, event)
                return self._collision(rammed) if rammed else words(event)
            case _:
                return words(event)

    def _result(self, event: Event) -> str:
        """A roll on a table; a roll without effect says so."""
        text = self._words.deed(event)
        if isinstance(event, e.OutOf) and event.modifier == event.result - event.face:
            after = self._events[self._at] if self.more() else None
            if not isinstance(after, _EFFECTS) or _subject(after) != event.chariot:
                text += ": nothing comes of it"
        return text

    def _payment(self, paid: e.Paid) -> str:
        """A payment with what is left after it; a brake, the spurs or the whip with their effects."""
        left = None
        for _ in range(paid.points):
            left = self._take(e.Lost, paid) or left
        rest = f" ({left.left} left)" if left else ""
        start = self._at
        rolled = self._take(e.Rolled, paid)
        changed = self._take(e.Changed, paid) if rolled else None
        if changed is None:
            self._at = start
            return f"{self._words.deed(paid)}{rest}"
        how, outcome = self._words.deed(changed).split(":", 1)
        return f"{how} for {paid.points} stamina{rest}:{outcome}"

    def _losses(self, lost: e.Lost) -> str:
        """Several points of one kind together."""
        points, last = 1, lost
        while self.more():
            after = self._events[self._at]
            if not isinstance(after, e.Lost) or (after.chariot, after.what) != (lost.chariot, lost.what):
                break
            points, last, self._at = points + 1, after, self._at + 1
        return f"loses {points} {lost.what} ({last.left} left)"

    def _move(self, moved: e.Moved) -> str:
        """A move with its pivot."""
        self._moves.append(moved)
        pivoted = self._take(e.Pivoted, moved)
        text = self._words.deed(moved)
        turn = self._words.deed(pivoted) if pivoted else ""
        return f"{text} and {turn}" if turn else text

    def _collision(self, collided: e.Collided) -> str:
        """A collision with its result, and with its dice unless luck changes them."""
        text = self._words.deed(collided)
        start = self._at
        both = self._events[start] if self.more() else None
        hits = self._events[start + 1] if start + 1 < len(self._events) else None
        if isinstance(both, e.RolledBoth) and isinstance(hits, e.Hits):
            self._at = start + 2
            text += (
                f": {_faces(both.dice)} against {_faces(both.others)}, {_count(hits.hits, 'hit')} to {hits.blows}, "
                f"impact {hits.impact} to {hits.answer}"
            )
        return text


_EFFECTS = (
    e.HorseDied, e.Crashed, e.Fell, e.DriverDied, e.StunnedNow, e.LostReins, e.LostControl, e.LostToken, e.IsExhausted,
    e.WheelLoose, e.LostKnife, e.Lost, e.Rolled, e.Moved,
)  # fmt: skip
"""The effects of a roll on an out-of-points table."""
