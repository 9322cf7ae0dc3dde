"""Candidates: the choices that learned policies and the search compare, and the features that describe them.

For each symbol these are the best sets of one, two and three cards by the competent driver's valuation, the best of
them with each token that suits it, and wilds and resets as that driver would play them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.charioteer.bots.appraisal import MIND, appraise, price_of_cards, spaces_gained, worth
from spina.games.charioteer.bots.drivers import (
    BEST,
    GIVEN,
    WORST,
    consider,
    copy_choice,
    crowd_taken,
    hand_cards_needed,
    keeps_to,
    next_step,
    note_given,
    plays_wild_already,
    restore_given,
    search_resets,
    search_wild,
    suits,
)
from spina.games.charioteer.rules.choice import feasible_symbols, held_kinds, take_step
from spina.games.charioteer.rules.movement import (
    attack_cubes,
    cubes_recovered,
    finish,
    is_ahead,
    move_colour,
    move_length,
    place_after,
    tally,
)
from spina.games.charioteer.rules.record import (
    AT_CARDS,
    AT_SYMBOL,
    AT_TOKEN,
    BLACK,
    COLOURS,
    EDITION,
    FACE_ALL,
    LEARNING,
    NOTHING,
    PLUS,
    RACE,
    READY,
    RECOVERY,
    RESET,
    SHIELD,
    SYMBOLS,
    WHIP,
    WILD,
)
from spina.kernel import interface
from spina.kernel.bits import count_bits, lowest_bit
from spina.kernel.compiler import entry, kernel
from spina.kernel.policy_network import MOST_CANDIDATES, PolicySize
from spina.kernel.record import fields

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

CARD_COUNTS = 3
"""Numbers of cards of which the best set is a candidate."""

# --- features of the situation --------------------------------------------------------------------------------------

(
    TO_GO,  # share of the way that the seat has to go
    DAMAGE,
    ATTACK,
    SKILL,  # by colour: the marker's place
    BONUS,  # by colour: the skill bonus
    TURNS_LEFT,
    SOON,  # how much things that pay off in the next turns count
    TRAILS,
    RANK,
    BEHIND_FIRST,
    BEHIND_NEXT,
    BEFORE_NEXT,
    NEAR,  # rivals within 5 spaces ahead
    WITHIN_REACH,  # rivals within 10 spaces ahead
    SEATS,
    FACE,  # of the emperor die, one of FACES
    TOKENS,
    FANS,
    WILDS,
    RIVALS_ATTACK,
    RIVALS_DAMAGE,
    RIVALS_BONUSES,
    BONUSES,
    MATCHES,  # most cards of the hand that share a symbol
) = (0, 1, 2, 3, 7, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 27, 28, 29, 30, 31, 32, 33, 34)
FACES = 6
SITUATION = 35

# --- features of a candidate ----------------------------------------------------------------------------------------

(
    C_SPACES,
    C_LESSONS_WORTH,
    C_BONUS,
    C_LESSONS,
    C_FAN,
    C_ATTACK,
    C_HEALED,
    C_SHIELD,
    C_SHIELDED,  # cubes in the attack boxes that a shield or a reset clears
    C_CHASE,  # whips, when not in the lead
    C_WHIPS,
    C_RESET,
    C_CLEARED,  # cubes that a reset clears
    C_TOKEN,  # by icon of the token, from PLUS to RECOVERY as in ICONS
    C_FAN_TOKEN,
    C_CARDS,
    C_KEPT_LESS,  # what the cards played promised
    C_PAIRS,  # most cards left that share a symbol
    C_MOVES,  # symbols that two cards left share
    C_COLOUR,  # one of four
    C_SYMBOLS,
    C_POINTS,
    C_WORTH,  # against the best candidate, in the competent driver's eyes
    C_BEST,
    C_HOME,  # crosses the line of the last lap
    C_BEYOND,  # spaces beyond it
    C_OVERTAKEN,  # rivals that stand within its spaces
    C_BEHIND,  # spaces behind the foremost rival then
    C_ASKED,  # the emperor asks for its colour
) = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 19, 20, 21, 22, 23, 24, 28, 29, 30, 31, 32, 33, 34, 35, 36)
ICONS = (PLUS, WILD, LEARNING, SHIELD, WHIP, RECOVERY)
CANDIDATE = 37
SIZE = PolicySize(SITUATION, CANDIDATE)

CUBES, BONUS_POINTS, SPACES, FAR, PLACES, TOKEN_COUNT, TURNS = 5.0, 5.0, 10.0, 20.0, 3.0, 5.0, 20.0
"""Units of the features."""
CLOSE, REACH = 5, 10
"""Spaces ahead within which rivals are counted."""


# --- listing --------------------------------------------------------------------------------------------------------


@kernel
def note(race: RaceRecord, edition: EditionRecord, seat, played, mind, given, slot):
    """Keep the considered choice with these cards in `slot` if it agrees with `given` and is better than that there."""
    race.played[seat] = played
    if not keeps_to(race, seat, given):
        return
    value = worth(race, edition, seat, mind)
    if value > slot.value:
        slot.value = value
        slot.token = race.token[seat]
        slot.symbol = race.symbol[seat]
        slot.with_crowd = race.with_crowd[seat]
        slot.wild_slot = race.wild_slot[seat]
        slot.played = played


@kernel
def close_gaps(found, first, last):
    """Move the choices among slots `first` to `last - 1` together; returns the slot after them."""
    count = first
    for i in range(first, last):
        if found[i].value > WORST:
            if i != count:
                copy_choice(found[i], found[count])
            count += 1
    return count


@kernel
def list_cards(race: RaceRecord, edition: EditionRecord, seat, token, symbol, mind, given, found, count):
    """List the best sets of one, two and three cards for this symbol and token; returns the new number of choices."""
    if count + CARD_COUNTS > MOST_CANDIDATES:
        return count
    for i in range(count, count + CARD_COUNTS):
        found[i].value = WORST
    matches = race.matches[seat, symbol]
    crowd = crowd_taken(race, edition, symbol, given)
    needed = hand_cards_needed(race, edition, symbol, crowd)
    consider(race, seat, token, symbol, crowd, NOTHING)
    one = matches | race.bare[seat]
    while one:
        first = one & -one
        one &= ~first
        if count_bits(first & matches) >= needed:
            note(race, edition, seat, first, mind, given, found[count])
        two = one
        while two:
            second = two & -two | first
            two &= ~second
            if count_bits(second & matches) >= needed:
                note(race, edition, seat, second, mind, given, found[count + 1])
            three = two
            while three:
                third = three & -three | second
                three &= ~third
                if count_bits(third & matches) >= needed:
                    note(race, edition, seat, third, mind, given, found[count + 2])
    return close_gaps(found, count, count + CARD_COUNTS)


@kernel
def best_of(found, first, last):
    """The slot from `first` to `last - 1` with the choice worth most."""
    best = first
    for i in range(first + 1, last):
        if found[i].value > found[best].value:
            best = i
    return best


@kernel
def list_tokens(race: RaceRecord, edition: EditionRecord, seat, tokens, basis, mind, given, found, count):
    """List the choice in slot `basis` with each of these tokens that suits it; returns the new number of choices."""
    while tokens and count < MOST_CANDIDATES:
        token = lowest_bit(tokens)
        tokens &= tokens - 1
        if suits(edition, token, found[basis].symbol):
            consider(race, seat, token, found[basis].symbol, found[basis].with_crowd, NOTHING)
            found[count].value = WORST
            note(race, edition, seat, found[basis].played, mind, given, found[count])
            count = close_gaps(found, count, count + 1)
    return count


@kernel
def list_choices(race: RaceRecord, edition: EditionRecord, seat, mind, given, found):
    """Write the candidates that agree with the steps taken already to `found`; returns their number.

    Leaves the last considered choice in the race.
    """
    appraise(race, edition, seat, mind)
    wild_given = plays_wild_already(edition, given)
    held = held_kinds(race, seat)
    feasible = feasible_symbols(race, edition, seat, False)
    with_wild = feasible_symbols(race, edition, seat, True)
    found[0].value = WORST
    search_resets(race, edition, seat, mind, given, found[0])
    count = close_gaps(found, 0, 1)
    for symbol in range(SYMBOLS):
        if given.stage > AT_SYMBOL and symbol != given.symbol:
            continue
        if with_wild >> symbol & 1 and (given.stage == AT_TOKEN or wild_given):
            wilds = held & edition.wild_kinds
            while wilds and count < MOST_CANDIDATES:
                token = lowest_bit(wilds)
                wilds &= wilds - 1
                if suits(edition, token, symbol):
                    found[count].value = WORST
                    search_wild(race, edition, seat, token, symbol, mind, given, found[count])
                    count = close_gaps(found, count, count + 1)
        if wild_given or not feasible >> symbol & 1:
            continue
        first = NOTHING if given.stage == AT_TOKEN else given.token
        if first != NOTHING and not suits(edition, first, symbol):
            continue
        before = count
        count = list_cards(race, edition, seat, first, symbol, mind, given, found, count)
        if given.stage == AT_TOKEN and count > before:
            basis, tokens = best_of(found, before, count), held & ~edition.wild_kinds
            count = list_tokens(race, edition, seat, tokens, basis, mind, given, found, count)
    return count


# --- describing -----------------------------------------------------------------------------------------------------


@kernel
def mean_of_rivals(values, seats, seat):
    """The mean of a number over the rivals of a seat."""
    total = 0
    for rival in range(seats):
        if rival != seat:
            total += values[rival]
    return total / (seats - 1.0)


@kernel
def bonus_points(race: RaceRecord, edition: EditionRecord, seat):
    """The sum of a seat's skill bonuses."""
    total = 0
    for colour in range(COLOURS):
        total += edition.skill_bonus[race.skill[seat, colour]]
    return total


