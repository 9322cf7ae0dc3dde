"""What a game offers to the rest of Spina.

`Rules` (in the kernel layer) is a game's interface for compiled code, `Game` the one for Python: typed actions,
events, views, notation, positions, pictures. A race is passed as its bytes and its edition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from spina.errors import IllegalAction, NotationError, OptionError, PositionError
from spina.games import defaults
from spina.games.actions import Action as Action
from spina.games.actions import Event as Event
from spina.games.choice_reasons import Reason
from spina.games.command_line import AddCommand
from spina.games.editions import Edition, Files, extent, shown
from spina.games.encoding import Encoding
from spina.games.factions import FACTIONS
from spina.games.feature import Feature
from spina.games.levels import DEFAULT_LEVELS, Level
from spina.games.mapping_struct import Fields, MappingStruct
from spina.games.policy import LearnedPolicy
from spina.games.shared_view import SharedView
from spina.games.studies.profile import LabProfile
from spina.games.web_files import WebFiles
from spina.kernel.compiler import folder_of
from spina.kernel.function_pointers import addresses
from spina.kernel.interface import RULES_SIGNATURES, Rules
from spina.kernel.no_features import measure_no_features
from spina.kernel.record import Bytes, look
from spina.refusal_codes import say

Driver = Callable[..., int]
"""A policy made for one game: a compiled entry of the signature `interface.DRIVER`."""


class Setting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An option of a game, as the set-up of a race asks for it."""

    name: str
    kind: Literal["switch", "choice", "number", "design"]
    """Yes or no; one of `choices`; a whole number; something that the game's own set-up script asks for.

    A setting named `teams` is a list with the team of each seat; the set-up page asks for it beside the seats."""
    default: Any = None
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    seats: tuple[int, ...] = ()
    """Seat counts that it is for; all, if empty."""
    first: Any = None
    """Default in a first race; None: `default`."""


class Scene(msgspec.Struct, frozen=True):
    """What a page needs to show a race: the static board, and the coordinates of pieces on it."""

    board: str
    """SVG."""
    places: dict[str, Any]
    """Coordinates of everything that pieces stand on, and other data that the game's page needs once."""


class Placed(NamedTuple):
    """A position as a race can start from it."""

    race: Bytes
    seats: int
    options: dict[str, Any]


