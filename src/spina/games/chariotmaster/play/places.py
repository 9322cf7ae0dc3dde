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
    """In notation: that of its number, whichever colour its seat has chosen."""
    faction: int
    """The number of its colour."""
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


class CourseSegment(TypedDict):
    """A straight or an arc of the centre line, in tenths of a millimetre and degrees."""

    begin: float
    """Way along the centre line to its first point."""
    end: float
    x: float
    y: float
    heading: float
    """At its first point."""
    radius: float
    """0: straight; positive: it turns left."""
    angle: float
    """Turned over the whole arc."""
    cx: float
    cy: float


class Course(TypedDict):
    """The track as a description in words needs it; lengths in tenths of a millimetre."""

    segments: list[CourseSegment]
    closed: bool
    length: float
    half_width: float
    line: float
    """Way to the starting line."""
    lap: float
    """From there to the finish."""


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
    course: Course
    figures: Figures
