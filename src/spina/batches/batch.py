"""Batch: many races of one format, stepped together inside the kernel for learners."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spina.batches.batch_kernel import (
    BATCH_SIGNATURES,
    BatchArrays,
    BatchSetup,
    begin_races,
    describe_nothing,
    draw_actions,
    find_illegal,
    step_races,
)
from spina.batches.race_format import race_format
from spina.batches.rewards import LOST, Illegal, Rewards, check_choice, rewards_by_place, shared_rewards
from spina.batches.workers import Workers
from spina.errors import IllegalAction, OptionError
from spina.games.editions import Edition, shown
from spina.games.encoding import KernelEncoding
from spina.games.game import Game
from spina.kernel import compiler
from spina.kernel.function_pointers import addresses
from spina.kernel.random import LARGEST_SHORT_SEED
from spina.race import Race, checked_seed, new
from spina.simulation import driver_addresses, drivers_by_name

Acting = Literal["one", "all"]
MOST_RACES = 1_000_000
MOST_THREADS = 1024
LARGEST_BLOCK = 64
"""Most races that a thread takes at once: few enough that threads finish at the same time."""
ALIGNMENT = 64
"""Arrays begin at a multiple of this many bytes: JAX takes others only as copies."""


class Step(NamedTuple):
    """The arrays of a batch, which each step overwrites."""

    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    ends: NDArray[np.bool_]


class Batch:
    """Many races of the same game, seats, edition and options, for learners. `spina.batch` makes one.

    A row is what one learned seat of a race sees and does. With `acting="one"` every race has one row: that of the
    seat that owes a choice; of several, that of the lowest, until its choice is complete. With `acting="all"` every
    race has a row for each learned seat; a seat that owes no choice can only wait, which is the last action.

    All arrays are NumPy's, C-contiguous, and the same objects from step to step: PyTorch (`from_numpy`) and JAX
    (`dlpack`) can share their memory. A race that ends is followed by the next in the same step: `ends` and `rewards`
    tell of the old one, `observations` and `masks` show the new one.

    Examples:
        >>> batch = spina.batch("charioteer", races=1000, seats=4, seed=1)
        >>> batch.observations.shape, batch.masks.shape
        ((1000, 439), (1000, 57))
        >>> ended = 0
        >>> for _ in range(700):
        ...     observations, masks, rewards, ends = batch.step(batch.random_actions())
        ...     ended += int(ends.sum())
        >>> ended > 500
        True
    """

    observations: NDArray[np.float32]
    """What the seat of each row may know, as numbers from -1 to 1: (races, numbers), or (races, learned, numbers)."""
    masks: NDArray[np.bool_]
    """Which actions are possible: (races, actions), or (races, learned, actions + 1)."""
    menus: NDArray[np.float32] | None
    """A row of numbers for each action, in games whose actions are entries of a menu; None in others."""
    rewards: NDArray[np.float32]
    """By race and learned seat; 0 but where a race has ended in this step."""
    ends: NDArray[np.bool_]
    """Which races have ended in this step, by the rules or by an illegal action."""
    places: NDArray[np.int64]
    """By race and learned seat: the place in a race that has ended by the rules in this step, 1 for the first, or 0."""
    illegal: NDArray[np.int64]
    """By race: the columns of `rewards` whose illegal actions have ended it in this step, as bits."""
    seat: NDArray[np.int64]
    """The seat of each row."""
    agents: NDArray[np.int64]
    """The column of `rewards` that belongs to the seat of each row."""
    seeds: NDArray[np.uint64]
    """The seed of each race, for `spina.new`."""
    final_observations: NDArray[np.float32] | None
    """By race and learned seat: what it saw last of the race that ended most recently; None if they are not kept."""

    def __init__(
        self,
        game: str,
        races: int,
        seats: int = 4,
        *,
        learned: int | Sequence[int] | None = None,
        drivers: str | Sequence[str] = "random",
        acting: Acting = "one",
        rotate: bool = False,
        seed: int | None = None,
        rewards: Rewards = "places",
        illegal: Illegal = "lose",
        menus: bool = True,
        final_observations: bool = False,
        threads: int | None = None,
        edition: str | Path | Edition | None = None,
        **options: object,
    ) -> None:
        model = new(game, seats=seats, seed=0, edition=edition, **options)  # checks the arguments
        check_choice("acting", acting, ("one", "all"))
        check_choice("illegal", illegal, ("lose", "raise"))
        self.game, self.edition, self.options, self.seats = model.game, model.edition, model.options, model.seats
        self.races = _whole("races", races, 1, MOST_RACES)
        wanted = _whole("threads", os.cpu_count() or 1 if threads is None else threads, 1, MOST_THREADS)
        self.threads = min(wanted, self.races)
        self.learned = _learned_seats(learned, seats)
        self.encoding = _kernel_encoding(model)
        self._functions = _functions_of(self.game, self.encoding)
        self._refuses = illegal == "raise"
        names = _drivers(self.game, drivers, seats, self.learned)
        self._setup = BatchSetup(
            edition=self.edition.data,
            options=self.game.encode_options(seats, self.options, self.edition),
            seed=np.uint64(0),
            drivers=driver_addresses(self.game, names),
            blind=np.array([name in self.game.blind_drivers for name in names], np.int64),
            columns=np.array([self.learned.index(s) if s in self.learned else -1 for s in range(seats)], np.int64),
            rewards=shared_rewards(rewards_by_place(rewards, seats)),
            lost=LOST,
            longest_menu=self.game.longest_menu,
            lists_all=int(self.game.lists_all),
            together=int(acting == "all"),
            rotates=int(bool(rotate)),
            describes=int(bool(menus and self.encoding.menu_names)),
            keeps_final=int(bool(final_observations)),
        )
        self._allocate(acting)
        self._workers = Workers(self.threads - 1)
        compiler.ready(compiler.folder_of(step_races))
        self.reset(seed)

    def _allocate(self, acting: Acting) -> None:
        """Make all arrays, and the views of them that learners see."""
        races, rows = self.races, len(self.learned) if acting == "all" else 1
        setup, encoding, wait = self._setup, self.encoding, int(acting == "all")
        listed = 0 if setup.lists_all else setup.longest_menu
        described = (encoding.actions, len(encoding.menu_names)) if setup.describes else (0, 0)
        final = (races, len(self.learned), encoding.size) if setup.keeps_final else (0, 0, 0)
        self._arrays = arrays = BatchArrays(
            races=_zeros((races, self.game.record.itemsize), np.uint8),
            numbers=_zeros((races,), np.int64),
            seeds=_zeros((races,), np.uint64),
            dice=_zeros((races, 4), np.uint64),
            lots=_zeros((races, 4), np.uint64),
            learned=_zeros((races,), np.int64),
            shifts=_zeros((races,), np.int64),
            seats=_zeros((races, rows), np.int64),
            agents=_zeros((races, rows), np.int64),
            counts=_zeros((races, rows), np.int64),
            codes=_zeros((races, rows, listed), np.int64),
            observations=_zeros((races, rows, encoding.size), np.float32),
            masks=_zeros((races, rows, encoding.actions + wait), np.uint8),
            menus=_zeros((races, rows, *described), np.float32),
            rewards=_zeros((races, len(self.learned)), np.float32),
            ends=_zeros((races,), np.uint8),
            illegal=_zeros((races,), np.int64),
            places=_zeros((races, len(self.learned)), np.int64),
            final=_zeros(final, np.float32),
        )
        self._actions = _zeros((races, rows), np.int64)
        self._asked_for_random, self._drawn = False, False  # since the last step; for the rows as they are now
        self._taken_races = _zeros((1,), np.int64)
        self._block = races if self.threads == 1 else max(1, min(LARGEST_BLOCK, races // (4 * self.threads)))

        def seen(array: NDArray[Any]) -> NDArray[Any]:
            return array if acting == "all" else array[:, 0]

        self.observations, self.masks = seen(arrays.observations), seen(arrays.masks).view(np.bool_)
        self.menus = seen(arrays.menus) if setup.describes else None
        self.seat, self.agents, self._taken = seen(arrays.seats), seen(arrays.agents), seen(self._actions)
        self.rewards, self.ends, self.places = arrays.rewards, arrays.ends.view(np.bool_), arrays.places
        self.illegal, self.seeds = arrays.illegal, arrays.seeds
        self.final_observations = arrays.final if setup.keeps_final else None
        self._step = Step(self.observations, self.masks, self.rewards, self.ends)

    def __repr__(self) -> str:
        learned = ", ".join(map(str, self.learned))
        return f"<Batch of {self.races} races, {self.game.name}, {self.seats} seats, learned: {learned}>"

    @property
    def actions(self) -> int:
        """Size of the discrete action space, to wait included."""
        return int(self.masks.shape[-1])

    # --- racing

    def reset(self, seed: int | Sequence[int] | None = None) -> Step:
        """Begin all races anew, with seeds that follow from this one; without a seed they are random.

        Seeds for each race may be given instead. Those of later races then follow from the first of them.
        """
        given = None if seed is None or isinstance(seed, int | np.integer) else self._given(seed)
        base = secrets.randbits(64) if seed is None else seed if given is None else int(given[0])
        self._setup = self._setup._replace(seed=np.uint64(checked_seed(base, LARGEST_SHORT_SEED)))
        arrays = self._arrays
        arrays.numbers[:] = np.arange(self.races)
        for array in (arrays.rewards, arrays.ends, arrays.illegal, arrays.places, arrays.final):
            array[...] = 0
        if given is not None:
            arrays.seeds[:] = given
        self._drawn = False
        self._on_all(begin_races, self._functions, self._setup, arrays, after=(int(given is not None),))
        return self._step

    def _given(self, seeds: Sequence[int]) -> NDArray[np.uint64]:
        numbers = [checked_seed(each, LARGEST_SHORT_SEED) for each in seeds]
        if len(numbers) != self.races:
            raise OptionError(f"{len(numbers)} seeds for {self.races} races: give one number, or one for each race")
        return np.array(numbers, np.uint64)

    def step(self, actions: Any) -> Step:
        """Take an action in every row, and go on to the next choices of learned seats.

        Raises OptionError for actions of another shape or type; with `illegal="raise"` also IllegalAction, and then
        nothing has changed.
        """
        if actions is not self._taken:
            self._take(actions)
        self._drawn = False
        if self._refuses:
            self._refuse_illegal()
        # a learner that acted at random will probably do so again: actions are drawn while a race is at hand
        draws, self._asked_for_random = self._asked_for_random, False
        self._on_all(step_races, self._functions, self._setup, self._arrays, after=(self._actions, int(draws)))
        self._drawn = draws
        return self._step

    def _take(self, actions: Any) -> None:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise OptionError(f"actions are whole numbers, not {given.dtype}")
        if given.shape != self._taken.shape:
            raise OptionError(f"actions have the shape {self._taken.shape}, not {given.shape}")
        np.copyto(self._taken, given, casting="same_kind" if given.dtype.kind == "i" else "unsafe")

    def _refuse_illegal(self) -> None:
        found = find_illegal(self._functions, self._setup, self._arrays, self._actions)
        if found >= 0:
            race, row = divmod(found, self._actions.shape[1])
            action, seat = self._actions[race, row], self._arrays.seats[race, row]
            raise IllegalAction(f"race {race}: action {action} is not possible for seat {seat} now, by the action mask")

    def random_actions(self) -> NDArray[np.int64]:
        """A possible action for every row, each with the same probability, drawn inside the kernel.

        The same seed and the same calls draw the same actions. The array is overwritten by the next call and by
        `step`.
        """
        if not self._drawn:
            self._on_all(draw_actions, self._setup, self._arrays, after=(self._actions,))
        self._asked_for_random, self._drawn = True, False
        return self._taken

    def _on_all(self, entry: Callable[..., None], *before: Any, after: tuple[Any, ...]) -> None:
        """Call an entry in all threads, which share the races of the batch block by block."""
        self._taken_races[0] = 0
        arguments = (*before, self._taken_races, self._block, *after)
        if self.threads == 1:
            entry(*arguments)
        else:
            self._workers.do(lambda: entry(*arguments))

    # --- looking at races

    def race(self, index: int) -> Race:
        """A copy of one race as it is now, as `spina.Race` without a log. It holds hidden information."""
        state = self._arrays.races[index]
        return Race.from_state(self.game, state, edition=self.edition, seats=self.seats, options=self.options)

    def close(self) -> None:
        """End the threads. A batch that is no longer used does this by itself."""
        self._workers.close()


def batch(game: str, races: int, seats: int = 4, **options: Any) -> Batch:
    """Many races at once for learners, stepped together inside the kernel.

    - `learned`: the learned seats, one or several; all, if None. `drivers`: who has the others, one name for all of
      them or one for each, by seat; drivers act inside the kernel. `rotate`: every race shifts both by a random
      number of seats.
    - `acting`: "one" steps one seat of each race at a time, "all" all learned seats together.
    - `seed`: race i is `spina.new(game, seed=batch.seeds[i], …)`; the same seed gives the same races on any number of
      `threads` (all cores, if None).
    - `rewards`: "places" (1 for the first to -1 for the last), "win" (1 for the first), or a number for each place.
      `illegal`: "lose" ends a race with -1 for the seat of an illegal action, "raise" raises IllegalAction.
    - `menus`: describe the actions, in games whose actions are entries of a menu. `final_observations`: keep what
      learned seats see at the end of a race.
    - `edition` and the options of the game as in `spina.new`.

    Raises OptionError for wrong options. `Batch` tells what its arrays are.

    Examples:
        >>> batch = spina.batch("chariot-race", races=8, seats=4, learned=0, drivers="competent", seed=1)
        >>> batch
        <Batch of 8 races, chariot-race, 4 seats, learned: 0>
        >>> step = batch.step(batch.masks.argmax(axis=1))  # the first possible action in every race
        >>> step.rewards.shape, step.ends.any()
        ((8, 1), np.False_)
    """
    return Batch(game, races, seats, **options)


def _zeros(shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    """An array of zeros that begins at a multiple of ALIGNMENT."""
    size = prod(shape) * np.dtype(kind).itemsize
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    array: NDArray[Any] = memory[begin : begin + size].view(kind).reshape(shape)
    return array


def _whole(name: str, number: object, low: int, high: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not low <= number <= high:
        raise OptionError(f"{name} must be a whole number from {low} to {high:,}, not {shown(number)}")
    return int(number)


def _learned_seats(learned: int | Sequence[int] | None, seats: int) -> tuple[int, ...]:
    """The learned seats in ascending order."""
    if learned is None:
        return tuple(range(seats))
    given = [learned] if isinstance(learned, int | np.integer) else learned
    if not isinstance(given, list | tuple | range) or not given:
        raise OptionError(f"learned is a seat, a list of seats, or None for all, not {shown(learned)}")
    found = sorted({_whole("a learned seat", seat, 0, seats - 1) for seat in given})
    if len(found) != len(given):
        raise OptionError(f"learned names a seat twice: {shown(learned)}")
    return tuple(found)


def _drivers(game: Game, drivers: str | Sequence[str], seats: int, learned: Sequence[int]) -> list[str]:
    """The names of the drivers of all seats; learned seats get the random driver, which does not act."""
    others = [seat for seat in range(seats) if seat not in learned]
    names = ["random"] * seats
    for seat, name in zip(others, drivers_by_name(game, drivers, len(others)), strict=True):
        names[seat] = name
    return names


def _kernel_encoding(model: Race) -> KernelEncoding:
    made = model.game.encoding
    if made is None or not issubclass(made, KernelEncoding):
        raise OptionError(
            f"{model.game.title} cannot be raced in batches: its encoding is not compiled (Game.encoding is none that "
            "derives from spina.games.encoding.KernelEncoding)"
        )
    return made(race_format(model))


def _functions_of(game: Game, encoding: KernelEncoding) -> Any:
    describe = getattr(encoding, "describe", describe_nothing)
    return addresses((*game.rules, encoding.kernel, describe), BATCH_SIGNATURES)
