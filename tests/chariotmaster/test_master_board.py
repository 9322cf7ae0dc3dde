"""The pictures of Chariotmaster: to scale, on any track, with every piece in every state."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import pytest

from spina.games.chariotmaster.components.centre_line import Arc, Straight, lay_out
from spina.games.chariotmaster.pictures.board import board_svg, race_svg
from spina.games.chariotmaster.pictures.layout import Track, inside, track_of
from spina.games.chariotmaster.pictures.pieces import colours, piece
from spina.games.chariotmaster.pictures.terminal_board import WIDTH as COLUMNS
from spina.games.chariotmaster.pictures.terminal_board import draw
from spina.games.chariotmaster.rules.record import (
    ABSENT,
    BEAST_NAMES,
    BLOCK,
    CHARIOT,
    CM,
    DRIVER_OF,
    EDITION,
    KIND_NAMES,
    OBSTACLE,
    PLACE_NAMES,
    POINT_NAMES,
    WRECK_OF,
)
from spina.games.factions import FACTIONS
from spina.games.terminal import columns
from spina.kernel.record import Bytes, blank, look

SVG = "{http://www.w3.org/2000/svg}"


# --- tracks ---------------------------------------------------------------------------------------------------------

Block = tuple[float, float, float, float, float, float, bool, bool]
"""Way, offset, length, width, heading to the track, collision value, low, fixed; centimetres and degrees."""


def edition(
    *texts: str, width: float, closed: bool, blocks: Sequence[Block] = (), side: int = 1, run_out: float = 20
) -> Bytes:
    """The record of an edition with one scenario: "straight 50", "left 14 180"; the line lies 10 cm into it."""
    segments: list[Straight | Arc] = []
    for text in texts:
        kind, *figures = text.split()
        size = round(float(figures[0]) * CM)
        segments.append(Straight(size) if kind == "straight" else Arc(size, int(figures[1]) * 10, kind == "left"))
    laid = lay_out(segments)
    data = blank(EDITION)
    e = look(data, EDITION)
    e.scenarios = 1
    count = len(segments)
    e.closed[0], e.segments[0], e.length[0], e.half_width[0] = closed, count, laid.length, round(width * CM / 2)
    e.line[0], e.inside[0], e.half_long[0], e.half_wide[0] = 10 * CM, side, 2 * CM, CM
    e.lap[0] = laid.length if closed else laid.length - round((10 + run_out) * CM)
    e.seg_s[0, : count + 1] = laid.s
    for column in ("x", "y", "heading", "radius", "angle", "cx", "cy"):
        e[f"seg_{column}"][0, :count] = getattr(laid, column)
    e.obstacles[0] = len(blocks)
    for k, (way, offset, long, wide, turn, value, low, fixed) in enumerate(blocks):
        x, y, heading = track_of(data, 0, "").pose(way * CM, offset * CM)
        e.ob_x[0, k], e.ob_y[0, k], e.ob_heading[0, k] = round(x), round(y), round(heading + turn * 10) % 3600
        e.ob_half_long[0, k], e.ob_half_wide[0, k] = round(long * CM / 2), round(wide * CM / 2)
        e.ob_value[0, k], e.ob_low[0, k], e.ob_fixed[0, k] = value, low, fixed
    return data


OVAL = ("straight 50", "left 14 180", "straight 50", "left 14 180")
WINDING = (
    "straight 40", "right 15 45", "straight 16", "left 15 45", "straight 20", "left 10 180", "straight 25",
    "right 7.5 180", "straight 32", "left 20 60", "straight 45",
)  # fmt: skip
STONES: list[Block] = [
    (59.8, 0, 2, 2, 0, 4, False, True),
    (145, 3.5, 3, 3, 0, 2, True, True),
    (245, -2.5, 3, 2, 15, 2, False, False),
]
TRACKS = {
    "circus": track_of(edition(*OVAL, width=16, closed=True), 0, "Circus"),
    "maximus": track_of(
        edition("straight 110", "left 18 180", "straight 110", "left 18 180", width=24, closed=True),
        0,
        "Circus Maximus",
    ),
    "trial": track_of(edition(*WINDING, width=12, closed=False, blocks=STONES), 0, "Trial course"),
    "clockwise": track_of(
        edition(*(text.replace("left", "right") for text in OVAL), width=12, closed=True, side=-1), 0, "Clockwise"
    ),
    "square": track_of(edition(*(("straight 40", "left 12 90") * 4), width=10, closed=True), 0, "Forum"),
    "dented": track_of(
        edition(
            "straight 40", "left 10 90", "straight 22", "left 10 90", "straight 10", "right 10 90", "left 10 90",
            "straight 10", "left 10 90", "straight 42", "left 10 90",
            width=10, closed=True,
        ),
        0,
        "Dented",
    ),
    "one straight": track_of(edition("straight 120", width=20, closed=False), 0, "Sprint"),
    "ring": track_of(
        edition("straight 12", "left 20 180", "straight 12", "left 20 180", width=10, closed=True), 0, "Ring"
    ),
}  # fmt: skip
CIRCUS, TRIAL = TRACKS["circus"], TRACKS["trial"]
ANY = pytest.mark.parametrize("track", TRACKS.values(), ids=TRACKS.keys())


# --- races ----------------------------------------------------------------------------------------------------------


def chariot(number: int, **changes: Any) -> dict[str, Any]:
    """An undamaged chariot of a view."""
    plain: dict[str, Any] = {
        "chariot": number, "seat": number, "team": number, "colour": colours(number).name, "stamina": 19,
        "structure": 5, "health": 3, "skill": 6, "tokens": ["0", "5", "10"], "token": None, "driver": "aboard",
        "horses": 2, "dead_horses": 0, "reins": True, "out_of_control": False, "stunned": False, "whip": True,
        "knife": True, "luck": 0, "beast": "horses", "frightening": False, "progress": 0, "lap": 1, "home": None,
        "out": False, "place": number + 1,
    }  # fmt: skip
    return {**plain, **changes}


SIZES = dict(zip(KIND_NAMES, ((0, 0), (400, 200), (200, 200), (200, 200), (200, 200), (100, 100)), strict=False))


def standing(number: int, kind: str, pose: tuple[float, float, float], owner: int | None) -> dict[str, Any]:
    """A piece of a view."""
    long, wide = SIZES.get(kind, (0, 0))
    x, y, heading = pose
    place = {"x": round(x), "y": round(y), "heading": round(heading) % 3600}
    return {"piece": number, "kind": kind, "chariot": owner, "length": long, "width": wide, **place}


def seen(
    track: Track, chariots: Sequence[dict[str, Any]], pieces: Sequence[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    """A view."""
    blocks = [
        {
            "piece": OBSTACLE + k, "kind": "obstacle", "chariot": None, "x": round(b.x), "y": round(b.y),
            "heading": round(b.heading), "length": round(2 * b.half_long), "width": round(2 * b.half_wide),
        }
        for k, b in enumerate(track.obstacles)
    ]  # fmt: skip
    view = {
        "turn": 3,
        "limit": 104,
        "question": "drive",
        "active": None,
        "scenario": 0,
        "laps": 2 if track.closed else 1,
    }
    return {**view, "chariots": list(chariots), "pieces": [*pieces, *blocks], **more}


def grid(track: Track, count: int, **more: Any) -> dict[str, Any]:
    """A race at its start, in two rows if need be."""
    places = (*track.lanes, *track.second_row)
    pieces = [standing(k, "chariot", places[k % len(places)], k) for k in range(count)]
    return seen(track, [chariot(k) for k in range(count)], pieces, **more)


def melee(track: Track) -> dict[str, Any]:
    """A race near its end, with chariots in every possible state."""
    at = track.length / 12
    chariots = [
        chariot(0, token="10", progress=round(3 * at) / 10, beast="horses", frightening=True, luck=2),
        chariot(1, driver="dragged", stunned=True, reins=False, structure=0, out_of_control=True, tokens=["0", "5"]),
        chariot(2, driver="on the haft for the reins", reins=False, out_of_control=True, token="5"),
        chariot(3, dead_horses=1, horses=1, stamina=0, driver="on the haft to cut"),
        chariot(4, beast="wolves", token="0", stunned=True, out_of_control=True, dead_horses=1, horses=1),
        chariot(5, driver="on foot", structure=0, reins=False, out_of_control=True),
        chariot(6, beast="boars", luck=1, frightening=True),
        chariot(7, driver="dead", health=0, out=True, out_of_control=True, reins=False),
        chariot(8, driver="on foot", stunned=True, structure=0, out=True),
        chariot(9, home=1, token="10"),
        chariot(10, reins=False, whip=False, knife=False),
        chariot(11, driver="off the track", out=True),
    ]
    aside = track.half_width / 2.2
    spot = track.pose
    pieces = [
        standing(0, "chariot", spot(2.6 * at, aside), 0),
        standing(1, "team dragging its driver", spot(3.4 * at, -aside), 1),
        standing(2, "chariot", spot(3.3 * at, aside), 2),
        standing(3, "chariot", spot(4.2 * at, 0), 3),
        standing(4, "chariot", spot(5.2 * at, aside), 4),
        standing(5, "team", spot(6.1 * at, -aside), 5),
        standing(6, "chariot", spot(6.8 * at, aside), 6),
        standing(7, "chariot", spot(7.6 * at, -aside), 7),
        standing(10, "chariot", spot(9.1 * at, 0), 10),
        standing(WRECK_OF + 1, "wreck", spot(2.9 * at, -aside), 1),
        standing(WRECK_OF + 5, "wreck", spot(5.6 * at, 0), 5),
        standing(WRECK_OF + 8, "wreck", spot(8.2 * at, aside), 8),
        standing(DRIVER_OF + 5, "driver on foot", spot(5.7 * at, -1.5 * aside), 5),
        standing(DRIVER_OF + 8, "driver on foot", spot(8.5 * at, aside), 8),
        standing(9, "absent", (0, 0, 0), 9),
    ]
    return seen(track, chariots, pieces, active=0, turn=17)


NAMES = [
    "Scorpus", "Diocles", "Felix", "Crescens", "Thallus", "Fortunatus", "Hermes", "Polynices", "Musclosus", "Epaphro",
    "Tigris", "Incitatus the Swift",
]  # fmt: skip


# --- geometry -------------------------------------------------------------------------------------------------------


def area(data: str) -> float:
    """Area inside closed path data of lines and arcs, each outline by its sense: clockwise in the picture counts up."""
    total, pen, first = 0.0, (0.0, 0.0), (0.0, 0.0)
    for command, text in re.findall(r"([MLAZ])([^MLAZ]*)", data):
        values = [float(v) for v in re.findall(r"-?[\d.]+", text)]
        there = first if command == "Z" else (values[-2], values[-1])
        if command == "M":
            first = there
        else:
            total += (pen[0] * there[1] - there[0] * pen[1]) / 2
        if command == "A":
            angle = 2 * math.asin(min(math.dist(pen, there) / (2 * values[0]), 1))
            total += (1 if values[4] == 1 else -1) * values[0] ** 2 * (angle - math.sin(angle)) / 2
        pen = there
    return total


@ANY
def test_the_ground_is_as_large_as_the_track(track: Track) -> None:
    # the area of a band is its length along the middle times its width
    assert abs(area(track.ground())) == pytest.approx(track.length * 2 * track.half_width / 100, rel=2e-3)


@ANY
def test_the_middle_runs_from_segment_to_segment_without_gaps(track: Track) -> None:
    for here, there in zip(track.segments, track.segments[1:], strict=False):
        x, y, heading = here.pose(here.end, 0)
        assert math.dist((x, y), (there.x, there.y)) < 3
        assert (heading - there.heading) % 3600 == pytest.approx(0, abs=1e-6)
    if track.closed:
        assert math.dist(track.segments[-1].pose(track.length, 0)[:2], track.point(0)) < 5


@ANY
def test_offsets_lie_to_the_left(track: Track) -> None:
    for k in range(40):
        s = track.length * k / 40
        (x, y, heading), (u, v) = track.pose(s), track.point(s, 300)
        angle = math.radians(heading / 10)
        assert (u - x, v - y) == pytest.approx((-300 * math.sin(angle), 300 * math.cos(angle)), abs=2)


@ANY
def test_the_picture_has_room_for_the_whole_track(track: Track) -> None:
    width, height = track.size
    for k in range(200):
        for side in (-track.half_width, track.half_width):
            x, y, _ = track.place(track.length * k / 200, side)
            assert track.margin - 2 <= x <= width - track.margin + 2
            assert track.margin - 2 <= y <= height - track.margin + 2


def test_pictures_are_to_scale_and_turned_over_once() -> None:
    x, y, turn = CIRCUS.spot(0, 0, 0)
    u, v, left = CIRCUS.spot(1000, 300, 900)
    assert (u - x, v - y, turn, left) == (100, -30, 0, 270)
    assert all(value == int(value) for value in CIRCUS.origin)


def test_lanes_begin_at_the_inside_with_their_fronts_on_the_line() -> None:
    assert len(CIRCUS.lanes) == len(CIRCUS.second_row) == 6
    inner = CIRCUS.half_width
    assert [round(inner - y) for _, y, _ in CIRCUS.lanes] == [150, 400, 650, 900, 1150, 1400]
    assert {round(x) for x, _, _ in CIRCUS.lanes} == {800}
    assert {round(x) for x, _, _ in CIRCUS.second_row} == {300}
    other = TRACKS["clockwise"]
    assert [round(y + other.half_width) for _, y, _ in other.lanes] == [150, 400, 650, 900]


@ANY
def test_monuments_stand_inside(track: Track) -> None:
    if not track.closed:
        assert track.infield is None
        return
    assert track.infield is not None
    outline = [track.place(track.length * k / 300, track.winding)[:2] for k in range(300)]
    left, top, right, bottom = track.infield
    for x in (left + 4, (left + right) / 2, right - 4):
        for y in (top + 4, (top + bottom) / 2, bottom - 4):
            assert inside(outline, x, y)


def test_stands_are_built_only_where_there_is_room() -> None:
    assert {name for name, track in TRACKS.items() if track.stadium} == {
        "circus", "maximus", "clockwise", "square", "ring",
    }  # fmt: skip


def test_coordinates_are_what_a_browser_needs() -> None:
    for track in TRACKS.values():
        data = json.loads(json.dumps(track.coordinates(), allow_nan=False))
        left, top = data["origin"]
        x, y, heading = data["lanes"][0]
        place = left + x * data["scale"], top - y * data["scale"], -heading / 10 % 360
        assert place == pytest.approx(track.spot(*track.lanes[0]), abs=0.01)
        assert data["viewBox"] == [0, 0, *track.size]


def test_a_scenario_must_exist() -> None:
    with pytest.raises(ValueError, match="no scenario 1"):
        track_of(edition(*OVAL, width=16, closed=True), 1, "")


# --- the pictures ---------------------------------------------------------------------------------------------------


def read(svg: str) -> ElementTree.Element:
    """The picture as a tree; checks that its ids are unique and that everything it uses is defined."""
    root = ElementTree.fromstring(svg)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {e.get("href", "")[1:] for e in root.iter(SVG + "use")} <= set(ids)
    assert set(re.findall(r"url\(#([\w-]+)\)", svg)) <= set(ids)
    assert "nan" not in svg and "<style" not in svg and " style=" not in svg
    return root


def classes(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


def by_id(root: ElementTree.Element, name: str) -> ElementTree.Element:
    return next(e for e in root.iter() if e.get("id") == name)


def placed(e: ElementTree.Element) -> list[float]:
    """Where an element is moved to, and how far it is turned."""
    found = re.match(r"translate\((-?[\d.]+) (-?[\d.]+)\)(?: rotate\((-?[\d.]+)\))?", e.get("transform", ""))
    assert found is not None
    return [float(value or 0) for value in found.groups()]


@ANY
def test_any_track_is_drawn(track: Track) -> None:
    root = read(board_svg(track, 2 if track.closed else 1))
    assert root.get("viewBox") == f"0 0 {track.size[0]} {track.size[1]}"
    assert by_id(root, "track").get("d") == track.ground()
    assert len(classes(root, "lane")) == len(track.lanes) + len(track.second_row)
    assert len(classes(root, "line")) == (1 if track.closed else 2)
    assert placed(by_id(root, "finish")) == pytest.approx(track.place(track.finish), abs=0.06)
    assert len(classes(root, "way")) >= 3
    assert [e.text for e in classes(root, "title")] == [track.title.upper()]
    assert len(classes(root, "obstacle")) == len(track.obstacles)
    assert root.get("aria-label") == root.findtext(SVG + "desc") and root.get("role") == "img"
    assert not classes(root, "piece")


@ANY
def test_everything_that_can_happen_is_drawn_on_any_track(track: Track) -> None:
    read(race_svg(track, melee(track), NAMES))


def test_the_scale_bar_is_ten_centimetres() -> None:
    bar = next(iter(classes(read(board_svg(CIRCUS, 2)), "scale")))
    assert bar[0].get("width") == "100"


def test_pictures_are_light() -> None:
    assert max(len(board_svg(track, 2).encode()) for track in TRACKS.values()) < 70_000
    assert max(len(race_svg(track, melee(track), NAMES).encode()) for track in TRACKS.values()) < 190_000


@ANY
def test_pieces_stand_to_scale_where_the_rules_say(track: Track) -> None:
    view = melee(track)
    root = read(race_svg(track, view, NAMES))
    for p in view["pieces"]:
        if p["kind"] == "absent":
            assert not [e for e in root.iter() if e.get("id") == f"piece-{p['piece']}"]
            continue
        group = by_id(root, f"piece-{p['piece']}")
        x, y, turn = placed(group)
        left, top = track.origin
        assert (x, y) == pytest.approx((left + p["x"] / 10, top - p["y"] / 10), abs=0.001)  # to the last unit
        assert turn == pytest.approx(-p["heading"] / 10 % 360, abs=0.001)
        base = classes(group, "base")[0]
        size = [float(base.get(name, "")) for name in ("x", "y", "width", "height")]
        long, wide = p["length"] / 10, p["width"] / 10
        assert size == pytest.approx([-long / 2, -wide / 2, long, wide], abs=0.06)


def test_a_smaller_base_shrinks_its_figure() -> None:
    group = piece(CHARIOT, (0, 0, 0), (20, 10), chariot(0))
    assert "scale(0.5 0.5)" in str(group)
    assert "scale" not in str(piece(CHARIOT, (0, 0, 0), (40, 20), chariot(0))).split('class="letter"')[0]


def test_figures_tell_what_has_happened() -> None:
    root = read(race_svg(CIRCUS, melee(CIRCUS), NAMES))

    def marks(number: int) -> set[str]:
        return {e.get("class", "").split()[1] for e in classes(by_id(root, f"piece-{number}"), "mark")}

    def has(number: int, name: str) -> int:
        return len(classes(by_id(root, f"piece-{number}"), name))

    assert marks(0) == set() and has(0, "frightening") == 1 and has(0, "horse") == 2 and has(0, "halo") == 1
    assert "active" in by_id(root, "piece-0").get("class", "").split()
    assert len(classes(root, "halo")) == 1
    assert marks(1) == {"out-of-control", "unconscious"} and has(1, "dragged") == 1
    assert has(2, "haft") == 1 and has(2, "loose") == 1
    assert marks(3) == {"dead"} and has(3, "horse") == 1 and has(3, "dead-horse") == 1
    assert marks(4) == {"out-of-control", "unconscious", "dead"}
    assert has(5, "driver") == 0 and has(5, "horse") == 2
    assert has(7, "driver") == 0  # dead
    assert marks(WRECK_OF + 1) == set()
    assert marks(DRIVER_OF + 5) == set() and marks(DRIVER_OF + 8) == {"unconscious"}
    beasts = {number: {e.get("href") for e in classes(by_id(root, f"piece-{number}"), "horse")} for number in (0, 4, 6)}
    assert beasts == {0: {"#spina-horse"}, 4: {"#spina-wolf"}, 6: {"#spina-boar"}}
    kinds = [e.get("class", "").split()[1] for e in classes(root, "piece")]
    assert set(kinds) == {"chariot", "team", "wreck", "driver"}
    assert kinds[:3] == ["wreck"] * 3 and kinds[-2:] == ["driver"] * 2  # wrecks lowest


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACE_NAMES)
@pytest.mark.parametrize("beast", BEAST_NAMES)
@pytest.mark.parametrize("kind", KIND_NAMES[1:6])
def test_every_kind_in_every_state_is_drawn(kind: str, beast: str, place: str) -> None:
    for horses, dead in ((2, 0), (1, 1), (1, 0), (0, 1)):
        c = chariot(
            0, driver=place, beast=beast, horses=horses, dead_horses=dead, stunned=bool(dead), reins=not dead,
            out_of_control=True, frightening=True,
        )  # fmt: skip
        root = read(race_svg(CIRCUS, seen(CIRCUS, [c], [standing(0, kind, (900, 0, 137), 0)]), NAMES))
        assert len(classes(root, "piece")) == 1
        if kind in ("chariot", "team", "team dragging its driver"):
            assert len(classes(root, "horse")) == horses and len(classes(root, "dead-horse")) == dead


def test_twelve_chariots_look_different() -> None:
    root = read(race_svg(CIRCUS, grid(CIRCUS, 12), NAMES))
    letters, fills = [], []
    for k in range(12):
        figure = by_id(root, f"piece-{k}")
        letters.append("".join(e.text or "" for e in classes(figure, "letter")[0].iter(SVG + "text")))
        fills.append(f"url(#spina-stripes-{FACTIONS[k % 6].name})" if k >= 6 else FACTIONS[k].colour)
        assert fills[-1] in {e.get("fill") for e in figure.iter()}
    assert letters == [f.letter for f in FACTIONS] + [f.letter.lower() for f in FACTIONS]
    assert len({colours(k).name for k in range(12)}) == len(set(fills)) == 12


def test_letters_stay_upright() -> None:
    view = seen(CIRCUS, [chariot(0)], [standing(0, "chariot", (900, 0, 1234), 0)])
    figure = by_id(read(race_svg(CIRCUS, view, NAMES)), "piece-0")
    assert placed(figure)[2] + placed(classes(figure, "letter")[0])[2] == pytest.approx(0)


def test_obstacles_are_drawn_where_they_are_now() -> None:
    view = grid(TRIAL, 1)
    view["pieces"][-1] |= {"x": 5000, "y": 100, "heading": 450}
    root = read(race_svg(TRIAL, view, NAMES))
    assert placed(by_id(root, f"piece-{OBSTACLE + 2}")) == pytest.approx(TRIAL.spot(5000, 100, 450), abs=0.06)
    assert [("low" in e.get("class", "").split()) for e in classes(root, "obstacle")] == [False, True, False]
    assert [len(classes(e, "shadow")) for e in classes(root, "obstacle")] == [1, 0, 1]
    # a movable one that the view does not mention is gone; fixed ones stay
    view["pieces"] = view["pieces"][:1]
    assert len(classes(read(race_svg(TRIAL, view, NAMES)), "obstacle")) == 2
    view["pieces"].append(standing(OBSTACLE, "absent", (0, 0, 0), None))
    assert len(classes(read(race_svg(TRIAL, view, NAMES)), "obstacle")) == 1


def test_panels_go_by_place_and_tell_the_points() -> None:
    chariots = [
        chariot(0, place=2, stamina=17, structure=0, token="5", tokens=["0", "5"], luck=2, lap=2, progress=2345.6),
        chariot(1, place=1, home=1),
    ]
    root = read(race_svg(CIRCUS, seen(CIRCUS, chariots, [], active=0), NAMES))
    panels = classes(root, "panel")
    assert [e.get("id") for e in panels] == ["panel-1", "panel-0"]
    texts = [" ".join(e.itertext()) for e in panels]
    assert "LAP II · 235 CM" in texts[1] and "CROSSED THE LINE 1ST" in texts[0]
    assert [classes(panels[1], kind)[0].text for kind in POINT_NAMES] == ["17", "0", "3", "6"]
    assert [e.text for e in classes(panels[1], "owned")] == ["0", "5"]
    assert [e.text for e in classes(panels[1], "given-up")] == ["10"]
    assert classes(panels[0], "hidden") and not classes(panels[1], "hidden")
    assert [len(classes(e, "wreath")) for e in panels] == [1, 0]
    behind = [chariot(0, lap=0, progress=-130.4), chariot(1, lap=0, progress=-0.4)]
    texts = [" ".join(e.itertext()) for e in classes(read(race_svg(CIRCUS, seen(CIRCUS, behind, []), NAMES)), "panel")]
    assert "START · −13 CM" in texts[0] and "START · 0 CM" in texts[1]
    secret = seen(CIRCUS, [chariot(0, token="5", drawn=False)], [])
    assert len(classes(read(race_svg(CIRCUS, secret, NAMES)), "chosen")) == 1
    assert len(classes(panels[1], "luck")) == len(classes(panels[1], "whip")) == len(classes(panels[1], "knife")) == 1


@pytest.mark.parametrize(("lap", "home", "dived"), [(0, None, 0), (1, None, 0), (2, None, 1), (3, 1, 2)])
def test_a_dolphin_dives_for_every_lap_completed(lap: int, home: int | None, dived: int) -> None:
    root = read(race_svg(CIRCUS, seen(CIRCUS, [chariot(0, lap=lap, home=home)], []), NAMES))
    assert len(classes(root, "dolphin")) == 2 and len(classes(root, "dived")) == dived


def test_a_position_in_words() -> None:
    label = read(race_svg(CIRCUS, melee(CIRCUS), NAMES)).get("aria-label", "")
    assert "Circus, turn 17 of at most 104. Red has the turn: drive" in label
    assert "1st: Scorpus (red), 47.0 cm, lap 1 of 2, stamina 19, structure 5, health 3, skill 6, token 10" in label
    assert "2nd: Diocles (white)" in label and "driver dragged, unconscious, out of control" in label
    assert "9th: Musclosus (blue-2)" in label
    assert "Wrecks: white, gold, blue-2." in label
    assert "an open course, 247 cm from line to line, 12 cm wide" in read(board_svg(TRIAL)).get("aria-label", "")


NASTY = "<script>\"&'\x00\ud800]]>"


def test_names_and_titles_are_escaped() -> None:
    track = track_of(edition(*OVAL, width=16, closed=True), 0, NASTY)
    svg = race_svg(track, grid(track, 2), [NASTY, ""])
    assert "<script" not in svg.lower()
    assert read(svg).findtext(SVG + "title") == "<script>\"&'\ufffd\ufffd]]>"
    svg.encode()
    read(board_svg(track_of(edition("straight 90", width=12, closed=False), 0, "")))


def test_no_figure_for_what_has_no_base() -> None:
    for kind in (ABSENT, BLOCK):
        with pytest.raises(ValueError, match=KIND_NAMES[kind]):
            piece(kind, (0, 0, 0), (1, 1), None)


# --- in a terminal --------------------------------------------------------------------------------------------------


@ANY
def test_every_track_fits_into_a_terminal(track: Track) -> None:
    names = ["李小龍" * 9, "B\x1b[2J" * 9, *NAMES[2:]]
    for view in (melee(track), grid(track, 6), seen(track, [chariot(0)], [])):
        drawn = draw(track, view, names, False)
        assert max(columns(line) for line in drawn.splitlines()) <= COLUMNS
        assert len(drawn.splitlines()) < 56
        assert "\x1b" not in drawn
        assert re.sub(r"\x1b\[[\d;]*m", "", draw(track, view, names, True)) == drawn


def test_chariots_have_their_letters_on_the_track() -> None:
    for track in TRACKS.values():
        places = [track.pose(track.length * (k + 0.6) / 12, 0) for k in range(12)]
        view = seen(
            track, [chariot(k) for k in range(12)], [standing(k, "chariot", p, k) for k, p in enumerate(places)]
        )
        picture = draw(track, view, NAMES, False).split("┃ start")[0]
        for k in range(12):
            assert re.search(rf"(?<![A-Za-z]){colours(k).letter}(?![A-Za-z])", picture), colours(k).name


def test_arrows_show_where_chariots_go() -> None:
    for heading, arrow in ((0, "→"), (470, "↗"), (1350, "↖"), (1800, "←"), (2700, "↓"), (3590, "→")):
        view = seen(CIRCUS, [chariot(0)], [standing(0, "chariot", (2500, 0, heading), 0)])
        assert arrow in draw(CIRCUS, view, NAMES, False)


def test_a_race_in_a_terminal() -> None:
    drawn = draw(CIRCUS, melee(CIRCUS), NAMES, False)
    picture, table = drawn.split("driver on foot\n")
    assert "TURN 17 OF AT MOST 104  ·  LAP I OF II" in picture and "Scorpus (R), token 10: drive" in picture
    assert "×W" in picture and "ob" in picture and "×b" in picture
    rows = table.strip().splitlines()
    assert " ".join(rows[1].split()) == "1›R Scorpus 19 5 3 6 10 aboard 1/2 329 fright, luck 2"
    assert " ".join(rows[2].split()[7:]) == "– dragged 1/2 376 stunned, runaway, no 10"
    assert "home" in rows[10] and "no reins" in rows[11] and "out" in rows[12]
    trial = draw(TRIAL, grid(TRIAL, 4), NAMES, False)
    assert "█ obstacle   ▒ low obstacle" in trial and trial.count("▒") > 1 and trial.startswith("TURN 3")
    over = draw(CIRCUS, {**melee(CIRCUS), "question": "nothing"}, NAMES, False)
    assert "Scorpus (R) won" in over and "›" not in over
