"""What the table page of Charioteer is given once: coordinates on the board, and figures of the edition."""

from __future__ import annotations

from typing import TypedDict


class Oval(TypedDict):
    """The shape of the track: from this a page finds any point of it."""

    left: float
    right: float
    middle: float
    radius: float
    straight: float
    bend: float


class SpacePlace(TypedDict):
    """A space of the board."""

    outer: bool
    centre: tuple[float, float]
    heading: float
    along: float
    deep: tuple[float, float]
    spots: list[tuple[float, float]]


class Places(TypedDict):
    """Coordinates of everything that pieces stand on, and figures of the edition."""

    viewBox: list[float]
    scale: float
    start: int
    die: tuple[float, float]
    crowd: list[tuple[float, float]]
    card: tuple[float, float]
    frieze: tuple[float, float]
    lap: tuple[float, float]
    oval: Oval
    spaces: list[SpacePlace]
    laps: int
    attack_boxes: int
    skill_bonuses: list[int]
    skill_spaces: int
