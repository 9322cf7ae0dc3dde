"""The pieces of Chariotmaster as pictures, to scale: millimetres, seen from above, facing right, around (0, 0).

A piece is a group that stands at its pose and holds its base, the rectangle that the rules know, with the figure
on it. Chariots beyond the sixth have the colours of the first six with stripes, and small letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from spina.games.chariotmaster.play.piece_names import COLOURS
from spina.games.chariotmaster.rules.record import CHARIOT, DRAGGING, DRIVER, KIND_NAMES, TEAM, WRECK
from spina.games.factions import FACTIONS, Faction, faction, faction_number, shape
from spina.games.mapping_struct import Fields
from spina.games.pictures import Palette, inscription
from spina.games.svg import Element, Look, Value, at, element, group, path, rect, use

CAR = -10.0
"""Where the axle is: across the middle of the rear half (M2)."""
SIZES = {CHARIOT: (40.0, 20.0), TEAM: (20.0, 20.0), DRAGGING: (20.0, 20.0), WRECK: (20.0, 20.0), DRIVER: (10.0, 10.0)}
"""Length and width that the figures are drawn for, by kind."""
WRECKED = (3.2, 2.6, 4.4)
"""Where the letter of a wreck is, and its radius."""
LARGE, SMALL, SMALLEST = 5.2, 4.6, 3.0
"""Radii of the letters on chariots and teams, on a team that drags its driver, and on a man."""
ABOARD, HAFT = -1.4, 3.5
"""Where a driver stands in the body, and where he lies on the haft."""
YOKES = {CHARIOT: (0.0, 1.0), TEAM: (-10.0, 1.0), DRAGGING: (-5.0, 0.76)}
"""Where the team begins, and its scale, by kind."""
MARKS = {CHARIOT: -17.0, TEAM: -8.0, DRAGGING: -9.0}
"""Where the signs beside a piece are."""
BEASTS = {"horses": "spina-horse", "wolves": "spina-wolf", "boars": "spina-boar"}

_HIDE = {"wolves": "#8f8a82", "boars": "#6a4a36"}
_SIDES = (-4.9, 4.9)
"""Where the two beasts of a team are, across."""
_DEAD = "#9b948a"
_SKIN = "#d9a27c"
_WOOD = "#a97b4b"


def striped(chariot: int) -> bool:
    """Whether a chariot has stripes, to tell it from another one of its colour."""
    return chariot >= len(FACTIONS)


def colours(chariot: int) -> Faction:
    """The faction of a chariot; striped chariots have a small letter and another name."""
    of = faction(chariot)
    return replace(of, name=COLOURS[chariot], letter=of.letter.lower()) if striped(chariot) else of


def paint(chariot: int) -> str:
    """The fill of a chariot's shapes."""
    of = faction(chariot)
    return f"url(#spina-stripes-{of.name})" if striped(chariot) else of.colour


# --- definitions ----------------------------------------------------------------------------------------------------


def definitions(chariots: Sequence[int] = range(2 * len(FACTIONS))) -> list[Element]:
    """The definitions for pieces: beasts, and the stripes of chariots beyond the sixth."""
    return [_horse(), _wolf(), _boar(), _fallen(), *(_stripes(faction(c)) for c in chariots if striped(c))]


def _stripes(of: Faction) -> Element:
    tile: Look = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return element(
        "pattern",
        rect(0, 0, 4.4, 4.4, fill=of.colour),
        rect(0, 0, 1.5, 4.4, fill=of.ink, fill_opacity=0.8),
        id=f"spina-stripes-{of.name}",
        width=4.4,
        height=4.4,
        **tile,
    )


