"""Charioteer in a terminal: the circus from above, the spina with turn, lap, die and crowd cards, and the standings.

The track runs counterclockwise around a rectangle, with the corners on its short sides. Each space has room for
chariots side by side, lane by lane from the inside outwards, so that a picture shows which chariots block others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.pictures.layout import corners
from spina.games.charioteer.rules.record import COLOUR_NAMES
from spina.games.mapping_struct import Fields
from spina.games.pictures import roman, shortened
from spina.games.terminal import (
    BOLD,
    DIM,
    GOLD,
    Canvas,
    badge,
    badge_style,
    columns,
    fitted,
    name_columns,
    paint,
)

STRAIGHT = 66
"""Most characters along a straight: with a side on either end, a picture fits into 80 columns."""
LANES = 3
"""Lanes that are drawn beside each other; more chariots in a space stand closer."""
SHORTEST = 20
"""Fewest places in half a round; shorter tracks are spread over them, to leave room on the spina."""
HEIGHTS = range(8, 26, 2)
"""Numbers of places that a short side may have. Another row must make the picture two columns wider."""
LONGEST = STRAIGHT + 14
"""Most spaces between the middles of two corners for which the corners can fill the short sides."""

COLOUR_CODES = {"green": "32", "red": "31", "yellow": "33", "black": "1"}
"""Terminal codes for the colours of moves."""

WISHES = {
    "sprint": "the emperor wants a sprint (green)",
    "attack": "the emperor wants an attack (red)",
    "recover": "the emperor wants a recovery (yellow)",
    "corner": "the emperor wants cornering (black)",
    "all": "the emperor applauds everything",
    "disrupt": "the emperor stirs up the crowd",
}


def draw(view: Fields, edition: CharioteerEdition, names: Sequence[str], colour: bool) -> str:
    """The race as a spectator sees it."""
    chariots = view["chariots"]
    ring = _Ring.of(edition, len(chariots))
    canvas = Canvas(ring.lanes * 2 + ring.height, ring.side * 2 + ring.width * ring.cell)
    _draw_track(canvas, ring, edition)
    for c in chariots:
        beside = sum(other["space"] == c["space"] for other in chariots)
        row, column = ring.spot(c["space"], c["lane"], beside)
        canvas.put(row, column, *badge_style(c["seat"]))
    _draw_spina(canvas, ring, view, edition)
    return "\n".join([*canvas.lines(colour), *_standings(view, edition, names, colour)])


# --- the track ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ring:
    """Where the spaces lie. A round has two halves, from the middle of one short side to that of the other."""

    width: int  # places along a long side
    height: int  # places along a short side, an even number
    cell: int  # columns of a place on a long side
    lanes: int  # rows of a long side
    side: int  # columns of a short side
    places: tuple[tuple[int, int], ...]  # of each space: half, and place in it

    @classmethod
    def of(cls, edition: CharioteerEdition, seats: int) -> _Ring:
        halves = _halves(edition)
        most = max(SHORTEST, *map(len, halves))
        sizes = [(min(6, STRAIGHT // (most - height)), height) for height in HEIGHTS if height < most]
        cell, height = max((size for size in sizes if size[0]), key=lambda s: s[0] * (most - s[1]) - 2 * s[1])
        lanes = min(seats, LANES) if cell > 1 else seats
        places = [(0, 0)] * edition.spaces
        for number, half in enumerate(halves):
            for i, space in enumerate(half):
                places[space] = (number, i * most // len(half))
        return cls(most - height, height, cell, lanes, lanes * min(cell, 2), tuple(places))

    def spot(self, space: int, lane: int, beside: int) -> tuple[int, int]:
        """Row and column of a lane in a space; `beside` is the number of chariots there."""
        half, place = self.places[space]
        place -= self.height // 2
        if 0 <= place < self.width:
            cell = place if half else self.width - 1 - place
            column = self.side + cell * self.cell + (self.cell > 2) + lane // self.lanes
            out = lane % self.lanes
            return (self.lanes + self.height + out if half else self.lanes - 1 - out), column
        out = lane * 2 if beside * 2 <= self.side else lane
        up = place if place < 0 else place - self.width + 1
        if half:  # down the left side to the bottom, or from the bottom up the right side
            row = self.lanes + self.height + up if up < 0 else self.lanes + self.height - up
        else:  # up the right side to the top, or from the top down the left side
            row = self.lanes - 1 - up if up < 0 else self.lanes - 1 + up
        on_the_left = (up < 0) == bool(half)
        return row, self.side - 1 - out if on_the_left else self.side + self.width * self.cell + out

    def on_straight(self, space: int) -> bool:
        """Whether a space lies on a long side."""
        return 0 <= self.places[space][1] - self.height // 2 < self.width


def _halves(edition: CharioteerEdition) -> tuple[list[int], list[int]]:
    """The spaces of the upper and of the lower half; the line is in the lower half if possible."""
    spaces, outer = edition.spaces, edition.outer
    right, left = spaces // 6, spaces // 6 + spaces // 2
    found = sorted(corners(outer), key=lambda corner: (corner[0] + corner[1] - 1) % spaces)
    if len(found) == 2:
        middles = [first + size // 2 for first, size in found]
        upper = (middles[1] - middles[0]) % spaces
        if max(upper, spaces - upper) <= LONGEST:
            right, left = middles[0], middles[0] + upper
    return (
        [space % spaces for space in range(right, left)],
        [space % spaces for space in range(left, right + spaces)],
    )


def _draw_track(canvas: Canvas, ring: _Ring, edition: CharioteerEdition) -> None:
    for space, outer in enumerate(edition.outer):
        canvas.put(*ring.spot(space, 0, 1), "▒" if outer else "·", DIM)
    _draw_line(canvas, ring)
    above, below = ring.lanes, ring.lanes + ring.height - 1
    canvas.put(above, ring.side + 2, "‹ ‹ ‹", DIM)
    canvas.put(below, ring.side + ring.width * ring.cell - 7, "› › ›", DIM)


def _draw_line(canvas: Canvas, ring: _Ring) -> None:
    """The line, before the first space of the lap."""
    row, column = ring.spot(0, 0, 1)
    if not ring.on_straight(0):
        canvas.put(row, column, "═", GOLD)
    elif ring.cell == 1:
        canvas.put(row, column, "┃", GOLD)
    else:
        for lane in range(ring.lanes):
            row, column = ring.spot(0, lane, ring.lanes)
            canvas.put(row, column - 1, "┃", GOLD)


# --- the spina ------------------------------------------------------------------------------------------------------


def _draw_spina(canvas: Canvas, ring: _Ring, view: Fields, edition: CharioteerEdition) -> None:
    """What lies in the middle: turn, lap, the emperor's wish, the crowd cards."""
    top, left = ring.lanes + 1, ring.side + 2
    height, width = ring.height - 4, ring.width * ring.cell - 6
    canvas.frame(top, left, height, width)
    text = _inscription(view, edition)
    above = (height - len(text)) // 2
    for i, line in enumerate(text):
        line = shortened(line, width - 2)
        canvas.put(top + 1 + above + i, left + 1 + (width - columns(line)) // 2, line, BOLD if i == 0 else "")


def _inscription(view: Fields, edition: CharioteerEdition) -> list[str]:
    """Four lines for the spina, one more where there is room."""
    furthest = max(c["progress"] for c in view["chariots"])
    lap = max(c["lap"] for c in view["chariots"])
    if furthest >= edition.laps * edition.spaces:
        return ["C H A R I O T E E R", f"The race is over after {view['turn']} turns"]
    active, *coming = view["crowd"]
    wish = WISHES[view["emperor"]]
    return [
        f"TURN {view['turn']}  ·  LAP {roman(lap)} OF {roman(edition.laps)}",
        wish[0].upper() + wish[1:],
        f"Crowd card: {active}",
        f"then: {', '.join(coming)}",
    ]


# --- the standings --------------------------------------------------------------------------------------------------


def _standings(view: Fields, edition: CharioteerEdition, names: Sequence[str], colour: bool) -> list[str]:
    """A table of the chariots, the leader first. New cubes follow the damage after a plus sign."""
    finish = edition.laps * edition.spaces
    longest = name_columns(names)
    heads = [paint(name, COLOUR_CODES[name], colour) for name in COLOUR_NAMES]
    lines = [f"     {'chariot':{longest}}   lap  to go  damage  tokens  fans  {'  '.join(heads)}"]
    for c in sorted(view["chariots"], key=lambda chariot: chariot["place"]):
        left = finish - c["progress"]
        fresh = f"+{c['attack']}" if c["attack"] else ""
        skills = "  ".join(
            f"{'+' + str(skill['bonus']) if skill['bonus'] else '·':>{len(name)}}"
            for name, skill in c["skills"].items()
        )
        lines.append(
            f"{c['place']:>2} {badge(c['seat'], colour)} {fitted(names[c['seat']], longest)}"
            f"   {c['lap']}/{edition.laps}  {left if left > 0 else 'home':>5}  {c['damage']:>4}{fresh:<2}"
            f"  {sum(c['player_tokens'].values()):>6}  {c['fan_tokens']:>4}  {skills}"
        )
    return lines
