"""What a driver values, in straight spaces."""

from __future__ import annotations

(
    W_DISTANCE,  # a space of way
    W_SPEED,  # a point of speed for the next turn
    W_CORNER,  # a point of damage to be feared in the next corner
    W_CONDITION,  # the condition that is left; the first points are worth most
    W_FATE,  # a point of fate
    W_JAVELIN,  # a javelin that finds a target
    W_CALTROP,  # a caltrop dropped
    W_RAM,  # a point of damage done to a rival by ramming
    W_WRECK,  # not being wrecked
    W_HOME,  # being over the line
    W_RUSH,  # a point of speed, whatever the chariot can bear
    W_ALONE,  # a round less to go, as the solution for a chariot alone on the track has it
    W_BEYOND,  # a space beyond the line at the finish
    W_EXPOSED,  # a rival close behind in the same lane
    W_STAKE,  # a round that the chariot still had to go when it was wrecked
    W_CHASED,  # a rival that is left behind, and so comes after it
    W_HUNTED,  # a rival that would have the chariot in range of its javelins
) = range(17)
WEIGHTS = 17
