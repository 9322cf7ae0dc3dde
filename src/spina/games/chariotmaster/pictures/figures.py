"""Figures of Chariotmaster's rules page: a position, what was done, and how it came out, to scale.

Pale pieces show former places. Solid arrows show moves that a driver chose, dashed ones pushes, skids and falls. The
strip below shows the dice, tests and losses that the rules told, in their order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from spina.games.chariotmaster.components.edition import ChariotmasterEdition
from spina.games.chariotmaster.pictures import charts
from spina.games.chariotmaster.pictures import pieces as figures
from spina.games.chariotmaster.pictures.board import chequered, obstacles, standing
from spina.games.chariotmaster.pictures.figure_signs import POINT_SIGNS, token_coin
from spina.games.chariotmaster.pictures.layout import Pose, Track, track_of
from spina.games.chariotmaster.play import events as told
from spina.games.chariotmaster.rules.record import ABSENT, BLOCK, CHARIOTS, DRIVER, KIND_NAMES, MM, WALL, WRECK
from spina.games.figure_parts import Item, arrow, badge, die, drawing, framed, label, scale_of, star, words
from spina.games.game import Event
from spina.games.mapping_struct import Fields
from spina.games.pictures import Palette
from spina.games.rule_figures import Figure, Scene
from spina.games.svg import Element, Look, at, group, path, rect

ROOM = 16.0
"""From what matters to the edge of a figure, in millimetres."""
LEAST = (170.0, 64.0)
"""Least width and height of a figure's ground."""
DRIVEN = ("ahead", "sweep", "run away", "walk", "run through", "centring", "collide")
"""Moves that the piece makes by itself; all others befall it."""
AXLE = ("ram", "whip at horses", "whip at driver")
"""Attacks for which the axle must be level with the target."""
SHORTEST_LABEL = 10.0
"""Moves below this many millimetres have no label."""
AGAIN = ("sub-move test", "defence", "grab", "cut loose", "out of points")
"""Rolls that another event of the same moment shows again, with its result."""

Spots = dict[int, Pose]
Trail = list[tuple[int, Pose, Pose, told.Moved]]


def draw(figure: Figure, scene: Scene | None, edition: ChariotmasterEdition) -> str:
    """The picture of a figure."""
    if scene is None:
        return charts.CHARTS[figure.chart or ""](edition)
    return _drawn(figure, scene, edition)


def _drawn(figure: Figure, scene: Scene, edition: ChariotmasterEdition) -> str:
    number = [scenario.name for scenario in edition.scenarios].index(scene.after["scenario"])
    track = track_of(edition.data, number, "")
    before, after = (_spots(track, view) for view in (scene.before, scene.after))
    trail, bursts, axles = _happened(track, before, scene.events)
    moved = {piece for piece, *_ in trail} | {piece for piece in before if before[piece] != after.get(piece)}
    shown = moved | {int(piece) for piece in figure.show.get("pieces", ())} or set(after)
    centres = [pose for spots in (before, after) for piece, pose in spots.items() if piece in shown]
    centres += [end for _, _, end, _ in trail]
    box = _box(centres)
    pieces = {p["piece"]: p for p in scene.after["pieces"]}
    ghosts = [p for p in scene.before["pieces"] if p["piece"] in moved and _gone(p, pieces, before, after)]
    seen = [p for p in pieces.values() if p["piece"] in after and _in_view(after[p["piece"]], box)]
    parts = [
        *_ground(track),
        obstacles(track, standing(track, scene.after["pieces"])),
        group(_pieces(track, ghosts, scene.before), opacity=0.38),
        *(_outline(piece, start) for piece, start, _, _ in trail if start != before.get(piece, start)),
        group(_pieces(track, seen, scene.after)),
        *axles,
        *(part for way in _ways(trail) for part in way),
        *(star(x, y) for x, y in bursts),
        *_measures(trail, scale_of(box[2])),
        *_angles(track, scene.events, scale_of(box[2])),
    ]
    return framed(box, parts, list(_rows(scene)), figures.definitions(range(CHARIOTS)))