@kernel
def most_matches(race: RaceRecord, seat, slots):
    """The most of these cards that share a symbol, and the number of symbols that two of them share."""
    most, moves = 0, 0
    for symbol in range(SYMBOLS):
        cards = count_bits(race.matches[seat, symbol] & slots)
        most = max(most, cards)
        if cards >= 2:
            moves += 1
    return most, moves


@kernel
def describe_tokens(race: RaceRecord, edition: EditionRecord, seat, out):
    """Write how many tokens, fan tokens and wilds the seat holds."""
    tokens, fans, wilds = 0, 0, 0
    for kind in range(edition.kinds):
        held = race.tokens[seat, kind]
        if edition.kind_fan[kind]:
            fans += held
        else:
            tokens += held
        if edition.kind_icon[kind] == WILD:
            wilds += held
    out[TOKENS], out[FANS], out[WILDS] = tokens / TOKEN_COUNT, fans / TOKEN_COUNT, wilds / TOKEN_COUNT


@kernel
def describe_gaps(race: RaceRecord, seat, out):
    """Write where the rivals are."""
    own, rank, foremost = race.progress[seat], 0, race.progress[seat]
    ahead, behind = FAR, FAR
    for rival in range(race.seats):
        if rival == seat:
            continue
        gap = race.progress[rival] - own
        foremost = max(foremost, race.progress[rival])
        if is_ahead(race, rival, seat):
            rank += 1
            ahead = min(ahead, gap * 1.0)
        else:
            behind = min(behind, -gap * 1.0)
        if 0 <= gap <= CLOSE:
            out[NEAR] += 1.0 / PLACES
        if 0 <= gap <= REACH:
            out[WITHIN_REACH] += 1.0 / PLACES
    out[RANK] = rank / (race.seats - 1.0)
    out[BEHIND_FIRST] = min(2.0, (foremost - own) / FAR)
    out[BEHIND_NEXT] = ahead / FAR if rank > 0 else 0.0
    out[BEFORE_NEXT] = behind / FAR


