"""Dice, and the questions that stop a race."""

from __future__ import annotations

from spina.games.chariotmaster.rules.chariots import has_driver
from spina.games.chariotmaster.rules.event_kinds import KEPT, MODIFIED, ROLLED, ROLLED_BOTH
from spina.games.chariotmaster.rules.record import ASK_MODIFY, DO_MODIFY, DO_PASS, NOTHING
from spina.kernel.compiler import kernel
from spina.kernel.effect_stack import argument, go_to, keep, pop, stage
from spina.kernel.narration import listens, tell
from spina.kernel.random import below


@kernel
def ask(race, question, chariot, about):
    """The race stops until the chariot's seat has answered."""
    race.ask = question
    race.ask_chariot = chariot
    race.ask_about = about
    race.asked = 1 << race.seat[chariot]


@kernel
def packed(race, first, last):
    """Dice as one number."""
    number, weight = 0, 1
    for die in range(first, last):
        number += race.die[die] * weight
        weight *= 7
    return number


@kernel
def may_modify(race, chariot, dice):
    """Q13 to Q15: luck left, a driver on the track, and dice of its own."""
    return chariot != NOTHING and dice > 0 and race.luck[chariot] > 0 and has_driver(race, chariot)


@kernel
def roll(race, edition, story):
    """Dice of one side or of both, then the window for those who are lucky (M9, Q12 to Q16)."""
    stack = race.stack
    owner, dice, what = argument(stack, 0), argument(stack, 1), argument(stack, 2)
    other, others = argument(stack, 3), argument(stack, 4)
    step = stage(stack)
    if step == 0:
        for die in range(dice + others):
            race.die[die] = 1 + below(race.dice_to_come, 6)
        if listens(story):
            if others:
                both = packed(race, dice, dice + others)
                tell(story, ROLLED_BOTH, owner, what, packed(race, 0, dice), dice, other, both, others)
            else:
                tell(story, ROLLED, owner, what, packed(race, 0, dice), dice)
        go_to(stack, 1)
        step = 1
    if step == 2:
        chariot = owner if argument(stack, 5) == 0 else other
        if race.reply == DO_PASS:
            keep(stack, 6, argument(stack, 6) + 1)
            tell(story, KEPT, chariot)
        else:
            die, upwards = (race.reply - DO_MODIFY) // 2, (race.reply - DO_MODIFY) % 2
            race.die[die] += 1 if upwards else -1
            race.luck[chariot] -= 1
            keep(stack, 6, 0)
            tell(story, MODIFIED, chariot, die, race.die[die])
        if others:
            keep(stack, 5, 1 - argument(stack, 5))
        elif race.reply == DO_PASS:
            pop(stack)
            return
        go_to(stack, 1)
    if others == 0:
        if may_modify(race, owner, dice):
            go_to(stack, 2)
            ask_about_dice(race, owner, what, 0, dice)
        else:
            pop(stack)
        return
    while argument(stack, 6) < 2:
        whose = argument(stack, 5)
        if whose == 0 and may_modify(race, owner, dice):
            go_to(stack, 2)
            ask_about_dice(race, owner, what, 0, dice)
            return
        if whose == 1 and may_modify(race, other, others):
            go_to(stack, 2)
            ask_about_dice(race, other, what, dice, dice + others)
            return
        keep(stack, 5, 1 - whose)
        keep(stack, 6, argument(stack, 6) + 1)
    pop(stack)


@kernel
def ask_about_dice(race, chariot, what, first, last):
    """Whether to use luck on these dice."""
    race.first_die = first
    race.last_die = last
    ask(race, ASK_MODIFY, chariot, what)
