"""The centre line of a track and its walls (M3, N3, E6).

`way` is the progress along the centre line from the starting line, unwrapped: it goes on counting over the laps. Points
are measured in fine units, offsets and separations in 2**30ths of a unit. Open courses begin and end with a straight,
which goes on beyond the course. An arc's radius must be larger than half the width by at least the gap of a touch,
so that the wall inside it is a body; consecutive segments meet without a kink.

The offset of a point from the centre line is a smooth function over the whole corridor, so a base is nearest to a wall
at one of its corners, or where it is nearest to the centre of an arc whose inside wall it rounds. A point belongs to
the segment whose stretch it lies in, counted from the base's own segment outwards: the other leg of a hairpin is never
looked at, however near it comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spina.games.chariotmaster.rules.geometry import (
    FINE,
    FINE_BITS,
    TO_FINE,
    Base,
    corner_point,
    cosine,
    direction_of,
    fine_angle,
    fine_cosine,
    in_frame,
    reach,
    rounded,
    sine,
    whole_root,
)
from spina.games.chariotmaster.rules.record import FULL, NOTHING
from spina.kernel.compiler import kernel

if TYPE_CHECKING:
    from spina.games.chariotmaster.rules.record_types import EditionRecord, RaceRecord

SLACK = 2 * FINE
"""Segments overlap by this much at their joints: their ends are rounded."""
INSIDE = 3 * SLACK
"""So far from its ends a point of a segment surely lies in no other one."""
JOINT = 4 << 30
"""More than offsets differ where two segments meet, in 2**30ths of a unit."""
FAR = 1 << 60
NEIGHBOURS = 3
"""Most segments before or behind its own that a base can reach into."""

# --- segments -------------------------------------------------------------------------------------------------------


@kernel
def on_line(edition: EditionRecord, t, way):
    """The place on the centre line, from the beginning of the first segment."""
    s = way + edition.line[t]
    if edition.closed[t]:
        s %= edition.length[t]
    return s


@kernel
def segment_at(edition: EditionRecord, t, way):
    """The segment at this progress; the first or last one beyond the ends of an open course."""
    s = on_line(edition, t, way)
    i = 0
    last = edition.segments[t] - 1
    while i < last and s >= edition.seg_s[t, i + 1]:
        i += 1
    return i


@kernel
def beside(edition: EditionRecord, t, i, step):
    """The segment so many further on; NOTHING beyond the ends of an open course."""
    i += step
    count = edition.segments[t]
    if edition.closed[t]:
        return i % count
    return i if 0 <= i < count else NOTHING


@kernel
def stretch(edition: EditionRecord, t, i, fx, fy):
    """Whether a point lies before (-1), within (0) or behind (1) the stretch of segment i, seen across it."""
    return stretch_by(edition, t, i, fx, fy, SLACK)


@kernel
def stretch_by(edition: EditionRecord, t, i, fx, fy, slack):
    """The same for a segment that is longer by this much at both ends."""
    heading = edition.seg_heading[t, i]
    radius = edition.seg_radius[t, i]
    if radius == 0:
        dx, dy = fx - (edition.seg_x[t, i] << FINE_BITS), fy - (edition.seg_y[t, i] << FINE_BITS)
        along = (dx * cosine(heading) + dy * sine(heading)) >> 30
        if along < -slack:
            return -1 if edition.closed[t] or i > 0 else 0
        if along > ((edition.seg_s[t, i + 1] - edition.seg_s[t, i]) << FINE_BITS) + slack:
            return 1 if edition.closed[t] or i < edition.segments[t] - 1 else 0
        return 0
    side = 1 if radius > 0 else -1
    angle = edition.seg_angle[t, i]
    dx, dy = fx - (edition.seg_cx[t, i] << FINE_BITS), fy - (edition.seg_cy[t, i] << FINE_BITS)
    first = heading - side * 900
    last = first + side * angle
    c, s = cosine(first), sine(first)
    lc, ls = cosine(last), sine(last)
    since = side * (c * dy - s * dx) >= -(slack << 30)
    until = side * (ls * dx - lc * dy) >= -(slack << 30)
    if angle <= 1800:
        if since and until:
            return 0
    elif since or until:
        return 0
    return -1 if dx * c + dy * s >= dx * lc + dy * ls else 1


@kernel
def offset_in(edition: EditionRecord, t, i, fx, fy):
    """How far a point is to the left of segment i's centre line, in 2**30ths of a unit."""
    radius = edition.seg_radius[t, i]
    if radius == 0:
        heading = edition.seg_heading[t, i]
        dx, dy = fx - (edition.seg_x[t, i] << FINE_BITS), fy - (edition.seg_y[t, i] << FINE_BITS)
        return (dy * cosine(heading) - dx * sine(heading)) >> FINE_BITS
    dx, dy = fx - (edition.seg_cx[t, i] << FINE_BITS), fy - (edition.seg_cy[t, i] << FINE_BITS)
    away = whole_root(dx * dx + dy * dy)
    if radius > 0:
        return ((radius << FINE_BITS) - away) << TO_FINE
    return (away + (radius << FINE_BITS)) << TO_FINE


