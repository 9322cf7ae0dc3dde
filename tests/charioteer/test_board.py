"""The picture of Charioteer: its geometry for any edition, and what it says and shows."""

from __future__ import annotations

import json
import math
import re
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from spina.games.charioteer.pictures.board import Card, Chariot, Layout, board_svg, layout, race_svg
from spina.games.charioteer.pictures.layout import LANES, corners
from spina.games.charioteer.rules.record import FACE_NAMES, SPACES
from spina.games.circus import DEPTH, HEIGHT, MIDDLE, RADIUS, STRAIGHT, WIDTH
from spina.games.factions import FACTIONS, shape
from spina.games.pictures import CHARIOT_LENGTH, CHARIOT_WIDTH, ordinal, roman, shortened
from spina.games.svg import element, number

SVG = "{http://www.w3.org/2000/svg}"


def outers(spaces: int, *runs: tuple[int, int]) -> list[bool]:
    """Flags of a lap in which (regular, outer) follows so often from each first space."""
    flags = [False] * spaces
    for first, times in runs:
        for k in range(times):
            flags[(first + 1 + 2 * k) % spaces] = True
    return flags


REFERENCE = layout(64, outers(64, (4, 7), (36, 7)), -4)
EDITIONS = {
    "reference": REFERENCE,
    "forty": layout(40, outers(40, (3, 4), (22, 6)), -3),
    "line in a corner": layout(48, outers(48, (44, 5), (20, 4)), -6),
    "line at the end of a corner": layout(30, outers(30, (25, 2), (10, 3)), -8),
    "runs of outer spaces": layout(50, [k in (6, 7, 9, 10, 30, 32, 33) for k in range(50)], -4),
    "one corner": layout(36, outers(36, (5, 6)), -2),
    "three corners": layout(60, outers(60, (4, 3), (24, 3), (44, 4)), -2),
    "corners without a straight between": layout(12, outers(12, (0, 2), (5, 2)), -1),
    "corner all around": layout(20, outers(20, (0, 10)), -1),
    "no corners": layout(30, [False] * 30, -1),
    "nothing but outer spaces": layout(8, [True] * 8, 0),
    "start in a corner": layout(40, outers(40, (3, 4), (22, 6)), -13),
    "longest": layout(SPACES, outers(SPACES, (10, 12), (80, 15)), -4),
    "shortest": layout(1, [False], 0),
}
ANY = pytest.mark.parametrize("board", EDITIONS.values(), ids=EDITIONS.keys())


def depth(x: float, y: float) -> float:
    """Distance of a point from the inner edge of the track."""
    beyond = max(abs(x - MIDDLE[0]) - STRAIGHT / 2, 0)
    return math.hypot(beyond, y - MIDDLE[1]) - RADIUS


def area(data: str) -> float:
    """Area inside path data of lines and arcs; an outline that runs clockwise is positive."""
    total, pen, first = 0.0, (0.0, 0.0), (0.0, 0.0)
    for command, text in re.findall(r"([MLAZ])([^MLAZ]*)", data):
        values = [float(v) for v in re.findall(r"-?[\d.]+", text)]
        there = first if command == "Z" else (values[-2], values[-1])
        if command == "M":
            first = there
        else:
            total += (pen[0] * there[1] - there[0] * pen[1]) / 2
        if command == "A":
            radius, chord = values[0], math.dist(pen, there)
            angle = 2 * math.asin(min(chord / (2 * radius), 1))
            total += (1 if values[4] == 1 else -1) * radius**2 * (angle - math.sin(angle)) / 2
        pen = there
    return total


# --- geometry -------------------------------------------------------------------------------------------------------


@ANY
def test_spaces_fill_the_track_exactly(board: Layout) -> None:
    track = 2 * STRAIGHT * DEPTH + math.pi * ((RADIUS + DEPTH) ** 2 - RADIUS**2)
    areas = [area(space.path) for space in board.spaces]
    assert min(areas) > 0
    assert sum(areas) == pytest.approx(track, rel=1e-3)


@ANY
def test_every_number_is_finite_and_no_centres_coincide(board: Layout) -> None:
    for space in board.spaces:
        assert all(map(math.isfinite, (*space.centre, space.heading, *space.along)))
        assert 0 <= space.heading < 360
    for a, b in combinations(board.spaces, 2):
        assert math.dist(a.centre, b.centre) > 5


@ANY
def test_the_way_is_counterclockwise(board: Layout) -> None:
    angles = [math.atan2(MIDDLE[1] - s.centre[1], s.centre[0] - MIDDLE[0]) for s in board.spaces]
    steps = [(b - a) % math.tau for a, b in zip(angles, angles[1:] + angles[:1], strict=True)]
    if len(steps) > 2:
        assert max(steps) < math.pi
        assert sum(steps) == pytest.approx(math.tau)


