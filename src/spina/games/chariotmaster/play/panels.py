"""The panels beside the track of Chariotmaster, one for each chariot, and the chariots in words."""

from __future__ import annotations

from collections.abc import Sequence

from spina.games.chariotmaster.pictures.pieces import colours, paint
from spina.games.chariotmaster.rules.record import MM, POINT_NAMES, TOKEN_NAMES
from spina.games.factions import faction, shape
from spina.games.mapping_struct import Fields
from spina.games.pictures import Palette, inscription, ordinal, roman, shortened, wreath
from spina.games.svg import Element, Look, at, element, group, number, path, rect

WIDE, HIGH = 176.0, 84.0
"""Size of a panel, before it is scaled to the picture."""
GAP = 8.0
ABREAST = 6
"""Panels in a row."""
CAPTIONS = {"stamina": "STAM.", "structure": "STRUCT.", "health": "HEALTH", "skill": "SKILL"}
ROOM = 25
"""Letters of a line of a chariot's state; signs take some of them."""


def height(count: int, width: float) -> float:
    """Height of the strip of this many panels below a picture of this width."""
    rows = -(-count // ABREAST)
    return rows * (HIGH + GAP) * _scale(width) + GAP if rows else 0.0


def _scale(width: float) -> float:
    return (width - 3 * GAP) / (ABREAST * (WIDE + GAP))


def panels(view: Fields, names: Sequence[str], width: float, y: float) -> Element:
    """The panels of all chariots, the first one first, in rows from y on."""
    ranked = sorted(view["chariots"], key=lambda c: (c["place"] or len(names) + 99, c["chariot"]))
    scale = _scale(width)
    found = []
    for k, c in enumerate(ranked):
        row, column = divmod(k, ABREAST)
        abreast = min(len(ranked) - row * ABREAST, ABREAST)
        left = width / 2 - scale * (abreast * (WIDE + GAP) - GAP) / 2
        place = at(left + scale * (WIDE + GAP) * column, y + scale * (HIGH + GAP) * row, scale=scale)
        kinds = "panel active" if c["chariot"] == view["active"] else "panel"
        parts = _panel(c, name_of(c, names), view["laps"], c["chariot"] == view["active"])
        found.append(group(parts, id=f"panel-{c['chariot']}", class_=kinds, transform=place))
    return group(found, class_="panels")


def _panel(c: Fields, name: str, laps: int, active: bool) -> list[Element]:
    p = Palette
    of = colours(c["chariot"])
    left: Look = {"text_anchor": "start"}
    gone = c["out"] or c["driver"] == "dead"
    edge: Look = {"stroke": p.GILT, "stroke_width": 3.5} if active else {"stroke": p.INK_SOFT, "stroke_width": 0.8}
    band = f"M30 0V{number(HIGH)}H5A5 5 0 0 1 0 {number(HIGH - 5)}V5A5 5 0 0 1 5 0Z"
    parts = [
        element("title", words(c, name, laps)),
        rect(0, 0, WIDE, HIGH, rx=5, fill=p.TRAVERTINE_MID if gone else p.TRAVERTINE, **edge),
        path(band, fill=paint(c["chariot"]), fill_opacity=0.55 if gone else 1),
        path(shape(of.shape, 9.5), transform=at(15, 20), fill=faction(c["chariot"]).colour, stroke=of.ink),
        inscription(of.letter, 15, 23.4 if of.letter.islower() else 24.2, 12, fill=of.ink, font_weight="bold"),
        inscription(shortened(name, 13), 37, 17, 13.5, **left),
        inscription(_where(c, laps), 37, 29, 8.6, fill=p.INK_SOFT, letter_spacing=0.5, **left),
        *(part for k, kind in enumerate(POINT_NAMES) for part in _points(kind, c[kind], 37 + 25.5 * k)),
        *_tokens(c),
        *_things(c),
        _state(c),
    ]
    seal = []
    if c["place"]:
        disc = element("circle", r=11.5, fill=p.TRAVERTINE, stroke=p.INK_SOFT, stroke_width=0.8)
        seal = [disc, inscription(roman(c["place"]), 0, 4.2, 12 if c["place"] not in (7, 8) else 9.5, fill=p.BLOOD)]
    if c["home"]:
        seal.append(group([wreath()], transform="scale(.6)"))
    return [*parts, group(seal, class_="place", transform=at(15, 62))]


def _points(kind: str, value: int, x: float) -> list[Element]:
    """A kind of points: the figure, and its name below."""
    p = Palette
    spent = value <= 0
    look: Look = {"fill": p.BLOOD if spent else p.INK, "font_weight": "bold", "class_": f"points {kind}"}
    return [
        rect(x, 34, 23.5, 24, rx=2, fill=p.IVORY, stroke=p.RED if spent else p.TRAVERTINE_SHADE, stroke_width=0.8),
        inscription(str(value), x + 11.75, 47.5, 13, **look),
        inscription(CAPTIONS[kind], x + 11.75, 55.4, 5.2, fill=p.INK_SOFT, class_="caption"),
    ]


def _tokens(c: Fields) -> list[Element]:
    """The drawn token as a large coin, or a hidden one, and the tokens that the chariot still owns as small ones."""
    p = Palette
    token = c["token"]
    chosen = token and not c.get("drawn", True)  # still in the mug: only its own seat knows it
    coin: Look = {"fill": p.GILT if token else p.TRAVERTINE_SHADE, "stroke": p.GILT_SHADE, "stroke_width": 1.4}
    if chosen:
        coin |= {"fill_opacity": 0.4, "stroke_dasharray": "3 2"}
    parts = [
        element("circle", r=11.5, **coin),
        element("circle", r=9, fill="none", stroke=p.GILT_SHADE, stroke_width=0.6),
    ]
    if token:
        parts.append(inscription(token, 0, 4.3, 12.5, font_weight="bold"))
    found = [
        group(parts, class_=f"token{' chosen' if chosen else '' if token else ' hidden'}", transform=at(WIDE - 17, 46))
    ]
    for k, name in enumerate(TOKEN_NAMES):
        owned = name in c["tokens"]
        x = WIDE - 41 + 12.5 * k
        look: Look = {
            "fill": p.GILT if owned else "none",
            "stroke": p.GILT_SHADE,
            "stroke_opacity": 1 if owned else 0.5,
        }
        ink: Look = {"fill": p.INK} if owned else {"fill": p.INK_SOFT, "fill_opacity": 0.5}
        found += [
            element("circle", cx=x, cy=13, r=5.4, stroke_width=0.7, **look),
            inscription(name, x, 15.3, 6.4, class_="owned" if owned else "given-up", **ink),
        ]
    return found


def _things(c: Fields) -> list[Element]:
    """Whip, knife and luck, as small signs at the right end of the last line."""
    p = Palette
    x = WIDE - 12
    found = []
    line: Look = {"fill": "none", "stroke": p.INK_SOFT, "stroke_width": 1.3, "stroke_linecap": "round"}
    for name, data in (
        ("knife", "M-4 4-1.4 1.4M-2.6 0 0 2.6M-.8.8 5-5Q5.4-1 1 2Z"),
        ("whip", "M-5 5-1 1Q2-2 4 0T1 4Q-1 3 0 1"),
    ):
        if c[name]:
            found.append(path(data, class_=name, transform=at(x, 71), **line))
            x -= 14
    if c["luck"]:
        star = "M0-5 1.4-1.6 5-1.5 2.2.8 3.1 4.4 0 2.4-3.1 4.4-2.2.8-5-1.5-1.4-1.6Z"
        count = [inscription(str(c["luck"]), 9, 3, 8.5)] if c["luck"] > 1 else []
        signs = [path(star, fill=p.GILT, stroke=p.GILT_SHADE, stroke_width=0.7), *count]
        found.append(group(signs, class_="luck", transform=at(x - (8 if count else 0), 71)))
    return found


def _state(c: Fields) -> Element:
    """The chariot's states in two lines, as far as there is room."""
    found = states(c)
    if not found:
        found = _kind(c)
    things = bool(c["whip"]) + bool(c["knife"]) + bool(c["luck"]) + (c["luck"] > 1)
    room = ROOM - 3 * things
    lines = [""]
    for text in found:
        longer = f"{lines[-1]} · {text}" if lines[-1] else text
        if len(longer) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(text)
    look: Look = {"fill": Palette.BLOOD if states(c) else Palette.INK_SOFT, "text_anchor": "start"}
    first = 74.0 if len(lines) == 1 else 69.0
    return group(
        [
            inscription(shortened(line.upper(), room + 1), 37, first + 9 * k, 7.2, letter_spacing=0.2, **look)
            for k, line in enumerate(lines[:2])
        ],
        class_="state",
    )


# --- words ----------------------------------------------------------------------------------------------------------


def name_of(c: Fields, names: Sequence[str]) -> str:
    """The name of a chariot's driver."""
    return names[c["seat"]] if 0 <= c["seat"] < len(names) else colours(c["chariot"]).name


def states(c: Fields) -> list[str]:
    """The states of a chariot in words, the worst first."""
    found = ["out"] if c["out"] else []
    found += ["home"] if c["home"] else []
    found += [f"driver {c['driver']}"] if c["driver"] in ("dead", "dragged", "on foot", "off the track") else []
    found += [f"haft {c['driver'].removeprefix('on the haft ')}"] if c["driver"].startswith("on the haft") else []
    found += ["unconscious"] if c["stunned"] else []
    found += ["out of control"] if c["out_of_control"] and not c["out"] else []
    found += ["reins lost"] if not c["reins"] and not c["out"] and c["driver"] == "aboard" else []
    found += ["a dead horse"] if c["dead_horses"] else []
    found += ["exhausted"] if c.get("exhausted") else []
    found += ["a loose wheel"] if c.get("wheel") else []
    return found


def centimetres(way: float, places: int) -> str:
    """A distance in millimetres as centimetres, with a typographic minus sign."""
    text = f"{abs(way) / MM:.{places}f}"
    return f"−{text}" if way < 0 and float(text) else text


def _kind(c: Fields) -> list[str]:
    """The special features of its team."""
    return ([c["beast"]] if c["beast"] != "horses" else []) + (["frightening"] if c["frightening"] else [])


def _where(c: Fields, laps: int) -> str:
    """The line under a name."""
    if c["home"]:
        return f"CROSSED THE LINE {ordinal(c['home']).upper()}"
    way = f"{centimetres(c['progress'], 0)} CM"
    lap = f"LAP {roman(c['lap'])}" if c["lap"] > 0 else "START"
    return f"{lap} · {way}" if laps > 1 else way


def words(c: Fields, name: str, laps: int) -> str:
    """A chariot in words."""
    who = (f"{ordinal(c['place'])}: " if c["place"] else "") + f"{name} ({colours(c['chariot']).name})"
    points = ", ".join(f"{kind} {c[kind]}" for kind in POINT_NAMES)
    token = f"token {c['token']}{'' if c.get('drawn', True) else ' in the mug'}" if c["token"] else "token not drawn"
    lap = f", lap {c['lap']} of {laps}" if laps > 1 else ""
    facts = [f"{centimetres(c['progress'], 1)} cm{lap}", points, token, *_kind(c), *states(c)]
    return f"{who}, {', '.join(facts)}"