@kernel
def along_in(edition: EditionRecord, t, i, fx, fy):
    """How far along segment i a point lies, in whole units, within the segment but for the ends of an open course."""
    length = edition.seg_s[t, i + 1] - edition.seg_s[t, i]
    heading = edition.seg_heading[t, i]
    radius = edition.seg_radius[t, i]
    if radius == 0:
        dx, dy = fx - (edition.seg_x[t, i] << FINE_BITS), fy - (edition.seg_y[t, i] << FINE_BITS)
        along = (dx * cosine(heading) + dy * sine(heading) + (1 << (29 + FINE_BITS))) >> (30 + FINE_BITS)
    else:
        dx, dy = fx - (edition.seg_cx[t, i] << FINE_BITS), fy - (edition.seg_cy[t, i] << FINE_BITS)
        turned = fine_angle(dx, dy)
        if radius > 0:
            turned = (turned - ((heading - 900) << 10)) % (FULL << 10)
        else:
            turned = (((heading + 900) << 10) - turned) % (FULL << 10)
        whole = edition.seg_angle[t, i] << 10
        if turned > (whole >> 1) + (1800 << 10):
            turned = 0  # a little before its beginning
        along = (turned * length + (whole >> 1)) // whole
    if edition.closed[t] or i > 0:
        along = max(0, along)
    if edition.closed[t] or i < edition.segments[t] - 1:
        along = min(length, along)
    return along


@kernel
def settled(edition: EditionRecord, t, i, fx, fy):
    """The segment that a point lies in, looked for from segment i."""
    for _ in range(NEIGHBOURS + 1):
        side = stretch(edition, t, i, fx, fy)
        if side == 0:
            return i
        other = beside(edition, t, i, side)
        if other == NOTHING:
            return i
        i = other
    return i


@kernel
def segment_of(edition: EditionRecord, t, x, y, way):
    """The segment of a base's centre that is near this progress."""
    return settled(edition, t, segment_at(edition, t, way), x << FINE_BITS, y << FINE_BITS)


@kernel
def reached(edition: EditionRecord, t, i, fx, fy, most):
    """The segment of a point that leads on from segment i, over so many joints at most; NOTHING if there is none."""
    for _ in range(most + 1):
        side = stretch(edition, t, i, fx, fy)
        if side == 0:
            return i
        i = beside(edition, t, i, side)
        if i == NOTHING:
            break
    return NOTHING


@kernel
def reaches(race: RaceRecord, edition: EditionRecord, i, j, fx, fy):
    """Whether a point that a base in segment i reaches lies in segment j, or where j and its own segment meet.

    Rules version 1 asked only whether the point lies in the stretch of j, which goes on across the whole map.
    """
    t = race.scenario
    if stretch(edition, t, j, fx, fy) != 0:
        return False
    if race.revision == 0:
        return True
    own = reached(edition, t, i, fx, fy, NEIGHBOURS)
    if own == j or own == NOTHING:
        return own == j
    return abs(offset_in(edition, t, own, fx, fy) - offset_in(edition, t, j, fx, fy)) <= JOINT


