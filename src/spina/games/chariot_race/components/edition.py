"""Editions of Chariot Race: from a file such as `edition.toml` to the record that the kernels read.

Everything that a file can get wrong is found here and reported with its line, so that the kernels can trust
every figure they read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from spina.games.chariot_race.components.course import Course, lane_names
from spina.games.chariot_race.components.course_sheet import (
    check_marks,
    check_way,
    course_content,
    derived_content,
    read_corners,
    read_course,
    read_grid,
    read_heaps,
    shape_content,
)
from spina.games.chariot_race.components.refusals import say
from spina.games.chariot_race.rules import record
from spina.games.editions import Content, Edition, Files, Sheet, digest, joined, key, sealed
from spina.sentences import Sentence

GAME = "chariot-race"
PLAIN = "plain"
INDIVIDUAL = ("red", "white", "blue", "green", "purple", "gold")
CHARIOT_NAMES = (PLAIN, *INDIVIDUAL)
"""The chariots by kind, and the tables of a file that describe them."""
PRINTED = {"yellow": "gold"}
"""Colours that the printed game calls by another word; both words are accepted."""


def colour_named(word: str) -> str:
    """The name of a colour, given by either of its words."""
    return PRINTED.get(word, word)


# --- what a file may say --------------------------------------------------------------------------------------------

LAPS = 9
HIGHEST = 20
"""Upper limit for numbers of points or steps, far beyond any sensible game."""
CALTROPS = 99


@dataclass(frozen=True)
class ChariotRaceEdition(Edition):
    """The components of Chariot Race, with the names that notation and stories use for them."""

    course: Course = field(repr=False, compare=False)
    """The sections and spaces, for pictures."""
    characters: tuple[str, ...] = field(repr=False, compare=False)
    """The character of each chariot in a word, by kind."""

    layout = record.EDITION

    @cached_property
    def laps(self) -> int:
        return int(self._record.laps)

    @cached_property
    def caltrops(self) -> int:
        """Markers in the supply."""
        return int(self._record.caltrops)

    @cached_property
    def fortune_cost(self) -> int:
        """Fate for a bought re-roll or a turned die."""
        return int(self._record.fortune_cost)

    @cached_property
    def javelin_damage(self) -> int:
        return int(self._record.javelin_damage)

    @cached_property
    def dice(self) -> int:
        """Number of dice."""
        return int(self._record.dice)

    @cached_property
    def die(self) -> tuple[int, ...]:
        """The side on each face."""
        return self._numbers("die", record.FACES)

    @cached_property
    def javelin_range(self) -> int:
        return int(self._record.javelin_range)

    @cached_property
    def length(self) -> int:
        """Units of one lap."""
        return int(self._record.length)

    @cached_property
    def lanes(self) -> int:
        return int(self._record.lanes)

    @cached_property
    def lane_names(self) -> tuple[str, ...]:
        """`inside`, `middle`, `outside`, by lane; with more or fewer than three lanes `a`, `b` and so on."""
        return lane_names(self.lanes)

    @cached_property
    def spaces(self) -> int:
        """Spaces of all lanes together."""
        return int(self._record.spaces)

    @cached_property
    def space_names(self) -> tuple[str, ...]:
        """`m14`, by space: the letter of the lane, and a number that is 1 for the first space beyond the line."""
        return self.course.names

    @cached_property
    def space_numbers(self) -> Mapping[str, int]:
        """The spaces by their names."""
        return {name: number for number, name in enumerate(self.space_names)}

    @cached_property
    def lane(self) -> tuple[int, ...]:
        """The lane of each space."""
        return self._numbers("lane", self.spaces)

    @cached_property
    def front(self) -> tuple[int, ...]:
        """The front border of each space."""
        return self._numbers("front", self.spaces)

    @cached_property
    def half(self) -> tuple[int, ...]:
        """The half board of each space, 0 or 1."""
        return self._numbers("half", self.spaces)

    @cached_property
    def number(self) -> tuple[int, ...]:
        """The greatest safe speed of each space, 0 if it has no number."""
        return self._numbers("number", self.spaces)

    @cached_property
    def heap(self) -> tuple[bool, ...]:
        """Which spaces have a stone heap when their half board shows side B."""
        return self._flags("heap", self.spaces)

    def heaps_with(self, sides: Sequence[int]) -> list[int]:
        """R18: the spaces with stone heaps, when the half boards show these sides: 1 is side B."""
        return [space for space in self.heap_spaces if sides[self.half[space]]]

    @cached_property
    def heap_spaces(self) -> tuple[int, ...]:
        """R18: the spaces with stone heaps, when both half boards show side B."""
        return tuple(space for space in range(self.spaces) if self.heap[space])

    @cached_property
    def grid(self) -> tuple[int, ...]:
        """The starting spaces: front row from outside to inside, then the rear row."""
        return self._numbers("grid", record.GRID)

    @cached_property
    def chariot_names(self) -> tuple[str, ...]:
        """`plain` and the individual ones, by kind."""
        return CHARIOT_NAMES

    def kind_named(self, word: str) -> str:
        """The character of an individual chariot, given it or the colour of its board; other words unchanged."""
        colour = colour_named(word)
        if word in self.characters or colour not in INDIVIDUAL:
            return word
        return self.characters[CHARIOT_NAMES.index(colour)]

    @cached_property
    def most_condition(self) -> tuple[int, ...]:
        """By kind."""
        return self._numbers("most_condition", len(CHARIOT_NAMES))

    @cached_property
    def most_speed(self) -> tuple[int, ...]:
        """By kind."""
        return self._numbers("most_speed", len(CHARIOT_NAMES))

    @cached_property
    def most_fate(self) -> tuple[int, ...]:
        """By kind."""
        return self._numbers("most_fate", len(CHARIOT_NAMES))

    @cached_property
    def dice_at(self) -> tuple[tuple[int, ...], ...]:
        """By kind, the dice to roll at each speed."""
        return self._table("dice_at", self.most_speed)

    @cached_property
    def speed_limit(self) -> tuple[tuple[int, ...], ...]:
        """By kind, the greatest speed to begin a turn with at each condition."""
        return self._table("speed_limit", self.most_condition)

    def _table(self, name: str, lasts: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        rows = zip(self._record[name], lasts, strict=True)
        return tuple(tuple(int(value) for value in row[: last + 1]) for row, last in rows)

    def __reduce__(self) -> tuple[Callable[[str, str], ChariotRaceEdition], tuple[str, str]]:
        """Copies and other processes parse the text again, so that the record stays read-only."""
        return parse, (self.text, self.name)


# --- the race and its dice ------------------------------------------------------------------------------------------


def read_race(sheet: Sheet) -> dict[str, int]:
    """The figures of the rules."""
    bounds = {
        "laps": (1, LAPS),
        "caltrops": (0, CALTROPS),
        "repair_cost": (1, HIGHEST),
        "repair_points": (1, HIGHEST),
        "fortune_cost": (1, HIGHEST),
        "ram_damage": (0, HIGHEST),
        "caltrop_damage": (0, HIGHEST),
        "javelin_damage": (0, HIGHEST),
        "javelin_range": (1, HIGHEST),
        "sprint_speed": (0, HIGHEST),
        "sprint_damage": (0, HIGHEST),
        "dice": (1, record.DICE),
    }
    return sheet.figures("race", bounds)


def read_die(sheet: Sheet) -> Content:
    """The sides of a die."""
    path = "die.sides"
    sides = sheet.choices(path, say("thing.side"), record.SIDE_NAMES, most=record.FACES)
    if sheet.sound(path) and len(sides) != record.FACES:
        sheet.problem(path, say("chariot-race.edition.sides", count=len(sides), wanted=record.FACES))
    return {"die": sides}


# --- chariots -------------------------------------------------------------------------------------------------------


class Chariot(NamedTuple):
    """The tracks of a chariot board."""

    most: tuple[int, int, int]
    """The ends of condition, speed and fate."""
    first: tuple[int, int, int]
    """Where they begin."""
    dice: list[int]
    """By speed."""
    limit: list[int]
    """By condition; 0 for a wreck."""


TRACKS = ("condition", "speed", "fate")


def read_chariot(sheet: Sheet, name: str, dice: int) -> Chariot:
    """The board of one chariot."""
    highest = (record.MOST_CONDITION, record.MOST_SPEED, HIGHEST)
    lowest = (1, 1, 0)
    bounds = list(zip(TRACKS, lowest, highest, strict=True))
    most = [sheet.integer(f"{name}.most_{track}", low=low, high=high) for track, low, high in bounds]
    first = [sheet.integer(f"{name}.first_{track}", low=int(i == 0), high=highest[i]) for i, track in enumerate(TRACKS)]
    for i, track in enumerate(TRACKS):
        _check_first(sheet, f"{name}.first_{track}", first[i], f"{name}.most_{track}", most[i])
    rolled = _read_table(sheet, f"{name}.dice.values", f"{name}.most_speed", most[1] + 1, low=1, high=dice)
    limit = _read_table(sheet, f"{name}.limit.values", f"{name}.most_condition", most[0], low=0, high=record.MOST_SPEED)
    _check_order(sheet, f"{name}.dice.values", [-count for count in rolled], say("chariot-race.edition.more-dice"))
    _check_order(sheet, f"{name}.limit.values", limit, say("chariot-race.edition.lower-limit"))
    _check_limit(sheet, name, limit, most, first)
    return Chariot((most[0], most[1], most[2]), (first[0], first[1], first[2]), rolled, [0, *limit])


def _check_first(sheet: Sheet, path: str, first: int, end: str, most: int) -> None:
    if sheet.sound(path, end) and first > most:
        sheet.problem(path, say("chariot-race.edition.beyond-track", path=path, first=first, end=end, most=most))


def _read_table(sheet: Sheet, path: str, end: str, length: int, *, low: int, high: int) -> list[int]:
    """A figure for each step of a track; the track's end decides how many there must be."""
    if not sheet.sound(end):
        return sheet.integers(path, low=low, high=high, least=0, most=record.MOST_SPEED + 1)
    return sheet.integers(path, low=low, high=high, least=length, most=length)


