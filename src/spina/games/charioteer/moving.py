"""How a chariot moves: counting the move, spending its points, passing, corners, whips."""

from __future__ import annotations

from spina.games.charioteer.choosing import showing_cards
from spina.games.charioteer.state import (
    BLACK,
    FACE_ALL,
    HAND,
    LEARNING,
    NOTHING,
    PLUS,
    RECOVERY,
    RED,
    RESET,
    SHIELD,
    WHIP,
    YELLOW,
)
from spina.games.charioteer.telling import (
    ATTACKED,
    COUNTED,
    CUBE,
    PASSED,
    RECOVERED,
    STEPPED,
    WHIP_BLOCKED,
    WHIP_FIRST_TURN,
    WHIP_LEADS,
    WHIP_PASSED,
    WHIP_SPENT,
    WHIPPED,
)
from spina.kernel.compile import kernel
from spina.kernel.story import tell

# --- what the choice contains ---------------------------------------------------------------------------------------


@kernel
def count_icon(race, edition, seat, icon):
    """How often the icon is part of the seat's move or reset: hand cards but a changed one, crowd card, token.

    C12: the cards of a reset are not counted for anything.
    """
    if race.symbol[seat] == RESET:
        return 0
    total = 0
    for slot in range(HAND):
        if race.played[seat] >> slot & 1 and slot != race.wild_slot[seat]:
            if edition.icon[race.hand[seat, slot]] == icon:
                total += 1
    if race.with_crowd[seat] and edition.icon[race.crowd[0]] == icon:
        total += 1
    if race.token[seat] != NOTHING and edition.kind_icon[race.token[seat]] == icon:
        total += 1
    return total


@kernel
def matching_symbols(race, edition, seat):
    """How many of the move's symbol its cards show; a card changed by a wild shows two (C7)."""
    symbol = race.symbol[seat]
    total = 0
    for slot in range(HAND):
        if race.played[seat] >> slot & 1:
            if slot == race.wild_slot[seat]:
                total += edition.wild_symbols
            else:
                total += edition.shows[race.hand[seat, slot], symbol]
    if race.with_crowd[seat]:
        total += edition.shows[race.crowd[0], symbol]
    return total


@kernel
def token_bonus(race, edition, seat):
    """What a +3 or +5 token adds to the move."""
    token = race.token[seat]
    if token != NOTHING and edition.kind_icon[token] == PLUS:
        return edition.kind_value[token]
    return 0


@kernel
def skill_bonus(race, edition, seat, colour):
    """What the skill marker of this colour adds to a move."""
    return edition.skill_bonus[race.skill[seat, colour]]


@kernel
def move_colour(race, edition, seat):
    """The colour of the seat's move."""
    return edition.symbol_colour[race.symbol[seat]]


@kernel
def is_shielded(race, edition, seat):
    """Whether the move shows a shield."""
    return count_icon(race, edition, seat, SHIELD) > 0


# --- before the chariot moves ---------------------------------------------------------------------------------------


@kernel
def recoveries(race, edition, seat):
    """C9: a yellow move is one recovery, each recovery icon one more."""
    total = count_icon(race, edition, seat, RECOVERY)
    if move_colour(race, edition, seat) == YELLOW:
        total += 1
    return total


@kernel
def cubes_recovered(damage, times):
    """C9: one recovery removes half of the damage, rounded up; two or more remove all of it."""
    if times == 0:
        return 0
    if times == 1:
        return (damage + 1) // 2
    return damage


@kernel
def recover(race, edition, seat, story):
    """Remove damage before the move is counted."""
    times = recoveries(race, edition, seat)
    if times > 0 and race.damage[seat] > 0:
        removed = cubes_recovered(race.damage[seat], times)
        race.damage[seat] -= removed
        tell(story, RECOVERED, seat, removed, race.damage[seat], times)


@kernel
def count_move(race, edition, seat, story):
    """Symbols + number + token + skill - damage, never below zero."""
    number = edition.symbol_number[race.symbol[seat]]
    symbols = matching_symbols(race, edition, seat)
    token = token_bonus(race, edition, seat)
    skill = skill_bonus(race, edition, seat, move_colour(race, edition, seat))
    points = max(0, number + symbols + token + skill - race.damage[seat])
    tell(story, COUNTED, seat, number, symbols, token, skill, race.damage[seat], points)
    return points


@kernel
def attack_cubes(race, edition, seat):
    """C6: three cards that show the red symbol are a minor attack, four a major one."""
    if move_colour(race, edition, seat) != RED:
        return 0
    cards = showing_cards(race, edition, seat)
    if cards >= edition.major_cards:
        return edition.major_cubes
    if cards >= edition.minor_cards:
        return edition.minor_cubes
    return 0


@kernel
def place_cubes(race, edition, seat, cubes, by, story):
    """C8, C23: new cubes go to the attack boxes until these are full; a safe chariot takes none."""
    if race.safe[seat]:
        return
    for _ in range(cubes):
        if race.attack[seat] < edition.attack_boxes:
            race.attack[seat] += 1
            tell(story, CUBE, seat, by, race.attack[seat])


