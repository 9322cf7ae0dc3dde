"""Small signs in the figures of Chariotmaster: points, tokens, and what the out-of-points tables do."""

from __future__ import annotations

from spina.games.chariotmaster.pictures import pieces as figures
from spina.games.chariotmaster.rules.record import DRIVER, EFFECT_NAMES, WRECK
from spina.games.figure_parts import Item, arrow, drawing
from spina.games.pictures import Palette, inscription
from spina.games.svg import Element, Look, at, element, group, path, use

_LINE: Look = {"fill": "none", "stroke": Palette.INK, "stroke_width": 1.1, "stroke_linecap": "round"}
_CROSSED = path("M-6 5 6-5", stroke=Palette.BLOOD, stroke_width=1.6, stroke_linecap="round")


def horse() -> Element:
    """A horse: the sign of stamina."""
    return use("spina-horse", fill="#c99a6a", transform=at(-9.5, 0))


def wheel() -> list[Element]:
    """A wheel: the sign of structure."""
    spokes = path("M-5 0H5M0-5V5M-3.5-3.5 3.5 3.5M-3.5 3.5 3.5-3.5", stroke=Palette.INK, stroke_width=0.8)
    return [element("circle", r=5, fill="none", stroke="#8a5a2b", stroke_width=2), spokes]


def heart() -> Element:
    """A heart: the sign of health."""
    data = "M0 5C-7 0-6-5-3-5C-1-5 0-3.4 0-2.6C0-3.4 1-5 3-5C6-5 7 0 0 5Z"
    return path(data, fill=Palette.BLOOD, stroke=Palette.INK, stroke_width=0.6)


def star_sign() -> Element:
    """A star: the sign of skill."""
    data = "M0-5 1.4-1.6 5-1.5 2.2.8 3.1 4.4 0 2.4-3.1 4.4-2.2.8-5-1.5-1.4-1.6Z"
    return path(data, fill=Palette.GILT, stroke=Palette.GILT_SHADE, stroke_width=0.7)


def _reins() -> Element:
    return path("M-7-3q4 3 6 0t7 1M-7 3q4-3 6 0t7-1", **_LINE)


def _knife() -> Element:
    return path("M-4 4-1.4 1.4M-2.6 0 0 2.6M-.8.8 5-5Q5.4-1 1 2Z", **_LINE)


def _whip() -> Element:
    return path("M-5 5-1 1Q2-2 4 0T1 4Q-1 3 0 1", **_LINE)


POINT_SIGNS: dict[str, Item] = {
    "stamina": drawing([horse()], 20),
    "structure": drawing(wheel(), 12),
    "health": drawing([heart()], 12),
    "skill": drawing([star_sign()], 11),
    "reins": drawing([_reins()], 15),
    "dead-horse": drawing([use("spina-fallen", transform=at(-9.5, 0))], 20),
    "no-knife": drawing([_knife(), _CROSSED], 12),
    "no-whip": drawing([_whip(), _CROSSED], 12),
}
"""Signs by what they stand for."""


def token_coin(token: str) -> Item:
    """A speed token."""
    return Item(13, tuple(coin(token, 6.5)))


def coin(token: str, x: float, y: float = 0.0, radius: float = 6.2) -> list[Element]:
    """A speed token around a point."""
    p = Palette
    size = radius * (1.0 if len(token) > 1 else 1.2)
    return [
        element("circle", cx=x, cy=y, r=radius, fill=p.GILT, stroke=p.GILT_SHADE, stroke_width=1.2),
        inscription(token, x, y + size * 0.36, size, font_weight="bold"),
    ]


def _man(*more: Element) -> list[Element]:
    return [group(figures.figure(DRIVER, {"chariot": 0}, 0), transform=at(0, 0, scale=1.2)), *more]


def effect(name: str) -> list[Element]:
    """The sign of an effect of the out-of-points tables, at most 24 wide and 13 high around (0, 0)."""
    p = Palette
    match name:
        case "back D3" | "back D6":
            return [
                *arrow([(10, 3), (-10, 3)], p.BLOOD),
                inscription(name.removeprefix("back "), 0, -1.5, 6, font_weight="bold"),
            ]
        case "left D6" | "right D6":
            down = -1 if name.startswith("left") else 1
            return [
                *arrow([(-6, -7 * down), (-6, 7 * down)], p.BLOOD),
                inscription("D6", 5, 2.2, 6, font_weight="bold"),
            ]
        case "exhausted":
            return [horse(), group(figures.sign("out-of-control"), transform=at(9, -4, scale=0.8))]
        case "wheel":
            return [*wheel(), path("M3-7-1-1 2 1-2 7", fill="none", stroke=p.BLOOD, stroke_width=1.4)]
        case "gives up token":
            return [*coin("?", 0), _CROSSED]
        case "horse dies":
            return [use("spina-fallen", transform=at(-9.5, 0))]
        case "halve":
            return [inscription("½", 0, 3, 9)]
        case "loses stamina" | "loses skill":
            sign = group([horse()], transform=at(5, 0, scale=0.75)) if name.endswith("stamina") else star_sign()
            return [inscription("−1", -9, 2.6, 7, font_weight="bold"), sign]
        case "loses reins":
            return [_reins(), _CROSSED]
        case "stunned":
            return [group(figures.sign("unconscious"), transform=at(0, 0, scale=1.5))]
        case "out of control":
            return [group(figures.sign("out-of-control"), transform=at(0, 0, scale=1.5))]
        case "falls off":
            return [*_man(), *arrow([(9, -6), (9, 6)], p.BLOOD)]
        case "crashes":
            return [group(figures.figure(WRECK, {"chariot": 0}, 0)[:-1], transform=at(0, 0, scale=0.68))]
        case "loses knife":
            return [_knife(), _CROSSED]
        case "dies":
            return [group(figures.sign("dead"), transform=at(0, 0, scale=1.6))]
    raise ValueError(f"no sign for {name!r}: effects are {', '.join(EFFECT_NAMES)}")
