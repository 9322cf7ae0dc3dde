"""The rules of Charioteer: set-up, the turn and its end; and the `Rules` table through which the rest of Spina plays.

The rulings (C1, C2 and so on) are explained on the rules page of the game. A seat's choice is made in `choice.py`,
a chariot moves in `movement.py`, cards and tokens are dealt in `cards.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.charioteer.rules.cards import discard, draw_card, draw_fan_token, hide, note_hand, refill_hand
from spina.games.charioteer.rules.choice import begin_choice, showing_cards, take_step
from spina.games.charioteer.rules.event_kinds import (
    BURIED,
    CALMED,
    CHANGED_AT,
    CHOSEN,
    CROWD_MOVED,
    DISCARD_TOKEN_AT,
    DISCARDS_AT,
    EMPEROR,
    FINISHED,
    LAP,
    LEARNED,
    ORDER,
    REVEALED,
    SHIELDED,
    SUFFERED,
    TURN,
)
from spina.games.charioteer.rules.movement import (
    attack,
    count_move,
    finish,
    is_ahead,
    move_colour,
    move_regularly,
    place_after,
    place_cubes,
    recover,
    tally,
    use_whips,
)
from spina.games.charioteer.rules.record import (
    COLOURS,
    CROWD,
    EDITION,
    FACE_DISRUPT,
    FIRST_TURN,
    HAND,
    NOTHING,
    RACE,
    READY,
    RESET,
    SEATS,
    SKILL_CARDS,
    STEPS,
)
from spina.kernel import interface
from spina.kernel.bits import count_bits, lowest_bit, nth_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.narration import listens, silence, tell
from spina.kernel.random import below, copy_dice, shuffle
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

# --- set-up ---------------------------------------------------------------------------------------------------------


@kernel
def prepare(race: RaceRecord, edition: EditionRecord, seats, dice):
    """C25: deal hands from seat 0 on, crowd cards and skills cards; roll the die; last, draw the first seat (C27)."""
    copy_dice(race.dice, dice)
    race.seats = seats
    race.turn = FIRST_TURN
    race.over = 0
    race.choices = 0
    race.pile = 0
    race.deck_left = edition.cards
    for card in range(edition.cards):
        race.deck[card] = card
        race.discards[card] = NOTHING
        race.buried_by[card] = NOTHING
    shuffle(race.dice, race.deck, edition.cards)
    nobody = silence()
    for seat in range(SEATS):
        seat_chariot(race, edition, seat)
    for seat in range(seats):
        refill_hand(race, edition, seat, nobody)
    for slot in range(CROWD):
        race.crowd[slot] = draw_card(race, nobody)
    deal_skills(race, edition)
    for kind in range(edition.kinds):
        race.bag[kind] = edition.fan_tokens[kind]
        race.spent[kind] = 0
    roll_die(race, edition, nobody)
    race.first_seat = below(race.dice, seats)
    for seat in range(seats):
        race.lane[seat] = (seat - race.first_seat) % seats  # C3: the first seat is innermost
    ask_everybody(race, edition)


@kernel
def seat_chariot(race: RaceRecord, edition: EditionRecord, seat):
    """Put a chariot on the start space, undamaged, with an empty hand and the player tokens of its seat."""
    race.progress[seat] = edition.start
    race.lane[seat] = 0
    race.damage[seat] = 0
    race.attack[seat] = 0
    race.safe[seat] = 0
    race.stage[seat] = READY
    race.held[seat] = 0
    for slot in range(HAND):
        race.hand[seat, slot] = NOTHING
    for kind in range(edition.kinds):
        race.tokens[seat, kind] = edition.player_tokens[kind] if seat < race.seats else 0


@kernel
def deal_skills(race: RaceRecord, edition: EditionRecord):
    """C25: give each seat a different skills card; its first colour stands on the highest start space."""
    cards = np.arange(SKILL_CARDS)
    shuffle(race.dice, cards, edition.skill_cards)
    for seat in range(race.seats):
        for place in range(COLOURS):
            race.skill[seat, edition.skill_card[cards[seat], place]] = COLOURS - 1 - place


@kernel
def ask_everybody(race: RaceRecord, edition: EditionRecord):
    """Begin the choices of all seats, who choose at the same time."""
    for seat in range(race.seats):
        race.safe[seat] = 0
        begin_choice(race, edition, seat)


# --- the turn -------------------------------------------------------------------------------------------------------


@kernel
def roll_die(race: RaceRecord, edition: EditionRecord, story):
    """C8: roll the emperor die; the cubes of a disrupt are placed at once."""
    race.die = edition.face[below(race.dice, edition.faces)]
    tell(story, EMPEROR, NOTHING, race.die)
    if race.die == FACE_DISRUPT:
        for seat in range(race.seats):
            place_cubes(race, edition, seat, edition.disrupt[race.seats], NOTHING, story)


@kernel
def resolve_turn(race: RaceRecord, edition: EditionRecord, story):
    """Resolve the turn after the last choice: reveal, move chariot by chariot, end the turn."""
    order = race_order(race)
    for seat in range(race.seats):
        reveal(race, edition, seat, story)
    if listens(story):
        tell_order(race, order, story)
    for i in range(race.seats):
        move(race, edition, seat_at(order, i), story)
    end_turn(race, edition, story)


ORDER_BITS = 4
"""Bits for each seat, where an order of seats is one integer."""


@kernel
def race_order(race: RaceRecord):
    """C1: who is ahead moves earlier; C3: on the first turn, seats move in order from the first seat."""
    order = 0
    for seat in range(race.seats):
        if race.turn == FIRST_TURN:
            place = (seat - race.first_seat) % race.seats
        else:
            place = place_of(race, seat) - 1
        order |= seat << ORDER_BITS * place
    return order


@kernel
def seat_at(order, place):
    """The seat at a place of an order, counted from 0."""
    return order >> ORDER_BITS * place & ((1 << ORDER_BITS) - 1)


@kernel
def tell_order(race: RaceRecord, order, story):
    """Report the order of moving in one event."""
    a, b = seat_at(order, 0), seat_at(order, 1)
    c = seat_at(order, 2) if race.seats > 2 else NOTHING
    d = seat_at(order, 3) if race.seats > 3 else NOTHING
    e = seat_at(order, 4) if race.seats > 4 else NOTHING
    f = seat_at(order, 5) if race.seats > 5 else NOTHING
    tell(story, ORDER, NOTHING, a, b, c, d, e, f)


@kernel
def nth_card(race: RaceRecord, seat, bits, n):
    """The n-th card of a set of slots, or NOTHING."""
    if n < count_bits(bits):
        return race.hand[seat, nth_bit(bits, n)]
    return NOTHING


@kernel
def reveal(race: RaceRecord, edition: EditionRecord, seat, story):
    """C8, C12: turn up a choice; a shield empties the attack boxes and closes them, a reset the damage box too."""
    if listens(story):
        tell_choice(race, seat, story)
    if race.symbol[seat] == RESET:
        tell(story, CALMED, seat, race.damage[seat], race.attack[seat])
        race.safe[seat] = 1
        race.damage[seat] = 0
        race.attack[seat] = 0
        return
    _, shields, _, _, _ = tally(race, edition, seat)
    if shields > 0:
        tell(story, SHIELDED, seat, race.attack[seat])
        race.safe[seat] = 1
        race.attack[seat] = 0


@kernel
def tell_choice(race: RaceRecord, seat, story):
    """Report a choice to all seats, and the cards under a discard token to their owner alone (C28)."""
    played = race.played[seat]
    changed = 0  # 1 to 3: which of the played cards a wild changes
    if race.wild_slot[seat] != NOTHING:
        changed = 1 + count_bits(played & ((1 << race.wild_slot[seat]) - 1))
    details = race.with_crowd[seat] + CHANGED_AT * changed + DISCARD_TOKEN_AT * (race.discard_token[seat] + 1)
    details += DISCARDS_AT * count_bits(race.discarded[seat])
    tell(
        story, REVEALED, seat, race.symbol[seat], race.token[seat],
        nth_card(race, seat, played, 0), nth_card(race, seat, played, 1), nth_card(race, seat, played, 2),
        details,
    )  # fmt: skip
    buried = race.discarded[seat]
    if buried:
        tell(
            story, BURIED, seat,
            nth_card(race, seat, buried, 0), nth_card(race, seat, buried, 1), nth_card(race, seat, buried, 2),
            nth_card(race, seat, buried, 3), nth_card(race, seat, buried, 4), nth_card(race, seat, buried, 5),
        )  # fmt: skip


@kernel
def move(race: RaceRecord, edition: EditionRecord, seat, story):
    """Carry out a seat's move, even one of length 0 (C22). A reset does not move and earns nothing (C11, C12, C30)."""
    if race.symbol[seat] == RESET:
        return
    symbols, _, whips, recoveries, lessons = tally(race, edition, seat)
    recover(race, seat, recoveries, story)
    points = count_move(race, edition, seat, symbols, story)
    attack(race, edition, seat, story)
    before = race.progress[seat]
    passed = move_regularly(race, edition, seat, points, story)
    use_whips(race, edition, seat, whips, passed, story)
    if listens(story):
        tell_laps(race, edition, seat, before, story)
    reward(race, edition, seat, symbols, lessons, story)