def _check_order(sheet: Sheet, path: str, values: Sequence[int], wrong: Sentence) -> None:
    """Check that values do not fall along the track."""
    if not sheet.sound(path):
        return
    for i in range(1, len(values)):
        if values[i] < values[i - 1]:
            sheet.problem(
                joined(path, i), say("chariot-race.edition.out-of-order", path=path, wrong=wrong, number=i + 1)
            )


def _check_limit(sheet: Sheet, name: str, limit: Sequence[int], most: Sequence[int], first: Sequence[int]) -> None:
    """Check that the limits lie on the speed track, and allow the starting speed at the starting condition."""
    path, end = f"{name}.limit.values", f"{name}.most_speed"
    highest = max(limit, default=0)
    if sheet.sound(path, end) and highest > most[1]:
        sheet.problem(path, say("chariot-race.edition.beyond-speed", path=path, highest=highest, end=end, most=most[1]))
    speed, condition = f"{name}.first_speed", f"{name}.first_condition"
    if sheet.sound(path, speed, condition, f"{name}.most_condition") and first[1] > limit[first[0] - 1]:
        allowed = limit[first[0] - 1]
        text = say("chariot-race.edition.first-speed", speed=speed, first=first[1], condition=first[0], allowed=allowed)
        sheet.problem(speed, text)


