"""The picture of Charioteer: the circus with its spina, and a race on it.

The ground plan is seen from above and the monuments from the front, as on the circus mosaics of antiquity.
Inscriptions on the board are Latin and need no translation. The content of a picture is also given in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from spina.games.charioteer.pictures.layout import CARD, CARDS, DIE, LANES, SHRINE, Layout, Space, layout
from spina.games.charioteer.rules.record import COLOUR_NAMES, CROWD, FACE_NAMES, ICON_NAMES
from spina.games.circus import (
    DEPTH,
    HEIGHT,
    PODIUM,
    WIDTH,
    edge,
    frieze,
    lap_numeral,
    line,
    nearest,
    oval,
    point,
    spina,
    temple,
)
from spina.games.factions import faction, shape
from spina.games.pictures import (
    KERB,
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
from spina.games.svg import Element, Look, at, document, element, group, number, path, rect

__all__ = ["Card", "Chariot", "Layout", "board_svg", "layout", "race_svg"]

LAPS = 3
"""Default number of laps."""


@dataclass(frozen=True, slots=True)
class Chariot:
    """A chariot as the picture shows it."""

    seat: int
    name: str
    space: int
    lane: int = 0  # 0 is the inside
    lap: int = 1  # the lap it is on; 0 before it first crosses the line
    place: int = 0  # 1 leads; 0: not known
    damage: int = 0  # cubes in the damage box
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A crowd card as the picture shows it."""

    symbols: tuple[tuple[str, int, int], ...] = ()  # colour, number, how often
    icon: str = "none"


def card(name: str) -> Card:
    """A card from its name, such as `red-5 red-5 green-2` or `red-1 red-1 shield`."""
    words = name.split()
    symbols = dict.fromkeys(word for word in words if "-" in word)
    return Card(
        tuple((w.rpartition("-")[0], int(w.rpartition("-")[2]), words.count(w)) for w in symbols),
        next((word for word in words if "-" not in word), "none"),
    )


def board_svg(board: Layout, title: str = "Charioteer", laps: int = LAPS) -> str:
    """The empty board."""
    outer = sum(space.outer for space in board.spaces)
    label = (
        f"{title}: an oval circus of {len(board.spaces)} spaces, {outer} of them outer spaces, "
        f"run counterclockwise, {laps} laps. The start is space {board.start}."
    )
    parts = _board(board, title, laps, 0)
    return document(WIDTH, HEIGHT, parts, title=title, label=label, class_="spina-board")


def race_svg(
    board: Layout,
    chariots: Sequence[Chariot],
    *,
    title: str = "Charioteer",
    laps: int = LAPS,
    die: str | None = None,
    crowd: Sequence[Card | None] = (),
) -> str:
    """A race: the board, the chariots on it and a legend. The lap shown is that of the leader.

    `die` is a face of the emperor die by name, `crowd` the cards of the crowd track, the active one first.
    """
    _check(board, chariots, die, crowd)
    lap = min(max((c.lap for c in chariots), default=0), laps)
    done = laps if any(c.finished for c in chariots) else max(lap - 1, 0)
    ranked = sorted(chariots, key=lambda c: (c.place, c.seat))
    plaques = [Plaque(c.seat, c.name, _line_of(c), _words(c, laps), c.place, c.damage, c.finished) for c in ranked]
    parts = [
        *_board(board, title, laps, done),
        *_on_spina(lap, die, crowd),
        group(pieces(board, chariots, laps), class_="chariots"),
        legend(plaques, WIDTH, HEIGHT),
    ]
    label = _label(title, [plaque.words for plaque in plaques], lap, laps, die, crowd)
    return document(WIDTH, HEIGHT + LEGEND, parts, title=title, label=label, class_="spina-race")