def _horse() -> Element:
    """A galloping horse, 19 long; coloured where it is used."""
    ink = Palette.INK
    legs = "M5.4-2.6 3-4.1M5.4 2.6 3 4.1M11.6-2.2 13.8-3.6M11.6 2.2 13.8 3.6"
    body = (
        "M1.6 0C1.6-2.3 3-3.2 4.9-3.1C6.6-3 7.6-2.3 9-2.4C10.4-2.6 11.8-2.5 12.8-1.6L15-1 15.3-2 16.1-1.1"
        "C17.6-1.1 19-.8 19.1 0C19 .8 17.6 1.1 16.1 1.1L15.3 2 15 1 12.8 1.6C11.8 2.5 10.4 2.6 9 2.4"
        "C7.6 2.3 6.6 3 4.9 3.1C3 3.2 1.6 2.3 1.6 0Z"
    )
    return group(
        [
            path(legs, stroke=ink, stroke_width=1, stroke_linecap="round"),
            path("M2.2 0C.9.3.5-.7-.4.1", fill="none", stroke=ink, stroke_width=1.3, stroke_linecap="round"),
            path(body, stroke=ink, stroke_width=0.6, stroke_linejoin="round"),
            path("M9.4 0H15.4", stroke=ink, stroke_width=1.1, stroke_opacity=0.75, stroke_dasharray="1.2 .4"),
        ],
        id="spina-horse",
    )


def _wolf() -> Element:
    """A running wolf, 19 long."""
    ink = Palette.INK
    legs = "M5-1.6 2.6-3.6M5 1.6 2.6 3.6M11-1.6 14-3.2M11 1.6 14 3.2"
    body = (
        "M4 0C4-1.7 5.2-2 6.6-1.9C8-1.8 8.8-1.5 10-2C11.4-2.5 12.4-2.1 13.2-1.5L12.9-3.1 15-1.7"
        "C16.4-1.2 18-.7 19.2 0C18 .7 16.4 1.2 15 1.7L12.9 3.1 13.2 1.5C12.4 2.1 11.4 2.5 10 2"
        "C8.8 1.5 8 1.8 6.6 1.9C5.2 2 4 1.7 4 0Z"
    )
    return group(
        [
            path("M4.6 0C3.4-1.8 1.4-1.7-.6-.6C1 .1 2.4 1.5 4.6 0Z", stroke=ink, stroke_width=0.6),
            path(legs, stroke=ink, stroke_width=0.9, stroke_linecap="round"),
            path(body, stroke=ink, stroke_width=0.6, stroke_linejoin="round"),
            path("M6 0H13", stroke=ink, stroke_width=1.2, stroke_opacity=0.35),
            path("M14.6-.7h1M14.6.7h1", stroke=Palette.GILT, stroke_width=0.7),
        ],
        id="spina-wolf",
    )


def _boar() -> Element:
    """A boar, 18 long, with its bristles and tusks."""
    ink = Palette.INK
    body = (
        "M2 0C2-3 3.8-4 6.2-3.9C8.8-3.8 11-3.9 12.8-2.8L13.6-3.6 14.2-2.2C15.8-1.8 17.2-1.2 18.4-1V1"
        "C17.2 1.2 15.8 1.8 14.2 2.2L13.6 3.6 12.8 2.8C11 3.9 8.8 3.8 6.2 3.9C3.8 4 2 3 2 0Z"
    )
    tusks = "M16.4-1.5Q17-3 18.8-2.8M16.4 1.5Q17 3 18.8 2.8"
    return group(
        [
            path("M2 0Q.8-1.4.2-.2", fill="none", stroke=ink, stroke_width=0.8),
            path(body, stroke=ink, stroke_width=0.6, stroke_linejoin="round"),
            path("M3.4 0H13", stroke=ink, stroke_width=2.4, stroke_opacity=0.7, stroke_dasharray=".7 .5"),
            path(tusks, fill="none", stroke=Palette.IVORY, stroke_width=1, stroke_linecap="round"),
        ],
        id="spina-boar",
    )


def _fallen() -> Element:
    """A dead beast on its side, legs stretched out: 18 long."""
    ink = Palette.INK
    legs = "M5 1 4 5M6.6 1.4 7 5.2M11.6 1.2 11.4 5M12.8 1 14 4.6"
    body = "M2-.6C2-2.6 4-3 6-2.6C8-2.2 10-2.8 12.4-2.4L16-3.4 18.4-2 18-.8 14.6-.2C13 1.4 10 1.6 8 1.6C5 2 2 1.4 2-.6Z"
    return group(
        [
            path(legs, stroke=ink, stroke_width=1.1, stroke_linecap="round"),
            path(body, fill=_DEAD, stroke=ink, stroke_width=0.6, stroke_linejoin="round"),
            path("M15.6-2.4l1.2 1.2m0-1.2-1.2 1.2", stroke=ink, stroke_width=0.5),
        ],
        id="spina-fallen",
    )


