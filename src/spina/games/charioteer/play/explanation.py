"""Choices under consideration: why one is not possible, and what one would come to."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from spina.errors import IllegalAction
from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play import events
from spina.games.charioteer.play.actions import (
    SOME_DISCARD,
    Card,
    Choice,
    Crowd,
    Done,
    Step,
    Symbol,
    Token,
    slot_number,
    step,
    step_code,
)
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.record import (
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_DISCARDS,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    HAND,
    NOTHING,
    PLACES,
    RACE,
    READY,
    STEPS,
)
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance

LONGEST_MOVE = 400
"""More events than one seat's move can have."""


# --- why not --------------------------------------------------------------------------------------------------------


def objection(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> str | None:
    """Why the rules do not allow this choice; None if they do."""
    hand = _hand(race, edition, seat)
    for letter in choice.cards + choice.discards + (choice.wild or ""):
        if letter not in hand:
            return f'there is no card "{letter}" in the hand: it has {_letters(hand)}'
        if choice.cards.count(letter) > 1 or choice.discards.count(letter) > 1:
            return f'card "{letter}" is named twice'
    return (
        _cards_objection(choice)
        or (_reset_objection(choice) if choice.is_reset else _move_objection(race, edition, hand, choice))
        or _token_objection(race, edition, seat, choice)
        or _discard_objection(race, edition, seat, choice)
    )


def meant(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Choice:
    """The choice with its discard token named, where it was left open: the smallest in hand that suffices."""
    if choice.discard_token != SOME_DISCARD:
        return choice
    counts = glance(race, RACE).tokens[seat]
    held = [name for kind, name in enumerate(edition.kind_names) if counts[kind] and "discard-" in name]
    held.sort(key=_discard_size)
    enough = [name for name in held if _discard_size(name) >= len(choice.discards)]
    return msgspec.structs.replace(choice, discard_token=(enough or held[-1:] or [SOME_DISCARD])[0])


def _discard_size(token: str) -> int:
    return int(token.rpartition("-")[2])


def _hand(race: Bytes, edition: CharioteerEdition, seat: int) -> dict[str, str]:
    cards = glance(race, RACE).hand[seat]
    return {chr(ord("a") + s): edition.card_names[cards[s]] for s in range(HAND) if cards[s] != NOTHING}


def _letters(hand: dict[str, str]) -> str:
    return " ".join(hand)


def _cards_objection(choice: Choice) -> str | None:
    what = "reset" if choice.is_reset else "move"
    if not choice.cards:
        return f"a {what} needs at least one card from the hand"
    if len(choice.cards) > PLACES:
        return f"a {what} takes at most {PLACES} cards from the hand, not {len(choice.cards)}"
    return None


def _reset_objection(choice: Choice) -> str | None:
    if choice.crowd:
        return "the crowd card cannot be part of a reset"
    if choice.token:
        return f"only a discard token may go with a reset, not {choice.token}"
    return None


def _move_objection(race: Bytes, edition: CharioteerEdition, hand: dict[str, str], choice: Choice) -> str | None:
    showing = 0
    for letter in choice.cards:
        symbols = _symbols(hand[letter])
        if letter == choice.wild or choice.symbol in symbols:
            showing += 1
        elif symbols:
            return f"card {letter} ({hand[letter]}) shows no {choice.symbol}"
    crowd = edition.card_names[glance(race, RACE).crowd[0]]
    if choice.crowd:
        if choice.symbol in _symbols(crowd):
            showing += 1
        elif _symbols(crowd):
            return f"the crowd card ({crowd}) shows no {choice.symbol}"
    if showing < 2:
        found = "only one card of this move shows" if showing else "no card of this move shows"
        return f"{found} {choice.symbol}: at least two must"
    return None


def _symbols(card: str) -> set[str]:
    return {word for word in card.split() if "-" in word}


def _token_objection(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> str | None:
    wild = choice.token is not None and "wild" in choice.token
    if choice.wild and not wild:
        return "only a wild token changes a card"
    if choice.token is None:
        return None
    if (missing := _not_held(race, edition, seat, choice.token)) is not None:
        return missing
    if "discard-" in choice.token:
        return f'{choice.token} goes on discards, not on a move: write "{choice.token} CARDS"'
    colour = choice.token.rpartition(" ")[2]
    if " " in choice.token.removeprefix("fan ") and colour != choice.colour:
        return f"{choice.token} does not go with a {choice.colour} move"
    if wild and choice.wild is None:
        return 'a wild token needs the card it changes: write "token wild on CARD"'
    if wild and choice.wild is not None and choice.wild not in choice.cards:
        return f"a wild token changes a card that is played, and {choice.wild} is not"
    return None


def _not_held(race: Bytes, edition: CharioteerEdition, seat: int, token: str) -> str | None:
    counts = glance(race, RACE).tokens[seat]
    held = [name for kind, name in enumerate(edition.kind_names) if counts[kind]]
    if token in held:
        return None
    return f"the seat holds no token {token}: it holds {', '.join(held) or 'none'}"


def _discard_objection(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> str | None:
    token = choice.discard_token
    if token is None:
        return "discards need a discard token" if choice.discards else None
    if "discard-" not in token and token != SOME_DISCARD:
        return f"{token} is not a discard token"
    if (missing := _not_held(race, edition, seat, token)) is not None:
        return missing
    if not choice.discards:
        return f"{token} takes at least one card"
    most = _discard_size(token)
    if len(choice.discards) > most:
        return f"{token} takes at most {most} cards, not {len(choice.discards)}"
    both = [letter for letter in choice.discards if letter in choice.cards]
    if both:
        return f"card {both[0]} cannot be both played and discarded"
    return None


# --- as steps -------------------------------------------------------------------------------------------------------


def steps_of(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> list[int]:
    """The steps that lead to this choice, tried on a copy. Raises IllegalAction, saying why not."""
    choice = meant(race, edition, seat, choice)
    why = objection(race, edition, seat, choice)
    if why is not None:
        raise IllegalAction(why, possible_now(race, edition, seat))
    work = asked_anew(race, edition)
    state = glance(work, RACE)
    story = new_story(0)
    codes = []
    while state.stage[seat] != READY:
        code = step_code(edition, _next_step(state, seat, choice))
        if entries.check(work, edition.data, seat, code) != entries.OK:
            raise IllegalAction(f'"{choice}" is not possible now', possible_now(race, edition, seat))
        entries.apply(work, edition.data, seat, code, story)
        codes.append(code)
    return codes


def asked_anew(race: Bytes, edition: CharioteerEdition) -> Bytes:
    """A copy on which everybody is asked anew, so that one seat's choice resolves nothing."""
    work = race.copy()
    for seat in range(int(glance(work, RACE).seats)):
        entries.retract(work, edition.data, seat)
    return work


def _next_step(state: Any, seat: int, choice: Choice) -> Step:
    """What comes next on the way to the choice."""
    stage = state.stage[seat]
    if stage == AT_TOKEN:
        return Token(choice.token)
    if stage == AT_SYMBOL:
        return Symbol(choice.symbol)
    if stage == AT_CROWD:
        return Crowd(choice.crowd)
    if stage == AT_WILD:
        return Card(choice.wild or "")
    if stage == AT_CARDS:
        return _next_card(choice.cards, int(state.played[seat]))
    if stage == AT_DISCARD_TOKEN:
        return Token(choice.discard_token)
    assert stage == AT_DISCARDS
    return _next_card(choice.discards, int(state.discarded[seat]))


def _next_card(letters: str, taken: int) -> Step:
    for letter in sorted(letters):
        if not taken >> slot_number(letter) & 1:
            return Card(letter)
    return Done()


def possible_now(race: Bytes, edition: CharioteerEdition, seat: int, most: int = 8) -> list[str]:
    """A few steps that are possible, in notation, to show the way."""
    out = np.zeros(STEPS, np.int64)
    count = entries.legal(race, edition.data, seat, out)
    return [str(step(edition, int(code))) for code in out[: min(count, most)]]


# --- what it would come to ------------------------------------------------------------------------------------------


class Breakdown(msgspec.Struct, frozen=True):
    """What a choice comes to if nobody else moves first."""

    choice: str
    """In notation."""
    number: int
    """Printed on the symbol."""
    symbols: int
    """Matching symbols on the cards."""
    token: int
    """What a +3 or +5 token adds."""
    skill: int
    """What the skill marker of the move's colour adds."""
    damage: int
    """Cubes that are subtracted, after recovery."""
    points: int
    """number + symbols + token + skill - damage, at least 0."""
    recovered: int
    """Cubes that leave the damage box first."""
    progress: int
    """Where the chariot ends, counted from the line."""
    space: int
    lane: int
    passes: tuple[int, ...]
    """Rivals that are passed, in order."""
    whips: int
    whip_spaces: int
    whip_ended: str | None
    attack: int
    """Cubes for every rival."""
    shielded: bool
    learns: tuple[tuple[str, int, int], ...]
    """Steps on the skills track: colour, place reached, what it then adds."""
    fan_token: bool

    def __str__(self) -> str:
        if self.choice.startswith("reset"):
            return f"{self.choice}: stays, clears all damage, takes none this turn"
        text = (
            f"{self.choice}: {self.symbols} symbols + {self.number} number + {self.token} token "
            f"+ {self.skill} skill - {self.damage} damage = {self.points}, ends on space {self.space}"
        )
        extras = [
            f"recovers {self.recovered}" if self.recovered else "",
            f"passes {len(self.passes)}" if self.passes else "",
            f"whip runs {self.whip_spaces}" if self.whips else "",
            f"attacks for {self.attack}" if self.attack else "",
            "shielded" if self.shielded else "",
            "earns a fan token" if self.fan_token else "",
            *(f"{colour} skill to +{bonus}" for colour, _, bonus in self.learns[-1:]),
        ]
        return "; ".join([text, *(extra for extra in extras if extra)])


def explain(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Breakdown:
    """The breakdown of a choice. Raises IllegalAction."""
    codes = steps_of(race, edition, seat, choice)
    work = asked_anew(race, edition)
    story = new_story(LONGEST_MOVE)
    for code in codes:
        entries.apply(work, edition.data, seat, code, story)
    story[0, 0] = 0
    entries.forecast(work, edition.data, seat, story)
    told = [events.decode(edition, row) for row in story[1 : story[0, 0] + 1].tolist()]
    state = glance(work, RACE)
    counted = next((e for e in told if isinstance(e, events.Counted)), events.Counted(seat, 0, 0, 0, 0, 0, 0))
    whip = next((e for e in told if isinstance(e, events.Whipped)), None)
    return Breakdown(
        choice=str(choice),
        number=counted.number,
        symbols=counted.symbols,
        token=counted.token,
        skill=counted.skill,
        damage=counted.damage,
        points=counted.points,
        recovered=sum(e.cubes for e in told if isinstance(e, events.Recovered))
        + sum(e.damage for e in told if isinstance(e, events.Calmed)),
        progress=int(state.progress[seat]),
        space=int(state.progress[seat]) % edition.spaces,
        lane=int(state.lane[seat]),
        passes=tuple(e.rival for e in told if isinstance(e, events.Passed)),
        whips=whip.whips if whip else 0,
        whip_spaces=whip.spaces if whip else 0,
        whip_ended=whip.ended if whip else None,
        attack=sum(e.cubes for e in told if isinstance(e, events.Attacked)),
        shielded=any(isinstance(e, events.Shielded | events.Calmed) for e in told),
        learns=tuple((e.colour, e.place, e.bonus) for e in told if isinstance(e, events.Learned)),
        fan_token=any(isinstance(e, events.FanToken) and not e.empty for e in told),
    )