@kernel
def attack(race, edition, seat, story):
    """An attack hits every rival alike."""
    cubes = attack_cubes(race, edition, seat)
    if cubes > 0:
        tell(story, ATTACKED, seat, cubes, showing_cards(race, edition, seat))
        for rival in range(race.seats):
            if rival != seat:
                place_cubes(race, edition, rival, cubes, seat, story)


# --- on the track ---------------------------------------------------------------------------------------------------


@kernel
def finish(edition):
    """C26: the progress at which a chariot has gone all laps beyond the line."""
    return edition.laps * edition.spaces


@kernel
def next_stop(edition, progress, cornering):
    """The progress of the next space to enter.

    A cornering move enters no outer spaces; neither does anyone beyond the line of the last lap (C14).
    """
    stop = progress + 1
    while edition.outer[stop % edition.spaces] and (cornering or stop >= finish(edition)):
        stop += 1
    return stop


@kernel
def stands_at(race, edition, seat, progress):
    """C21: whether the chariot stands in this space of the track, in whatever lap."""
    apart = race.progress[seat] - progress
    if -edition.spaces < apart < edition.spaces:  # the usual case, without a division
        return apart == 0
    return apart % edition.spaces == 0


@kernel
def advance(race, edition, seat, stop, whipped, story):
    """C2, C19: leave the space, whose gap closes, and stand outside everyone in the next."""
    for rival in range(race.seats):
        if rival != seat and stands_at(race, edition, rival, race.progress[seat]):
            if race.lane[rival] > race.lane[seat]:
                race.lane[rival] -= 1
    race.progress[seat] = stop
    lane = 0
    for rival in range(race.seats):
        if rival != seat and stands_at(race, edition, rival, stop):
            lane += 1
    race.lane[seat] = lane
    tell(story, STEPPED, seat, stop, stop % edition.spaces, lane, whipped)


@kernel
def pass_inside(race, edition, seat, story):
    """C2: swap with the nearest rival to the inside."""
    for rival in range(race.seats):
        if rival != seat and race.lane[rival] == race.lane[seat] - 1:
            if stands_at(race, edition, rival, race.progress[seat]):
                race.lane[rival] += 1
                race.lane[seat] -= 1
                tell(story, PASSED, seat, rival, 0)
                return


@kernel
def skipped_rivals(race, edition, seat, stop, story):
    """C10, C20: rivals on the outer spaces that a step to `stop` skips; they count as passed, and cost nothing."""
    total = 0
    for progress in range(race.progress[seat] + 1, stop):
        for rival in range(race.seats):
            if rival != seat and stands_at(race, edition, rival, progress):
                total += 1
                tell(story, PASSED, seat, rival, 1)
    return total


@kernel
def move_regularly(race, edition, seat, points, story):
    """Spend all points (C19): pass whoever stands to the inside, else go on. Returns how many were passed."""
    cornering = move_colour(race, edition, seat) == BLACK
    passed = 0
    for _ in range(points):
        if race.lane[seat] > 0 and race.turn > 1:
            pass_inside(race, edition, seat, story)
            passed += 1
        else:  # C3: on the first turn rivals never cost points
            stop = next_stop(edition, race.progress[seat], cornering)
            if race.turn > 1:
                passed += skipped_rivals(race, edition, seat, stop, story)
            advance(race, edition, seat, stop, 0, story)
    return passed


@kernel
def is_ahead(race, seat, rival):
    """C1: further along, and within a space to the inside."""
    if race.progress[seat] != race.progress[rival]:
        return race.progress[seat] > race.progress[rival]
    return race.lane[seat] < race.lane[rival]


@kernel
def leads(race, seat):
    """C21: whether nobody is ahead, by total distance."""
    for rival in range(race.seats):
        if rival != seat and is_ahead(race, rival, seat):
            return False
    return True


@kernel
def would_pass(race, edition, seat, stop):
    """C10: whether the next step would carry the chariot past a rival, inside its space or on skipped ones."""
    if race.lane[seat] > 0:
        return True
    for progress in range(race.progress[seat] + 1, stop):
        for rival in range(race.seats):
            if rival != seat and stands_at(race, edition, rival, progress):
                return True
    return False


@kernel
def use_whips(race, edition, seat, passed, story):
    """C10, C22: after the regular move, up to five spaces for each whip, but past nobody."""
    whips = count_icon(race, edition, seat, WHIP)
    if whips == 0:
        return
    run = 0
    ended = WHIP_SPENT
    if race.turn == 1:
        ended = WHIP_FIRST_TURN
    elif passed > 0:
        ended = WHIP_PASSED
    elif leads(race, seat):
        ended = WHIP_LEADS
    else:
        cornering = move_colour(race, edition, seat) == BLACK
        while run < whips * edition.whip_spaces:
            stop = next_stop(edition, race.progress[seat], cornering)
            if would_pass(race, edition, seat, stop):
                ended = WHIP_BLOCKED
                break
            advance(race, edition, seat, stop, 1, story)
            run += 1
    tell(story, WHIPPED, seat, whips, run, ended)


@kernel
def learning_steps(race, edition, seat):
    """C11: one step, one more if the emperor asks for it, one more for every learning icon."""
    total = 1 + count_icon(race, edition, seat, LEARNING)
    if race.die == move_colour(race, edition, seat) or race.die == FACE_ALL:
        total += 1
    return total