# --- pieces ---------------------------------------------------------------------------------------------------------


def piece(
    kind: int,
    pose: tuple[float, float, float],
    size: tuple[float, float],
    chariot: Fields | None,
    *children: Element,
    **attributes: Value,
) -> Element:
    """A piece at its pose in the picture: its base of this length and width, `children` under it, the figure on it."""
    if kind not in SIZES:
        raise ValueError(f"no figure stands for the kind {KIND_NAMES[kind]!r}")
    x, y, turn = pose
    long, wide = size
    base: Look = {"fill": Palette.IVORY, "fill_opacity": 0.32, "stroke": Palette.INK, "stroke_opacity": 0.6}
    drawn = SIZES[kind]
    scaled = None
    if (long, wide) != drawn:
        scaled = f"scale({long / drawn[0]:.4g} {wide / drawn[1]:.4g})"
    return element(
        "g",
        *children,
        rect(-long / 2, -wide / 2, long, wide, class_="base", stroke_width=0.5, **base),
        group(figure(kind, chariot or {"chariot": 0}, turn), transform=scaled),
        transform=f"{at(x, y)} rotate({turn:.1f})",
        **attributes,
    )


def figure(kind: int, c: Fields, turn: float) -> list[Element]:
    """The figure on a base, facing right; letters and marks stay upright when the piece is rotated."""
    if kind == CHARIOT:
        return _chariot(c, turn)
    if kind == TEAM:
        return [
            *_team(c, -10),
            *_reins(c, -10, loose=True),
            *_badge(c, -0.5, turn, LARGE),
            *_marks(c, MARKS[TEAM], turn),
        ]
    if kind == DRAGGING:
        return _dragging(c, turn)
    if kind == WRECK:
        return _wreck(c, turn)
    return _on_foot(c, turn)


def _chariot(c: Fields, turn: float) -> list[Element]:
    of = colours(c["chariot"])
    place = c.get("driver", "aboard")
    parts = [*_team(c, 0), *_car(c["chariot"])]
    if place == "aboard":
        parts += _reins(c, 0, loose=not c.get("reins", True))
        parts += [group(_man(of, bool(c.get("stunned"))), class_="driver", transform=at(ABOARD, 0))]
    elif place.startswith("on the haft"):
        parts += _reins(c, 0, loose=True)
        parts += [group(_lying(of), class_="driver haft", transform=at(HAFT, 0))]
    else:
        parts += _reins(c, 0, loose=True)
    return [*parts, *_badge(c, CAR, turn, LARGE), *_marks(c, MARKS[CHARIOT], turn)]


def _car(chariot: int) -> list[Element]:
    """The haft and its yoke, the axle, the wheels, and the body in the shape of the faction."""
    ink = Palette.INK
    wheel: Look = {"fill": _WOOD, "stroke": ink, "stroke_width": 0.6}
    return [
        path(f"M{CAR} 0H13M12-6.6V6.6", stroke=ink, stroke_width=1.5, fill="none"),
        path(f"M{CAR} 0H13M12-6.6V6.6", stroke=_WOOD, stroke_width=0.7, fill="none"),
        path(f"M{CAR}-9V9", stroke=ink, stroke_width=1.8),
        *(rect(CAR - 5, side - 1.1, 10, 2.2, rx=1.1, **wheel) for side in (-8.8, 8.8)),
        path(
            shape(colours(chariot).shape, 7.2), transform=at(CAR, 0), fill=paint(chariot), stroke=ink, stroke_width=0.9
        ),
    ]


