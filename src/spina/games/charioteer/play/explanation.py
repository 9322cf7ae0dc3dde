"""Choices that a player considers: why one is illegal, and what a legal one leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from spina.errors import IllegalAction, NotationError
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
    gather,
    slot_number,
    step,
    step_code,
)
from spina.games.charioteer.play.refusals import say
from spina.games.charioteer.play.view import hand as hand_of
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.record import (
    ANY_COLOUR,
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_DISCARDS,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    COLOUR_NAMES,
    DISCARD,
    EDITION,
    FEWEST_SHOWING,
    NO_ICON,
    NOTHING,
    PLACES,
    RACE,
    READY,
    STEPS,
    WILD,
)
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance
from spina.sentences import Sentence

LONGEST_MOVE = 400
"""More events than one seat's move can have."""


# --- why a choice is illegal ----------------------------------------------------------------------------------------


def objection(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Sentence | None:
    """Why the rules do not allow this choice; None if they do."""
    hand = hand_of(glance(race, RACE), edition, seat)
    for letter in choice.cards + choice.discards + (choice.wild or ""):
        if letter not in hand:
            return say("charioteer.card-not-in-hand", letter=letter, hand=" ".join(hand))
        if choice.cards.count(letter) > 1 or choice.discards.count(letter) > 1:
            return say("charioteer.card-twice", letter=letter)
    return (
        _cards_objection(choice)
        or (_reset_objection(choice) if choice.is_reset else _move_objection(race, edition, seat, choice))
        or _token_objection(race, edition, seat, choice)
        or _discard_objection(race, edition, seat, choice)
    )


def meant(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Choice:
    """The choice with `SOME_DISCARD` replaced by the smallest discard token in hand that suffices."""
    if choice.discard_token != SOME_DISCARD:
        return choice
    held = sorted(discard_tokens(race, edition, seat).items(), key=lambda token: token[1])
    enough = [name for name, size in held if size >= len(choice.discards)]
    largest = [name for name, _ in held[-1:]]
    return msgspec.structs.replace(choice, discard_token=(enough or largest or [SOME_DISCARD])[0])


def discard_tokens(race: Bytes, edition: CharioteerEdition, seat: int) -> dict[str, int]:
    """C13: the discard tokens that the seat holds, with the number of cards each may put away."""
    counts = glance(race, RACE).tokens[seat]
    return {
        name: edition.kind_values[kind]
        for kind, name in enumerate(edition.kind_names)
        if counts[kind] and edition.kind_icons[kind] == DISCARD
    }


def _cards_objection(choice: Choice) -> Sentence | None:
    reset = choice.is_reset
    if not choice.cards:
        return say("charioteer.reset-needs-a-card" if reset else "charioteer.move-needs-a-card")
    if len(choice.cards) > PLACES:
        code = "charioteer.reset-of-too-many-cards" if reset else "charioteer.move-of-too-many-cards"
        return say(code, most=PLACES, count=len(choice.cards))
    return None


def _reset_objection(choice: Choice) -> Sentence | None:
    """C12: what may not accompany a reset."""
    if choice.crowd:
        return say("charioteer.crowd-in-reset")
    if choice.token:
        return say("charioteer.token-in-reset", token=choice.token)
    return None


def _move_objection(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Sentence | None:
    """C4, C5: a card that does not fit the move, or too few that show its symbol."""
    state, components = glance(race, RACE), glance(edition.data, EDITION)
    symbol = edition.symbol_names.index(choice.symbol) if choice.symbol in edition.symbol_names else NOTHING

    def fits(card: int) -> bool:
        return not components.symbols_on[card] or (symbol != NOTHING and bool(components.shows[card, symbol]))

    for letter in choice.cards:
        card = int(state.hand[seat][slot_number(letter)])
        if letter != choice.wild and not fits(card):
            shown = edition.card_names[card]
            return say("charioteer.card-lacks-symbol", letter=letter, card=shown, symbol=choice.symbol)
    crowd = int(state.crowd[0])
    if choice.crowd and not fits(crowd):
        return say("charioteer.crowd-lacks-symbol", card=edition.card_names[crowd], symbol=choice.symbol)
    written = _written(race, seat, symbol, choice)
    showing = 0 if symbol == NOTHING else entries.showing(written, edition.data, seat)
    if showing < FEWEST_SHOWING:
        return say("charioteer.one-card-shows" if showing else "charioteer.no-card-shows", symbol=choice.symbol)
    return None


def _written(race: Bytes, seat: int, symbol: int, choice: Choice) -> Bytes:
    """A copy of the race with the symbol and the cards of a move written into it, legal or not."""
    work = race.copy()
    state = glance(work, RACE)
    state.symbol[seat] = symbol
    state.with_crowd[seat] = choice.crowd
    state.played[seat] = sum(1 << slot_number(letter) for letter in choice.cards)
    changed = choice.wild is not None and choice.wild in choice.cards
    state.wild_slot[seat] = slot_number(choice.wild or "") if changed else NOTHING
    return work


def _token_objection(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Sentence | None:
    """C7, C17: why the token cannot be laid on the move."""
    if choice.token is None:
        return say("charioteer.not-wild") if choice.wild else None
    if (missing := _not_held(race, edition, seat, choice.token)) is not None:
        return missing
    kind = edition.kind_names.index(choice.token)
    icon, colour = edition.kind_icons[kind], edition.kind_colours[kind]
    if icon == DISCARD:
        return say("charioteer.token-for-discards", token=choice.token)
    if colour != ANY_COLOUR and COLOUR_NAMES[colour] != choice.colour:
        return say("charioteer.token-of-other-colour", token=choice.token, colour=choice.colour)
    if icon != WILD:
        return say("charioteer.not-wild") if choice.wild else None
    if choice.wild is None:
        return say("charioteer.wild-needs-card")
    if choice.wild not in choice.cards:
        return say("charioteer.wild-not-played", letter=choice.wild)
    return None


def _not_held(race: Bytes, edition: CharioteerEdition, seat: int, token: str) -> Sentence | None:
    counts = glance(race, RACE).tokens[seat]
    held = [name for kind, name in enumerate(edition.kind_names) if counts[kind]]
    if token in held:
        return None
    return say("charioteer.token-not-held", token=token, held=", ".join(held) or say("charioteer.none"))


def _discard_objection(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Sentence | None:
    """C13, C18: why the cards cannot be discarded."""
    token = choice.discard_token
    if token is None:
        return say("charioteer.discards-need-token") if choice.discards else None
    if edition.icon_of(token) not in (DISCARD, NO_ICON):
        return say("charioteer.not-a-discard-token", token=token)
    if (missing := _not_held(race, edition, seat, token)) is not None:
        return missing
    if not choice.discards:
        return say("charioteer.discards-nothing", token=token)
    most = discard_tokens(race, edition, seat)[token]
    if len(choice.discards) > most:
        return say("charioteer.discards-too-many", token=token, most=most, count=len(choice.discards))
    both = [letter for letter in choice.discards if letter in choice.cards]
    if both:
        return say("charioteer.played-and-discarded", letter=both[0])
    return None


# --- a choice as steps ----------------------------------------------------------------------------------------------


def steps_of(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> list[int]:
    """The steps that make up this choice, tried on a copy. Raises IllegalAction with the reason."""
    choice = meant(race, edition, seat, choice)
    codes = tried_steps(race, edition, seat, choice)
    if codes and made_of(edition, codes) == in_order(choice):
        return codes
    # something is wrong, or was never asked for: the reason is looked for only now, because that takes longer
    why = objection(race, edition, seat, choice)
    if why is not None or not codes:
        raise IllegalAction(why or say("charioteer.not-possible", action=choice), possible_now(race, edition, seat))
    return codes


def tried_steps(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> list[int]:
    """The steps that the rules ask for until this choice is made; empty if they do not allow one of them."""
    work = asked_anew(race, edition)
    state = glance(work, RACE)
    stages, story, data = state.stage, new_story(0), edition.data
    codes = []
    while stages[seat] != READY:
        try:
            code = step_code(edition, _next_step(state, seat, choice))
        except NotationError:
            return []
        if entries.check(work, data, seat, code) != entries.OK:
            return []
        entries.apply(work, data, seat, code, story)
        codes.append(code)
    return codes


def made_of(edition: CharioteerEdition, codes: Sequence[int]) -> Choice:
    """The choice that these steps make up."""
    return gather(edition, [step(edition, code) for code in codes])


def in_order(choice: Choice) -> Choice:
    """The choice with its cards in the order of their slots, as `gather` returns it."""
    cards, discards = "".join(sorted(choice.cards)), "".join(sorted(choice.discards))
    if cards == choice.cards and discards == choice.discards:
        return choice
    return msgspec.structs.replace(choice, cards=cards, discards=discards)


def asked_anew(race: Bytes, edition: CharioteerEdition) -> Bytes:
    """A copy in which all seats begin their choices again, so that one seat's choice does not resolve the turn."""
    work, data = race.copy(), edition.data
    for seat in range(int(glance(work, RACE).seats)):
        entries.retract(work, data, seat)
    return work


def _next_step(state: Any, seat: int, choice: Choice) -> Step:
    """The next step towards the choice."""
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
    """Some legal steps, in notation, for the message of an IllegalAction."""
    out = np.zeros(STEPS, np.int64)
    count = entries.legal(race, edition.data, seat, out)
    return [str(step(edition, int(code))) for code in out[: min(count, most)]]


# --- what a choice leads to -----------------------------------------------------------------------------------------


class Breakdown(msgspec.Struct, frozen=True):
    """What a choice leads to if no rival moves before it."""

    choice: str
    """In notation."""
    number: int
    """The number of the symbol."""
    symbols: int
    """Matching symbols on the cards."""
    token: int
    """Points that a +3 or +5 token adds."""
    skill: int
    """Points that the skill marker of the move's colour adds."""
    damage: int
    """Cubes that are subtracted, after recovery."""
    points: int
    """number + symbols + token + skill - damage, at least 0."""
    recovered: int
    """Cubes that leave the damage box first."""
    progress: int
    """Where the chariot ends, in spaces beyond the line."""
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
    """Steps on the skills track: colour, place reached, its bonus."""
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
    """What a choice leads to. Raises IllegalAction."""
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
