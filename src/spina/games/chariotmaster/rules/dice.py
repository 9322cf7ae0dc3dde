"""Dice, and the questions that stop a race."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spina.games.chariotmaster.rules.chariots import has_driver
from spina.games.chariotmaster.rules.effects import ROLL, ROLL_PASSES, ROLL_WHOSE, Roll
from spina.games.chariotmaster.rules.event_kinds import KEPT, MODIFIED, ROLLED, ROLLED_BOTH
from spina.games.chariotmaster.rules.record import ASK_MODIFY, CM, DO_MODIFY, DO_PASS, FACES, NOTHING, PACKED
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, push, stage
from spina.kernel.narration import listens, tell
from spina.kernel.random import below

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord


@kernel
def ask(race: RaceRecord, question, chariot, about):
    """Stop the race until the chariot's seat has answered."""
    race.ask = question
    race.ask_chariot = chariot
    race.ask_about = about
    race.asked = 1 << race.seat[chariot]


# --- single dice ----------------------------------------------------------------------------------------------------


@kernel
def roll_die(stack, chariot, what):
    """Roll one die first, on behalf of a chariot."""
    push(stack, ROLL, chariot, 1, what, NOTHING, 0)


@kernel
def face_rolled(race: RaceRecord):
    """The face of the single die that was rolled last."""
    return race.die[0]


@kernel
def half_rolled(race: RaceRecord):
    """G3, Q12: the same die as a D3: half a D6, rounded up."""
    return (race.die[0] + 1) // 2


@kernel
def distance_rolled(race: RaceRecord):
    """The same die as D6 cm, in units."""
    return race.die[0] * CM


def would_pass(face, modifier, skill):
    """K1, K7: whether a face with its modifier is not above skill; a natural 1 passes, a natural 6 fails."""
    return face == 1 or (face != FACES and face + modifier <= skill)


passes = kernel(would_pass)
"""The same inside kernels."""


# --- rolls and luck -------------------------------------------------------------------------------------------------


@kernel
def packed(race: RaceRecord, first, last):
    """Dice as one number."""
    number, weight = 0, 1
    for die in range(first, last):
        number += race.die[die] * weight
        weight *= PACKED
    return number


@kernel
def may_modify(race: RaceRecord, chariot, dice):
    """Q13, Q14, Q15, S19: luck left, a driver on the track, and dice of its own."""
    return chariot != NOTHING and dice > 0 and race.luck[chariot] > 0 and has_driver(race, chariot)


THROW, OPEN_WINDOW, USE_LUCK = range(3)
"""Stages of a roll."""


@kernel
def roll_on_top(stack):
    """The arguments of the roll under way."""
    return Roll(
        argument(stack, 0), argument(stack, 1), argument(stack, 2), argument(stack, 3), argument(stack, 4),
        argument(stack, 5), argument(stack, 6),
    )  # fmt: skip


@kernel
def roll(race: RaceRecord, edition: EditionRecord, story):
    """M9, Q12 to Q16: dice of one side or of both, then the window for those who are lucky."""
    stack = race.stack
    step = stage(stack)
    if step == THROW:
        throw(race, roll_on_top(stack), story)
        go_to(stack, OPEN_WINDOW)
    elif step == USE_LUCK and use_luck(race, roll_on_top(stack), story):
        return
    if roll_on_top(stack).others == 0:
        single_window(race, roll_on_top(stack))
    else:
        common_window(race, roll_on_top(stack))


@kernel
def throw(race: RaceRecord, it, story):
    """Roll all dice of both sides."""
    for die in range(it.dice + it.others):
        race.die[die] = 1 + below(race.dice_to_come, FACES)
    if listens(story):
        own = packed(race, 0, it.dice)
        if it.others:
            both = packed(race, it.dice, it.dice + it.others)
            tell(story, ROLLED_BOTH, it.owner, it.what, own, it.dice, it.other, both, it.others)
        else:
            tell(story, ROLLED, it.owner, it.what, own, it.dice)


@kernel
def use_luck(race: RaceRecord, it, story):
    """Q12, Q16: take the answer, a changed die or a pass. True if that ends a roll of one side."""
    stack = race.stack
    chariot = it.owner if it.whose == 0 else it.other
    passed = race.reply == DO_PASS
    if passed:
        keep(stack, ROLL_PASSES, it.passes + 1)
        tell(story, KEPT, chariot)
    else:
        die, upwards = (race.reply - DO_MODIFY) // 2, (race.reply - DO_MODIFY) % 2
        race.die[die] += 1 if upwards else -1
        race.luck[chariot] -= 1
        keep(stack, ROLL_PASSES, 0)
        tell(story, MODIFIED, chariot, die, race.die[die])
    if it.others:
        keep(stack, ROLL_WHOSE, 1 - it.whose)
    elif passed:
        pop(stack)
        return True
    go_to(stack, OPEN_WINDOW)
    return False


@kernel
def single_window(race: RaceRecord, it):
    """Q14: the roller is asked as long as there is luck left."""
    if may_modify(race, it.owner, it.dice):
        ask_about_dice(race, it.owner, it.what, 0, it.dice)
    else:
        pop(race.stack)


BOTH_PASSED = 2
"""Q16: passes in a row that close a common window."""


@kernel
def common_window(race: RaceRecord, it):
    """M9, Q16: initiator or attacker first, alternating until both pass; a side that cannot use luck passes."""
    stack = race.stack
    whose, passed = it.whose, it.passes
    while passed < BOTH_PASSED:
        if whose == 0 and may_modify(race, it.owner, it.dice):
            ask_about_dice(race, it.owner, it.what, 0, it.dice)
            return
        if whose == 1 and may_modify(race, it.other, it.others):
            ask_about_dice(race, it.other, it.what, it.dice, it.dice + it.others)
            return
        whose, passed = 1 - whose, passed + 1
        keep(stack, ROLL_WHOSE, whose)
        keep(stack, ROLL_PASSES, passed)
    pop(stack)


@kernel
def ask_about_dice(race: RaceRecord, chariot, what, first, last):
    """Ask whether to use luck on these dice."""
    go_to(race.stack, USE_LUCK)
    race.first_die = first
    race.last_die = last
    ask(race, ASK_MODIFY, chariot, what)
