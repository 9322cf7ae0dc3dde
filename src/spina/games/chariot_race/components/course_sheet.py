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
from spina.games.chariot_race.components.refusals import say
from spina.games.chariot_race.rules import record
from spina.games.editions import Content, Entry, Sheet, extent, listed, number_in, quoted
from spina.sentences import Sentence

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
            sheet.problem(entry.path, say("chariot-race.edition.section-twice", name=section.name))
        sections[section.name] = section
    return [*sections.values()]


def _read_section(sheet: Sheet, entry: Entry, lanes: int) -> Section | None:
    match = _SECTION.fullmatch(entry.text)
    if match is None:
        text = say("chariot-race.edition.not-a-section", text=quoted(entry.text), form=SECTION_FORM)
        sheet.problem(entry.path, text)
        return None
    name, shape, *_ = match.groups()
    half = _figure(sheet, entry, say("thing.half"), match[3], 1, record.HALVES)
    length = _figure(sheet, entry, say("thing.length"), match[4], 1, LONGEST)
    words = match[5].split()
    if sheet.sound("course.lanes") and len(words) != lanes:
        sheet.problem(
            entry.path, say("chariot-race.edition.lanes-of-section", name=name, count=len(words), lanes=lanes)
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
        text = say("chariot-race.edition.lane-without-spaces", name=name, text=quoted(entry.text))
        sheet.problem(entry.path, text)
        return None
    return _figure(sheet, entry, say("thing.spaces"), word, 1, record.SPACES)


def _check_lap(sheet: Sheet, sections: Sequence[Section]) -> None:
    path = "course.sections"
    if not sections:
        sheet.problem(path, say("chariot-race.edition.no-sections", form=SECTION_FORM))
        return
    total = sum(sum(section.spaces) for section in sections)
    if total > record.SPACES:
        sheet.problem(path, say("chariot-race.edition.too-many-spaces", total=total, most=record.SPACES))
    elif units(sections) > UNITS:
        sheet.problem(
            path,
            say("chariot-race.edition.no-common-measure", found=units(sections), most=UNITS),
        )
    for lane, name in enumerate(lane_names(len(sections[0].spaces))):
        count = sum(section.spaces[lane] for section in sections)
        if count < FEWEST_SPACES:
            text = say("chariot-race.edition.lane-too-short", name=name, count=count, least=FEWEST_SPACES)
            sheet.problem(path, text)


def _check_line(sheet: Sheet, sections: Sequence[Section], line: int) -> None:
    lap = sum(section.length for section in sections)
    if line >= lap:
        text = say("chariot-race.edition.line-beyond-lap", line=line, lap=lap, last=lap - 1)
        sheet.problem("course.line", text)
        return
    names = lane_names(len(sections[0].spaces))
    cut = [names[lane] for lane in lanes_cut(sections, line)]
    if cut:
        one = len(cut) == 1
        code = "chariot-race.edition.line-through-lane" if one else "chariot-race.edition.line-through-lanes"
        sheet.problem("course.line", say(code, line=line, lanes=listed(cut)))


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
            text = say("chariot-race.edition.not-a-numbered-space", text=quoted(entry.text))
            sheet.problem(entry.path, text)
            continue
        speed = _figure(sheet, entry, say("thing.speed"), match[2], 1, record.MOST_SPEED)
        space = _read_place(sheet, entry, match[1], course)
        if space is not None and speed is not None:
            _put(sheet, marks, space, entry, Mark(entry.path, speed), say("chariot-race.edition.has-a-number"))
    return marks


def read_heaps(sheet: Sheet, course: Course | None) -> Marks:
    """The stone heaps of side B."""
    marks: dict[int, Mark] = {}
    for entry in sheet.entries("heaps.list", most=record.SPACES):
        space = _read_place(sheet, entry, entry.text, course)
        if space is not None:
            _put(sheet, marks, space, entry, Mark(entry.path), say("chariot-race.edition.has-a-heap"))
    return marks


def read_grid(sheet: Sheet, course: Course | None) -> Marks:
    """The starting spaces, in their order."""
    path = "grid.list"
    entries = sheet.entries(path, most=record.GRID)
    if sheet.sound(path) and len(entries) != record.GRID:
        text = say("chariot-race.edition.grid", count=len(entries), wanted=record.GRID)
        sheet.problem(path, text)
    marks: dict[int, Mark] = {}
    for entry in entries:
        space = _read_place(sheet, entry, entry.text, course)
        if space is None or course is None:
            continue
        _put(sheet, marks, space, entry, Mark(entry.path), say("chariot-race.edition.is-a-start"))
        if 2 * course.spaces[space].front <= course.length:
            text = say("chariot-race.edition.start-beyond-line", text=quoted(entry.text))
            sheet.problem(entry.path, text)
    return marks


def _put(sheet: Sheet, marks: dict[int, Mark], space: int, entry: Entry, mark: Mark, already: Sentence) -> None:
    """Put a mark on a space, which must not have one yet."""
    if space in marks or entry.times > 1:
        sheet.problem(entry.path, say("chariot-race.edition.space-twice", text=quoted(entry.text), already=already))
    marks.setdefault(space, mark)


def _read_place(sheet: Sheet, entry: Entry, text: str, course: Course | None) -> int | None:
    """The space that a text such as `bend-1 inside 3` names; None if there is a problem or no course."""
    match = _PLACE.fullmatch(text)
    if match is None:
        text = say("chariot-race.edition.not-a-space", text=quoted(text))
        sheet.problem(entry.path, text)
        return None
    if course is None:
        return None
    sections, lanes = [section.name for section in course.sections], lane_names(course.lanes)
    for what, word, known in ((say("thing.section"), match[1], sections), (say("thing.lane"), match[2], lanes)):
        if word not in known:
            text = say(
                "chariot-race.edition.unknown-word",
                what=what,
                word=quoted(word),
                text=quoted(entry.text),
                known=listed(known),
            )
            sheet.problem(entry.path, text)
            return None
    section, lane = sections.index(match[1]), lanes.index(match[2])
    count = _figure(sheet, entry, say("thing.place"), match[3], 1, course.sections[section].spaces[lane])
    return None if count is None else course.at[Place(section, lane, count)]


def _figure(sheet: Sheet, entry: Entry, what: Sentence, word: str, low: int, high: int) -> int | None:
    """A number inside a text."""
    number = number_in(word, low, high)
    if number is None:
        text = say(
            "chariot-race.edition.number-in-entry",
            what=what,
            word=quoted(word),
            text=quoted(entry.text),
            range=extent(low, high),
        )
        sheet.problem(entry.path, text)
    return number


def check_marks(sheet: Sheet, corners: Marks, heaps: Marks, grid: Marks) -> None:
    """Check that no space is two of these: numbered, a heap, a starting space."""
    for space in corners.keys() & grid.keys():
        text = say("chariot-race.edition.corner-on-start")
        sheet.problem(corners[space].path, text)
    for space in heaps.keys() & grid.keys():
        sheet.problem(heaps[space].path, say("chariot-race.edition.heap-on-start"))
    for space in heaps.keys() & corners.keys():
        sheet.problem(heaps[space].path, say("chariot-race.edition.heap-on-number"))


def check_way(sheet: Sheet, course: Course, heaps: Marks, grid: Marks, laps: int) -> None:
    """Check that with all heaps each starting space has a way to the finish, and each lane room to be put back."""
    for start in grid:
        end = dead_end(course, heaps.keys(), start, laps)
        if end is not None:
            heap = heaps[course.next[end][record.AHEAD]]
            text = say("chariot-race.edition.heaps-close", space=course.names[end])
            sheet.problem(heap.path, text)
    for lane, name in enumerate(lane_names(course.lanes)):
        free = course.count[lane] - sum(course.spaces[heap].lane == lane for heap in heaps)
        if free < FEWEST_SPACES:
            text = say("chariot-race.edition.lane-too-full", name=name, free=free, least=FEWEST_SPACES)
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