@ANY
def test_headings_point_to_the_next_space(board: Layout) -> None:
    if len(board.spaces) < 20:
        return
    for space in board.spaces:
        after = board.spaces[(space.index + 1) % len(board.spaces)]
        x, y, _ = board.spot(space.index, LANES - 1, LANES)
        to_x, to_y, _ = board.spot(after.index, LANES - 1, LANES)
        course = math.degrees(math.atan2(to_y - y, to_x - x))
        assert abs((course - space.heading + 180) % 360 - 180) < 60


@ANY
@pytest.mark.parametrize("of", [1, 2, LANES, LANES + 3])
def test_lanes_lie_apart_inside_their_space_from_inside_to_outside(board: Layout, of: int) -> None:
    for space in board.spaces:
        spots = [board.spot(space.index, lane, of) for lane in range(of)]
        depths = [depth(x, y) for x, y, _ in spots]
        inner, outer = space.deep
        half = CHARIOT_WIDTH / 2 * min(1, LANES / of)
        assert depths == sorted(depths)
        assert depths[0] >= inner + half - 0.1
        assert depths[-1] <= outer - half + 0.1
        for (x, y, _), (to_x, to_y, _) in pairwise(spots):
            assert math.dist((x, y), (to_x, to_y)) >= 2 * half


def test_lanes_keep_their_places_up_to_six() -> None:
    assert REFERENCE.spot(5, 1, 2) == REFERENCE.spot(5, 1, 6)


@pytest.mark.parametrize(("lane", "of"), [(-1, 2), (2, 2), (0, 0)])
def test_a_lane_that_is_not_there(lane: int, of: int) -> None:
    with pytest.raises(ValueError, match="lane"):
        REFERENCE.spot(0, lane, of)


@ANY
def test_chariots_in_neighbouring_spaces_do_not_cover_each_other(board: Layout) -> None:
    if len(board.spaces) < 2:
        return
    for space in board.spaces:
        after = (space.index + 1) % len(board.spaces)
        for lane in range(LANES):
            x, y, _ = board.spot(space.index, lane, LANES)
            nearest = min(math.dist((x, y), board.spot(after, k, LANES)[:2]) for k in range(LANES))
            assert nearest >= 0.75 * CHARIOT_LENGTH * board.scale


