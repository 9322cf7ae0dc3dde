"""Replay of saved races: gives the same race again, or an error that says what is wrong with the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from spina.branches import follow
from spina.errors import SaveError, SpinaError
from spina.games import play as play_game
from spina.race import Race, position, start
from spina.refusal_codes import say
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
    """The race at its start, and the actions to replay."""
    try:
        game = play_game(saved.game)
        edition = game.kept_edition(saved.edition, saved.edition_text)
        if edition is None:
            raise SaveError(say("save.edition", edition=saved.edition))
        kept = saved.race or unsealed(saved.sealed or "")
        branches = kept.branches or []
        if sum(len(branch.actions) for branch in branches) + len(kept.actions) + len(kept.pending) > MOST_ACTIONS:
            raise SaveError(say("save.too-many-actions", most=MOST_ACTIONS))
        if isinstance(kept.origin, dict):
            race = position(saved.game, kept.origin, edition=edition, rules=saved.rules)
        else:
            seed = read_seed(kept.origin)
            race = start(saved.game, saved.options, seats=saved.seats, seed=seed, edition=edition, rules=saved.rules)
        race = follow(race, branches)
    except SaveError:
        raise
    except SpinaError as error:
        raise SaveError(say("save.cannot-be-set-up", why=error.said)) from None
    return race, kept


def replay(saved: Saved) -> Race:
    """Play a saved race again from the start, comparing the state's hash wherever the file has one."""
    *_, race = replaying(saved)
    return race


def replaying(saved: Saved) -> Iterator[Race]:
    """`replay` step by step: yields the race at its start and after every action."""
    race, kept = begin(saved)
    yield race
    expected = dict(kept.hashes)
    for number, (seat, action) in enumerate(kept.actions, start=1):
        _play(race, seat, action, number)
        if number in expected and race.hash() != expected[number]:
            raise SaveError(
                say(
                    "save.other-hash",
                    number=number,
                    seat=seat,
                    action=action,
                    found=race.hash(),
                    expected=expected[number],
                )
            )
        yield race
    for seat, action in kept.pending:
        _play(race, seat, action, len(kept.actions) + 1)
        yield race
    if race.over != saved.over:
        raise SaveError(say("save.not-over" if saved.over else "race.over"))


def _play(race: Race, seat: int, action: str, number: int) -> None:
    try:
        race.play(seat, action)
    except SpinaError as error:
        raise SaveError(say("save.action", number=number, why=error.said)) from None