def chariot_tables(sheet: Sheet) -> list[str]:
    """The names of the tables that describe the chariots, by kind; a colour may have its printed name."""
    printed = {name: word for word, name in PRINTED.items() if sheet.has(word) and not sheet.has(name)}
    return [printed.get(name, name) for name in CHARIOT_NAMES]


def read_characters(sheet: Sheet, tables: Sequence[str]) -> tuple[str, ...]:
    """The character of each chariot in a word; that of the plain one is "plain"."""
    return (PLAIN, *(sheet.word(f"{name}.character") for name in tables[1:]))


def chariot_content(chariots: Sequence[Chariot]) -> Content:
    """The fields of the record about chariots."""
    content: dict[str, list[int] | list[list[int]]] = {}
    for i, track in enumerate(TRACKS):
        content[f"most_{track}"] = [chariot.most[i] for chariot in chariots]
        content[f"first_{track}"] = [chariot.first[i] for chariot in chariots]
    content["dice_at"] = [chariot.dice for chariot in chariots]
    content["speed_limit"] = [chariot.limit for chariot in chariots]
    return content


def padded_content(chariots: Sequence[Chariot]) -> Content:
    """The tables of the chariots, all of the same length: each is filled up with its last value."""
    return {
        "dice_at": [_padded(chariot.dice, record.MOST_SPEED + 1) for chariot in chariots],
        "speed_limit": [_padded(chariot.limit, record.MOST_CONDITION + 1) for chariot in chariots],
    }


def _padded(values: Sequence[int], length: int) -> list[int]:
    return [*values, *[values[-1]] * (length - len(values))]


# --- editions -------------------------------------------------------------------------------------------------------


def parse(text: str, name: str) -> ChariotRaceEdition:
    """The edition that this text describes. `name` says in an EditionError which file has the problems."""
    sheet = Sheet(text, name)
    title = sheet.heading(GAME)
    race = read_race(sheet)
    die = read_die(sheet)
    course = read_course(sheet)
    corners, heaps, grid = read_corners(sheet, course), read_heaps(sheet, course), read_grid(sheet, course)
    check_marks(sheet, corners, heaps, grid)
    if course is not None and sheet.sound("race.laps", "heaps", "grid", "corners"):
        check_way(sheet, course, heaps, grid, race["laps"])
    dice = race["dice"] if sheet.sound("race.dice") else record.DICE
    tables = chariot_tables(sheet)
    chariots = [read_chariot(sheet, table, dice) for table in tables]
    characters = read_characters(sheet, tables)
    sheet.finish()
    assert course is not None  # if it could not be laid, `finish` has raised the problem
    track: Content = {**race, **die, **course_content(course, corners, heaps, grid)}
    content: Content = {**track, **chariot_content(chariots)}
    plain = digest(GAME, {**track, **shape_content(course), **chariot_content(chariots[:1])})
    derived: Content = {
        **derived_content(course, race["javelin_range"]),
        **padded_content(chariots),
        "plain_key": key(plain),
    }
    fields = sealed(
        GAME, title, text, sheet.provenance(), record.EDITION,
        content=content, shapes=shape_content(course), derived=derived,
    )  # fmt: skip
    return ChariotRaceEdition(**fields, course=course, characters=characters)


FILES = Files("spina.games.chariot_race.components", parse)
load, template, reference = FILES.load, FILES.template, FILES.reference
