"""Reads and checks the scenarios of a file: straights and arcs with a width, a line, obstacles (M3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from spina.games.chariotmaster.components.centre_line import Arc, CentreLine, Straight, arc_length, lay_out
from spina.games.chariotmaster.components.refusals import say
from spina.games.chariotmaster.components.sheet import ComponentSheet, centimetres, count, decimal, degrees, span
from spina.games.chariotmaster.components.track_checks import Block, Grounds, collision, obstacle_faults
from spina.games.chariotmaster.rules.cosines import cosine_of
from spina.games.chariotmaster.rules.record import (
    CHARIOTS,
    CM,
    DEGREE,
    FULL,
    LANE_GAP,
    MM,
    OBSTACLES,
    RIGHT_ANGLE,
    ROW_GAP,
    SCENARIOS,
    SEGMENTS,
    limit_for,
    stamina_for,
)
from spina.games.editions import Entry, extent, joined, number_in, quoted
from spina.sentences import Sentence

Segment = Straight | Arc

# --- what a file may say --------------------------------------------------------------------------------------------

LONGEST = 500 * CM
"""Of a straight, and of a radius."""
LAP = (50 * CM, 3000 * CM)
WIDTH = (2 * CM, 100 * CM)
SCALE = (50, 200)
LAPS = 9
HALF_DIAGONAL = 600
"""Units within which the corners of every base lie."""
INNER = 50
"""Least radius of the inner edge of an arc."""
CLOSING = 5
"""Units by which the end of a closed track may miss its beginning."""
RUN_OUT = (10 * CM, 100 * CM)
HALF_CIRCLE = 1800
VALUE = 6
"""Highest collision value of anything."""
SIZE = (50, 30 * CM)
"""Of an obstacle."""
CLEAR = 10 * CM
"""Units behind the starting line where nothing may stand."""
SEGMENT_FORM = say("either", one='"straight 50"', other='"left 14 180"')
OBSTACLE_FORM = '"stone at 120.5, offset 3, 2 x 2, heading 0, value 3, high, fixed"'
_SEGMENT = re.compile(r"(?:(straight) (\S+)|(left|right) (\S+) (\S+))")
_OBSTACLE = re.compile(
    r"([a-z]+(?:[ -][a-z]+)*) at (\S+), offset (\S+), (\S+) x (\S+), heading (\S+), value (\S+), (low|high), "
    r"(fixed|movable)"
)


@dataclass(frozen=True)
class Obstacle:
    """Something that stands on a track."""

    name: str
    at: int
    """Units along the centre line, from its beginning."""
    offset: int
    """Units to the left of it."""
    length: int
    width: int
    turned: int
    """Tenths of a degree, from the direction of the track."""
    value: int
    low: bool
    fixed: bool
    pose: tuple[int, int, int]
    """x, y and heading of its centre."""


@dataclass(frozen=True)
class Scenario:
    """A track and what is raced on it; lengths in units."""

    name: str
    title: str
    closed: bool
    width: int
    line: int
    """The starting line, from the beginning of the first segment."""
    run_out: int
    """Behind the finish of an open course; 0 for closed ones."""
    laps: int
    offered: tuple[int, ...]
    """Laps to choose from."""
    scale: int
    """Size of the bases in per cent."""
    inside: int
    """+1: the innermost lane is on the left, -1: on the right."""
    most: int
    """Most chariots."""
    half_long: int
    half_wide: int
    """Half the base of a chariot."""
    segments: tuple[Segment, ...] = field(repr=False)
    centre_line: CentreLine = field(repr=False, compare=False)
    obstacles: tuple[Obstacle, ...] = field(repr=False)

    @property
    def length(self) -> int:
        """Of the centre line."""
        return self.centre_line.length

    @property
    def lap(self) -> int:
        """From the starting line to the finish: one lap, or the open course between its lines."""
        return self.length if self.closed else self.length - self.line - self.run_out

    @property
    def capacity(self) -> int:
        """Chariots of a row (E9)."""
        return (self.width - LANE_GAP) // (2 * self.half_wide + LANE_GAP)

    def distance(self, laps: int | None = None) -> int:
        """Distance to the finish at the start."""
        return self.lap * (self.laps if laps is None else laps)

    def stamina(self, laps: int | None = None) -> int:
        """Stamina points of an ordinary team at the start (E11)."""
        return stamina_for(self.distance(laps), 0)

    def turn_limit(self, laps: int | None = None) -> int:
        """The last game turn there can be (E1)."""
        return limit_for(self.distance(laps))


# --- the track ------------------------------------------------------------------------------------------------------


def read_scenarios(sheet: ComponentSheet, base: int) -> list[Scenario]:
    """All scenarios of a file, for chariots with a base of this width."""
    found = [_read_scenario(sheet, name, base) for name in sheet.names("scenario", most=SCENARIOS)]
    return [scenario for scenario in found if scenario]


def _read_scenario(sheet: ComponentSheet, name: str, base: int) -> Scenario | None:
    """One scenario; None where there is a problem."""
    path = f"scenario.{name}"
    sheet.beside(path)
    title = sheet.plain_text(f"{path}.title")
    closed = sheet.plain_word(f"{path}.course", ("closed", "open")) == "closed"
    width = sheet.plain_length(f"{path}.width", low=WIDTH[0], high=WIDTH[1], places=1)
    line = sheet.plain_length(f"{path}.line", low=CM, high=LONGEST)
    scale = sheet.plain_integer(f"{path}.scale", low=SCALE[0], high=SCALE[1]) if sheet.has(f"{path}.scale") else 100
    laps, offered = _read_laps(sheet, path, closed)
    run_out = _read_run_out(sheet, path, closed)
    half_wide = base * scale // 200
    half_long = 2 * half_wide
    if half_long**2 + half_wide**2 > HALF_DIAGONAL**2:
        sheet.problem(f"{path}.scale", _of_scenario(path, say("chariotmaster.edition.scale", scale=scale)))
    segments = _read_segments(sheet, path, width)
    if sheet.sound(f"{path}.segments", f"{path}.width", f"{path}.scale"):
        _check_lengths(sheet, path, segments, width, half_wide)
        if not closed:
            _check_finish(sheet, path, segments, run_out)
    inside = _read_inside(sheet, path, segments)
    if segments and sheet.sound(f"{path}.segments.0"):
        _check_line(sheet, path, segments, line, 2 * half_long)
    most = _read_most(sheet, path, width, half_wide)
    has_obstacles = sheet.has(f"{path}.obstacles")
    if not sheet.sound(path):
        return None
    centre_line = lay_out(segments)
    _check_course(sheet, path, segments, centre_line, closed=closed, width=width, ends=line + run_out)
    obstacles = _read_obstacles(sheet, path, centre_line, closed) if has_obstacles and sheet.sound(path) else ()
    scenario = Scenario(
        name, title, closed, width, line, run_out, laps, offered, scale, inside, most, half_long, half_wide,
        tuple(segments), centre_line, tuple(obstacles),
    )  # fmt: skip
    if sheet.sound(path):
        _check_obstacles(sheet, path, scenario)
    return scenario if sheet.sound(path) else None


def _read_laps(sheet: ComponentSheet, path: str, closed: bool) -> tuple[int, tuple[int, ...]]:
    """The usual number of laps, and those to choose from. An open course is raced once."""
    given = [key for key in ("laps", "offered") if sheet.has(f"{path}.{key}")]
    if not closed:
        for key in given:
            sheet.problem(f"{path}.{key}", say("chariotmaster.edition.for-closed", path=f"{path}.{key}"))
        return 1, (1,)
    laps = sheet.plain_integer(f"{path}.laps", low=1, high=LAPS)
    if "offered" not in given:
        return laps, (laps,)
    offered = sheet.plain_integers(f"{path}.offered", low=1, high=LAPS, most=LAPS)
    if sheet.sound(f"{path}.laps", f"{path}.offered") and laps not in offered:
        text = say("chariotmaster.edition.usual-laps", path=f"{path}.offered", laps=laps)
        sheet.problem(f"{path}.offered", text)
    return laps, tuple(sorted({*offered}))


def _read_run_out(sheet: ComponentSheet, path: str, closed: bool) -> int:
    if not closed:
        return sheet.plain_length(f"{path}.run_out", low=RUN_OUT[0], high=RUN_OUT[1])
    if sheet.has(f"{path}.run_out"):
        sheet.problem(f"{path}.run_out", say("chariotmaster.edition.for-open", path=f"{path}.run_out"))
    return 0


def _read_most(sheet: ComponentSheet, path: str, width: int, half_wide: int) -> int:
    """Most chariots: what two rows hold, unless the file says less."""
    capacity = (width - LANE_GAP) // (2 * half_wide + LANE_GAP)
    if sheet.sound(f"{path}.width", f"{path}.scale") and capacity < 1:
        least = centimetres(2 * half_wide + 2 * LANE_GAP)
        sheet.problem(f"{path}.width", _of_scenario(path, say("chariotmaster.edition.no-room", least=least)))
    room = max(1, min(CHARIOTS, 2 * capacity))
    return sheet.plain_integer(f"{path}.most", low=1, high=room) if sheet.has(f"{path}.most") else room


def _read_inside(sheet: ComponentSheet, path: str, segments: Sequence[Segment]) -> int:
    """The side of the innermost lane; by default the side to which the track turns in total."""
    if sheet.has(f"{path}.inside"):
        return 1 if sheet.plain_word(f"{path}.inside", ("left", "right")) == "left" else -1
    return 1 if turning(segments) >= 0 else -1


def turning(segments: Sequence[Segment]) -> int:
    """How far all arcs together turn to the left."""
    return sum(part.angle if part.left else -part.angle for part in segments if isinstance(part, Arc))


def _read_segments(sheet: ComponentSheet, path: str, width: int) -> list[Segment]:
    spot = f"{path}.segments"
    entries = sheet.plain_entries(spot, "straight 50", most=SEGMENTS)
    if sheet.sound(spot) and not entries:
        sheet.problem(spot, _of_scenario(path, say("chariotmaster.edition.no-segments", form=SEGMENT_FORM)))
    segments = [_read_segment(sheet, entry, path, width) for entry in entries]
    return [segment for segment in segments if segment]


def _read_segment(sheet: ComponentSheet, entry: Entry, path: str, width: int) -> Segment | None:
    def wrong(why: Sentence) -> None:
        sheet.problem(entry.path, _of_segment(path, _number(entry), why))

    match = _SEGMENT.fullmatch(entry.text)
    if match is None:
        wrong(say("chariotmaster.edition.not-a-segment", text=quoted(entry.text), form=SEGMENT_FORM))
        return None
    if match[1]:
        length = decimal(match[2], 2)
        if length is None or not 0 < length <= LONGEST:
            wrong(say("chariotmaster.edition.segment-length", word=quoted(match[2]), most=centimetres(LONGEST)))
            return None
        return Straight(length)
    radius, angle = decimal(match[4], 2), decimal(match[5], 1)
    least = width // 2 + INNER
    if radius is None or not 0 < radius <= LONGEST:
        wrong(say("chariotmaster.edition.segment-radius", word=quoted(match[4]), most=centimetres(LONGEST)))
    elif sheet.sound(f"{path}.width") and radius < least:
        code = "chariotmaster.edition.radius-too-small"
        wrong(say(code, radius=centimetres(radius), width=centimetres(width), least=centimetres(least)))
    if angle is None or not DEGREE <= angle <= HALF_CIRCLE:
        wrong(say("chariotmaster.edition.angle", word=quoted(match[5])))
    return Arc(radius, angle, match[3] == "left") if radius and angle else None


def _check_lengths(sheet: ComponentSheet, path: str, segments: Sequence[Segment], width: int, half_wide: int) -> None:
    """Report segments so short that a base would reach over many at once, measured on the inside of arcs."""
    for index, part in enumerate(segments):
        if isinstance(part, Straight):
            length, code = part.length, "chariotmaster.edition.straight-too-short"
        else:
            length = arc_length(part.radius - width // 2 + half_wide, part.angle)
            code = "chariotmaster.edition.arc-too-short"
        if length < half_wide:
            why = say(code, length=centimetres(length), least=centimetres(half_wide))
            sheet.problem(f"{path}.segments.{index}", _of_segment(path, index + 1, why))


def _check_finish(sheet: ComponentSheet, path: str, segments: Sequence[Segment], run_out: int) -> None:
    """The finish of an open course lies on a straight that goes on to its end."""
    last = segments[-1]
    spot = f"{path}.segments.{len(segments) - 1}"
    if isinstance(last, Arc):
        sheet.problem(spot, _of_segment(path, len(segments), say("chariotmaster.edition.open-ends-in-arc")))
    elif last.length < run_out:
        lengths = {"run_out": centimetres(run_out), "length": centimetres(last.length)}
        sheet.problem(spot, _of_segment(path, len(segments), say("chariotmaster.edition.run-out", **lengths)))


def _check_line(sheet: ComponentSheet, path: str, segments: Sequence[Segment], line: int, base: int) -> None:
    """E9: two rows must stand on a straight before the line."""
    first, spot = segments[0], f"{path}.line"
    least = 2 * base + 2 * ROW_GAP
    if isinstance(first, Arc):
        sheet.problem(f"{path}.segments.0", _of_segment(path, 1, say("chariotmaster.edition.line-in-arc")))
    elif sheet.sound(spot) and line < least:
        why = say("chariotmaster.edition.line-too-near", line=centimetres(line), least=centimetres(least))
        sheet.problem(spot, _of_segment(path, 1, why))
    elif sheet.sound(spot) and line > first.length:
        why = say("chariotmaster.edition.line-too-far", line=centimetres(line), length=centimetres(first.length))
        sheet.problem(spot, _of_segment(path, 1, why))


def _check_course(
    sheet: ComponentSheet,
    path: str,
    segments: Sequence[Segment],
    track: CentreLine,
    *,
    closed: bool,
    width: int,
    ends: int,
) -> None:
    """Whether the track closes, is neither too long nor too short, and keeps clear of itself."""
    spot = f"{path}.segments"
    lap = track.length - (0 if closed else ends)
    if not LAP[0] <= lap <= LAP[1]:
        code = "chariotmaster.edition.lap" if closed else "chariotmaster.edition.course"
        sheet.problem(spot, _of_scenario(path, say(code, length=centimetres(lap), range=span(*LAP))))
        return
    if closed:
        _check_closing(sheet, path, segments, track)
        if not sheet.sound(spot):
            return
    crossing = collision(track, width + LANE_GAP, closed)
    if crossing is not None:
        first, second, distance = crossing
        wanted = centimetres(width + LANE_GAP)
        why = say("chariotmaster.edition.runs-into-itself", distance=f"{distance / CM:.1f}", wanted=wanted)
        text = say("chariotmaster.edition.segments", name=_name(path), first=first + 1, second=second + 1, why=why)
        sheet.problem(joined(spot, second), text)


def _check_closing(sheet: ComponentSheet, path: str, segments: Sequence[Segment], track: CentreLine) -> None:
    x, y, _ = track.end
    last = len(segments)
    spot = f"{path}.segments.{last - 1}"
    turned = turning(segments)
    if abs(turned) != FULL:
        why = say("chariotmaster.edition.turning", degrees=degrees(abs(turned)), side=_side(turned >= 0))
        sheet.problem(spot, _of_segment(path, last, why))
    elif max(abs(x), abs(y)) > CLOSING:
        why = say(
            "chariotmaster.edition.not-closing",
            along=f"{abs(x) / CM:.2f}",
            direction=say("chariotmaster.edition.beyond" if x > 0 else "chariotmaster.edition.before"),
            aside=f"{abs(y) / CM:.2f}",
            side=_side(y > 0),
        )
        sheet.problem(spot, _of_segment(path, last, why))


def _side(left: bool) -> Sentence:
    return say("chariotmaster.edition.left" if left else "chariotmaster.edition.right")


def _name(path: str) -> str:
    """The name of the scenario at this path."""
    return path.rpartition(".")[2]


def _number(entry: Entry) -> int:
    """The number of a segment or an obstacle, from 1."""
    return int(entry.path.rpartition(".")[2]) + 1


def _of_scenario(path: str, why: Sentence) -> Sentence:
    return say("chariotmaster.edition.scenario", name=_name(path), why=why)


def _of_segment(path: str, number: int, why: Sentence) -> Sentence:
    return say("chariotmaster.edition.segment", name=_name(path), number=number, why=why)


def _of_obstacle(path: str, number: int, why: Sentence) -> Sentence:
    return say("chariotmaster.edition.obstacle", name=_name(path), number=number, why=why)


# --- obstacles ------------------------------------------------------------------------------------------------------


def place(track: CentreLine, at: int, offset: int, turned: int) -> tuple[int, int, int]:
    """The pose at a place on the track: distance along the centre line, offset to its left, angle to its direction."""
    index = max(i for i, start in enumerate(track.s[:-1]) if start <= at)
    along, radius = at - track.s[index], track.radius[index]
    if radius == 0:
        heading = track.heading[index]
        x, y = _ahead(track.x[index], track.y[index], heading, along)
        x, y = _ahead(x, y, heading + RIGHT_ANGLE, offset)
    else:
        side, total = (1 if radius > 0 else -1), track.s[index + 1] - track.s[index]
        heading = track.heading[index] + side * ((2 * track.angle[index] * along + total) // (2 * total))
        x, y = _ahead(track.cx[index], track.cy[index], heading - RIGHT_ANGLE, radius - offset)
    return x, y, (heading + turned) % FULL


def _ahead(x: int, y: int, direction: int, distance: int) -> tuple[int, int]:
    half = 1 << 29
    across = cosine_of(direction - RIGHT_ANGLE)
    return x + ((distance * cosine_of(direction) + half) >> 30), y + ((distance * across + half) >> 30)


def _read_obstacles(sheet: ComponentSheet, path: str, track: CentreLine, closed: bool) -> list[Obstacle]:
    entries = sheet.plain_entries(f"{path}.obstacles", OBSTACLE_FORM, most=OBSTACLES)
    found = [_read_obstacle(sheet, entry, path, track, closed) for entry in entries]
    return [obstacle for obstacle in found if obstacle]


def _read_obstacle(sheet: ComponentSheet, entry: Entry, path: str, track: CentreLine, closed: bool) -> Obstacle | None:
    def wrong(why: Sentence) -> None:
        sheet.problem(entry.path, _of_obstacle(path, _number(entry), why))

    match = _OBSTACLE.fullmatch(entry.text)
    if match is None:
        wrong(say("chariotmaster.edition.not-an-obstacle", text=quoted(entry.text), form=OBSTACLE_FORM))
        return None
    at, offset, turned = decimal(match[2], 2), decimal(match[3], 2), decimal(match[6], 1)
    length, width, value = decimal(match[4], 1), decimal(match[5], 1), number_in(match[7], 1, VALUE)
    last = track.length - (1 if closed else 0)
    if at is None or not 0 <= at <= last:
        wrong(say("chariotmaster.edition.obstacle-place", word=quoted(match[2]), most=centimetres(last)))
    elif offset is None or abs(offset) > WIDTH[1]:
        wrong(say("chariotmaster.edition.obstacle-offset", word=quoted(match[3])))
    elif length is None or width is None or not all(SIZE[0] <= side * MM <= SIZE[1] for side in (length, width)):
        word = quoted(f"{match[4]} x {match[5]}")
        wrong(say("chariotmaster.edition.obstacle-size", word=word, range=span(*SIZE)))
    elif turned is None or abs(turned) > HALF_CIRCLE:
        wrong(say("chariotmaster.edition.obstacle-heading", word=quoted(match[6])))
    elif value is None:
        wrong(say("chariotmaster.edition.obstacle-value", word=quoted(match[7]), range=extent(1, VALUE)))
    else:
        pose = place(track, at, offset, turned)
        low, fixed = match[8] == "low", match[9] == "fixed"
        return Obstacle(match[1], at, offset, length * MM, width * MM, turned % FULL, value, low, fixed, pose)
    return None


def _check_obstacles(sheet: ComponentSheet, path: str, scenario: Scenario) -> None:
    """Obstacles must stand on the track, apart from each other and from the start, and leave a way through."""
    blocks = [Block(part.at, part.pose, part.length / 2, part.width / 2) for part in scenario.obstacles]
    rows = 2 * (2 * scenario.half_long + ROW_GAP)
    start = (scenario.line - rows, scenario.line + CLEAR)
    base = (2 * scenario.half_long, 2 * scenario.half_wide)
    grounds = Grounds(scenario.centre_line, scenario.closed, scenario.width, start, base)
    for index, why in enumerate(obstacle_faults(grounds, blocks)):
        if why is not None:
            sheet.problem(f"{path}.obstacles.{index}", _of_obstacle(path, index + 1, why))


# --- the record -----------------------------------------------------------------------------------------------------


def scenario_content(scenarios: Sequence[Scenario]) -> dict[str, int | list[int] | list[list[int]]]:
    """The fields of the record that speak of scenarios; rows that are shorter than others are filled with zeros."""

    def columns(rows: Sequence[Sequence[int]]) -> list[list[int]]:
        longest = max(map(len, rows), default=0)
        return [[*row, *[0] * (longest - len(row))] for row in rows]

    lines = [scenario.centre_line for scenario in scenarios]
    obstacles = [scenario.obstacles for scenario in scenarios]
    return {
        "scenarios": len(scenarios),
        "closed": [int(scenario.closed) for scenario in scenarios],
        "segments": [len(scenario.segments) for scenario in scenarios],
        "length": [scenario.length for scenario in scenarios],
        "half_width": [scenario.width // 2 for scenario in scenarios],
        "line": [scenario.line for scenario in scenarios],
        "lap": [scenario.lap for scenario in scenarios],
        "inside": [scenario.inside for scenario in scenarios],
        "half_long": [scenario.half_long for scenario in scenarios],
        "half_wide": [scenario.half_wide for scenario in scenarios],
        "seg_s": columns([line.s for line in lines]),
        "seg_x": columns([line.x for line in lines]),
        "seg_y": columns([line.y for line in lines]),
        "seg_heading": columns([line.heading for line in lines]),
        "seg_radius": columns([line.radius for line in lines]),
        "seg_angle": columns([line.angle for line in lines]),
        "seg_cx": columns([line.cx for line in lines]),
        "seg_cy": columns([line.cy for line in lines]),
        "obstacles": [len(row) for row in obstacles],
        "ob_x": columns([[part.pose[0] for part in row] for row in obstacles]),
        "ob_y": columns([[part.pose[1] for part in row] for row in obstacles]),
        "ob_heading": columns([[part.pose[2] for part in row] for row in obstacles]),
        "ob_half_long": columns([[part.length // 2 for part in row] for row in obstacles]),
        "ob_half_wide": columns([[part.width // 2 for part in row] for row in obstacles]),
        "ob_value": columns([[part.value for part in row] for row in obstacles]),
        "ob_low": columns([[int(part.low) for part in row] for row in obstacles]),
        "ob_fixed": columns([[int(part.fixed) for part in row] for row in obstacles]),
    }


def summary(scenario: Scenario) -> list[str]:
    """A summary of a scenario, as lines."""
    lap = "a lap" if scenario.closed else "between its lines"
    lines = [
        f"{scenario.name}: {scenario.title}, {'closed' if scenario.closed else 'open'}, "
        f"{count(len(scenario.segments), 'segment')}, {centimetres(scenario.width)} cm wide, "
        f"{centimetres(scenario.lap)} cm {lap}",
    ]
    for laps in scenario.offered:
        usual = " (usual)" if laps == scenario.laps and len(scenario.offered) > 1 else ""
        times = count(laps, "lap") if scenario.closed else "once"
        lines.append(
            f"  {times}{usual}: {centimetres(scenario.distance(laps))} cm, "
            f"{scenario.stamina(laps)} stamina, at most {scenario.turn_limit(laps)} game turns"
        )
    lines.append(f"  {scenario.capacity} abreast, up to {count(scenario.most, 'chariot')}")
    if scenario.obstacles:
        lines.append(f"  {count(len(scenario.obstacles), 'obstacle')}: {', '.join(o.name for o in scenario.obstacles)}")
    return lines