def _check(board: Layout, chariots: Sequence[Chariot], die: str | None, crowd: Sequence[Card | None]) -> None:
    """Raise ValueError for what cannot be drawn correctly."""
    last = len(board.spaces) - 1
    for c in chariots:
        if not 0 <= c.space <= last:
            raise ValueError(f"no space {c.space} on this board: they count from 0 to {last}")
    if len({(c.space, c.lane) for c in chariots}) < len(chariots):
        raise ValueError("two chariots cannot stand in one lane of a space")
    if len({c.seat for c in chariots}) < len(chariots):
        raise ValueError("a seat has one chariot")
    if die is not None and die not in FACE_NAMES:
        raise ValueError(f"no face of the die is called {die!r}: they are {', '.join(FACE_NAMES)}")
    if len(crowd) > CROWD:
        raise ValueError(f"the crowd track has {CROWD} slots, not {len(crowd)}")
    for card in crowd:
        names = () if card is None else (card.icon, *(colour for colour, _, _ in card.symbols))
        for name, known in zip(names, (ICON_NAMES, *[COLOUR_NAMES] * len(names)), strict=False):
            if name not in known:
                raise ValueError(f"a crowd card cannot show {name!r}: that is none of {', '.join(known)}")


def _board(board: Layout, title: str, laps: int, done: int) -> list[Element]:
    return [definitions(), *building(oval, DEPTH, WIDTH, HEIGHT), *_track(board), *_spina(title, laps, done)]


def pieces(board: Layout, chariots: Sequence[Chariot], laps: int) -> list[Element]:
    """The chariots on their spaces, in their lanes."""
    together = Counter(c.space for c in chariots)
    found = []
    for c in sorted(chariots, key=lambda c: (c.space, c.lane)):
        x, y, turn = board.spot(c.space, c.lane, max(together[c.space], c.lane + 1))
        words = element("title", _words(c, laps))
        found.append(chariot(c.seat, x, y, turn, words, scale=board.scale, id=f"chariot-{c.seat}", class_="chariot"))
    return found


# --- the track ------------------------------------------------------------------------------------------------------


def _track(board: Layout) -> list[Element]:
    """The spaces, the ruts of the wheels, arrows that show the way, the start, the line, the numbers."""
    p = Palette
    spaces = [space_drawing(space, space.index == board.start) for space in board.spaces]
    rut: Look = {"stroke": p.EARTH_DEEP, "stroke_opacity": 0.13, "stroke_width": 1.5}
    ruts = [path(oval(DEPTH * k / LANES), stroke_dasharray=f"{60 + 17 * k} {9 + k}", **rut) for k in range(1, LANES)]
    return [
        group(spaces, class_="track", stroke=p.SAND_LINE, stroke_width=1.8, stroke_linejoin="round"),
        group([*ruts, *_arrows(board)], class_="ruts", fill="none", pointer_events="none"),
        _start(board),
        line(board.spaces[0].along[0], checks=22),
        _numbers(board),
    ]


def space_drawing(space: Space, start: bool) -> Element:
    """A space of the track."""
    words = f"Space {space.index}" + (", outer" if space.outer else "") + (", the start" if start else "")
    kinds = "space " + ("outer" if space.outer else "regular") + (" start" if start else "")
    fill = Palette.SAND if space.index % 2 else Palette.SAND_WARM
    if space.outer:
        fill = "url(#spina-earth)"
    elif start:
        fill = Palette.TRAVERTINE
    return path(space.path, element("title", words), id=f"space-{space.index}", class_=kinds, fill=fill)


def _arrows(board: Layout) -> list[Element]:
    """Chevrons in the sand of the straights, counterclockwise."""
    look: Look = {"stroke": Palette.EARTH_DEEP, "stroke_width": 4, "stroke_opacity": 0.2}
    plain = [s for s in board.spaces if not s.outer and s.index != board.start]
    chosen = nearest([s.middle for s in plain], (0.08, 0.5, 0.92))
    return [
        path(
            "M-13-22-1 0-13 22M1-22 13 0 1 22",
            transform=at(*point(s.middle, DEPTH / 2), s.heading, board.scale),
            **look,
        )
        for s in (plain[k] for k in chosen)
    ]


def _start(board: Layout) -> Element:
    """The start: a stall for each lane, and CARCERES, the name of the stalls of the circus."""
    space = board.spaces[board.start]
    begin, end = space.along
    inner, outer = space.deep
    stalls = ""
    for k in range(LANES + 1):
        deep = inner + (outer - inner) * k / LANES
        x, y = point(begin, deep)
        stalls += f"M{number(x)} {number(y)}" + edge(begin, begin + (end - begin) * 0.3, deep)
    middle = point(begin + (end - begin) * 0.8, (inner + outer) / 2)
    turned = at(*middle, space.heading - 90, board.scale)
    painted: Look = {"fill": Palette.BLOOD, "fill_opacity": 0.6}
    return group(
        [
            path(stalls, fill="none", stroke=Palette.BLOOD, stroke_width=2),
            inscription("CARCERES", 3, 4, 11, letter_spacing=7, transform=turned, **painted),
        ],
        class_="stalls",
        pointer_events="none",
    )


