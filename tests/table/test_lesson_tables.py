"""Lessons at tables: steps one after the other, wrong tries that are answered, rivals that follow, and the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from house_helpers import Ear, House, in_house
from serving_helpers import Server, new_key
from sqlalchemy import Connection, text

import spina
from spina.games import get
from spina.games.lessons import Lesson, Step, judged, lesson_of
from spina.table.live.replay_steps import at_moment, replayed
from spina.table.live.room import Room
from spina.table.refusals import Refusal, sentence_code
from spina.table.store.records import Visitor
from spina.table.store.verification import verify
from spina.web.messages import messages

LESSONS = [name for name in spina.game_names() if get(name).lesson is not None]
every_lesson = pytest.mark.parametrize("game", LESSONS)


def the_lesson(game: str) -> Lesson:
    found = lesson_of(get(game))
    assert found is not None
    return found


async def begun(house: House, game: str) -> tuple[Visitor, Room, Ear]:
    anna = await house.visitor("Anna")
    room = await house.rooms.room(await house.services.lessons.open(anna, game))
    ear = Ear(anna, the_lesson(game).seat)
    room.enter(ear, None)
    return anna, room, ear


async def take(room: Room, ear: Ear, anna: Visitor, lesson: Lesson, step: Step) -> None:
    """Make the choice of a step, if it asks for one, and wait until the rivals have followed."""
    if step.expect:
        await ear.until(lambda: lesson.seat in room.waiting())
        await room.play(anna.id, lesson.seat, step.expect[0], new_key())
        await ear.until(lambda: not any(room.lesson.scripted(seat) for seat, _ in step.rivals))  # type: ignore[union-attr]


@every_lesson
def test_a_lesson_is_taken_from_its_first_step_to_its_last(game: str, tmp_path: Path) -> None:
    lesson = the_lesson(game)

    async def test(house: House) -> None:
        anna, room, ear = await begun(house, game)
        assert ear.state["lesson"]["step"] == lesson.steps[0].id and not ear.state["hints"]
        for number, step in enumerate(lesson.steps, start=1):
            if number > 1:
                await room.begin_step(anna.id, step.id, new_key())
            shown = ear.state["lesson"]
            assert (shown["step"], shown["number"], shown["of"]) == (step.id, number, len(lesson.steps))
            assert shown["asks"] == bool(step.expect) and shown["done"] != shown["asks"]
            assert shown["spotlight"] == step.spotlight and messages().has("es", shown["text"])
            if step.position is not None:
                assert room.race is not None
                placed = spina.position(game, step.position)
                if not step.rivals:
                    assert room.race.hash() == placed.hash()
                assert ear.state["view"]["turn" if game != "chariot-race" else "round"] is not None
            await take(room, ear, anna, lesson, step)
            assert room.lesson is not None and room.lesson.done
            assert ear.state["lesson"]["done"]
            again = await house.reopened(room)
            assert again.race is not None and room.race is not None and again.lesson is not None
            assert again.race.hash() == room.race.hash()
            assert again.lesson.state() == room.lesson.state()
            room = again
            ear = Ear(anna, lesson.seat)
            room.enter(ear, None)
        with pytest.raises(Refusal) as refused:
            await room.begin_step(anna.id, lesson.steps[0].id, new_key())
        assert refused.value.code == "lesson"
        assert (await asyncio.to_thread(verify, house.store)).findings == []
        assert room.race is not None
        assert at_moment(room, len(replayed(room)) - 1).hash() == room.race.hash()
        assert await house.lists.own(anna) == await house.lists.finished(anna) == []
        assert await house.store.running_tables() == []
        await house.lobby.leave(anna, room.table.id)

    in_house(tmp_path, test)


@every_lesson
def test_wrong_tries_are_answered_and_change_nothing(game: str, tmp_path: Path) -> None:
    lesson = the_lesson(game)

    async def test(house: House) -> None:
        anna, room, ear = await begun(house, game)
        ben = await house.visitor("Ben")
        seat = lesson.seat

        async def refusal(visitor: Visitor, actions: list[str]) -> Any:
            version, before = room.table.version, room.race
            with pytest.raises(Refusal) as refused:
                await room.play(visitor.id, seat, actions, new_key())
            assert room.table.version == version and room.race is before
            return sentence_code(refused.value.said)

        async def not_next(visitor: Visitor, step: str) -> str:
            with pytest.raises(Refusal) as refused:
                await room.begin_step(visitor.id, step, new_key())
            return refused.value.code

        for number, step in enumerate(lesson.steps):
            if number:
                assert await not_next(ben, step.id) == "not-yours"
                key = new_key()
                assert await room.begin_step(anna.id, step.id, key) == await room.begin_step(anna.id, step.id, key)
            assert room.race is not None
            await ear.until(lambda: seat in room.waiting())
            menu = [[str(action)] for action in room.race.legal(seat)[:20]]
            if not step.expect:
                assert (await refusal(anna, menu[0])).code == "table.lesson-tells"
                continue
            for actions in menu:
                if judged(room.race.game, room.race.edition, step, actions) is None:
                    continue
                said = await refusal(anna, actions)
                assert said.code == "table.lesson-wrong" and said.parameters["step"] == step.id
                assert all(messages().has(language, said.parameters["text"]) for language in ("en", "es"))
            for name, patterns in step.wrong.items():
                said = await refusal(anna, patterns[-1].replace("*", " a").split("; "))
                assert said.parameters["text"] == f"lesson.{game}.{step.id}.wrong.{name}"
            assert await not_next(anna, lesson.steps[number + 1].id) == "lesson"
            assert await not_next(anna, "nowhere") == "lesson"
            await take(room, ear, anna, lesson, step)
            if seat in room.waiting():
                assert (await refusal(anna, menu[0])).code == "table.lesson-next"

    in_house(tmp_path, test)


def test_a_changed_step_is_found_by_verification(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, room, ear = await begun(house, "charioteer")
        lesson = the_lesson("charioteer")
        for number, step in enumerate(lesson.steps[:6]):
            if number:
                await room.begin_step(anna.id, step.id, new_key())
            await take(room, ear, anna, lesson, step)

        def tamper(connection: Connection) -> None:
            where = "kind = 'step' AND actions LIKE '%crowd%seed%'"
            change = f"UPDATE journal SET actions = replace(actions, '26', '27') WHERE {where}"
            assert connection.execute(text(change)).rowcount == 1

        await house.store._writer.write(tamper)
        (finding,) = (await asyncio.to_thread(verify, house.store)).findings
        assert "otherwise" in finding.text

    in_house(tmp_path, test)


def test_no_lesson_and_no_step_at_other_tables(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        with pytest.raises(Refusal) as refused:
            await house.services.lessons.open(anna, "senet")
        assert refused.value.code == "unknown"
        room = await house.table(anna, "charioteer", "me", "random")
        assert room.state_for(anna.id, 0).lesson is None
        with pytest.raises(Refusal) as refused:
            await room.begin_step(anna.id, "move", new_key())
        assert refused.value.code == "unknown"

    in_house(tmp_path, test)


# --- over HTTP --------------------------------------------------------------------------------------------------------


@every_lesson
def test_over_http_a_lesson_is_taken_by_its_spotlight(server: Server, game: str) -> None:
    lesson, anna = the_lesson(game), server.visitor("Anna")
    assert game in [each["name"] for each in anna.get("/api/games").json if each["lesson"]]
    steps = anna.get(f"/api/lessons/{game}").json
    assert [step["id"] for step in steps] == [step.id for step in lesson.steps]
    made = anna.post("/api/lessons", {"game": game})
    assert made.status == 200, made.text
    table = made.json["id"]
    page = server.ask("GET", f"/t/{table}", None, anna.cookie() | {"accept": "text/html"})
    assert f"{game}.lesson" in page.text and '"lesson": true' in page.text.replace("&#34;", '"').replace('":t', '": t')
    seat = lesson.seat
    for number, step in enumerate(lesson.steps):
        if number:
            answer = anna.post(f"/api/tables/{table}/step", {"key": new_key(), "step": step.id})
            assert answer.status == 200, answer.text
        if step.expect:
            while seat not in (seen := anna.see(table, seat=seat))["state"]["waiting"]:
                anna.see(table, seat=seat, after=seen["state"]["version"], wait=5)
            refused = anna.play(table, seat, "nonsense")
            assert (refused.status, refused.json["error"]) == (409, "lesson")
            answer = anna.play(table, seat, *step.expect[0])
            assert answer.status == 200, answer.text
    state = anna.see(table, seat=seat)["state"]
    assert state["lesson"]["done"] and state["lesson"]["number"] == len(lesson.steps)


def test_over_http_a_page_begins_a_lesson_with_a_form(server: Server) -> None:
    anna = server.visitor("Anna")
    headers = anna.cookie() | {"origin": f"http://127.0.0.1:{server.port}"}
    answer = server.ask("POST", "/lessons/charioteer", b"", headers)
    assert answer.status == 303 and str(answer.headers["location"]).startswith("/t/")
    assert server.ask("POST", "/lessons/senet", b"", headers).status == 404
    assert anna.post("/api/lessons", {"game": "senet"}).status == 404
    assert anna.get("/api/lessons/senet").status == 404


@every_lesson
def test_after_a_lesson_one_races_two_easy_bots_with_reminders(game: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.rooms.room(await house.lobby.race_after_lesson(anna, game))
        assert [seat.bot for seat in room.seats] == [None, "easy", "easy"]
        assert room.table.status == "running" and room.table.hints and not room.table.lesson and not room.table.first
        assert not room.table.options.get("pairs")

    in_house(tmp_path, test)


def test_the_page_after_a_lesson_has_its_reminders_and_others_have_none(server: Server) -> None:
    anna = server.visitor("Anna")
    headers = anna.cookie() | {"origin": f"http://127.0.0.1:{server.port}"}
    form = headers | {"content-type": "application/x-www-form-urlencoded"}
    place = str(server.ask("POST", "/race-now", b"game=chariotmaster&after=lesson", form).headers["location"])
    assert place.endswith("?after=lesson")
    for address, there in ((place, True), (place.removesuffix("?after=lesson"), False)):
        page = server.ask("GET", address, None, anna.cookie() | {"accept": "text/html"})
        assert page.status == 200 and ("speed tokens" in page.text) is there, address
