"""How a chariot moves: counting the move, spending its points, passing, corners, whips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.charioteer.rules.choice import showing_cards
from spina.games.charioteer.rules.event_kinds import (
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
from spina.games.charioteer.rules.record import (
    BLACK,
    COLOURS,
    EMPTYING,
    FACE_ALL,
    FIRST_TURN,
    ICON_BITS,
    LEARNING,
    NOTHING,
    PLUS,
    RECOVERY,
    RED,
    SHIELD,
    WHIP,
    YELLOW,
)
from spina.kernel.bits import lowest_bit
from spina.kernel.compiler import kernel
from spina.kernel.narration import listens, silence, tell

if TYPE_CHECKING:
    from spina.games.charioteer.rules.record_types import EditionRecord, RaceRecord

# --- what a move consists of ----------------------------------------------------------------------------------------


@kernel
def token_bonus(race: RaceRecord, edition: EditionRecord, seat):
    """What a +3 or +5 token adds to the move."""
    token = race.token[seat]
    if token != NOTHING and edition.kind_icon[token] == PLUS:
        return edition.kind_value[token]
    return 0


@kernel
def skill_bonus(race: RaceRecord, edition: EditionRecord, seat, colour):
    """What the skill marker of this colour adds to a move."""
    return edition.skill_bonus[race.skill[seat, colour]]


@kernel
def move_colour(race: RaceRecord, edition: EditionRecord, seat):
    """The colour of the seat's move."""
    return edition.symbol_colour[race.symbol[seat]]


@kernel
def icons_of(icons, icon):
    """How many of one of CARD_ICONS there are among icons that are counted together (`EDITION.brings`)."""
    return icons >> ICON_BITS * (icon - SHIELD) & ((1 << ICON_BITS) - 1)


@kernel
def tally(race: RaceRecord, edition: EditionRecord, seat):
    """Count what the cards, the crowd card and the token of a move bring.

    Returns: matching symbols; shields; whips; recoveries, of which a yellow move is one (C9); steps on the skills
    track: one, one more if the emperor asks for the colour, one for each learning icon (C11). Icons on the crowd card
    count for each seat that includes it (C5).
    """
    symbol = race.symbol[seat]
    symbols = icons = 0
    bits = race.played[seat]
    if race.wild_slot[seat] != NOTHING:  # C7: the changed card shows only the move's symbol
        bits &= ~(1 << race.wild_slot[seat])
        symbols += edition.wild_symbols
    while bits:
        card = race.hand[seat, lowest_bit(bits)]
        bits &= bits - 1
        symbols += edition.shows[card, symbol]
        icons += edition.brings[card]
    if race.with_crowd[seat]:
        symbols += edition.shows[race.crowd[0], symbol]
        icons += edition.brings[race.crowd[0]]
    if race.token[seat] != NOTHING:
        icons += edition.kind_brings[race.token[seat]]
    shields, whips = icons_of(icons, SHIELD), icons_of(icons, WHIP)
    cures, lessons = icons_of(icons, RECOVERY), 1 + icons_of(icons, LEARNING)
    colour = edition.symbol_colour[symbol]
    if colour == YELLOW:
        cures += 1
    if race.die == colour or race.die == FACE_ALL:
        lessons += 1
    return symbols, shields, whips, cures, lessons


# --- before the chariot moves ---------------------------------------------------------------------------------------


@kernel
def cubes_recovered(damage, times):
    """C9: one recovery removes half of the damage, rounded up; two or more remove all of it."""
    if times == 0:
        return 0
    if times >= EMPTYING:
        return damage
    return (damage + 1) // 2


@kernel
def recover(race: RaceRecord, seat, times, story):
    """C9: remove damage before the move is counted."""
    if times > 0 and race.damage[seat] > 0:
        removed = cubes_recovered(race.damage[seat], times)
        race.damage[seat] -= removed
        tell(story, RECOVERED, seat, removed, race.damage[seat], times)


@kernel
def move_length(race: RaceRecord, edition: EditionRecord, seat, symbols, damage):
    """Symbols + number + token + skill - damage, never below zero."""
    number = edition.symbol_number[race.symbol[seat]]
    token = token_bonus(race, edition, seat)
    skill = skill_bonus(race, edition, seat, move_colour(race, edition, seat))
    return max(0, number + symbols + token + skill - damage)