@kernel
def segment_on(edition: EditionRecord, t, i, fx, fy):
    """The segment of a point on the track, looked for from segment i, then everywhere: no two overlap.

    What goes on beyond the ends of an open course may: it is only found from there.
    """
    width = edition.half_width[t] << 30
    found = reached(edition, t, i, fx, fy, edition.segments[t])
    if found != NOTHING and abs(offset_in(edition, t, found, fx, fy)) <= width:
        return found
    for j in range(edition.segments[t]):
        if stretch(edition, t, j, fx, fy) == 0 and abs(offset_in(edition, t, j, fx, fy)) <= width:
            if 0 <= along_in(edition, t, j, fx, fy) <= edition.seg_s[t, j + 1] - edition.seg_s[t, j]:
                return j
    return settled(edition, t, i, fx, fy)


# --- progress -------------------------------------------------------------------------------------------------------


@kernel
def is_near(edition: EditionRecord, t, s, i):
    """E6: whether segment i is within a quarter lap of a place on the centre line."""
    length, begin, end = edition.length[t], edition.seg_s[t, i], edition.seg_s[t, i + 1]
    apart = max(begin - s, s - end)
    if edition.closed[t]:
        apart = min(apart, min(begin - (s - length), (s + length) - end))
    elif (i == 0 and s < begin) or (i == edition.segments[t] - 1 and s > end):
        apart = 0
    return 4 * apart <= length


@kernel
def segment_inside(edition: EditionRecord, t, i, fx, fy):
    """The segment next to segment i, or itself, that a point lies well inside of; NOTHING if there is none.

    No other segment is as near to such a point: segments overlap only at joints and beyond the ends of a course.
    """
    for _ in range(NEIGHBOURS):
        side = stretch_by(edition, t, i, fx, fy, -INSIDE)
        if side == 0:
            if abs(offset_in(edition, t, i, fx, fy)) > edition.half_width[t] << 30:
                return NOTHING
            if edition.closed[t] or 0 < i < edition.segments[t] - 1:
                return i
            along = along_in(edition, t, i, fx, fy)
            return i if 0 <= along <= edition.seg_s[t, i + 1] - edition.seg_s[t, i] else NOTHING
        i = beside(edition, t, i, side)
        if i == NOTHING:
            break
    return NOTHING


@kernel
def way_from(edition: EditionRecord, t, i, s, fx, fy):
    """How far a point in segment i is from a place on the centre line, the shorter way round."""
    new, length = edition.seg_s[t, i] + along_in(edition, t, i, fx, fy) - s, edition.length[t]
    if edition.closed[t]:
        new = (new + (length >> 1)) % length - (length >> 1)
    return new


@kernel
def progress(edition: EditionRecord, t, x, y, old):
    """E6: the unwrapped progress of a point that was at `old`: nearest centre line within a quarter lap of it."""
    fx, fy = x << FINE_BITS, y << FINE_BITS
    s = on_line(edition, t, old)
    inside = segment_inside(edition, t, segment_at(edition, t, old), fx, fy)
    if inside != NOTHING and is_near(edition, t, s, inside):
        return old + way_from(edition, t, inside, s, fx, fy)
    return old + nearest_way(edition, t, s, fx, fy)


@kernel
def nearest_way(edition: EditionRecord, t, s, fx, fy):
    """E6: the way from a place to where the centre line is nearest to a point; the shorter of two that are as near."""
    least = np.int64(FAR)
    change = 0
    for i in range(edition.segments[t]):
        if not is_near(edition, t, s, i) or stretch(edition, t, i, fx, fy) != 0:
            continue
        away = abs(offset_in(edition, t, i, fx, fy)) >> TO_FINE
        if away > least:
            continue
        new = way_from(edition, t, i, s, fx, fy)
        if away < least or abs(new) < abs(change):
            least, change = away, new
    return change


@kernel
def offset(edition: EditionRecord, t, x, y, way):
    """How far a point is to the left of the centre line near this progress, in whole units."""
    return rounded(offset_in(edition, t, segment_of(edition, t, x, y, way), x << FINE_BITS, y << FINE_BITS))


