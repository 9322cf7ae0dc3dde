"""What the table page of Chariot Race is given once: coordinates on the board, and figures of the edition."""

from __future__ import annotations

from typing import TypedDict


class SpacePlace(TypedDict):
    """A space of the course."""

    name: str
    lane: int
    safe: int
    centre: tuple[float, float]
    heading: float
    caltrop: tuple[float, float]


class Figures(TypedDict):
    """Figures of the rules."""

    laps: int
    caltrops: int
    repair_cost: int
    repair_points: int
    fortune_cost: int
    ram_damage: int
    caltrop_damage: int
    javelin_damage: int
    javelin_range: int
    sprint_speed: int
    sprint_damage: int
    length: int


class ChariotKind(TypedDict):
    """What a kind of chariot can do; lists of three are condition, speed and fate."""

    most: list[int]
    first: list[int]
    dice: list[int]
    limit: list[int]


class Places(TypedDict):
    """Coordinates of everything that pieces stand on, and figures of the edition."""

    viewBox: list[float]
    scale: float
    lanes: int
    grid: list[int]
    spaces: list[SpacePlace]
    figures: Figures
    die: list[str]
    fronts: list[int]
    next: list[list[int | None]]
    """Of each space: where a step straight ahead, inward and outward leads; None if there is no such lane."""
    kinds: dict[str, ChariotKind]
