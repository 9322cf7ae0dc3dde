"""The pictures of Chariot Race: their geometry for any edition, and what they say and show."""

from __future__ import annotations

import json
import math
import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from spina.games.chariot_race.components.course import Section, lane_names, lay
from spina.games.chariot_race.components.edition import ChariotRaceEdition, parse, reference, template
from spina.games.chariot_race.pictures.board import Chariot, board_svg, chariots_of, lap_of, race_svg
from spina.games.chariot_race.pictures.layout import Layout, bends, layout
from spina.games.chariot_race.pictures.terminal_board import WIDTH as COLUMNS
from spina.games.chariot_race.pictures.terminal_board import columns, draw
from spina.games.chariot_race.rules.record import SIDE_NAMES
from spina.games.circus import DEPTH, HEIGHT, MIDDLE, RADIUS, STRAIGHT, WIDTH, in_bend
from spina.games.factions import FACTIONS
from spina.games.pictures import CHARIOT_LENGTH, CHARIOT_WIDTH

SVG = "{http://www.w3.org/2000/svg}"


def course(*texts: str, line: int, lanes: int = 3) -> ChariotRaceEdition:
    """The reference edition on another course, without corners and heaps; the grid lies before the line."""
    found = [re.findall(r"[\w-]+", text) for text in texts]
    sections = [Section(w[0], w[1] == "bend", int(w[3]) - 1, int(w[5]), tuple(map(int, w[7:]))) for w in found]
    laid, names = lay(sections, line), lane_names(lanes)
    places = sorted((space.front, space.lane, space.place) for space in laid.spaces)[::-1][:6]
    grid = [f"{texts[place.section].split(':')[0]} {names[lane]} {place.nth}" for _, lane, place in places]
    text = template()
    for key, value in (("lanes", lanes), ("line", line)):
        text = re.sub(rf"(?m)^{key} = {{ value = \d+", f"{key} = {{ value = {value}", text)
    for key, entries in (("sections", texts), ("corners", ()), ("heaps", ()), ("grid", grid)):
        before = r"^sections = " if key == "sections" else rf"^\[{key}\]$.*?^list = "
        rows = "".join(f'  "{entry}",\n' for entry in entries)
        text = re.sub(rf"(?ms)({before})\[\n.*?^\]", rf"\1[\n{rows}]", text, count=1)
    return parse(text, "test")


EDITION = reference()
REFERENCE = layout(EDITION)
NUMBERS = EDITION.space_numbers
ROUND = [
    "a: straight, half 1, length 10, spaces 10 10 10",
    "b: bend, half 1, length 6, spaces 4 6 8",
    "c: straight, half 2, length 10, spaces 10 10 10",
    "d: bend, half 2, length 6, spaces 4 6 8",
]
EDITIONS = {
    "reference": EDITION,
    "bends first": course(*ROUND[1:], ROUND[0], line=10),
    "line at the end of a bend": course(*ROUND, line=0),
    "line before a bend": course(*ROUND, line=10),
    "line in a bend": course(*ROUND, line=13),
    "a bend of two sections": course(
        *ROUND[:1],
        "b: bend, half 1, length 3, spaces 2 3 4",
        "e: bend, half 1, length 3, spaces 2 3 4",
        *ROUND[2:],
        line=4,
    ),
    "unequal straights": course(ROUND[0], ROUND[1], "c: straight, half 2, length 4, spaces 5 5 5", ROUND[3], line=5),
    "one bend": course(ROUND[0], ROUND[1], line=4),
    "no bends": course("a: straight, half 1, length 20, spaces 20 20 20", line=4),
    "nothing but bends": course("a: bend, half 1, length 12, spaces 12 18 24", line=0),
    "two lanes": course(
        "a: straight, half 1, length 8, spaces 8 8", "b: bend, half 2, length 6, spaces 4 6", line=4, lanes=2
    ),
    "six lanes": course(
        "a: straight, half 1, length 8, spaces 8 8 8 8 8 8",
        "b: bend, half 1, length 4, spaces 4 4 4 8 8 8",
        "c: straight, half 2, length 8, spaces 8 8 8 8 8 8",
        "d: bend, half 2, length 4, spaces 4 4 4 8 4 4",
        line=4,
        lanes=6,
    ),
}
ANY = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS.keys())


