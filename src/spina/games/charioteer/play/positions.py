"""Positions of Charioteer set up by hand, for puzzles, tests and tutorials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from spina.errors import PositionError
from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.play.refusals import say
from spina.games.charioteer.rules import entries
from spina.games.charioteer.rules.record import (
    COLOUR_NAMES,
    CROWD,
    FACE_NAMES,
    FIRST_TURN,
    HAND,
    NOTHING,
    RACE,
    SEATS,
)
from spina.games.position_data import between, convert
from spina.kernel.random import new_dice
from spina.kernel.record import Bytes, blank, look

MOST_DAMAGE = 1000
MOST_TURNS = 10_000


class Chariot(msgspec.Struct, forbid_unknown_fields=True):
    """One seat of a position. Fields left out are dealt, or have their value at the start."""

    progress: int | None = None
    """Spaces beyond the line, laps included; negative before the first crossing."""
    lane: int | None = None
    """Place within the space, 0 is the inside. Left out: in the order of the seats, on the first turn from the first
    seat on."""
    damage: int = 0
    attack: int = 0
    skills: dict[str, int] | None = None
    """Place of each marker: 0 is the lowest start space; places behind the track are the bonus box."""
    hand: list[str] | None = None
    """Cards by name, such as "red-5 red-5 green-2"."""
    tokens: list[str] | None = None
    """Tokens by name, such as "+3 red"; left out: the player tokens."""


class Position(msgspec.Struct, forbid_unknown_fields=True):
    """A whole position."""

    chariots: list[Chariot]
    turn: int = FIRST_TURN + 1
    first_seat: int = 0
    emperor: str | None = None
    """Face of the die, such as "sprint"; left out: at random. Disrupt places no cubes: they are given by `attack`."""
    crowd: list[str] | None = None
    """Cards of the three slots, the active one first."""
    discards: list[str] = []
    spent_tokens: list[str] = []
    seed: int = 0


def position(data: Mapping[str, Any], edition: CharioteerEdition) -> Bytes:
    """A race in the position that the data describe. Raises PositionError, which names the field."""
    given = convert(data, Position)
    return _Builder(given, edition).build()


def with_first_lanes(data: dict[str, Any], edition: CharioteerEdition) -> dict[str, Any]:
    """C3: fill in the lanes that a position of the first turn leaves out, from the first seat outwards.

    Positions in older save files were stored without these lanes and mean the order of the seats.
    """
    given = convert(data, Position)
    if given.turn != FIRST_TURN:
        return data
    chariots = [{**chariot} for chariot in data["chariots"]]
    seats = range(len(chariots))
    places = [edition.start if each.progress is None else each.progress for each in given.chariots]
    for seat in seats:
        row = [other for other in seats if (places[other] - places[seat]) % edition.spaces == 0]
        if all(given.chariots[other].lane is None for other in row):
            row.sort(key=lambda other: (other - given.first_seat) % len(seats))
            chariots[seat]["lane"] = row.index(seat)
    return {**data, "chariots": chariots}


class _Builder:
    """Checks a position field by field and writes it into a record."""

    def __init__(self, given: Position, edition: CharioteerEdition) -> None:
        self.given = given
        self.edition = edition
        self.data = blank(RACE)
        self.race = look(self.data, RACE)
        self.left: dict[str, list[int]] = {}  # cards not used yet, by name
        for card, name in enumerate(edition.card_names):
            self.left.setdefault(name, []).append(card)

    def build(self) -> Bytes:
        given, edition = self.given, self.edition
        seats = len(given.chariots)
        if not 2 <= seats <= SEATS:
            raise PositionError(say("charioteer.position.chariots", where="chariots", low=2, high=SEATS, given=seats))
        between("turn", given.turn, FIRST_TURN, MOST_TURNS)
        between("first_seat", given.first_seat, 0, seats - 1)
        between("seed", given.seed, 0, 2**64 - 1)
        entries.set_up(self.data, edition.data, np.array([seats], np.int64), new_dice(given.seed))
        self.race.turn = given.turn
        self.race.first_seat = given.first_seat
        self.race.attack[:] = 0
        self._emperor()
        for seat, chariot in enumerate(given.chariots):
            self._chariot(seat, chariot)
        self._lanes()
        self._tokens()
        self._cards()
        entries.adopt(self.data, edition.data)
        return self.data

    def _emperor(self) -> None:
        if self.given.emperor is None:
            return
        if self.given.emperor not in FACE_NAMES:
            raise PositionError(
                say("charioteer.position.face", where="emperor", face=self.given.emperor, known=", ".join(FACE_NAMES))
            )
        self.race.die = FACE_NAMES.index(self.given.emperor)

    def _chariot(self, seat: int, chariot: Chariot) -> None:
        edition, where = self.edition, f"chariots[{seat}]"
        if chariot.progress is not None:
            last = edition.laps * edition.spaces - 1
            between(f"{where}.progress", chariot.progress, edition.start, last)
            self.race.progress[seat] = chariot.progress
        between(f"{where}.damage", chariot.damage, 0, MOST_DAMAGE)
        between(f"{where}.attack", chariot.attack, 0, edition.attack_boxes)
        self.race.damage[seat] = chariot.damage
        self.race.attack[seat] = chariot.attack
        if chariot.skills is not None:
            self._skills(seat, chariot.skills, f"{where}.skills")

    def _skills(self, seat: int, skills: dict[str, int], where: str) -> None:
        edition = self.edition
        if sorted(skills) != sorted(COLOUR_NAMES):
            raise PositionError(say("charioteer.position.skills", where=where, known=", ".join(COLOUR_NAMES)))
        for colour, place in skills.items():
            between(f"{where}.{colour}", place, 0, len(edition.skill_bonuses) - 1)
            self.race.skill[seat, COLOUR_NAMES.index(colour)] = place
        box = sorted(place for place in skills.values() if place >= edition.skill_spaces)
        if box != list(range(edition.skill_spaces, edition.skill_spaces + len(box))):
            raise PositionError(say("charioteer.position.bonus-box", where=where, first=edition.skill_spaces))

    def _lanes(self) -> None:
        """The lanes of the chariots in one space must be 0, 1, 2 …; if left out, they follow the seats."""
        spaces: dict[int, list[int]] = {}
        for seat in range(int(self.race.seats)):
            spaces.setdefault(int(self.race.progress[seat]) % self.edition.spaces, []).append(seat)
        for space, seats in spaces.items():
            lanes = [self.given.chariots[seat].lane for seat in seats]
            if all(lane is None for lane in lanes):
                lanes = [*range(len(seats))]
            if sorted(-1 if lane is None else lane for lane in lanes) != [*range(len(seats))]:
                raise PositionError(
                    say(
                        "charioteer.position.lanes",
                        where=f"chariots[{seats[0]}].lane",
                        given=len(seats),
                        space=space,
                        last=len(seats) - 1,
                    )
                )
            for seat, lane in zip(seats, lanes, strict=True):
                self.race.lane[seat] = lane

    def _tokens(self) -> None:
        fan = Counter(dict(zip(self.edition.kind_names, self.edition.fan_counts, strict=True)))
        for seat, chariot in enumerate(self.given.chariots):
            if chariot.tokens is not None:
                self.race.tokens[seat] = self._count_tokens(chariot.tokens, f"chariots[{seat}].tokens", fan)
        self.race.spent[:] = self._count_tokens(self.given.spent_tokens, "spent_tokens", fan, fan_only=True)
        for kind, name in enumerate(self.edition.kind_names):
            self.race.bag[kind] = fan[name]

    def _count_tokens(self, names: Sequence[str], where: str, fan: Counter[str], fan_only: bool = False) -> Any:
        """Counts by kind; fan tokens are taken from those left in `fan`."""
        edition = self.edition
        counts = np.zeros_like(self.race.bag)
        for i, name in enumerate(names):
            if name not in edition.kind_names:
                raise PositionError(
                    say(
                        "charioteer.position.token",
                        where=f"{where}[{i}]",
                        name=name,
                        known=", ".join(edition.kind_names),
                    )
                )
            kind = edition.kind_names.index(name)
            counts[kind] += 1
            if edition.fan_kinds[kind]:
                fan[name] -= 1
                if fan[name] < 0:
                    raise PositionError(
                        say(
                            "charioteer.position.too-many-tokens",
                            where=f"{where}[{i}]",
                            most=edition.fan_counts[kind],
                            name=name,
                        )
                    )
            elif fan_only:
                raise PositionError(say("charioteer.position.player-token", where=f"{where}[{i}]", name=name))
            elif counts[kind] > edition.player_counts[kind]:
                raise PositionError(
                    say(
                        "charioteer.position.too-many-of-a-seat",
                        where=f"{where}[{i}]",
                        most=edition.player_counts[kind],
                        name=name,
                    )
                )
        return counts

    def _cards(self) -> None:
        """Place the named cards, then deal the others in the order that the seed has shuffled."""
        race, given = self.race, self.given
        order = [int(card) for card in race.deck if card != NOTHING][: int(race.deck_left)]
        order += [int(card) for card in race.hand[: len(given.chariots)].flat if card != NOTHING]
        order += [int(card) for card in race.crowd]
        hands = [
            None if chariot.hand is None else self._take(chariot.hand, f"chariots[{seat}].hand", self.edition.hand)
            for seat, chariot in enumerate(given.chariots)
        ]
        crowd = None if given.crowd is None else self._take(given.crowd, "crowd", CROWD)
        if crowd is not None and len(crowd) != CROWD:
            raise PositionError(say("charioteer.position.crowd", where="crowd", wanted=CROWD))
        pile = self._take(given.discards, "discards", len(order))
        unused = {card for cards in self.left.values() for card in cards}
        rest = [card for card in order if card in unused]
        for seat, hand in enumerate(hands):
            if hand is not None and not hand:
                raise PositionError(say("charioteer.position.hand", where=f"chariots[{seat}].hand"))
            cards = hand if hand is not None else self._deal(rest, self.edition.hand)
            race.hand[seat] = cards + [NOTHING] * (HAND - len(cards))
        race.crowd[:] = crowd if crowd is not None else self._deal(rest, CROWD)
        race.discards[: len(pile)] = pile
        race.pile = len(pile)
        race.deck[:] = NOTHING
        race.deck[: len(rest)] = rest
        race.deck_left = len(rest)

    def _deal(self, rest: list[int], count: int) -> list[int]:
        if len(rest) < count:
            raise PositionError(say("charioteer.position.too-few-cards", where="discards"))
        return [rest.pop() for _ in range(count)]

    def _take(self, names: Sequence[str], where: str, most: int) -> list[int]:
        if len(names) > most:
            raise PositionError(say("charioteer.position.too-many-cards", where=where, most=most, given=len(names)))
        taken = []
        for i, name in enumerate(names):
            if name not in self.left:
                raise PositionError(say("charioteer.position.card", where=f"{where}[{i}]", name=name[:60]))
            if not self.left[name]:
                raise PositionError(say("charioteer.position.no-further-card", where=f"{where}[{i}]", name=name))
            taken.append(self.left[name].pop(0))
        return taken
