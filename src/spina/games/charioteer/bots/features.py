"""How a seat stands, in numbers: what bots judge a race by, and what they give as reasons."""

from __future__ import annotations

from spina.games.charioteer.rules.movement import finish
from spina.games.charioteer.rules.record import COLOURS, EDITION, RACE
from spina.games.feature import Feature
from spina.kernel import interface
from spina.kernel.compiler import entry

FEATURES = (
    Feature("to go", less="gets {n} spaces further"),
    Feature("damage", 5.0, less="ends with {n} cubes of damage less"),
    Feature("attack", 5.0),  # after a turn: what the emperor has put there for the next one, whatever was chosen
    Feature("green", more="takes the green marker {n} places further"),
    Feature("red", more="takes the red marker {n} places further"),
    Feature("yellow", more="takes the yellow marker {n} places further"),
    Feature("black", more="takes the black marker {n} places further"),
    Feature("bonuses", 20.0, more="raises the skill bonuses by {n} in all"),
    Feature("tokens", 5.0, more="keeps {n} player tokens more for later"),
    Feature("fans", 3.0, more="ends the turn with {n} fan tokens more"),
    Feature("behind first", 20.0, less="is {n} spaces closer to the first"),
)
"""Units that depend on the edition are in the game's `units`. Markers are counted by their places, not by the steps
learnt: a marker that enters the bonus box skips places that are taken. Fan tokens are those held: two choices differ by
the one that the first wins and by those that the second spends."""
(TO_GO, DAMAGE, ATTACK, SKILL, BONUSES, TOKENS, FANS, BEHIND) = (0, 1, 2, 3, 7, 8, 9, 10)


@entry(interface.MEASURE_FEATURES)
def measure_features(race_bytes, edition_bytes, seat, out):
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