def area(data: str) -> float:
    """Area inside path data of lines and arcs; an outline that runs counterclockwise in the picture is negative."""
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


# --- geometry -------------------------------------------------------------------------------------------------------


@ANY
def test_spaces_fill_their_lanes_exactly(edition: ChariotRaceEdition) -> None:
    board = layout(edition)
    for lane in range(edition.lanes):
        inner, outer = (RADIUS + DEPTH * k / edition.lanes for k in (lane, lane + 1))
        areas = [area(space.path) for space in board.spaces if space.lane == lane]
        assert min(areas) > 0
        assert sum(areas) == pytest.approx(2 * STRAIGHT * (outer - inner) + math.pi * (outer**2 - inner**2), rel=2e-3)


@ANY
def test_a_space_begins_where_the_one_behind_ends(edition: ChariotRaceEdition) -> None:
    board = layout(edition)
    for lane in range(edition.lanes):
        ring = [space for space in board.spaces if space.lane == lane]
        for behind, space in zip(ring[-1:] + ring[:-1], ring, strict=True):
            gap = (space.along[0] - behind.along[1]) / (2 * (STRAIGHT + math.pi * (RADIUS + DEPTH / 2)))
            assert gap == pytest.approx(round(gap), abs=1e-9)
        assert ring[0].along[0] == board.line