@kernel
def at(edition: EditionRecord, t, way, off):
    """N3, O4: the pose at this progress and offset, heading along the track."""
    i = segment_at(edition, t, way)
    along = on_line(edition, t, way) - edition.seg_s[t, i]
    heading = edition.seg_heading[t, i]
    radius = edition.seg_radius[t, i]
    if radius == 0:
        c, s = cosine(heading), sine(heading)
        x = edition.seg_x[t, i] + rounded(along * c - off * s)
        return x, edition.seg_y[t, i] + rounded(along * s + off * c), heading
    length = edition.seg_s[t, i + 1] - edition.seg_s[t, i]
    side = 1 if radius > 0 else -1
    turned = side * ((2 * along * (edition.seg_angle[t, i] << 10) + length) // (2 * length))
    spoke = turned + ((heading - side * 900) << 10)
    away = side * radius - side * off
    x = edition.seg_cx[t, i] + rounded(away * fine_cosine(spoke))
    y = edition.seg_cy[t, i] + rounded(away * fine_cosine(spoke - (900 << 10)))
    return x, y, (heading + ((turned + 512) >> 10)) % FULL


@kernel
def swiftest(edition: EditionRecord, t, way, most, off, room):
    """The most that a point of a base moves per unit of way from here, in 2**30ths: outer offsets are faster."""
    fastest = np.int64(1) << 30
    i = segment_at(edition, t, way)
    done = edition.seg_s[t, i] - on_line(edition, t, way)
    for _ in range(edition.segments[t]):
        radius = edition.seg_radius[t, i]
        if radius != 0:
            away = abs(radius - off) + room
            fastest = max(fastest, ((away << 30) // abs(radius)) + 1)
        done += edition.seg_s[t, i + 1] - edition.seg_s[t, i]
        i = beside(edition, t, i, 1)
        if done > most or i == NOTHING:
            break
    return fastest


# --- walls ----------------------------------------------------------------------------------------------------------


@kernel
def crosses_joint(edition: EditionRecord, t, i, fx, fy, room):
    """Whether a base of this reach can lie across the beginning of segment i."""
    heading = edition.seg_heading[t, i]
    c, s = cosine(heading), sine(heading)
    dx, dy = fx - (edition.seg_x[t, i] << FINE_BITS), fy - (edition.seg_y[t, i] << FINE_BITS)
    if abs(dx * c + dy * s) >> 30 > (room << FINE_BITS) + SLACK:
        return False
    return abs(dy * c - dx * s) >> 30 <= ((room + edition.half_width[t]) << FINE_BITS) + SLACK


@kernel
def corner_offset(edition: EditionRecord, t, i, fx, fy):
    """The offset of a base's corner, in the segment that leads to it from the base's segment i.

    Returns the segment as well; NOTHING if the corner lies in none.
    """
    j = reached(edition, t, i, fx, fy, NEIGHBOURS)
    if j == NOTHING:
        return j, np.int64(0)
    return j, offset_in(edition, t, j, fx, fy)


@kernel
def former_corner_offset(edition: EditionRecord, t, i, before, behind, fx, fy):
    """The same by rules version 1: in the segment the fewest joints away that the corner lies in.

    Round an inner edge of 1 cm or less the joint on the far side of the arc's centre was taken for near: the corner was
    measured in the segment behind that, and found outside its walls.
    """
    if stretch(edition, t, i, fx, fy) == 0:
        return i, offset_in(edition, t, i, fx, fy)
    for n in range(1, NEIGHBOURS + 1):
        found, best = NOTHING, np.int64(0)
        for step in range(-n, n + 1, 2 * n):
            if step < -before or step > behind:
                continue
            j = beside(edition, t, i, step)
            if stretch(edition, t, j, fx, fy) == 0:
                off = offset_in(edition, t, j, fx, fy)
                if found == NOTHING or abs(off) < abs(best):
                    found, best = j, off
        if found != NOTHING:
            return found, best
    return NOTHING, np.int64(0)


@kernel
def wall_contact(race: RaceRecord, edition: EditionRecord, base: Base, i):
    """The nearest wall to a base whose centre lies in segment i.

    Returns the separation, the side of the track (1 left, -1 right), the base's nearest point and its segment.
    """
    t = race.scenario
    width = edition.half_width[t] << 30
    fx, fy = base.x << FINE_BITS, base.y << FINE_BITS
    room = reach(base.half_long, base.half_wide)
    most = min(NEIGHBOURS, edition.segments[t] - 1)
    before, behind = 0, 0
    while behind < most:
        j = beside(edition, t, i, behind + 1)
        if j == NOTHING or not crosses_joint(edition, t, j, fx, fy, room):
            break
        behind += 1
    while before < most - behind:
        j = beside(edition, t, i, -before)
        if (j == 0 and not edition.closed[t]) or not crosses_joint(edition, t, j, fx, fy, room):
            break
        before += 1
    least = np.int64(FAR)
    side, at_x, at_y, where = 1, fx, fy, i
    for n in range(4):
        px, py = corner_point(base, n)
        if race.revision == 0:
            j, off = former_corner_offset(edition, t, i, before, behind, px, py)
        else:
            j, off = corner_offset(edition, t, i, px, py)
        if j != NOTHING and width - abs(off) < least:
            least = width - abs(off)
            side, at_x, at_y, where = 1 if off >= 0 else -1, px, py, j
    for step in range(-before, behind + 1):
        j = beside(edition, t, i, step)
        radius = edition.seg_radius[t, j]
        if radius == 0:
            continue
        inner = (abs(radius) - edition.half_width[t]) << FINE_BITS
        cx, cy = edition.seg_cx[t, j] << FINE_BITS, edition.seg_cy[t, j] << FINE_BITS
        ahead, left = in_frame(base.x, base.y, base.heading, cx, cy)
        long, wide = base.half_long << FINE_BITS, base.half_wide << FINE_BITS
        over, across = abs(ahead) - long, abs(left) - wide
        if over <= 0 and across <= 0:
            gap = max(over, across) - inner
            px, py = cx, cy
            if race.revision != 0 and not reaches(race, edition, i, j, px, py):
                continue
        else:
            over, across = max(0, over), max(0, across)
            ahead, left = max(-long, min(long, ahead)), max(-wide, min(wide, left))
            c, s = cosine(base.heading), sine(base.heading)
            px, py = fx + rounded(ahead * c - left * s), fy + rounded(ahead * s + left * c)
            if not reaches(race, edition, i, j, px, py):
                continue
            gap = whole_root(over * over + across * across) - inner
        if gap << TO_FINE < least:
            least = gap << TO_FINE
            side, at_x, at_y, where = 1 if radius > 0 else -1, px, py, j
    return least, side, at_x, at_y, where


@kernel
def room_to(edition: EditionRecord, t, x, y, i, end):
    """How far at least a point is from the beginning (0) or end (1) of segment i, from wall to wall; whole units."""
    heading = edition.seg_heading[t, i]
    radius = edition.seg_radius[t, i]
    if radius == 0:
        along = rounded((x - edition.seg_x[t, i]) * cosine(heading) + (y - edition.seg_y[t, i]) * sine(heading))
        if end:
            along -= edition.seg_s[t, i + 1] - edition.seg_s[t, i]
        return abs(along) - 1
    side = 1 if radius > 0 else -1
    spoke = heading - side * 900
    if end:
        spoke += side * edition.seg_angle[t, i]
    c, s = cosine(spoke), sine(spoke)
    dx, dy = x - edition.seg_cx[t, i], y - edition.seg_cy[t, i]
    if dx * c + dy * s <= 0:
        return whole_root(dx * dx + dy * dy) - 1
    return (abs(c * dy - s * dx) >> 30) - 1


@kernel
def is_within(edition: EditionRecord, t, x, y, i, room):
    """Whether all that is within `room` of a point in segment i lies in this segment too."""
    return room_to(edition, t, x, y, i, 0) >= room and room_to(edition, t, x, y, i, 1) >= room


SETTLED = 3
"""Units: what the rounding of poses and of ways to joints can come to while a base is moved."""


@kernel
def room_alone(edition: EditionRecord, t, base: Base, i):
    """How far at least a base in segment i can be moved in any direction and still lie in this segment alone.

    Below 0 it may lie across a joint after any move, below -SETTLED it may do so now.
    """
    nearer = min(room_to(edition, t, base.x, base.y, i, 0), room_to(edition, t, base.x, base.y, i, 1))
    return nearer - reach(base.half_long, base.half_wide) - SETTLED


@kernel
def gap_within(edition: EditionRecord, t, base: Base, i):
    """The separation from the nearest wall of a base that lies in segment i alone."""
    if edition.seg_radius[t, i] == 0:
        track = edition.seg_heading[t, i]
        off = (base.y - edition.seg_y[t, i]) * cosine(track) - (base.x - edition.seg_x[t, i]) * sine(track)
        turn = base.heading - track
        extent = base.half_long * abs(sine(turn)) + base.half_wide * abs(cosine(turn))
        return (edition.half_width[t] << 30) - abs(off) - extent
    cx, cy = edition.seg_cx[t, i] << FINE_BITS, edition.seg_cy[t, i] << FINE_BITS
    ahead, left = in_frame(base.x, base.y, base.heading, cx, cy)
    ahead, left = abs(ahead), abs(left)
    long, wide = base.half_long << FINE_BITS, base.half_wide << FINE_BITS
    radius, width = abs(edition.seg_radius[t, i]) << FINE_BITS, edition.half_width[t] << FINE_BITS
    outer = radius + width - whole_root((ahead + long) * (ahead + long) + (left + wide) * (left + wide))
    ahead, left = ahead - long, left - wide
    inner = max(ahead, left)
    if inner > 0:
        ahead, left = max(0, ahead), max(0, left)
        inner = whole_root(ahead * ahead + left * left)
    return min(outer, inner - radius + width) << TO_FINE


@kernel
def measure_walls(race: RaceRecord, edition: EditionRecord, base: Base, i):
    """The separation from the nearest wall of a base whose centre lies in segment i, and its `room_alone` there."""
    room = room_alone(edition, race.scenario, base, i)
    if room >= -SETTLED:
        return gap_within(edition, race.scenario, base, i), room
    least, _side, _x, _y, _where = wall_contact(race, edition, base, i)
    return least, room


@kernel
def wall_gap(race: RaceRecord, edition: EditionRecord, base: Base, i):
    """The separation from the nearest wall of a base whose centre lies in segment i."""
    gap, _room = measure_walls(race, edition, base, i)
    return gap


@kernel
def wall_room(edition: EditionRecord, t, base: Base, i):
    """At most the separation from the nearest wall, whatever the heading: quickly found."""
    off = offset_in(edition, t, i, base.x << FINE_BITS, base.y << FINE_BITS)
    return ((edition.half_width[t] - reach(base.half_long, base.half_wide)) << 30) - abs(off)


@kernel
def wall_separation(race: RaceRecord, edition: EditionRecord, base: Base, way):
    """The separation from the nearer edge, positive inside; `way` is roughly the progress of the base's centre."""
    i = segment_of(edition, race.scenario, base.x, base.y, way)
    return wall_gap(race, edition, base, i)


@kernel
def wall_side(race: RaceRecord, edition: EditionRecord, base: Base, way):
    """1 if the nearer edge is the left one, -1 if it is the right one."""
    i = segment_of(edition, race.scenario, base.x, base.y, way)
    _least, side, _x, _y, _where = wall_contact(race, edition, base, i)
    return side


@kernel
def wall_tangent(race: RaceRecord, edition: EditionRecord, base: Base, way):
    """The heading of the track where the base is nearest to its edge (B2)."""
    t = race.scenario
    i = segment_of(edition, t, base.x, base.y, way)
    _least, _side, fx, fy, where = wall_contact(race, edition, base, i)
    radius = edition.seg_radius[t, where]
    if radius == 0:
        return edition.seg_heading[t, where]
    dx, dy = fx - (edition.seg_cx[t, where] << FINE_BITS), fy - (edition.seg_cy[t, where] << FINE_BITS)
    if dx == 0 and dy == 0:
        dx, dy = (base.x - edition.seg_cx[t, where]) << FINE_BITS, (base.y - edition.seg_cy[t, where]) << FINE_BITS
    return (direction_of(dx, dy) + (900 if radius > 0 else -900)) % FULL


@kernel
def wall_normal(race: RaceRecord, edition: EditionRecord, base: Base, way):
    """The direction from a base to the nearer edge: across the segment, radial on arcs (2.5)."""
    side = wall_side(race, edition, base, way)
    return (wall_tangent(race, edition, base, way) + side * 900) % FULL
