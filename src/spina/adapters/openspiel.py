"""OpenSpiel: every installed game as a registered Python game.

    import pyspiel
    from spina.adapters.openspiel import NAMES  # registers the games
    game = pyspiel.load_game(f"{NAMES[game]}(players=4)")

- Seats that owe a choice at the same time act in simultaneous nodes; a seat that owes nothing there can only wait,
  which is the last action. Where one seat is asked, the node is its own.
- Chance nodes are explicit: before an action that draws from the random generator of the race, two chance nodes of
  1024 outcomes each seed it. A state does not contain future draws, and the same history gives the same state.
- Shuffled decks and hands are part of a state: a search on a cloned state sees them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from spina.adapters.encodings import version_of
from spina.adapters.episode import Setup
from spina.errors import OptionError
from spina.games import find, names
from spina.kernel.interface import RESOLVED, STEP
from spina.kernel.race_runner import hash_race
from spina.kernel.random import new_dice, nth_seeds
from spina.kernel.record import Bytes

try:
    import pyspiel
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError("the adapter to OpenSpiel needs its package: pip install 'spina[research]'") from error

__all__ = ["NAMES", "RaceGame", "RaceState"]

NAMES = {name: f"spina_{name.replace('-', '_')}" for name in names()}
"""The registered name of each installed game."""

OUTCOMES = 1024
DIGITS = 2
"""Chance nodes in a row that seed the random generator, each with OUTCOMES outcomes: about a million seeds."""
_OUTCOMES = [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]
LONGEST = 1_000_000
"""More nodes than any race has; random races have some hundred to some thousand."""


def _parameters(name: str) -> dict[str, Any]:
    """The parameters of a game with their defaults; serialised states carry the version of the encoding."""
    return {"players": 4, "options": "", "rewards": "places", "version": version_of(find(name))}


def _type_of(name: str) -> Any:
    found = find(name)
    hidden = found.hidden_information
    dynamics, information = pyspiel.GameType.Dynamics, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=NAMES[name],
        long_name=found.title,
        dynamics=dynamics.SIMULTANEOUS if hidden else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=found.seat_counts[-1],
        min_num_players=found.seat_counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(name),
    )


def _options(text: str) -> dict[str, Any]:
    """Options of a game from a parameter: `pairs:false;board:AB`, each value as in JSON or plain text."""
    options: dict[str, Any] = {}
    for part in filter(None, text.split(";")):
        name, colon, value = part.partition(":")
        if not colon:
            raise OptionError(f'options are written "name:value;name:value", not "{text}"')
        try:
            options[name.strip()] = json.loads(value)
        except ValueError:
            options[name.strip()] = value.strip()
    return options


class RaceGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its number of seats and its options."""

    name: str
    game_type: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_parameters(self.name), **(params or {})}
        version = version_of(find(self.name))
        if given["version"] != version:
            raise OptionError(f"this is version {version} of {NAMES[self.name]}, not {given['version']}")
        self.setup = Setup(self.name, given["players"], rewards=given["rewards"], **_options(given["options"]))
        worth = self.setup.rewards_by_place
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.encoding.actions + 1,
            max_chance_outcomes=OUTCOMES,
            num_players=self.setup.seats,
            min_utility=min(worth) if len(worth) > 1 else 0.0,
            max_utility=max(worth),
            utility_sum=None,
            max_game_length=LONGEST,
        )
        super().__init__(self.game_type, info, given)

    def new_initial_state(self) -> RaceState:
        return RaceState(self, self.setup)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RaceObserver:
        return RaceObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params, self.setup)


