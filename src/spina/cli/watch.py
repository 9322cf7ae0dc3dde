"""`spina watch` and `spina replay`: a race as a story with pictures, or as lines of JSON."""

from __future__ import annotations

import argparse
import secrets
import sys
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from spina import bots
from spina import replay as saving
from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.cli.screen import COLUMNS, Screen, progress, wait
from spina.errors import OptionError, SaveError
from spina.games import find
from spina.games.driver_names import charioteers
from spina.games.factions import faction
from spina.games.game import Event
from spina.kernel.random import short_seed
from spina.race import Race, new
from spina.save_file import written_seed
from spina.simulation import race_seeds

PAUSE = 1.0
"""Seconds between turns on a terminal."""
SEED_BITS = 32
"""Size of a random seed: short enough to be typed again."""


def add_commands(commands: Commands) -> None:
    watch = commands.add_parser(
        "watch",
        help="a race between bots, in the terminal",
        description="Draw a race between bots in the terminal and tell its story, turn by turn.",
    )
    watch.add_argument("game", help="such as charioteer")
    watch.add_argument(
        "--seats",
        type=arguments.names,
        metavar="BOT,BOT,...",
        help="a bot for each seat (default: four different ones)",
    )
    watch.add_argument("--seed", type=int, metavar="N", help="the same seed gives the same race")
    watch.add_argument("--edition", metavar="FILE", help="components of your own")
    arguments.add_options(watch)
    watch.add_argument("--save", type=Path, metavar="FILE", help="save the race, for `spina replay`")
    watch.add_argument("--quiet", action="store_true", help="only the result")
    _add_common(watch)
    watch.set_defaults(run=_watch)
    replay = commands.add_parser(
        "replay",
        help="a saved race once more",
        description="Draw a saved race in the terminal and tell its story, checking that it goes as it went.",
    )
    replay.add_argument("file", type=Path, help="a saved race")
    replay.add_argument("--seat", type=int, metavar="N", help="with what this seat knew (0 is the first)")
    _add_common(replay)
    replay.set_defaults(run=_replay, quiet=False)


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--delay", type=arguments.delay, metavar="SECONDS", help=f"between turns (default: {PAUSE:g} on a terminal)"
    )
    command.add_argument("--svg", type=Path, metavar="FILE", help="write a picture of how it ends")
    command.add_argument("--json", action="store_true", help="one JSON object to a line, for programs")


# --- the commands ---------------------------------------------------------------------------------------------------


def _watch(args: argparse.Namespace) -> int:
    for path in (args.svg, args.save):
        arguments.check_writable(path)
    seed = secrets.randbits(SEED_BITS) if args.seed is None else args.seed
    if args.seats is None:
        args.seats = [*find(args.game).line_up]
    race = new(args.game, seats=len(args.seats), seed=seed, edition=args.edition, **dict(args.option))
    seeds = race_seeds(short_seed(seed), 1, race.seats).tolist()
    drivers = [bots.make(name, game=args.game, seed=s) for name, s in zip(args.seats, seeds, strict=True)]
    _tell(_driven(race, drivers), _teller(args, args.seats, seed), None)
    if args.save:
        race.save(args.save)
        _note(args, f"Saved to {args.save}: `spina replay {args.save}` shows the race again.")
    _picture(args, race)
    return 0


def _replay(args: argparse.Namespace) -> int:
    arguments.check_writable(args.svg)
    saved = saving.read(args.file)
    if args.seat is not None:
        if not 0 <= args.seat < saved.seats:
            raise OptionError(f"there is no seat {args.seat}: the seats are 0 to {saved.seats - 1}")
        if not saved.over:
            raise SaveError("the race is still running: until it is over, nobody may look over a seat's shoulder")
    origin = saved.race.origin if saved.race else None
    seed = None if origin is None or isinstance(origin, dict) else saving.read_seed(origin)
    race = _tell(saving.replaying(saved), _teller(args, None, seed), args.seat)
    _picture(args, race)
    return 0


def _driven(race: Race, drivers: Sequence[bots.Bot]) -> Iterator[Race]:
    """The race at its start, and after every action of the bots."""
    names = charioteers(race.seats)
    yield race
    while not race.over:
        seat = race.to_act[0]
        with progress(f"{race.game.turn_word.capitalize()} {race.turn}: {names[seat]} chooses …"):
            action = drivers[seat].choose(race, seat)
        race.play(seat, action)
        yield race


def _picture(args: argparse.Namespace, race: Race) -> None:
    if args.svg:
        arguments.write(args.svg, race.svg(charioteers(race.seats)))
        _note(args, f"Picture: {args.svg}")


def _note(args: argparse.Namespace, text: str) -> None:
    """Print a note besides the output proper: to standard error if that is JSON."""
    print(text, file=sys.stderr if args.json else sys.stdout)


# --- following a race -----------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A turn that has been played, or the finished part of one."""

    number: int
    before: dict[str, Any]
    """The view at the beginning of the turn."""
    events: list[Event]


