"""The picture of Chariotmaster: any track to scale, one unit to a millimetre, and a race on it.

A closed track is a circus with its stands and its spina; an open one winds through the country. The ground plan is
seen from above and what stands on it from the front, as on the mosaics of antiquity. Everything has an id or a class
for a browser: pieces are `piece-0` and so on, and a page moves one by changing its `transform`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from spina.games.chariotmaster.pictures import pieces as figures
from spina.games.chariotmaster.pictures import scenery
from spina.games.chariotmaster.pictures.layout import Obstacle, Pose, Track, track_of
from spina.games.chariotmaster.play import panels
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    BLOCK,
    CHARIOT,
    CM,
    DRIVER,
    KIND_NAMES,
    MM,
    OBSTACLE,
    WRECK,
)
from spina.games.mapping_struct import Fields
from spina.games.pictures import Palette, building, definitions, inscription, roman
from spina.games.svg import Element, Look, at, document, element, group, number, path, rect

__all__ = ["Track", "board_svg", "race_svg", "track_of"]

SCALE = 10 * CM
"""Length of the scale bar, in units."""


def board_svg(track: Track, laps: int = 1, chariots: Sequence[int] = ()) -> str:
    """The track with everything that stands on it, without the movable pieces.

    For a page on which these chariots will race, also the parts that it draws them with.
    """
    width, height = track.size
    parts = [*_board(track, laps, 0, 0, chariots), obstacles(track, list(enumerate(track.obstacles)))]
    if chariots:
        parts.append(definitions(*figures.symbols(chariots)))
    return document(width, height, parts, title=track.title, label=_track_words(track, laps), class_="spina-board")


def race_svg(track: Track, view: Fields, names: Sequence[str]) -> str:
    """A race: the track, the pieces of a view on it, and a panel for each chariot; `names` are those of the seats."""
    laps, chariots = view["laps"], view["chariots"]
    by_number = {c["chariot"]: c for c in chariots}
    width, height = track.size
    below = panels.height(len(chariots), width)
    lap = min(max((c["lap"] for c in chariots if not c["out"]), default=0), laps)
    done = laps if any(c["home"] for c in chariots) else max(lap - 1, 0)
    parts = [
        *_board(track, laps, done, lap, by_number.keys()),
        obstacles(track, standing(track, view["pieces"])),
        group(_pieces(track, view, by_number, names), class_="pieces"),
        panels.panels(view, names, width, height),
    ]
    label = _race_words(track, view, names)
    return document(width, height + below, parts, title=track.title, label=label, class_="spina-race")


# --- the pieces -----------------------------------------------------------------------------------------------------


def standing(track: Track, pieces: Sequence[Fields]) -> list[tuple[int, Obstacle]]:
    """The obstacles where they are now: those of the view, and fixed ones that it does not mention."""
    seen = {p["piece"] - OBSTACLE: p for p in pieces if p["piece"] >= OBSTACLE}
    found = []
    for k, block in enumerate(track.obstacles):
        p = seen.get(k)
        if p is None and block.fixed:
            found.append((k, block))
        elif p is not None and p["kind"] == KIND_NAMES[BLOCK]:
            here = p["x"], p["y"], p["heading"], p["length"] / 2, p["width"] / 2
            found.append((k, Obstacle(*here, value=block.value, low=block.low, fixed=block.fixed)))
    return found


def obstacles(track: Track, blocks: Sequence[tuple[int, Obstacle]]) -> Element:
    """Obstacles, by number."""
    found = []
    for k, block in blocks:
        words = f"{'Low' if block.low else 'High'} obstacle, collision value {block.value}"
        size = 2 * block.half_long / MM, 2 * block.half_wide / MM
        pose = track.spot(block.x, block.y, block.heading)
        kinds = "obstacle low" if block.low else "obstacle"
        name = f"piece-{OBSTACLE + k}"
        found.append(figures.obstacle(pose, size, block.low, element("title", words), id=name, class_=kinds))
    return group(found, class_="obstacles")


_ORDER = {WRECK: 0, DRIVER: 2}


def _pieces(track: Track, view: Fields, chariots: Mapping[int, Fields], names: Sequence[str]) -> list[Element]:
    """Everything with a base but obstacles: wrecks lowest, people on foot highest. The active one is gilded."""
    found = []
    shown = [(KIND_NAMES.index(p["kind"]), p) for p in view["pieces"]]
    for kind, p in sorted(shown, key=lambda entry: (_ORDER.get(entry[0], 1), entry[1]["piece"])):
        if kind in (ABSENT, BLOCK):
            continue
        c = chariots[p["chariot"]]
        pose = track.spot(p["x"], p["y"], p["heading"])
        size = p["length"] / MM, p["width"] / MM
        active = p["chariot"] == view["active"] and kind != WRECK
        who = panels.words(c, panels.name_of(c, names), view["laps"])
        if kind != CHARIOT:
            who = f"{KIND_NAMES[kind].capitalize()}: {who}"
        under = [element("title", who), *([_halo(size)] if active else [])]
        kinds = f"piece {KIND_NAMES[kind].split()[0]}" + (" active" if active else "")
        found.append(figures.piece(kind, pose, size, c, *under, id=f"piece-{p['piece']}", class_=kinds))
    return found


def _halo(size: tuple[float, float]) -> Element:
    """The gilded ring around the chariot whose turn it is."""
    p = Palette
    long, wide = size[0] + 9, size[1] + 9
    gilt: Look = {"fill": p.GILT, "fill_opacity": 0.55, "stroke": p.GILT_SHADE, "stroke_width": 1.6}
    return rect(-long / 2, -wide / 2, long, wide, rx=8, class_="halo", **gilt)


# --- the track ------------------------------------------------------------------------------------------------------


def _board(track: Track, laps: int, done: int, lap: int = 0, chariots: Iterable[int] = ()) -> list[Element]:
    width, height = track.size
    deep = 2 * track.half_width / MM
    around = building(track.oval, deep, width, height) if track.stadium else scenery.country(track)
    return [
        definitions(*scenery.definitions(), *figures.definitions(tuple(chariots))),
        group(around, class_="surroundings", pointer_events="none"),
        *_ground(track),
        *(
            [group(scenery.spina(track, laps, done, lap), class_="spina", pointer_events="none")]
            if track.closed
            else []
        ),
        *([] if track.infield else [scenery.tablet(track)]),
        _scale_bar(track),
    ]


def _ground(track: Track) -> list[Element]:
    """The sand between its walls, ruts and the middle of the track, the lanes, the lines, the way."""
    p = Palette
    middle = track.edge(0)
    none: Look = {"fill": "none"}
    wide = 2 * track.half_width / MM
    ruts = "".join(track.edge(track.half_width * share) for share in (-0.75, -0.5, -0.25, 0.25, 0.5, 0.75))
    lines = [chequered(track, track.finish, "finish")]
    if not track.closed:
        lines.insert(0, _white_line(track))
    return [
        path(track.ground(), id="track", class_="sand", fill=p.SAND, fill_rule="evenodd"),
        group(
            [
                *(
                    path(middle, stroke=p.EARTH, stroke_width=wide * k / 10, stroke_opacity=".045", **none)
                    for k in range(1, 10)
                ),
                path(ruts, stroke=p.EARTH, stroke_width=1, stroke_opacity=0.3, stroke_dasharray="34 13 9 21", **none),
                path(middle, class_="centre", stroke=p.EARTH_DEEP, stroke_opacity=0.4, stroke_dasharray="7 6", **none),
                *_arrows(track),
            ],
            class_="ruts",
            pointer_events="none",
        ),
        path(
            track.edge(track.half_width) + track.edge(-track.half_width),
            class_="walls",
            stroke=p.INK_SOFT,
            stroke_width=1.4,
            pointer_events="none",
            **none,
        ),
        group(_stalls(track), class_="lanes", pointer_events="none"),
        group(lines, class_="lines", pointer_events="none"),
    ]


def _turned(pose: Pose, scale: float = 1.0) -> str:
    return at(*pose, scale)


def _arrows(track: Track) -> list[Element]:
    """Chevrons in the sand that show the way, where they disturb neither lines nor lanes."""
    look: Look = {"fill": "none", "stroke": Palette.EARTH_DEEP, "stroke_width": 4, "stroke_opacity": 0.28}
    count = max(round(track.length / (24 * CM)), 3)
    begin, end = track.line - 12 * CM, track.line + 4 * CM
    found = []
    for k in range(count):
        s = track.length * (k + 0.5) / count
        near_finish = not track.closed and abs(s - track.finish) < 5 * CM
        if not begin < s < end and not near_finish:
            found.append(
                path("M-8-13 0 0-8 13M3-13 11 0 3 13", class_="way", transform=_turned(track.place(s)), **look)
            )
    return found


def _stalls(track: Track) -> list[Element]:
    """The starting lanes: a barrier before each of the first row, and its number from the inside."""
    long, wide = track.half_long / MM, track.half_wide / MM
    side, across = number(-wide), number(2 * wide)
    stall = f"M{number(long - 8)} {side}h8v{across}h-8M{number(8 - long)} {side}h-8v{across}h8"
    look: Look = {"fill": "none", "stroke": Palette.BLOOD, "stroke_width": 0.9}
    painted: Look = {"fill": Palette.BLOOD, "fill_opacity": 0.4}
    found = []
    for k, pose in enumerate((*track.lanes, *track.second_row)):
        first = k < len(track.lanes)
        parts = [path(stall, stroke_opacity=0.6 if first else 0.3, **look)]
        if first:
            parts.append(inscription(roman(k + 1), 0, wide * 0.45, wide * 1.2, **painted))
        found.append(group(parts, id=f"lane-{k}", class_="lane", transform=_turned(track.spot(*pose))))
    return found


def chequered(track: Track, s: float, name: str) -> Element:
    """A chequered line across the track; its front edge is the line itself."""
    p = Palette
    wide = 2 * track.half_width / MM
    rows = 2 * max(round(wide / 10), 2)
    size = wide / rows
    check = f"h{number(size)}v{number(size)}h{number(-size)}z"
    dark = "".join(f"M{number(size * (row % 2))} {number(size * row - wide / 2)}{check}" for row in range(rows))
    parts = [
        rect(0, -wide / 2, 2 * size, wide, fill=p.TRAVERTINE),
        path(dark, fill=p.BLOOD),
        rect(0, -wide / 2, 2 * size, wide, fill="none", stroke=p.INK_SOFT),
    ]
    return group(parts, id=name, class_="line", transform=_turned(track.place(s)))


def _white_line(track: Track) -> Element:
    """The line of white chalk that an open course starts from."""
    p = Palette
    wide = 2 * track.half_width / MM
    parts = [rect(0, -wide / 2, 4, wide, fill=p.IVORY, stroke=p.INK_SOFT, stroke_width=0.8)]
    return group(parts, id="start", class_="line", transform=_turned(track.place(track.line)))


def _scale_bar(track: Track) -> Element:
    """Ten centimetres of the track, in the lower left corner."""
    p = Palette
    _, height = track.size
    long = SCALE / MM
    checks = "".join(f"M{number(long * k / 5)} 0h{number(long / 10)}v4h{number(-long / 10)}z" for k in range(5))
    parts = [
        rect(0, 0, long, 4, fill=p.INK, stroke=p.TRAVERTINE, stroke_width=0.8),
        path(checks, fill=p.TRAVERTINE),
        inscription("10 cm", long + 5, 4.6, 9, fill=p.SAND, text_anchor="start"),
    ]
    return group(parts, class_="scale", transform=at(22, height - 13), pointer_events="none")


# --- everything in words --------------------------------------------------------------------------------------------


def _track_words(track: Track, laps: int) -> str:
    wide = 2 * track.half_width / CM
    if track.closed:
        way = "counterclockwise" if track.inside > 0 else "clockwise"
        kind = f"a closed track of {track.lap / CM:.0f} cm, run {way}, {laps} {'lap' if laps == 1 else 'laps'}"
    else:
        kind = f"an open course, {track.lap / CM:.0f} cm from line to line"
    stones = len(track.obstacles)
    more = f" Obstacles: {stones}, of which low: {sum(block.low for block in track.obstacles)}." if stones else ""
    return f"{track.title}: {kind}, {wide:g} cm wide, {len(track.lanes)} lanes.{more}"


def _race_words(track: Track, view: Fields, names: Sequence[str]) -> str:
    """The whole position in words."""
    chariots = sorted(view["chariots"], key=lambda c: (c["place"], c["chariot"]))
    parts = [f"{track.title}, turn {view['turn']} of at most {view['limit']}"]
    if view["active"] is not None:
        parts.append(f"{figures.colours(view['active']).name.capitalize()} has the turn: {view['question']}")
    parts += [panels.words(c, panels.name_of(c, names), view["laps"]) for c in chariots]
    wrecks = [c["chariot"] for c in view["pieces"] if c["kind"] == KIND_NAMES[WRECK]]
    if wrecks:
        parts.append(f"Wrecks: {', '.join(figures.colours(c).name for c in wrecks)}")
    return ". ".join(parts) + "."