def test_outer_spaces_do_not_reach_the_inner_ring() -> None:
    """The reference track: in the inner ring space 4 meets space 6, and 5 begins further out."""
    regular, outer, after = REFERENCE.spaces[4:7]
    assert regular.deep[0] == after.deep[0] == 0 < outer.deep[0]
    assert area(regular.path) > area(outer.path)
    reach = [depth(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)(?=[MLAZ])", outer.path)]
    assert min(reach) == pytest.approx(outer.deep[0], abs=0.2)


def test_the_reference_board_is_the_classic_oval() -> None:
    """Space 0 on the lower straight, the corners in the bends, one half like the other."""
    assert corners([space.outer for space in REFERENCE.spaces]) == [(4, 15), (36, 15)]
    left, right = MIDDLE[0] - STRAIGHT / 2, MIDDLE[0] + STRAIGHT / 2
    for space in REFERENCE.spaces:
        x, y = space.centre
        if 4 <= space.index <= 18:
            assert x > right
        elif 36 <= space.index <= 50:
            assert x < left
        else:
            assert left < x < right
            assert (y > MIDDLE[1]) == (space.index > 50 or space.index < 4)
    assert REFERENCE.start == 60
    assert REFERENCE.scale == pytest.approx(1, abs=0.05)
    for a, b in zip(REFERENCE.spaces, REFERENCE.spaces[32:] + REFERENCE.spaces[:32], strict=True):
        assert a.centre[0] + b.centre[0] == pytest.approx(WIDTH)
        assert a.centre[1] + b.centre[1] == pytest.approx(HEIGHT)


def test_a_corner_with_the_line_in_it_fills_the_right_bend() -> None:
    board = EDITIONS["line in a corner"]
    right = MIDDLE[0] + STRAIGHT / 2
    assert {s.index for s in board.spaces if s.centre[0] > right} == {44, 45, 46, 47, *range(7)}


def test_coordinates_are_what_a_browser_needs() -> None:
    data = json.loads(json.dumps(REFERENCE.coordinates(), allow_nan=False))
    assert data["viewBox"] == [0, 0, WIDTH, HEIGHT]
    assert data["start"] == 60
    assert len(data["spaces"]) == 64
    assert len(data["crowd"]) == 3
    for index, space in enumerate(data["spaces"]):
        assert space["outer"] == REFERENCE.spaces[index].outer
        assert len(space["spots"]) == LANES
        for lane, spot in enumerate(space["spots"]):
            assert spot == pytest.approx(REFERENCE.spot(index, lane, LANES)[:2], abs=0.01)


def test_an_edition_record_may_be_longer_than_its_lap() -> None:
    flags = outers(64, (4, 7), (36, 7))
    assert layout(64, [*flags, *[False] * 96], -4) == REFERENCE
    with pytest.raises(ValueError, match="outer"):
        layout(65, flags, -4)


# --- the pictures ---------------------------------------------------------------------------------------------------

FIELD = [Chariot(seat, f"Driver {seat}", 9, seat, 2, seat + 1, 3 * seat) for seat in range(6)]
CROWD = (Card((("green", 4, 2), ("red", 3, 1))), Card((("yellow", 2, 2),), "recovery"), Card((), "whip"))


def read(svg: str) -> ElementTree.Element:
    """The picture as a tree; its names must be unique, and what it uses must be there."""
    root = ElementTree.fromstring(svg)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {e.get("href", "")[1:] for e in root.iter(SVG + "use")} <= set(ids)
    assert set(re.findall(r"url\(#([\w-]+)\)", svg)) <= set(ids)
    assert "nan" not in svg
    return root


def classes(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


@ANY
def test_the_board_has_every_space_once(board: Layout) -> None:
    svg = board_svg(board)
    root = read(svg)
    spaces = classes(root, "space")
    assert [e.get("id") for e in spaces] == [f"space-{k}" for k in range(len(board.spaces))]
    for drawn, space in zip(spaces, board.spaces, strict=True):
        kinds = drawn.get("class", "").split()
        assert ("outer" in kinds, "regular" in kinds) == (space.outer, not space.outer)
        assert ("start" in kinds) == (space.index == board.start)
    assert not classes(root, "chariot")


def test_the_reference_board_is_light() -> None:
    assert len(board_svg(REFERENCE).encode()) < 60_000


def test_a_picture_has_its_own_ground_and_changes_nothing_around_it() -> None:
    svg = race_svg(REFERENCE, FIELD, die="all", crowd=CROWD)
    root = read(svg)
    ground = next(e for e in root if e.tag == SVG + "rect")
    assert (ground.get("width"), ground.get("height")) == ("100%", "100%")
    assert "<style" not in svg
    assert " style=" not in svg
    assert all(e.get("id", "").startswith("spina-") for e in root.iter(SVG + "pattern"))


def test_chariots_stand_on_their_spots_with_upright_letters() -> None:
    root = read(race_svg(REFERENCE, FIELD))
    for c in FIELD:
        piece = next(e for e in root.iter() if e.get("id") == f"chariot-{c.seat}")
        x, y, turn = (float(v) for v in re.findall(r"-?[\d.]+", piece.get("transform", ""))[:3])
        assert (x, y, turn) == pytest.approx(REFERENCE.spot(c.space, c.lane, 6), abs=0.06)
        letter = next(piece.iter(SVG + "text"))
        assert letter.text == FACTIONS[c.seat].letter
        assert float(re.findall(r"rotate\((-?[\d.]+)\)", letter.get("transform", ""))[0]) == -turn


def test_a_position_in_words() -> None:
    field = [
        Chariot(0, "Ana", 17, 1, 2, 2, 3),
        Chariot(1, "Bo", 3, 0, 4, 1, 0, finished=True),
        Chariot(2, "Cy", 60, 0, 0),
    ]
    root = read(race_svg(REFERENCE, field, die="corner", crowd=CROWD))
    label = root.get("aria-label", "")
    assert root.get("role") == "img"
    assert label == root.findtext(SVG + "desc")
    assert root.findtext(SVG + "title") == "Charioteer"
    assert "2nd: Ana (red), lap 2 of 3, space 17, lane 2 from the inside, 3 damage" in label
    assert "1st: Bo (white), finished, space 3, lane 1 from the inside, no damage" in label
    assert "Cy (blue), before the line, space 60" in label
    assert "The emperor asks for: corner" in label
    assert "2 × green 4, 1 × red 3; 2 × yellow 2, recovery; whip" in label


@pytest.mark.parametrize(("lap", "finished", "dived"), [(0, False, 0), (1, False, 0), (3, False, 2), (4, True, 3)])
def test_a_dolphin_dives_for_every_lap_completed(lap: int, finished: bool, dived: int) -> None:
    root = read(race_svg(REFERENCE, [Chariot(0, "Ana", 5, 0, lap, 1, 0, finished)]))
    assert len(classes(root, "dolphin")) == 3
    assert len(classes(root, "dived")) == dived
    assert [e.text for e in classes(root, "lap")] == ([roman(min(lap, 3))] if lap else [])


def test_the_legend_goes_by_place() -> None:
    field = [Chariot(0, "Ana", 5, 0, 1, 3, 2), Chariot(1, "Bo", 9, 0, 1, 1, 40), Chariot(2, "Cy", 7, 0, 1, 2)]
    plaques = classes(read(race_svg(REFERENCE, field)), "plaque")
    assert [e.get("id") for e in plaques] == ["plaque-1", "plaque-2", "plaque-0"]
    texts = ["".join(e.itertext()) for e in plaques]
    assert "×40" in texts[0]
    assert "LAP I · SPACE 7" in texts[1]


NASTY = "<script>\"&'\x00\ud800]]>"


def test_names_and_titles_are_escaped() -> None:
    svg = race_svg(REFERENCE, [Chariot(0, NASTY, 5)], title=NASTY)
    assert "<script" not in svg.lower()
    root = read(svg)
    assert root.findtext(SVG + "title") == "<script>\"&'��]]>"
    assert "<script>\"&'��]]> (red)" in root.get("aria-label", "")
    svg.encode()
    read(board_svg(REFERENCE, ""))


@pytest.mark.parametrize("die", FACE_NAMES)
def test_every_face_of_the_die(die: str) -> None:
    (drawn,) = classes(read(race_svg(REFERENCE, FIELD, die=die)), "die")
    assert not list(drawn.iter(SVG + "text"))  # a glyph, not its name


def test_crowd_cards() -> None:
    root = read(race_svg(REFERENCE, FIELD, crowd=(CROWD[0], None, CROWD[2])))
    cards = classes(root, "card")
    assert [e.get("id") for e in cards] == ["crowd-0", "crowd-2"]
    assert [e.text for e in cards[0].iter(SVG + "text")] == ["4", "4", "3"]


def test_the_active_crowd_card_lies_in_the_rightmost_slot() -> None:
    """As the rulebook has it: the others come up from the left."""
    root = read(race_svg(REFERENCE, FIELD, crowd=CROWD))
    places = {
        e.get("id"): float(re.findall(r"translate\((\S+)", e.get("transform", ""))[0]) for e in classes(root, "card")
    }
    assert places["crowd-0"] > places["crowd-1"] > places["crowd-2"]
    assert [x for x, _ in REFERENCE.coordinates()["crowd"]] == [places[f"crowd-{slot}"] for slot in range(3)]


@pytest.mark.parametrize(
    ("chariots", "options", "reason"),
    [
        ([Chariot(0, "Ana", 64)], {}, "no space 64"),
        ([Chariot(0, "Ana", 5, -1)], {}, "lane"),
        ([Chariot(0, "Ana", 5), Chariot(1, "Bo", 5)], {}, "one lane"),
        ([Chariot(0, "Ana", 5), Chariot(0, "Bo", 6)], {}, "one chariot"),
        ([], {"die": "rest"}, "no face"),
        ([], {"crowd": [None] * 4}, "3 slots"),
        ([], {"crowd": [Card((("pink", 1, 1),))]}, "pink"),
        ([], {"crowd": [Card((), "crown")]}, "crown"),
    ],
)
def test_what_cannot_be_drawn_is_refused(chariots: list[Chariot], options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        race_svg(REFERENCE, chariots, **options)


# --- what all pictures share ----------------------------------------------------------------------------------------


def test_factions_can_be_told_apart_without_colour() -> None:
    assert len(FACTIONS) == 6
    assert len({f.letter for f in FACTIONS}) == len({f.shape for f in FACTIONS}) == 6
    assert len({shape(f.shape, 10) for f in FACTIONS}) == 6
    with pytest.raises(ValueError, match="heart"):
        shape("heart", 10)


def test_numbers_are_short_and_finite() -> None:
    assert [number(v) for v in (3.0, -0.04, 2.25, 1234.56)] == ["3", "0", "2.2", "1234.6"]
    with pytest.raises(ValueError, match="finite"):
        number(math.nan)


def test_elements() -> None:
    assert str(element("g", "a<b", class_="x", stroke_width=1.50, fill=None)) == (
        '<g class="x" stroke-width="1.5">a&lt;b</g>'
    )


def test_display_text() -> None:
    assert [roman(n) for n in (0, 1, 4, 6, 9, 14)] == ["–", "I", "IV", "VI", "IX", "XIV"]
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 22)] == ["1st", "2nd", "3rd", "4th", "11th", "22nd"]
    assert shortened("Flavius", 7) == "Flavius"
    assert shortened("Flavius Scorpus", 10) == "Flavius S…"
    assert shortened("李小龍李小龍", 8) == "李小龍…"
