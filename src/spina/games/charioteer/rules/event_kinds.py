"""Event numbers that the kernels report, with the facts of each; `events.py` decodes them into typed events."""

from __future__ import annotations

CHOSEN = 1  # seat
REVEALED = 2  # seat: symbol, token, card, card, card, details (see CHANGED_AT)
BURIED = 3  # seat: cards discarded face down, NOTHING where there is none; known to the seat alone
ORDER = 4  # -: seats in the order in which they move, NOTHING at the end
SHIELDED = 5  # seat: cubes taken out of the attack boxes
CALMED = 6  # seat, a reset: cubes out of the damage box, cubes out of the attack boxes
RECOVERED = 7  # seat: cubes removed, cubes left, recoveries
COUNTED = 8  # seat: number, symbols, token, skill, damage, points
ATTACKED = 9  # seat: cubes for every rival, cards
CUBE = 10  # seat that suffers: seat that attacked (NOTHING: the emperor), box
STEPPED = 11  # seat: progress, space, lane, whether a whip drove it
PASSED = 12  # seat: rival, whether it was skipped over on an outer space
WHIPPED = 13  # seat: whips, spaces run, how it ended (WHIP_...)
LEARNED = 14  # seat: colour, place before, place now
FAN_TOKEN = 15  # seat: kind (known to the seat alone), NOTHING when no token was left
LAP = 16  # seat: lap completed
SUFFERED = 17  # seat: cubes that went from the attack boxes to the damage box, cubes there now
DREW = 18  # seat: up to six cards, known to the seat alone
SHUFFLED = 19  # -: 0 deck, 1 bag; cards or tokens in it now
CROWD_MOVED = 20  # -: cards in the three slots
EMPEROR = 21  # -: face of the die
TURN = 22  # -: number of the turn that begins
FINISHED = 23  # seat: place, progress

WHIP_SPENT, WHIP_LEADS, WHIP_PASSED, WHIP_BLOCKED, WHIP_FIRST_TURN = range(5)
"""Why the whips of a move ended (C10)."""

CHANGED_AT, DISCARD_TOKEN_AT, DISCARDS_AT = 2, 8, 512
"""Details of a choice in one number: whether the crowd card takes part + CHANGED_AT * which of the played cards a wild
changes, from 1 + DISCARD_TOKEN_AT * (kind of the discard token + 1) + DISCARDS_AT * cards under it."""
