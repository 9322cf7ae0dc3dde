"""What choices lead to before they are made: the steps of one, the consequences of one, and everything that is offered.

Python would take hundreds of steps on copies of the race to list an offer. Here one call does it, with the same
kernels that the steps use, so that no rule is written twice. What is found is written as numbers;
`play/explanation.py` and `play/offer.py` read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.charioteer.rules.choice import (
    ALL_SLOTS,
    begin_choice,
    card_options,
    clear_choice,
    crowd_options,
    held_kinds,
    symbol_options,
    take_step,
    token_options,
    wild_options,
)
from spina.games.charioteer.rules.entries import forecast
from spina.games.charioteer.rules.event_kinds import (
    ATTACKED,
    CALMED,
    COUNTED,
    FAN_TOKEN,
    LEARNED,
    PASSED,
    RECOVERED,
    SHIELDED,
    WHIPPED,
)
from spina.games.charioteer.rules.movement import tally
from spina.games.charioteer.rules.record import (
    AT_CARDS,
    AT_CROWD,
    AT_DISCARD_TOKEN,
    AT_SYMBOL,
    AT_TOKEN,
    AT_WILD,
    DO_CROWD,
    DO_DONE,
    DO_NO_CROWD,
    DO_NO_TOKEN,
    DO_SLOT,
    DO_SYMBOL,
    DO_TOKEN,
    EDITION,
    HAND,
    KINDS,
    NOTHING,
    PLACES,
    RACE,
    READY,
    RESET,
    SYMBOLS,
)
from spina.kernel.bits import count_bits, lowest_bit, under_highest
from spina.kernel.compiler import entry, kernel
from spina.kernel.record import fields, whole
from spina.kernel.signatures import BYTES, COMPONENTS, INT, NUMBERS, STORY

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

# --- the steps of a choice ------------------------------------------------------------------------------------------

STEPS_TOWARDS = INT(BYTES, COMPONENTS, INT, NUMBERS, NUMBERS)

WANTED_TOKEN, WANTED_SYMBOL, WANTED_CROWD, WANTED_WILD, WANTED_CARDS, WANTED_DISCARD_TOKEN, WANTED_DISCARDS = range(7)
"""A wanted choice in numbers: a step for each stage, NOTHING where there is none; slots as bits where a stage takes
cards one by one."""
LONGEST_CHOICE = 6 + PLACES + HAND
"""Most steps of one choice: token, symbol, crowd card, discard token, the cards of both, and twice to be done."""


@entry(STEPS_TOWARDS)
def steps_towards(race_bytes, edition_bytes, seat, wanted, out):
    """Make the seat's choice anew, as wanted, and write its steps; return how many, 0 if one of them is illegal.

    The rules skip stages where there is nothing to decide. If something else than that was wanted there, the choice is
    made without it, and the number of steps is returned as a negative one.
    """
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    if race.over:
        return 0
    begin_choice(race, edition, seat)
    count = 0
    while race.stage[seat] != READY:
        step = next_step(race, seat, wanted)
        if step < 0 or not race.options[seat] >> step & 1:
            return 0
        take_step(race, edition, seat, step)
        out[count] = step
        count += 1
    return count if is_made(race, seat, wanted) else -count


@kernel
def is_made(race: RaceRecord, seat, wanted):
    """Whether the seat's complete choice is the wanted one."""
    return (
        step_of(race.token[seat], DO_TOKEN, DO_NO_TOKEN) == wanted[WANTED_TOKEN]
        and DO_SYMBOL + race.symbol[seat] == wanted[WANTED_SYMBOL]
        and (DO_CROWD if race.with_crowd[seat] else DO_NO_CROWD) == wanted[WANTED_CROWD]
        and step_of(race.wild_slot[seat], DO_SLOT, NOTHING) == wanted[WANTED_WILD]
        and race.played[seat] == wanted[WANTED_CARDS]
        and step_of(race.discard_token[seat], DO_TOKEN, DO_NO_TOKEN) == wanted[WANTED_DISCARD_TOKEN]
        and race.discarded[seat] == wanted[WANTED_DISCARDS]
    )


