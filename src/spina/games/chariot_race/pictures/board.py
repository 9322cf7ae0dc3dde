"""The picture of Chariot Race: the circus with its lanes and its spina, and a race on it.

The ground plan is seen from above and the monuments from the front, as on the circus mosaics of antiquity.
Inscriptions on the board are Latin and need no translation. The content of a picture is also given in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.pictures.layout import Layout, Space, layout
from spina.games.chariot_race.rules.record import DICE, SIDE_NAMES
from spina.games.circus import (
    DEPTH,
    HEIGHT,
    PODIUM,
    TEMPLE,
    WIDTH,
    frieze,
    lap_numeral,
    line,
    nearest,
    oval,
    spina,
    temple,
)
from spina.games.factions import faction
from spina.games.mapping_struct import Fields
from spina.games.pictures import (
    LEGEND,
    Palette,
    Plaque,
    building,
    chariot,
    definitions,
    inscription,
    legend,
    ordinal,
    roman,
)
from spina.games.svg import Element, Look, at, document, element, group, number, path, rect, use

__all__ = ["Chariot", "Layout", "board_svg", "chariots_of", "layout", "race_svg"]

TITLE = "Chariot Race"
ASIDE = 12.0
"""How far a chariot is drawn aside in an occupied space."""
LAPS = 2
"""Default number of laps."""
CONDITION = 12
"""Default condition of an undamaged chariot."""


@dataclass(frozen=True, slots=True)
class Chariot:
    """A chariot as the picture shows it."""

    chariot: int  # its number
    name: str
    space: int | None  # None: not placed yet; a wreck: where it was destroyed
    lap: int = 1  # the lap it is on; 0 before it first crosses the line
    place: int = 0  # 1 leads; 0: not known
    condition: int = CONDITION  # damage that it can still take
    most: int = CONDITION  # condition when nothing is broken
    speed: int = 0
    fate: int = 0
    wrecked: bool = False
    finished: bool = False
    faction: int | None = None  # whose colour it has; None: that of its number

    @property
    def colour(self) -> int:
        return self.chariot if self.faction is None else self.faction


def chariots_of(view: Fields, edition: ChariotRaceEdition, names: Sequence[str]) -> list[Chariot]:
    """The chariots of a view; `names` are those of the seats."""
    found = []
    for c in view["chariots"]:
        kind = edition.characters.index(c["kind"]) if c["kind"] in edition.characters else 0
        found.append(
            Chariot(
                chariot=c["chariot"],
                name=names[c["seat"]],
                space=c["space"],
                lap=lap_of(c["distance"], edition.length),
                place=c["place"],
                condition=c["condition"],
                most=edition.most_condition[kind],
                speed=c["speed"],
                fate=c["fate"],
                wrecked=c["wrecked"],
                finished=c["finished"],
                faction=c["faction"],
            )
        )
    return found


def lap_of(distance: int, length: int) -> int:
    """R14: the lap of a chariot that has come so far, in units; 0 before the first crossing of the line."""
    return max((distance - 1) // length + 1, 0)


def board_svg(board: Layout, title: str = TITLE, laps: int = LAPS, heaps: Collection[int] = ()) -> str:
    """The empty board; with stone heaps in these spaces, where half boards show side B."""
    _check_spaces(board, heaps)
    counts = Counter(space.lane for space in board.spaces)
    safe = [f"{space.name} {space.safe}" for space in board.spaces if space.safe]
    label = (
        f"{title}: an oval circus, run counterclockwise, {laps} laps. Spaces from the inside: "
        f"{', '.join(str(counts[lane]) for lane in range(board.lanes))}. Safe speeds: {', '.join(safe) or 'none'}. "
        f"The start: {', '.join(board.spaces[k].name for k in board.grid)}." + _heap_words(board, heaps)
    )
    parts = [*_board(board, title, laps, 0, heaps), group(_temple(), class_="temple", transform=at(TEMPLE, PODIUM))]
    return document(WIDTH, HEIGHT, parts, title=title, label=label, class_="spina-board")


def race_svg(
    board: Layout,
    chariots: Sequence[Chariot],
    caltrops: Collection[int] = (),
    *,
    heaps: Collection[int] = (),
    dice: Sequence[str] = (),
    active: int | None = None,
    title: str = TITLE,
    laps: int = LAPS,
) -> str:
    """A race: the board, the caltrops and chariots on it and a legend. The lap shown is that of the leader.

    `dice` are the sides that the dice show, by name; `active` is the chariot whose turn it is.
    """
    _check(board, chariots, caltrops, heaps, dice)
    running = [c for c in chariots if not c.wrecked]
    lap = min(max((c.lap for c in running), default=0), laps)
    done = laps if any(c.finished for c in running) else max(lap - 1, 0)
    ranked = sorted(chariots, key=lambda c: (c.place, c.chariot))
    plaques = [_plaque(board, c, laps) for c in ranked]
    parts = [
        *_board(board, title, laps, done, heaps),
        group(_temple(dice), class_="temple", transform=at(TEMPLE, PODIUM)),
        *([lap_numeral(roman(lap))] if lap else []),
        group(wrecks(board, chariots), class_="wrecks"),
        group([caltrop(board, space) for space in sorted(caltrops)], class_="caltrops"),
        group(pieces(board, chariots, laps, active), class_="chariots"),
        legend(plaques, WIDTH, HEIGHT),
    ]
    label = _label(board, title, [plaque.words for plaque in plaques], lap, laps, caltrops, heaps, dice)
    return document(WIDTH, HEIGHT + LEGEND, parts, title=title, label=label, class_="spina-race")


def _check(
    board: Layout,
    chariots: Sequence[Chariot],
    caltrops: Collection[int],
    heaps: Collection[int],
    dice: Sequence[str],
) -> None:
    """Raise ValueError for what cannot be drawn correctly."""
    _check_spaces(board, (*caltrops, *heaps, *(c.space for c in chariots if c.space is not None)))
    if len({c.chariot for c in chariots}) < len(chariots):
        raise ValueError("two chariots cannot have one number")
    if len(dice) > DICE:
        raise ValueError(f"there is room for {DICE} dice, not {len(dice)}")
    for side in dice:
        if side not in SIDE_NAMES:
            raise ValueError(f"no side of a die is called {side!r}: they are {', '.join(SIDE_NAMES)}")


def _check_spaces(board: Layout, spaces: Collection[int]) -> None:
    last = len(board.spaces) - 1
    for space in spaces:
        if not 0 <= space <= last:
            raise ValueError(f"no space {space} on this board: they count from 0 to {last}")


# --- the track ------------------------------------------------------------------------------------------------------


def _board(board: Layout, title: str, laps: int, done: int, heaps: Collection[int]) -> list[Element]:
    return [
        definitions(*own_definitions()),
        *building(oval, DEPTH, WIDTH, HEIGHT),
        *_track(board, heaps),
        *spina(title, laps, done, {"textLength": min(360.0, 30.0 * max(len(title), 1)), "letter_spacing": 7}),
    ]


def _track(board: Layout, heaps: Collection[int]) -> list[Element]:
    """The spaces, the starting places, the line, arrows that show the way, the safe speeds, the heaps, the names."""
    p = Palette
    font: Look = {
        "font_family": "sans-serif",
        "font_size": max(6.0, 10.5 * min(board.scale, 1)),
        "fill": p.INK,
        "fill_opacity": 0.75,
    }
    edges: Look = {"stroke": p.SAND_LINE, "stroke_width": 2, "stroke_linejoin": "round"}
    lanes = [
        path(oval(DEPTH * k / board.lanes), stroke=p.EARTH_DEEP, stroke_opacity=0.4) for k in range(1, board.lanes)
    ]
    stones = [use("spina-heap", transform=_upright(board.spaces[k], 1.0), class_="heap") for k in sorted(heaps)]
    return [
        group([space_drawing(board, space, space.index in heaps) for space in board.spaces], class_="track", **edges),
        group([*lanes, *_arrows(board)], class_="ruts", fill="none", pointer_events="none"),
        group(_stalls(board), class_="stalls", pointer_events="none"),
        line(board.line, checks=24),
        group([roundel(space) for space in board.spaces if space.safe], class_="speeds", pointer_events="none"),
        group(stones, class_="heaps", pointer_events="none"),
        group([name_drawing(space) for space in board.spaces], class_="names", pointer_events="none", **font),
    ]


def space_drawing(board: Layout, space: Space, heap: bool) -> Element:
    """A space of the track."""
    p = Palette
    start = space.index in board.grid
    facts = [f"Space {space.name}"]
    facts += [f"safe up to speed {space.safe}"] if space.safe else []
    facts += ["a starting place"] if start else []
    facts += ["closed by a stone heap"] if heap else []
    kinds = "space" + (" numbered" if space.safe else "") + (" start" if start else "") + (" closed" if heap else "")
    fill = p.SAND if (space.index + space.lane) % 2 else p.SAND_WARM
    if space.safe:
        fill = "url(#spina-earth)"
    elif start:
        fill = p.TRAVERTINE
    return path(space.path, element("title", ", ".join(facts)), id=f"space-{space.index}", class_=kinds, fill=fill)


def _upright(space: Space, scale: float) -> str:
    """The transformation to the middle of a space, upright; a drawing 60 wide fits a lane of the reference board."""
    return at(*space.centre, scale=scale * min(1.0, space.width / 60, space.length / 70))


def name_drawing(space: Space) -> Element:
    """The name of a space, in its rear outer corner."""
    x, y = space.inside(-1 + 2 * min(18 / space.length, 0.35), 1 - 2 * min(10 / space.width, 0.3))
    return element("text", space.name, x=x, y=y + 3.6, text_anchor="middle")


def roundel(space: Space) -> Element:
    """The greatest safe speed, in the front outer corner, where neither chariot nor caltrop hides it."""
    p = Palette
    radius = min(14.0, 0.3 * space.width, 0.3 * space.length)
    x, y = space.inside(1 - 2 * (radius + 5) / space.length, 1 - 2 * (radius + 4) / space.width)
    return group(
        [
            element("circle", r=radius, fill=p.IVORY, stroke=p.RED, stroke_width=radius / 4),
            inscription(str(space.safe), 0, radius * 0.46, radius * 1.3, font_weight="bold"),
        ],
        class_="speed",
        transform=at(x, y),
    )


def _arrows(board: Layout) -> list[Element]:
    """Chevrons in the sand of the straights, counterclockwise."""
    look: Look = {"stroke": Palette.EARTH_DEEP, "stroke_width": 4, "stroke_opacity": 0.22}
    plain = [s for s in board.spaces if not s.safe and s.index not in board.grid and s.lane == board.lanes // 2]
    chosen = [plain[k].index for k in nearest([s.middle for s in plain], (0.05, 0.6, 0.95))]
    return [
        path("M-10-16 0 0-10 16M2-16 12 0 2 16", transform=at(*board.spot(k), min(board.scale, 1.0)), **look)
        for k in chosen
    ]


def _stalls(board: Layout) -> list[Element]:
    """The starting places: a barrier before each, and its number in the order of the grid."""
    painted: Look = {"fill": Palette.BLOOD, "fill_opacity": 0.55}
    found = []
    for place, k in enumerate(board.grid, 1):
        space = board.spaces[k]
        long, wide = space.length / 2 - 12, space.width / 2 - 6
        arm = number(min(14.0, long))
        barrier = f"M{number(long)} {number(-wide)}m-{arm} 0h{arm}V{number(wide)}h-{arm}"
        turned = at(*board.spot(k))
        found += [
            path(barrier, transform=turned, fill="none", stroke=Palette.BLOOD, stroke_width=2, stroke_opacity=0.7),
            inscription(
                roman(place), 0, 7 * min(board.scale, 1), 20 * min(board.scale, 1), transform=turned, **painted
            ),
        ]
    return found


# --- what lies on the track -----------------------------------------------------------------------------------------


def own_definitions() -> list[Element]:
    """The definitions that only this game uses."""
    return [_caltrop_definition(), _heap_definition(), _wreck_definition()]


def _caltrop_definition() -> Element:
    """A caltrop on its marker, 23 wide around (0, 0)."""
    p = Palette
    spikes = "M0 1-1.6-8 0-9.6 1.6-8ZM-1.2-.6-7.6 5.4-8 7.4-5.8 7 1 1.4ZM1.2-.6 7.6 5.4 8 7.4 5.8 7-1 1.4ZM0 0 4.6-2.4"
    return group(
        [
            element("circle", r=11, fill=p.IVORY, stroke=p.BLOOD, stroke_width=1.6),
            path(spikes, fill=p.INK, stroke=p.INK, stroke_width=1.2, stroke_linejoin="round"),
        ],
        id="spina-caltrop",
    )


def _heap_definition() -> Element:
    """A heap of stones, 56 wide around (0, 0)."""
    stones = (
        ("M-28 16-25 3-14-1-5 4-4 17-16 20Z", "#a89f92"),
        ("M-6 18-7 6 3 0 13 5 14 17 4 21Z", "#8f8679"),
        ("M12 17 12 5 20 0 28 7 27 16 20 20Z", "#b5ac9d"),
        ("M-18 1-15-10-5-13 3-7 2 2-7 6Z", "#bcb3a4"),
        ("M2 3 2-7 10-12 20-6 20 2 11 7Z", "#9c9385"),
        ("M-8-9-4-18 5-20 11-13 7-7-1-6Z", "#c9c0b1"),
    )
    edges: Look = {"stroke": Palette.INK, "stroke_width": 1.2, "stroke_linejoin": "round"}
    shadow = element("ellipse", cx=1, cy=17, rx=31, ry=7, fill=Palette.INK, fill_opacity=0.25)
    return group([shadow, *(path(data, fill=fill, **edges) for data, fill in stones)], id="spina-heap")


def _wreck_definition() -> Element:
    """A broken wheel and splinters, 40 wide around (0, 0); coloured where it is used."""
    ink = Palette.INK
    rim = "M9.5 6A11 11 0 1 1 10-5.2L6.6-3.4A7.2 7.2 0 1 0 6.2 3.9Z"
    return group(
        [
            path("M-19-9-9 3M13 9 20-8M-16 12-4 9M10-12 18-14", stroke=ink, stroke_width=4.2, stroke_linecap="round"),
            path(
                "M-19-9-9 3M13 9 20-8M-16 12-4 9M10-12 18-14",
                stroke="#a97b4b",
                stroke_width=2.2,
                stroke_linecap="round",
            ),
            path("M0 0-6-6M0 0V-8M0 0-8 2M0 0-3 8M0 0 5 6", stroke=ink, stroke_width=1.8),
            path(rim, stroke=ink, stroke_width=1.2, stroke_linejoin="round"),
            element("circle", r=2.6, stroke=ink),
        ],
        id="spina-wreck",
    )


def caltrop(board: Layout, space: int) -> Element:
    """A caltrop on a space."""
    here = board.spaces[space]
    return use(
        "spina-caltrop",
        id=f"caltrop-{space}",
        class_="caltrop",
        transform=at(*board.marker(space), scale=min(1.0, here.width / 50, here.length / 50)),
    )


def wrecks(board: Layout, chariots: Sequence[Chariot]) -> list[Element]:
    """The wrecks, where the chariots were destroyed."""
    beside: Counter[int] = Counter()
    found = []
    for c in chariots:
        if c.wrecked and c.space is not None:
            here = board.spaces[c.space]
            outward = (0.0, 0.45, -0.45)[beside[c.space] % 3]
            beside[c.space] += 1
            scale = min(1.2, 0.9 * board.scale)
            x, y = here.inside(-0.1, outward)
            words = element("title", f"Wreck of {c.name} ({faction(c.colour).name})")
            of = faction(c.colour)
            parts = [words, use("spina-wreck", fill=of.colour)]
            found.append(
                group(parts, id=f"chariot-{c.chariot}", class_="wreck", transform=at(x, y, here.heading, scale))
            )
    return found


def pieces(board: Layout, chariots: Sequence[Chariot], laps: int, active: int | None) -> list[Element]:
    """The chariots, the active one with a gilded ring. A chariot in an occupied space is drawn beside the other."""
    found = []
    taken: set[int] = set()
    for c in sorted(chariots, key=lambda c: c.chariot == active):
        if c.space is None or c.wrecked:
            continue
        x, y, turn = board.spot(c.space)
        if c.space in taken:
            x, y = x + ASIDE * board.scale, y + ASIDE * board.scale
        taken.add(c.space)
        parts = [element("title", _words(board, c, laps))]
        if c.chariot == active:
            ring: Look = {"fill": Palette.GILT, "fill_opacity": 0.45, "stroke": Palette.GILT_SHADE, "stroke_width": 1.6}
            parts.append(element("ellipse", rx=27, ry=18.5, class_="active", **ring))
        kinds = "chariot active" if c.chariot == active else "chariot"
        found.append(chariot(c.colour, x, y, turn, *parts, scale=board.scale, id=f"chariot-{c.chariot}", class_=kinds))
    return found


# --- the spina ------------------------------------------------------------------------------------------------------


def _temple(dice: Sequence[str] = ()) -> list[Element]:
    """The temple of Fortuna: her wheel in the gable, a niche for every die between the columns."""
    p = Palette
    half = 124.0
    bay = 2 * (half - 6) / DICE
    inside = [
        group(_glyph("fortuna", p.GILT), transform=at(0, -145, scale=1.5)),
        rect(-half, -104, 2 * half, 98, fill=p.WALL_DEEP),
    ]
    parts = [*temple(half, DICE, inside), frieze("FORTVNA", 0, 0)]
    for k, side in enumerate(dice):
        face = [
            element("title", f"Die: {side}"),
            rect(-17, -17, 34, 34, rx=6, fill=p.IVORY, stroke=p.INK),
            *side_glyph(side),
        ]
        place = at(bay * (k - (DICE - 1) / 2), -44)
        parts.append(group(face, id=f"die-{k}", class_="die", transform=place))
    return parts


_GLYPHS = {  # stroke width, path
    "+/-": (3.0, "M-5-11V1M-11-5H1M1 8H11"),
    "sprint": (3.6, "M-10-8-1 0-10 8M1-8 10 0 1 8"),
    "steer": (2.8, "M0 11V5C0-1-9 0-9-8M0 5C0-1 9 0 9-8M-12.5-5-9-9.5-5.5-5M12.5-5 9-9.5 5.5-5"),
    "attack": (2.4, "M-10 10 10-10M4-10H10V-4M10 10-10-10M-4-10H-10V-4"),
    "fortuna": (2.4, "M0-10.5A10.5 10.5 0 1 1-.1-10.5ZM0-10V10M-10 0H10M-7-7 7 7M7-7-7 7"),
}
_PIGMENTS = dict(
    zip(SIDE_NAMES, (Palette.INK, Palette.MALACHITE, Palette.WATER, Palette.RED, Palette.GILT_SHADE), strict=True)
)


def side_glyph(side: str) -> list[Element]:
    """The sign of a side of the dice in its colour."""
    return _glyph(side, _PIGMENTS[side])


def _glyph(name: str, colour: str) -> list[Element]:
    """The sign of a side of the dice, about 24 wide around (0, 0)."""
    width, data = _GLYPHS[name]
    return [path(data, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round")]


# --- the legend, and everything in words ----------------------------------------------------------------------------

BAR = 84.0
"""Width of the bar of a chariot's condition."""


