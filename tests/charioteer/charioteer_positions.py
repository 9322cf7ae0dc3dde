"""Positions of Charioteer made at random, on tracks of several shapes."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np

from spina.games.charioteer.components.edition import CharioteerEdition, parse, reference, template
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules import record as r
from spina.games.charioteer.rules.record import NOTHING
from spina.kernel.narration import silence
from spina.kernel.record import Bytes

LAPS = {
    "reference": None,
    "short": ("12", '"outer", "2 x regular outer outer", "3 x regular", "outer regular"'),
    "narrow": ("9", '"2 x outer outer regular", "3 x outer"'),
}
"""Tracks on which rivals, corners and the line are never far; the last two have an outer space beyond the line."""


def edition_with(lap: str) -> CharioteerEdition:
    """The reference edition with one of these tracks."""
    if LAPS[lap] is None:
        return reference()
    spaces, sections = LAPS[lap]  # type: ignore[misc]
    text = re.sub(r"^spaces = { value = \d+", f"spaces = {{ value = {spaces}", template(), flags=re.MULTILINE)
    text = re.sub(r"^sections = \[[^]]*\]", f"sections = [{sections}]", text, flags=re.MULTILINE)
    return parse(text, "changed.toml")


def scatter_chariots(race: Any, edition: Any, chance: random.Random) -> None:
    """Put the chariots anywhere, often close to each other or to the line, in lanes without gaps."""
    finish = edition.laps * edition.spaces
    middle = chance.choice([chance.randrange(edition.start, finish), finish - chance.randrange(1, 12)])
    inside: dict[int, int] = {}
    for seat in chance.sample(range(race.seats), int(race.seats)):
        progress = chance.choice([middle + chance.randrange(-6, 7), chance.randrange(edition.start, finish)])
        race.progress[seat] = min(max(progress, edition.start), finish - 1)
        space = int(race.progress[seat]) % int(edition.spaces)
        race.lane[seat] = inside.get(space, 0)
        inside[space] = inside.get(space, 0) + 1
        race.damage[seat] = chance.choice([0, 0, 3, 6])
    race.turn = chance.choice([1, 2, 2, 2, 2, 2, 2])


def scatter_hands(race: Any, edition: Any, chance: random.Random) -> None:
    """Give the seats random tokens and hands, some of them small, some with many cards that show no symbol."""
    bare = [card for card in range(edition.cards) if not edition.shows[card].any()]
    for seat in range(race.seats):
        for kind in range(edition.kinds):
            race.tokens[seat, kind] = chance.random() < 0.2
        if chance.random() < 0.4:
            for slot in chance.sample(range(r.HAND), 3):
                race.hand[seat, slot] = chance.choice(bare)
        if chance.random() < 0.4:
            for slot in chance.sample(range(r.HAND), chance.randrange(1, r.HAND)):
                race.hand[seat, slot] = NOTHING


def choose(data: Bytes, edition: Bytes, seat: int, chance: random.Random) -> list[int]:
    """Complete a random choice of the seat, and return its steps."""
    out, taken = np.zeros(r.STEPS, np.int64), []
    while count := entries.legal(data, edition, seat, out):
        taken.append(chance.choice(out[:count].tolist()))
        entries.apply(data, edition, seat, taken[-1], silence())
    return taken