@kernel
def step_of(number, first, none):
    """The step that names a token or slot, whose steps begin with `first`; `none` stands for none."""
    return none if number == NOTHING else first + number


@kernel
def next_step(race: RaceRecord, seat, wanted):
    """The step that the seat's stage asks for; NOTHING if nothing is wanted of a stage that needs a step."""
    stage = race.stage[seat]
    if stage == AT_CARDS:
        return next_card(whole(wanted[WANTED_CARDS]), race.played[seat])
    if stage == AT_TOKEN:
        return whole(wanted[WANTED_TOKEN])
    if stage == AT_SYMBOL:
        return whole(wanted[WANTED_SYMBOL])
    if stage == AT_CROWD:
        return whole(wanted[WANTED_CROWD])
    if stage == AT_WILD:
        return whole(wanted[WANTED_WILD])
    if stage == AT_DISCARD_TOKEN:
        return whole(wanted[WANTED_DISCARD_TOKEN])
    return next_card(whole(wanted[WANTED_DISCARDS]), race.discarded[seat])


@kernel
def next_card(slots, taken):
    """The step that takes the first of the slots that is not taken yet; none is left: to be done."""
    left = slots & ~taken
    return DO_SLOT + lowest_bit(left) if left else DO_DONE


# --- what a choice leads to -----------------------------------------------------------------------------------------

FORESEE = INT(BYTES, COMPONENTS, INT, STORY, NUMBERS)

SUM = 6
"""Figures of a choice: first the six of its sum (`COUNTED`), then these."""
(
    RECOVERED_AT, PROGRESS_AT, LANE_AT, WHIPS_AT, WHIP_SPACES_AT, WHIP_ENDED_AT, ATTACK_AT, SHIELDED_AT, FAN_TOKEN_AT,
) = range(SUM, SUM + 9)  # fmt: skip
FIGURES = FAN_TOKEN_AT + 1
"""Then follow: how many rivals it passes, and these; how many skill steps it earns, and for each its colour, the
place before and the place reached."""
SKILL_STEP = 3

LONGEST_MOVE = 400
"""More events than one seat's move can have."""
MOST_SKILL_STEPS = 2 + PLACES + 2
"""C11: for the move, for the emperor, and for an icon on each hand card, the crowd card and the token."""
LONGEST_BREAKDOWN = FIGURES + 2 + LONGEST_MOVE + SKILL_STEP * MOST_SKILL_STEPS
"""More numbers than describe what one choice leads to."""


@entry(FORESEE)
def foresee(race_bytes, edition_bytes, seat, story, out):
    """Carry out the seat's completed choice (`forecast`) and write what it leads to; return how many numbers."""
    return write_breakdown(race_bytes, edition_bytes, seat, story, out, 0)


@kernel
def write_breakdown(race_bytes, edition_bytes, seat, story, out, at):
    """`foresee`, written from the index `at` on; return the index after it."""
    story[0, 0] = 0
    forecast(race_bytes, edition_bytes, seat, story)
    last = min(whole(story[0, 0]), story.shape[0] - 1)
    race = fields(race_bytes, RACE)
    for figure in range(FIGURES):
        out[at + figure] = 0
    out[at + PROGRESS_AT] = race.progress[seat]
    out[at + LANE_AT] = race.lane[seat]
    out[at + WHIP_ENDED_AT] = NOTHING
    for row in range(1, last + 1):
        write_figures(story, row, out, at)
    at = write_facts(story, last, PASSED, 1, out, at + FIGURES)
    return write_facts(story, last, LEARNED, SKILL_STEP, out, at)


@kernel
def write_figures(story, row, out, at):
    """Add what one event says to the figures of a choice."""
    kind = story[row, 0]
    if kind == COUNTED:
        for part in range(SUM):
            out[at + part] = story[row, 2 + part]
    elif kind == RECOVERED:
        out[at + RECOVERED_AT] += story[row, 2]
    elif kind == CALMED:
        out[at + RECOVERED_AT] += story[row, 2]
        out[at + SHIELDED_AT] = 1
    elif kind == SHIELDED:
        out[at + SHIELDED_AT] = 1
    elif kind == ATTACKED:
        out[at + ATTACK_AT] += story[row, 2]
    elif kind == WHIPPED:
        out[at + WHIPS_AT] = story[row, 2]
        out[at + WHIP_SPACES_AT] = story[row, 3]
        out[at + WHIP_ENDED_AT] = story[row, 4]
    elif kind == FAN_TOKEN and story[row, 2] != NOTHING:
        out[at + FAN_TOKEN_AT] = 1


