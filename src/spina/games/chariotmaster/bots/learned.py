"""The learned driver: the candidate that the policy network scores highest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spina.games.chariotmaster.bots import drivers
from spina.games.chariotmaster.bots.candidates import (
    CANDIDATE,
    F_DRIVER,
    F_WORTH,
    SIZE,
    find_candidates,
    list_candidates,
)
from spina.games.chariotmaster.bots.situation import SITUATION
from spina.games.chariotmaster.rules.record import EDITION, RACE
from spina.games.policy import LearnedPolicy
from spina.kernel import interface
from spina.kernel.compiler import entry, kernel
from spina.kernel.outside_tables import outside_table
from spina.kernel.policy_network import HIDDEN, MOST_CANDIDATES, best_candidate
from spina.kernel.policy_weights import read_policy
from spina.kernel.record import fields

FILE = Path(__file__).parent / "policy.json"


@outside_table
def policy() -> NDArray[np.float64]:
    """The weights of the policy network."""
    return read_policy(FILE, SIZE)


@kernel
def best_answer(race, edition, seat):
    """The answer that the policy network scores highest."""
    plans, lengths = np.zeros((MOST_CANDIDATES, 1), np.int64), np.zeros(MOST_CANDIDATES, np.int64)
    situation, features = np.empty(SITUATION), np.empty((MOST_CANDIDATES, CANDIDATE))
    count = find_candidates(race, edition, seat, plans, lengths, situation, features)
    best = 0
    if count > 1:
        best = best_candidate(SIZE, policy(), situation, features, count, np.empty(HIDDEN), np.empty(HIDDEN))
    return plans[best, 0]


@entry(interface.DRIVER)
def drive_by_policy(race_bytes, edition_bytes, seat, dice, plan):
    """Takes the answer that the policy network scores highest; its weights come from expert iteration."""
    plan[0] = best_answer(fields(race_bytes, RACE), fields(edition_bytes, EDITION), seat)
    return 1


DRIVERS = {**drivers.DRIVERS, "learned": drive_by_policy}
POLICY = LearnedPolicy(SIZE, list_candidates, policy, FILE, {F_DRIVER: 2.0, F_WORTH: 6.0})
