"""Saved races: readable text that replays to the same race, or says what is wrong with it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from spina import seal
from spina.errors import SaveError, SpinaError
from spina.games import get as get_game
from spina.race import Race, new, position

FORMAT = 1
LARGEST_FILE = 16 * 1024 * 1024
MOST_ACTIONS = 100_000


class Secrets(msgspec.Struct, forbid_unknown_fields=True):
    """What only the rules may know while the race runs."""

    origin: int | dict[str, Any]
    """The seed, or the position that the race began from."""
    actions: list[tuple[int, str]]
    """Seats and their choices, in notation."""
    hashes: list[tuple[int, str]] = []
    """After so many actions, the state's hash."""
    pending: list[tuple[int, str]] = []
    """Steps of choices that are not complete."""


class Saved(msgspec.Struct, forbid_unknown_fields=True):
    """A race in a file."""

    spina: int
    """Format of the file."""
    game: str
    rules: int
    """Version of the game's rules."""
    edition: str
    """Hash of the edition."""
    seats: int
    options: dict[str, Any]
    over: bool
    turn: int
    race: Secrets | None = None
    """Open, when the race is over."""
    sealed: str | None = None
    """The same, unreadable, while it runs."""
    edition_text: str | None = None
    """The edition itself, unless it is the reference."""


def save(race: Race, path: str | Path) -> None:
    """Write the race to a file; never leaves half a file behind."""
    data = msgspec.json.format(msgspec.json.encode(to_saved(race)), indent=1)
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data + b"\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise SaveError(f"the race cannot be saved to {path}: {error.strerror or error}") from None


def to_saved(race: Race) -> Saved:
    """The race as it is written to a file."""
    secrets = Secrets(
        origin=race.origin,
        actions=[(seat, str(action)) for seat, action in race._log],
        hashes=[(count, f"{number:016x}") for count, number in race._hashes],
        pending=[(seat, str(step)) for seat, steps in race._steps.items() for step in steps],
    )
    over = race.over
    return Saved(
        spina=FORMAT,
        game=race.game.name,
        rules=race.game.rules_version,
        edition=race.edition.hash,
        seats=race.seats,
        options=race.options,
        over=over,
        turn=race.turn,
        race=secrets if over else None,
        sealed=None if over else seal.seal(msgspec.json.encode(secrets)),
        edition_text=None if race.edition.hash == race.game.reference().hash else race.edition.text,
    )


def load(path: str | Path) -> Race:
    """Read a saved race and replay it. Raises SaveError when it cannot be what it says."""
    return replay(read(path))


def read(path: str | Path) -> Saved:
    """The contents of a saved race, not yet replayed."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST_FILE:
        raise SaveError(f"{path} is larger than any saved race ({LARGEST_FILE >> 20} MB)")
    return parse(data, str(path))


def parse(data: bytes, name: str = "saved race") -> Saved:
    """Saved contents from bytes."""
    try:
        saved = msgspec.json.decode(data, type=Saved)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SaveError(f"{name} is not a saved race: {error}") from None
    if saved.spina != FORMAT:
        raise SaveError(f"{name} has format {saved.spina}; this version of Spina reads format {FORMAT}")
    if (saved.race is None) == (saved.sealed is None):
        raise SaveError(f"{name} must have either an open or a sealed part")
    return saved


def begin(saved: Saved) -> tuple[Race, Secrets]:
    """The race as it was at the start, and what is to be replayed."""
    try:
        game = get_game(saved.game)
        if saved.rules != game.rules_version:
            raise SaveError(
                f"the race was played with version {saved.rules} of the rules, this is version {game.rules_version}"
            )
        edition = game.reference() if saved.edition_text is None else game.parse_edition(saved.edition_text, "edition")
        if edition.hash != saved.edition:
            raise SaveError(f"the race was played with edition {saved.edition}, this is {edition.hash}")
        kept = saved.race or _unseal(saved.sealed or "")
        if len(kept.actions) + len(kept.pending) > MOST_ACTIONS:
            raise SaveError(f"the race has more than {MOST_ACTIONS} actions")
        if isinstance(kept.origin, int):
            race = new(saved.game, seats=saved.seats, seed=kept.origin, edition=edition, **saved.options)
        else:
            race = position(saved.game, kept.origin, edition=edition)
    except SaveError:
        raise
    except (SpinaError, TypeError) as error:
        raise SaveError(f"the saved race cannot be set up: {error}") from None
    return race, kept


def replay(saved: Saved) -> Race:
    """Play a saved race again from the start, comparing the state's hash wherever the file has one."""
    *_, race = replaying(saved)
    return race


def replaying(saved: Saved) -> Iterator[Race]:
    """`replay` step by step: the race at its start, and again after every action."""
    race, kept = begin(saved)
    yield race
    expected = dict(kept.hashes)
    for number, (seat, action) in enumerate(kept.actions, start=1):
        _play(race, seat, action, number)
        if number in expected and race.hash() != expected[number]:
            raise SaveError(
                f"after action {number} (seat {seat}, {action}) the race stands otherwise than it was saved: "
                f"{race.hash()}, not {expected[number]}"
            )
        yield race
    for seat, action in kept.pending:
        _play(race, seat, action, len(kept.actions) + 1)
        yield race
    if race.over != saved.over:
        raise SaveError("the saved race says that it is over, but it is not" if saved.over else "the race is over")


def _play(race: Race, seat: int, action: str, number: int) -> None:
    try:
        race.play(seat, action)
    except SpinaError as error:
        raise SaveError(f"action {number} of the saved race is not possible: {error}") from None


def _unseal(text: str) -> Secrets:
    try:
        return msgspec.json.decode(seal.open_seal(text), type=Secrets)
    except msgspec.MsgspecError as error:
        raise SaveError(f"the sealed part of the saved race is damaged: {error}") from None