def _gone(p: Fields, after: dict[int, Fields], was: Spots, now: Spots) -> bool:
    """Whether a piece stood elsewhere before, or was something else."""
    then = after.get(p["piece"])
    return then is None or then["kind"] != p["kind"] or was[p["piece"]] != now.get(p["piece"])


def _spots(track: Track, view: Fields) -> Spots:
    absent = KIND_NAMES[ABSENT]
    return {p["piece"]: track.spot(p["x"], p["y"], p["heading"]) for p in view["pieces"] if p["kind"] != absent}


def _box(centres: Sequence[Pose]) -> tuple[float, float, float, float]:
    """The ground around these places: left, top, width, height."""
    reach = ROOM + 20
    xs, ys = [pose[0] for pose in centres], [pose[1] for pose in centres]
    left, right, top, bottom = min(xs) - reach, max(xs) + reach, min(ys) - ROOM - 8, max(ys) + ROOM + 8
    wide, high = max(right - left, LEAST[0]), max(bottom - top, LEAST[1])
    return (left + right - wide) / 2, (top + bottom - high) / 2, wide, high


def _in_view(pose: Pose, box: tuple[float, float, float, float]) -> bool:
    left, top, wide, high = box
    return left - 25 < pose[0] < left + wide + 25 and top - 25 < pose[1] < top + high + 25


def _ground(track: Track) -> list[Element]:
    """Sand, walls, the middle of the track and its lines, and the wall of the circus around."""
    p = Palette
    width, height = track.size
    walls = track.edge(track.half_width) + track.edge(-track.half_width)
    none: Look = {"fill": "none"}
    return [
        rect(-width, -height, 3 * width, 3 * height, fill=p.TRAVERTINE_SHADE),
        path(track.ground(), fill=p.SAND, fill_rule="evenodd"),
        path(track.edge(0), stroke=p.EARTH_DEEP, stroke_opacity=0.4, stroke_dasharray="7 6", **none),
        chequered(track, track.finish, "finish"),
        path(walls, stroke=p.INK_SOFT, stroke_width=2.4, **none),
    ]


# --- what happened --------------------------------------------------------------------------------------------------


def _happened(
    track: Track, before: Spots, happened: Sequence[Event]
) -> tuple[Trail, list[tuple[float, float]], list[Element]]:
    """The moves of all pieces, where they hit each other, and the axles of attackers."""
    now, trail, bursts, axles = dict(before), [], [], []
    for event in happened:
        match event:
            case told.Moved():
                end = track.spot(event.x * MM, event.y * MM, event.heading * 10)
                start = now.get(event.piece, end)
                trail.append((event.piece, start, end, event))
                now[event.piece] = end
            case told.Pivoted() | told.Aligned():
                now[event.piece] = track.spot(event.x * MM, event.y * MM, event.heading * 10)
            case told.TurnedRound():
                now[event.chariot] = track.spot(event.x * MM, event.y * MM, event.heading * 10)
            case told.Placed():
                now[2 * CHARIOTS + event.chariot] = track.spot(event.x * MM, event.y * MM)
            case told.Collided() if event.initiator in now:
                bursts.append(_contact(now, event))
            case told.Attacked() if event.how in AXLE and event.target in now:
                axles.append(_axle(now[event.chariot], now[event.target]))
    return trail, bursts, axles


def _corners(pose: Pose, half: tuple[float, float]) -> list[tuple[float, float]]:
    x, y, turn = pose
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    long, wide = half
    return [(x + a * cosine - b * sine, y + a * sine + b * cosine) for a in (-long, long) for b in (-wide, wide)]


def _half(piece: int) -> tuple[float, float]:
    kind = WRECK if CHARIOTS <= piece < 2 * CHARIOTS else DRIVER if 2 * CHARIOTS <= piece < 3 * CHARIOTS else 1
    long, wide = figures.SIZES[kind]
    return long / 2, wide / 2


