"""Every lesson can be played through by the real rules, and has its texts in both languages."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import spina
from spina.errors import LessonError
from spina.games import get
from spina.games.lessons import MOST_STEPS, Lesson, Step, judged, lesson_of, problems, read, text_ids
from spina.web.messages import messages

LESSONS = [name for name in spina.game_names() if get(name).lesson is not None]
every_lesson = pytest.mark.parametrize("name", LESSONS)
LONGEST_TEXT = 330
LONGEST_REMINDER = 44
"""Characters that fit in one line on a phone."""


def the_lesson(name: str) -> Lesson:
    found = lesson_of(get(name))
    assert found is not None
    return found


def acted(race: spina.Race, lesson: Lesson, step: Step, actions: list[str]) -> None:
    """Play a step as the table does: rivals choose as soon as they are asked."""
    left = list(step.rivals)

    def rivals() -> None:
        while True:
            found = next((each for each in left if each[0] in race.to_act), None)
            if found is None:
                return
            left.remove(found)
            race.play(*found)

    rivals()
    for action in actions:
        assert lesson.seat in race.to_act, f"{step.id}: the person is not asked"
        race.play(lesson.seat, action)
    rivals()
    assert not left, f"{step.id}: {left} are never asked for"


def go_on(name: str, lesson: Lesson, number: int, race: spina.Race | None) -> int:
    """Play the lesson from a step on, in every way that it allows. Returns the number of steps played."""
    if number == len(lesson.steps):
        return 0
    step = lesson.steps[number]
    if step.position is not None:
        race = spina.position(name, step.position)
    assert race is not None and not race.over
    played = 1
    for actions in step.expect or [[]]:
        if "*" in "".join(actions):
            continue
        trial = race.copy()
        if actions:
            acted(trial, lesson, step, actions)
        played += go_on(name, lesson, number + 1, trial)
    return played


class Played(NamedTuple):
    """A step of a lesson: what the person sees before and after the choice, and what was said of it."""

    before: Any
    after: Any
    told: Any


def played(name: str) -> dict[str, Played]:
    """Play a lesson with its expected choices. Returns what the steps that ask for one did, by step id."""
    lesson, race, steps = the_lesson(name), None, {}
    for step in lesson.steps:
        race = race if step.position is None else spina.position(name, step.position)
        assert race is not None
        if step.expect:
            before, told = race.view(lesson.seat), race.explain(lesson.seat, step.expect[0][0])
            acted(race, lesson, step, step.expect[0])
            steps[step.id] = Played(before, race.view(lesson.seat), told)
    return steps


@every_lesson
def test_a_lesson_can_be_played_through(name: str) -> None:
    lesson = the_lesson(name)
    assert go_on(name, lesson, 0, None) >= len(lesson.steps)


def tries(race: spina.Race, seat: int, pattern: str) -> list[list[str]]:
    """Choices that can be made and fit a pattern."""
    single = [[str(action)] for action in race.legal(seat)] + [[pattern.replace("*", " a")]]
    ways = [list(way.actions) for way in race.outlook(seat)]
    possible = [actions for actions in single if race.check(seat, actions[0]) is None] + ways
    return [actions for actions in possible if fnmatchcase("; ".join(actions), pattern)]


@every_lesson
def test_the_expected_choice_is_right_and_every_other_is_answered(name: str) -> None:
    lesson, race = the_lesson(name), None
    for step in lesson.steps:
        race = race if step.position is None else spina.position(name, step.position)
        assert race is not None
        if not step.expect:
            continue
        game, edition = race.game, race.edition
        assert judged(game, edition, step, step.expect[0]) is None
        answers = {judged(game, edition, step, [str(action)]) for action in race.legal(lesson.seat)}
        assert answers <= {None, "wrong", *(f"wrong.{each}" for each in step.wrong)}
        for each, patterns in step.wrong.items():
            for pattern in patterns:
                tried = tries(race, lesson.seat, pattern)
                answers = {judged(game, edition, step, actions) for actions in tried}
                assert f"wrong.{each}" in answers, f"{step.id}: {pattern} cannot be tried at all"
        acted(race, lesson, step, step.expect[0])


@every_lesson
def test_a_lesson_has_its_texts_in_both_languages_and_no_others(name: str) -> None:
    ids = text_ids(get(name), the_lesson(name))
    for language in ("en", "es"):
        area = messages().areas(language)[f"{name}.lesson"]
        assert set(area) == set(ids)
        assert all(isinstance(text, str) and len(text) <= LONGEST_TEXT for text in area.values())


@every_lesson
def test_a_lesson_is_short_and_begins_and_ends_as_lessons_do(name: str) -> None:
    lesson = the_lesson(name)
    assert len(lesson.steps) <= MOST_STEPS
    assert [step.id for step in lesson.steps[:3]] == ["theme", "goal", "overview"]
    assert lesson.steps[-1].id == "advice"
    assert not any(step.expect for step in (*lesson.steps[:3], lesson.steps[-1]))
    assert sum(bool(step.expect) for step in lesson.steps) >= 5


def test_charioteer_teaches_every_kind_of_move() -> None:
    choices = [step.expect[0][0] for step in the_lesson("charioteer").steps if step.expect]
    begun = {choice.split(":")[0].split("-")[0] for choice in choices}
    assert begun == {"green", "red", "yellow", "black", "reset"}
    assert any("+ crowd" in choice for choice in choices) and any("token" in choice for choice in choices)


def test_what_charioteers_lesson_says_afterwards_is_true() -> None:
    """The figures in the texts are those of the race."""
    steps = played("charioteer")
    own = {id_: (step.before.chariots[0], step.after.chariots[0]) for id_, step in steps.items()}
    told = steps["move"].told
    assert (told.symbols, told.number, told.points) == (4, 4, 8)
    assert [rival.damage for rival in steps["attack"].after.chariots[1:]] == [1, 1]
    before, now = own["recover"]
    assert (before.damage, now.damage) == (5, 2)
    before, now = own["corner"]
    assert now.progress - before.progress == 7 and steps["corner"].told.points == 5
    before, now = own["token"]
    assert (before.place, now.place) == (3, 1)
    before, now = own["reset"]
    assert (before.damage, now.damage, now.attack) == (7, 0, 0)
    assert now.progress == before.progress


# --- reading ----------------------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {"format": 1, "steps": [{"id": "a", "spotlight": ["board"], "position": {}}]}


def changed(**step: Any) -> dict[str, Any]:
    return {**GOOD, "steps": [{**GOOD["steps"][0], **step}]}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({**GOOD, "format": 2}, "format 2"),
        ({**GOOD, "steps": []}, "1 to 12 steps"),
        ({**GOOD, "steps": [{**GOOD["steps"][0], "id": f"a{n}"} for n in range(13)]}, "1 to 12 steps"),
        ({**GOOD, "steps": GOOD["steps"] * 2}, "two of this id"),
        (changed(position=None), "needs a position"),
        (changed(id="A b"), "small letters"),
        (changed(spotlight=[]), "spotlight"),
        (changed(spotlight=["<script>"]), "spotlight"),
        (changed(expect=[[]]), "at least one action"),
        (changed(expect=[["reset: *"]]), "written out"),
        (changed(rivals=[[1, "x"]]), "only tells"),
        (changed(expect=[["x"]], rivals=[[0, "x"]]), "person's"),
        (changed(expect=[["x"]], wrong={"Not so": ["y"]}), "small letters"),
        (changed(music="loud"), "music"),
    ],
)
def test_a_lesson_with_a_mistake_is_refused(data: dict[str, Any], says: str, tmp_path: Path) -> None:
    assert list(problems(msgspec.convert(GOOD, Lesson))) == []
    path = tmp_path / "lesson.json"
    path.write_text(json.dumps(data))
    with pytest.raises(LessonError, match=says):
        read(path)


def test_a_lesson_that_is_not_there_or_no_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="none"):
        read(tmp_path / "none.json")
    (tmp_path / "bad.json").write_bytes(b"\xff{")
    with pytest.raises(LessonError, match="bad"):
        read(tmp_path / "bad.json")


def test_what_chariot_races_lesson_says_afterwards_is_true() -> None:
    steps = played("chariot-race")
    own = {id_: (step.before.chariots[0], step.after.chariots[0]) for id_, step in steps.items()}
    assert steps["roll"].after.dice == ["+/-", "steer", "attack", "fortuna"]
    before, now = own["brake"]
    assert (before.speed, now.speed) == (6, 5)
    _, now = own["bend"]
    assert (now.name_of_space, now.condition) == ("m10", 12)
    assert steps["javelin"].after.chariots[1].condition == 11
    assert own["keep"][1].fate == 3
    before, now = own["steer"]
    assert (now.name_of_space, now.condition, before.condition) == ("o31", 9, 9)
    assert len(steps["caltrop"].after.caltrops) == 1
    before, now = own["repair"]
    assert (before.condition, now.condition, now.speed) == (5, 8, 8)


def test_what_chariotmasters_lesson_says_afterwards_is_true() -> None:
    steps = played("chariotmaster")
    drive, spur = steps["drive"].before.driving, steps["spur"].after.driving
    assert (drive.minimum, drive.maximum) == (100, 150)
    assert steps["pivot"].before.driving.pivot == 30 and drive.pivot == 10
    assert steps["test"].after.question == "sub-move"  # the test was passed
    sweep = steps["sweep"]
    assert sweep.before.chariots[0].stamina - sweep.after.chariots[0].stamina == 1
    assert (spur.minimum, spur.maximum) == (150, 200)
    assert (steps["attack"].before.chariots[1].structure, steps["attack"].after.chariots[1].structure) == (5, 1)


def test_every_game_of_spina_has_a_lesson() -> None:
    assert {"charioteer", "chariot-race", "chariotmaster"} <= set(LESSONS)


@every_lesson
def test_every_reminder_is_one_line_and_comes_up_in_races(name: str) -> None:
    lesson = the_lesson(name)
    assert len(lesson.reminders) >= 4
    for language in ("en", "es"):
        area = messages().areas(language)[f"{name}.lesson"]
        for reminder in lesson.reminders:
            assert len(area[f"lesson.{name}.reminder.{reminder.id}"]) <= LONGEST_REMINDER
    missing = {reminder.id: reminder.when for reminder in lesson.reminders}
    for seed in range(12):
        options = {"points": 4} if name == "chariotmaster" else {}
        race = spina.new(name, seats=3, seed=seed, **options)
        drivers = [spina.bots.make(bot, game=name, seed=seed) for bot in ("competent", "random", "competent")]
        for _ in range(300):
            if race.over or not missing:
                break
            seat = race.to_act[0]
            facts = {**msgspec.to_builtins(race.view(seat)), **msgspec.to_builtins(race.offer(seat))}
            missing = {id_: when for id_, when in missing.items() if any(facts.get(k) != v for k, v in when.items())}
            race.play(seat, drivers[seat].choose(race, seat))
    assert not missing
