"""Actions of Charioteer, the whole choice of a turn or the steps that it is made of, and their notation.

    red-5: a b d + crowd, token +3, discard-3 c
    red-3: a b c, token wild on c
    reset: a b

Letters are slots of the hand. A token is named without its colour, which is the move's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from operator import or_

from spina.errors import NotationError
from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.refusals import say
from spina.games.charioteer.rules.record import (
    COLOUR_NAMES,
    DO_CROWD,
    DO_DONE,
    DO_NO_CROWD,
    DO_NO_TOKEN,
    DO_RESET,
    DO_SLOT,
    DO_SYMBOL,
    DO_TOKEN,
    HAND,
    STEPS,
    WILD,
)
from spina.games.game import Action
from spina.games.notation import line_of, shortened
from spina.sentences import listed

LETTERS = "abcdefgh"
SLOT_SETS = tuple(
    "".join(letter for slot, letter in enumerate(LETTERS) if bits >> slot & 1) for bits in range(1 << HAND)
)
"""The letters of each set of slots that is written as bits."""
_SLOT_BITS = {letters: bits for bits, letters in enumerate(SLOT_SETS)}
RESET_NAME = "reset"
SOME_DISCARD = "discard"
"""Name for the smallest discard token in hand that suffices."""


class Choice(Action, frozen=True):
    """A whole choice. Cards and discards are slots of the hand, as letters."""

    symbol: str
    """Symbol of the move, such as "red-5"; "reset" for a reset."""
    cards: str
    """Slots played, such as "abd"."""
    crowd: bool = False
    """Whether the crowd card is part of the move."""
    token: str | None = None
    """Full name of the token on the move, such as "+3 red"."""
    wild: str | None = None
    """Slot of the card that a wild token changes."""
    discard_token: str | None = None
    """Full name of the discard token, or `SOME_DISCARD`."""
    discards: str = ""
    """Slots discarded under the discard token."""

    @property
    def is_reset(self) -> bool:
        return self.symbol == RESET_NAME

    @property
    def colour(self) -> str:
        """Colour of the move; empty for a reset."""
        return "" if self.is_reset else self.symbol.rpartition("-")[0]

    def __str__(self) -> str:
        text = f"{self.symbol}: {' '.join(self.cards)}"
        if self.crowd:
            text += " + crowd"
        if self.token:
            text += f", token {self._short_token()}"
            if self.wild:
                text += f" on {self.wild}"
        if self.discard_token:
            text += f", {self.discard_token} {' '.join(self.discards)}"
        return text

    def _short_token(self) -> str:
        """The token's name without the move's colour. An edition may have learning tokens with and without one."""
        token = self.token or ""
        return token if "learning" in token else token.removesuffix(" " + self.colour)


class Token(Action, frozen=True):
    """The step that names the token on the move, or under the discards; None for no token."""

    token: str | None

    def __str__(self) -> str:
        return f"token {self.token}" if self.token else "no token"


class Symbol(Action, frozen=True):
    """The step that names the symbol of the move, or a reset."""

    symbol: str

    def __str__(self) -> str:
        return self.symbol if self.symbol == RESET_NAME else f"symbol {self.symbol}"


class Crowd(Action, frozen=True):
    """The step that takes the crowd card into the move, or not."""

    crowd: bool

    def __str__(self) -> str:
        return "crowd" if self.crowd else "no crowd"


class Card(Action, frozen=True):
    """The step that names a slot of the hand: a card to play, to change by a wild, or to discard."""

    slot: str

    def __str__(self) -> str:
        return f"card {self.slot}"


class Done(Action, frozen=True):
    """The step that adds no more cards."""

    def __str__(self) -> str:
        return "done"


Step = Token | Symbol | Crowd | Card | Done


_FIXED_STEPS: dict[int, Step] = {
    DO_RESET: Symbol(RESET_NAME),
    DO_NO_TOKEN: Token(None),
    DO_CROWD: Crowd(True),
    DO_NO_CROWD: Crowd(False),
    DO_DONE: Done(),
    **{DO_SLOT + slot: Card(letter) for slot, letter in enumerate(LETTERS)},
}
"""The steps that are the same in every edition, by their numbers."""


def step(edition: CharioteerEdition, code: int) -> Step:
    """The typed form of a step number."""
    if (fixed := _FIXED_STEPS.get(code)) is not None:
        return fixed
    if DO_SYMBOL <= code < DO_SYMBOL + len(edition.symbol_names):
        return Symbol(edition.symbol_names[code - DO_SYMBOL])
    if DO_TOKEN <= code < DO_TOKEN + len(edition.kind_names):
        return Token(edition.kind_names[code - DO_TOKEN])
    raise NotationError(say("charioteer.no-step", code=code, last=STEPS - 1))


def step_code(edition: CharioteerEdition, action: Step) -> int:
    """The number of a step. Raises NotationError for names that the edition does not have."""
    match action:
        case Token(token):
            return DO_NO_TOKEN if token is None else DO_TOKEN + _index(edition.kind_names, token, "thing.token")
        case Symbol("reset"):
            return DO_RESET
        case Symbol(name):
            return DO_SYMBOL + _index(edition.symbol_names, name, "thing.symbol")
        case Crowd(crowd):
            return DO_CROWD if crowd else DO_NO_CROWD
        case Card(slot):
            return DO_SLOT + slot_number(slot)
        case Done():
            return DO_DONE


def gather(edition: CharioteerEdition, steps: Sequence[Action]) -> Choice:
    """The whole choice that completed steps make up. A stage without a step means "none"."""
    token = wild = discard_token = None
    symbol = cards = discards = ""
    crowd = changes = played = False  # `changes`: the next card is the one that a wild changes
    for action in steps:
        if isinstance(action, Card):
            if played:
                discards += action.slot
                continue
            cards += action.slot
            if changes:
                wild, changes = action.slot, False
        elif isinstance(action, Token):
            if symbol:
                discard_token, played = action.token, True
            else:
                token, changes = action.token, edition.icon_of(action.token) == WILD
        elif isinstance(action, Symbol):
            symbol = action.symbol
        elif isinstance(action, Crowd):
            crowd = action.crowd
        elif isinstance(action, Done):
            played = True
    return Choice(symbol, "".join(sorted(cards)), crowd, token, wild, discard_token, discards)


def slot_number(letter: str) -> int:
    """The number of a slot: 0 for a. Raises NotationError."""
    if len(letter) != 1 or letter not in LETTERS:
        raise NotationError(say("charioteer.no-slot", letter=shortened(letter), last=LETTERS[-1]))
    return LETTERS.index(letter)


def slot_bits(letters: str) -> int:
    """The slots as bits. Raises NotationError."""
    bits = _SLOT_BITS.get(letters)
    return reduce(or_, (1 << slot_number(letter) for letter in letters)) if bits is None else bits


# --- notation -------------------------------------------------------------------------------------------------------

MOST_TEXT = 200
"""Longest notation of an action, in characters."""

_CHOICE = re.compile(r"(?P<symbol>[^:]+):(?P<cards>[^,+]*)(?P<crowd>\+ *crowd)?(?P<rest>(,[^,]*)*)")
_TOKEN = re.compile(r"token +(?P<name>[^,]*?)( +on +(?P<wild>\S+))?")
_DISCARD = re.compile(r"(?P<fan>fan )?discard(-(?P<number>\d+))? +(?P<slots>[^,]+)")
_PLAIN_STEPS: dict[str, Step] = {
    str(plain): plain for plain in (Done(), Crowd(True), Crowd(False), Token(None), Symbol(RESET_NAME))
}
_EXAMPLE = say("charioteer.example")


def read(edition: CharioteerEdition, text: str) -> Action:
    """An action from its notation: a whole choice, or a step."""
    line = line_of(text, MOST_TEXT)
    return _read_choice(edition, line) if ":" in line else _read_step(edition, line)


def _read_step(edition: CharioteerEdition, line: str) -> Step:
    if line in _PLAIN_STEPS:
        return _PLAIN_STEPS[line]
    word, _, rest = line.partition(" ")
    if word == "token" and rest:
        return Token(edition.kind_names[_index(edition.kind_names, rest, "thing.token")])
    if word == "symbol" and rest:
        return Symbol(edition.symbol_names[_index(edition.symbol_names, rest, "thing.symbol")])
    if word == "card" and rest:
        return Card(LETTERS[slot_number(rest)])
    raise NotationError(say("charioteer.unreadable", line=shortened(line), example=_EXAMPLE))


def _read_choice(edition: CharioteerEdition, line: str) -> Choice:
    found = _CHOICE.fullmatch(line)
    if not found:
        raise NotationError(say("charioteer.unreadable-choice", line=shortened(line), example=_EXAMPLE))
    symbol = found["symbol"].strip()
    if symbol != RESET_NAME:
        _index(edition.symbol_names, symbol, "thing.symbol")
    token = wild = discard_token = None
    discards = ""
    for part in [part.strip() for part in (found["rest"] or "").split(",")[1:]]:
        if token is None and (taken := _TOKEN.fullmatch(part)):
            token = _token_name(edition, taken["name"], symbol.rpartition("-")[0])
            wild = None if taken["wild"] is None else LETTERS[slot_number(taken["wild"])]
        elif discard_token is None and (laid := _DISCARD.fullmatch(part)):
            discards = _slots(laid["slots"])
            discard_token = _discard_name(edition, laid["fan"] or "", laid["number"], len(discards))
        else:
            raise NotationError(say("charioteer.unreadable-part", part=shortened(part), example=_EXAMPLE))
    return Choice(symbol, _slots(found["cards"]), bool(found["crowd"]), token, wild, discard_token, discards)


def _slots(text: str) -> str:
    """Letters of slots, sorted. Raises NotationError for a letter named twice."""
    letters = text.replace(" ", "")
    for letter in letters:
        slot_number(letter)
        if letters.count(letter) > 1:
            raise NotationError(say("charioteer.card-twice", letter=letter))
    return "".join(sorted(letters))


def _token_name(edition: CharioteerEdition, name: str, colour: str) -> str:
    """The full name of a token that is written without the colour of the move."""
    for full in (name, f"{name} {colour}"):
        if full in edition.kind_names:
            return full
    for other in COLOUR_NAMES:
        if f"{name} {other}" in edition.kind_names:
            if not colour:
                raise NotationError(say("charioteer.no-token-in-reset", name=shortened(name)))
            raise NotationError(say("charioteer.no-token-in-colour", name=shortened(name), colour=colour))
    return edition.kind_names[_index(edition.kind_names, name, "thing.token")]


def _discard_name(edition: CharioteerEdition, fan: str, number: str | None, cards: int) -> str:
    """The full name of a discard token; without a number `SOME_DISCARD`, which the seat's tokens decide."""
    start = f"{fan}discard-"
    sizes = sorted(int(name.removeprefix(start)) for name in edition.kind_names if name.startswith(start))
    wanted = int(number) if number and len(number) < 4 else next((s for s in sizes if s >= cards), -1)
    if wanted not in sizes:
        there_are = " and ".join(f"{start}{size}" for size in sizes) or "none"
        tokens = listed(f"{start}{size}" for size in sizes) if sizes else say("charioteer.none")
        sentence = say("charioteer.no-discard-token", fan=fan, number=number or cards, known=tokens)
        raise NotationError(sentence.reworded(str(sentence).replace(tokens, there_are)))
    return f"{start}{wanted}" if number or fan else SOME_DISCARD


def _index(names: Sequence[str], name: str, what: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        raise NotationError(
            say("notation.unknown-name", what=say(what), name=shortened(name), known=", ".join(names))
        ) from None