@kernel
def count_move(race: RaceRecord, edition: EditionRecord, seat, symbols, story):
    """The length of the seat's move, in points."""
    points = move_length(race, edition, seat, symbols, race.damage[seat])
    if listens(story):
        number = edition.symbol_number[race.symbol[seat]]
        token = token_bonus(race, edition, seat)
        skill = skill_bonus(race, edition, seat, move_colour(race, edition, seat))
        tell(story, COUNTED, seat, number, symbols, token, skill, race.damage[seat], points)
    return points


@kernel
def attack_cubes(race: RaceRecord, edition: EditionRecord, seat):
    """C6: cubes for each rival: a red move with three cards that show its symbol attacks, with four more strongly."""
    if move_colour(race, edition, seat) != RED:
        return 0
    cards = showing_cards(race, edition, seat)
    if cards >= edition.major_cards:
        return edition.major_cubes
    if cards >= edition.minor_cards:
        return edition.minor_cubes
    return 0


@kernel
def place_cubes(race: RaceRecord, edition: EditionRecord, seat, cubes, by, story):
    """C8, C23: put new cubes into the attack boxes until these are full; a safe chariot takes none."""
    if race.safe[seat]:
        return
    for _ in range(cubes):
        if race.attack[seat] < edition.attack_boxes:
            race.attack[seat] += 1
            tell(story, CUBE, seat, by, race.attack[seat])


@kernel
def attack(race: RaceRecord, edition: EditionRecord, seat, story):
    """C6: an attack hits each rival alike, wherever it is."""
    cubes = attack_cubes(race, edition, seat)
    if cubes > 0:
        tell(story, ATTACKED, seat, cubes, showing_cards(race, edition, seat))
        for rival in range(race.seats):
            if rival != seat:
                place_cubes(race, edition, rival, cubes, seat, story)


# --- on the track ---------------------------------------------------------------------------------------------------


@kernel
def finish(edition: EditionRecord):
    """C26: the progress at which a chariot has gone all laps beyond the line."""
    return edition.laps * edition.spaces


@kernel
def next_stop(edition: EditionRecord, progress, cornering):
    """The progress of the next space to enter.

    A cornering (black) move enters no outer spaces; no move does beyond the line of the last lap (C14).
    """
    stop = progress + 1
    while edition.outer[stop % edition.spaces] and (cornering or stop >= finish(edition)):
        stop += 1
    return stop


@kernel
def stands_at(race: RaceRecord, edition: EditionRecord, seat, progress):
    """C21: whether the chariot stands in this space of the track, in any lap."""
    apart = race.progress[seat] - progress
    if -edition.spaces < apart < edition.spaces:  # the usual case, without a division
        return apart == 0
    return apart % edition.spaces == 0


@kernel
def advance(race: RaceRecord, edition: EditionRecord, seat, stop, whipped, story):
    """C2, C19: leave the space, where the chariots outside close up, and stand outermost in the next."""
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
    if listens(story):
        tell(story, STEPPED, seat, stop, stop % edition.spaces, lane, whipped)


@kernel
def pass_inside(race: RaceRecord, edition: EditionRecord, seat, story):
    """C2, C20: exchange places with the nearest rival to the inside, who is then passed."""
    for rival in range(race.seats):
        if rival != seat and race.lane[rival] == race.lane[seat] - 1:
            if stands_at(race, edition, rival, race.progress[seat]):
                race.lane[rival] += 1
                race.lane[seat] -= 1
                tell(story, PASSED, seat, rival, 0)
                return


@kernel
def skipped_rivals(race: RaceRecord, edition: EditionRecord, seat, stop, story):
    """C10, C20, C31: number of rivals on the outer spaces that a step to `stop` skips; they count as passed."""
    total = 0
    for progress in range(race.progress[seat] + 1, stop):
        for rival in range(race.seats):
            if rival != seat and stands_at(race, edition, rival, progress):
                total += 1
                tell(story, PASSED, seat, rival, 1)
    return total


@kernel
def move_regularly(race: RaceRecord, edition: EditionRecord, seat, points, story):
    """C2, C19: spend all points, each on passing the rival to the inside or else on a step; return rivals passed."""
    cornering = move_colour(race, edition, seat) == BLACK
    passed = 0
    while points > 0:
        if race.lane[seat] > 0 and race.turn > FIRST_TURN:
            pass_inside(race, edition, seat, story)
            passed += 1
            points -= 1
        elif not listens(story) and evenly(edition, race.progress[seat], points, cornering):
            steps, skipped = run(race, edition, seat, points, cornering)
            passed += skipped
            points -= steps
        else:  # C3: on the first turn rivals never cost points
            stop = next_stop(edition, race.progress[seat], cornering)
            if race.turn > FIRST_TURN:
                passed += skipped_rivals(race, edition, seat, stop, story)
            advance(race, edition, seat, stop, 0, story)
            points -= 1
    return passed


