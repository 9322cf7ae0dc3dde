"""Race: one running race of any game."""

from __future__ import annotations

import secrets as chance
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from spina import save_file
from spina.errors import IllegalAction, OptionError, PositionError, writable
from spina.games import play as play_game
from spina.games.editions import Edition, read_text, shown
from spina.games.factions import drawn_in
from spina.games.game import Action, Event, Game
from spina.games.notation import typed
from spina.games.plain_data import plain
from spina.games.shared_view import completed
from spina.kernel.interface import RESOLVED, STEP
from spina.kernel.narration import new_story
from spina.kernel.race_runner import hash_race
from spina.kernel.random import LARGEST_SEED, LARGEST_SHORT_SEED, new_dice
from spina.kernel.record import Bytes, blank
from spina.refusal_codes import say

_STORY_ROWS = 512


class Race:
    """One running race: lists and plays actions, and shows each seat what it may see.

    Make one with `spina.new`, `spina.load` or `spina.position`.

    Examples:
        >>> race = spina.new("charioteer", seats=2, seed=7)
        >>> race
        <Race charioteer, 2 seats, turn 1, b1396fcf80dbcdfc>
        >>> race.to_act
        (0, 1)
        >>> bot = spina.bots.make("competent", game="charioteer", seed=1)
        >>> while not race.over:
        ...     for seat in race.to_act:
        ...         events = race.play(seat, bot.choose(race, seat))
        >>> race.ranking
        [[1], [0]]
    """

    __slots__ = (
        "_bytes",
        "_hashes",
        "_log",
        "_rules",
        "_steps",
        "_told",
        "branches",
        "edition",
        "game",
        "options",
        "origin",
        "seats",
    )

    game: Game
    edition: Edition
    seats: int
    options: dict[str, Any]
    origin: int | dict[str, Any]
    """The seed, or the position that the race began from."""
    branches: tuple[save_file.Branch, ...]
    """The moments at which hidden information was dealt anew since then (`spina.branch`). The log begins after them."""

    def __init__(
        self,
        game: Game,
        edition: Edition,
        seats: int,
        options: dict[str, Any],
        origin: int | dict[str, Any],
        data: Bytes,
        branches: tuple[save_file.Branch, ...] = (),
    ) -> None:
        self.game, self.edition, self.seats = game, edition, seats
        self.options, self.origin, self.branches = options, origin, branches
        self._bytes = data
        self._log: list[tuple[int, Action]] = []
        self._hashes: list[tuple[int, int]] = []  # number of actions, state hash after them
        self._steps: dict[int, list[Action]] = {}  # steps of choices that are not complete
        self._told: list[Event] = []
        self._rules: int | None = None

    # --- who and what

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats that owe a choice now."""
        bits = self.game.rules.acting(self._bytes, self.edition.data)
        return tuple(seat for seat in range(self.seats) if bits >> seat & 1)

    @property
    def rules(self) -> int:
        """The version of the game's rules that this race uses."""
        if self._rules is None:
            self._rules = self.game.rules_of(self._bytes)
        return self._rules

    @property
    def over(self) -> bool:
        """Whether the race has ended."""
        return bool(self.game.rules.over(self._bytes, self.edition.data))

    @property
    def turn(self) -> int:
        """The current turn (or round), 1 for the first."""
        return int(self.game.rules.turn(self._bytes, self.edition.data))

    @property
    def places(self) -> tuple[int, ...]:
        """Each seat's place, 1 for the first; ties share a number. Before the end: the present standings."""
        out = np.zeros(self.seats, np.int64)
        self.game.rules.ranking(self._bytes, self.edition.data, out)
        return tuple(out.tolist())

    @property
    def ranking(self) -> list[list[int]]:
        """Seats in the order of their places, ties together."""
        places = self.places
        return [[s for s in range(self.seats) if places[s] == place] for place in sorted(set(places))]

    @property
    def log(self) -> tuple[tuple[int, Action], ...]:
        """The seats and their completed choices so far. Contains secrets while the race runs."""
        return tuple(self._log)

    # --- acting

    def legal(self, seat: int) -> list[Action]:
        """What the seat may do now; empty when it owes no choice.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> race.legal(0)[0]
            Token(token='+5 green')
            >>> [str(action) for action in race.legal(0)]
            ['token +5 green', 'token +5 red', 'token +5 black', 'no token']
        """
        self._check_seat(seat)
        out = np.zeros(self.game.longest_menu, np.int64)
        count = self.game.rules.legal(self._bytes, self.edition.data, seat, out)
        return [self.game.action(self.edition, code) for code in out[:count].tolist()]

    def check(self, seat: int, action: Action | str) -> str | None:
        """None if the seat may do this now, otherwise why not.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> race.check(0, "green-2: c g + crowd")
            >>> race.check(0, "green-2: c z")
            'there is no card "z": the slots of the hand are a to h'
        """
        try:
            self._codes(seat, action)
        except IllegalAction as error:
            return error.reason
        return None

    def play(self, seat: int, action: Action | str) -> list[Event]:
        """Play the action. Returns the events as the seat may know them. Raises IllegalAction and changes nothing.

        Examples:
            >>> from spina.games import charioteer
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> race.play(0, charioteer.Choice("green-2", "cg", crowd=True))
            [Chosen(seat=0)]
            >>> events = race.play(1, "reset: a")
            >>> [event.points for event in events if isinstance(event, charioteer.events.Counted)]
            [6]
        """
        action, codes = self._codes(seat, action)
        before, edition, apply = self._bytes.copy(), self.edition.data, self.game.rules.apply
        rows = _STORY_ROWS
        while True:
            story = new_story(rows)
            status = RESOLVED
            if self.game.starts_over(action):
                self.game.rules.retract(self._bytes, edition, seat)
            for code in codes:
                status = apply(self._bytes, edition, seat, code, story)
            if story[0, 0] <= rows:
                break
            rows = int(story[0, 0])  # more events than expected: go back and play again with a longer story
            self._bytes[:] = before
        self._note(seat, action, codes, status)
        self._told = self.game.decode_events(self.edition, story[1 : story[0, 0] + 1].tolist())
        return self.told(seat)

    @property
    def happened(self) -> tuple[Event, ...]:
        """All events of the last action. Contains secrets: `told` shows a seat what it may know."""
        return tuple(self._told)

    def told(self, viewer: int | None) -> list[Event]:
        """The events of the last action, as this seat (or None, a spectator) may know them."""
        if viewer is not None:
            self._check_seat(viewer)
        return [seen for event in self._told if (seen := event.seen_by(viewer)) is not None]

    def retract(self, seat: int) -> None:
        """Take back the seat's choice. Raises IllegalAction if the seat has no unrevealed choice.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> race.play(0, "reset: a")
            [Chosen(seat=0)]
            >>> race.to_act
            (1,)
            >>> race.retract(0)
            >>> race.to_act
            (0, 1)
        """
        if not self.retractable(seat):
            raise IllegalAction(say("race.nothing-to-take-back", seat=seat))
        pending = self._log[self._settled :]
        self.game.rules.retract(self._bytes, self.edition.data, seat)
        self._steps.pop(seat, None)
        self._log[self._settled :] = [(other, action) for other, action in pending if other != seat]
        self._told = []

    def retractable(self, seat: int) -> bool:
        """Whether the seat has an unrevealed choice, or steps of one, that it may take back."""
        self._check_seat(seat)
        return seat in self._steps or any(seat == other for other, _ in self._log[self._settled :])

    @property
    def resolved(self) -> int:
        """Number of times that choices were revealed to all seats. Offers do not change until the next time."""
        return len(self._hashes)

    @property
    def settled(self) -> bool:
        """Whether every choice made so far has been revealed to all seats, so that the state's hash may be stored."""
        return not self._steps and self._settled == len(self._log)

    def explain(self, seat: int, action: Action | str) -> Any:
        """The consequences of a possible action, part by part. Raises IllegalAction.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> told = race.explain(0, "green-2: c g + crowd")
            >>> told.symbols, told.number, told.points, told.space
            (4, 2, 6, 2)
            >>> print(told)
            green-2: c g + crowd: 4 symbols + 2 number + 0 token + 0 skill - 0 damage = 6, ends on space 2; \
green skill to +1
        """
        self.check_may_act(seat)
        return self.game.explain(self._bytes, self.edition, seat, typed(self.game, self.edition, action))

    def outcome(self, seat: int, action: Action | str) -> Any:
        """What an action leads to, for a comparison with another one: `explain`, or what the game has instead."""
        self.check_may_act(seat)
        return self.game.outcome(self._bytes, self.edition, seat, typed(self.game, self.edition, action))

    def outlook(self, seat: int) -> list[Any]:
        """The consequences of every continuation, where a game can list them: in Chariot Race, every path."""
        self.check_may_act(seat)
        return self.game.outlook(self._bytes, self.edition, seat)

    def offer(self, seat: int) -> Any:
        """What the seat may choose now with the consequences attached, as the game's `Offer`. Secret to that seat.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> for move in race.offer(0).moves:
            ...     print(move.symbol, move.best.points, move.sets[:3])
            green-2 6 ['cg+', 'c+', 'g+']
            red-1 6 ['ab+', 'a+', 'b+']
            black-0 5 ['adg', 'ad', 'ag']
            black-2 8 ['cef', 'ce', 'cf']
        """
        self.check_may_act(seat)
        return self.game.offer(self._bytes, self.edition, seat)

    def choosing(self, seat: int) -> tuple[Action, ...]:
        """The steps that the seat has taken towards a choice that is not complete. Only that seat may see them."""
        self._check_seat(seat)
        return tuple(self._steps.get(seat, ()))

    @property
    def chance(self) -> bytes:
        """The state of the random generator: an action that used no chance leaves it unchanged."""
        names = self.game.record.names or ()
        record = self._bytes.view(self.game.record)[0]
        return bytes(record["dice_to_come" if "dice_to_come" in names else "dice"].tobytes())

    @property
    def _settled(self) -> int:
        """Number of actions of the log that have been revealed to all seats."""
        return self._hashes[-1][0] if self._hashes else 0

    def _note(self, seat: int, action: Action, codes: list[int], status: int) -> None:
        if self.game.starts_over(action):
            self._steps.pop(seat, None)
            whole = self.game.gather(self.edition, [self.game.action(self.edition, code) for code in codes])
        else:
            steps = self._steps.setdefault(seat, [])
            steps.append(action)
            if status == STEP:
                return
            whole = self.game.gather(self.edition, self._steps.pop(seat))
        self._log.append((seat, whole))
        if status == RESOLVED:
            self._hashes.append((len(self._log), self.hash_number()))

    def _codes(self, seat: int, action: Action | str) -> tuple[Action, list[int]]:
        self.check_may_act(seat)
        meant = typed(self.game, self.edition, action)
        return meant, self.game.encode(self._bytes, self.edition, seat, meant)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is int and 0 <= seat < self.seats:
            return
        if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < self.seats:
            raise IllegalAction(say("race.no-seat", seat=shown(seat), last=self.seats - 1))

    def check_may_act(self, seat: int) -> None:
        """Raise IllegalAction unless the seat owes a choice now."""
        self._check_seat(seat)
        if not self.game.rules.acting(self._bytes, self.edition.data) >> seat & 1:
            if self.over:
                raise IllegalAction(say("race.over"))
            waiting = ", ".join(map(str, self.to_act))
            raise IllegalAction(say("race.not-now", seat=seat, waiting=waiting))

    # --- seeing

    def view(self, seat: int | None) -> Any:
        """Everything that the seat may know, as the game's `View`; None: what a spectator sees.

        Fields are attributes and keys. For `json.dumps` take `view.as_dict()`. A game may also return a dict.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> race.view(0).hand["a"]
            'black-0 black-0 red-1'
            >>> race.view(0)["chariots"][1]["progress"] == race.view(0).chariots[1].progress
            True
            >>> race.view(None).hand is None
            True
        """
        return self.views([seat])[0]

    def views(self, viewers: Sequence[int | None]) -> list[Any]:
        """The views of several seats, which cost less together. Their parts may be shared: change none of them.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> race.views([0, 1, None]) == [race.view(0), race.view(1), race.view(None)]
            True
        """
        for viewer in viewers:
            if viewer is not None:
                self._check_seat(viewer)
        shared, views = self._shared(), self.game.views(self._bytes, self.edition, viewers)
        return [completed(view, shared | {"seat": viewer}) for viewer, view in zip(viewers, views, strict=True)]

    def _shared(self) -> dict[str, Any]:
        """The fields that the views of all games and seats share."""
        return {
            "game": self.game.name,
            "rules": self.rules,
            "edition": self.edition.name,
            "seats": self.seats,
            "options": dict(self.options),
            "to_act": list(self.to_act),
            "over": self.over,
            "ranking": self.ranking,
        }

    def draw(self, names: list[str] | None = None, colour: bool = False) -> str:
        """The race as text for a terminal."""
        return self.game.draw(self._bytes, self.edition, self._names(names), colour)

    def svg(self, names: list[str] | None = None, colours: Sequence[int] | None = None) -> str:
        """The race as a picture. `colours`: numbers of factions by seat, where the game lets seats choose them."""
        with drawn_in(colours if colours and self.game.seats_have_colours(self.seats, self.options) else ()):
            return self.game.picture(self._bytes, self.edition, self._names(names))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _names(self, names: list[str] | None) -> list[str]:
        """A name for every seat: the given one, or its number."""
        if names is None:
            return [f"Seat {seat}" for seat in range(self.seats)]
        if not isinstance(names, list | tuple) or len(names) != self.seats:
            raise OptionError(say("option.names", seats=self.seats))
        if not all(isinstance(name, str) for name in names):
            raise OptionError(say("option.names-not-texts"))
        return [writable(name) for name in names]

    def __repr__(self) -> str:
        state = "over" if self.over else f"{self.game.turn_word} {self.turn}"
        return f"<Race {self.game.name}, {self.seats} seats, {state}, {self.hash()}>"

    # --- copying and keeping

    def copy(self) -> Race:
        """An independent race in the same state, with the same future.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> trial = race.copy()
            >>> trial.play(0, "reset: a")
            [Chosen(seat=0)]
            >>> race.to_act, trial.to_act
            ((0, 1), (1,))
        """
        other = Race(self.game, self.edition, self.seats, self.options, self.origin, self._bytes.copy(), self.branches)
        other._log = self._log.copy()
        other._hashes = self._hashes.copy()
        other._steps = {seat: steps.copy() for seat, steps in self._steps.items()}
        other._told = self._told
        other._rules = self._rules
        return other

    def hash(self) -> str:
        """A hash of the whole state, future dice included: equal states have equal hashes."""
        return f"{self.hash_number():016x}"

    def hash_number(self) -> int:
        """`hash` as a number, as simulations report it."""
        return int(hash_race(self._bytes))

    def save(self, path: str | Path) -> None:
        """Write the race to a file that `spina.load` reads. The secrets of a running race are sealed.

        Examples:
            >>> race = spina.new("charioteer", seats=2, seed=7)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     race.save(f"{folder}/race.json")
            ...     spina.load(f"{folder}/race.json").hash() == race.hash()
            True
        """
        save_file.write(self.saved(), path)

    def saved(self) -> save_file.Saved:
        """The contents of the race's save file."""
        secrets = save_file.Secrets(
            origin=save_file.written_seed(self.origin) if isinstance(self.origin, int) else self.origin,
            actions=[(seat, str(action)) for seat, action in self._log],
            hashes=[(count, f"{number:016x}") for count, number in self._hashes],
            pending=[(seat, str(step)) for seat, steps in self._steps.items() for step in steps],
            branches=list(self.branches) or msgspec.UNSET,
        )
        over = self.over
        return save_file.Saved(
            spina=save_file.FORMAT,
            game=self.game.name,
            rules=self.rules,
            edition=self.edition.hash,
            seats=self.seats,
            options=self.options,
            over=over,
            turn=self.turn,
            race=secrets if over else None,
            sealed=None if over else save_file.sealed(secrets),
            edition_text=self.game.kept_text(self.edition),
        )

    @classmethod
    def from_state(
        cls,
        game: Game,
        state: Bytes | bytes,
        *,
        edition: Edition,
        seats: int,
        options: Mapping[str, Any],
        choosing: Mapping[int, Sequence[Action | str]] = MappingProxyType({}),
    ) -> Race:
        """A race that continues from a state in the kernels' form, such as `determinized_state` returns.

        Its log is empty. `choosing` holds the steps that seats have already
        taken towards choices that are not complete. Raises OptionError for a state of another length.
        """
        data = np.frombuffer(state, np.uint8).copy()
        if len(data) != game.record.itemsize:
            text = say("option.state-length", title=game.title, wanted=game.record.itemsize, count=len(data))
            raise OptionError(text)
        race = cls(game, edition, seats, dict(options), 0, data)
        for seat, steps in choosing.items():
            if steps:
                race._steps[seat] = [typed(game, edition, step) for step in steps]
        return race

    def determinized(self, seat: int | None, seed: int) -> Race:
        """A determinization: a race that agrees with everything that the seat (or None, a spectator) knows.

        Hidden cards, pending choices of others and future dice are drawn at random. The log is empty.
        """
        return Race.from_state(
            self.game,
            self.determinized_state(seat, seed),
            edition=self.edition,
            seats=self.seats,
            options=self.options,
            choosing={} if seat is None else {seat: self.choosing(seat)},
        )

    def determinized_state(self, seat: int | None, seed: int) -> Bytes:
        """The state of `determinized`, in the kernels' form."""
        if seat is not None:
            self._check_seat(seat)
        luck = np.uint64(checked_seed(seed, LARGEST_SHORT_SEED))
        data = self._bytes.copy()
        viewer = -1 if seat is None else seat
        self.game.rules.determinize(data, self.edition.data, viewer, luck)
        return data

    dealt_anew = determinized_state
    """The former name of `determinized_state`."""


