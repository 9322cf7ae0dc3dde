"""The learned driver: the answer that the policy network scores highest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spina.games.chariot_race.bots import drivers
from spina.games.chariot_race.bots.answers import C_WORTH, CANDIDATE
from spina.games.chariot_race.bots.candidates import SITUATION, SIZE, VALUE_UNIT, list_candidates
from spina.games.policy import LearnedPolicy
from spina.kernel import interface
from spina.kernel.compiler import entry
from spina.kernel.outside_tables import outside_table
from spina.kernel.policy_network import HIDDEN, MOST_CANDIDATES, best_candidate
from spina.kernel.policy_weights import read_policy

FILE = Path(__file__).parent / "policy.json"
SCORE_OF_SPACE = 2.0
"""What a straight space counts in the scores of an untrained policy: a unit of a score is a hundredth of a race."""


@outside_table
def policy() -> NDArray[np.float64]:
    """The weights of the policy network."""
    return read_policy(FILE, SIZE)


@entry(interface.DRIVER)
def drive_by_policy(race_bytes, edition_bytes, seat, dice, plan):
    """Takes the answer that the policy network scores highest; its weights come from expert iteration."""
    plans, lengths = np.empty((MOST_CANDIDATES, 1), np.int64), np.empty(MOST_CANDIDATES, np.int64)
    situation, features = np.empty(SITUATION), np.empty((MOST_CANDIDATES, CANDIDATE))
    count = list_candidates(race_bytes, edition_bytes, seat, plans, lengths, situation, features)
    best = 0
    if count > 1:
        best = best_candidate(SIZE, policy(), situation, features, count, np.empty(HIDDEN), np.empty(HIDDEN))
    plan[0] = plans[best, 0]
    return 1


DRIVERS = {**drivers.DRIVERS, "learned": drive_by_policy}
POLICY = LearnedPolicy(SIZE, list_candidates, policy, FILE, {C_WORTH: SCORE_OF_SPACE * VALUE_UNIT})