def _contact(now: Spots, event: told.Collided) -> tuple[float, float]:
    """About where two pieces touch: the middle of their nearest corners and centres."""
    own = [*_corners(now[event.initiator], _half(event.initiator))]
    if event.target == WALL or event.target not in now:
        x, y, turn = now[event.initiator]
        ahead = _half(event.initiator)[0]
        return x + ahead * math.cos(math.radians(turn)), y + ahead * math.sin(math.radians(turn))
    theirs = [*_corners(now[event.target], _half(event.target))]
    a, b = min(((p, q) for p in own for q in theirs), key=lambda pair: math.dist(*pair))
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _axle(own: Pose, target: Pose) -> Element:
    """The axle of an attacker, lengthened to the side of the target (A1)."""
    x, y, turn = own
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    right = (target[1] - y) * cosine - (target[0] - x) * sine > 0
    reach = 28 if right else -28
    x, y = x + figures.CAR * cosine, y + figures.CAR * sine
    far = f"L{x - reach * sine:.1f} {y + reach * cosine:.1f}"
    look: Look = {"stroke": Palette.BLOOD, "stroke_width": 1.6, "stroke_dasharray": "4 2", "fill": "none"}
    return path(f"M{x:.1f} {y:.1f}{far}", class_="axle", **look)


def _ways(trail: Trail) -> Iterator[list[Element]]:
    """Arrows: one for each unbroken way of a piece that it makes, or that befalls it."""
    way: list[tuple[float, float]] = []
    last: tuple[int, bool] | None = None
    for piece, start, end, event in trail:
        this = piece, event.how in DRIVEN
        if way and (this != last or math.dist(way[-1], start[:2]) > 1):
            yield _way(way, last)
            way = []
        way = [*(way or [start[:2]]), end[:2]]
        last = this
    if way:
        yield _way(way, last)


def _way(points: list[tuple[float, float]], last: tuple[int, bool] | None) -> list[Element]:
    piece, driven = last or (0, True)
    colour = Palette.INK if driven else Palette.BLOOD
    return arrow(points, colour, dashed=not driven, short=_half(piece)[0] + 1)


def _measures(trail: Trail, scale: float) -> list[Element]:
    """How far the pieces moved, beside the middle of each way; none on top of another."""
    found: list[Element] = []
    taken: list[tuple[float, float]] = []
    for _, start, end, event in trail:
        if event.mm < SHORTEST_LABEL:
            continue
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        long = math.hypot(end[0] - start[0], end[1] - start[1]) or 1
        across = (end[1] - start[1]) / long, -(end[0] - start[0]) / long
        aside = (-14 if across[1] > 0 else 14) * (1 if abs(across[1]) > 0.5 else 1.8)
        x, y = x + across[0] * aside, y + across[1] * aside
        while any(abs(x - a) < 34 * scale and abs(y - b) < 9 * scale for a, b in taken):
            y -= 10 * scale
        taken.append((x, y))
        found += label(f"{event.mm:.0f} mm", x, y, 6.5 * scale)
    return found


def _outline(piece: int, pose: Pose) -> Element:
    """The base of a piece where it stood between two moves."""
    long, wide = _half(piece)
    look: Look = {"fill": Palette.IVORY, "fill_opacity": 0.25, "stroke": Palette.INK, "stroke_dasharray": "3 2"}
    return rect(-long, -wide, 2 * long, 2 * wide, transform=at(*pose), stroke_width=0.8, **look)


def _angles(track: Track, happened: Sequence[Event], scale: float) -> list[Element]:
    """How far the last piece was turned on purpose, before its nose."""
    turned = [event for event in happened if isinstance(event, (told.Pivoted, told.TurnedRound))]
    if not turned:
        return []
    x, y, turn = track.spot(turned[-1].x * MM, turned[-1].y * MM, turned[-1].heading * 10)
    x, y = x + 30 * math.cos(math.radians(turn)), y + 30 * math.sin(math.radians(turn))
    return label(f"{abs(turned[-1].degrees):g}°", x, y, 6.5 * scale)


# --- pieces ---------------------------------------------------------------------------------------------------------


