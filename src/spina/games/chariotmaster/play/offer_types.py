"""The types of Chariotmaster's offer: the question to a seat, its answers and their consequences.

Lengths are millimetres, angles degrees.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from spina.games.chariotmaster.play.explanation import Test
from spina.games.mapping_struct import MappingStruct


class TokenChance(MappingStruct, kw_only=True):
    """A token that a chariot may use."""

    token: str
    least: float
    """Distance that must be driven with it."""
    most: float
    """Distance that may be driven with it."""
    pivot: int
    chances: list[float]
    """Of passing the test for a second and for a third sub-move."""


class TokenOffer(MappingStruct, kw_only=True):
    """A chariot whose token is to be chosen."""

    chariot: int
    room: float
    """Free way ahead."""
    tokens: list[TokenChance]


class Answer(MappingStruct, kw_only=True):
    """An answer with its price and its test; both are absent where there is none."""

    action: str
    price: int | UnsetType = UNSET
    """Stamina that it costs."""
    stamina: int | UnsetType = UNSET
    """Stamina left afterwards."""
    exhausts: bool | UnsetType = UNSET
    """Whether the price exceeds the stamina left."""
    test: Test | UnsetType = UNSET


class AttackOdds(MappingStruct, kw_only=True):
    """The odds of an attack. Its kind decides which of the optional fields are present."""

    how: str
    """One of `ATTACKS`."""
    target: int
    """The piece that is attacked."""
    part: str
    """The part of it that is attacked."""
    escape: float | None
    """The target's chance to get away if it tries; None if it cannot."""
    dice: int | UnsetType = UNSET
    """Rams, boars and bites: dice that the attacker rolls."""
    against: int | UnsetType = UNSET
    """Dice that the target rolls."""
    deals: float | UnsetType = UNSET
    """Points that the target loses on average."""
    costs: str | UnsetType | None = UNSET
    """Which points; None if it has none to lose."""
    takes: float | UnsetType = UNSET
    """Points that the attacker loses on average."""
    own: str | UnsetType | None = UNSET
    """Which points."""
    throws: float | UnsetType = UNSET
    """Rams and boars: the chance that the target is thrown."""
    ends: float | UnsetType = UNSET
    """Rams and boars: the chance that the attacker bounces off."""
    hits: float | UnsetType = UNSET
    """A whip at a driver: the chance to hit."""
    disarmed: float | UnsetType = UNSET
    """A whip at a driver: the chance to lose the whip."""
    wild: float | UnsetType = UNSET
    """A whip at horses: the chance that they go out of control."""


class AttackOffer(AttackOdds, kw_only=True):
    """An attack that may be announced: its odds, its price and its side."""

    action: str
    side: str
    """Of the attacker; empty where it does not matter."""
    price: int | UnsetType = UNSET
    stamina: int | UnsetType = UNSET
    exhausts: bool | UnsetType = UNSET
    test: Test | UnsetType = UNSET


class ReadyMove(MappingStruct, kw_only=True):
    """A sub-move that gets a button."""

    action: str
    kinds: list[str]
    """Its purposes: flow, far, straight, inside, outside, attack."""


class WayOffer(MappingStruct, kw_only=True):
    """A way to go: ahead, or a sweep to a side."""

    way: str
    most: int
    """How far it is free."""
    price: int | UnsetType = UNSET
    """Stamina that a sweep costs."""
    stamina: int | UnsetType = UNSET
    exhausts: bool | UnsetType = UNSET


class Room(MappingStruct, kw_only=True):
    """How far the way is free."""

    ahead: float
    left: float
    right: float


class SideOffer(MappingStruct, kw_only=True):
    """A side to evade to."""

    action: str


class DieChange(MappingStruct, kw_only=True):
    """What a die may be changed to."""

    action: str
    face: int


class DieOffer(MappingStruct, kw_only=True):
    """A die that may be changed."""

    die: int
    """Counted from 1."""
    face: int
    changes: list[DieChange]


class Leg(MappingStruct, kw_only=True):
    """The longest leg of a driver on foot in one direction."""

    direction: int
    mm: int


class Offer(MappingStruct, kw_only=True):
    """The question to a seat of Chariotmaster, and its possible answers. Fields of other questions are absent."""

    question: str
    """One of `ASK_NAMES`."""
    chariot: int | None
    """The chariot that is asked; None for tokens, which are chosen for all chariots of the seat."""
    answers: list[Answer] | UnsetType = UNSET
    """Answers of a few words; absent for tokens."""
    chariots: list[TokenOffer] | UnsetType = UNSET
    """Tokens: the chariots of the seat."""
    ready: list[ReadyMove | str] | UnsetType = UNSET
    """Driving: sub-moves that get a button. A pivot: those of the menu, in notation."""
    limit: int | UnsetType = UNSET
    """Driving, a pivot: how far the chariot may pivot."""
    ways: list[WayOffer] | UnsetType = UNSET
    runs: list[str] | UnsetType = UNSET
    """Driving: what can be run over, in notation."""
    turns: bool | UnsetType = UNSET
    """Driving: whether a U-turn is possible."""
    room: Room | UnsetType = UNSET
    """Driving, a defence, the side of an evasion."""
    free: int | UnsetType = UNSET
    """A pivot: how far the chariot can pivot before it touches something."""
    slide: float | UnsetType = UNSET
    """A skid: how far it goes if nothing stops it."""
    direction: float | UnsetType = UNSET
    """A skid: which way."""
    attacks: list[AttackOffer] | UnsetType = UNSET
    attacker: int | UnsetType = UNSET
    """A defence, the side of an evasion: who attacks."""
    attack: AttackOdds | UnsetType = UNSET
    """A defence: the attack."""
    sides: list[SideOffer] | UnsetType = UNSET
    what: str | UnsetType = UNSET
    """Luck: the roll."""
    dice: list[DieOffer] | UnsetType = UNSET
    luck: int | UnsetType = UNSET
    """Luck: dice that the driver may still modify."""
    test: str | UnsetType = UNSET
    """Luck: the test that the die is rolled for."""
    modifier: int | UnsetType = UNSET
    skill: int | UnsetType = UNSET
    passing: list[int] | UnsetType = UNSET
    """Luck: faces that pass the test."""
    hits: int | UnsetType = UNSET
    """Luck: the lowest face that hits in a collision."""
    grab: Test | UnsetType = UNSET
    """Climbing: the test for the reins at the end of the next turn."""
    fall: float | UnsetType = UNSET
    """Climbing: the chance to fall."""
    health: int | UnsetType = UNSET
    """Cutting loose."""
    left: float | UnsetType = UNSET
    """On foot: how far the driver may still walk."""
    legs: list[Leg] | UnsetType = UNSET
    must_leave: bool | UnsetType = UNSET
    """On foot: whether the driver must leave the track."""