@kernel
def write_facts(story, last, kind, facts, out, at):
    """Write how many events of a kind there are, then the first facts of each; return the index after them."""
    counted = at
    out[counted] = 0
    at += 1
    for row in range(1, last + 1):
        if story[row, 0] == kind:
            out[counted] += 1
            for fact in range(facts):
                out[at] = story[row, 2 + fact]
                at += 1
    return at


# --- everything that a seat may choose ------------------------------------------------------------------------------

LIST_OFFER = INT(BYTES, COMPONENTS, INT, BYTES, STORY, NUMBERS)

HELD_AT, BARE_AT, DISCARD_KINDS_AT, KINDS_AT = range(4)
"""An offer in numbers: slots with cards, slots with cards without symbols, discard tokens that the seat has; then for
each symbol the tokens that may accompany a move with it. All are sets of bits."""
RESET_AT = KINDS_AT + SYMBOLS
"""Then what a reset leads to, and each symbol that the seat may move by (`write_symbol`), with the number of card sets
that make a move without a token, these sets, the longest of them, and what that one leads to."""

WITH_CROWD = 1 << HAND
"""Stands in a set of slots for the crowd card."""
NO_WILD = -1
"""Stands for the slots that a wild may change, where none can be laid."""
SYMBOL_FIGURES = 5
"""Numbers about a symbol that `write_symbol` writes before how often each card shows it."""