class RaceState(pyspiel.State):  # type: ignore[misc]
    """A race, or a chance node before chosen actions are carried out.

    Its attributes are plain values, since OpenSpiel copies and pickles them one by one.
    """

    def __init__(self, game: RaceGame, setup: Setup) -> None:
        super().__init__(game)
        self.setup = setup
        self.data: Bytes | None = None  # the race, once it has been set up
        self._chance = DIGITS  # outcomes that are still to come
        self._drawn = 0  # those that have come, as one number
        self._draws = 0  # how many times the dice were seeded
        self._waiting: list[tuple[int, int]] = []  # seats and what they chose, until the dice are known
        self._known = [b""] * setup.seats  # a digest of everything that each seat has done and seen

    # --- who acts

    def current_player(self) -> int:
        if self.data is None or self._chance:
            return int(pyspiel.PlayerId.CHANCE)
        bits = self.setup.acting(self.data)
        if not bits:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.SIMULTANEOUS) if bits & (bits - 1) else bits.bit_length() - 1

    def is_terminal(self) -> bool:
        return self.data is not None and not self._chance and self.setup.over(self.data)

    def returns(self) -> list[float]:
        if self.data is None or not self.is_terminal():
            return [0.0] * self.setup.seats
        return self.setup.rewards(self.data)

    def _legal_actions(self, player: int) -> list[int]:
        setup, data = self.setup, self.data
        assert data is not None
        if setup.acting(data) >> player & 1:
            return setup.encoding.indices(data, player)
        return [setup.encoding.actions]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return _OUTCOMES

    # --- acting

    def _apply_action(self, action: int) -> None:
        if not self._chance:
            player = self.current_player()
            self._choose([(player, action)])
            return
        self._drawn = self._drawn * OUTCOMES + action
        self._chance -= 1
        if self._chance == 0:
            self._go_on()

    def _apply_actions(self, actions: list[int]) -> None:
        assert self.data is not None
        bits = self.setup.acting(self.data)
        self._choose([(seat, action) for seat, action in enumerate(actions) if bits >> seat & 1])

    def _choose(self, actions: list[tuple[int, int]]) -> None:
        """Carries out what the seats chose, after chance nodes if it draws from the random generator."""
        assert self.data is not None
        choices = []
        for seat, action in actions:
            code = self.setup.encoding.code(self.data, seat, action)
            if code is None:
                raise ValueError(f"action {action} is not legal for seat {seat}")
            self._learn(seat, code.to_bytes(4, "little"))
            choices.append((seat, code))
        after = self.data.copy()
        status = self._carry_out(after, choices)
        if (self.setup.dice(after) == self.setup.dice(self.data)).all():
            self._arrive(after, status)
        else:
            self._waiting, self._chance, self._drawn = choices, DIGITS, 0

    def _go_on(self) -> None:
        """Sets the race up, or carries out the waiting actions, once the random generator is seeded."""
        seed = int(nth_seeds(self._drawn, np.array([self._draws], np.uint64))[0])
        self._draws += 1
        if self.data is None:
            self._arrive(self.setup.begin(seed), RESOLVED)
        else:
            after = self.data.copy()
            self.setup.dice(after)[:] = new_dice(seed).view(np.uint8)
            self._arrive(after, self._carry_out(after, self._waiting))
            self._waiting = []

    def _carry_out(self, data: Bytes, choices: list[tuple[int, int]]) -> int:
        status = STEP
        for seat, code in choices:
            status = self.setup.apply(data, seat, code)
        return status

    def _arrive(self, data: Bytes, status: int) -> None:
        self.data = data
        if status == RESOLVED:  # until then a seat sees nothing new but what it does itself
            for seat in range(self.setup.seats):
                self._learn(seat, self.setup.encoding.observe(data, seat).tobytes())

    def _learn(self, seat: int, news: bytes) -> None:
        self._known[seat] = hashlib.blake2b(self._known[seat] + news, digest_size=16).digest()

    # --- what is known

    def knowledge(self, seat: int) -> str:
        """A digest of the seat's information state: equal for histories in which it has done and seen the same."""
        return f"seat {seat}: {self._known[seat].hex()}"

    def view(self, seat: int) -> dict[str, Any]:
        """What the seat may know, as plain data, without who has chosen already."""
        return {} if self.data is None else self.setup.public_view(self.data, seat)

    def _action_to_string(self, player: int, action: int) -> str:
        setup = self.setup
        if player == pyspiel.PlayerId.CHANCE:
            return f"dice {action}"
        if action == setup.encoding.actions:
            return "wait"
        code = None if self.data is None else setup.encoding.code(self.data, player, action)
        return f"action {action}" if code is None else str(setup.game.action(setup.edition, code))

    def __str__(self) -> str:
        if self.data is None:
            return f"{self.setup.game.title}, about to begin ({self._drawn})"
        waiting = f", {self._waiting} and {self._drawn} wait for dice" if self._chance else ""
        turn = f"{self.setup.game.turn_word} {self.setup.turn(self.data)}"
        return f"{self.setup.game.title}, {turn}, {hash_race(self.data):016x}{waiting}"


class RaceObserver:
    """What a seat knows, as a tensor and as text."""

    def __init__(self, iig_obs_type: Any, params: Any, setup: Setup) -> None:
        if params:
            raise ValueError(f"there are no parameters for observations, so not {params}")
        self._setup, self._recall = setup, iig_obs_type.perfect_recall
        encoding = setup.encoding
        shapes: dict[str, tuple[int, ...]] = {"observation": (encoding.size,)}
        if encoding.menu_names:
            shapes["menu"] = (encoding.actions, len(encoding.menu_names))
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        self.dict, at = {}, 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + sizes[name]].reshape(shape)
            at += sizes[name]

    def set_from(self, state: RaceState, player: int) -> None:
        self.tensor.fill(0)
        if state.data is not None:
            self.dict["observation"][:] = self._setup.encoding.observe(state.data, player)
            if "menu" in self.dict:
                self.dict["menu"][:] = self._setup.encoding.menu(state.data, player)

    def string_from(self, state: RaceState, player: int) -> str:
        if self._recall:
            return state.knowledge(player)
        return json.dumps(state.view(player))


def _register(name: str) -> type[RaceGame]:
    kind = _type_of(name)
    game = type(f"{name.title().replace('-', '')}Game", (RaceGame,), {"name": name, "game_type": kind})
    pyspiel.register_game(kind, game)
    return game


GAMES = {name: _register(name) for name in NAMES}
"""The registered games."""
