"""Bots that choose by the policy in a file, as `spina lab train --policy` and `spina lab exploit` write it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import numpy as np

from spina.bots import candidate_search
from spina.bots.bot import Bot
from spina.errors import OptionError
from spina.games.game import Action, Game
from spina.kernel.interface import PLAN
from spina.kernel.policy_weights import read_policy
from spina.race import Race

PREFIX = "policy:"
"""The prefix of such a bot's name; the file follows."""
DRIVER = "learned"
"""Chooses where a game lists no candidates; no weights are asked there."""


class PolicyBot(Bot):
    """Takes the candidate that the policy in a file scores highest."""

    def __init__(self, game: Game, file: str, seed: int | None = None) -> None:
        """Raises OptionError for a game that lists no candidates, and for a file that is no policy of the game."""
        super().__init__(game, seed)
        if game.policy is None:
            raise OptionError(f"{game.title} lists no candidates: a policy has nothing to choose from")
        self.name = f"{PREFIX}{file}"
        try:
            weights = read_policy(Path(file), game.policy.size)
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise OptionError(f"{file} cannot be read as a policy of {game.title}: {error}") from None
        self._policy = msgspec.structs.replace(game.policy, weights=lambda: weights)

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        candidates, order = candidate_search.listed(self.game, self._policy, race, seat, 1)
        if order:
            best = order[0]
            return self._action(race, seat, candidates.plans[best, : candidates.lengths[best]].tolist())
        plan = np.zeros(PLAN, np.int64)
        data = race.determinized_state(seat, 0)
        steps = self.game.drivers[DRIVER](data, race.edition.data, seat, self._dice, plan)
        return self._action(race, seat, plan[:steps].tolist())


def digest(name: str) -> str:
    """A digest of the file that the name of such a bot mentions. Raises OptionError if it cannot be read."""
    file = Path(name.removeprefix(PREFIX))
    try:
        return hashlib.blake2b(file.read_bytes(), digest_size=12).hexdigest()
    except OSError as error:
        raise OptionError(f"{file} cannot be read as a policy: {error.strerror}") from None