def _plaque(board: Layout, c: Chariot, laps: int) -> Plaque:
    words = _words(board, c, laps)
    return Plaque(c.colour, c.name, _line_of(board, c), words, c.place, 0, c.finished and not c.wrecked, _gauges(c))


def _line_of(board: Layout, c: Chariot) -> str:
    """The line under a name in the legend."""
    if c.wrecked:
        return "WRECKED"
    if c.finished:
        return "FINISHED"
    if c.space is None:
        return "NOT PLACED"
    return f"{f'LAP {roman(c.lap)}' if c.lap > 0 else 'START'} · {board.spaces[c.space].name}"


def _gauges(c: Chariot) -> tuple[Element, ...]:
    """The bar of its condition, a cell for each point, and its speed and fate."""
    p = Palette
    cells = max(c.most, c.condition, 1)
    cell = BAR / cells
    colour = p.MALACHITE if 2 * c.condition > c.most else p.OCHRE if 4 * c.condition > c.most else p.RED
    cuts = "".join(f"M{number(cell * k)} 0v8" for k in range(1, cells))
    left: Look = {"text_anchor": "start", "fill": p.INK}
    figures = "" if c.wrecked else f"SPEED {c.speed} · FATE {c.fate}"
    return (
        rect(0, 0, BAR, 8, fill=p.TRAVERTINE_MID),
        rect(0, 0, cell * max(c.condition, 0), 8, fill=colour, class_="condition"),
        path(f"{cuts}M0 0H{number(BAR)}V8H0Z", fill="none", stroke=p.INK, stroke_width=0.8),
        inscription(str(c.condition), BAR + 5, 8.5, 12, font_weight="bold", **left),
        inscription(figures, 0, 22, 10.5, **left),
    )


