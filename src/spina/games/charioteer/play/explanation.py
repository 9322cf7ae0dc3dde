"""Choices that a player considers: why one is illegal, and what a legal one leads to."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from spina.errors import IllegalAction, NotationError
from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.actions import SOME_DISCARD, Choice, slot_bits, slot_number, step
from spina.games.charioteer.play.events import WHIP_ENDINGS
from spina.games.charioteer.play.refusals import say
from spina.games.charioteer.play.view import hand as hand_of
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.offer_kernel import (
    FIGURES,
    LONGEST_BREAKDOWN,
    LONGEST_CHOICE,
    LONGEST_MOVE,
    SKILL_STEP,
    WANTED_CARDS,
    WANTED_DISCARDS,
    foresee,
    steps_towards,
)
from spina.games.charioteer.rules.record import (
    ANY_COLOUR,
    COLOUR_NAMES,
    DISCARD,
    DO_CROWD,
    DO_NO_CROWD,
    DO_NO_TOKEN,
    DO_SLOT,
    DO_SYMBOL,
    DO_TOKEN,
    EDITION,
    FEWEST_SHOWING,
    NO_ICON,
    NOTHING,
    PLACES,
    RACE,
    RESET,
    STEPS,
    WILD,
)
from spina.kernel.narration import new_story
from spina.kernel.record import Bytes
from spina.kernel.record_views import glance
from spina.sentences import Sentence

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
    return _made(race, edition, seat, choice).steps


class Tried(NamedTuple):
    """A choice that was tried on a copy of a race."""

    race: Bytes
    """The copy, in which the choice is made."""
    steps: list[int]
    """The steps that the rules asked for; empty if they do not allow one of them."""
    whole: bool
    """Whether these steps make up the choice: the rules may not have asked for a part of it."""


def tried(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Tried:
    """Take the steps towards a choice on a copy of the race."""
    work = race.copy()
    try:
        wanted = _in_numbers(edition, choice)
    except NotationError:
        return Tried(work, [], False)
    out = np.empty(LONGEST_CHOICE, np.int64)
    count = steps_towards(work, edition.data, seat, np.array(wanted, np.int64), out)
    cards = wanted[WANTED_CARDS].bit_count() + wanted[WANTED_DISCARDS].bit_count()
    named_twice = cards < len(choice.cards) + len(choice.discards)
    return Tried(work, out[: abs(count)].tolist(), count > 0 and not named_twice)


def _in_numbers(edition: CharioteerEdition, choice: Choice) -> tuple[int, ...]:
    """The choice as `steps_towards` takes it. Raises NotationError for a slot that no hand has."""
    symbol = RESET if choice.is_reset else edition.symbol_numbers.get(choice.symbol, NOTHING)
    return (
        _token_step(edition, choice.token),
        NOTHING if symbol == NOTHING else DO_SYMBOL + symbol,
        DO_CROWD if choice.crowd else DO_NO_CROWD,
        DO_SLOT + slot_number(choice.wild) if choice.wild else NOTHING,
        slot_bits(choice.cards),
        _token_step(edition, choice.discard_token),
        slot_bits(choice.discards),
    )


def _token_step(edition: CharioteerEdition, token: str | None) -> int:
    """The step that names a token; NOTHING if the edition does not have it."""
    if token is None:
        return DO_NO_TOKEN
    kind = edition.kind_numbers.get(token)
    return NOTHING if kind is None else DO_TOKEN + kind


def _made(race: Bytes, edition: CharioteerEdition, seat: int, choice: Choice) -> Tried:
    """The choice, made on a copy. Raises IllegalAction with the reason."""
    choice = meant(race, edition, seat, choice)
    found = tried(race, edition, seat, choice)
    if not found.whole:  # something is wrong, or was never asked for: the reason is looked for only now
        why = objection(race, edition, seat, choice)
        if why is not None or not found.steps:
            possible = possible_now(race, edition, seat)
            raise IllegalAction(why or say("charioteer.not-possible", action=choice), possible)
    return found


def possible_now(race: Bytes, edition: CharioteerEdition, seat: int, most: int = 8) -> list[str]:
    """Some legal steps, in notation, for the message of an IllegalAction."""
    out = np.zeros(STEPS, np.int64)
    count = entries.legal(race, edition.data, seat, out)
    return [str(step(edition, int(code))) for code in out[: min(count, most)]]


# --- what a choice leads to -----------------------------------------------------------------------------------------


class Breakdown(msgspec.Struct, frozen=True, gc=False):
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
    work = _made(race, edition, seat, choice).race
    out = np.empty(LONGEST_BREAKDOWN, np.int64)
    count = foresee(work, edition.data, seat, new_story(LONGEST_MOVE), out)
    return read_breakdown(edition, str(choice), out[:count].tolist(), 0)[0]


def read_breakdown(edition: CharioteerEdition, choice: str, told: list[int], at: int) -> tuple[Breakdown, int]:
    """What a choice leads to, from the numbers of `foresee` from the index `at` on; and the index after them."""
    end = at + FIGURES
    (
        number, symbols, token, skill, damage, points,
        recovered, progress, lane, whips, whip_spaces, whip_ended, attack, shielded, fan_token,
    ) = told[at:end]  # fmt: skip
    learns = end + 1 + told[end]
    after = learns + 1 + SKILL_STEP * told[learns]
    bonuses = edition.skill_bonuses
    found = Breakdown(
        choice,
        number,
        symbols,
        token,
        skill,
        damage,
        points,
        recovered,
        progress,
        progress % edition.spaces,
        lane,
        tuple(told[end + 1 : learns]),
        whips,
        whip_spaces,
        None if whip_ended == NOTHING else WHIP_ENDINGS[whip_ended],
        attack,
        bool(shielded),
        tuple(
            (COLOUR_NAMES[told[step]], told[step + 2], bonuses[told[step + 2]])
            for step in range(learns + 1, after, SKILL_STEP)
        ),
        bool(fan_token),
    )
    return found, after