@kernel
def tell_laps(race: RaceRecord, edition: EditionRecord, seat, before, story):
    """C26: report completed laps; the first crossing of the line, after the start, completes none."""
    for lap in range(1, edition.laps + 1):
        if before < lap * edition.spaces <= race.progress[seat]:
            tell(story, LAP, seat, lap)


@kernel
def reward(race: RaceRecord, edition: EditionRecord, seat, symbols, lessons, story):
    """C11, C23: right after the move, skill steps and then a fan token for six or more matching symbols."""
    colour = move_colour(race, edition, seat)
    for _ in range(lessons):
        learn(race, edition, seat, colour, story)
    if symbols >= edition.fan_symbols:
        draw_fan_token(race, edition, seat, story)


@kernel
def learn(race: RaceRecord, edition: EditionRecord, seat, colour, story):
    """C11: move a skill marker one step; surplus steps of a marker in the bonus box are lost."""
    place = race.skill[seat, colour]
    then = place_after(race, edition, seat, place)
    if then != place:
        race.skill[seat, colour] = then
        tell(story, LEARNED, seat, colour, place, then)


@kernel
def end_turn(race: RaceRecord, edition: EditionRecord, story):
    """C24: check for the end of the race; then cards, damage, hands, crowd track and die, in this order."""
    if somebody_finished(race, edition):
        race.over = 1
        tell_places(race, story)
        return
    for seat in range(race.seats):
        put_away(race, edition, seat)
    for seat in range(race.seats):
        suffer(race, seat, story)
    for seat in range(race.seats):
        refill_hand(race, edition, seat, story)
    move_crowd(race, story)
    for seat in range(race.seats):
        race.safe[seat] = 0
    race.turn += 1
    tell(story, TURN, NOTHING, race.turn)
    roll_die(race, edition, story)
    ask_everybody(race, edition)