def _words(board: Layout, c: Chariot, laps: int) -> str:
    """One chariot in words."""
    who = (f"{ordinal(c.place)}: " if c.place > 0 else "") + f"{c.name} ({faction(c.colour).name})"
    where = "not placed yet" if c.space is None else f"space {board.spaces[c.space].name}"
    if c.wrecked:
        return f"{who}, wrecked, {where}"
    lap = f"lap {c.lap} of {laps}" if c.lap > 0 else "before the line"
    state = f"condition {c.condition} of {c.most}, speed {c.speed}, fate {c.fate}"
    return f"{who}, {'finished' if c.finished else lap}, {where}, {state}"


def _heap_words(board: Layout, heaps: Collection[int]) -> str:
    return f" Stone heaps: {', '.join(board.spaces[k].name for k in sorted(heaps))}." if heaps else ""


def _label(
    board: Layout,
    title: str,
    standing: Sequence[str],
    lap: int,
    laps: int,
    caltrops: Collection[int],
    heaps: Collection[int],
    dice: Sequence[str],
) -> str:
    """The whole position in words."""
    parts = [f"{title}, lap {lap} of {laps}" if lap > 0 else f"{title}, before the line", *standing]
    if dice:
        parts.append(f"Dice: {', '.join(dice)}")
    if caltrops:
        parts.append(f"Caltrops: {', '.join(board.spaces[k].name for k in sorted(caltrops))}")
    return ". ".join(parts) + "." + _heap_words(board, heaps)
