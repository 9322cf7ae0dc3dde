"""Bots: drivers as a player meets them. They see what their seat sees, and nothing else."""

from __future__ import annotations

from spina.bots.bot import Bot, DriverBot
from spina.bots.montecarlo import MonteCarlo
from spina.errors import OptionError
from spina.games import find, get

__all__ = ["Bot", "DriverBot", "MonteCarlo", "make", "names"]


def names(game: str) -> tuple[str, ...]:
    """The bots that can play this game."""
    return (*find(game).drivers, "montecarlo")


def make(name: str, *, game: str, seed: int | None = None) -> Bot:
    """A bot by its name. The same seed gives the same choices in the same races."""
    found = get(game)
    if name == "montecarlo":
        return MonteCarlo(found, seed=seed)
    if name not in found.drivers:
        raise OptionError(f'there is no bot "{name}" for {found.title}: there are {", ".join(names(game))}')
    return DriverBot(found, name, seed=seed)