def _team(c: Fields, x: float, scale: float = 1.0) -> list[Element]:
    """The two beasts of a team in the two centimetres from x on: those alive, the dead ones that still hang on."""
    of = faction(c["chariot"])
    beast = c.get("beast", "horses")
    alive, dead = c.get("horses", 2), c.get("dead_horses", 0)
    looks = [(BEASTS[beast], _HIDE.get(beast, of.horse))] * alive + [("spina-fallen", "none")] * dead
    parts: list[Element] = []
    if c.get("frightening"):
        parts.append(group([_spikes()], class_="frightening", transform=at(x, 0, scale=scale)))
    for (name, fill), side in zip(looks, _SIDES, strict=False):
        kind = "dead-horse" if name == "spina-fallen" else "horse"
        parts.append(use(name, fill=fill, class_=kind, transform=_harness(x, scale, side)))
    if beast != "horses" or striped(c["chariot"]):
        girths = "".join(_girth(x, scale, side) for side in _SIDES[:alive])
        if girths:
            parts.append(path(girths, stroke=of.colour, stroke_width=1.8, class_="girth"))
    return parts


def _harness(x: float, scale: float, side: float) -> str:
    return at(x + 0.4, side * (0.9 + scale / 10), scale=scale)


def _spikes() -> Element:
    half = "M20 0 16.8-2.4 19-6.8 14.6-6.4 13.6-10 10-7.6 6-10 5-6.6 0-8.4"
    return path(
        half + "V8.4L5 6.6 6 10 10 7.6 13.6 10 14.6 6.4 19 6.8 16.8 2.4Z", fill=Palette.WALL_DEEP, fill_opacity=0.55
    )


def _reins(c: Fields, x: float, loose: bool) -> list[Element]:
    lines = _lines(x, loose)[: c.get("horses", 2)]
    if not lines:
        return []
    look: Look = {"class_": "reins loose" if loose else "reins", "fill": "none", "stroke_width": 0.55}
    return [path("".join(lines), stroke=Palette.INK, **look)]


def _lines(x: float, loose: bool) -> tuple[str, str]:
    """The reins, from the driver's hands to the bits of either beast; loose ones trail in the sand."""
    if loose:
        left, right = (f"M{x + 15.6:.1f} {y}q-4 {-y / 2:.1f}-6 {y / 4:.1f}t-5 0" for y in _SIDES)
        return left, right
    return f"M{x - 0.5:.1f}-1.5L{x + 15.6:.1f}-4.9", f"M{x - 0.5:.1f} 1.5L{x + 15.6:.1f} 4.9"


def _girth(x: float, scale: float, side: float) -> str:
    return f"M{7.2 * scale + x:.1f} {side - 2.6:.1f}v5.2"


def _man(of: Faction, stunned: bool) -> list[Element]:
    """A driver from above, leaning forward; slumped to the side when unconscious."""
    ink = Palette.INK
    arms = "M-1.4-2.2Q1.2-2.6 1.4-1M-1.4 2.2Q1.2 2.6 1.4 1"
    if stunned:
        arms = "M-1-2.4Q-1.6-5 .6-5.6M-1 2.4Q1 3.6 .4 5.4"
    return [
        path(arms, stroke=ink, stroke_width=1.9, fill="none", stroke_linecap="round"),
        path(arms, stroke=_SKIN, stroke_width=1.1, fill="none", stroke_linecap="round"),
        element("ellipse", cx=-1.6, rx=1.5, ry=3, fill=of.colour, stroke=ink, stroke_width=0.5),
        element("circle", cx=-0.9, cy=1.2 if stunned else None, r=1.7, fill="#5a3a22", stroke=ink, stroke_width=0.5),
    ]


def _lying(of: Faction) -> list[Element]:
    """A man stretched out, head ahead: on the haft, or dragged through the sand. 9 long."""
    ink = Palette.INK
    return [
        path(
            "M-2-.7-5.4-1.1M-2 .7-5.4 1.1M1.6-1 4.4-1.8M1.6 1 4.4 1.8",
            stroke=ink,
            stroke_width=1.9,
            stroke_linecap="round",
        ),
        path(
            "M-2-.7-5.4-1.1M-2 .7-5.4 1.1M1.6-1 4.4-1.8M1.6 1 4.4 1.8",
            stroke=_SKIN,
            stroke_width=1.1,
            stroke_linecap="round",
        ),
        element("ellipse", cx=-0.4, rx=2.6, ry=1.6, fill=of.colour, stroke=ink, stroke_width=0.5),
        element("circle", cx=2.9, r=1.3, fill="#5a3a22", stroke=ink, stroke_width=0.5),
    ]