class Game(ABC):
    """One game: its rules and everything that surrounds them."""

    name: ClassVar[str]
    """The name in calls and files."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """One line that says what kind of race it is."""
    seat_counts: ClassVar[range]
    rules: ClassVar[Rules]
    rules_version: ClassVar[int]
    """Increased whenever a change makes a saved race replay differently."""
    oldest_rules: ClassVar[int] = 1
    """The oldest version of the rules that is still supported. A game whose rules have changed stores the version of a
    race, less 1, in the field `revision` of its record, which its kernels check where versions differ."""
    record: ClassVar[np.dtype[Any]]
    steps: ClassVar[int]
    """How many different actions there are."""
    longest_menu: ClassVar[int]
    """Most actions that can be legal at once."""
    features: ClassVar[tuple[Feature, ...]] = ()
    """The numbers that describe a seat's situation, each of the order of 1; the first is the share of the race to go.
    Without features there is no value network, and bots give advice without reasons."""
    measure_features: ClassVar[Callable[..., None]] = staticmethod(measure_no_features)
    """(race, edition, seat, out): writes a number for each of `features`, from public information only."""
    network: ClassVar[Traversable | None] = None
    """The file with the weights of the value network, as `spina lab train` writes it. Without one, the search simulates
    every race to its end."""
    policy: ClassVar[LearnedPolicy | None] = None
    """Its candidates and the network that scores them, as `spina lab train --policy` trains it. Without one, the search
    builds choices from steps in a tree, and no policy can be trained."""
    levels: ClassVar[Mapping[str, Level]] = DEFAULT_LEVELS
    """Bots as players meet them, from weak to strong, by the names in `LEVEL_NAMES`."""
    frozen_levels: ClassVar[Mapping[str, Level]] = {}
    """Former levels that later ones are measured against, such as "expert-1". They play as they always did and are not
    offered to players. A frozen level names its driver, every setting and the file of its weights, so that it depends
    on no default. It also depends on code: its driver, `measure_features`, the search. Where one of these is to choose
    otherwise, its former version keeps a separate name, which the frozen level uses."""
    action_names: ClassVar[tuple[str, ...]] = ()
    """Notations of its actions by their numbers, for a game whose every choice is one action without parameters."""
    event_kinds: ClassVar[tuple[defaults.EventKind, ...]] = ()
    """Kinds of its events by their numbers from 0, for a game that leaves `event` and `sentence` to the defaults."""
    laps: ClassVar[int] = 1
    """Laps of a race, for the default picture."""
    drivers: ClassVar[Mapping[str, Driver]]
    """Policies by name. Every game has "random"; a game with a better one calls it "competent"."""
    blind_drivers: ClassVar[frozenset[str]] = frozenset()
    """Drivers that choose the same whatever is hidden from their seat, the future of the dice included, and that leave
    the race as it was. Races in batches ask these on the race itself; all others on a determinization, which takes
    longer than most choices. The contract suite (`spina.testing`) compares both."""
    costly_drivers: ClassVar[bool] = False
    """Whether a driver's choice takes much longer than `determinize` and a hash: then a search remembers them."""
    hidden_information: ClassVar[bool] = True
    """Whether a seat may know something that others do not, a pending choice included."""
    command_examples: ClassVar[Mapping[str, str]] = {}
    """Lines of `spina commands` on the commands that the game adds: arguments and descriptions."""
    line_up: ClassVar[tuple[str, ...]]
    """Drivers for a race that is worth watching."""
    list_position: ClassVar[int] = 100
    """Where it stands in lists of games: low numbers first, equal ones by name."""
    turn_word: ClassVar[str] = "turn"
    pace: ClassVar[float] = 0.5
    """Seconds that its page takes to show an event at the usual speed, on average over whole turns."""
    lists_all: ClassVar[bool] = True
    """Whether `legal` lists all legal actions; if not, it lists a sensible menu, and `check` accepts the others too."""
    web: ClassVar[WebFiles] = WebFiles()
    """Scripts, styles, messages, icon and rules page for the browser; without them the table uses generic ones."""
    lesson: ClassVar[Path | None] = None
    """The file of its lesson (`games/lessons.py`). A game without one has no Learn."""
    view_type: ClassVar[Any] = dict[str, Any]
    """What `view` returns: a struct that derives from `SharedView`, or a dict. The JSON schema of the HTTP interface
    and the types of the page scripts are generated from these types and `event_types`."""
    offer_type: ClassVar[Any] = dict[str, Any]
    """What `offer` returns: a struct, or a dict."""
    explanation_type: ClassVar[Any] = Any
    """What `explain` returns: a struct, or other plain data."""
    places_type: ClassVar[Any] = dict[str, Any]
    """What `Scene.places` is, for the types of the page scripts: a TypedDict, or a dict."""

    def __repr__(self) -> str:
        counts = self.seat_counts
        return f"<Game {self.name}: {self.title}, {counts[0]} to {counts[-1]} seats>"

    @cached_property
    def folders(self) -> tuple[Path, ...]:
        """The folders whose compiled entries the game is played with: those of its rules, drivers and features."""
        entries = (*self.rules, *self.drivers.values(), self.measure_features)
        return tuple(dict.fromkeys(map(folder_of, entries)))

    # --- what is loaded only when it is asked for

    @cached_property
    def lab(self) -> LabProfile:
        """What studies know of the game: facts, claims, set-ups, knobs. The default works for any game.

        A game imports its folder `lab/` in here, so that playing never loads it.
        """
        return LabProfile()

    @cached_property
    def encoding(self) -> type[Encoding] | None:
        """How learning environments see its races. None: they see the numbers and texts of `view`.

        A game imports its folder `encoding/` in here, so that playing never loads it.
        """
        return None

    @property
    def commands(self) -> Sequence[AddCommand]:
        """Functions that add a command of the game to the command line, `spina COMMAND`."""
        return ()

    @cached_property
    def rules_addresses(self) -> Any:
        """The addresses of `rules`, for kernels. Waits until they are compiled."""
        return addresses(self.rules, RULES_SIGNATURES)

    # --- bots

    @property
    def default_driver(self) -> str:
        """The driver of rollouts and of training races where none is named, and of seats whose players are away."""
        return "competent" if "competent" in self.drivers else "random"

    @property
    def strongest_level(self) -> Level:
        """The last of `levels`: its search gives hints and explains the choices of drivers."""
        return tuple(self.levels.values())[-1]

    def level(self, name: str) -> Level | None:
        """A level or a frozen level by its name; None if there is none of this name."""
        return self.levels.get(name) or self.frozen_levels.get(name)

    # --- versions of the rules

    def rules_of(self, race: Bytes) -> int:
        """The version of the rules that a race uses."""
        return int(look(race, self.record).revision) + 1 if self._keeps_revision else self.rules_version

    def go_by(self, race: Bytes, version: int) -> None:
        """Make a race that has just been set up use a former version of the rules. Raises OptionError."""
        if type(version) is not int or not self.oldest_rules <= version <= self.rules_version:
            known = extent(self.oldest_rules, self.rules_version)
            raise OptionError(
                say(
                    "option.rules-version",
                    version=shown(version),
                    title=self.title,
                    known=known,
                )
            )
        if self._keeps_revision:
            look(race, self.record).revision = version - 1

    @property
    def _keeps_revision(self) -> bool:
        return "revision" in (self.record.names or ())

    # --- components and options

    @cached_property
    def editions(self) -> Files[Edition]:
        """The editions of the game. Default: one without components."""
        return defaults.PlainFiles(self.name, self.title)

    def reference(self) -> Edition:
        """The edition that is used when none is named."""
        return self.editions.reference()

    def parse_edition(self, text: str, name: str) -> Edition:
        """An edition from the text of a file. Raises EditionError with its problems, up to twenty."""
        return self.editions.parse(text, name)

    def kept_text(self, edition: Edition) -> str | None:
        """What must be stored of an edition besides its hash: its text, or None for the reference."""
        return None if edition.hash == self.reference().hash else edition.text

    def kept_edition(self, hashed: str, text: str | None) -> Edition | None:
        """The edition of a stored race: its own, or the reference edition of that time. None if it is not known."""
        return self.editions.kept(hashed, text)

    def units(self, edition: Edition) -> Mapping[str, float]:
        """The units that depend on the edition, such as the spaces of a race, by the names of their features."""
        return {}

    def features_in(self, edition: Edition) -> tuple[Feature, ...]:
        """The features in the units of this edition, for messages with amounts."""
        units = self.units(edition)
        return tuple(replace(feature, unit=units.get(feature.name, feature.unit)) for feature in self.features)

    def check_options(self, seats: int, options: Mapping[str, object], edition: Edition) -> dict[str, Any]:
        """The options of a race with this edition, complete and plain. Raises OptionError. Default: there are none."""
        if options:
            raise OptionError(say("option.none", title=self.title, option=next(iter(options))))
        return {}

    def encode_options(self, seats: int, options: Mapping[str, Any], edition: Edition) -> NDArray[np.int64]:
        """Checked options for the kernel: the number of seats first."""
        return np.array([seats], np.int64)

    def settings(self, edition: Edition) -> list[Setting]:
        """The options that a race with this edition can have, with their defaults."""
        return []

    def setup_data(self, edition: Edition) -> dict[str, Any] | None:
        """What the game's own set-up script (`setup.js` in `web`) needs of this edition; None: nothing."""
        return None

    # --- actions

    def action(self, edition: Edition, code: int) -> Action:
        """The typed form of an action that the kernel lists. Default: a `Move` of that name in `action_names`."""
        if not 0 <= code < len(self.action_names):
            raise NotationError(say("notation.no-action-number", title=self.title, number=code))
        return defaults.Move(self.action_names[code])

    def read(self, edition: Edition, text: str) -> Action:
        """An action from its notation. Raises NotationError."""
        return defaults.read_move(self.action_names, text)

    def encode(self, race: Bytes, edition: Edition, seat: int, action: Action) -> list[int]:
        """The kernel's actions that make up this one. Raises IllegalAction, saying why."""
        if not isinstance(action, defaults.Move) or action.name not in self.action_names:
            raise IllegalAction(say("notation.not-of-game", name=type(action).__name__, title=self.title))
        code = self.action_names.index(action.name)
        if self.rules.check(race, edition.data, seat, code):
            raise IllegalAction(
                say("race.not-possible", action=str(action)), list(map(str, self._menu(race, edition, seat)))
            )
        return [code]

    def gather(self, edition: Edition, steps: Sequence[Action]) -> Action:
        """The steps of a completed choice as one action. Default: a choice is one step."""
        (action,) = steps
        return action

    def starts_over(self, action: Action) -> bool:
        """Whether the action is a whole choice, which replaces steps taken before it."""
        return False

    def _menu(self, race: Bytes, edition: Edition, seat: int) -> list[Action]:
        """The actions that the kernel lists for the seat now."""
        out = np.zeros(self.longest_menu, np.int64)
        count = self.rules.legal(race, edition.data, seat, out)
        return [self.action(edition, code) for code in out[:count].tolist()]

    # --- what people see

    def event(self, edition: Edition, row: Sequence[int]) -> Event:
        """The typed form of an event of the kernel. Default: by `event_kinds`."""
        kind, seat, *facts = row
        return self.event_types[kind](seat, *facts[: len(self.event_kinds[kind].facts)])

    def decode_events(self, edition: Edition, rows: Sequence[Sequence[int]]) -> list[Event]:
        """`event` for each of many events."""
        return [self.event(edition, row) for row in rows]

    @cached_property
    def event_types(self) -> tuple[type[Event], ...]:
        """Every type of event that `event` returns. Default: by `event_kinds`."""
        return tuple(kind.type() for kind in self.event_kinds)

    @abstractmethod
    def view(self, race: Bytes, edition: Edition, seat: int | None) -> SharedView | dict[str, Any]:
        """Everything that the seat may know, as `view_type`. `Race.view` adds what all games share."""

    def views(
        self, race: Bytes, edition: Edition, viewers: Sequence[int | None]
    ) -> Sequence[SharedView | dict[str, Any]]:
        """The views of several seats, for a table that shows them all: separate objects, whose parts may be shared.

        Default: `view` for each. A game can make the public part once.
        """
        return [self.view(race, edition, viewer) for viewer in viewers]

    def explain(self, race: Bytes, edition: Edition, seat: int, action: Action) -> Any:
        """The consequences of a possible action, part by part, as `explanation_type`.

        Default: its notation, if it is possible.
        """
        self.encode(race, edition, seat, action)
        return str(action)

    def reasons(self, race: Bytes, edition: Edition, seat: int, action: Action, other: Action) -> list[Reason]:
        """What speaks for an action and against it, compared with another answer to the same question.

        Made of figures that the seat may know. A page has a message for each (see `Reason`). Default: none.
        """
        return []

    def outlook(self, race: Bytes, edition: Edition, seat: int) -> list[Any]:
        """Explanations of every way to complete the present choice, where these can be listed."""
        return []

    def outcome(self, race: Bytes, edition: Edition, seat: int, action: Action) -> Any:
        """What an action leads to, for pages that show it beside another one after a race.

        Default: what `explain` says; None if only whole choices can be explained.
        """
        try:
            return self.explain(race, edition, seat, action)
        except IllegalAction:
            return None

    def offer(self, race: Bytes, edition: Edition, seat: int) -> MappingStruct | dict[str, Any]:
        """What the seat may choose now with the consequences attached, as `offer_type`.

        Only that seat may see it. The generic page understands this default: each action in notation with its
        outcome, as `explain` gives it.
        """
        actions = self._menu(race, edition, seat)
        return {"actions": [self._option(race, edition, seat, action) for action in actions]}

    def _option(self, race: Bytes, edition: Edition, seat: int, action: Action) -> dict[str, Any]:
        """An action of the default offer. It has no outcome if `explain` gives none."""
        try:
            outcome = self.explain(race, edition, seat, action)
        except IllegalAction:  # only whole choices can be explained
            outcome = str(action)
        return {"action": str(action)} if outcome == str(action) else {"action": str(action), "outcome": outcome}

    def sentence(self, event: Event, names: Sequence[str]) -> str:
        """The event as a sentence; empty for events that a story leaves out. Default: by `event_kinds`."""
        return self.event_kinds[self.event_types.index(type(event))].told(event, names)

    def heading(self, view: Fields, width: int, colour: bool) -> list[str]:
        """The lines over a turn's story, from a view at its beginning."""
        return [f"{self.turn_word.capitalize()} {view['turn']}"] if "turn" in view else []

    def story(self, events: Sequence[Event], names: Sequence[str], width: int, colour: bool) -> list[str]:
        """A turn told in lines of this width."""
        return defaults.wrapped([said for event in events if (said := self.sentence(event, names))], width)

    def components(self, edition: Edition) -> str:
        """What an edition contains, in a sentence."""
        return "no components besides the rules"

    def done(self, race: Bytes, edition: Edition, seat: int) -> float:
        """The share of the race that the seat has completed, 0 to 1, for the default pictures.

        Default: by the first of `features`, which is the share still to go; without features, by places.
        """
        if self.features:
            out = np.zeros(len(self.features))
            self.measure_features(race, edition.data, seat, out)
            return float(1.0 - out[0])
        places = self._places(race, edition)
        return 1.0 - places[seat] / len(places)

    def _places(self, race: Bytes, edition: Edition) -> list[int]:
        out = np.zeros(self.seat_counts[-1], np.int64)
        self.rules.ranking(race, edition.data, out)
        return [place for place in out.tolist() if place]

    def _seat_progress(self, race: Bytes, edition: Edition, names: Sequence[str]) -> list[defaults.SeatProgress]:
        places = self._places(race, edition)
        return [
            defaults.SeatProgress(seat, names[seat], place, self.done(race, edition, seat))
            for seat, place in enumerate(places)
        ]

    def draw(self, race: Bytes, edition: Edition, names: Sequence[str], colour: bool) -> str:
        """The race in a terminal, as a spectator sees it. Default: a bar for each seat."""
        turn = f"{self.turn_word.capitalize()} {self.rules.turn(race, edition.data)}"
        return defaults.draw(self.title, turn, self._seat_progress(race, edition, names), colour)

    def picture(self, race: Bytes, edition: Edition, names: Sequence[str]) -> str:
        """The race as SVG, as a spectator sees it. Default: a circus with a chariot for each seat."""
        return defaults.race_svg(self.title, self.laps, self._seat_progress(race, edition, names))

    def travels(self, edition: Edition, told: Sequence[Event]) -> list[tuple[str, float, float, float]]:
        """The ways of pieces during these events, step by step, for clips: id in `picture`, x, y, degrees clockwise.

        Default: none, so that pieces go straight from one picture to the next.
        """
        return []

    def board(self, edition: Edition, scenario: str | None = None) -> str:
        """The empty board as SVG; where an edition has several, the first or the one of this name."""
        if scenario is not None:
            raise OptionError(say("option.other-board", title=self.title, scenario=repr(scenario)))
        return defaults.board_svg(self.title, self.laps)

    def seats_have_colours(self, seats: int, options: Mapping[str, Any]) -> bool:
        """Whether each seat of a race has one colour, which people may choose, and draws its chariot in it.

        Default: yes, if there are colours enough. A game whose rules give colours to chariots says no: a seat then
        has the colour of its number, or the one that the game's page gives it.
        """
        return seats <= len(FACTIONS)

    def scene(self, edition: Edition, options: Mapping[str, Any]) -> Scene:
        """The board of a race with these options, with the coordinates of everything on it."""
        return Scene(self.board(edition), {})

    # --- positions

    def completed(self, data: dict[str, Any], edition: Edition) -> dict[str, Any]:
        """A new position as it is stored: with explicit values where earlier versions had other defaults.

        Raises PositionError naming the field.
        """
        return data

    def position(self, data: Mapping[str, Any], edition: Edition) -> Placed:
        """A position from plain data. Raises PositionError naming the field. Default: there are none."""
        raise PositionError(say("position.none", title=self.title))
