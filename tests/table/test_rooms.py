"""A room: one after the other, kept before it is told, and the same after a restart."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house_helpers import Ear, House, in_house, legal, play_on

from spina.errors import Conflict, StoreError
from spina.table.live.room import Room
from spina.table.refusals import Refusal
from spina.table.store.verification import verify

GAMES = ("charioteer", "chariot-race", "chariotmaster")


def refusal(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda error: error.code == code)


# --- versions ---------------------------------------------------------------------------------------------------------


def test_choices_made_at_the_same_time_are_kept_one_after_the_other(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABCD"]
        room = await house.together("charioteer", *people)
        before = room.table.version
        versions = await asyncio.gather(
            *(
                room.play(person.id, seat, [legal(room, seat)], f"{seat}-first-key")
                for seat, person in enumerate(people)
            )
        )
        assert sorted(versions) == list(range(before + 1, before + 5))
        journal = await house.store.journal(room.table.id)
        assert [entry.version for entry in journal] == list(range(1, len(journal) + 1))
        assert room.table.version == journal[-1].version

    in_house(tmp_path, test)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whoever_comes_back_is_told_exactly_what_was_missed(game: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together(game, *people)
        ears = [Ear(person, seat) for seat, person in enumerate(people)] + [Ear("spectator")]
        for ear in ears:
            room.enter(ear, None)
        await play_on(room, dict(enumerate(people)), 40)
        for ear in ears:
            assert [moment["version"] for moment in ear.moments] == list(range(1, room.table.version + 1))
            for known in (0, 1, room.table.version // 2, room.table.version - 1, room.table.version):
                back = Ear(ear.visitor, ear.looking)
                room.enter(back, known)
                welcome = back.plain[0]
                assert welcome["complete"]
                assert welcome["moments"] == ear.moments[known:]
                room.leave(back)

    in_house(tmp_path, test)


@pytest.mark.parametrize("known", [None, 999_999])
def test_whoever_knows_nothing_or_too_much_begins_anew(known: int | None, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        room = await house.table(await house.visitor("A"), "charioteer", "me", "open", "open")
        ear = Ear("spectator")
        room.enter(ear, known)
        assert not ear.plain[0]["complete"]
        assert ear.plain[0]["moments"] == []

    in_house(tmp_path, test)


@pytest.mark.parametrize("game", GAMES)
def test_a_room_that_is_opened_again_looks_the_same_to_everybody(game: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together(game, *people)
        await play_on(room, dict(enumerate(people)), 31)

        def seen(room: Room) -> list[bytes]:
            ears = [Ear(person, seat) for seat, person in enumerate(people)] + [Ear("spectator")]
            for ear in ears:
                room.enter(ear, None)
                room.leave(ear)
            return [msgspec.json.encode(ear.heard[0]) for ear in ears]

        assert seen(room) == seen(await house.reopened(room))

    in_house(tmp_path, test)


# --- kept, then told --------------------------------------------------------------------------------------------------


def test_nobody_is_told_before_it_is_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together("charioteer", *people)
        ear = Ear("spectator")
        room.enter(ear, None)
        told, view, real = len(ear.heard), ear.state["view"], house.store.record
        asked, free = asyncio.Event(), asyncio.Event()

        async def slow(*args: Any, **kwargs: Any) -> None:
            asked.set()
            await free.wait()
            await real(*args, **kwargs)

        monkeypatch.setattr(house.store, "record", slow)
        playing = asyncio.create_task(room.play(people[0].id, 0, [legal(room, 0)], "one-choice"))
        await asked.wait()
        newcomer = Ear("newcomer")
        room.enter(newcomer, None)
        assert len(ear.heard) == told + 1 and ear.plain[-1]["type"] == "presence"
        assert newcomer.state["view"] == view and newcomer.state["waiting"] == [0, 1, 2]
        assert not playing.done()
        free.set()
        version = await playing
        assert ear.state["version"] == version and ear.state["waiting"] == [1, 2]
        assert (await house.stored(room)).version == version

    in_house(tmp_path, test)


@pytest.mark.parametrize("error", [StoreError("the disk is full"), Conflict("somebody else was there first")])
def test_a_choice_that_cannot_be_kept_is_told_to_nobody_and_the_race_goes_on(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together("charioteer", *people)
        ear = Ear(people[1], 1)
        room.enter(ear, None)
        told = len(ear.heard)

        async def broken(*_: Any, **__: Any) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(house.store, "record", broken)
            with pytest.raises((StoreError, Refusal)):
                await room.play(people[0].id, 0, [legal(room, 0)], "one-choice")
        assert len(ear.heard) == told and ear.parted
        with refusal("stale"):  # the old room is of no use any more
            await room.play(people[0].id, 0, [legal(room, 0)], "one-choice")
        again = await house.rooms.room(room.table.id)
        assert again is not room and again.waiting() == [0, 1, 2]
        await again.play(people[0].id, 0, [legal(again, 0)], "one-choice")

    in_house(tmp_path, test)


def test_a_choice_whose_sender_is_gone_is_kept_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together("charioteer", *people)
        real, asked = house.store.record, asyncio.Event()

        async def slow(*args: Any, **kwargs: Any) -> None:
            asked.set()
            await asyncio.sleep(0.05)
            await real(*args, **kwargs)

        monkeypatch.setattr(house.store, "record", slow)
        playing = asyncio.create_task(room.play(people[0].id, 0, [legal(room, 0)], "one-choice"))
        await asked.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        again = await house.rooms.room(room.table.id)
        assert again.waiting() == [1, 2]
        assert await again.play(people[0].id, 0, ["anything"], "one-choice") == again.table.version

    in_house(tmp_path, test)


# --- the same again ---------------------------------------------------------------------------------------------------


def test_a_choice_sent_twice_counts_once_also_after_a_restart(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together("chariot-race", *people)
        seat = room.waiting()[0]
        version = await room.play(people[seat].id, seat, [legal(room, seat)], "the-same-key")
        assert await room.play(people[seat].id, seat, [legal(room, room.waiting()[0])], "the-same-key") == version
        assert room.table.version == version
        again = await house.reopened(room)
        assert await again.play(people[seat].id, seat, ["whatever"], "the-same-key") == version
        assert again.table.version == version == (await house.stored(again)).version

    in_house(tmp_path, test)


def test_a_line_of_chat_sent_twice_is_said_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "open", "open")
        ear = Ear("spectator")
        room.enter(ear, None)
        for _ in range(2):
            await room.chat.say(anna.id, "?", "Salve", "the-same-key")
        for number in range(205):  # more than a room remembers
            await room.chat.say(anna.id, "?", f"line {number}", f"another-key-{number}")
        again = await house.reopened(room)
        late = Ear("late")
        again.enter(late, None)
        await again.chat.say(anna.id, "?", "Salve", "the-same-key")
        assert [message["said"]["text"] for message in ear.plain if message["type"] == "said"].count("Salve") == 1
        assert [message["type"] for message in late.plain] == ["welcome"]
        assert late.plain[0]["chat"][-1]["name"] == "Anna" and late.plain[0]["chat"][-1]["seat"] == 0

    in_house(tmp_path, test)


# --- what is refused changes nothing ----------------------------------------------------------------------------------


def test_what_is_refused_is_told_to_nobody_and_changes_nothing(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        stranger = await house.visitor("Stranger")
        room = await house.together("chariot-race", *people)
        seat = room.waiting()[0]
        other = (seat + 1) % 3
        ear = Ear("spectator")
        room.enter(ear, None)
        assert room.race is not None
        told, version, state = len(ear.heard), room.table.version, room.race.hash()
        action = legal(room, seat)

        async def play(who: str, seat: int, actions: list[str], version: int | None = None) -> None:
            await room.play(who, seat, actions, "a-new-key-each", version)

        for code, call in {
            "not-yours": lambda: play(stranger.id, seat, [action]),
            "not-yours ": lambda: play(people[other].id, seat, [action]),
            "illegal": lambda: play(people[other].id, other, [action]),  # out of turn
            "illegal ": lambda: play(people[seat].id, seat, ["fly to the moon"]),
            "illegal  ": lambda: play(people[seat].id, seat, [action, "fly to the moon"]),
            "illegal   ": lambda: play(people[seat].id, seat, ["x" * 201]),
            "malformed": lambda: play(people[seat].id, seat, []),
            "malformed ": lambda: play(people[seat].id, seat, [action] * 65),
            "malformed  ": lambda: play(people[seat].id, 17, [action]),
            "malformed   ": lambda: play(people[seat].id, -1, [action]),
            "stale": lambda: play(people[seat].id, seat, [action], version - 1),
            "illegal    ": lambda: room.retract(people[seat].id, seat, "another-key"),
            "not-yours  ": lambda: room.back(stranger.id, seat, "another-key"),
        }.items():
            with refusal(code.strip()):
                await call()
        with refusal("not-yours"):
            room.consider(stranger.id, seat, action)
        with refusal("illegal"):
            room.consider(people[seat].id, seat, "x" * 100_000)
        assert (len(ear.heard), room.table.version, room.race.hash()) == (told, version, state)
        assert (await house.stored(room)).version == version

    in_house(tmp_path, test)


def test_a_choice_made_on_what_mattered_to_nobody_is_not_stale(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together("charioteer", *people)
        version = room.table.version
        await room.play(people[0].id, 0, [legal(room, 0)], "first-key", version)
        await room.play(people[1].id, 1, [legal(room, 1)], "second-key", version)  # both chose at the same moment

    in_house(tmp_path, test)


def test_a_choice_can_be_taken_back_until_the_last_has_chosen(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.together("charioteer", *people)
        ear = Ear(people[0], 0)
        room.enter(ear, None)
        await room.play(people[0].id, 0, [legal(room, 0)], "first-key")
        assert ear.state["retractable"] and not ear.state["offer"]
        version = await room.retract(people[0].id, 0, "taken-back")
        assert await room.retract(people[0].id, 0, "taken-back") == version
        assert not ear.state["retractable"] and ear.state["offer"] and ear.state["waiting"] == [0, 1, 2]
        again = await house.reopened(room)
        assert again.waiting() == [0, 1, 2]
        for seat, person in enumerate(people):
            await again.play(person.id, seat, [legal(again, seat, 3)], f"choice-of-{seat}")
        with refusal("illegal"):
            await again.retract(people[0].id, 0, "too-late-now")

    in_house(tmp_path, test)


def test_several_actions_at_once_cannot_try_out_the_dice(tmp_path: Path) -> None:
    """What is refused is undone: had the second action been looked at, its refusal would tell what the dice show."""

    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await house.together("chariot-race", *people)
        by = dict(enumerate(people))
        tried = 0
        while room.waiting() and tried < 30:
            seat = room.waiting()[0]
            assert room.race is not None
            for action in map(str, room.race.legal(seat)):
                rolled = room.race.copy()
                rolled.play(seat, action)
                if rolled.chance == room.race.chance or rolled.to_act != (seat,):
                    continue
                tried += 1
                reasons = set()
                for following in (str(rolled.legal(seat)[0]), "reroll 1 2 3 4 5", "fly to the moon"):
                    with refusal("illegal") as refused:
                        await room.play(by[seat].id, seat, [action, following], "a-new-key-each")
                    reasons.add(str(refused.value))
                assert len(reasons) == 1
            await play_on(room, by, 1)
        assert tried >= 30

    in_house(tmp_path, test)


def test_a_whole_path_can_be_sent_at_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await house.together("chariot-race", *people)
        by, found = dict(enumerate(people)), 0
        while room.waiting() and found < 5:
            seat = room.waiting()[0]
            assert room.race is not None
            paths = room.race.offer(seat).get("paths", [])
            several = [path["actions"] for path in paths if len(path["actions"]) > 1]
            if several:
                found += 1
                await room.play(by[seat].id, seat, several[0])
            else:
                await play_on(room, by, 1)
        assert found == 5

    in_house(tmp_path, test)


# --- bots -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_bots_race_to_the_end_without_any_page_open(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        room = await house.table(await house.visitor("Anna"), "charioteer", "longest", "longest", "longest")
        house.bot_pool.allowed.clear()
        again = await house.reopened(room)  # killed while they thought
        house.bot_pool.allowed.set()
        until = time.monotonic() + 60
        while again.table.status != "over":
            assert time.monotonic() < until
            await asyncio.sleep(0.02)
        assert again.idle
        checked = await asyncio.to_thread(verify, house.store)
        assert checked.findings == [] and checked.actions > 20

    in_house(tmp_path, test)


def test_a_bot_is_asked_about_a_race_without_the_secrets_of_others(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        room = await house.table(await house.visitor("Anna"), "charioteer", "me", "longest", "longest")
        assert room.race is not None
        assert {question.seat for question in house.bot_pool.questions} <= {1, 2}
        for question in house.bot_pool.questions:
            assert question.seed != room.table.seed

    in_house(tmp_path, test)


# --- whose eyes -------------------------------------------------------------------------------------------------------


def test_people_at_one_screen_see_one_seat_at_a_time(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "screen", "screen", "screen")
        assert room.race is not None
        ear = Ear(anna)
        room.enter(ear, None)
        assert ear.state["own"] == [0, 1, 2] and ear.state["looking"] is None
        spectator = ear.state["view"]
        assert spectator == _plain(room.race.view(None)) and ear.state["offer"] is None
        for seat in (1, 2, 0):
            room.look(ear, seat)
            assert ear.state["looking"] == seat
            assert ear.state["view"] == _plain(room.race.view(seat)) != spectator
            assert ear.state["offer"] == _plain(room.race.offer(seat))
        room.look(ear, 1)
        await room.play(anna.id, 0, [legal(room, 0)], "choice-of-zero")
        assert ear.state["view"] == _plain(room.race.view(1))
        room.look(ear, None)
        assert ear.state["view"] == _plain(room.race.view(None)) and ear.state["offer"] is None
        with refusal("not-yours"):
            room.look(Ear("stranger"), 1)

    in_house(tmp_path, test)


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("way", ["leave", "move"])
def test_whoever_gives_a_seat_away_sees_its_secrets_no_more(way: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        elsewhere = await house.visitor("A, elsewhere")
        room = await house.together("charioteer", *people)
        house.bot_pool.allowed.clear()
        ear = Ear(people[0], 0)
        room.enter(ear, None)
        if way == "leave":
            await house.lobby.leave(people[0], room.table.id)
        else:
            await house.invitations.use(elsewhere, await house.invitations.link(people[0], "seat", room.table.id, 0))
        assert room.race is not None
        assert ear.state["looking"] is None and ear.state["own"] == [] and ear.state["offer"] is None
        assert ear.state["view"] == _plain(room.race.view(None))
        await room.play(people[1].id, 1, [legal(room, 1)], "another-choice")
        assert ear.state["view"] == _plain(room.race.view(None))

    in_house(tmp_path, test)


@pytest.mark.parametrize(("watching", "allowed"), [("all", True), ("link", True), ("none", False)])
def test_who_may_watch(watching: str, allowed: bool, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben, watching=watching)
        assert room.may_watch(anna.id) and room.may_watch(ben.id)
        assert room.may_watch("stranger") is allowed

    in_house(tmp_path, test)


def test_presence_tells_who_is_here(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        first, second, spectator = Ear(anna, 0), Ear(ben, 1), Ear("spectator")
        room.enter(first, None)
        assert [seat.get("here", False) for seat in first.state["seats"]] == [True, False]
        room.enter(second, None)
        room.enter(spectator, None)
        assert first.plain[-1] == {"type": "presence", "seats": first.plain[-1]["seats"], "watchers": 1}
        room.leave(second)
        assert [seat.get("here", False) for seat in first.plain[-1]["seats"]] == [True, False]
        assert not room.idle
        room.leave(first)
        room.leave(spectator)
        assert room.idle

    in_house(tmp_path, test)


def test_whoever_watches_and_sits_down_sees_with_the_eyes_of_the_seat(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.table(anna, "charioteer", "me", "open")
        ear, spectator = Ear(ben), Ear("spectator")
        room.enter(ear, None)
        room.enter(spectator, None)
        await house.lobby.sit(ben, room.table.id)
        assert ear.state["looking"] == 1 and ear.state["offer"]
        assert spectator.state["looking"] is None and spectator.state["offer"] is None

    in_house(tmp_path, test)


def test_a_closed_room_is_freed_without_garbage_collection(tmp_path: Path) -> None:
    """The server hardly ever collects garbage: what a closed room keeps alive would stay for days."""

    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "competent")
        ear = Ear(anna, 0)
        room.enter(ear, None)
        await room.play(anna.id, 0, [legal(room, 0)], "a-key")
        await ear.until(lambda: ear.state["waiting"] == [0] and len(ear.moments) >= 3)
        await room.chat.say(anna.id, "Anna", "Salve", "another-key")
        room.leave(ear)
        kept, table = weakref.ref(room), room.table.id
        gc.disable()
        try:
            room.close()
            del house.rooms._rooms[table], room
            for _ in range(5):  # tasks that were cancelled end
                await asyncio.sleep(0)
            assert kept() is None, gc.get_referrers(kept())
        finally:
            gc.enable()

    in_house(tmp_path, test)
