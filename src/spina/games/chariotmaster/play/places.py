"""What the table page of Chariotmaster loads once: coordinates on the map, and how pieces are drawn."""

from __future__ import annotations

from typing import TypedDict


class TeamFigure(TypedDict):
    """How a team is drawn: transforms and paths of SVG."""

    fright: str
    beasts: list[str]
    girths: list[str]
    held: list[str]
    loose: list[str]


class ChariotFigure(TypedDict):
    """The colours of a chariot."""

    name: str
    letter: str
    colour: str
    horse: str
    ink: str
    striped: bool


class Figures(TypedDict):
    """How a page assembles pieces from the symbols of the board, by kind of piece."""

    sizes: dict[str, list[float]]
    teams: dict[str, TeamFigure]
    marks: dict[str, float]
    badges: dict[str, list[float]]
    beasts: dict[str, str]
    hides: dict[str, str]
    ink: str
    chariots: list[ChariotFigure]


class Places(TypedDict):
    """Coordinates of the map, and how pieces are drawn."""

    viewBox: list[float]
    origin: list[float]
    scale: float
    closed: bool
    line: list[float]
    finish: list[float]
    lanes: list[list[float]]
    base: list[float]
    figures: Figures