class Teller(ABC):
    """Prints a race while it is played."""

    @abstractmethod
    def begin(self, race: Race) -> None: ...

    @abstractmethod
    def turn(self, race: Race, turn: Turn) -> None: ...

    @abstractmethod
    def end(self, race: Race) -> None: ...


def _tell(moments: Iterable[Race], teller: Teller, viewer: int | None) -> Race:
    """Print a race as a seat or a spectator (None) sees it. Returns the race after its last action."""
    turn: Turn | None = None
    for race in moments:
        if turn is None:
            turn = Turn(race.turn, race.view(viewer), [])
            teller.begin(race)
            continue
        turn.events.extend(race.told(viewer))
        if race.turn != turn.number or race.over:
            teller.turn(race, turn)
            turn = Turn(race.turn, race.view(viewer), [])
    if turn is not None and turn.events:
        teller.turn(race, turn)
    teller.end(race)
    return race


def _teller(args: argparse.Namespace, drivers: Sequence[str] | None, seed: int | None) -> Teller:
    if args.json:
        return JsonTeller(drivers, seed, args.delay or 0)
    if args.quiet:
        return ResultTeller(drivers, seed)
    return StoryTeller(drivers, seed, args.delay)


class JsonTeller(Teller):
    """Prints one JSON object per line: the race, each turn with its events, the result."""

    def __init__(self, drivers: Sequence[str] | None, seed: int | None, delay: float) -> None:
        self._drivers, self._seed, self._delay = drivers, seed, delay

    def begin(self, race: Race) -> None:
        self._line(
            type="race",
            game=race.game.name,
            edition=race.edition.name,
            edition_hash=race.edition.hash,
            seats=race.seats,
            seed=None if self._seed is None else written_seed(self._seed),
            bots=self._drivers,
        )

    def turn(self, race: Race, turn: Turn) -> None:
        self._line(type="turn", turn=turn.number, events=turn.events)
        wait(self._delay)

    def end(self, race: Race) -> None:
        # with the hash of a running race, guesses at its secrets could be checked
        self._line(
            type="result", over=race.over, turn=race.turn, ranking=race.ranking, hash=race.hash() if race.over else None
        )

    def _line(self, **content: object) -> None:
        print(msgspec.json.encode(content).decode(), flush=True)


class ResultTeller(Teller):
    """Prints only the result."""

    def __init__(self, drivers: Sequence[str] | None, seed: int | None) -> None:
        self._drivers, self._seed = drivers, seed

    def begin(self, race: Race) -> None:
        print("\n".join(_introduction(race, self._drivers, self._seed)))

    def turn(self, race: Race, turn: Turn) -> None:
        pass

    def end(self, race: Race) -> None:
        print("\n".join(_result(race, self._drivers)))


class StoryTeller(Teller):
    """Prints the story, and below it a picture of the race."""

    def __init__(self, drivers: Sequence[str] | None, seed: int | None, delay: float | None) -> None:
        self._drivers, self._seed = drivers, seed
        self._screen = Screen()
        self._delay = delay if delay is not None else PAUSE if self._screen.paced else 0.0

    def begin(self, race: Race) -> None:
        self._show(race, [*_introduction(race, self._drivers, self._seed), ""])

    def turn(self, race: Race, turn: Turn) -> None:
        game, names = race.game, charioteers(race.seats)
        place = (self._screen.width, self._screen.colour)
        self._show(race, [*game.heading(turn.before, *place), *game.story(turn.events, names, *place), ""])

    def end(self, race: Race) -> None:
        self._screen.keep(["", *_result(race, self._drivers)])

    def _show(self, race: Race, story: list[str]) -> None:
        picture = race.draw(charioteers(race.seats), self._screen.colour)
        if not self._screen.has_room(story, picture):  # show the story first, then the picture
            self._screen.show(story)
            wait(self._delay)
            story = []
        self._screen.show(story, picture)
        wait(0 if race.over else self._delay)


def _introduction(race: Race, drivers: Sequence[str] | None, seed: int | None) -> list[str]:
    parts = [race.game.title, race.edition.name] + ([] if seed is None else [f"seed {seed}"])
    letters = [f"{faction(seat).letter} {name}" for seat, name in enumerate(charioteers(race.seats))]
    if drivers:
        letters = [f"{who} ({bot})" for who, bot in zip(letters, drivers, strict=True)]
    return [" · ".join(parts), *_wrapped(", ".join(letters))]


def _result(race: Race, drivers: Sequence[str] | None) -> list[str]:
    names = charioteers(race.seats)
    if not race.over:
        waiting = ", ".join(names[seat] for seat in race.to_act)
        return _wrapped(f"The race goes on: {race.game.turn_word} {race.turn} waits for {waiting}.")
    parts = []
    for place, seats in zip(sorted(set(race.places)), race.ranking, strict=True):
        for seat in seats:
            parts.append(f"{place}. {names[seat]}" + (f" ({drivers[seat]})" if drivers else ""))
    return _wrapped(f"After {race.turn} {race.game.turn_word}s: {', '.join(parts)}.")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, COLUMNS)
