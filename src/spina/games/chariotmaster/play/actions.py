"""Actions of Chariotmaster and their notation.

    token 5                 tokens 5 10             one token, or one for each chariot of the seat that may choose
    stop                    brake                   spur                    whip
    announce                collide                 go                      forgo
    ahead 85                left 40, pivot 30 left  ahead 85, pivot 30 left about front right
    run ahead 120           pivot 30 left           u-turn 180 right about centre
    ram red horses          ram wreck of blue       ram driver of green     ram obstacle 2
    whip horses of red      whip driver of red      bite red                boars front at red body
    no attack               bear it                 brake away              evade
    shy away                evade left              modify die 2 +1         pass
    stay                    climb for the reins     climb to cut            hang on
    cut loose               walk 45 50 mm

Lengths are whole millimetres; "8.5 cm" can be read too. Angles are whole degrees: of a pivot to the left or right,
of a walk anticlockwise from the x axis of the map. Dice are counted from 1 as they were rolled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import ClassVar

from msgspec.structs import force_setattr

from spina.errors import NotationError
from spina.games.chariotmaster.play.piece_names import COLOURS as COLOURS
from spina.games.chariotmaster.play.piece_names import PIECE_NAMES, piece_number
from spina.games.chariotmaster.play.piece_names import piece_name as piece_name
from spina.games.chariotmaster.play.refusals import say
from spina.games.chariotmaster.rules import record as s
from spina.games.game import Action
from spina.games.notation import line_of, shortened

SIDES = ("left", "right", "front")
"""Sides of an attack; an evasion has only the first two."""
MOST_TEXT = 100
"""Most characters of an action."""

_CENTRE = s.POINT_OF_PIVOT[s.CENTRE]
_HALF_TURN, _FULL_TURN = 180, 360
_STRIDE = 64
"""Legs of a walk are shorter than this many millimetres."""
_PARTS, _CHANGES = len(s.PART_NAMES), 2


def _usual_part(target: str) -> str:
    """The part that need not be named: a driver on foot is one, wrecks and obstacles have none; else empty."""
    if target in COLOURS:
        return ""
    return "driver" if target.startswith("driver of ") else "object"


def _aim(target: str, part: str) -> str:
    return target if part == _usual_part(target) else f"{target} {part}"


class Plain(Action, frozen=True):
    """An action without parameters."""

    words: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.words


# --- tokens ---------------------------------------------------------------------------------------------------------


class Tokens(Action, frozen=True):
    """Speed tokens for the mug: one as a step, or one for each chariot of the seat that has a choice."""

    tokens: tuple[str, ...]

    def __str__(self) -> str:
        return ("token " if len(self.tokens) == 1 else "tokens ") + " ".join(self.tokens)


# --- driving --------------------------------------------------------------------------------------------------------


class Stop(Plain, frozen=True):
    """End the move; on foot, walk no further."""

    words = "stop"


class Brake(Plain, frozen=True):
    """Pay stamina to go less far."""

    words = "brake"


class Spur(Plain, frozen=True):
    """Pay stamina to go farther."""

    words = "spur"


class Whip(Plain, frozen=True):
    """Pay stamina to go farther, with the whip."""

    words = "whip"


class Announce(Plain, frozen=True):
    """Announce another sub-move, which takes a test."""

    words = "announce"


class Collide(Plain, frozen=True):
    """Out of stamina: drive into what is ahead."""

    words = "collide"


class Go(Plain, frozen=True):
    """Let the skid run."""

    words = "go"


class Forgo(Plain, frozen=True):
    """Forgo a side sweep that was paid for."""

    words = "forgo"


class SubMove(Action, frozen=True):
    """Drive ahead or sweep to a side, then pivot."""

    way: str
    """"ahead", "left" or "right"."""
    mm: int
    degrees: int = 0
    """Of the pivot, positive to the left."""
    about: str = _CENTRE
    """The point that the pivot keeps in its place; the centre for a pivot of 0."""

    def __post_init__(self) -> None:
        _settle(self)

    def __str__(self) -> str:
        text = f"{self.way} {self.mm}"
        if self.degrees:
            text += f", pivot {_turn(self.degrees)}"
            if self.about != _CENTRE:
                text += f" about {self.about}"
        return text


class Run(Action, frozen=True):
    """Drive or sweep through something low and come clear of it."""

    way: str
    mm: int

    def __str__(self) -> str:
        return f"run {self.way} {self.mm}"


class Pivot(Action, frozen=True):
    """The pivot after a run-through."""

    degrees: int
    """Positive to the left."""
    about: str = _CENTRE

    def __post_init__(self) -> None:
        _settle(self)

    def __str__(self) -> str:
        return f"pivot {_turn_about(self.degrees, self.about)}"


class UTurn(Action, frozen=True):
    """Turn round on the spot instead of moving."""

    degrees: int
    """Positive to the left."""
    about: str = _CENTRE

    def __post_init__(self) -> None:
        _settle(self)

    def __str__(self) -> str:
        return f"u-turn {_turn_about(self.degrees, self.about)}"


class Walk(Action, frozen=True):
    """A leg of a driver on foot."""

    direction: int
    """Degrees of the map, anticlockwise from its x axis."""
    mm: int

    def __str__(self) -> str:
        return f"walk {self.direction} {self.mm} mm"


def _settle(turning: SubMove | Pivot | UTurn) -> None:
    """A pivot of 0 has no point but the centre, so that it can be written in one way only."""
    if turning.degrees == 0 and turning.about != _CENTRE:
        force_setattr(turning, "about", _CENTRE)


def _turn(degrees: int) -> str:
    return f"{abs(degrees)} {'left' if degrees > 0 else 'right'}" if degrees else "0"


def _turn_about(degrees: int, about: str) -> str:
    return f"{_turn(degrees)} about {about}" if degrees else "0"


# --- attacking and defending ------------------------------------------------------------------------------------------


class NoAttack(Plain, frozen=True):
    """Make no attack after this sub-move."""

    words = "no attack"


class Ram(Action, frozen=True):
    """Ram a piece with the chariot-body."""

    target: str
    part: str
    """One of "horses", "body", "driver", "object"."""

    def __str__(self) -> str:
        return f"ram {_aim(self.target, self.part)}"


class WhipHorses(Action, frozen=True):
    """Whip the horses of another chariot."""

    target: str

    def __str__(self) -> str:
        return f"whip horses of {self.target}"


class WhipDriver(Action, frozen=True):
    """Whip the driver of another chariot."""

    target: str

    def __str__(self) -> str:
        return f"whip driver of {self.target}"


class Bite(Action, frozen=True):
    """Let the team bite another."""

    target: str

    def __str__(self) -> str:
        return f"bite {self.target}"


class Boars(Action, frozen=True):
    """Ram a piece with a team of boars."""

    target: str
    part: str
    side: str
    """Of the attacker: "left", "right" or "front"."""

    def __str__(self) -> str:
        return f"boars {self.side} at {_aim(self.target, self.part)}"


class BearIt(Plain, frozen=True):
    """Do not defend."""

    words = "bear it"


class BrakeAway(Plain, frozen=True):
    """Brake away from an attack."""

    words = "brake away"


class Evade(Plain, frozen=True):
    """Swerve from an attack."""

    words = "evade"


class ShyAway(Plain, frozen=True):
    """Swerve from a frightening attacker, without a test."""

    words = "shy away"


class EvadeTo(Action, frozen=True):
    """The side of an evasion, where either would do."""

    side: str

    def __str__(self) -> str:
        return f"evade {self.side}"


# --- luck, the haft, the knife ----------------------------------------------------------------------------------------


class Modify(Action, frozen=True):
    """Use luck on a die, counted from 1."""

    die: int
    change: int
    """+1 or -1."""

    def __str__(self) -> str:
        return f"modify die {self.die} {self.change:+d}"


class Pass(Plain, frozen=True):
    """Leave the dice as they lie."""

    words = "pass"


class Stay(Plain, frozen=True):
    """Do not climb on to the haft."""

    words = "stay"


class ClimbForReins(Plain, frozen=True):
    """Climb on to the haft to take up the reins."""

    words = "climb for the reins"


class ClimbToCut(Plain, frozen=True):
    """Climb on to the haft to cut a dead horse free."""

    words = "climb to cut"


class HangOn(Plain, frozen=True):
    """Stay in the reins, dragged behind the horses."""

    words = "hang on"


class CutLoose(Plain, frozen=True):
    """Try to cut the reins that drag the driver."""

    words = "cut loose"


Any = (
    Plain | Tokens | SubMove | Run | Pivot | UTurn | Walk | Ram | WhipHorses | WhipDriver | Bite | Boars | EvadeTo
    | Modify
)  # fmt: skip

_PLAIN: dict[int, Plain] = {
    s.DO_STOP: Stop(),
    s.DO_BRAKE: Brake(),
    s.DO_SPUR: Spur(),
    s.DO_WHIP: Whip(),
    s.DO_ANNOUNCE: Announce(),
    s.DO_COLLIDE: Collide(),
    s.DO_GO: Go(),
    s.DO_FORGO: Forgo(),
    s.DO_NO_ATTACK: NoAttack(),
    s.DO_BEAR: BearIt(),
    s.DO_BACK: BrakeAway(),
    s.DO_EVADE: Evade(),
    s.DO_SHY: ShyAway(),
    s.DO_PASS: Pass(),
    s.DO_STAY: Stay(),
    s.DO_CLIMB_REINS: ClimbForReins(),
    s.DO_CLIMB_CUT: ClimbToCut(),
    s.DO_HANG_ON: HangOn(),
    s.DO_CUT: CutLoose(),
}
_PLAIN_CODES = {plain: code for code, plain in _PLAIN.items()}


# --- numbers --------------------------------------------------------------------------------------------------------


def action(code: int) -> Any:
    """The typed form of an action's number."""
    if code in _PLAIN:
        return _PLAIN[code]
    for first, past, typed in _RANGES:
        if first <= code < past:
            return typed(code - first)
    raise NotationError(say("chariotmaster.no-action", code=code, last=s.ACTIONS - 1))