def _dragging(c: Fields, turn: float) -> list[Element]:
    """A team that drags its driver: he lies across the rear half centimetre."""
    behind, before = _dragged(faction(c["chariot"]))
    x, scale = YOKES[DRAGGING]
    return [
        *behind,
        *_team(c, x, scale),
        *before,
        *_badge(c, 0.5, turn, SMALL),
        *_marks(c, MARKS[DRAGGING], turn),
    ]


def _dragged(of: Faction) -> tuple[list[Element], list[Element]]:
    """The dust under such a team, and the man in his reins over it."""
    dust = "M-10-6q-4-1-6 1M-10 6q-4 1-6-1M-10-1q-5 1-8 0"
    reins = "M-7.5 0Q-5-3.4-.5-2.4L6.6-4M-7.5 0Q-5 3.4-.5 2.4L6.6 4"
    return [path(dust, fill="none", stroke=Palette.EARTH_DEEP, stroke_width=1, stroke_opacity=0.6)], [
        path(reins, fill="none", stroke=Palette.INK, stroke_width=0.55),
        rect(-10, -10, 5, 20, fill=Palette.BLOOD, fill_opacity=0.22),
        group(_lying(of), class_="driver dragged", transform=at(-7.6, 0.6, 90, 1.1)),
    ]


def _wreck(c: Fields, turn: float) -> list[Element]:
    return [*_splinters(c["chariot"]), *_badge(c, WRECKED[0], turn, WRECKED[2], WRECKED[1])]


def _splinters(chariot: int) -> list[Element]:
    """What is left of a chariot: a broken wheel, splinters, its torn colours."""
    ink = Palette.INK
    planks = "M-9-7 0 1M-8.6 6-3 9M4 8 9-3M1-9 8.6-8"
    rim = "M4.6 2.9A5.4 5.4 0 1 1 4.9-2.5L3.1-1.6A3.4 3.4 0 1 0 2.9 1.9Z"
    return [
        path("M-9-2-4-9 7-5 9 4 2 9-8 5Z", fill=paint(chariot), fill_opacity=0.85, stroke=ink, stroke_width=0.6),
        path(planks, stroke=ink, stroke_width=2.2, stroke_linecap="round"),
        path(planks, stroke=_WOOD, stroke_width=1.3, stroke_linecap="round"),
        group(
            [
                path("M0 0-3-3M0 0V-4M0 0-4 1M0 0-1.5 4M0 0 2.6 3", stroke=ink, stroke_width=0.9),
                path(rim, fill=_WOOD, stroke=ink, stroke_width=0.6, stroke_linejoin="round"),
            ],
            transform=at(-3.6, -3),
        ),
    ]


def _on_foot(c: Fields, turn: float) -> list[Element]:
    """A driver on his own feet; lying when unconscious."""
    if c.get("stunned"):
        lying = group(_lying(faction(c["chariot"])), class_="driver")
        return [lying, *_badge(c, -1.6, turn, SMALLEST), *_marks(c, 4.5, turn, 0.7)]
    return [*_walker(c["chariot"]), *_badge(c, 0, turn, SMALLEST)]


def _walker(chariot: int) -> list[Element]:
    ink = Palette.INK
    limbs = "M-.4-1.4 2.4-2M-.4 1.4-3 2M-.2-3.6 2.2-3.4M-.2 3.6-2.4 3.6"
    return [
        element("ellipse", cx=-0.4, cy=0.6, rx=4, ry=4.4, fill=ink, fill_opacity=0.2),
        path(limbs, stroke=ink, stroke_width=2, stroke_linecap="round"),
        path(limbs, stroke=_SKIN, stroke_width=1.2, stroke_linecap="round"),
        element("ellipse", rx=2.4, ry=4.2, fill=paint(chariot), stroke=ink, stroke_width=0.6),
    ]


