"""The learned driver: the candidate that the policy network scores highest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spina.games.charioteer.bots import drivers
from spina.games.charioteer.bots.appraisal import MIND
from spina.games.charioteer.bots.candidates import (
    C_WORTH,
    CANDIDATE,
    SITUATION,
    SIZE,
    find_candidates,
    list_candidates,
    write_steps,
)
from spina.games.charioteer.bots.drivers import BEST, GIVEN
from spina.games.charioteer.rules.record import EDITION, RACE
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
def plan_best(race, edition, seat, plan, minds, givens, found, situation, features):
    """Write the steps of the best candidate to `plan`; returns their number."""
    count = find_candidates(race, edition, seat, minds[0], givens[0], found, situation, features)
    best = 0
    if count > 1:
        best = best_candidate(SIZE, policy(), situation, features, count, np.empty(HIDDEN), np.empty(HIDDEN))
    if count == 0:  # the cards are chosen already; what is left, the choice of a discard, needs no candidate
        found[0].played = givens[0].played
    return write_steps(race, edition, seat, givens[0], found[best], plan)


@entry(interface.DRIVER)
def drive_by_policy(race_bytes, edition_bytes, seat, dice, plan):
    """Takes the candidate that the policy network scores highest; its weights come from expert iteration."""
    race, edition = fields(race_bytes, RACE), fields(edition_bytes, EDITION)
    minds, givens, found = np.zeros(1, MIND), np.zeros(1, GIVEN), np.zeros(MOST_CANDIDATES, BEST)
    situation, features = np.empty(SITUATION), np.empty((MOST_CANDIDATES, CANDIDATE))
    return plan_best(race, edition, seat, plan, minds, givens, found, situation, features)


DRIVERS = {**drivers.DRIVERS, "learned": drive_by_policy}
POLICY = LearnedPolicy(SIZE, list_candidates, policy, FILE, {C_WORTH: 12.0})