_MOST_SETS = 2 * sum((HAND, HAND * (HAND - 1) // 2, HAND * (HAND - 1) * (HAND - 2) // 6))
LONGEST_OFFER = RESET_AT + LONGEST_BREAKDOWN + SYMBOLS * (SYMBOL_FIGURES + HAND + _MOST_SETS + 2 + LONGEST_BREAKDOWN)
"""More numbers than an offer has."""


@entry(LIST_OFFER)
def list_offer(race_bytes, edition_bytes, seat, work_bytes, story, out):
    """Write everything that the seat may choose, and what it leads to; return how many numbers.

    The race stays as it is: choices are made in `work_bytes`.
    """
    race, edition = fields(work_bytes, RACE), fields(edition_bytes, EDITION)
    work_bytes[:] = race_bytes
    clear_choice(race, seat)
    out[HELD_AT] = race.held[seat]
    out[BARE_AT] = race.bare[seat]
    out[DISCARD_KINDS_AT] = held_kinds(race, seat) & edition.discard_kinds
    alone = symbol_options(race, edition, seat)
    write_kinds(race, edition, seat, out)
    race.token[seat] = NOTHING
    race.symbol[seat] = RESET
    race.played[seat] = race.held[seat] & -race.held[seat]
    at = write_breakdown(work_bytes, edition_bytes, seat, story, out, RESET_AT)
    for symbol in range(SYMBOLS):
        possible = alone >> (DO_SYMBOL + symbol) & 1
        if possible or out[KINDS_AT + symbol]:
            work_bytes[:] = race_bytes
            clear_choice(race, seat)
            race.symbol[seat] = symbol
            at = write_symbol(race, edition, seat, whole(out[KINDS_AT + symbol]), out, at)
            sets = at + 1
            at = write_sets(race, edition, seat, out, sets) if possible else sets
            out[sets - 1] = at - sets
            if at > sets:
                out[at] = longest(race, edition, seat, out, sets, at)
                play_set(race, seat, whole(out[at]))
                at = write_breakdown(work_bytes, edition_bytes, seat, story, out, at + 1)
    return at


@kernel
def write_kinds(race: RaceRecord, edition: EditionRecord, seat, out):
    """Write for each symbol the tokens that may accompany a move with it."""
    for symbol in range(SYMBOLS):
        out[KINDS_AT + symbol] = 0
    kinds = token_options(race, edition, seat) >> DO_TOKEN & ((1 << KINDS) - 1)
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        race.token[seat] = kind
        symbols = symbol_options(race, edition, seat) >> DO_SYMBOL
        while symbols:
            out[KINDS_AT + lowest_bit(symbols)] |= 1 << kind
            symbols &= symbols - 1


@kernel
def write_symbol(race: RaceRecord, edition: EditionRecord, seat, kinds, out, at):
    """Write the symbol of a move, how often the crowd card shows it, the slots that a wild may change without and with
    the crowd card, the slots that show the symbol, and how often each does; return the index after them."""
    symbol = race.symbol[seat]
    matches = race.matches[seat, symbol]
    out[at] = symbol
    out[at + 1] = edition.shows[race.crowd[0], symbol]
    write_wild(race, edition, seat, kinds & edition.wild_kinds, out, at + 2)
    out[at + 4] = matches
    at += SYMBOL_FIGURES
    while matches:
        out[at] = edition.shows[race.hand[seat, lowest_bit(matches)], symbol]
        matches &= matches - 1
        at += 1
    return at


@kernel
def write_wild(race: RaceRecord, edition: EditionRecord, seat, wilds, out, at):
    """Write the slots that a wild may change, without and with the crowd card; NO_WILD if the seat can lay none."""
    out[at] = out[at + 1] = 0 if wilds else NO_WILD
    if wilds:
        race.token[seat] = lowest_bit(wilds)
        answers = crowd_options(race, edition, seat)
        for crowd in range(2):
            if answers >> (DO_CROWD if crowd else DO_NO_CROWD) & 1:
                race.with_crowd[seat] = crowd
                out[at + crowd] = wild_options(race, edition, seat) >> DO_SLOT
        race.with_crowd[seat] = 0
        race.token[seat] = NOTHING


@kernel
def write_sets(race: RaceRecord, edition: EditionRecord, seat, out, at):
    """Write the card sets that make a move with the seat's symbol, in the order of their steps: those with the crowd
    card first, each set after those that add a card to it. Returns the index after them."""
    answers = crowd_options(race, edition, seat)
    for crowd in range(1, -1, -1):
        if answers >> (DO_CROWD if crowd else DO_NO_CROWD) & 1:
            race.with_crowd[seat] = crowd
            at = write_hand_sets(race, edition, seat, WITH_CROWD if crowd else 0, out, at)
    return at


LEVEL_BITS = DO_DONE - DO_SLOT + 1
"""Bits of the steps at one level of a search through card sets: the slots, and to be done."""


@kernel
def write_hand_sets(race: RaceRecord, edition: EditionRecord, seat, crowd, out, at):
    """The sets of `write_sets` with or without the crowd card, which `crowd` stands for in each of them.

    A search in depth. `levels` holds the steps that are left at each level, those after the cards taken so far lowest.
    """
    played = 0
    race.played[seat] = 0
    levels = card_options(race, edition, seat) >> DO_SLOT
    while levels:
        slots = levels & ALL_SLOTS
        if slots:
            card = slots & -slots
            played |= card
            race.played[seat] = played
            levels = (levels ^ card) << LEVEL_BITS | card_options(race, edition, seat) >> DO_SLOT
        else:
            if levels & 1 << (DO_DONE - DO_SLOT):
                out[at] = played | crowd
                at += 1
            levels >>= LEVEL_BITS
            played &= under_highest(played)  # cards are taken from a to h, so the last is the highest
    return at


@kernel
def play_set(race: RaceRecord, seat, cards):
    """Make the set of cards that of the seat's move."""
    race.with_crowd[seat] = 1 if cards & WITH_CROWD else 0
    race.played[seat] = cards & ALL_SLOTS


@kernel
def longest(race: RaceRecord, edition: EditionRecord, seat, out, first, end):
    """The set with the most symbols between two indices; of several the smallest, and the first of these."""
    best = most = smallest = 0
    for at in range(first, end):
        cards = whole(out[at])
        play_set(race, seat, cards)
        symbols, _, _, _, _ = tally(race, edition, seat)
        size = count_bits(cards)
        if not best or symbols > most or (symbols == most and size < smallest):
            best, most, smallest = cards, symbols, size
    return best