def _badge(c: Fields, x: float, turn: float, radius: float, y: float = 0.0) -> list[Element]:
    """The letter of a chariot, upright; on a plain disc where the ground is striped or not its own."""
    of = colours(c["chariot"])
    size = radius * 1.75
    disc: Look = {"fill": of.colour, "stroke": of.ink if striped(c["chariot"]) else Palette.INK, "stroke_width": 0.6}
    plain = x == CAR and not striped(c["chariot"])
    return [
        group(
            [
                *([] if plain else [element("circle", r=radius * 0.9, **disc)]),
                inscription(
                    of.letter, 0, size * (0.28 if of.letter.islower() else 0.35), size, fill=of.ink, font_weight="bold"
                ),
            ],
            class_="letter",
            transform=f"translate({x:g} {y:g}) rotate({-turn:.1f})",
        )
    ]


def _marks(c: Fields, x: float, turn: float, scale: float = 1.0) -> list[Element]:
    """Signs beside a piece for its states: out of control, unconscious, a dead horse."""
    states = {"out-of-control": "out_of_control", "unconscious": "stunned", "dead": "dead_horses"}
    found = []
    for k, name in enumerate(name for name, state in states.items() if c.get(state)):
        y = (-10.5, 10.5, 0)[k]
        back = x - 5 if k == 2 else x
        turned = f"translate({back:g} {y * scale:g}) rotate({-turn:.1f})" + (f" scale({scale})" if scale != 1 else "")
        found.append(group(sign(name), class_=f"mark {name}", transform=turned))
    return found


def sign(name: str) -> list[Element]:
    """A sign for a state: "out-of-control", "unconscious" or "dead"."""
    p = Palette
    stars = "M-2.4.6a2.4 2.4 0 1 1 2.2 1.9M-.8.4a.9.9 0 1 1 .9.7"
    colour, inner = {
        "out-of-control": (p.RED, inscription("!", 0, 2.6, 7.5, fill=p.IVORY, font_weight="bold")),
        "unconscious": (p.WATER_DEEP, path(stars, fill="none", stroke=p.IVORY, stroke_width=0.8)),
        "dead": (p.INK, path("M0-2.6V2.8M-1.8-.9H1.8", stroke=p.IVORY, stroke_width=1)),
    }[name]
    return [element("circle", r=3.6, fill=colour, stroke=p.IVORY, stroke_width=0.7), inner]


# --- for a browser --------------------------------------------------------------------------------------------------


def symbols(chariots: Sequence[int]) -> list[Element]:
    """The parts from which a page assembles pieces, each drawn at its place on a base that faces right."""
    found = [
        group([_spikes()], id="spina-fright"),
        *(group(sign(name), id=f"spina-mark-{name}") for name in ("out-of-control", "unconscious", "dead")),
    ]
    for chariot in chariots:
        of = colours(chariot)
        dust, dragged = _dragged(of)
        parts = {
            "car": _car(chariot),
            "aboard": [group(_man(of, False), transform=at(ABOARD, 0))],
            "slumped": [group(_man(of, True), transform=at(ABOARD, 0))],
            "haft": [group(_lying(of), transform=at(HAFT, 0))],
            "lying": _lying(of),
            "dragged": [*dust, *dragged],
            "wreck": _splinters(chariot),
            "walker": _walker(chariot),
        }
        found += [group(drawn, id=f"spina-{name}-{chariot}") for name, drawn in parts.items()]
    return found


