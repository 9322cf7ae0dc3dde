"""Episodes: races of the same game, seats, edition and options, one after another. All adapters share them.

A `Setup` is a game with its seats, edition and options; an `Episode` is a race of it. They call the rules directly,
since learners take millions of small steps. An episode keeps its actions, and its property `race` replays them as an
ordinary `Race` when that is asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spina.adapters.encodings import Encoding, encoding_of
from spina.adapters.view_encoding import without_ready
from spina.batches.rewards import Rewards, rewards_by_place, shared_rewards
from spina.clips.film import pixels
from spina.errors import IllegalAction
from spina.games import find
from spina.games.editions import Edition
from spina.games.game import Action, Driver, Game
from spina.games.notation import typed
from spina.kernel.narration import new_story
from spina.kernel.random import LARGEST_SHORT_SEED, new_dice
from spina.kernel.record import Bytes, blank
from spina.race import Race, checked_seed, new

_SILENT = new_story(0)[:0]
"""A story without room: events are not told."""
RENDER_MODES = ("ansi", "svg", "rgb_array")
PICTURE_WIDTH = 960
"""Pixels of a frame from left to right."""


class Setup:
    """Game, seats, edition and options of an environment, and the rules applied to the bytes of a race.

    Copies share it; it is pickled as its arguments.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        *,
        edition: str | Path | Edition | None = None,
        rewards: Rewards = "places",
        **options: object,
    ) -> None:
        model = new(game, seats=seats, seed=0, edition=edition, **options)  # checks everything that was given
        self.game, self.edition, self.seats, self.options = model.game, model.edition, model.seats, model.options
        self.encoding: Encoding = encoding_of(model)
        self.rewards_by_place = rewards_by_place(rewards, seats)
        self._rewards = shared_rewards(self.rewards_by_place)
        self._rules, self._components = model.game.rules, model.edition.data
        self._codes = model.game.encode_options(seats, model.options, model.edition)
        fields = dict(model.game.record.fields or {})
        kind, begins = fields["dice_to_come" if "dice_to_come" in fields else "dice"][:2]
        self._dice = slice(begins, begins + kind.itemsize)

    def __deepcopy__(self, memo: dict[int, Any]) -> Setup:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        own = None if self.edition.hash == self.game.reference().hash else (self.edition.text, self.edition.name)
        return _set_up_again, (self.game.name, self.seats, own, self.rewards_by_place, self.options)

    def begin(self, seed: int) -> Bytes:
        """The race that `spina.new` gives for this seed."""
        dice = new_dice(checked_seed(seed, LARGEST_SHORT_SEED))
        data = blank(self.game.record)
        self._rules.set_up(data, self._components, self._codes, dice)
        return data

    def acting(self, data: Bytes) -> int:
        """Seats that owe a choice now, as bits."""
        return int(self._rules.acting(data, self._components))

    def over(self, data: Bytes) -> bool:
        return bool(self._rules.over(data, self._components))

    def turn(self, data: Bytes) -> int:
        return int(self._rules.turn(data, self._components))

    def apply(self, data: Bytes, seat: int, code: int) -> int:
        """Take an action by the kernel's number, which must be legal; returns STEP, CHOSEN or RESOLVED."""
        return int(self._rules.apply(data, self._components, seat, code, _SILENT))

    def retract(self, data: Bytes, seat: int) -> None:
        self._rules.retract(data, self._components, seat)

    def public_view(self, data: Bytes, seat: int) -> dict[str, Any]:
        """What the seat may know, as plain data, without who has chosen already."""
        view: dict[str, Any] = without_ready(self.game.view(data, self.edition, seat))
        return view

    def determinized(self, data: Bytes, seat: int) -> Bytes:
        """A copy in which everything that the seat cannot see is random."""
        seen = data.copy()
        self._rules.determinize(seen, self._components, seat, np.uint64(0))
        return seen

    def dice(self, data: Bytes) -> Bytes:
        """The state of the random generator: an action that leaves nothing to chance does not change it."""
        return data[self._dice]

    def drive(self, data: Bytes, seat: int, driver: Driver, dice: Any, plan: NDArray[np.int64]) -> list[int]:
        """The next actions of a driver, which is given only what the seat sees."""
        steps = driver(self.determinized(data, seat), self._components, seat, dice, plan)
        codes: list[int] = plan[:steps].tolist()
        return codes

    def places(self, data: Bytes) -> list[int]:
        """Each seat's place, 1 for the first; ties share a number."""
        out = np.zeros(self.seats, np.int64)
        self._rules.ranking(data, self._components, out)
        places: list[int] = out.tolist()
        return places

    def rewards(self, data: Bytes) -> list[float]:
        """The reward of each seat; seats that share a place share the rewards of the places they take up."""
        places = self.places(data)
        return [float(self._rewards[place - 1, places.count(place) - 1]) for place in places]


