"""The offer of Chariot Race, typed: what a seat may choose, with the consequences."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from spina.games.mapping_struct import MappingStruct


class DraftOffer(MappingStruct, kw_only=True):
    """An individual chariot that may be drafted."""

    action: str
    character: str
    faction: int


class StartOffer(MappingStruct, kw_only=True):
    """A starting space that may be taken."""

    action: str
    space: int


class RepairOffer(MappingStruct, kw_only=True):
    """To repair or not: what is left of everything afterwards, and the dice that come of it."""

    action: str
    gain: int
    """Condition that is gained."""
    cost: int
    """Fate that it costs."""
    condition: int
    fate: int
    speed: int
    """What the condition allows."""
    held_back: int
    """Speed that the condition does not allow."""
    dice: int


class DiceSum(MappingStruct, kw_only=True):
    """What dice come to."""

    speeds: list[int]
    """Speeds that the signs of the +/- dice can make."""
    sprint: int
    """Damage by sprints."""
    condition: int
    steers: int
    attacks: int
    fate: int
    wrecked: bool


class TurnedDie(MappingStruct, kw_only=True):
    """A die that may be turned to another side."""

    action: str
    die: int
    before: str
    side: str
    sum: DiceSum


class DiceOffer(MappingStruct, kw_only=True):
    """The dice on the table, which may be rolled again or turned."""

    sides: list[str]
    free: bool
    """Whether the next roll costs nothing."""
    price: int
    """Fate for another roll, or for turning a die."""
    fate: int
    later: int
    """How many times that can still be paid after this."""
    chances: dict[str, list[float]]
    """For each side, the chance to see it at least once with 1, 2, ... dice."""
    sum: DiceSum
    """As the dice lie."""
    turns: list[TurnedDie]


class PathEnd(MappingStruct, kw_only=True):
    """Where the dice would lead if they were kept."""

    end: int
    damage: int
    """The least that it costs to get there."""
    wrecked: bool


class CornerLoss(MappingStruct, kw_only=True):
    """A corner that is taken too fast."""

    space: int
    safe: int
    """The safe speed."""
    damage: int


class Ram(MappingStruct, kw_only=True):
    """A chariot that is rammed."""

    chariot: int
    condition: int
    """What it has left."""


class Losses(MappingStruct, kw_only=True):
    """What a part of a move costs."""

    speed: int
    condition: int
    """What is left."""
    sprint: int
    """Damage by sprints; then by corners, rams and caltrops."""
    corner: int
    ram: int
    caltrop: int
    damage: int
    """All of it."""
    corners: list[CornerLoss]
    rams: list[Ram]
    caltrops: list[int]
    """Spaces where the chariot runs over one."""
    put_back: bool
    """Whether it ends on an occupied space and is put behind it."""
    heap: bool
    """Whether it runs into a stone heap."""
    wrecks: list[int]
    """Chariots that would be wrecked, the own one among them."""
    wrecked: bool


class Path(Losses, kw_only=True):
    """A whole move: the least harmful path to its end."""

    actions: list[str]
    """In notation, to be played in this order."""
    spaces: list[int]
    """Spaces that are entered, in order."""
    end: int
    lap: int
    place: int
    """Among the chariots as they stand now."""
    finished: bool


class SignsOffer(Losses, kw_only=True):
    """How many +/- dice count as plus; the losses are those of forced steps right after it."""

    action: str
    plus: int
    minus: int
    sprints: int
    before: int
    """The speed before."""


class StepOffer(Losses, kw_only=True):
    """A single step with the forced ones behind it."""

    action: str
    spaces: list[int]
    space: int
    """Where it ends."""
    points: int
    """Steps that are left."""
    done: bool
    """Whether the move ends there."""


class AttackOffer(MappingStruct, kw_only=True):
    """A caltrop that may be dropped, or a javelin that may be thrown."""

    action: str
    kind: Literal["caltrop", "javelin"]
    space: int
    """Where it is dropped, or where the target stands."""
    safe: int | UnsetType = UNSET
    """Caltrops: the safe speed of the space; 0 on a straight."""
    under: int | UnsetType | None = UNSET
    """Caltrops: the chariot that stands there; None if there is none."""
    target: int | UnsetType = UNSET
    """Javelins: the chariot that is hit."""
    colour: str | UnsetType = UNSET
    """Javelins: its colour."""
    damage: int | UnsetType = UNSET
    """Javelins: what it loses."""
    condition: int | UnsetType = UNSET
    """Javelins: what it has left."""
    wrecked: bool | UnsetType = UNSET
    """Javelins: whether that wrecks it."""
    own: bool | UnsetType = UNSET
    """Javelins: whether it belongs to the same seat."""


class Offer(MappingStruct, kw_only=True):
    """What a seat of Chariot Race may choose. Fields that do not belong to the question are absent."""

    stage: str
    """What is asked: one of `STAGE_NAMES`."""
    chariot: int
    """The chariot that is asked for."""
    actions: list[str]
    """All answers, in notation."""
    draft: list[DraftOffer] | UnsetType = UNSET
    start: list[StartOffer] | UnsetType = UNSET
    repair: list[RepairOffer] | UnsetType = UNSET
    dice: DiceOffer | UnsetType = UNSET
    preview: list[PathEnd] | UnsetType = UNSET
    """With the dice: where they would lead if they were kept."""
    signs: list[SignsOffer] | UnsetType = UNSET
    steps: list[StepOffer] | UnsetType = UNSET
    paths: list[Path] | UnsetType = UNSET
    """With signs and steps: the ends of the move, the furthest first, wrecks last."""
    attacks: list[AttackOffer] | UnsetType = UNSET
