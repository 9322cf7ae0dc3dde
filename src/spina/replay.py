"""Saved races, replayed: they come out as they were, or it is said what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from spina.errors import SaveError, SpinaError
from spina.games import get as get_game
from spina.race import Race, position, start
from spina.save_file import Saved, Secrets, parse, read, read_seed, unsealed

__all__ = ["Saved", "Secrets", "begin", "load", "parse", "read", "read_seed", "replay", "replaying"]

MOST_ACTIONS = 100_000


def load(path: str | Path) -> Race:
    """Read a saved race and replay it. Raises SaveError if the file is damaged or its hashes do not match.

    Examples:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     spina.new("charioteer", seats=2, seed=7).save(f"{folder}/race.json")
        ...     spina.load(f"{folder}/race.json")
        <Race charioteer, 2 seats, turn 1, b1396fcf80dbcdfc>
    """
    return replay(read(path))


def begin(saved: Saved) -> tuple[Race, Secrets]:
    """The race as it was at the start, and what is to be replayed."""
    try:
        game = get_game(saved.game)
        edition = game.kept_edition(saved.edition, saved.edition_text)
        if edition is None:
            raise SaveError(f"the race was played with edition {saved.edition}, which is not known here")
        kept = saved.race or unsealed(saved.sealed or "")
        if len(kept.actions) + len(kept.pending) > MOST_ACTIONS:
            raise SaveError(f"the race has more than {MOST_ACTIONS} actions")
        if isinstance(kept.origin, dict):
            race = position(saved.game, kept.origin, edition=edition, rules=saved.rules)
        else:
            seed = read_seed(kept.origin)
            race = start(saved.game, saved.options, seats=saved.seats, seed=seed, edition=edition, rules=saved.rules)
    except SaveError:
        raise
    except SpinaError as error:
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