def _numbers(board: Layout) -> Element:
    """The number of each space on the kerb, or of every fifth if there is no room for all."""
    every = 1 if board.scale > 0.7 else 5
    found = []
    for space in board.spaces[::every]:
        x, y = point(space.middle, DEPTH + 1 + KERB / 2)
        found.append(element("text", str(space.index), x=x, y=y + 3.6))
    font: Look = {"font_family": "sans-serif", "font_size": 10, "text_anchor": "middle"}
    return group(found, class_="numbers", fill=Palette.INK_SOFT, pointer_events="none", **font)


# --- the spina ------------------------------------------------------------------------------------------------------


def _spina(title: str, laps: int, done: int) -> list[Element]:
    """The barrier with its monuments, and the emperor's shrine on it."""
    length: Look = {"textLength": min(340.0, 34.0 * max(len(title), 1)), "letter_spacing": 9}
    return [
        *spina(title, laps, done, length),
        group(_shrine(), class_="shrine", transform=at(SHRINE, PODIUM)),
    ]


def _shrine() -> list[Element]:
    """The emperor's shrine: three bays for the crowd cards, the place of the die in the gable."""
    p = Palette
    bay = CARDS[0][0] - CARDS[1][0]
    half = bay * CROWD / 2 + 6
    width, height = CARD
    medallion: Look = {"fill": p.WALL, "stroke": p.GILT, "stroke_width": 3}
    bays = [(x - SHRINE - width / 2, y - PODIUM - height / 2) for x, y in CARDS]
    niches = [rect(x, y, width, height, rx=4, fill=p.WALL_DEEP) for x, y in bays]
    return [
        *temple(half, CROWD, niches),
        element("circle", cx=DIE[0] - SHRINE, cy=DIE[1] - PODIUM, r=31, **medallion),
    ]


# --- what lies on the spina during a race ---------------------------------------------------------------------------

_PIGMENTS = dict(zip(COLOUR_NAMES, (Palette.MALACHITE, Palette.RED, Palette.OCHRE, Palette.INK), strict=True))
_SHAPES = dict(zip(COLOUR_NAMES, ("circle", "diamond", "star", "square"), strict=True))
_LINES = {  # glyphs drawn with a stroke: colour, width, path
    "sprint": (Palette.MALACHITE, 4.0, "M-10-8-1 0-10 8M1-8 10 0 1 8"),
    "attack": (Palette.RED, 3.0, "M-9 9 10-10M9 9-10-10M-10 3-3 10M10 3 3 10"),
    "recover": (Palette.GILT_SHADE, 6.0, "M0-10V10M-10 0H10"),
    "recovery": (Palette.GILT_SHADE, 6.0, "M0-10V10M-10 0H10"),
    "corner": (Palette.INK, 4.0, "M9 11V0A7 7 0 0 0-5 0V7M-11 1-5 8 1 1"),
    "whip": (Palette.INK_SOFT, 2.6, "M-10 10-3 3C5-5 11-1 6 3S-4-4 5-11"),
    "learning": (Palette.WATER, 3.4, "M0 10V-9M-7-2 0-9 7-2M-8 10H8"),
}
_SOLIDS = {  # glyphs that are filled
    "disrupt": (Palette.BLOOD, "M3-12-7 2H0L-4 12 7-3H0Z"),
    "shield": (Palette.WATER, "M-9-10H9V0C9 6 4 9 0 11C-4 9-9 6-9 0Z"),
}


def glyph(name: str) -> list[Element]:
    """The sign of a face of the die or of an icon, about 24 wide around (0, 0)."""
    if name == "all":
        corners = ((-11, -11), (0.5, -11), (-11, 0.5), (0.5, 0.5))
        return [
            rect(x, y, 10.5, 10.5, fill=pigment) for (x, y), pigment in zip(corners, _PIGMENTS.values(), strict=True)
        ]
    if name in _LINES:
        colour, width, data = _LINES[name]
        return [path(data, fill="none", stroke=colour, stroke_width=width)]
    if name in _SOLIDS:
        colour, data = _SOLIDS[name]
        return [path(data, fill=colour)]
    return [inscription(name, 0, 4, 10)]