@kernel
def somebody_finished(race: RaceRecord, edition: EditionRecord):
    """C26: whether a chariot has completed all laps."""
    for seat in range(race.seats):
        if race.progress[seat] >= finish(edition):
            return True
    return False


@kernel
def place_of(race: RaceRecord, seat):
    """C14: 1 for the chariot that no other is ahead of. No two chariots share a place."""
    place = 1
    for rival in range(race.seats):
        if rival != seat and is_ahead(race, rival, seat):
            place += 1
    return place


@kernel
def tell_places(race: RaceRecord, story):
    """Report the ranking, the winner first."""
    for place in range(1, race.seats + 1):
        for seat in range(race.seats):
            if place_of(race, seat) == place:
                tell(story, FINISHED, seat, place, race.progress[seat])


@kernel
def put_away(race: RaceRecord, edition: EditionRecord, seat):
    """C13, C23, C28: lay off played cards face up, cards under a discard token face down, and used tokens."""
    slots = race.played[seat] | race.discarded[seat]
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        discard(race, race.hand[seat, slot], NOTHING if race.played[seat] >> slot & 1 else seat)
        race.hand[seat, slot] = NOTHING
    spend_token(race, edition, seat, race.token[seat])
    spend_token(race, edition, seat, race.discard_token[seat])


@kernel
def spend_token(race: RaceRecord, edition: EditionRecord, seat, kind):
    """C24: lay off a used token. Fan tokens return to the bag when it is empty, player tokens never."""
    if kind != NOTHING:
        race.tokens[seat, kind] -= 1
        if edition.kind_fan[kind]:
            race.spent[kind] += 1


@kernel
def suffer(race: RaceRecord, seat, story):
    """C24: move the cubes of the attack boxes into the damage box."""
    cubes = race.attack[seat]
    if cubes > 0:
        race.damage[seat] += cubes
        race.attack[seat] = 0
        tell(story, SUFFERED, seat, cubes, race.damage[seat])


@kernel
def move_crowd(race: RaceRecord, story):
    """C24: discard the crowd card, move the other two up a slot, and draw a new one for the last slot."""
    discard(race, race.crowd[0], NOTHING)
    for slot in range(CROWD - 1):
        race.crowd[slot] = race.crowd[slot + 1]
    race.crowd[CROWD - 1] = draw_card(race, story)
    tell(story, CROWD_MOVED, NOTHING, race.crowd[0], race.crowd[1], race.crowd[2])


# --- the rules as entries -------------------------------------------------------------------------------------------

OK, RACE_OVER, NO_SUCH_SEAT, ALREADY_CHOSEN, NO_SUCH_STEP, NOT_POSSIBLE = range(6)
"""Answers of `check`: OK, or why a step is refused."""


