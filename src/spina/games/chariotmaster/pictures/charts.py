"""Charts of Chariotmaster's rules page: the tables of the rules as pictures, drawn from the figures of an edition."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.components.equipment import Item
from spina.games.chariotmaster.pictures import pieces as figures
from spina.games.chariotmaster.pictures.figure_signs import coin, effect, heart, horse, star_sign, wheel
from spina.games.chariotmaster.pictures.layout import track_of
from spina.games.chariotmaster.play.explanation import chance_of
from spina.games.chariotmaster.rules.record import (
    CHARIOT,
    CM,
    DEGREE,
    DRAGGING,
    DRIVER,
    EDITION,
    MM,
    ROWS,
    TABLE_NAMES,
    TEAM,
    TOKEN_NAMES,
    WRECK,
    stamina_for,
)
from spina.games.figure_parts import DIE, arrow, die, label, sheet
from spina.games.pictures import Palette, inscription
from spina.games.svg import Element, Look, at, element, group, number, path, rect
from spina.kernel.record import look

WIDTH = 240.0
"""Of most charts."""
SUBMOVES = 4
"""Tests of a turn that the chart of chances shows: for the second sub-move up to the fifth."""
SKILL = 6
"""Of a plain driver."""
_INK: Look = {"fill": Palette.INK}
_LEFT: Look = {"text_anchor": "start"}

Chart = Callable[[ChariotmasterEdition], str]


def _sheet(width: float, height: float, parts: Sequence[Element]) -> str:
    ground = rect(0, 0, width, height, fill=Palette.SAND)
    return sheet(width, height, [ground, *parts], figures.definitions())


# --- pieces, tokens, points, tracks ---------------------------------------------------------------------------------


def bases(edition: ChariotmasterEdition) -> str:
    """Every kind of piece on its base, to scale, with length and width."""
    e = look(edition.data, EDITION)
    long, wide = 2 * e.half_long[0] / MM, 2 * e.half_wide[0] / MM
    kinds = [(CHARIOT, long), (TEAM, long / 2), (DRAGGING, long / 2), (WRECK, long / 2), (DRIVER, wide / 2)]
    parts: list[Element] = []
    x = 14.0
    for k, (kind, size) in enumerate(kinds):
        across = wide / 2 if kind == DRIVER else wide
        scale = 1.6
        middle = x + size * scale / 2
        chariot = {"chariot": k, "driver": "dragged" if kind == DRAGGING else "aboard"}
        parts.append(
            group([figures.piece(kind, (0, 0, 0), (size, across), chariot)], transform=at(middle, 32, scale=scale))
        )
        parts += label(f"{size / 10:g} × {across / 10:g} cm", middle, 62)
        x += max(size * scale, 38) + 14
    axle = 14 + (long / 2 + figures.CAR) * 1.6
    parts.append(path(f"M{axle:.1f} 8V56", stroke=Palette.BLOOD, stroke_width=1.2, stroke_dasharray="4 2"))
    return _sheet(x, 74, parts)


def tokens(edition: ChariotmasterEdition) -> str:
    """How far each token lets a chariot drive, and how far it may then turn."""
    e = look(edition.data, EDITION)
    parts: list[Element] = []
    begin, top = 52.0, 30.0
    for k, name in enumerate(TOKEN_NAMES):
        y = top + 56 * k
        least, most, angle = e.least[k] / MM, e.most[k] / MM, e.pivot[k] / DEGREE
        front = begin + 20
        parts += [
            *coin(name, 12, y, 9),
            figures.piece(CHARIOT, (begin, y, 0), (40, 20), {"chariot": 0}),
            rect(front + least, y - 10, most - least, 20, fill=Palette.MALACHITE, fill_opacity=0.35),
            path(f"M{front} {y}H{number(front + most)}", stroke=Palette.INK, stroke_width=1, stroke_dasharray="3 2"),
            path(_fan(front + most, y, angle), fill=Palette.GILT, fill_opacity=0.5, stroke=Palette.GILT_SHADE),
            *label(f"{least / 10:g}–{most / 10:g} cm", front + most / 2, y - 17),
            *label(f"{angle:g}°", front + most + 38, y),
        ]
    return _sheet(WIDTH + 34, top + 56 * len(TOKEN_NAMES) - 18, parts)


def _fan(x: float, y: float, angle: float) -> str:
    reach = 26
    a, b = reach * math.cos(math.radians(angle)), reach * math.sin(math.radians(angle))
    return f"M{number(x)} {number(y)}l{number(a)} {number(-b)}A{reach} {reach} 0 0 1 {number(x + a)} {number(y + b)}Z"


def points(edition: ChariotmasterEdition) -> str:
    """What a plain chariot has at the start: of what, and how much."""
    kit = edition.kit
    plain = {category: kit.items[name] for category, name in kit.standard.items()}
    signs = [
        ([horse()], str(_stamina(edition))),
        (wheel(), str(plain["chassis"].structure)),
        ([heart()], str(plain["fitness"].health)),
        ([star_sign()], str(plain["skill"].skill)),
    ]
    parts: list[Element] = []
    for k, (sign, value) in enumerate(signs):
        x = 30 + 58 * k
        parts += [group(sign, transform=at(x, 22, scale=1.8))]
        parts.append(inscription(value, x, 54, 13, font_weight="bold"))
    return _sheet(WIDTH, 66, parts)


def _stamina(edition: ChariotmasterEdition) -> int:
    """Of plain horses at the start of a race on the first track (E11)."""
    scenario = edition.scenarios[0]
    return stamina_for(scenario.laps * scenario.lap, 0)


def tracks(edition: ChariotmasterEdition) -> str:
    """All tracks of the edition, to the same scale."""
    parts: list[Element] = []
    x, tallest = 10.0, 0.0
    for k, scenario in enumerate(edition.scenarios):
        track = track_of(edition.data, k, scenario.title)
        scale = 0.17
        width, height = track.size[0] * scale, track.size[1] * scale
        line = track.place(track.line)
        half = track.half_width / MM
        drawn = [
            path(track.ground(), fill=Palette.SAND, fill_rule="evenodd", stroke=Palette.INK_SOFT, stroke_width=5),
            path(f"M0 {-half}V{half}", transform=at(*line), stroke=Palette.BLOOD, stroke_width=10),
            group(arrow([(0, 0), (70, 0)], Palette.INK), transform=at(*track.place(track.line + 4 * CM), 1.6)),
            *(
                path(
                    f"M-{block.half_long / MM} -{block.half_wide / MM}h{2 * block.half_long / MM}"
                    f"v{2 * block.half_wide / MM}h-{2 * block.half_long / MM}z",
                    transform=at(*track.spot(block.x, block.y, block.heading)),
                    fill=Palette.TRAVERTINE if block.low else Palette.INK_SOFT,
                    stroke=Palette.INK,
                    stroke_width=3,
                )
                for block in track.obstacles
            ),
        ]
        parts.append(group(drawn, transform=at(x, 6, scale=scale)))
        parts.append(inscription(scenario.title, x + width / 2, height + 14, 7.5, fill=Palette.IVORY))
        x, tallest = x + width + 8, max(tallest, height)
    ground = rect(0, 0, x, tallest + 22, fill=Palette.WALL)
    return sheet(x, tallest + 22, [ground, *parts])


# --- tests and collisions -------------------------------------------------------------------------------------------


def chances(edition: ChariotmasterEdition) -> str:
    """The chance of passing the test of each further sub-move, by token, for a plain driver."""
    e = look(edition.data, EDITION)
    parts: list[Element] = []
    for k, name in enumerate(TOKEN_NAMES):
        y = 16 + 24 * k
        parts += coin(name, 14, y, 8)
        for begun in range(1, SUBMOVES + 1):
            good = round(6 * chance_of(SKILL, begun + int(e.test[k])))
            x = 36 + 52 * (begun - 1)
            for face in range(6):
                passed: Look = {"fill": Palette.MALACHITE if face < good else Palette.BLOOD}
                parts.append(rect(x + 6.6 * face, y - 6, 5.6, 12, rx=1, fill_opacity=0.85, **passed))
                if face >= good:
                    cross = f"M{number(x + 6.6 * face + 1.3)} {y - 2}l3 4m0-4l-3 4"
                    parts.append(path(cross, stroke=Palette.IVORY, stroke_width=0.8))
    for begun in range(1, SUBMOVES + 1):
        parts.append(inscription(f"{begun + 1}.", 36 + 52 * (begun - 1) + 19, 92, 8))
    return _sheet(WIDTH + 6, 98, parts)


def values(edition: ChariotmasterEdition) -> str:
    """What every part rolls in a collision: one die for each point of its value."""
    e = look(edition.data, EDITION)
    low, high = (int(limit) for limit in e.body_limit)
    team = [*figures.figure(TEAM, {"chariot": 0}, 0)]
    man = figures.figure(DRIVER, {"chariot": 1}, 0)
    wreck = figures.figure(WRECK, {"chariot": 2}, 0)
    wall = [rect(-10, -8, 20, 16, fill=Palette.TRAVERTINE_SHADE, stroke=Palette.INK)]
    body = [group(figures.figure(CHARIOT, {"chariot": 3}, 0), transform=at(0, 0, scale=0.8))]
    shown = [
        (man, int(e.value_driver), ""),
        (team, 2 * int(e.value_horse), ""),
        (wreck, int(e.value_wreck), ""),
        (body, int(e.value_body[0]), f"≤ {low - 1}"),
        (body, int(e.value_body[1]), f"{low}–{high - 1}"),
        (body, int(e.value_body[2]), f"≥ {high}"),
        (wall, int(e.value_wall), ""),
    ]
    parts: list[Element] = []
    for k, (drawn, count, limit) in enumerate(shown):
        x, y = 22.0 + 118 * (k % 2), 16.0 + 26 * (k // 2)
        parts.append(group(drawn, transform=at(x, y)))
        if limit:
            parts += [
                group(wheel(), transform=at(x + 24, y, scale=0.8)),
                inscription(limit, x + 31, y + 2.6, 7, **_LEFT),
            ]
        for n in range(count):
            parts.append(group(die(6).parts, transform=at(x + 50 + (DIE + 1) * n - (24 if not limit else 0), y)))
    return _sheet(WIDTH, 26 * 4 + 8, parts)


def bounces(edition: ChariotmasterEdition) -> str:
    """Where the initiator (R) and its target (W) go, by the bounce value."""
    e = look(edition.data, EDITION)
    back, push, throw, follow = (
        float(mm) / MM for mm in (e.bounce_back, e.bounce_push, e.bounce_throw, e.bounce_follow)
    )
    rows = [("≤ −3", -back, 0.0), ("−2, −1", 0.0, 0.0), ("0–2", 0.0, 0.0), ("3, 4", 0.0, push), ("≥ 5", follow, throw)]
    parts: list[Element] = []
    for k, (value, own, other) in enumerate(rows):
        y = 16.0 + 27 * k
        parts.append(inscription(value, 20, y + 3, 9, font_weight="bold"))
        base: Look = {"opacity": 0.3}
        if own:
            parts.append(group([figures.piece(CHARIOT, (80, y, 0), (40, 20), {"chariot": 0})], **base))
        if other:
            parts.append(group([figures.piece(CHARIOT, (120.2, y, 0), (40, 20), {"chariot": 1})], **base))
        parts.append(figures.piece(CHARIOT, (80 + own, y, 0), (40, 20), {"chariot": 0}))
        parts.append(figures.piece(CHARIOT, (120.2 + other, y, 0), (40, 20), {"chariot": 1}))
        if own:
            parts += arrow([(80, y), (80 + own, y)], Palette.BLOOD, dashed=True)
        if other:
            parts += arrow([(120.2, y), (120.2 + other, y)], Palette.BLOOD, dashed=True)
        if own or other:
            moved = " · ".join(f"{abs(way) / 10:g} cm" for way in (own, other) if way)
            parts += label(moved, 204, y)
        if k < 2:  # the turn of an active initiator ends
            parts.append(group([_stop()], transform=at(48, y)))
    return _sheet(WIDTH, 27 * len(rows) + 6, parts)


def _stop() -> Element:
    edge = "M-2.4-5.8h4.8l3.4 3.4v4.8l-3.4 3.4h-4.8l-3.4-3.4v-4.8z"
    return group(
        [
            path(edge, fill=Palette.BLOOD, stroke=Palette.INK, stroke_width=0.6),
            rect(-3.4, -1, 6.8, 2, fill=Palette.IVORY),
        ]
    )


# --- out of points --------------------------------------------------------------------------------------------------


def _table(edition: ChariotmasterEdition, table: str) -> str:
    """A table for those who have no points left: every result with the signs of its effects."""
    cell, high = 30.0, 56.0
    parts: list[Element] = []
    for row, names in enumerate(edition.tables[table]):
        x = 4 + cell * row
        worse = "+1" in names
        done = [name for name in names if name != "+1"]
        fill = Palette.IVORY if not done else "#f2c9a8" if "dies" not in done else "#d99a86"
        parts.append(rect(x, 4, cell - 2, high, rx=3, fill=fill, stroke=Palette.TRAVERTINE_SHADE, stroke_width=0.8))
        result = f"{row + 1}{'+' if row == ROWS - 1 else ''}"
        parts.append(inscription(result, x + cell / 2 - 1, 13, 8, font_weight="bold"))
        for k, name in enumerate(done):
            parts.append(group(effect(name), transform=at(x + cell / 2 - 1, 24 + 15 * k, scale=0.95)))
        if worse:
            parts.append(inscription("+1", x + cell / 2 - 1, high, 7.5, fill=Palette.BLOOD, font_weight="bold"))
    return _sheet(cell * ROWS + 6, high + 8, parts)


def _out_of(table: str) -> Chart:
    return lambda edition: _table(edition, table)


# --- equipment ------------------------------------------------------------------------------------------------------


def equipment(edition: ChariotmasterEdition) -> str:
    """What each part costs, as bars to the left (points back) and to the right."""
    items = list(edition.kit.items.values())
    categories = list(dict.fromkeys(item.category for item in items))
    columns = [[item for item in items if item.category == category] for category in categories]
    parts: list[Element] = []
    signs = {"chassis": wheel(), "horses": [horse()], "skill": [star_sign()], "fitness": [heart()], "other": []}
    y = 12.0
    for category, column in zip(categories, columns, strict=True):
        parts.append(group(signs[category], transform=at(14, y)))
        x = 40.0
        for item in column:
            plate: Look = {"fill": Palette.TRAVERTINE, "stroke": Palette.TRAVERTINE_SHADE}
            parts.append(rect(x, y - 8, 38, 16, rx=3, **plate))
            worth = _worth(item)
            parts.append(inscription(worth, x + 13, y + 2.6, 6.6))
            price = f"{item.cost:+d}".replace("-", "−") if item.cost else "0"
            parts += [
                element("circle", cx=x + 31, cy=y, r=5.6, fill=Palette.GILT, stroke=Palette.GILT_SHADE),
                inscription(price, x + 31, y + 2.2, 6, font_weight="bold"),
            ]
            x += 40
        y += 21
    return _sheet(40 + 40 * max(len(column) for column in columns) + 4, y - 2, parts)


def _worth(item: Item) -> str:
    """The figure that an item gives."""
    if given := item.structure or item.skill or item.health:
        return str(given)
    if item.top:
        return f"{item.top / CM:g} cm"
    if item.percent:
        return f"{item.percent:+d} %".replace("-", "−")
    return "!" if item.fright else "±1" if item.luck else "–"


def beasts(edition: ChariotmasterEdition) -> str:
    """Horses, wolves, boars and a frightening team, each with the reach of its fastest token."""
    tops = {item.name: item.top for item in edition.kit.items.values() if item.top}
    plain = int(look(edition.data, EDITION).most[-1])
    shown = [("horses", False, plain), ("wolves", False, tops["wolves"]), ("boars", False, tops["boars"])]
    parts: list[Element] = []
    for k, (beast, fright, top) in enumerate([*shown, ("horses", True, plain)]):
        y = 17.0 + 30 * k
        c = {"chariot": k, "beast": beast, "frightening": fright}
        parts.append(figures.piece(CHARIOT, (30, y, 0), (40, 20), c))
        end = 52 + top / MM
        parts += [*arrow([(52, y), (end, y)]), *label(f"{top / CM:g} cm", 52 + top / MM / 2, y - 9)]
    return _sheet(WIDTH + 4, 30 * 4 + 6, parts)


CHARTS: dict[str, Chart] = {
    "bases": bases,
    "tokens": tokens,
    "points": points,
    "tracks": tracks,
    "chances": chances,
    "values": values,
    "bounces": bounces,
    "equipment": equipment,
    "beasts": beasts,
    **{f"out of {table}": _out_of(table) for table in TABLE_NAMES},
}
"""Charts by name."""
