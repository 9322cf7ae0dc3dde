"""How pieces meet: parts, contacts and what an attack can reach (C3, B1, B2, A1, A2, Q7, Q8, N7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.field import base_of, home_segment
from spina.games.chariotmaster.rules.geometry import (
    FINE,
    FINE_BITS,
    TOUCH,
    UNIT,
    Base,
    cosine,
    fine_point,
    in_frame,
    near,
    nearest_corner,
    part_separation,
    parting_direction,
    point,
    reach,
    sine,
)
from spina.games.chariotmaster.rules.record import (
    BODY,
    CHARIOT,
    DRAGGING,
    DRIVER,
    FRONT,
    HORSES,
    MAN,
    TEAM,
    WALL,
    WHOLE,
)
from spina.games.chariotmaster.rules.track import FAR, wall_contact, wall_gap, wall_normal, wall_tangent
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

AXLE = 450
"""A1: how far the axle is lengthened."""
SAME = 4
"""Fine units within which an axle meets two parts at the same time."""

# --- parts ----------------------------------------------------------------------------------------------------------


@kernel
def parts_of(kind):
    """The parts that a piece of this kind is made of, as bits (M2)."""
    if kind == CHARIOT:
        return (1 << HORSES) | (1 << BODY)
    if kind == DRAGGING:
        return (1 << HORSES) | (1 << MAN)
    if kind == TEAM:
        return 1 << HORSES
    if kind == DRIVER:
        return 1 << MAN
    return 1 << WHOLE


@kernel
def part_span(kind, half_long, part):
    """Where a part lies in its base: its centre ahead of the base's, and half its length. It is as wide as the base."""
    if kind == CHARIOT:
        half = half_long >> 1
        return (half_long - half, half) if part == HORSES else (half - half_long, half)
    if kind == DRAGGING:
        strip = half_long >> 2  # half of the rear 0.5 cm of 2 cm
        return (strip, half_long - strip) if part == HORSES else (strip - half_long, strip)
    return 0, half_long


@kernel
def parts_at(race: RaceRecord, edition: EditionRecord, piece, x, y, heading, obj):
    """C3: pairs of overlapping parts at this pose as bits, mover's part * 4 + the other's; at least the nearest."""
    kind, half_long, half_wide = race.kind[piece], np.int64(race.half_long[piece]), np.int64(race.half_wide[piece])
    mine = parts_of(kind)
    theirs = 1 << WHOLE if obj == WALL else parts_of(race.kind[obj])
    found = 0
    least, nearest = np.int64(FAR), 0
    for i in range(4):
        if not (mine >> i) & 1:
            continue
        ahead, half = part_span(kind, half_long, i)
        for j in range(4):
            if not (theirs >> j) & 1:
                continue
            if obj == WALL:
                px, py = point(x, y, heading, ahead, 0)
                segment = home_segment(race, edition, piece, px, py)
                gap = wall_gap(race, edition, Base(px, py, heading, half, half_wide), segment)
            else:
                gap = part_gap(race, Base(x, y, heading, half, half_wide), ahead, 0, obj, j)
            if gap < 0:
                found |= 1 << (i * 4 + j)
            if gap < least:
                least, nearest = gap, i * 4 + j
    return found if found else 1 << nearest


@kernel
def part_gap(race: RaceRecord, base: Base, ahead, left, obj, part):
    """The separation of a rectangle from one part of a piece; it lies ahead and to the left of its pose's centre."""
    x, y, heading, half_long, half_wide = base_of(race, obj)
    their_ahead, their_half = part_span(race.kind[obj], half_long, part)
    return part_separation(base, ahead, left, Base(x, y, heading, their_half, half_wide), their_ahead)


# --- contacts -------------------------------------------------------------------------------------------------------