@kernel
def describe_situation(race: RaceRecord, edition: EditionRecord, seat, mind, out):
    """Write the features of the seat's situation, from what it can see."""
    out[:SITUATION] = 0.0
    length = finish(edition) * 1.0
    out[TO_GO] = (length - race.progress[seat]) / length
    out[DAMAGE], out[ATTACK] = race.damage[seat] / CUBES, race.attack[seat] / CUBES
    best = 0
    for rival in range(race.seats):
        if rival != seat:
            best = max(best, bonus_points(race, edition, rival))
    for colour in range(COLOURS):
        place = race.skill[seat, colour]
        out[SKILL + colour] = place / (edition.skill_spaces + 1.0)
        out[BONUS + colour] = edition.skill_bonus[place] / BONUS_POINTS
    out[TURNS_LEFT], out[SOON], out[TRAILS] = mind.left / TURNS, mind.soon, mind.trails * 1.0
    describe_gaps(race, seat, out)
    out[SEATS] = race.seats / 6.0
    if race.die < FACES:
        out[FACE + race.die] = 1.0
    describe_tokens(race, edition, seat, out)
    out[RIVALS_ATTACK] = mean_of_rivals(race.attack, race.seats, seat) / CUBES
    out[RIVALS_DAMAGE] = mean_of_rivals(race.damage, race.seats, seat) / CUBES
    out[RIVALS_BONUSES] = best / FAR
    out[BONUSES] = bonus_points(race, edition, seat) / FAR
    most, _ = most_matches(race, seat, race.held[seat])
    out[MATCHES] = most / PLACES