@entry(interface.SET_UP)
def set_up(race_bytes, edition_bytes, options, dice):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    race_bytes[:] = 0
    prepare(race, edition, options[0], dice)


@entry(interface.ACTING)
def acting(race_bytes, edition_bytes):
    race = fields(race_bytes, RACE)
    seats = 0
    if not race.over:
        for seat in range(race.seats):
            if race.stage[seat] != READY:
                seats |= 1 << seat
    return seats


@entry(interface.LEGAL)
def legal(race_bytes, edition_bytes, seat, out):
    race = fields(race_bytes, RACE)
    if race.over or seat < 0 or seat >= race.seats:
        return 0
    found = race.options[seat]
    count = 0
    for step in range(STEPS):
        if found >> step & 1:
            out[count] = step
            count += 1
    return count


@entry(interface.CHECK)
def check(race_bytes, edition_bytes, seat, action):
    race = fields(race_bytes, RACE)
    if race.over:
        return RACE_OVER
    if seat < 0 or seat >= race.seats:
        return NO_SUCH_SEAT
    if race.stage[seat] == READY:
        return ALREADY_CHOSEN
    if action < 0 or action >= STEPS:
        return NO_SUCH_STEP
    if not race.options[seat] >> action & 1:
        return NOT_POSSIBLE
    return OK


@kernel
def everybody_ready(race: RaceRecord):
    """Whether the last seat has chosen."""
    for seat in range(race.seats):
        if race.stage[seat] != READY:
            return False
    return True


@kernel
def choose(race: RaceRecord, edition: EditionRecord, seat, step, story):
    """One step of a seat's choice; the last step of the last seat resolves the turn."""
    take_step(race, edition, seat, step)
    if race.stage[seat] != READY:
        return interface.STEP
    race.choices += 1
    tell(story, CHOSEN, seat)
    if not everybody_ready(race):
        return interface.CHOSEN
    resolve_turn(race, edition, story)
    return interface.RESOLVED


@entry(interface.APPLY)
def apply(race_bytes, edition_bytes, seat, action, story):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    return choose(race, edition, seat, action, story)


@entry(interface.RETRACT)
def retract(race_bytes, edition_bytes, seat):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    if race.over or seat < 0 or seat >= race.seats:
        return 0
    if race.stage[seat] == READY:
        race.choices -= 1
    begin_choice(race, edition, seat)
    return 1


@entry(interface.OVER)
def over(race_bytes, edition_bytes):
    return np.int64(fields(race_bytes, RACE).over)


@entry(interface.RANKING)
def ranking(race_bytes, edition_bytes, out):
    race = fields(race_bytes, RACE)
    for seat in range(race.seats):
        out[seat] = place_of(race, seat)


@entry(interface.TURN)
def turn(race_bytes, edition_bytes):
    return np.int64(fields(race_bytes, RACE).turn)


@entry(interface.TURNS_HAD)
def turns_had(race_bytes, edition_bytes, seat):
    """All seats have their turns at the same time."""
    return np.int64(fields(race_bytes, RACE).turn) - 1


@entry(interface.DETERMINIZE)
def determinize(race_bytes, edition_bytes, seat, seed):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    hide(race, edition, seat, seed)


@kernel
def random_step(race: RaceRecord, seat, dice):
    """A legal step, each with the same probability."""
    found = race.options[seat]
    return nth_bit(found, below(dice, count_bits(found)))


@entry(interface.PLAYOUT)
def playout(race_bytes, edition_bytes, dice):
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    nobody = silence()
    choices = 0
    while not race.over:
        for seat in range(race.seats):
            status = interface.CHOSEN if race.stage[seat] == READY else interface.STEP
            while status == interface.STEP:
                status = choose(race, edition, seat, random_step(race, seat, dice), nobody)
                if status != interface.STEP:
                    choices += 1
    return choices


@entry(interface.ACTING)
def adopt(race_bytes, edition_bytes):
    """Complete a position that was set up by hand: update the hands, and begin the choices."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    for seat in range(race.seats):
        note_hand(race, edition, seat)
    ask_everybody(race, edition)
    return race.seats


@entry(interface.TELL)
def forecast(race_bytes, edition_bytes, seat, story):
    """Carry out the seat's completed choice as if no rival moved before it."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    reveal(race, edition, seat, story)
    move(race, edition, seat, story)


@entry(interface.TURNS_HAD)
def showing(race_bytes, edition_bytes, seat):
    """C4: number of cards that show the symbol of the choice written into the record."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    return np.int64(showing_cards(race, edition, seat))


RULES = interface.Rules(
    set_up, acting, legal, check, apply, retract, over, ranking, turn, turns_had, determinize, playout
)
