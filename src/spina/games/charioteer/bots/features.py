"""Features of a seat: the input of the value network, and the reasons that bots give."""

from __future__ import annotations

from spina.games.charioteer.rules.movement import finish
from spina.games.charioteer.rules.record import COLOURS, EDITION, RACE
from spina.games.feature import Feature
from spina.kernel import interface
from spina.kernel.compiler import entry
from spina.kernel.record import fields

CUBES, BONUS_POINTS, PLAYER_TOKENS, FAN_TOKENS, SPACES_BEHIND = 5.0, 20.0, 5.0, 3.0, 20.0
"""Units of the features: a feature is a count divided by its unit."""

FEATURES = (
    Feature("to go", less="gets {n} spaces further"),
    Feature("damage", CUBES, less="ends with {n} cubes of damage less"),
    Feature("attack", CUBES),  # after a turn: the cubes of a disrupt for the next one, which no choice changes
    Feature("green", more="takes the green marker {n} places further"),
    Feature("red", more="takes the red marker {n} places further"),
    Feature("yellow", more="takes the yellow marker {n} places further"),
    Feature("black", more="takes the black marker {n} places further"),
    Feature("bonuses", BONUS_POINTS, more="raises the skill bonuses by {n} in all"),
    Feature("tokens", PLAYER_TOKENS, more="keeps {n} player tokens more for later"),
    Feature("fans", FAN_TOKENS, more="ends the turn with {n} fan tokens more"),
    Feature("behind first", SPACES_BEHIND, less="is {n} spaces closer to the first"),
)
"""Units that depend on the edition are in the game's `units`. Skill markers count by their places, not by the steps
taken: a marker that enters the bonus box skips occupied places. Fan tokens are those held: a choice can win one and
spend one."""
(TO_GO, DAMAGE, ATTACK, SKILL, BONUSES, TOKENS, FANS, BEHIND) = (0, 1, 2, 3, 7, 8, 9, 10)


@entry(interface.MEASURE_FEATURES)
def measure_features(race_bytes, edition_bytes, seat, out):
    """Write the seat's features, computed from public information alone."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    length = finish(edition) * 1.0
    out[TO_GO] = max(0.0, (length - race.progress[seat]) / length)
    out[DAMAGE] = race.damage[seat] / CUBES
    out[ATTACK] = race.attack[seat] / CUBES
    bonuses = 0.0
    for colour in range(COLOURS):
        place = race.skill[seat, colour]
        out[SKILL + colour] = place / (edition.skill_spaces + 1.0)
        bonuses += edition.skill_bonus[place]
    out[BONUSES] = bonuses / BONUS_POINTS
    tokens, fans = 0, 0
    for kind in range(edition.kinds):
        if edition.kind_fan[kind]:
            fans += race.tokens[seat, kind]
        else:
            tokens += race.tokens[seat, kind]
    out[TOKENS] = tokens / PLAYER_TOKENS
    out[FANS] = fans / FAN_TOKENS
    foremost = race.progress[0]
    for rival in range(race.seats):
        foremost = max(foremost, race.progress[rival])
    out[BEHIND] = (foremost - race.progress[seat]) / SPACES_BEHIND