def _pieces(track: Track, shown: Sequence[Fields], view: Fields) -> list[Element]:
    chariots = {c["chariot"]: c for c in view["chariots"]}
    order = {WRECK: 0, DRIVER: 2}
    found = sorted((order.get(KIND_NAMES.index(p["kind"]), 1), p["piece"], p) for p in shown)
    return [
        figures.piece(
            KIND_NAMES.index(p["kind"]),
            track.spot(p["x"], p["y"], p["heading"]),
            (p["length"] / MM, p["width"] / MM),
            chariots[p["chariot"]],
        )
        for _, _, p in found
        if KIND_NAMES.index(p["kind"]) not in (ABSENT, BLOCK)
    ]


# --- the strip ------------------------------------------------------------------------------------------------------


def _rows(scene: Scene) -> Iterator[list[Item]]:
    """Dice, tests and losses, in the order in which they were told; losses of one kind together."""
    lost: dict[tuple[int, str], int] = {}
    for event in _relevant(scene.events):
        if not isinstance(event, told.Lost):
            yield from _losses(lost)
        match event:
            case told.Lost():
                lost[event.chariot, event.what] = lost.get((event.chariot, event.what), 0) + 1
            case told.Drawn():
                yield [_of(event.chariot), token_coin(event.token)]
            case told.Rolled() if event.what not in AGAIN:
                yield [_of(event.chariot), *_dice(event.dice)]
            case told.RolledBoth():
                own = [] if event.chariot is None else [_of(event.chariot)]
                other = [] if event.other is None else [_of(event.other)]
                yield [*own, *_dice(event.dice), words("×"), *other, *_dice(event.others)]
            case told.Tested():
                yield [_of(event.chariot), die(event.face), *_sum(event), _verdict(event.passed)]
            case told.OutOf():
                yield [_of(event.chariot), die(event.face), words(f"→ {event.result}")]
            case told.Changed():
                sign = f"{event.mm:+g} mm = {event.least:g}–{event.most:g} mm"
                yield [_of(event.chariot), words(sign.replace("-", "−"))]
            case told.Bounced() | told.RanThrough():
                yield [words(f"{event.value:+d}".replace("-", "−") if event.value else "0", bold=True)]
            case told.LostReins():
                yield [_of(event.chariot), POINT_SIGNS["reins"]]
            case told.HorseDied():
                yield [_of(event.chariot), POINT_SIGNS["dead-horse"]]
            case told.LostKnife():
                yield [_of(event.chariot), POINT_SIGNS["no-knife"]]
            case told.LostWhip():
                yield [_of(event.chariot), POINT_SIGNS["no-whip"]]
    yield from _losses(lost)


def _relevant(happened: Sequence[Event]) -> list[Event]:
    """The events without a token that is drawn for the next turn, after which nothing happens."""
    ends = [k for k, event in enumerate(happened) if isinstance(event, told.TurnEnds)]
    if ends and not any(isinstance(event, (told.Moved, told.Rolled)) for event in happened[ends[-1] :]):
        return list(happened[: ends[-1]])
    return list(happened)


def _losses(lost: dict[tuple[int, str], int]) -> Iterator[list[Item]]:
    for (chariot, what), points in lost.items():
        yield [_of(chariot), words(f"−{points}", bold=True), POINT_SIGNS[what]]
    lost.clear()


def _of(chariot: int) -> Item:
    return badge(figures.colours(chariot))


def _dice(faces: Sequence[int]) -> list[Item]:
    return [die(face) for face in faces]


def _sum(event: told.Tested) -> list[Item]:
    """The sum of a test against the skill; nothing where the face alone decides (K7)."""
    total = event.face + event.modifier
    if (total <= event.skill) != event.passed:
        return []
    sign = f"{event.modifier:+d} = {total} {'≤' if event.passed else '>'} {event.skill}"
    return [words(sign.replace("-", "−"))]


def _verdict(passed: bool) -> Item:
    data, colour = ("M0 1 3 4 9-4", Palette.MALACHITE) if passed else ("M1-4 8 4M8-4 1 4", Palette.BLOOD)
    line: Look = {"fill": "none", "stroke": colour, "stroke_width": 2, "stroke_linecap": "round"}
    return drawing([path(data, **line)], 10, 4.5)