def is_plain(code: int) -> bool:
    """Whether it is the number of an action without parameters."""
    return code in _PLAIN


def _submove(rest: int) -> SubMove:
    rest, point = divmod(rest, s.POINTS)
    rest, degrees = divmod(rest, 2 * s.WIDEST + 1)
    way, mm = divmod(rest, s.LONGEST)
    return SubMove(s.WAY_NAMES[way], mm, degrees - s.WIDEST, s.POINT_OF_PIVOT[point])


_RANGES: tuple[tuple[int, int, Callable[[int], Any]], ...] = (
    (s.DO_TOKEN, s.DO_STOP, lambda n: Tokens((s.TOKEN_NAMES[n],))),
    (s.DO_SIDE, s.DO_PASS, lambda n: EvadeTo(SIDES[n])),
    (s.DO_MODIFY, s.DO_RAM, lambda n: Modify(n // _CHANGES + 1, 1 if n % _CHANGES else -1)),
    (s.DO_RAM, s.DO_WHIP_HORSES, lambda n: Ram(PIECE_NAMES[n // _PARTS], s.PART_NAMES[n % _PARTS])),
    (s.DO_WHIP_HORSES, s.DO_WHIP_DRIVER, lambda n: WhipHorses(PIECE_NAMES[n])),
    (s.DO_WHIP_DRIVER, s.DO_BITE, lambda n: WhipDriver(PIECE_NAMES[n])),
    (s.DO_BITE, s.DO_BOARS, lambda n: Bite(PIECE_NAMES[n])),
    (s.DO_BOARS, s.DO_PIVOT, lambda n: Boars(
        PIECE_NAMES[n // len(SIDES) // _PARTS], s.PART_NAMES[n // len(SIDES) % _PARTS], SIDES[n % len(SIDES)]
    )),
    (s.DO_PIVOT, s.DO_UTURN, lambda n: Pivot(n // s.POINTS - _HALF_TURN, s.POINT_OF_PIVOT[n % s.POINTS])),
    (s.DO_UTURN, s.DO_WALK, lambda n: UTurn(n // s.POINTS - _HALF_TURN, s.POINT_OF_PIVOT[n % s.POINTS])),
    (s.DO_WALK, s.DO_RUN, lambda n: Walk(n // _STRIDE, n % _STRIDE)),
    (s.DO_RUN, s.DO_SUBMOVE, lambda n: Run(s.WAY_NAMES[n // s.LONGEST], n % s.LONGEST)),
    (s.DO_SUBMOVE, s.ACTIONS, _submove),
)  # fmt: skip


def code_of(typed: Any) -> int:
    """The number of an action. Raises NotationError for what has none: a choice of several tokens has several."""
    match typed:
        case Tokens(tokens):
            if len(tokens) != 1:
                raise NotationError(say("chariotmaster.not-one-step", action=typed))
            return s.DO_TOKEN + _index(s.TOKEN_NAMES, tokens[0], "thing.speed-token")
        case EvadeTo(side):
            return s.DO_SIDE + _index(SIDES[:2], side, "thing.side-to-evade-to")
        case Modify(die, change):
            if change not in (1, -1):
                raise NotationError(say("chariotmaster.change-of-die", change=change))
            number = _within(die, 1, s.DICE, "chariotmaster.rule.die") - 1
            return s.DO_MODIFY + number * _CHANGES + (change > 0)
        case Ram(target, part):
            return s.DO_RAM + _aimed(target, part)
        case WhipHorses(target):
            return s.DO_WHIP_HORSES + piece_number(target)
        case WhipDriver(target):
            return s.DO_WHIP_DRIVER + piece_number(target)
        case Bite(target):
            return s.DO_BITE + piece_number(target)
        case Boars(target, part, side):
            return s.DO_BOARS + _aimed(target, part) * len(SIDES) + _index(SIDES, side, "thing.side")
        case Pivot(degrees, about):
            return s.DO_PIVOT + _pivoted(degrees, about, _HALF_TURN)
        case UTurn(degrees, about):
            return s.DO_UTURN + _pivoted(degrees, about, _HALF_TURN)
        case Walk(direction, mm):
            _within(direction, 0, _FULL_TURN - 1, "chariotmaster.rule.direction")
            return s.DO_WALK + direction * _STRIDE + _within(mm, 0, _STRIDE - 1, "chariotmaster.rule.walk")
        case Run(way, mm):
            return s.DO_RUN + _travelled(way, mm)
        case SubMove(way, mm, degrees, about):
            turns = (2 * s.WIDEST + 1) * s.POINTS
            return s.DO_SUBMOVE + _travelled(way, mm) * turns + _pivoted(degrees, about, s.WIDEST)
        case Plain() if typed in _PLAIN_CODES:
            return _PLAIN_CODES[typed]
    raise NotationError(say("chariotmaster.not-doable", name=type(typed).__name__))


def codes_of(typed: Any) -> list[int]:
    """The numbers of an action: one for each token of a choice of tokens, otherwise one. Raises NotationError."""
    if isinstance(typed, Tokens):
        if not 1 <= len(typed.tokens) <= s.CHARIOTS:
            raise NotationError(say("chariotmaster.tokens-of-seat", most=s.CHARIOTS))
        return [code_of(Tokens((token,))) for token in typed.tokens]
    return [code_of(typed)]


def gather(steps: Sequence[Action]) -> Action:
    """The steps of a completed choice as one action: all tokens of a seat; any other choice is one step."""
    if not all(isinstance(step, Tokens) for step in steps):
        return steps[-1]
    return Tokens(tuple(token for step in steps if isinstance(step, Tokens) for token in step.tokens))


def starts_over(typed: Action) -> bool:
    """Whether it is a whole choice of several tokens, which replaces steps taken before it."""
    return isinstance(typed, Tokens) and len(typed.tokens) > 1


def _aimed(target: str, part: str) -> int:
    return piece_number(target) * _PARTS + _index(s.PART_NAMES, part, "thing.part")


def _travelled(way: str, mm: int) -> int:
    _within(mm, 0, s.LONGEST - 1, "chariotmaster.rule.sub-move", most=s.LONGEST)
    return _index(s.WAY_NAMES, way, "thing.way") * s.LONGEST + mm


def _pivoted(degrees: int, about: str, most: int) -> int:
    _within(degrees, -most, most, "chariotmaster.rule.pivot", most=most)
    return (degrees + most) * s.POINTS + _index(s.POINT_OF_PIVOT, about, "thing.point-to-pivot-about")


def _within(value: int, low: int, high: int, rule: str, **limits: int) -> int:
    """The value. Raises NotationError if it is out of bounds; `rule` is the code of the message."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise NotationError(say("chariotmaster.outside-rule", rule=say(rule, **limits), value=shortened(str(value))))
    return value


def _index(names: Sequence[str], name: str, what: str) -> int:
    if name not in names:
        raise NotationError(
            say("notation.unknown-name", what=say(what), name=shortened(str(name)), known=", ".join(names))
        )
    return names.index(name)


# --- notation -------------------------------------------------------------------------------------------------------

_DEGREES = r"(?P<degrees>[0-9]{1,4})(?: ?deg(?:rees?)?)?"
_LENGTH = r"(?P<length>[0-9]{1,4}(?:\.[0-9]{1,3})?) ?(?P<unit>mm|cm)?"
_TURN = rf"{_DEGREES}(?: (?P<turn>left|right))?(?: about (?:the )?(?P<about>.+))?"
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Any]], ...] = (
    (re.compile(r"tokens?(?P<tokens>(?: [0-9]+)+)"), lambda m: Tokens(tuple(m["tokens"].split()))),
    (re.compile(rf"(?P<way>ahead|left|right) {_LENGTH}"), lambda m: SubMove(m["way"], _mm(m))),
    (
        re.compile(rf"(?P<way>ahead|left|right) {_LENGTH} pivot {_TURN}"),
        lambda m: SubMove(m["way"], _mm(m), *_turned(m)),
    ),
    (re.compile(rf"run (?P<way>ahead|left|right) {_LENGTH}"), lambda m: Run(m["way"], _mm(m))),
    (re.compile(rf"pivot {_TURN}"), lambda m: Pivot(*_turned(m))),
    (re.compile(rf"u[- ]?turn {_TURN}"), lambda m: UTurn(*_turned(m))),
    (re.compile(rf"walk {_DEGREES} {_LENGTH}"), lambda m: Walk(int(m["degrees"]), _mm(m))),
    (
        re.compile(r"modify (?:die )?(?P<die>[0-9]{1,3}) ?(?P<sign>[+-]) ?1"),
        lambda m: Modify(int(m["die"]), int(m["sign"] + "1")),
    ),
    (re.compile(r"evade (?P<side>left|right)"), lambda m: EvadeTo(m["side"])),
    (re.compile(r"ram (?P<at>.+)"), lambda m: Ram(*_target(m["at"]))),
    (re.compile(r"whip horses of (?P<of>.+)"), lambda m: WhipHorses(m["of"])),
    (re.compile(r"whip driver of (?P<of>.+)"), lambda m: WhipDriver(m["of"])),
    (re.compile(r"bite (?P<at>.+)"), lambda m: Bite(m["at"])),
    (re.compile(r"boars (?P<side>left|right|front) at (?P<at>.+)"), lambda m: Boars(*_target(m["at"]), m["side"])),
)
_BY_WORDS: dict[str, Any] = {str(plain): plain for plain in _PLAIN.values()}
_KNOWN = (
    '"token 5", "tokens 5 10"; "ahead 85", "left 40, pivot 30 left", "ahead 85, pivot 30 left about front right", '
    '"run ahead 120", "pivot 30 left", "u-turn 180 right about centre", "walk 45 50 mm"; "ram red horses", '
    '"ram wreck of blue", "whip horses of red", "whip driver of red", "bite red", "boars front at red body"; '
    '"modify die 2 +1", "evade left"; "' + '", "'.join(_BY_WORDS) + '"'
)


def read(text: str) -> Any:
    """An action from its notation. Raises NotationError."""
    line = line_of(text.replace(",", " ").replace("°", " ").replace("−", "-"), MOST_TEXT)
    if line in _BY_WORDS:
        return _BY_WORDS[line]
    for pattern, typed in _READERS:
        if found := pattern.fullmatch(line):
            answer = typed(found)
            codes_of(answer)
            return answer
    raise NotationError(say("chariotmaster.unreadable", line=shortened(line), known=_KNOWN))


def _mm(found: re.Match[str]) -> int:
    mm = Decimal(found["length"]) * (10 if found["unit"] == "cm" else 1)
    if mm != int(mm):
        raise NotationError(say("chariotmaster.not-whole-millimetres", length=mm.normalize()))
    return int(mm)


def _turned(found: re.Match[str]) -> tuple[int, str]:
    degrees, about = int(found["degrees"]), (found["about"] or _CENTRE).replace("center", _CENTRE)
    if degrees and not found["turn"]:
        raise NotationError(say("chariotmaster.which-side", degrees=degrees))
    _index(s.POINT_OF_PIVOT, about, "thing.point-to-pivot-about")
    return (-degrees if found["turn"] == "right" else degrees), about


def _target(text: str) -> tuple[str, str]:
    """A piece and its part; only a chariot or a team has parts to choose from."""
    target, _, part = text.rpartition(" ")
    if part in s.PART_NAMES and target in PIECE_NAMES:
        return target, part
    piece_number(text)
    if not _usual_part(text):
        raise NotationError(say("chariotmaster.what-of-it", text=text))
    return text, _usual_part(text)