def _on_spina(lap: int, die: str | None, crowd: Sequence[Card | None]) -> list[Element]:
    """The lap in numerals under the dolphins, the cards in the bays, the die in the gable."""
    p = Palette
    parts = []
    if lap > 0:
        parts.append(lap_numeral(roman(lap)))
    for slot, card in enumerate(crowd):
        if card is not None:
            face = card_drawing(card, active=slot == 0)
            parts.append(group(face, id=f"crowd-{slot}", class_="card", transform=at(*CARDS[slot])))
    if die is not None:
        face = [
            element("title", f"The emperor asks for: {die}"),
            rect(-19, -19, 38, 38, rx=7, fill=p.IVORY, stroke=p.INK),
            *glyph(die),
        ]
        parts.append(group(face, id="die", class_="die", transform=at(*DIE)))
        parts.append(frieze(die.upper(), SHRINE, PODIUM))
    return parts


def symbol(colour: str) -> list[Element]:
    """The sign of a colour around (0, 0), without a number."""
    return [path(shape(_SHAPES[colour], 11), fill=_PIGMENTS[colour])]


def card_drawing(card: Card, active: bool) -> list[Element]:
    """A crowd card around (0, 0): a row for each symbol, and one for the icon."""
    p = Palette
    width, height = CARD
    frame: Look = {"stroke": p.GILT, "stroke_width": 4.0} if active else {"stroke": p.TRAVERTINE_SHADE}
    parts = [
        element("title", ("Active crowd card: " if active else "Crowd card: ") + _card_words(card)),
        rect(-width / 2, -height / 2, width, height, rx=5, fill=p.IVORY, **frame),
    ]
    rows = len(card.symbols) + (card.icon != "none")
    pitch = min(38.0, (height - 8) / max(rows, 1))
    for row, (colour, value, count) in enumerate(card.symbols):
        y = (row - (rows - 1) / 2) * pitch
        step = min(27.0, 52 / max(count, 1))
        figure: Look = {"fill": p.INK if colour == "yellow" else p.IVORY, "font_weight": "bold"}
        for k in range(count):
            x = (k - (count - 1) / 2) * step
            parts += [
                path(shape(_SHAPES[colour], 11), transform=at(x, y), fill=_PIGMENTS[colour]),
                inscription(str(value), x, y + 5, 14.5, **figure),
            ]
    if card.icon != "none":
        place = at(0, (rows - 1) / 2 * pitch, scale=1.2 if card.symbols else 1.9)
        parts.append(group(glyph(card.icon), transform=place))
    return parts


# --- in words -------------------------------------------------------------------------------------------------------


def _line_of(c: Chariot) -> str:
    """The line under a name in the legend."""
    lap = f"LAP {roman(c.lap)}" if c.lap > 0 else "START"
    return "FINISHED" if c.finished else f"{lap} · SPACE {c.space}"


def _words(c: Chariot, laps: int) -> str:
    """One chariot in words."""
    lap = f"lap {c.lap} of {laps}" if c.lap > 0 else "before the line"
    facts = (
        f"{c.name} ({faction(c.seat).name})",
        "finished" if c.finished else lap,
        f"space {c.space}",
        f"lane {c.lane + 1} from the inside",
        f"{c.damage or 'no'} damage",
    )
    return (f"{ordinal(c.place)}: " if c.place > 0 else "") + ", ".join(facts)


def _card_words(card: Card) -> str:
    symbols = [f"{count} × {colour} {value}" for colour, value, count in card.symbols]
    icons = [] if card.icon == "none" else [card.icon]
    return ", ".join(symbols + icons) or "nothing"


def _label(
    title: str, standing: Sequence[str], lap: int, laps: int, die: str | None, crowd: Sequence[Card | None]
) -> str:
    """The whole position in words."""
    parts = [f"{title}, lap {lap} of {laps}" if lap > 0 else f"{title}, before the line", *standing]
    if die is not None:
        parts.append(f"The emperor asks for: {die}")
    cards = [_card_words(card) for card in crowd if card is not None]
    if cards:
        parts.append("Crowd cards, the active one first: " + "; ".join(cards))
    return ". ".join(parts) + "."
