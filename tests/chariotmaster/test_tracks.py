"""Tracks of Chariotmaster: those of the reference, custom tracks, and every kind of mistake in one."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spina.errors import EditionError, OptionError
from spina.games.chariotmaster.components.centre_line import Arc, Straight, lay_out
from spina.games.chariotmaster.components.edition import (
    ChariotmasterEdition,
    parse,
    reference,
    template,
    track_template,
)
from spina.games.chariotmaster.components.scenarios import Grounds, Scenario, place
from spina.games.chariotmaster.components.sheet import centimetres, decimal, degrees
from spina.games.chariotmaster.components.track_checks import Block, collision, locate, obstacle_faults
from spina.games.chariotmaster.rules import record as state
from spina.kernel.record import look

HEADING = 'format = 1\ngame = "chariotmaster"\nname = "Mine"\n'


def track(*segments: str, obstacles: tuple[str, ...] = (), **changes: str) -> str:
    """A track file with one scenario, called ring. Changes are TOML; an empty one leaves the key out."""
    values = {"title": '"Ring"', "course": '"closed"', "width": "10", "line": "10", "laps": "2"} | changes
    if values["course"] == '"open"':
        values.pop("laps")
        values.setdefault("run_out", "20")
    rows = [f"{key} = {value}" for key, value in values.items() if value]
    listed = ", ".join(f'"{segment}"' for segment in segments or OVAL)
    blocks = ",\n".join(f'"{obstacle}"' for obstacle in obstacles)
    return "\n".join([HEADING, "[scenario.ring]", *rows, f"segments = [{listed}]", f"obstacles = [{blocks}]", ""])


OVAL = ("straight 50", "left 12 180", "straight 50", "left 12 180")


def only(text: str) -> Scenario:
    (scenario,) = parse(text, "my.toml").scenarios
    return scenario


def complaints(text: str) -> list[str]:
    with pytest.raises(EditionError) as caught:
        parse(text, "my.toml")
    rows = text.count("\n") + 1
    assert all(1 <= line <= rows for line, _ in caught.value.problems)
    return [said for _, said in caught.value.problems]


def complaint(text: str) -> str:
    found = complaints(text)
    assert len(found) == 1, found
    return found[0]


# --- the tracks of the reference ------------------------------------------------------------------------------------


def test_circus() -> None:
    circus = reference().scenario("circus")
    assert (circus.title, circus.closed, circus.width, circus.line) == ("Circus", True, 1600, 1000)
    assert circus.segments == (Straight(5000), Arc(1400, 1800, True)) * 2
    assert (circus.length, circus.lap) == (18796, 18796)
    assert (circus.laps, circus.offered) == (2, (1, 2, 3))
    assert (circus.capacity, circus.most) == (6, 12)
    assert (circus.stamina(), circus.turn_limit()) == (19, 104)
    assert circus.obstacles == ()
    assert circus.inside == 1


def test_circus_maximus() -> None:
    maximus = reference().scenario("maximus")
    assert (maximus.title, maximus.closed, maximus.width, maximus.line) == ("Circus Maximus", True, 2400, 1000)
    assert maximus.segments == (Straight(11000), Arc(1800, 1800, True)) * 2
    assert maximus.lap == 33310
    assert (maximus.laps, maximus.offered) == (2, (1, 2, 3))
    assert (maximus.stamina(), maximus.stamina(3)) == (34, 50)
    assert (maximus.capacity, maximus.most) == (9, 12)


def test_trial_course_is_open_winding_and_about_250_cm_between_its_lines() -> None:
    trial = reference().scenario("trial")
    assert (trial.closed, trial.laps, trial.offered) == (False, 1, (1,))
    assert trial.width >= 1200
    assert (trial.line, trial.run_out) == (1000, 2000)
    assert trial.lap == trial.length - 3000
    assert abs(trial.lap - 25000) < 100
    turns = [part.angle if part.left else -part.angle for part in trial.segments if isinstance(part, Arc)]
    assert min(turns) < 0 < max(turns)
    assert (trial.capacity, trial.most) == (4, 8)


def test_trial_course_has_a_wide_and_a_tight_hairpin() -> None:
    trial = reference().scenario("trial")
    hairpins = sorted(part.radius for part in trial.segments if isinstance(part, Arc) and part.angle == 1800)
    assert len(hairpins) == 2
    assert 600 <= hairpins[0] <= 900
    assert hairpins[0] - trial.width // 2 >= 50
    assert hairpins[1] >= 950


def test_trial_course_has_three_obstacles_that_can_be_passed() -> None:
    trial = reference().scenario("trial")
    assert [obstacle.name for obstacle in trial.obstacles] == ["column", "rubble", "cart"]
    sides = []
    for obstacle in trial.obstacles:
        reach = max(obstacle.length, obstacle.width) * 0.71
        free = [trial.width / 2 - obstacle.offset - reach, trial.width / 2 + obstacle.offset - reach]
        sides.append(sum(gap >= 250 for gap in free))
    assert sides == [2, 1, 1]
    assert [(obstacle.low, obstacle.fixed) for obstacle in trial.obstacles] == [
        (False, True),
        (True, True),
        (False, False),
    ]


def test_record_of_the_tracks() -> None:
    record: Any = look(reference().data, state.EDITION)
    assert record.scenarios == 3
    assert record.closed[:3].tolist() == [1, 1, 0]
    assert record.segments[:3].tolist() == [4, 4, 11]
    assert record.half_width[:3].tolist() == [800, 1200, 600]
    assert record.line[:3].tolist() == [1000, 1000, 1000]
    for number, scenario in enumerate(reference().scenarios):
        line, count = scenario.centre_line, len(scenario.segments)
        assert record.length[number] == scenario.length
        assert record.lap[number] == scenario.lap
        assert record.inside[number] == scenario.inside
        for column in ("x", "y", "heading", "radius", "angle", "cx", "cy"):
            assert record[f"seg_{column}"][number, :count].tolist() == getattr(line, column)
            assert not record[f"seg_{column}"][number, count:].any()
        assert record.seg_s[number, : count + 1].tolist() == line.s
        assert record.obstacles[number] == len(scenario.obstacles)
        for index, obstacle in enumerate(scenario.obstacles):
            pose = tuple(int(record[f"ob_{key}"][number, index]) for key in ("x", "y", "heading"))
            assert pose == obstacle.pose
            assert record.ob_half_long[number, index] * 2 == obstacle.length
            assert record.ob_half_wide[number, index] * 2 == obstacle.width
            assert record.ob_value[number, index] == obstacle.value
            assert record.ob_low[number, index] == obstacle.low
            assert record.ob_fixed[number, index] == obstacle.fixed


def test_unknown_scenario() -> None:
    with pytest.raises(OptionError, match="the scenarios are circus, maximus and trial"):
        reference().scenario("hippodrome")


# --- track files ----------------------------------------------------------------------------------------------------


def test_track_file_takes_everything_else_from_the_reference() -> None:
    edition = parse(track(), "my.toml")
    assert (edition.name, edition.scenario_names) == ("Mine", ("ring",))
    assert edition.kit == reference().kit
    ours: Any = look(edition.data, state.EDITION)
    theirs: Any = look(reference().data, state.EDITION)
    for name in ("least", "most", "pivot", "test", "grab", "value_body", "effects", "hit_from", "bounce_throw"):
        assert (ours[name] == theirs[name]).all()
    assert edition.hash != reference().hash
    assert not edition.provenance


def test_track_in_a_file_and_in_an_edition_is_the_same() -> None:
    start = template().index("[scenario.circus]")
    assert parse(HEADING + template()[start:], "my.toml").hash == reference().hash


def test_a_source_is_needed_in_an_edition_and_welcome_in_a_track_file() -> None:
    start = template().index("[scenario.circus]")
    said = complaints(template()[:start] + track()[len(HEADING) :])
    assert said == [
        'scenario.ring has no source: add source = "...", one of rulebook, review, reconstructed and printed'
    ]
    edition = parse(track(source='"printed"'), "my.toml")
    assert dict(edition.provenance) == {"scenario.ring": "printed"}


def test_template_of_a_track() -> None:
    edition: ChariotmasterEdition = parse(track_template(), "track.toml")
    (narrow,) = edition.scenarios
    assert (narrow.name, narrow.capacity, narrow.most) == ("narrow", 3, 6)
    assert len(narrow.obstacles) == 1


def test_what_the_template_leaves_out_can_be_filled_in() -> None:
    text = track_template()
    for key in ("inside", "most", "scale"):
        assert f"\n# {key} = " in text
        text = text.replace(f"\n# {key} = ", f"\n{key} = ")
    assert only(text) == only(track_template())


def test_an_open_course() -> None:
    course = only(track("straight 60", "right 20 90", "straight 40", course='"open"'))
    assert not course.closed
    assert (course.laps, course.offered, course.inside) == (1, (1,), -1)
    assert course.lap == 6000 + 3142 + 4000 - 1000 - 2000


def test_inside_is_the_side_that_a_track_turns_to() -> None:
    right = tuple(segment.replace("left", "right") for segment in OVAL)
    assert only(track()).inside == 1
    assert only(track(*right)).inside == -1
    assert only(track(*right, inside='"left"')).inside == 1


def test_scale_changes_bases_and_rows() -> None:
    half = only(track(scale="50"))
    assert (half.half_long, half.half_wide) == (100, 50)
    assert half.capacity == (1000 - 50) // (100 + 50)
    with pytest.raises(EditionError, match=r"two rows need 18 cm"):
        parse(track(scale="200"), "my.toml")
    twice = only(track(scale="200", line="18"))
    assert (twice.half_long, twice.half_wide, twice.capacity) == (400, 200, 2)


@pytest.mark.parametrize(("width", "capacity"), [(3, 1), (5.4, 1), (5.5, 2), (10, 3), (10.5, 4), (12, 4), (24, 9)])
def test_chariots_of_a_row(width: float, capacity: int) -> None:
    oval = ("straight 60", "left 30 180", "straight 60", "left 30 180")
    scenario = only(track(*oval, width=str(width)))
    assert (scenario.capacity, scenario.most) == (capacity, min(12, 2 * capacity))


def test_lengths_have_two_decimals_and_angles_one() -> None:
    scenario = only(track("straight 60.25", "left 20.5 22.5", "straight 40", course='"open"', line="10.75"))
    assert scenario.segments[:2] == (Straight(6025), Arc(2050, 225, True))
    assert scenario.line == 1075


# --- what can be wrong with a track ---------------------------------------------------------------------------------

SHORT = ("straight 50", "left 12 90", "left 12 90", "straight 50", "left 12 180")
CROSSING = ("straight 60", "left 20 180", "straight 20", "left 9 90", "straight 60")
STONE = "stone at 90, offset -3, 1.5 x 1.5, heading 45, value 3, high, fixed"
WIDE = {"width": "12"}

# fmt: off
MISTAKES = {
    # segments
    "not a segment": (track("straight 50", "bend 14 180"),
        'scenario ring, segment 2: "bend 14 180" is not a segment: it must be written like "straight 50" or'),
    "no length": (track("straight 0"), 'scenario ring, segment 1: length "0": it must be up to 500 cm'),
    "too long a straight": (track("straight 501"), 'scenario ring, segment 1: length "501"'),
    "three decimals": (track("straight 50.125"), "with at most two decimals"),
    "negative length": (track("straight -5"), 'length "-5"'),
    "no radius": (track("straight 50", "left 0 180"), 'scenario ring, segment 2: radius "0"'),
    "radius that is no number": (track("straight 50", "left x 180"), 'radius "x"'),
    "too small a radius": (track("straight 50", "left 5.49 180", "straight 50", "left 12 180"),
        "segment 2: the radius of 5.49 cm is too small for a track 10 cm wide: it must be 5.5 cm or more"),
    "no angle": (track("straight 50", "left 12 0"), 'segment 2: angle "0": it must be 1 to 180 degrees'),
    "too wide an angle": (track("straight 50", "left 12 181"), "split wider arcs"),
    "angle with two decimals": (track("straight 50", "left 12 90.25"), 'angle "90.25"'),
    "segment that is no text": (track().replace('"left 12 180",', "12,", 1), "12 stands in the list"),
    "too many segments": (track("straight 50", *["straight 1"] * 48, course='"open"', width="5"),
        "scenario.ring.segments is too long: from here on it holds more than 48"),
    "no segments": (track().replace(str(track().partition("segments = ")[2].partition("\n")[0]), "[]"),
        "scenario ring: there are no segments: write one or more"),
    "segments in a word": (track().replace(str(track().partition("segments = ")[2].partition("\n")[0]), '"oval"'),
        'scenario.ring.segments is "oval": it must be a list'),
    "a short straight": (track("straight 50", "straight 0.99", *OVAL[1:]),
        "scenario ring, segment 2: the segment is too short: 0.99 cm where the innermost chariot goes, and it must be "
        "1 cm; make it longer"),
    "a short arc": (track("straight 50", "left 12 5", "left 12 175", *OVAL[2:]),
        "scenario ring, segment 2: the segment is too short: 0.7 cm where the innermost chariot goes"),
    # closing
    "turning too little": (track("straight 50", "left 12 180", "straight 50", "left 12 179.9"),
        "scenario ring, segment 4: the track does not close: its arcs turn 359.9 degrees to the left in all"),
    "turning to both sides": (track("straight 50", "left 12 180", "straight 50", "right 12 180"),
        "its arcs turn 0 degrees to the left in all, and must turn 360 to one side"),
    "ending ahead": (track("straight 50", "left 12 180", "straight 49.9", "left 12 180"),
        "segment 4: the track does not close: it ends 0.10 cm beyond and 0.00 cm to the right of its beginning"),
    "ending aside": (track("straight 50", "left 12 180", "straight 50", "left 12.5 180"),
        "it ends 0.00 cm before and 1.00 cm to the right of its beginning"),
    # the size of it all
    "too long a lap": (track("straight 500", "straight 500", "straight 490", "left 12 180",
        "straight 500", "straight 500", "straight 490", "left 12 180"),
        "scenario ring: a lap is 3055.4 cm long: it must be 50 to 3000 cm"),
    "too short a lap": (track("straight 10", "left 6 180", "straight 10", "left 6 180", width="5", line="10").replace(
        "left 6 180", "left 4 180"), "scenario ring: a lap is 45.14 cm long: it must be 50 to 3000 cm"),
    "too short a course": (track("straight 79", course='"open"'), "the course between its lines is 49 cm long"),
    "too narrow": (track(width="1.9"), "scenario.ring.width is 1.9: it must be 2 to 100 cm, with at most one decimal"),
    "no room for a chariot": (track(width="2.9"), "no chariot has room to start: the width must be 3 cm or more"),
    "width with two decimals": (track(width="10.25"), "scenario.ring.width is 10.25"),
    "width in words": (track(width='"wide"'), 'scenario.ring.width is "wide"'),
    "no width": (track(width=""), "scenario.ring.width is missing: write width = 2 in [scenario.ring]"),
    "too small bases": (track(scale="49"), "scenario.ring.scale is 49: it must be a whole number, 50 to 200"),
    # crossing itself
    "over itself": (track(*CROSSING, course='"open"'),
        "scenario ring, segments 1 and 5: the track runs into itself: their middles come within"),
    "round and into itself": (track("straight 30", "left 6 180", "straight 3", "left 6 90", "straight 40",
        course='"open"'), "scenario ring, segments 1 and 5: the track runs into itself"),
    "beside itself": (track("straight 60", "left 20 180", "straight 20", "left 9 180", "straight 30", course='"open"',
        width="17"), "keep them 17.5 cm apart"),
    # the line
    "line in an arc": (track("left 12 180", "straight 50", "left 12 180", "straight 50"),
        "scenario ring, segment 1: the line lies here: it must be a straight"),
    "line too early": (track(line="9.99"),
        "scenario ring, segment 1: the line lies 9.99 cm into the first straight: two rows need 10 cm"),
    "line too late": (track(line="50.01"), "the line lies 50.01 cm into a straight of 50 cm: it must lie on it"),
    "no line": (track(line=""), "scenario.ring.line is missing"),
    # laps
    "no laps": (track(laps=""), "scenario.ring.laps is missing: write laps = 1 to 9"),
    "ten laps": (track(laps="10"), "scenario.ring.laps is 10: it must be a whole number, 1 to 9"),
    "laps that are not offered": (track(offered="[1, 3]"), "scenario.ring.offered does not hold 2"),
    "nothing offered": (track(offered="[]"), "it must be a list of 1 to 9 whole numbers"),
    "laps of an open course": (track("straight 100", course='"open"').replace("run_out", "laps = 2\nrun_out"),
        "scenario.ring.laps is for closed tracks"),
    # the rest
    "neither closed nor open": (track(course='"round"'),
        'scenario.ring.course is "round": it must be "closed" or "open"'),
    "run-out of a closed track": (track(run_out="20"), "scenario.ring.run_out is for open courses"),
    "no run-out": (track("straight 100", course='"open"', run_out=""), "scenario.ring.run_out is missing"),
    "short run-out": (track("straight 100", course='"open"', run_out="9"), "scenario.ring.run_out is 9: it must be 10"),
    "open course that ends in an arc": (track("straight 100", "left 12 90", course='"open"'),
        "scenario ring, segment 2: an open course ends here: it must be a straight"),
    "run-out round the corner": (track("straight 100", "left 12 90", "straight 19.99", course='"open"'),
        "segment 3: the run-out of 20 cm must lie on the last straight, which is only 19.99 cm long"),
    "inside of neither side": (track(inside='"middle"'), 'it must be "left" or "right"'),
    "too many chariots": (track(most="7"), "scenario.ring.most is 7: it must be a whole number, 1 to 6"),
    "no title": (track(title=""), "scenario.ring.title is missing"),
    "empty title": (track(title='" "'), "it must be a text of 1 to 60 printable characters"),
    "unknown key": (track(colour='"red"'), 'unknown key "colour" in scenario.ring'),
    "name with capitals": (track().replace("scenario.ring", "scenario.Ring"),
        '"Ring" cannot be a name: write small letters and digits, with hyphens between the words'),
    "scenario that is no table": (HEADING + "scenario.ring = 3\n", "scenario.ring is 3: it must be a table"),
    "no scenario": (HEADING, "the table [scenario] is missing"),
    "empty scenario": (HEADING + "[scenario]\n", "[scenario] is empty: there must be at least one table"),
    "unknown table": (track() + "[tracks]\n", 'unknown key "tracks" at the top'),
    # obstacles
    "not an obstacle": (track(obstacles=("stone at 90",)),
        'scenario ring, obstacle 1: "stone at 90" is not an obstacle: it must be written like "stone at 120.5'),
    "too high an obstacle": (track(obstacles=(STONE.replace("high", "huge"),)), "is not an obstacle"),
    "beyond the track": (track(obstacles=(STONE.replace("at 90", "at 176"),)),
        'obstacle 1: at "176": it must be 0 to 175.39 cm along the centre line'),
    "offset in words": (track(obstacles=(STONE.replace("-3", "left"),)), 'offset "left"'),
    "too small an obstacle": (track(obstacles=(STONE.replace("1.5 x", "0.4 x"),)),
        'size "0.4 x 1.5": both sides must be 0.5 to 30 cm'),
    "too precise an obstacle": (track(obstacles=(STONE.replace("x 1.5", "x 1.55"),)), "with at most one decimal"),
    "heading": (track(obstacles=(STONE.replace("heading 45", "heading 181"),)), "it must be -180 to 180 degrees"),
    "value": (track(obstacles=(STONE.replace("value 3", "value 7"),)), "it must be a whole number, 1 to 6"),
    "in the wall": (track(obstacles=(STONE.replace("-3", "-4.5"),)),
        "scenario ring, obstacle 1: it sticks 0.56 cm out of the track: its offsets must stay within 5 cm"),
    "in the wall of an arc": (track(obstacles=(STONE.replace("at 90", "at 60").replace("-3", "4.2"),)),
        "out of the track"),
    "on the start": (track(obstacles=(STONE.replace("at 90", "at 5"),)),
        "obstacle 1: it stands where the chariots start: keep 0 to 20 cm free"),
    "before the start": (track(obstacles=(STONE.replace("at 90", "at 175"),)), "where the chariots start"),
    "two in one place": (track(obstacles=(STONE, STONE.replace("at 90", "at 91"))),
        "obstacle 2: it stands too near to obstacle 1: keep them 0.5 cm apart"),
    "no way past": (track(obstacles=("bar at 100, offset 0, 1 x 6, heading 0, value 3, high, fixed",)),
        "obstacle 1: no way leads past it: leave 2.5 cm free between obstacles and edges"),
    "thirteen obstacles": (track(obstacles=(STONE,) * 13), "scenario.ring.obstacles is too long"),
    "behind the end": (track("straight 100", course='"open"', obstacles=(STONE.replace("at 90", "at 99.5"),)),
        "it stands in the end of the course"),
}
# fmt: on


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named(mistake: str) -> None:
    text, message = MISTAKES[mistake]
    found = complaints(text)
    assert any(message in said for said in found), found


def test_two_obstacles_that_close_the_way_together() -> None:
    left = "bar at 100, offset 3, 1 x 3, heading 0, value 3, high, fixed"
    right = "bar at 103, offset -2, 1 x 3, heading 0, value 3, high, fixed"
    assert len(only(track(obstacles=(left,))).obstacles) == 1
    assert all("no way leads past it" in said for said in complaints(track(obstacles=(left, right))))
    assert len(only(track(obstacles=(left, right.replace("at 103", "at 106")))).obstacles) == 2


def test_every_problem_of_a_file_is_listed_with_its_line() -> None:
    text = track("straight 50", "left 3 180", "bend", width="10", line="3", course='"oval"')
    with pytest.raises(EditionError) as caught:
        parse(text, "my.toml")
    rows = text.split("\n")
    for line, said in caught.value.problems:
        word = "course" if "course" in said else "line" if "line" in said else "segments"
        assert word in rows[line - 1]
    assert len(caught.value.problems) == 4


def test_seven_scenarios_are_too_many() -> None:
    one = track()[len(HEADING) :]
    text = HEADING + "".join(one.replace("ring", f"ring-{i}") for i in range(7))
    assert complaint(text) == "[scenario.ring-6] is one too many: there can be 6 at most"


# --- the geometry behind it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["circus", "maximus", "trial"])
@pytest.mark.parametrize("offset", [-350, 0, 420])
def test_places_are_found_again(name: str, offset: int) -> None:
    line = reference().scenario(name).centre_line
    for at in range(7, line.length, 611):
        x, y, _ = place(line, at, offset, 0)
        way, left = locate(line, x, y)
        assert abs(left - offset) < 3
        assert min(abs(way - at), line.length - abs(way - at)) < 6


def test_place_turns_with_the_track() -> None:
    line = lay_out([Straight(1000), Arc(1000, 900, True), Straight(1000)])
    assert place(line, 500, 200, 450) == (500, 200, 450)
    assert place(line, 1000 + 1571 + 300, 0, 0) == (2000, 1300, 900)
    assert place(line, 1000 + 1571 + 300, 100, 3550) == (1900, 1300, (900 + 3550) % 3600)
    x, y, heading = place(line, 1000 + 785, 0, 0)
    assert heading == 450
    assert math.hypot(x - 1000, y - 1000) == pytest.approx(1000, abs=1)
    right = lay_out([Arc(1000, 900, False)])
    assert place(right, 1571, 0, 0)[:2] == (1000, -1000)
    assert place(right, 0, 300, 0) == (0, 300, 0)


def test_tracks_near_themselves() -> None:
    hairpin = lay_out([Straight(3000), Arc(800, 1800, True), Straight(3000)])
    assert collision(hairpin, 1550, closed=False) is None
    found = collision(hairpin, 1650, closed=False)
    assert found is None or found[2] >= 1590  # the arc itself is too tight
    snake = lay_out([Straight(3000), Arc(800, 1800, True), Straight(3000), Arc(900, 1800, True), Straight(3000)])
    assert collision(snake, 1250, closed=False) is not None


def test_a_closed_track_is_near_itself_at_its_seam() -> None:
    ring = lay_out([Straight(3000), Arc(1000, 1800, True)] * 2)
    assert collision(ring, 1500, closed=True) is None
    assert collision(ring, 1500, closed=False) is not None


def test_free_ways_are_measured_across_the_track() -> None:
    line = lay_out([Straight(10000)])
    grounds = Grounds(line, False, 1000, (0, 2000), (400, 200))

    def wall(y: int, half: float) -> Block:
        return Block(5000, (5000, y, 0), 100, half)

    assert obstacle_faults(grounds, [wall(0, 250)]) == [None]
    assert "no way" in str(obstacle_faults(grounds, [wall(0, 260)])[0])
    assert obstacle_faults(grounds, [wall(250, 250)]) == [None]
    behind = Block(5500, (5500, -150, 0), 100, 50)
    assert all("no way" in str(said) for said in obstacle_faults(grounds, [wall(0, 300), behind]))


@pytest.mark.parametrize(
    ("word", "places", "number"),
    [("12", 2, 1200), ("12.5", 2, 1250), ("-0.05", 2, -5), ("+3", 0, 3), ("12.5", 0, None), ("1.234", 2, None),
     ("", 2, None), ("1.", 2, None), (".5", 2, None), ("1e3", 2, None), ("²", 0, None), ("123456", 2, None)],
)  # fmt: skip
def test_decimals(word: str, places: int, number: int | None) -> None:
    assert decimal(word, places) == number


def test_units_are_written_as_a_file_has_them() -> None:
    assert [centimetres(units) for units in (1000, 1250, 1205, 5)] == ["10", "12.5", "12.05", "0.05"]
    assert [degrees(angle) for angle in (1800, 225)] == ["180", "22.5"]


NUMBERS = st.integers(-1, 30).map(str) | st.sampled_from(["7.5", "12.25", "90", "180", "181", "x"])
SEGMENTS = st.builds("straight {}".format, NUMBERS) | st.builds(
    "{} {} {}".format, st.sampled_from(["left", "right"]), NUMBERS, NUMBERS
)


@pytest.mark.slow
@given(st.lists(SEGMENTS, max_size=9), st.booleans(), st.integers(2, 20))
@settings(deadline=None, max_examples=200)
def test_any_track(segments: list[str], closed: bool, width: int) -> None:
    text = track("straight 30", *segments, "straight 30", course='"closed"' if closed else '"open"', width=str(width))
    try:
        scenario = only(text)
    except EditionError:
        return
    assert scenario.lap >= 5000
    assert scenario.capacity >= 1
    assert collision(scenario.centre_line, scenario.width, scenario.closed) is None


PLACES = st.builds(
    "stone at {}, offset {}, {} x {}, heading {}, value 3, low, movable".format,
    st.integers(0, 175), st.integers(-8, 8), st.integers(1, 6), st.integers(1, 6), st.integers(-180, 180),
)  # fmt: skip


@pytest.mark.slow
@given(st.lists(PLACES, max_size=4))
@settings(deadline=None, max_examples=100)
def test_any_obstacles(places: list[str]) -> None:
    try:
        scenario = only(track(obstacles=tuple(places)))
    except EditionError as error:
        assert all("scenario ring, obstacle" in said for _, said in error.problems)
        return
    for obstacle in scenario.obstacles:
        x, y, _ = obstacle.pose
        assert abs(locate(scenario.centre_line, x, y)[1]) <= scenario.width / 2