@ANY
def test_chariots_face_counterclockwise_and_do_not_touch(edition: ChariotRaceEdition) -> None:
    board = layout(edition)
    for space in board.spaces:
        x, y, turn = board.spot(space.index)
        assert 0 <= turn < 360
        ahead = (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
        # the middle of the circus lies to the left
        assert ahead[0] * (y - MIDDLE[1]) - ahead[1] * (x - MIDDLE[0]) > 0
        assert board.scale * CHARIOT_WIDTH < space.width
        assert board.scale * CHARIOT_LENGTH < space.length
    for one, two in combinations(board.spaces, 2):
        assert math.dist(one.centre, two.centre) > board.scale * CHARIOT_WIDTH


@pytest.mark.parametrize("name", ["reference", "line at the end of a bend", "a bend of two sections", "line in a bend"])
def test_two_bends_lie_at_the_ends(name: str) -> None:
    edition = EDITIONS[name]
    (b, c), (d, e) = bends(edition)
    for space in layout(edition).spaces:
        unit = edition.front[space.index]
        bent = any(
            (unit - begin - 1) % edition.length < (end - begin) % edition.length for begin, end in ((b, c), (d, e))
        )
        assert in_bend(space.middle) == bent
        assert bent == (not MIDDLE[0] - STRAIGHT / 2 < space.centre[0] < MIDDLE[0] + STRAIGHT / 2)


def test_the_line_is_on_the_lower_straight() -> None:
    first = REFERENCE.spaces[0]
    assert first.centre[1] > MIDDLE[1] and first.heading == 0
    assert REFERENCE.line == pytest.approx(0.4 * STRAIGHT)


def test_heaps_lie_on_half_boards_that_show_side_b() -> None:
    both = set(REFERENCE.heaps((1, 1)))
    assert both == {space for space, heap in enumerate(EDITION.heap) if heap}
    assert set(REFERENCE.heaps((1, 0))) == {space for space in both if EDITION.half[space] == 0}
    assert REFERENCE.heaps((0, 0)) == ()


def test_coordinates_are_what_a_browser_needs() -> None:
    data = json.loads(json.dumps(REFERENCE.coordinates(), allow_nan=False))
    assert data["viewBox"] == [0, 0, WIDTH, HEIGHT]
    assert data["grid"] == list(EDITION.grid)
    assert len(data["spaces"]) == EDITION.spaces
    for index, space in enumerate(data["spaces"]):
        assert space["centre"] == pytest.approx(REFERENCE.spot(index)[:2], abs=0.01)
        assert (space["name"], space["lane"]) == (EDITION.space_names[index], EDITION.lane[index])


# --- the pictures ---------------------------------------------------------------------------------------------------

FIELD = [Chariot(k, f"Driver {k}", space, 0, k + 1, speed=4, fate=3) for k, space in enumerate(EDITION.grid)]
CALTROPS = [NUMBERS[name] for name in ("i3", "m11", "o20")]


def read(svg: str) -> ElementTree.Element:
    """The picture as a tree; its names must be unique, and what it uses must be there."""
    root = ElementTree.fromstring(svg)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {e.get("href", "")[1:] for e in root.iter(SVG + "use")} <= set(ids)
    assert set(re.findall(r"url\(#([\w-]+)\)", svg)) <= set(ids)
    assert "nan" not in svg and "<style" not in svg and " style=" not in svg
    return root


def classes(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


@ANY
def test_the_board_has_every_space_once(edition: ChariotRaceEdition) -> None:
    root = read(board_svg(layout(edition)))
    assert [e.get("id") for e in classes(root, "space")] == [f"space-{k}" for k in range(edition.spaces)]
    assert len(classes(root, "numbered")) == sum(safe > 0 for safe in edition.number)
    assert {e.get("id") for e in classes(root, "start")} == {f"space-{k}" for k in edition.grid}
    assert not classes(root, "chariot") and not classes(root, "heap")


def test_pictures_of_the_reference_edition_are_light() -> None:
    heaps = REFERENCE.heaps((1, 1))
    assert len(board_svg(REFERENCE, heaps=heaps).encode()) < 60_000
    assert len(race_svg(REFERENCE, FIELD, range(20), heaps=heaps, dice=SIDE_NAMES).encode()) < 90_000


def test_the_board_shows_safe_speeds_names_and_heaps() -> None:
    heaps = REFERENCE.heaps((0, 1))
    root = read(board_svg(REFERENCE, heaps=heaps))
    speeds = ["".join(e.itertext()) for e in classes(root, "speed")]
    assert speeds == [str(safe) for safe in EDITION.number if safe]
    names = next(iter(classes(root, "names")))
    assert [e.text for e in names] == list(EDITION.space_names)
    assert len(classes(root, "heap")) == len(heaps) == len(classes(root, "closed"))
    assert EDITION.space_names[heaps[0]] in root.get("aria-label", "")


def test_chariots_stand_in_their_spaces_with_upright_letters() -> None:
    root = read(race_svg(REFERENCE, FIELD, active=2))
    for c in FIELD:
        piece = next(e for e in root.iter() if e.get("id") == f"chariot-{c.chariot}")
        assert c.space is not None
        place = re.match(r"translate\(([\d.]+) ([\d.]+)\)", piece.get("transform", ""))
        assert place is not None
        assert [float(v) for v in place.groups()] == pytest.approx(REFERENCE.spot(c.space)[:2], abs=0.06)
        assert next(piece.iter(SVG + "text")).text == FACTIONS[c.chariot].letter
        assert ("active" in piece.get("class", "").split()) == (c.chariot == 2)


def test_a_position_in_words() -> None:
    field = [
        Chariot(0, "Red", NUMBERS["i9"], 1, 2, 7, 12, 6, 2),
        Chariot(1, "White", NUMBERS["m1"], 3, 1, 12, 12, 9, 1, finished=True),
        Chariot(2, "Blue", NUMBERS["o5"], 1, 3, 0, wrecked=True),
        Chariot(3, "Di", None, 0),
    ]
    root = read(race_svg(REFERENCE, field, CALTROPS, heaps=[NUMBERS["i26"]], dice=["steer", "attack"]))
    label = root.get("aria-label", "")
    assert label == root.findtext(SVG + "desc") and root.get("role") == "img"
    assert "2nd: Red (red), lap 1 of 2, space i9, condition 7 of 12, speed 6, fate 2" in label
    assert "1st: White (white), finished, space m1, condition 12 of 12, speed 9, fate 1" in label
    assert "3rd: Blue (blue), wrecked, space o5" in label
    assert "Di (green), before the line, not placed yet" in label
    assert "Dice: steer, attack. Caltrops: i3, m11, o20. Stone heaps: i26." in label
    assert [e.get("id") for e in classes(root, "wreck")] == ["chariot-2"]
    assert not [e for e in root.iter() if e.get("id") == "chariot-3"]
    assert len(classes(root, "caltrop")) == 3 and len(classes(root, "die")) == 2


@pytest.mark.parametrize(("lap", "finished", "dived"), [(0, False, 0), (1, False, 0), (2, False, 1), (3, True, 2)])
def test_a_dolphin_dives_for_every_lap_completed(lap: int, finished: bool, dived: int) -> None:
    root = read(race_svg(REFERENCE, [Chariot(0, "Red", 5, lap, 1, finished=finished)]))
    assert len(classes(root, "dolphin")) == 2
    assert len(classes(root, "dived")) == dived


def test_the_legend_goes_by_place() -> None:
    field = [Chariot(0, "Red", 5, 1, 2, 3, speed=8, fate=5), Chariot(1, "White", NUMBERS["m9"], 2, 1)]
    plaques = classes(read(race_svg(REFERENCE, field)), "plaque")
    assert [e.get("id") for e in plaques] == ["plaque-1", "plaque-0"]
    texts = ["".join(e.itertext()) for e in plaques]
    assert "LAP II · m9" in texts[0]
    assert "SPEED 8 · FATE 5" in texts[1]
    full, worn = (float(e.get("width", "")) for e in (classes(plaque, "condition")[0] for plaque in plaques))
    assert worn == pytest.approx(full / 4)


NASTY = "<script>\"&'\x00\ud800]]>"


def test_names_and_titles_are_escaped() -> None:
    svg = race_svg(REFERENCE, [Chariot(0, NASTY, 5), Chariot(1, NASTY, 6, wrecked=True)], title=NASTY)
    assert "<script" not in svg.lower()
    assert read(svg).findtext(SVG + "title") == "<script>\"&'��]]>"
    svg.encode()
    read(board_svg(REFERENCE, ""))


@pytest.mark.parametrize(
    ("chariots", "options", "reason"),
    [
        ([Chariot(0, "Red", 96)], {}, "no space 96"),
        ([Chariot(0, "Red", -1)], {}, "no space -1"),
        ([Chariot(0, "Red", 5), Chariot(0, "White", 6)], {}, "one number"),
        ([], {"caltrops": [400]}, "no space 400"),
        ([], {"heaps": [400]}, "no space 400"),
        ([], {"dice": ["rest"]}, "no side"),
        ([], {"dice": ["steer"] * 6}, "5 dice"),
    ],
)
def test_what_cannot_be_drawn_is_refused(chariots: list[Chariot], options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        race_svg(REFERENCE, chariots, **options)


# --- from a view ----------------------------------------------------------------------------------------------------


def seen(edition: ChariotRaceEdition, spaces: list[int | None], **changes: Any) -> dict[str, Any]:
    """A view with chariots in these spaces, in their first lap."""
    chariots = [
        {
            "chariot": k,
            "faction": k,
            "seat": k // 2,
            "kind": "plain",
            "space": space,
            "name_of_space": None if space is None else edition.space_names[space],
            "lane": None if space is None else edition.lane[space],
            "lap": 0,
            "distance": -edition.length if space is None else edition.front[space],
            "condition": 12 - k,
            "speed": 4,
            "fate": 3,
            "wrecked": False,
            "finished": False,
            "place": k + 1,
        }
        for k, space in enumerate(spaces)
    ]
    view = {"round": 1, "stage": "path", "chariot": 0, "dice": [], "caltrops": [], "heaps": [], "over": False}
    return {**view, "chariots": chariots, **changes}


def test_laps_follow_from_the_distance() -> None:
    assert [lap_of(d, 128) for d in (-128, -4, 0, 1, 128, 129, 257)] == [0, 0, 0, 1, 1, 2, 3]


def test_chariots_of_a_view() -> None:
    found = chariots_of(seen(EDITION, [3, None, 40]), EDITION, ["Red", "White"])
    assert [(c.name, c.space, c.lap, c.condition) for c in found] == [
        ("Red", 3, 1, 12),
        ("Red", None, 0, 11),
        ("White", 40, 1, 10),
    ]
    read(race_svg(REFERENCE, found))


@ANY
def test_every_course_fits_into_a_terminal(edition: ChariotRaceEdition) -> None:
    view = seen(edition, list(edition.grid), caltrops=list(range(edition.spaces)), dice=list(SIDE_NAMES))
    drawn = draw(view, edition, ["李小龍" * 9, "B\x1b[2J" * 9, "Blue"], False)
    assert all(columns(line) <= COLUMNS for line in drawn.splitlines())
    assert "\x1b" not in drawn
    track = drawn.split("caltrop")[0]
    assert all(len(re.findall(rf"{FACTIONS[k].letter}\*", track)) == 1 for k in range(6))


def test_every_space_of_the_reference_course_has_its_place_in_a_terminal() -> None:
    drawn = draw(seen(EDITION, [NUMBERS["o1"]]), EDITION, ["Red"], False).split("safe speed")[0]
    assert drawn.count("·") - drawn.count("  ·  LAP") == EDITION.spaces - 1


def test_a_race_in_a_terminal() -> None:
    view = seen(
        EDITION,
        [NUMBERS["m12"], NUMBERS["i9"], NUMBERS["o5"], NUMBERS["m1"]],
        caltrops=[NUMBERS["i9"]],
        heaps=[NUMBERS["i26"]],
        dice=["steer", "steer", "attack"],
    )
    view["chariots"][2]["wrecked"] = True
    view["chariots"][3] |= {"finished": True, "distance": 2 * EDITION.length + 4}
    drawn = draw(view, EDITION, ["Red", "White"], False)
    track, table = drawn.split("stone heap")
    assert "W3*" in track and track.count("▲") == 2  # one on the track, one to explain it
    assert "Red (R): path" in track and "2 steer, attack" in track
    rows = table.splitlines()[-4:]
    assert rows[0].split()[:6] == ["1›R", "Red", "m12", "1/2", "53", "12"]  # 64 spaces and one beyond the line, less 12
    assert "wreck" in rows[2] and "home" in rows[3]
    assert re.sub(r"\x1b\[[\d;]*m", "", draw(view, EDITION, ["Red", "White"], True)) == drawn
    over = draw({**view, "over": True, "stage": "race over"}, EDITION, ["Red", "White"], False)
    assert "Red (R) won" in over and "›" not in over


def test_a_layout_is_made_once() -> None:
    again: Layout = layout(EDITION)
    assert again is REFERENCE


def test_a_rammer_in_mid_move_stands_beside_whom_it_rams() -> None:
    svg = race_svg(layout(reference()), [Chariot(0, "Felix", 9), Chariot(1, "Diocles", 9)], active=0)
    places = re.findall(r'id="chariot-[01]"[^>]*transform="([^"]*)"|transform="([^"]*)"[^>]*id="chariot-[01]"', svg)
    assert len(places) == 2
    assert len(set(places)) == 2
