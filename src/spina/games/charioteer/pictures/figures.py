"""Figures of Charioteer's rules page: a position, the moves that were revealed, and where they led."""

from __future__ import annotations

from collections.abc import Iterator

from spina.games.charioteer.components.edition import CharioteerEdition
from spina.games.charioteer.pictures import board as drawn
from spina.games.charioteer.pictures.layout import CARD, Layout, layout
from spina.games.charioteer.play import events as told
from spina.games.charioteer.rules.record import COLOUR_NAMES
from spina.games.circus import line
from spina.games.factions import faction
from spina.games.figure_parts import Item, arrow, badge, drawing, framed, window, within, words
from spina.games.mapping_struct import Fields
from spina.games.pictures import Palette, definitions
from spina.games.rule_figures import Figure, Scene
from spina.games.svg import Element, Look, group, rect

ROOM = 45.0
LEAST = (320.0, 120.0)
NEAR = 90.0
"""How far outside the box the middle of a space may lie that is drawn."""
SMALL_CARD = 0.165

Point = tuple[float, float]


def draw(figure: Figure, scene: Scene | None, edition: CharioteerEdition) -> str:
    """The picture of a figure: the move of one seat, the first unless the figure says which."""
    assert scene is not None, f"{figure.id}: Charioteer has no charts"
    shown = int(figure.show.get("seat", 0))
    places = layout(edition.spaces, edition.outer, edition.start)
    before, after = (_chariots(view) for view in (scene.before, scene.after))
    way = _way(places, before[shown], scene, shown)
    box = window([*way, _spot(places, before[shown]), _spot(places, after[shown])], ROOM, LEAST)
    spaces = [space for space in places.spaces if within(space.centre, box, NEAR)]
    moved = [c for c in before if c.seat == shown and c.space != after[shown].space]
    edges: Look = {"stroke": Palette.SAND_LINE, "stroke_width": 1.8, "stroke_linejoin": "round"}
    parts = [
        rect(box[0], box[1], box[2], box[3], fill=Palette.TRAVERTINE_SHADE),
        group([drawn.space_drawing(space, space.index == places.start) for space in spaces], **edges),
        line(places.spaces[0].along[0], checks=22),
        group(drawn.pieces(places, moved, edition.laps), opacity=0.38),
        group(drawn.pieces(places, after, edition.laps)),
        *(arrow(way, short=24) if len(way) > 1 else []),
    ]
    common = [each for each in definitions().children if isinstance(each, Element)]
    return framed(box, parts, list(_rows(scene, shown)), common)


def _chariots(view: Fields) -> list[drawn.Chariot]:
    return [drawn.Chariot(c["seat"], "", c["space"], c["lane"]) for c in view["chariots"]]


def _spot(places: Layout, c: drawn.Chariot) -> Point:
    x, y, _ = places.spot(c.space, c.lane, c.lane + 1)
    return x, y


def _way(places: Layout, begin: drawn.Chariot, scene: Scene, seat: int) -> list[Point]:
    steps = [event for event in scene.events if isinstance(event, told.Stepped) and event.seat == seat]
    if not steps:
        return []
    points = [places.spot(event.space, event.lane, max(event.lane + 1, 2))[:2] for event in steps]
    now = _chariots(scene.after)[seat]
    if steps[-1].space == now.space:  # its lane may have changed since
        together = sum(c.space == now.space for c in _chariots(scene.after))
        points[-1] = places.spot(now.space, now.lane, max(together, now.lane + 1))[:2]
    return [_spot(places, begin), *points]


def _rows(scene: Scene, shown: int) -> Iterator[list[Item]]:
    """The revealed cards of the seat that moves and its sum, and cubes and skills, in their order."""
    cubes: dict[int, int] = {}
    for event in scene.events:
        match event:
            case told.Revealed() if event.seat == shown:
                cards = [_card(name) for name in event.cards]
                crowd = [words("+"), _card(scene.before["crowd"][0])] if event.crowd else []
                token = [words(f"{event.token.split()[0]}", bold=True), *_symbols(event.token)] if event.token else []
                yield [_of(shown), *cards, *crowd, *token]
            case told.Recovered() if event.seat == shown:
                yield [_of(shown), words(f"−{event.cubes}", bold=True), _cube(), words(f"= {event.left}")]
            case told.Calmed() if event.seat == shown:
                yield [_of(shown), words(f"−{event.damage + event.attack}", bold=True), _cube(), words("= 0")]
            case told.Counted() if event.seat == shown:
                yield [_of(shown), words(_sum(event), bold=True)]
            case told.Cube():
                cubes[event.seat] = cubes.get(event.seat, 0) + 1
            case told.Learned() if event.seat == shown:
                steps = event.place - event.before
                yield [_of(shown), *_symbols(event.colour) * steps]
            case told.Whipped() if event.seat == shown:
                yield [_of(shown), words(f"+{event.spaces}", bold=True), _whip()]
    for seat, count in cubes.items():
        yield [_of(seat), words(f"+{count}", bold=True), _cube()]


def _sum(event: told.Counted) -> str:
    parts = [f"{event.symbols} + {event.number}"]
    parts += [f"+ {event.token}"] if event.token else []
    parts += [f"+ {event.skill}"] if event.skill else []
    parts += [f"− {event.damage}"] if event.damage else []
    return " ".join(parts) + f" = {event.points}"


def _of(seat: int) -> Item:
    return badge(faction(seat))


def _card(name: str) -> Item:
    face = drawn.card_drawing(drawn.card(name), active=False)
    return drawing(face, CARD[0] * SMALL_CARD + 1, scale=SMALL_CARD)


def _symbols(name: str) -> list[Item]:
    """The sign of the colour that a name ends with, if it does."""
    colour = name.split()[-1]
    return [drawing(drawn.symbol(colour), 12, scale=0.5)] if colour in COLOUR_NAMES else []


def _whip() -> Item:
    return drawing(drawn.glyph("whip"), 14, scale=0.55)


def _cube() -> Item:
    return Item(9, (rect(0, -4.5, 9, 9, rx=1.2, fill=Palette.BLOOD, stroke=Palette.INK, stroke_width=0.7),))