def assembly(chariots: Sequence[int]) -> dict[str, Any]:
    """How a page assembles pieces from `symbols`: colours, and the places of teams, letters and signs by kind."""
    teams = {
        KIND_NAMES[kind]: {
            "fright": at(x, 0, scale=scale),
            "beasts": [_harness(x, scale, side) for side in _SIDES],
            "girths": [_girth(x, scale, side) for side in _SIDES],
            "held": list(_lines(x, False)),
            "loose": list(_lines(x, True)),
        }
        for kind, (x, scale) in YOKES.items()
    }
    return {
        "sizes": {KIND_NAMES[kind]: list(size) for kind, size in SIZES.items()},
        "teams": teams,
        "marks": {KIND_NAMES[kind]: x for kind, x in MARKS.items()} | {KIND_NAMES[DRIVER]: 4.5},
        "badges": {
            KIND_NAMES[CHARIOT]: [CAR, 0, LARGE],
            KIND_NAMES[TEAM]: [-0.5, 0, LARGE],
            KIND_NAMES[DRAGGING]: [0.5, 0, SMALL],
            KIND_NAMES[WRECK]: list(WRECKED),
            KIND_NAMES[DRIVER]: [0, 0, SMALLEST],
        },
        "beasts": BEASTS,
        "hides": _HIDE,
        "ink": Palette.INK,
        "chariots": [
            {
                "name": COLOURS[chariot],
                "faction": faction_number(chariot),
                "letter": colours(chariot).letter,
                "colour": colours(chariot).colour,
                "horse": colours(chariot).horse,
                "ink": colours(chariot).ink,
                "striped": striped(chariot),
            }
            for chariot in chariots
        ],
    }


# --- obstacles ------------------------------------------------------------------------------------------------------


def obstacle(
    pose: tuple[float, float, float], size: tuple[float, float], low: bool, *children: Element, **attributes: Value
) -> Element:
    """A block of stone with its height: high ones cast a shadow and show their top, low ones are a bed of rubble."""
    p = Palette
    x, y, turn = pose
    long, wide = size
    a, b = long / 2, wide / 2
    edge: Look = {"stroke": p.INK, "stroke_width": 0.8, "stroke_linejoin": "round"}
    if low:
        parts = [
            rect(-a, -b, long, wide, rx=1, class_="base", fill=p.EARTH, **edge),
            path(_rubble(a, b), fill=p.TRAVERTINE_MID, stroke=p.INK_SOFT, stroke_width=0.6),
        ]
    else:
        rim = min(a, b) * 0.3
        parts = [
            rect(-a, -b, long, wide, class_="shadow", fill=p.INK, fill_opacity=0.3, transform=_down(turn, 5, 6)),
            rect(-a, -b, long, wide, class_="base", fill=p.TRAVERTINE_SHADE, **edge),
            rect(
                -a + rim,
                -b + rim,
                long - 2 * rim,
                wide - 2 * rim,
                fill=p.TRAVERTINE,
                stroke=p.INK_SOFT,
                stroke_width=0.6,
            ),
            path(
                f"M{-a:.1f} {-b:.1f}l{rim:.1f} {rim:.1f}M{a:.1f} {-b:.1f}l{-rim:.1f} {rim:.1f}"
                f"M{-a:.1f} {b:.1f}l{rim:.1f} {-rim:.1f}M{a:.1f} {b:.1f}l{-rim:.1f} {-rim:.1f}",
                stroke=p.INK_SOFT,
                stroke_width=0.6,
            ),
        ]
    return element("g", *children, *parts, transform=f"{at(x, y)} rotate({turn:.1f})", **attributes)


def _down(turn: float, right: float, down: float) -> str:
    """The shift of a rotated shape towards the lower right of the picture."""
    return f"rotate({-turn:.1f}) translate({right:g} {down:g}) rotate({turn:.1f})"


def _rubble(a: float, b: float) -> str:
    """Stones strewn over a low obstacle."""
    data = ""
    columns, rows = max(round(a / 3), 1), max(round(b / 3), 1)
    for i in range(columns):
        for j in range(rows):
            x = -a + 2 * a * (i + 0.5 + 0.16 * ((i + 2 * j) % 3 - 1)) / columns
            y = -b + 2 * b * (j + 0.5 + 0.14 * ((2 * i + j) % 3 - 1)) / rows
            r = 0.34 * min(2 * a / columns, 2 * b / rows)
            data += f"M{x - r:.1f} {y:.1f}l{r * 0.6:.1f} {-r:.1f}h{r * 0.8:.1f}l{r * 0.6:.1f} {r:.1f}l{-r:.1f} {r:.1f}Z"
    return data
