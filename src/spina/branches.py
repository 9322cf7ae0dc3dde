"""Branches: races that go on otherwise from a moment of another race, with what one seat knew then."""

from __future__ import annotations

from collections.abc import Iterable

from spina.errors import OptionError
from spina.kernel.random import LARGEST_SHORT_SEED
from spina.race import Race, checked_seed
from spina.refusal_codes import say
from spina.save_file import Branch


def branch(race: Race, seat: int, seed: int) -> Race:
    """A race that goes on from this moment; everything that the seat does not know is dealt anew from the seed.

    Choices that are not revealed yet are asked for again, the seat's own too. The new race has an empty log and can be
    saved: its file holds the choices up to this moment. Raises OptionError when the race is over, and for a seat or a
    seed that does not exist.

    Examples:
        >>> race = spina.new("charioteer", seats=2, seed=7)
        >>> other = spina.branch(race, 0, seed=1)
        >>> other.view(0) == race.view(0), other.hash() == race.hash()
        (True, False)
    """
    if race.over:
        raise OptionError(say("race.over"))
    if type(seat) is not int or not 0 <= seat < race.seats:
        raise OptionError(say("race.no-seat", seat=seat, last=race.seats - 1))
    seed = checked_seed(seed, LARGEST_SHORT_SEED)
    settled = race.copy()
    for other in range(race.seats):
        if settled.retractable(other):
            settled.retract(other)
    actions = [(who, str(action)) for who, action in settled.log]
    dealt = settled.determinized(seat, seed)
    dealt.origin, dealt.branches = race.origin, (*race.branches, Branch(actions, seat, seed))
    return dealt


def follow(race: Race, branches: Iterable[Branch]) -> Race:
    """The race after these branches, each with the choices before it. Raises SpinaError."""
    for each in branches:
        for seat, action in each.actions:
            race.play(seat, action)
        race = branch(race, each.seat, each.seed)
    return race