def _set_up_again(
    game: str, seats: int, edition: tuple[str, str] | None, rewards: Rewards, options: dict[str, Any]
) -> Setup:
    own = None if edition is None else find(game).parse_edition(*edition)
    return Setup(game, seats, edition=own, rewards=rewards, **options)


class Episode:
    """A race that can be reset, driven by actions of a discrete action space."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.encoding, self.seats = setup, setup.encoding, setup.seats
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begins the race that `spina.new` gives for this seed."""
        self.data = self.setup.begin(seed)
        self.seed = int(seed)
        self.done: list[tuple[int, int | Action]] = []
        self._race: Race | None = None
        self._caught_up = 0

    @property
    def acting(self) -> int:
        """Seats that owe a choice now, as bits."""
        return self.setup.acting(self.data)

    @property
    def over(self) -> bool:
        return self.setup.over(self.data)

    def rewards(self) -> list[float]:
        return self.setup.rewards(self.data)

    # --- acting

    def take(self, seat: int, index: int) -> None:
        """Takes an action of the discrete action space. Raises IllegalAction and then changes nothing."""
        code = self.encoding.code(self.data, seat, index)
        if code is None:
            raise IllegalAction(self.why_not(seat, index) or "")
        self.done.append((seat, code))
        self.setup.apply(self.data, seat, code)

    def play(self, seat: int, action: Action | str) -> None:
        """Takes a typed action or one in notation, also one that is on no menu. Raises IllegalAction."""
        setup = self.setup
        if not self.acting >> seat & 1:
            raise IllegalAction(f"seat {seat} owes no choice now")
        meant = typed(setup.game, setup.edition, action)
        codes = setup.game.encode(self.data, setup.edition, seat, meant)
        if setup.game.starts_over(meant):
            setup.retract(self.data, seat)
        self.done.append((seat, meant))
        for code in codes:
            setup.apply(self.data, seat, code)

    def drive(self, seat: int, driver: Driver, dice: Any, plan: NDArray[np.int64]) -> None:
        """Lets a driver of the game act for a seat; it is given only what the seat sees."""
        for code in self.setup.drive(self.data, seat, driver, dice, plan):
            self.done.append((seat, code))
            self.setup.apply(self.data, seat, code)

    def why_not(self, seat: int, action: int | str | Action) -> str | None:
        """None if the seat may do this now, otherwise why not."""
        if isinstance(action, str | Action):
            return self.race.check(seat, action)
        if not self.acting >> seat & 1:
            return f"seat {seat} owes no choice now"
        if self.encoding.code(self.data, seat, int(action)) is not None:
            return None
        count = int(self.encoding.mask(self.data, seat).sum())
        return (
            f"action {action} is not possible for seat {seat} now: "
            f"the action mask has {count} that are, of {self.encoding.actions}"
        )

    # --- the race as a `Race`

    @property
    def race(self) -> Race:
        """The same race as a `Race`, with its log. It holds hidden information, so keep it from agents."""
        setup = self.setup
        if self._race is None:
            self._race = new(setup.game.name, seats=self.seats, seed=self.seed, edition=setup.edition, **setup.options)
            self._caught_up = 0
        for seat, action in self.done[self._caught_up :]:
            self._race.play(seat, setup.game.action(setup.edition, action) if isinstance(action, int) else action)
        self._caught_up = len(self.done)
        return self._race

    def view(self, seat: int) -> dict[str, Any]:
        """Everything that the seat may know, as plain data (`Race.view`)."""
        view: dict[str, Any] = msgspec.to_builtins(self.race.view(seat))
        return view

    def render(self, mode: str | None) -> Any:
        """The race as a spectator sees it; None without a mode."""
        if mode is None:
            return None
        return rendered(self.setup.game, self.setup.edition, self.data, self.seats, mode)


def rendered(game: Game, edition: Edition, data: Bytes, seats: int, mode: str) -> Any:
    """A race as a spectator sees it: "ansi" as text, "svg" as the text of a picture, "rgb_array" as its pixels."""
    names = [f"Seat {seat}" for seat in range(seats)]
    if mode == "ansi":
        return game.draw(data, edition, names, False)
    picture = game.picture(data, edition, names)
    return picture if mode == "svg" else pixels(picture, PICTURE_WIDTH)
