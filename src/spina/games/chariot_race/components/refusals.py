"""What Chariot Race refuses of editions and options: English by code."""

from __future__ import annotations

from spina.refusal_codes import say as say_common
from spina.sentences import Catalogue

say = Catalogue(
    {
        "chariot-race.edition.sides": "the die has {count} sides: it must have {wanted}",
        "chariot-race.edition.more-dice": "more dice at a higher speed",
        "chariot-race.edition.lower-limit": "a lower limit at a better condition",
        "chariot-race.edition.beyond-track": "{path} is {first}, beyond the end of its track: {end} is {most}",
        "chariot-race.edition.out-of-order": (
            "{path} has {wrong}: entry {number} and the one before it are out of order"
        ),
        "chariot-race.edition.beyond-speed": (
            "{path} goes up to {highest}, beyond the end of the speed track: {end} is {most}"
        ),
        "chariot-race.edition.first-speed": (
            "{speed} is {first}, but the limit at the first condition of {condition} is {allowed}"
        ),
        "chariot-race.edition.section-twice": "the section {name} is there twice: give each a name of its own",
        "chariot-race.edition.not-a-section": "{text} is not a section: it must be written like {form}",
        "chariot-race.edition.lanes-of-section": (
            "the section {name} gives spaces for {count} lanes: the course has {lanes} (course.lanes)"
        ),
        "chariot-race.edition.lane-without-spaces": (
            "the lane {name} has no spaces in {text}: every lane needs one or more"
        ),
        "chariot-race.edition.no-sections": "the course has no sections: write one or more, like {form}",
        "chariot-race.edition.too-many-spaces": (
            "the course has {total} spaces in all lanes together: it can have {most} at most"
        ),
        "chariot-race.edition.no-common-measure": (
            "the lengths have no common measure: a lap would be {found} units long, and {most} are the most; use "
            "rounder lengths, or numbers of spaces with common factors"
        ),
        "chariot-race.edition.lane-too-short": (
            "the lane {name} has {count} spaces: it must have {least} or more, one for every chariot"
        ),
        "chariot-race.edition.line-beyond-lap": (
            "the line lies at {line}, beyond the lap of length {lap}: it must lie at 0 to {last}"
        ),
        "chariot-race.edition.line-through-lane": (
            "the line at {line} runs through a space in the lane {lanes}: it must lie between two spaces in every lane"
        ),
        "chariot-race.edition.line-through-lanes": (
            "the line at {line} runs through a space in the lanes {lanes}: it must lie between two spaces in every lane"
        ),
        "chariot-race.edition.not-a-numbered-space": (
            '{text} is not a numbered space: it must be written like "bend-1 inside 3: speed 3"'
        ),
        "chariot-race.edition.has-a-number": "has a number already",
        "chariot-race.edition.has-a-heap": "has a heap already",
        "chariot-race.edition.grid": (
            "the grid has {count} starting spaces: it must have {wanted}, one for every chariot"
        ),
        "chariot-race.edition.is-a-start": "is a starting space already",
        "chariot-race.edition.start-beyond-line": (
            "{text} lies beyond the line: starting spaces must be in the half lap before it"
        ),
        "chariot-race.edition.space-twice": "{text} is there twice: this space {already}",
        "chariot-race.edition.not-a-space": (
            '{text} is not a space: it must be a section, a lane and a number, like "bend-1 inside 3"'
        ),
        "chariot-race.edition.unknown-word": "unknown {what} {word} in {text}: the {what}s are {known}",
        "chariot-race.edition.number-in-entry": "{what} {word} in {text}: it must be a whole number, {range}",
        "chariot-race.edition.corner-on-start": "a corner number stands on a starting space: no space may have both",
        "chariot-race.edition.heap-on-start": "a stone heap stands on a starting space: no space may have both",
        "chariot-race.edition.heap-on-number": "a stone heap stands on a numbered space: no space may have both",
        "chariot-race.edition.heaps-close": "stone heaps close all lanes: no way leads on beyond {space}",
        "chariot-race.edition.lane-too-full": (
            "the lane {name} has {free} spaces without a stone heap: it must have {least} or more"
        ),
        "chariot-race.option-unknown": 'Chariot Race has no option "{option}": it has {known}',
        "chariot-race.option-board": 'board must be "AA", "BB", "AB" or "BA", not {value}',
        "chariot-race.option-pairs": "two chariots each are for 2 or {most} seats, not {seats}",
    },
    say_common,
)
