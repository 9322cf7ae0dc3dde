"""How a seat stands, in numbers: what bots judge a race by, and what they give as reasons."""

from __future__ import annotations

from spina.games.charioteer.moving import finish
from spina.games.charioteer.state import COLOURS, EDITION, RACE
from spina.games.figure import Figure
from spina.kernel import table
from spina.kernel.compile import entry

FIGURES = (
    Figure("to go", 228.0, less="gets {n} spaces further"),
    Figure("damage", 5.0, less="ends with {n} cubes of damage less"),
    Figure("attack", 5.0, less="has {n} cubes less coming"),
    Figure("green", 13.0, more="learns {n} steps of sprinting"),
    Figure("red", 13.0, more="learns {n} steps of attacking"),
    Figure("yellow", 13.0, more="learns {n} steps of recovering"),
    Figure("black", 13.0, more="learns {n} steps of cornering"),
    Figure("bonuses", 20.0, more="gains {n} points of skill for every move to come"),
    Figure("tokens", 5.0, more="keeps {n} tokens"),
    Figure("fans", 3.0, more="wins {n} fan tokens"),
    Figure("behind first", 20.0, less="is {n} spaces closer to the first"),
)
(TO_GO, DAMAGE, ATTACK, SKILL, BONUSES, TOKENS, FANS, BEHIND) = (0, 1, 2, 3, 7, 8, 9, 10)


@entry(table.STANDING)
def standing(race_bytes, edition_bytes, seat, out):
    """Way, cubes, skills and tokens; from what everybody at the table can count."""
    race, edition = race_bytes.view(RACE)[0], edition_bytes.view(EDITION)[0]
    length = finish(edition) * 1.0
    out[TO_GO] = max(0.0, (length - race.progress[seat]) / length)
    out[DAMAGE] = race.damage[seat] / 5.0
    out[ATTACK] = race.attack[seat] / 5.0
    bonuses = 0.0
    for colour in range(COLOURS):
        place = race.skill[seat, colour]
        out[SKILL + colour] = place / (edition.skill_spaces + 1.0)
        bonuses += edition.skill_bonus[place]
    out[BONUSES] = bonuses / 20.0
    tokens, fans = 0, 0
    for kind in range(edition.kinds):
        if edition.kind_fan[kind]:
            fans += race.tokens[seat, kind]
        else:
            tokens += race.tokens[seat, kind]
    out[TOKENS] = tokens / 5.0
    out[FANS] = fans / 3.0
    foremost = race.progress[0]
    for rival in range(race.seats):
        foremost = max(foremost, race.progress[rival])
    out[BEHIND] = (foremost - race.progress[seat]) / 20.0
