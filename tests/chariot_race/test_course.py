"""The course: spaces, fronts, steps and touching spaces, on the reference board and on others."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spina.games.chariot_race.components.course import Course, Section, dead_end, lane_names, lanes_cut, lay, units
from spina.games.chariot_race.components.edition import reference
from spina.games.chariot_race.rules.record import AHEAD, INWARD, NOTHING, OUTWARD

BOARD = reference().course


def number(course: Course, name: str) -> int:
    return course.names.index(name)


def front(course: Course, name: str) -> int:
    return course.spaces[number(course, name)].front


def leads(course: Course, name: str) -> list[str | None]:
    """Where the steps ahead, inward and outward lead."""
    ways = course.next[number(course, name)]
    return [None if space == NOTHING else course.names[space] for space in ways]


def within(course: Course, name: str, steps: int) -> set[str]:
    """The names of the spaces at exactly so many steps."""
    row = course.near(steps)[number(course, name)]
    return {other for other, near in zip(course.names, row, strict=True) if near == steps}


def ring(*sections: tuple[int, tuple[int, ...]], line: int = 0) -> Course:
    """A course of sections with a length and numbers of spaces."""
    made = [Section(f"s-{i}", False, 0, length, spaces) for i, (length, spaces) in enumerate(sections)]
    return lay(made, line)


def numbers(course: Course, names: Iterable[str]) -> set[int]:
    return {number(course, name) for name in names}


# --- the reference board --------------------------------------------------------------------------------------------


def test_a_lap_is_28_32_or_36_spaces() -> None:
    assert BOARD.count == [28, 32, 36]
    assert BOARD.first == [0, 28, 60]
    assert len(BOARD.spaces) == 96


def test_unit_is_a_quarter_because_an_outer_bend_space_is_three_quarters_long() -> None:
    assert BOARD.length == 4 * 32


def test_fronts_by_hand() -> None:
    expected = {
        "i1": 4, "m1": 4, "o1": 4,  # the first spaces beyond the line
        "i6": 24, "m6": 24, "o6": 24,  # the last before the bend
        "i7": 30, "m7": 28, "o7": 27,  # a quarter, a sixth and an eighth of the bend
        "i10": 48, "m12": 48, "o14": 48,  # its end
        "i28": 128, "m32": 128, "o36": 128,  # up to the line
    }  # fmt: skip
    assert {name: front(BOARD, name) for name in expected} == expected


def test_r14_space_that_ends_at_the_line_lies_before_it() -> None:
    for lane in range(3):
        fronts = [space.front for space in BOARD.spaces if space.lane == lane]
        assert fronts == sorted(set(fronts))
        assert fronts[0] > 0
        assert fronts[-1] == BOARD.length


def test_spaces_of_a_straight_are_one_long_and_of_a_bend_divided_evenly() -> None:
    bend = (Fraction(6, 4), Fraction(6, 6), Fraction(6, 8))
    for space in BOARD.spaces:
        expected = bend[space.lane] if BOARD.sections[space.place.section].bend else 1
        assert Fraction(space.front - space.back, 4) == expected


def test_sections_know_where_they_begin_and_end() -> None:
    assert [section.name for section in BOARD.sections] == ["straight-1", "bend-1", "straight-2", "bend-2"]
    assert BOARD.extents == [(112, 152), (24, 48), (48, 88), (88, 112)]


@pytest.mark.parametrize(
    ("name", "ahead", "inward", "outward"),
    [
        ("m1", "m2", "i2", "o2"),  # side by side on a straight: a lane change goes one further
        ("i1", "i2", None, "m2"),
        ("o1", "o2", "m2", None),
        ("i6", "i7", None, "m7"),  # 24: into the bend, where the next fronts are 30, 28 and 27
        ("m6", "m7", "i7", "o7"),
        ("o6", "o7", "m7", None),
        ("i7", "i8", None, "m8"),  # 30: m7 ends at 28, m8 at 32
        ("m7", "m8", "i7", "o8"),  # 28: i7 ends at 30, o7 at 27, o8 at 30
        ("o8", "o9", "m8", None),  # 30: m8 ends at 32
        ("o11", "o12", "m10", None),  # the rulebook's example: from corner to corner
        ("m10", "m11", "i9", "o12"),  # 40: i9 ends at 42, o11 at 39, o12 at 42
        ("i28", "i1", None, "m1"),  # across the line
        ("m32", "m1", "i1", "o1"),
        ("o36", "o1", "m1", None),
    ],
)
def test_r5_steps_by_hand(name: str, ahead: str, inward: str | None, outward: str | None) -> None:
    assert leads(BOARD, name) == [ahead, inward, outward]


def test_r10_spaces_touch_along_a_side_or_at_a_corner() -> None:
    assert within(BOARD, "m2", 1) == {"m1", "m3", "i1", "i2", "i3", "o1", "o2", "o3"}
    assert within(BOARD, "i2", 1) == {"i1", "i3", "m1", "m2", "m3"}
    # in the bend m10 lies from 36 to 40: i8 ends at 36, i9 at 42; o10 ends at 36, o11 at 39, o12 at 42
    assert within(BOARD, "m10", 1) == {"m9", "m11", "i8", "i9", "o10", "o11", "o12"}
    # i8 lies from 30 to 36; m7 ends at 28 and m8 at 32, m9 at 36, m10 begins there
    assert within(BOARD, "i8", 1) == {"i7", "i9", "m8", "m9", "m10"}


def test_r10_touching_goes_on_across_the_line() -> None:
    assert within(BOARD, "i1", 1) == {"i28", "i2", "m32", "m1", "m2"}
    assert within(BOARD, "o36", 1) == {"o35", "o1", "m31", "m32", "m1"}


def test_r10_two_steps_on_a_straight() -> None:
    lanes = {f"{lane}{place}" for lane in "imo" for place in range(1, 6)}
    assert within(BOARD, "m3", 2) == lanes - within(BOARD, "m3", 1) - {"m3"}
    assert within(BOARD, "i3", 2) == lanes - within(BOARD, "i3", 1) - {"i3"}


def test_near_reaches_no_further_than_asked() -> None:
    near = BOARD.near(2)
    middle = near[number(BOARD, "m20")]
    assert (middle[number(BOARD, "m18")], middle[number(BOARD, "m17")]) == (2, 0)
    assert BOARD.near(3)[number(BOARD, "m20")][number(BOARD, "m17")] == 3
    assert all(near[space][space] == 0 for space in range(96))


# --- other courses --------------------------------------------------------------------------------------------------


def test_two_lanes_by_hand() -> None:
    # unit 1/6: a straight space is 6 long, of the bend a is 9 long and b 4
    course = ring((6, (6, 6)), (6, (4, 9)), line=2)
    assert lane_names(2) == ("a", "b")
    assert course.count == [10, 15]
    assert course.length == 12 * 6
    assert front(course, "a4") == front(course, "b4") == 24
    assert (front(course, "a5"), front(course, "b5")) == (33, 28)
    assert leads(course, "a5") == ["a6", None, "b7"]  # 33: b6 ends at 32, b7 at 36
    assert leads(course, "b7") == ["b8", "a6", None]  # 36: a6 ends at 42
    assert leads(course, "b15") == ["b1", "a1", None]
    assert within(course, "b6", 1) == {"b5", "b7", "a5"}  # from 28 to 32, beside a5 alone
    assert within(course, "b7", 1) == {"b6", "b8", "a5", "a6"}  # from 32 to 36


def test_four_lanes() -> None:
    course = ring((10, (10, 10, 10, 10)), (5, (3, 5, 7, 9)))
    assert [name[0] for name in lane_names(4)] == ["a", "b", "c", "d"]
    assert course.count == [13, 15, 17, 19]
    assert course.length == 15 * 63  # thirds, sevenths and ninths
    assert leads(course, "b3") == ["b4", "a4", "c4"]
    assert leads(course, "d3") == ["d4", "c4", None]
    assert within(course, "c3", 2) >= {"a1", "a3", "a5"}
    assert "a3" not in within(course, "d3", 2)


def test_one_lane_has_no_lane_changes() -> None:
    course = ring((8, (8,)), line=3)
    assert leads(course, "a8") == ["a1", None, None]
    assert within(course, "a1", 2) == {"a7", "a3"}


def test_unit_does_not_depend_on_the_measure() -> None:
    metres = ring((10, (10, 10)), (6, (4, 6)), line=4)
    millimetres = ring((1000, (10, 10)), (600, (4, 6)), line=400)
    assert metres.spaces == millimetres.spaces
    assert (metres.length, metres.extents) == (millimetres.length, millimetres.extents)


def test_line_between_sections() -> None:
    course = ring((8, (8, 4)), (6, (6, 6)), line=8)
    assert (course.spaces[0].place, course.extents) == ((1, 0, 1), [(6, 14), (0, 6)])


def test_line_through_spaces() -> None:
    sections = [Section("s", False, 0, 12, (12, 6, 4)), Section("t", False, 0, 7, (7, 7, 7))]
    assert lanes_cut(sections, 6) == []
    assert lanes_cut(sections, 4) == [2]
    assert lanes_cut(sections, 5) == [1, 2]
    assert lanes_cut(sections, 12) == lanes_cut(sections, 0) == lanes_cut(sections, 15) == []


# --- the way round --------------------------------------------------------------------------------------------------


def test_reference_heaps_leave_a_way() -> None:
    heaps = {space for space, heap in enumerate(reference().heap) if heap}
    assert len(heaps) == 4
    assert all(dead_end(BOARD, heaps, start, 2) is None for start in reference().grid)


def test_heaps_side_by_side_close_the_course() -> None:
    end = dead_end(BOARD, numbers(BOARD, ("i5", "m5", "o5")), number(BOARD, "m32"), 2)
    assert end is not None
    assert BOARD.names[end][1:] == "4"


def test_open_lane_that_cannot_be_reached_is_no_way() -> None:
    # at every point a lane is open, but from o5 neither o6 nor m6 can be entered, and i6 is two lanes away
    closed = numbers(BOARD, ("i5", "m5", "m6", "o6"))
    end = dead_end(BOARD, closed, number(BOARD, "m32"), 2)
    assert end is not None
    assert BOARD.names[end] == "o5"
    assert dead_end(BOARD, closed - numbers(BOARD, ["o6"]), number(BOARD, "m32"), 2) is None


def test_diagonal_gap_is_a_way() -> None:
    course = ring((12, (12, 12)))
    assert dead_end(course, numbers(course, ("a5", "b6")), number(course, "a12"), 2) is None
    assert dead_end(course, numbers(course, ("a5", "b5")), number(course, "a12"), 2) is not None


# --- any course -----------------------------------------------------------------------------------------------------


@st.composite
def courses(draw: st.DrawFn) -> Course:
    lanes = draw(st.integers(1, 6))
    counts = st.tuples(*[st.integers(1, 6)] * lanes)
    sections = draw(st.lists(st.tuples(st.integers(1, 12), counts), min_size=1, max_size=4))
    starts = [sum(length for length, _ in sections[:i]) for i in range(len(sections))]
    return ring(*sections, line=draw(st.sampled_from(starts)))


@given(courses())
@settings(deadline=None)
def test_every_lane_is_a_ring_without_gaps(course: Course) -> None:
    for lane in range(course.lanes):
        spaces = [space for space in course.spaces if space.lane == lane]
        assert [space.back for space in spaces] == [0, *(space.front for space in spaces[:-1])]
        assert spaces[-1].front == course.length == units(course.sections)
    assert sorted(end - begin for begin, end in course.extents) == sorted(
        s.length * course.length // sum(t.length for t in course.sections) for s in course.sections
    )


@given(courses())
@settings(deadline=None)
def test_lane_change_goes_to_the_nearest_front_ahead(course: Course) -> None:
    for space, ways in enumerate(course.next):
        for way, side in ((AHEAD, 0), (INWARD, -1), (OUTWARD, 1)):
            lane = course.spaces[space].lane + side
            candidates = [other for other, there in enumerate(course.spaces) if there.lane == lane]
            nearest = min(candidates, key=lambda other: course.distance(space, other), default=NOTHING)
            assert ways[way] == nearest


@given(courses(), st.integers(1, 4))
@settings(deadline=None, max_examples=50)
def test_near_is_mutual_and_one_step_more_than_a_neighbour(course: Course, reach: int) -> None:
    near = course.near(reach)
    spaces = range(len(course.spaces))
    for one in spaces:
        assert near[one][one] == 0
        for two in spaces:
            assert near[one][two] == near[two][one] <= reach
            if near[one][two] > 1:
                between = [near[one][other] for other in spaces if near[other][two] == 1 and near[one][other]]
                assert min(between) == near[one][two] - 1


@given(courses())
@settings(deadline=None)
def test_steps_lead_to_touching_spaces_or_just_beyond(course: Course) -> None:
    near = course.near(2)
    for space, ways in enumerate(course.next):
        assert all(other in (space, NOTHING) or near[space][other] == 1 for other in ways)