def checked_seed(seed: object, largest: int = LARGEST_SEED) -> int:
    """The seed, checked. Raises OptionError if it is not a valid one."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= largest:
        raise OptionError(say("option.seed", bits=largest.bit_length(), seed=shown(seed)))
    return int(seed)


def find_edition(game: Game, edition: str | Path | Edition | None) -> Edition:
    """The reference edition, one from a file, or one already read."""
    if edition is None:
        return game.reference()
    if not isinstance(edition, str | Path | Edition):
        raise OptionError(say("option.not-an-edition", edition=shown(edition)))
    if isinstance(edition, Edition):
        if edition.game != game.name:
            raise OptionError(say("option.other-game", found=edition.game, game=game.name))
        return edition
    return game.parse_edition(read_text(edition), str(edition))


def new(
    game: str,
    *,
    seats: int = 4,
    seed: int | None = None,
    edition: str | Path | Edition | None = None,
    **options: object,
) -> Race:
    """Start a race. Without a seed it gets a random one.

    Examples:
        >>> spina.new("charioteer", seats=4, seed=7)
        <Race charioteer, 4 seats, turn 1, 983a41ef18f9db4f>
        >>> spina.new("chariot-race", seats=3, seed=1, board="AB").options["board"]
        'AB'
    """
    return start(game, options, seats=seats, seed=seed, edition=edition)


def start(
    game: str,
    options: Mapping[str, object],
    *,
    seats: int = 4,
    seed: int | None = None,
    edition: str | Path | Edition | None = None,
    rules: int | None = None,
) -> Race:
    """`new` with the options as a mapping, optionally with a former version of the rules. Raises OptionError."""
    found = play_game(game)
    if isinstance(seats, bool) or not isinstance(seats, int) or seats not in found.seat_counts:
        low, high = found.seat_counts[0], found.seat_counts[-1]
        raise OptionError(
            say("option.seats", option="seats", title=found.title, low=low, high=high, seats=shown(seats))
        )
    chosen = find_edition(found, edition)
    checked = found.check_options(seats, plain(options, OptionError, "options"), chosen)
    seed = chance.randbits(64) if seed is None else checked_seed(seed)
    data = blank(found.record)
    found.rules.set_up(data, chosen.data, found.encode_options(seats, checked, chosen), new_dice(seed))
    if rules is not None:
        found.go_by(data, rules)
    return Race(found, chosen, seats, checked, seed, data)


def position(
    game: str, data: Mapping[str, Any], *, edition: str | Path | Edition | None = None, rules: int | None = None
) -> Race:
    """A race that begins from any position, given as plain data. Raises PositionError naming the field.

    `rules` is for positions that were stored with a race: the version of the rules that the race uses.

    Examples:
        >>> race = spina.position("charioteer", {"chariots": [{"progress": 20, "damage": 2}, {"progress": 24}]})
        >>> [chariot.space for chariot in race.view(None).chariots]
        [20, 24]
    """
    found = play_game(game)
    chosen = find_edition(found, edition)
    said = plain(data, PositionError, "position")
    try:
        if rules is None:
            said = found.completed(said, chosen)
        placed = found.position(said, chosen)
    except OptionError as error:
        raise PositionError(say("data.field", where="options", why=error.said)) from None
    if rules is not None:
        found.go_by(placed.race, rules)
    return Race(found, chosen, placed.seats, placed.options, said, placed.race)
