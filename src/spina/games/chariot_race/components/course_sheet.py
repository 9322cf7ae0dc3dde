"""Reading and checking the course in an edition file: sections, line, numbered spaces, heaps and grid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from spina.games.chariot_race.components.course import (
    Course,
    Place,
    Section,
    dead_end,
    lane_names,
    lanes_cut,
    lay,
    units,
)
from spina.games.chariot_race.rules import record
from spina.games.editions import Content, Entry, Sheet, extent, listed, number_in, quoted

# --- what a file may say --------------------------------------------------------------------------------------------

SECTIONS = 40
LONGEST = 1000
"""Greatest length of a section."""
UNITS = 1_000_000
"""Most units in a lap: fronts of several laps fit their field."""
FEWEST_SPACES = record.CHARIOTS
"""Spaces without heaps that a lane needs, so that a chariot can always be put back (R7)."""

SECTION_FORM = '"bend-1: bend, half 1, length 6, spaces 4 6 8"'
_SECTION = re.compile(r"([a-z][a-z0-9-]*): (straight|bend), half (\S+), length (\S+), spaces (\S+(?: \S+)*)")
_PLACE = re.compile(r"(\S+) (\S+) (\S+)")
_CORNER = re.compile(r"(\S+ \S+ \S+): speed (\S+)")


# --- the course -----------------------------------------------------------------------------------------------------


def read_course(sheet: Sheet) -> Course | None:
    """The course; None if there is a problem."""
    lanes = sheet.integer("course.lanes", low=1, high=record.LANES)
    line = sheet.integer("course.line", low=0, high=SECTIONS * LONGEST)
    sections = _read_sections(sheet, lanes)
    if not sheet.sound("course.lanes", "course.sections"):
        return None
    _check_lap(sheet, sections)
    if sheet.sound("course.line", "course.sections"):
        _check_line(sheet, sections, line)
    return lay(sections, line) if sheet.sound("course.line", "course.sections") else None


def _read_sections(sheet: Sheet, lanes: int) -> list[Section]:
    sections: dict[str, Section] = {}
    for entry in sheet.entries("course.sections", most=SECTIONS):
        section = _read_section(sheet, entry, lanes)
        if section is None:
            continue
        if section.name in sections or entry.times > 1:
            sheet.problem(entry.path, f"the section {section.name} is there twice: give each a name of its own")
        sections[section.name] = section
    return [*sections.values()]


def _read_section(sheet: Sheet, entry: Entry, lanes: int) -> Section | None:
    match = _SECTION.fullmatch(entry.text)
    if match is None:
        text = f"{quoted(entry.text)} is not a section: it must be written like {SECTION_FORM}"
        sheet.problem(entry.path, text)
        return None
    name, shape, *_ = match.groups()
    half = _figure(sheet, entry, "half", match[3], 1, record.HALVES)
    length = _figure(sheet, entry, "length", match[4], 1, LONGEST)
    words = match[5].split()
    if sheet.sound("course.lanes") and len(words) != lanes:
        sheet.problem(
            entry.path, f"the section {name} gives spaces for {len(words)} lanes: the course has {lanes} (course.lanes)"
        )
        return None
    spaces = [_read_spaces(sheet, entry, lane, word, len(words)) for lane, word in enumerate(words)]
    if half is None or length is None or None in spaces:
        return None
    return Section(name, shape == "bend", half - 1, length, tuple(count for count in spaces if count))


def _read_spaces(sheet: Sheet, entry: Entry, lane: int, word: str, lanes: int) -> int | None:
    """Number of spaces of a lane in a section."""
    if word == "0":
        name = lane_names(lanes)[lane] if lanes <= record.LANES else str(lane + 1)
        text = f"the lane {name} has no spaces in {quoted(entry.text)}: every lane needs one or more"
        sheet.problem(entry.path, text)
        return None
    return _figure(sheet, entry, "spaces", word, 1, record.SPACES)


def _check_lap(sheet: Sheet, sections: Sequence[Section]) -> None:
    path = "course.sections"
    if not sections:
        sheet.problem(path, f"the course has no sections: write one or more, like {SECTION_FORM}")
        return
    total = sum(sum(section.spaces) for section in sections)
    if total > record.SPACES:
        sheet.problem(path, f"the course has {total} spaces in all lanes together: it can have {record.SPACES} at most")
    elif units(sections) > UNITS:
        sheet.problem(
            path,
            f"the lengths have no common measure: a lap would be {units(sections)} units long, "
            f"and {UNITS} are the most; use rounder lengths, or numbers of spaces with common factors",
        )
    for lane, name in enumerate(lane_names(len(sections[0].spaces))):
        count = sum(section.spaces[lane] for section in sections)
        if count < FEWEST_SPACES:
            text = f"the lane {name} has {count} spaces: it must have {FEWEST_SPACES} or more, one for every chariot"
            sheet.problem(path, text)


def _check_line(sheet: Sheet, sections: Sequence[Section], line: int) -> None:
    lap = sum(section.length for section in sections)
    if line >= lap:
        text = f"the line lies at {line}, beyond the lap of length {lap}: it must lie at 0 to {lap - 1}"
        sheet.problem("course.line", text)
        return
    names = lane_names(len(sections[0].spaces))
    cut = [names[lane] for lane in lanes_cut(sections, line)]
    if cut:
        where = f"lane {cut[0]}" if len(cut) == 1 else f"lanes {listed(cut)}"
        text = f"the line at {line} runs through a space in the {where}: it must lie between two spaces in every lane"
        sheet.problem("course.line", text)


# --- places on the course -------------------------------------------------------------------------------------------


class Mark(NamedTuple):
    """A number, heap or starting space on a space: its path in the file, and the number."""

    path: str
    number: int = 0


Marks = Mapping[int, Mark]
"""Marks by space."""


def read_corners(sheet: Sheet, course: Course | None) -> Marks:
    """The numbered spaces, with the greatest safe speed of each."""
    marks: dict[int, Mark] = {}
    for entry in sheet.entries("corners.list", most=record.SPACES):
        match = _CORNER.fullmatch(entry.text)
        if match is None:
            text = f'{quoted(entry.text)} is not a numbered space: it must be written like "bend-1 inside 3: speed 3"'
            sheet.problem(entry.path, text)
            continue
        speed = _figure(sheet, entry, "speed", match[2], 1, record.MOST_SPEED)
        space = _read_place(sheet, entry, match[1], course)
        if space is not None and speed is not None:
            _put(sheet, marks, space, entry, Mark(entry.path, speed), "has a number already")
    return marks


def read_heaps(sheet: Sheet, course: Course | None) -> Marks:
    """The stone heaps of side B."""
    marks: dict[int, Mark] = {}
    for entry in sheet.entries("heaps.list", most=record.SPACES):
        space = _read_place(sheet, entry, entry.text, course)
        if space is not None:
            _put(sheet, marks, space, entry, Mark(entry.path), "has a heap already")
    return marks


def read_grid(sheet: Sheet, course: Course | None) -> Marks:
    """The starting spaces, in their order."""
    path = "grid.list"
    entries = sheet.entries(path, most=record.GRID)
    if sheet.sound(path) and len(entries) != record.GRID:
        text = f"the grid has {len(entries)} starting spaces: it must have {record.GRID}, one for every chariot"
        sheet.problem(path, text)
    marks: dict[int, Mark] = {}
    for entry in entries:
        space = _read_place(sheet, entry, entry.text, course)
        if space is None or course is None:
            continue
        _put(sheet, marks, space, entry, Mark(entry.path), "is a starting space already")
        if 2 * course.spaces[space].front <= course.length:
            text = f"{quoted(entry.text)} lies beyond the line: starting spaces must be in the half lap before it"
            sheet.problem(entry.path, text)
    return marks


def _put(sheet: Sheet, marks: dict[int, Mark], space: int, entry: Entry, mark: Mark, already: str) -> None:
    """Put a mark on a space, which must not have one yet."""
    if space in marks or entry.times > 1:
        sheet.problem(entry.path, f"{quoted(entry.text)} is there twice: this space {already}")
    marks.setdefault(space, mark)


def _read_place(sheet: Sheet, entry: Entry, text: str, course: Course | None) -> int | None:
    """The space that a text such as `bend-1 inside 3` names; None if there is a problem or no course."""
    match = _PLACE.fullmatch(text)
    if match is None:
        text = f'{quoted(text)} is not a space: it must be a section, a lane and a number, like "bend-1 inside 3"'
        sheet.problem(entry.path, text)
        return None
    if course is None:
        return None
    sections, lanes = [section.name for section in course.sections], lane_names(course.lanes)
    for what, word, known in (("section", match[1], sections), ("lane", match[2], lanes)):
        if word not in known:
            text = f"unknown {what} {quoted(word)} in {quoted(entry.text)}: the {what}s are {listed(known)}"
            sheet.problem(entry.path, text)
            return None
    section, lane = sections.index(match[1]), lanes.index(match[2])
    count = _figure(sheet, entry, "place", match[3], 1, course.sections[section].spaces[lane])
    return None if count is None else course.at[Place(section, lane, count)]


def _figure(sheet: Sheet, entry: Entry, what: str, word: str, low: int, high: int) -> int | None:
    """A number inside a text."""
    number = number_in(word, low, high)
    if number is None:
        text = f"{what} {quoted(word)} in {quoted(entry.text)}: it must be a whole number, {extent(low, high)}"
        sheet.problem(entry.path, text)
    return number


def check_marks(sheet: Sheet, corners: Marks, heaps: Marks, grid: Marks) -> None:
    """Check that no space is two of these: numbered, a heap, a starting space."""
    for space in corners.keys() & grid.keys():
        text = "a corner number stands on a starting space: no space may have both"
        sheet.problem(corners[space].path, text)
    for space in heaps.keys() & grid.keys():
        sheet.problem(heaps[space].path, "a stone heap stands on a starting space: no space may have both")
    for space in heaps.keys() & corners.keys():
        sheet.problem(heaps[space].path, "a stone heap stands on a numbered space: no space may have both")


def check_way(sheet: Sheet, course: Course, heaps: Marks, grid: Marks, laps: int) -> None:
    """Check that with all heaps each starting space has a way to the finish, and each lane room to be put back."""
    for start in grid:
        end = dead_end(course, heaps.keys(), start, laps)
        if end is not None:
            heap = heaps[course.next[end][record.AHEAD]]
            text = f"stone heaps close all lanes: no way leads on beyond {course.names[end]}"
            sheet.problem(heap.path, text)
    for lane, name in enumerate(lane_names(course.lanes)):
        free = course.count[lane] - sum(course.spaces[heap].lane == lane for heap in heaps)
        if free < FEWEST_SPACES:
            text = f"the lane {name} has {free} spaces without a stone heap: it must have {FEWEST_SPACES} or more"
            sheet.problem("heaps.list", text)


def course_content(course: Course, corners: Marks, heaps: Marks, grid: Marks) -> Content:
    """The fields of the record about the course, without those that follow from others."""
    numbers = range(len(course.spaces))
    return {
        "length": course.length,
        "lanes": course.lanes,
        "count": course.count,
        "front": [space.front for space in course.spaces],
        "half": [course.sections[space.place.section].half for space in course.spaces],
        "number": [corners[i].number if i in corners else 0 for i in numbers],
        "heap": [int(i in heaps) for i in numbers],
        "grid": [*grid],
    }


def derived_content(course: Course, reach: int) -> Content:
    """The fields of the record that follow from others."""
    return {
        "first": course.first,
        "spaces": len(course.spaces),
        "lane": [space.lane for space in course.spaces],
        "next": course.next,
        "near": course.near(reach),
    }


def shape_content(course: Course) -> Content:
    """What only pictures need but belongs to the hash: the sections' beginnings and ends, and which are bends."""
    shapes = zip(course.extents, course.sections, strict=True)
    return {"sections": sorted([begin, end, int(section.bend)] for (begin, end), section in shapes)}