@kernel
def describe_token(edition: EditionRecord, token, features, k):
    """Write which token candidate k plays."""
    if token == NOTHING:
        return
    icon = edition.kind_icon[token]
    for i in range(len(ICONS)):
        if icon == ICONS[i]:
            features[k, C_TOKEN + i] = edition.kind_value[token] / BONUS_POINTS if icon == PLUS else 1.0
    features[k, C_FAN_TOKEN] = 1.0 * edition.kind_fan[token]


@kernel
def describe_way(race: RaceRecord, edition: EditionRecord, seat, spaces, features, k):
    """Write where candidate k leads if the rivals stay where they are."""
    own, foremost = race.progress[seat], -finish(edition)
    then = own + spaces
    features[k, C_SPACES] = spaces / SPACES
    if then >= finish(edition):
        features[k, C_HOME], features[k, C_BEYOND] = 1.0, (then - finish(edition)) / SPACES
    for rival in range(race.seats):
        if rival != seat:
            foremost = max(foremost, race.progress[rival])
            if own <= race.progress[rival] <= then and is_ahead(race, rival, seat):
                features[k, C_OVERTAKEN] += 1.0 / PLACES
    features[k, C_BEHIND] = max(-2.0, min(2.0, (foremost - then) / FAR))


@kernel
def describe_move(race: RaceRecord, edition: EditionRecord, seat, mind, features, k):
    """Write the features of candidate k, a move that is in the race as the seat's choice."""
    symbols, shields, whips, cures, lessons = tally(race, edition, seat)
    colour = move_colour(race, edition, seat)
    healed = cubes_recovered(race.damage[seat], cures)
    points = move_length(race, edition, seat, symbols, race.damage[seat] - healed)
    describe_way(race, edition, seat, spaces_gained(race, edition, seat, points, colour == BLACK), features, k)
    features[k, C_LESSONS_WORTH] = mind.learning[colour, lessons] / SPACES
    place = race.skill[seat, colour]
    then = place
    for _ in range(lessons):
        then = place_after(race, edition, seat, then)
    features[k, C_BONUS] = (edition.skill_bonus[then] - edition.skill_bonus[place]) / BONUS_POINTS
    features[k, C_LESSONS] = (then - place) / PLACES
    if symbols >= edition.fan_symbols:
        features[k, C_FAN] = 1.0
    features[k, C_ATTACK] = attack_cubes(race, edition, seat) / 2.0
    features[k, C_HEALED] = healed / CUBES
    if shields > 0:
        features[k, C_SHIELD], features[k, C_SHIELDED] = 1.0, race.attack[seat] / PLACES
    features[k, C_WHIPS], features[k, C_CHASE] = 1.0 * whips, 1.0 * whips * mind.trails
    features[k, C_COLOUR + colour] = 1.0
    features[k, C_SYMBOLS], features[k, C_POINTS] = symbols / CUBES, points / SPACES
    if race.die == colour or race.die == FACE_ALL:
        features[k, C_ASKED] = 1.0


