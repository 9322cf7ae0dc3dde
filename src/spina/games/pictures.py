"""What the pictures of all games share: the palette, inscriptions, the chariots, monuments, the building, the legend.

Names of definitions begin with `spina-`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from spina.games.factions import FACTIONS, Faction, faction, shape
from spina.games.svg import Element, Look, Value, at, element, group, number, path, rect, use

CAPITALS = "'Trajan Pro','Cinzel','Optima','Palatino Linotype','Palatino','Book Antiqua','P052',serif"
"""Fonts for inscriptions and headings: Roman capitals that a system may have."""


class Palette:
    """The pigments of wall painters and mosaic layers, and the stone of the circus."""

    WALL = "#7d2a1f"  # Pompeian red, the ground of every picture
    WALL_LIGHT = "#96382a"
    WALL_DEEP = "#4d1712"
    OCHRE = "#d9a441"
    SAND = "#e9d2a4"
    SAND_WARM = "#e3c893"
    SAND_LINE = "#fbf1d8"
    EARTH = "#bd8f5e"  # the darker ground of outer spaces
    EARTH_DEEP = "#8d6238"
    IVORY = "#fdf7e8"
    TRAVERTINE = "#f3ead6"
    TRAVERTINE_MID = "#dccdae"
    TRAVERTINE_SHADE = "#b9a582"
    WATER = "#1f5f86"  # Egyptian blue
    WATER_DEEP = "#123f5e"
    WATER_LIGHT = "#5fa3bd"
    GRANITE = "#d39a78"
    GRANITE_SHADE = "#a4664a"
    GILT = "#e9b93f"
    GILT_SHADE = "#a87718"
    RED = "#b3321f"
    MALACHITE = "#2c7a57"
    INK = "#2a1911"
    INK_SOFT = "#6d5039"
    BLOOD = "#8c1d18"


# --- words ----------------------------------------------------------------------------------------------------------

_NUMERALS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(value: int) -> str:
    """A Roman numeral; a dash for numbers that have none."""
    if value < 1:
        return "–"
    text = ""
    for worth, letters in _NUMERALS:
        text += letters * (value // worth)
        value %= worth
    return text


def ordinal(value: int) -> str:
    """1st, 2nd, 3rd ..."""
    teen = value % 100 in (11, 12, 13)
    return f"{value}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th')}"


def shortened(text: str, most: int) -> str:
    """The text, cut with an ellipsis where it is wider than `most` letters; East Asian letters are wide."""
    room, kept = most, ""
    for letter in text:
        room -= 2 if east_asian_width(letter) in "WF" else 1
        if room < 0:
            return kept[:-1].rstrip() + "…"
        kept += letter
    return text


def inscription(text: str, x: float, y: float, size: float, **attributes: Value) -> Element:
    """A line of Roman capitals, centred unless told otherwise."""
    given: Look = {"text_anchor": "middle", "fill": Palette.INK, **attributes}
    return element("text", text, x=x, y=y, font_family=CAPITALS, font_size=size, **given)


# --- chariots -------------------------------------------------------------------------------------------------------

CHARIOT_LENGTH = 42.0
CHARIOT_WIDTH = 24.0
_CAR = -9.5  # where the axle is, behind the middle of the team
_CAR_RADIUS = 9.8
_HORSE = (
    "M1 0C1-3 3-4 5-3.8C7-3.6 8-2.9 10-3.1C11.5-3.2 12-2.4 13-1.8L14.6-2.6 15.2-1.7C17-1.5 20-1.2 20 0"
    "C20 1.2 17 1.5 15.2 1.7L14.6 2.6 13 1.8C12 2.4 11.5 3.2 10 3.1C8 2.9 7 3.6 5 3.8C3 4 1 3 1 0Z"
)
_MANE = "M8 0H14.5M1 0C-1 .5-2-.5-3 .3"


def chariot_definition(of: Faction) -> Element:
    """A chariot and its two horses from above, facing right, around (0, 0); `chariot` adds the letter."""
    ink = Palette.INK
    wheels = f"M{number(_CAR - 6)}-10.8h12M{number(_CAR - 6)} 10.8h12"
    team = [
        path(_HORSE, fill=of.horse, stroke=ink, stroke_width=0.8),
        path(_MANE, stroke=ink, stroke_opacity=0.8, fill="none"),
    ]
    car: Look = {"fill": of.colour, "stroke": ink, "stroke_linejoin": "round"}
    return group(
        [
            path(f"M{number(_CAR)} 0H13M12-6V6", stroke=ink, stroke_width=1.6, fill="none"),
            group(team, transform=at(1, -5.2)),
            group(team, transform=at(1, 5.2)),
            path(f"M{number(_CAR)}-11V11", stroke=ink, stroke_width=2),
            path(wheels, stroke=ink, stroke_width=2.4, stroke_linecap="round"),
            path(shape(of.shape, _CAR_RADIUS), transform=at(_CAR, 0), stroke_width=1.2, **car),
        ],
        id="spina-chariot-" + of.letter.lower(),
    )


def chariot(
    seat: int,
    x: float,
    y: float,
    heading: float,
    *children: Element,
    scale: float = 1.0,
    **attributes: Value,
) -> Element:
    """The chariot of a seat, facing `heading` (degrees, clockwise from the right), its letter upright."""
    of = faction(seat)
    upright = at(_CAR, 0, -heading)
    return element(
        "g",
        *children,
        use("spina-chariot-" + of.letter.lower()),
        inscription(of.letter, 0, 4.1, 12, fill=of.ink, font_weight="bold", transform=upright),
        transform=at(x, y, heading, scale),
        **attributes,
    )


# --- monuments: drawn from the front, standing on (0, 0) ------------------------------------------------------------

_STONE: Look = {"fill": Palette.TRAVERTINE, "stroke": Palette.TRAVERTINE_SHADE}


def obelisk() -> Element:
    """An obelisk on three steps, 216 high."""
    p = Palette
    signs = (
        "M-6-58h5M-6-54h5M-4-72a2 2 0 1 0 .1 0M-6-84l5 4M-6-98h5v4h-5zM-4-112v6M-6-124a3 3 0 0 1 5 0"
        "M-5-138v6M-2-138v6M-5-152h4M-5-156h4M-4-170a2 2 0 1 0 .1 0"
    )
    return group(
        [
            *(rect(-half, y, 2 * half, 10, **_STONE) for half, y in ((38, -10), (30, -20), (22, -30))),
            path("M-15-30-8.5-196H8.5L15-30Z", fill=p.GRANITE),
            path("M5-30 3-196H8.5L15-30Z", fill=p.GRANITE_SHADE),
            path("M-8.5-196 0-216 3-196Z", fill=p.GILT),
            path("M3-196 0-216 8.5-196Z", fill=p.GILT_SHADE),
            path(signs, fill="none", stroke=p.GRANITE_SHADE, stroke_width=1.3),
        ],
        class_="obelisk",
    )


def metae() -> Element:
    """The three turning posts at one end of the spina, 138 high, the middle one in front."""
    p = Palette
    posts = []
    for x, top in ((-27.0, -106.0), (27.0, -106.0), (0.0, -124.0)):
        tip = f"H{number(x + 3)}L{number(x + 14)}-20Z"
        posts += [
            path(f"M{number(x - 14)}-20L{number(x - 3)} {number(top)}{tip}", fill=p.OCHRE),
            path(f"M{number(x + 4)}-20L{number(x + 1)} {number(top)}{tip}", fill=p.GILT_SHADE),
            path(f"M{number(x - 12)}-30h24M{number(x - 8.6)}-56h17.2", stroke=p.BLOOD, stroke_width=2),
            element("ellipse", cx=x, cy=top - 6, rx=5, ry=7.5, **_STONE),
        ]
    drum = [
        path("M-50-22H50V-2Q0 8-50-2Z", fill=p.TRAVERTINE_MID, stroke=p.TRAVERTINE_SHADE),
        path("M-54-26H54V-19Q0-12-54-19Z", **_STONE),
    ]
    return group([*posts, *drum], class_="metae")


def dolphin_definition() -> Element:
    """A dolphin leaping to the right, around (0, 0), 58 wide; coloured where it is used."""
    body = (
        "M29 10C25 8 23 4 19 0C12-9-3-11-12-3C-17 1-19 6-20 11L-29 12C-26 17-22 18-18 17"
        "C-16 22-12 24-7 23L-12 14C-10 8-6 5 0 5C6 5 11 9 16 12C20 15 26 14 29 10Z"
    )
    fins = "M1-8C3-14-1-18-7-19C-5-15-6-11-9-6ZM9 8C8 15 4 19-2 20C0 15 0 11 1 5Z"
    eye = element("circle", cx=18, cy=5, r=1.8, fill=Palette.INK, stroke="none")
    return group([path(fins), path(body), eye], id="spina-dolphin", stroke_linejoin="round", stroke_width=1.4)


def lap_counter(laps: int, done: int) -> Element:
    """Dolphins on a beam, one for each lap, as in the Circus Maximus: with every lap completed one dives.

    It is 264 wide; those that have dived are gilded, too.
    """
    p = Palette
    half = 132.0
    columns = (-half + 18, half - 18)
    flutes = "".join(f"M{number(x - 3)}-66v56M{number(x + 3)}-66v56" for x in columns)
    parts = [
        *(rect(x - 8, -70, 16, 62, **_STONE) for x in columns),
        path(flutes, stroke=p.TRAVERTINE_SHADE, stroke_width=1.4),
        rect(-half, -8, 2 * half, 8, **_STONE),
        rect(-half - 6, -84, 2 * half + 12, 14, **_STONE),
        path(f"M{number(-half)}-77H{number(half)}", stroke=p.RED, stroke_width=2, stroke_dasharray="6 4"),
    ]
    gap = 2 * half / max(laps, 1)
    size = min(1.3, gap / 62)
    for k in range(laps):
        x = -half + gap * (k + 0.5)
        parts.append(path(f"M{number(x - 8)}-84h16l-4-6h-8z", fill=p.TRAVERTINE_SHADE))
        look: Look = {"class_": "dolphin", "fill": p.TRAVERTINE, "stroke": p.INK_SOFT}
        place = at(x, -84 - 24 * size, -8, size)
        if k < done:
            look = {"class_": "dolphin dived", "fill": p.GILT, "stroke": p.GILT_SHADE}
            place = at(x, -84 - 32 * size, 68, size)
        parts.append(use("spina-dolphin", transform=place, **look))
    return group(parts, class_="lap-counter")


def rosette() -> Element:
    """The six-petalled rosette of mosaic floors, 68 wide around (0, 0)."""
    petal = "M0 0C7-7 7-19 0-26C-7-19-7-7 0 0Z"
    petals = [path(petal, transform=f"rotate({60 * k})", stroke="none") for k in range(6)]
    rings = [
        element("circle", r=34, fill="none", stroke_width=1.5),
        element("circle", r=29, fill="none", stroke_width=3, stroke_dasharray="3 3.07"),
    ]
    return group([*rings, *petals], class_="rosette", fill=Palette.OCHRE, stroke=Palette.OCHRE, opacity=0.75)


def wreath() -> Element:
    """A laurel wreath around (0, 0), open at the top, 47 wide."""
    return path(
        "M-8-20A21 21 0 0 0 0 21M8-20A21 21 0 0 1 0 21",
        class_="wreath",
        fill="none",
        stroke=Palette.MALACHITE,
        stroke_width=5,
        stroke_linecap="round",
        stroke_dasharray="3 5.3",
    )


# --- the building ---------------------------------------------------------------------------------------------------

KERB = 16.0
STANDS = 44.0
ROWS = 4


def definitions(*more: Element) -> Element:
    """The definitions that every circus uses: ground, water, a dolphin, the chariots; and those in `more`."""
    p = Palette
    tile: Look = {"patternUnits": "userSpaceOnUse"}
    wave = "q4-6 8 0t8 0"
    line: Look = {"fill": "none", "stroke": p.WATER_LIGHT}
    return element(
        "defs",
        element(
            "radialGradient",
            element("stop", offset="0", stop_color=p.WALL_LIGHT),
            element("stop", offset="1", stop_color=p.WALL_DEEP),
            id="spina-wall",
            cy="45%",
            r="75%",
        ),
        element(
            "linearGradient",
            element("stop", offset="0", stop_color=p.WATER_DEEP),
            element("stop", offset="1", stop_color=p.WATER),
            id="spina-depth",
            x2="0",
            y2="1",
        ),
        element(
            "pattern",
            path(f"M4 9{wave}M34 25{wave}", stroke_opacity=0.45, stroke_width=1.5, **line),
            id="spina-waves",
            width=60,
            height=32,
            **tile,
        ),
        element(
            "pattern",
            rect(0, 0, 8, 8, fill=p.EARTH),
            path("M0 0h4v8h4v-4h-8z", fill=p.EARTH_DEEP, fill_opacity=0.1),
            id="spina-earth",
            width=8,
            height=8,
            **tile,
        ),
        *more,
        dolphin_definition(),
        *(chariot_definition(of) for of in FACTIONS),
    )


def building(oval: Callable[[float], str], depth: float, width: float, height: float) -> list[Element]:
    """Everything around the track: the wall it is painted on, the stands with their crowd, the kerb.

    `oval` gives the outline at a distance from the inner edge of the track, `depth` is that of its outer edge.
    """
    p = Palette
    foot, top = depth + KERB, depth + KERB + STANDS
    line: Look = {"fill": "none"}
    # dots are dashes of no length with round ends
    crowd = ((p.RED, 13.7), (p.WATER, 23.9), (p.MALACHITE, 31.3), (p.INK, 17.3))
    dot: Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": 5.2, "stroke_opacity": 0.34}
    rows = []
    for k in range(ROWS):
        step, seats = oval(foot + STANDS * k / ROWS), oval(foot + STANDS * (k + 0.5) / ROWS)
        rows.append(path(step, stroke=p.TRAVERTINE_SHADE, stroke_width=1.2, **line))
        for n, (colour, gap) in enumerate(crowd):
            dashes: Look = {"stroke_dasharray": f"0 {gap}", "stroke_dashoffset": 7 * k + 5 * n}
            rows.append(path(seats, stroke=colour, **dot, **dashes))
    stairs: Look = {"stroke_width": STANDS, "stroke_dasharray": "5 84", "stroke_dashoffset": -40}
    corners = [(x, y) for x in (58, width - 58) for y in (58, height - 58)]
    return [
        element("rect", width="100%", height="100%", rx=20, fill="url(#spina-wall)"),
        *(group([rosette()], transform=at(x, y)) for x, y in corners),
        path(oval(top + 9), fill=p.WALL_DEEP, fill_opacity=0.55, transform=at(0, 5)),
        path(oval(top + 8), fill=p.TRAVERTINE_SHADE),
        path(oval(top + 4), stroke=p.WALL_DEEP, stroke_width=5, stroke_dasharray="4 5", **line),
        path(oval(top), fill=p.TRAVERTINE_MID, stroke=p.TRAVERTINE, stroke_width=2),
        group(rows, class_="stands"),
        path(oval((foot + top) / 2), stroke=p.TRAVERTINE, **stairs, **line),
        path(oval(foot), fill=p.TRAVERTINE, stroke=p.INK_SOFT, stroke_width=1.2),
        path(oval(depth + 1.5), fill=p.INK_SOFT),
    ]


# --- the legend -----------------------------------------------------------------------------------------------------

LEGEND = 112.0
"""Height of a legend below a picture."""
PLAQUE = (250.0, 88.0)
CUBES = 6
"""Cubes that are drawn on a plaque; a number stands for more."""


@dataclass(frozen=True, slots=True)
class Plaque:
    """What the legend says about one seat."""

    seat: int
    name: str
    line: str  # a few words under the name
    words: str  # everything, in a sentence
    place: int = 0  # 0: not known
    cubes: int = 0  # of damage
    crowned: bool = False
    more: tuple[Element, ...] = ()  # drawn below the line, 14 high from (0, 0)


def legend(plaques: Sequence[Plaque], width: float, y: float) -> Element:
    """A row of plaques in a picture of this width, in the middle of the strip that begins at y."""
    gap = 10.0
    each = min(PLAQUE[0], (width - 40 + gap) / max(len(plaques), 1) - gap)
    left = (width - (each + gap) * len(plaques) + gap) / 2
    top = y + (LEGEND - PLAQUE[1]) / 2 - 4
    return group(
        [
            group(
                _plaque(plaque, each),
                id=f"plaque-{plaque.seat}",
                class_="plaque",
                transform=at(left + (each + gap) * k, top),
            )
            for k, plaque in enumerate(plaques)
        ],
        class_="legend",
    )


def _plaque(plaque: Plaque, width: float) -> list[Element]:
    p = Palette
    height = PLAQUE[1]
    text = 86.0
    edge = f"M12 0V{number(height)}H6A6 6 0 0 1 0 {number(height - 6)}V6A6 6 0 0 1 6 0Z"
    cube: Look = {"fill": p.BLOOD, "stroke": p.INK, "stroke_width": 0.8}
    left: Look = {"text_anchor": "start"}
    parts = [
        element("title", plaque.words),
        rect(0, 0, width, height, rx=6, fill=p.TRAVERTINE),
        rect(77, 4, width - 81, height - 8, rx=3, fill="none", stroke=p.TRAVERTINE_SHADE),
        rect(12, 0, 61, height, fill=p.SAND_WARM),
        path(edge, fill=faction(plaque.seat).colour),
        chariot(plaque.seat, 42, height / 2, 0, scale=1.25),
        inscription(shortened(plaque.name, 14), text, 29, 18, **left),
        inscription(plaque.line, text, 48, 11.5, fill=p.INK_SOFT, letter_spacing=1, **left),
        *(rect(text + 15 * k, 60, 11, 11, rx=1.5, **cube) for k in range(min(plaque.cubes, CUBES))),
    ]
    if plaque.cubes > CUBES:
        parts.append(inscription(f"×{plaque.cubes}", text + 15 * CUBES + 2, 70.5, 13, **left))
    if plaque.more:
        parts.append(group(plaque.more, transform=at(text, 56)))
    seal = [inscription(roman(plaque.place), 0, 8, 24, fill=p.BLOOD)] if plaque.place > 0 else []
    if plaque.crowned:
        seal.append(wreath())
    return [*parts, group(seal, class_="place", transform=at(width - 34, height - 32))]