# --- many steps at once ---------------------------------------------------------------------------------------------
# Where no event has to be told for every step, a chariot goes to the next space with a rival at once: the steps in
# between change nothing. `tests/charioteer/test_running.py` compares `run` with single steps.


@kernel
def evenly(edition: EditionRecord, progress, points, cornering):
    """Whether the stops of the next steps are as in every lap; beyond the line of the last lap they are not (C14)."""
    return cornering or progress + points < finish(edition)


@kernel
def space_of(edition: EditionRecord, progress):
    """The space of the track, without a division: that costs as much as all the rest of a move."""
    while progress >= edition.spaces:
        progress -= edition.spaces
    while progress < 0:
        progress += edition.spaces
    return progress


@kernel
def free_steps(race: RaceRecord, edition: EditionRecord, seat, points, cornering):
    """C2: steps until the points are spent or a rival's space is entered; C3: on the first turn, all points."""
    if race.turn == FIRST_TURN:
        return points
    way = 1 if cornering else 0
    here = edition.stop_number[way, space_of(edition, race.progress[seat])]
    steps = points
    for rival in range(race.seats):
        if rival != seat:
            space = space_of(edition, race.progress[rival])
            if not (cornering and edition.outer[space]):
                apart = edition.stop_number[way, space] - here
                steps = min(steps, apart if apart > 0 else apart + edition.stops[way])
    return steps


@kernel
def progress_after(edition: EditionRecord, progress, steps, cornering):
    """The progress after steps whose stops are those of every lap (`evenly`)."""
    way = 1 if cornering else 0
    space = space_of(edition, progress)
    stop = edition.stop_number[way, space] + steps
    line = progress - space
    while stop >= edition.stops[way]:
        stop -= edition.stops[way]
        line += edition.spaces
    return line + edition.stop_space[way, stop]


@kernel
def run(race: RaceRecord, edition: EditionRecord, seat, points, cornering):
    """C2, C19: take free steps at once; return their number, and how many rivals on outer spaces they skip (C20)."""
    steps = free_steps(race, edition, seat, points, cornering)
    begin = race.progress[seat]
    end = progress_after(edition, begin, steps, cornering)
    lane = skipped = 0
    for rival in range(race.seats):
        if rival != seat:
            ahead = space_of(edition, race.progress[rival] - begin)
            if ahead == 0 and race.lane[rival] > race.lane[seat]:
                race.lane[rival] -= 1
            if stands_at(race, edition, rival, end):
                lane += 1
            elif 0 < ahead < end - begin and race.turn > FIRST_TURN:
                skipped += 1
    race.progress[seat] = end
    race.lane[seat] = lane
    return steps, skipped


# --- whips ----------------------------------------------------------------------------------------------------------


@kernel
def is_ahead(race: RaceRecord, seat, rival):
    """C1: whether the chariot is ahead of the rival: further along, or in the same space nearer the inside."""
    if race.progress[seat] != race.progress[rival]:
        return race.progress[seat] > race.progress[rival]
    return race.lane[seat] < race.lane[rival]


@kernel
def leads(race: RaceRecord, seat):
    """C21: whether no rival is ahead, laps included."""
    for rival in range(race.seats):
        if rival != seat and is_ahead(race, rival, seat):
            return False
    return True


@kernel
def would_pass(race: RaceRecord, edition: EditionRecord, seat, stop):
    """C10: whether the next step would pass a rival: one to the inside, or on a skipped outer space."""
    return race.lane[seat] > 0 or skipped_rivals(race, edition, seat, stop, silence()) > 0


@kernel
def use_whips(race: RaceRecord, edition: EditionRecord, seat, whips, passed, story):
    """C10, C22: after the regular move, run up to five spaces for each whip without passing a rival."""
    if whips == 0:
        return
    run = 0
    ended = WHIP_SPENT
    if race.turn == FIRST_TURN:
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


# --- skills ---------------------------------------------------------------------------------------------------------


@kernel
def place_after(race: RaceRecord, edition: EditionRecord, seat, place):
    """C11: where a skill marker of the seat stands after one more step.

    From the end of the track it goes to the lowest free place of the bonus box, and there it stays.
    """
    if place >= edition.skill_spaces:
        return place
    then = place + 1
    if then == edition.skill_spaces:
        for colour in range(COLOURS):
            if race.skill[seat, colour] >= edition.skill_spaces:
                then += 1
    return then