@kernel
def describe_choices(race: RaceRecord, edition: EditionRecord, seat, mind, found, count, features):
    """Write the features of all candidates."""
    highest = found[best_of(found, 0, count)].value
    for k in range(count):
        features[k, :CANDIDATE] = 0.0
        choice = found[k]
        consider(race, seat, choice.token, choice.symbol, choice.with_crowd, choice.wild_slot)
        race.played[seat] = choice.played
        if choice.symbol == RESET:
            features[k, C_RESET] = 1.0
            features[k, C_CLEARED] = (race.damage[seat] + race.attack[seat]) / CUBES
            features[k, C_SHIELDED] = race.attack[seat] / PLACES
            describe_way(race, edition, seat, 0, features, k)
        else:
            describe_move(race, edition, seat, mind, features, k)
            describe_token(edition, choice.token, features, k)
        features[k, C_CARDS] = count_bits(choice.played) / PLACES
        features[k, C_KEPT_LESS] = price_of_cards(choice.played, mind.keep) / CUBES
        most, moves = most_matches(race, seat, race.held[seat] & ~choice.played)
        features[k, C_PAIRS], features[k, C_MOVES] = most / PLACES, moves / CUBES
        features[k, C_WORTH] = max(-4.0, (choice.value - highest) / SPACES)
        if choice.value == highest:
            features[k, C_BEST] = 1.0


# --- from choices to plans ------------------------------------------------------------------------------------------


@kernel
def write_steps(race: RaceRecord, edition: EditionRecord, seat, given, choice, steps):
    """Write the steps from those taken already to the end of the choice; returns their number."""
    restore_given(race, seat, given)
    count = 0
    while race.stage[seat] != READY and count < len(steps):
        step = next_step(race, edition, seat, choice, True)
        if not race.options[seat] >> step & 1:
            step = lowest_bit(race.options[seat])  # no candidate agrees with the steps given: take any
        steps[count] = step
        count += 1
        take_step(race, edition, seat, step)
    restore_given(race, seat, given)
    return count


@kernel
def find_candidates(race: RaceRecord, edition: EditionRecord, seat, mind, given, found, situation, features):
    """List the candidates and describe them; returns their number, 0 where only a discard is left to choose.

    The seat's choice in the race is left as `restore_given` must find it.
    """
    note_given(race, seat, given)
    if given.stage > AT_CARDS:
        return 0
    count = list_choices(race, edition, seat, mind, given, found)
    if count > 0:
        describe_situation(race, edition, seat, mind, situation)
        describe_choices(race, edition, seat, mind, found, count, features)
    restore_given(race, seat, given)
    return count


@kernel
def write_candidates(
    race: RaceRecord, edition: EditionRecord, seat, minds, givens, found, plans, lengths, situation, features
):
    """`list_candidates` with the memory that it needs."""
    count = find_candidates(race, edition, seat, minds[0], givens[0], found, situation, features)
    for k in range(count):
        lengths[k] = write_steps(race, edition, seat, givens[0], found[k], plans[k])
    return count


@entry(interface.LIST_CANDIDATES)
def list_candidates(race_bytes, edition_bytes, seat, plans, lengths, situation, features):
    """Write the candidates of the seat's choice, their steps and features, and the features of the situation."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    minds, givens, found = np.zeros(1, MIND), np.zeros(1, GIVEN), np.zeros(MOST_CANDIDATES, BEST)
    return write_candidates(race, edition, seat, minds, givens, found, plans, lengths, situation, features)