@kernel
def contact(race: RaceRecord, edition: EditionRecord, piece, obj):
    """Where a piece meets another or the wall: a point of its base, ahead and to the left of its centre (B2)."""
    base = base_of(race, piece)
    if obj == WALL:
        segment = home_segment(race, edition, piece, base.x, base.y)
        _gap, _side, fx, fy, _where = wall_contact(race, edition, base, segment)
        ahead, left = in_frame(base.x, base.y, base.heading, fx, fy)
        ahead, left = (ahead + FINE // 2) >> FINE_BITS, (left + FINE // 2) >> FINE_BITS
        ahead = max(-base.half_long, min(base.half_long, ahead))
        return ahead, max(-base.half_wide, min(base.half_wide, left))
    return nearest_corner(base, base_of(race, obj))


@kernel
def normal(race: RaceRecord, edition: EditionRecord, piece, obj):
    """B1: the direction from a piece to what it has met: the axis of the largest separation; walls across the track."""
    if obj == WALL:
        return wall_normal(race, edition, base_of(race, piece), race.way[piece])
    return parting_direction(base_of(race, piece), base_of(race, obj))


@kernel
def align_angle(race: RaceRecord, edition: EditionRecord, piece, obj):
    """B2: the least turn that lays a piece flush with what it has met; exactly 45° turns right."""
    if obj == WALL:
        other = wall_tangent(race, edition, base_of(race, piece), race.way[piece])
    else:
        other = race.heading[obj]
    return (other - race.heading[piece] + 450) % 900 - 450


# --- touching -------------------------------------------------------------------------------------------------------


@kernel
def touches(race: RaceRecord, edition: EditionRecord, a, b):
    """N7: whether two pieces touch; a wall may be named too."""
    if b == WALL:
        return touches_wall(race, edition, a)
    return near(base_of(race, a), base_of(race, b))


@kernel
def touches_wall(race: RaceRecord, edition: EditionRecord, a):
    """F3: whether a piece touches an edge of the track."""
    base = base_of(race, a)
    segment = home_segment(race, edition, a, base.x, base.y)
    return wall_gap(race, edition, base, segment) <= TOUCH * UNIT


@kernel
def strip_beside(race: RaceRecord, a, side, front_half):
    """The 2 mm outside an edge of a base: its centre ahead and to the left, half its length and half its width."""
    half_long, half_wide = np.int64(race.half_long[a]), np.int64(race.half_wide[a])
    if side == FRONT:
        return half_long + TOUCH // 2, 0, TOUCH // 2, half_wide
    left = half_wide + TOUCH // 2
    if side == 1:
        left = -left
    if front_half:
        ahead, half = part_span(race.kind[a], half_long, HORSES)
        return ahead, left, half, TOUCH // 2
    return 0, left, half_long, TOUCH // 2


@kernel
def parts_in_strip(race: RaceRecord, a, side, front_half, b):
    """The parts of b that the strip outside an edge of a meets, as bits."""
    if b == WALL:
        return 0
    x, y, heading = race.x[a], race.y[a], race.heading[a]
    dx, dy = race.x[b] - x, race.y[b] - y
    size = reach(np.int64(race.half_long[a]), np.int64(race.half_wide[a])) + 2 * TOUCH
    size += reach(np.int64(race.half_long[b]), np.int64(race.half_wide[b]))
    if dx * dx + dy * dy > size * size:
        return 0
    ahead, left, half_long, half_wide = strip_beside(race, a, side, front_half)
    strip = Base(x, y, heading, half_long, half_wide)
    found = 0
    parts = parts_of(race.kind[b])
    for part in range(4):
        if (parts >> part) & 1 and part_gap(race, strip, ahead, left, b, part) <= 0:
            found |= 1 << part
    return found


@kernel
def side_touch(race: RaceRecord, edition: EditionRecord, a, side, b, front_half):
    """A1: whether a side edge of a, or only that of its team, has a gap of at most 2 mm to b."""
    return parts_in_strip(race, a, side, front_half, b) != 0


@kernel
def front_touch(race: RaceRecord, edition: EditionRecord, a, b):
    """Q7: whether the front edge of a has a gap of at most 2 mm to b."""
    return parts_in_strip(race, a, FRONT, False, b) != 0


@kernel
def strip_parts(race: RaceRecord, edition: EditionRecord, a, side, b):
    """Q7, Q8: the parts of b within 2 mm of the team half of a side edge, or of the front edge, as bits."""
    return parts_in_strip(race, a, side, True, b)


@kernel
def level_parts(race: RaceRecord, edition: EditionRecord, a, side, b):
    """A1, A2: the part of b that the axle, lengthened on that side, meets first, as bits; two if both at once."""
    if b == WALL:
        return 0
    half_long, half_wide = np.int64(race.half_long[a]), np.int64(race.half_wide[a])
    sign = -1 if side == 1 else 1
    fx, fy = fine_point(race.x[a], race.y[a], race.heading[a], (half_long >> 1) - half_long, sign * half_wide)
    kind, heading = race.kind[b], race.heading[b]
    ahead, left = in_frame(race.x[b], race.y[b], heading, fx, fy)
    turn = race.heading[a] + sign * 900 - heading
    c, s = cosine(turn), sine(turn)
    parts = parts_of(kind)
    wide = np.int64(race.half_wide[b]) << FINE_BITS
    first, found = np.int64(FAR), 0
    for part in range(4):
        if not (parts >> part) & 1:
            continue
        middle, half = part_span(kind, np.int64(race.half_long[b]), part)
        enter_long, leave_long = crossing(ahead - (middle << FINE_BITS), c, half << FINE_BITS)
        enter_wide, leave_wide = crossing(left, s, wide)
        enter = max(0, max(enter_long, enter_wide))
        if enter > min(AXLE << FINE_BITS, min(leave_long, leave_wide)):
            continue
        if enter < first - SAME:
            first, found = enter, 1 << part
        elif enter <= first + SAME:
            found |= 1 << part
    return found


@kernel
def crossing(start, speed, half):
    """When a point that moves along one axis enters the band from -half to half, and when it leaves it; fine units."""
    if speed == 0:
        return (-FAR, FAR) if abs(start) <= half else (FAR, -FAR)
    first, last = ((-half - start) << 30) // speed, ((half - start) << 30) // speed
    return min(first, last), max(first, last)
