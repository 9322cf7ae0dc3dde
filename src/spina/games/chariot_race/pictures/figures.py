"""Figures of Chariot Race's rules page: a position, the way that a chariot drove, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator

from spina.games.chariot_race.components.edition import ChariotRaceEdition
from spina.games.chariot_race.pictures import board as drawn
from spina.games.chariot_race.pictures.layout import Layout, layout
from spina.games.chariot_race.play import events as told
from spina.games.circus import line
from spina.games.factions import faction
from spina.games.figure_parts import Item, arrow, badge, drawing, framed, star, window, within, words
from spina.games.pictures import Palette, definitions
from spina.games.rule_figures import Figure, Scene
from spina.games.svg import Element, Look, group, path, rect

ROOM = 62.0
LEAST = (360.0, 150.0)
NEAR = 80.0
"""How far outside the box the middle of a space may lie that is drawn."""

Point = tuple[float, float]


def draw(figure: Figure, scene: Scene | None, edition: ChariotRaceEdition) -> str:
    """The picture of a figure."""
    assert scene is not None, f"{figure.id}: Chariot Race has no charts"
    places = layout(edition)
    numbers = {space.name: space.index for space in places.spaces}
    ways, bursts, shots = _happened(places, numbers, scene)
    active = scene.before["chariot"]
    ends = [point for way in ways for point in way] + bursts + [point for shot in shots for point in shot]
    box = window([*ends, places.spot(scene.before["chariots"][active]["space"])[:2]], ROOM, LEAST)
    spaces = [space for space in places.spaces if within(space.centre, box, NEAR)]
    names = [str(seat) for seat in range(len(scene.after["chariots"]))]
    before, after = (drawn.chariots_of(view, edition, names) for view in (scene.before, scene.after))
    moved = [c for c, now in zip(before, after, strict=True) if c.space != now.space]
    edges: Look = {"stroke": Palette.SAND_LINE, "stroke_width": 2, "stroke_linejoin": "round"}
    font: Look = {"font_family": "sans-serif", "font_size": 10.5, "fill": Palette.INK, "fill_opacity": 0.75}
    caltrops = {*scene.before["caltrops"], *scene.after["caltrops"]}
    parts = [
        rect(box[0], box[1], box[2], box[3], fill=Palette.TRAVERTINE_SHADE),
        group([drawn.space_drawing(places, space, False) for space in spaces], **edges),
        line(places.line, checks=24),
        group([drawn.roundel(space) for space in spaces if space.safe]),
        group([drawn.name_drawing(space) for space in spaces], **font),
        group([drawn.caltrop(places, space) for space in sorted(caltrops)]),
        group(drawn.pieces(places, moved, edition.laps, None), opacity=0.38),
        group(drawn.wrecks(places, after)),
        group(drawn.pieces(places, after, edition.laps, None)),
        *(part for way in ways if len(way) > 1 for part in arrow(way, short=24)),
        *(part for shot in shots for part in arrow(shot, Palette.BLOOD, dashed=True)),
        *(star(x, y, 14) for x, y in bursts),
    ]
    return framed(box, parts, list(_rows(scene)), _definitions())


def _definitions() -> list[Element]:
    common = [each for each in definitions().children if isinstance(each, Element)]
    return [*common, *drawn.own_definitions()]


def _happened(
    places: Layout, numbers: dict[str, int], scene: Scene
) -> tuple[list[list[Point]], list[Point], list[list[Point]]]:
    """The ways of chariots, where something hurt them, and the flights of javelins."""
    spots = {c["chariot"]: places.spot(c["space"])[:2] for c in scene.before["chariots"] if c["space"] is not None}
    ways: dict[int, list[Point]] = {}
    bursts: list[Point] = []
    shots: list[list[Point]] = []
    for event in scene.events:
        match event:
            case told.Stepped() | told.PutBack():
                ways.setdefault(event.chariot, [spots[event.chariot]])
                spots[event.chariot] = places.spot(numbers[event.space])[:2]
                ways[event.chariot].append(spots[event.chariot])
            case told.Rammed() | told.Spiked() | told.Cornered() if getattr(event, "damage", 1):
                bursts.append(spots[event.chariot])
            case told.JavelinThrown():
                shots.append([spots[event.chariot], spots[event.target]])
                bursts.append(spots[event.target])
    return list(ways.values()), bursts, shots


def _rows(scene: Scene) -> Iterator[list[Item]]:
    """Dice, speeds and losses, in the order in which they were told."""
    condition = {c["chariot"]: c["condition"] for c in scene.before["chariots"]}
    if scene.before["dice"]:
        yield [_of(scene, scene.before["chariot"]), *(_die(side) for side in scene.before["dice"])]
    for event in scene.events:
        match event:
            case told.Rolled():
                yield [_of(scene, event.chariot), *(_die(side) for side in event.dice)]
            case told.Turn():
                return  # of the next chariot
            case told.Sped() if event.before != event.speed:
                yield [_of(scene, event.chariot), words(f"{event.before} → {event.speed}", bold=True)]
            case told.Repaired():
                yield [_of(scene, event.chariot), words(f"+{event.gained} = {event.condition}", bold=True), _wheel()]
            case told.Blessed():
                yield [_of(scene, event.chariot), _die("fortuna"), words(f"= {event.fate}", bold=True)]
            case told.Cornered() if event.damage:
                yield from _loss(scene, condition, event.chariot, event.condition)
            case told.Spiked():
                yield from _loss(scene, condition, event.chariot, event.condition)
            case told.JavelinThrown():
                yield from _loss(scene, condition, event.target, event.condition)
            case told.Rammed():
                yield from _loss(scene, condition, event.chariot, event.condition)
                yield from _loss(scene, condition, event.rammed, event.rammed_condition)


def _loss(scene: Scene, condition: dict[int, int], chariot: int, left: int) -> Iterator[list[Item]]:
    yield [_of(scene, chariot), words(f"−{condition[chariot] - left} = {left}", bold=True), _wheel()]
    condition[chariot] = left


def _of(scene: Scene, chariot: int) -> Item:
    return badge(faction(scene.after["chariots"][chariot]["faction"]))


def _die(side: str) -> Item:
    face = rect(-7, -7, 14, 14, rx=2.4, fill=Palette.IVORY, stroke=Palette.INK, stroke_width=0.8)
    return drawing([face, group(drawn.side_glyph(side), transform="scale(0.48)")], 14)


def _wheel() -> Item:
    """The sign of a chariot's condition."""
    rim = path("M0-5A5 5 0 1 1-.1-5Z", fill="none", stroke="#8a5a2b", stroke_width=2)
    spokes = path("M-5 0H5M0-5V5M-3.5-3.5 3.5 3.5M-3.5 3.5 3.5-3.5", stroke=Palette.INK, stroke_width=0.8)
    return drawing([rim, spokes], 12)
