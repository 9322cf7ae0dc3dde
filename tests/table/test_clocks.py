"""Clocks: when they start, when they run out, and what happens to those who run out of time."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from house_helpers import Ear, House, in_house, legal
from serving_helpers import Server

from spina.table.live import clocks
from spina.table.live.clocks import Clocks
from spina.table.live.room import Room
from spina.table.refusals import Refusal


def clock_of(room: Room, seat: int | None) -> tuple[float | None, float]:
    """The seconds that somebody with the eyes of a seat sees, and those until the clock starts."""
    state = room.state_for("somebody", seat)
    return state.deadline, state.starts


def hurried(room: Room, seconds: float) -> None:
    """A clock that no setup would allow, and that everybody who owes a choice has seen start."""
    room.table.clock = seconds  # type: ignore[assignment]
    room.clocks = Clocks(seconds)
    room._ask_again()
    for seat in room.waiting():
        room.shown(seat, room.table.version)
    room.wake()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages need no time to show anything, and stand-ins wait for nobody."""
    for name in ("LONGEST_SHOW", "SHORTEST_SHOW", "STAND_IN_PAUSE", "STAND_IN_VISIBLE"):
        monkeypatch.setattr(clocks, name, 0.0)


# --- when a clock starts ----------------------------------------------------------------------------------------------


def test_a_clock_starts_when_the_page_says_that_it_has_shown_the_news(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben, clock=60)
        ear, other = Ear(anna, 0), Ear(ben, 1)
        room.enter(ear, None)
        room.enter(other, None)
        assert ear.state["deadline"] == 60 and 10 < ear.state["starts"] <= clocks.LONGEST_SHOW
        room.shown(0, room.table.version)
        said = ear.plain[-1]
        assert said["type"] == "clock" and said["starts"] == 0 and 59 < said["deadline"] <= 60
        assert other.plain[-1]["type"] == "clock" and other.plain[-1]["starts"] > 10  # his own still waits for his page
        assert clock_of(room, None)[1] == 0  # a spectator sees the one that runs out first

    in_house(tmp_path, test)


def test_without_a_word_a_clock_starts_after_the_cap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "LONGEST_SHOW", 1.0)

    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben, clock=60)
        left, starts = clock_of(room, 0)
        assert left == 60 and 0 < starts <= 1.0
        async with asyncio.timeout(30):
            while clock_of(room, 0)[1] > 0:
                await asyncio.sleep(0.02)
            while clock_of(room, 0)[0] == 60:
                await asyncio.sleep(0.02)
        left, starts = clock_of(room, 0)
        assert left is not None and 0 < left < 60 and starts == 0

    in_house(tmp_path, test)


def test_of_two_pages_on_a_seat_the_first_word_counts(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben, clock=60)
        room.shown(0, room.table.version)
        await asyncio.sleep(0.2)
        ear = Ear(anna, 0)
        room.enter(ear, None)
        heard = len(ear.heard)
        room.shown(0, room.table.version)
        assert len(ear.heard) == heard  # nothing has changed, so nobody is told
        left, _ = clock_of(room, 0)
        assert left is not None and left <= 59.85

    in_house(tmp_path, test)


def test_a_word_about_an_older_question_starts_no_clock(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben, clock=60)
        version = room.table.version
        await room.play(anna.id, 0, [legal(room, 0)])
        await room.play(ben.id, 1, [legal(room, 1)])
        room.shown(0, version)
        assert clock_of(room, 0)[1] > 0
        room.shown(0, room.table.version)
        assert clock_of(room, 0)[1] == 0

    in_house(tmp_path, test)


def test_the_cap_is_the_usual_length_of_what_is_shown_and_twelve_seconds_at_most() -> None:
    kept = Clocks(60)

    def cap(version: int, seconds: float) -> float:
        kept.told(2, seconds)
        kept.ask([0], owners=["a", "b"], stand_ins=(), version=version, number=version, answered=0)
        found = kept.reading(0)
        assert found is not None
        kept.shown(0, version)
        return found.starts

    assert cap(1, 0.0) == pytest.approx(2.0, abs=0.2)
    assert cap(2, 5.0) == pytest.approx(7.0, abs=0.2)
    assert cap(3, 60.0) == pytest.approx(12.0, abs=0.2)
    kept.told(2, 3.0)  # bots have moved before the seat is asked
    assert cap(4, 2.0) == pytest.approx(7.0, abs=0.2)


def test_over_http_a_clock_starts_when_the_offer_is_sent(server: Server) -> None:
    anna, ben = server.visitor("Anna"), server.visitor("Ben")
    table = anna.create("charioteer", "me", "open", clock=60)
    ben.post(f"/api/tables/{table}/sit")
    assert anna.see(table)["state"]["starts"] > 0  # a spectator's view, without the offer
    state = anna.see(table, seat=0)["state"]
    assert state["offer"] and state["starts"] == 0 and 59 < state["deadline"] <= 60
    assert ben.see(table)["state"]["starts"] == 0  # hers runs out first
    with ben.open(table) as page:
        state = page.hear_of("welcome")["state"]
        assert state["deadline"] == 60 and state["starts"] > 0
        page.send(type="shown", seat=0, version=state["version"])  # not his
        page.send(type="shown", seat=1, version=0)  # of long ago
        page.send(type="shown", seat=1, version=state["version"])
        said = page.hear_of("clock")
        assert said["starts"] == 0 and 59 < said["deadline"] <= 60


def test_at_one_screen_a_clock_waits_until_the_curtain_is_lifted(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "screen", "screen", clock=60)
        ear = Ear(anna)
        room.enter(ear, None)

        def started() -> list[bool]:
            return [room.clocks.deadline(seat) is not None and clock_of(room, seat)[1] == 0 for seat in range(3)]

        assert started() == [False, False, False]
        room.look(ear, 0)
        room.shown(0, room.table.version)
        assert started() == [True, False, False]
        assert room.clocks.deadline(1) is None  # not even after the cap: the first still chooses
        await room.play(anna.id, 0, [legal(room, 0)])
        assert started() == [False, False, False]
        assert 0 < clock_of(room, 1)[1] <= clocks.LONGEST_SHOW and room.clocks.deadline(2) is None
        room.look(ear, 1)
        room.shown(1, room.table.version)
        assert started() == [False, True, False]

    in_house(tmp_path, test)


# --- running out and coming back --------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["back", "play"])
def test_a_bot_drives_for_whoever_runs_out_of_time_until_the_person_returns(way: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        ear = Ear(ben, 1)
        room.enter(ear, None)
        house.bot_pool.allowed.clear()
        await room.play(ben.id, 1, [legal(room, 1)], "bens-choice")
        hurried(room, 0.15)
        await ear.until(lambda: any(moment["kind"] == "away" for moment in ear.moments))
        assert ear.state["seats"][0]["away"] and ear.state["waiting"] == [0]
        assert (await house.store.seats(room.table.id))[0].away
        room.clocks.seconds = 3600
        if way == "back":  # the bot thinks, but the person is quicker
            await room.back(anna.id, 0, "here-i-am")
            house.bot_pool.allowed.set()
            await asyncio.sleep(0.05)
            assert ear.state["waiting"] == [0] and not ear.state["seats"][0].get("away")
            assert 3500 < ear.state["deadline"] <= 3600 and ear.state["starts"] == 0
            await room.play(anna.id, 0, [legal(room, 0)], "annas-choice")
        else:
            await room.play(anna.id, 0, [legal(room, 0)], "annas-choice")
            house.bot_pool.allowed.set()
        assert not ear.state["seats"][0].get("away")
        assert ear.state["waiting"] == [0, 1]
        plays = [entry for entry in await house.store.journal(room.table.id) if entry.kind == "play"]
        assert [entry.key is not None for entry in plays] == [True, True]  # none was a bot's

    in_house(tmp_path, test)


def test_whoever_comes_back_gets_the_whole_time_once_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "STAND_IN_VISIBLE", 60.0)

    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        ear = Ear(anna, 0)
        room.enter(ear, None)
        await room.play(ben.id, 1, [legal(room, 1)], "bens-choice")
        hurried(room, 0.4)

        def times(kind: str) -> int:
            return sum(moment["kind"] == kind for moment in ear.moments)

        for went in (1, 2):
            await ear.until(lambda went=went: times("away") == went)
            came = time.monotonic()
            await room.back(anna.id, 0)
            if went == 1:
                assert 0.2 < ear.state["deadline"] <= 0.4
                await ear.until(lambda: times("away") == 2)
                assert time.monotonic() - came >= 0.4
        # there was no time left: the stand-in makes this choice, and the next one is hers
        await ear.until(lambda: ear.state["waiting"] == [0, 1])
        assert time.monotonic() - came < 30
        assert times("away") == 2 and not ear.state["seats"][0].get("away")
        assert ear.state["deadline"] == 0.4

    in_house(tmp_path, test)


def test_a_bot_goes_on_driving_while_the_person_stays_away(tmp_path: Path, at_once: None) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("chariot-race", anna, ben)
        ear = Ear("spectator")
        room.enter(ear, None)
        hurried(room, 0.05)
        await ear.until(lambda: ear.state["status"] == "over")
        assert all(seat.away for seat in await house.store.seats(room.table.id))
        assert ear.state["seed"] == str(room.table.seed)

    in_house(tmp_path, test)


def test_a_stand_in_waits_until_the_person_has_seen_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "STAND_IN_PAUSE", 0.0)
    monkeypatch.setattr(clocks, "STAND_IN_VISIBLE", 0.5)

    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "chariot-race", "me", "competent", clock=60)
        ear = Ear(anna, 0)
        room.enter(ear, None)
        await ear.until(lambda: ear.state["waiting"] == [0])
        hurried(room, 0.05)
        await ear.until(lambda: ear.state["seats"][0].get("away"))
        version, began = room.table.version, time.monotonic()
        await ear.until(lambda: room.table.version > version)
        assert time.monotonic() - began >= 0.45  # she could have come back
        await ear.until(lambda: ear.state["waiting"] == [0])
        monkeypatch.setattr(clocks, "STAND_IN_VISIBLE", 0.2)
        version = room.table.version
        await asyncio.sleep(0.5)
        assert room.table.version == version  # her page is still busy with the news
        room.shown(0, version)
        began = time.monotonic()
        await ear.until(lambda: room.table.version > version)
        assert 0.15 <= time.monotonic() - began < clocks.SHORTEST_SHOW + 10
        room.leave(ear)  # nobody is there to be waited for
        seen = Ear("spectator")
        room.enter(seen, None)
        await seen.until(lambda: room.table.status == "over")

    in_house(tmp_path, test)


def test_clocks_begin_anew_after_a_restart(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "longest", clock=60)
        room.shown(0, room.table.version)
        again = await house.reopened(room)
        ear = Ear(anna, 0)
        again.enter(ear, None)
        assert ear.state["deadline"] == 60 and ear.state["starts"] > 10  # her page comes back first

    in_house(tmp_path, test)


# --- taking back ------------------------------------------------------------------------------------------------------


def test_taking_a_choice_back_does_not_renew_the_clock(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben, clock=60)
        room.shown(0, room.table.version)
        limit = room.clocks.deadline(0)
        for _ in range(3):
            await room.play(anna.id, 0, [legal(room, 0)])
            await room.retract(anna.id, 0)
            assert room.clocks.deadline(0) == limit
        assert room.race is not None
        for _ in range(3):  # nor do the steps of a choice
            await room.play(anna.id, 0, [str(room.race.legal(0)[0])])
            assert room.waiting() == [0, 1] and room.clocks.deadline(0) == limit
            await room.retract(anna.id, 0)
        await room.play(anna.id, 0, [legal(room, 0)])
        await room.play(ben.id, 1, [legal(room, 1)])
        fresh = room.clocks.deadline(0)
        assert fresh is not None and limit is not None and fresh > limit  # another question

    in_house(tmp_path, test)


def test_when_the_time_has_run_out_a_choice_stands(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        hurried(room, 0.2)
        room.clocks._owed[1].starts += 60  # his page is slower
        await room.play(anna.id, 0, [legal(room, 0)])
        await asyncio.sleep(0.3)
        with pytest.raises(Refusal) as refused:
            await room.retract(anna.id, 0)
        assert refused.value.code == "too-late"
        assert room.waiting() == [1]

    in_house(tmp_path, test)


# --- more time --------------------------------------------------------------------------------------------------------


def test_who_races_bots_only_gets_the_whole_time_again_as_often_as_wanted(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "competent", clock=60)
        ear = Ear(anna, 0)
        room.enter(ear, None)
        assert ear.state["more_time"]
        with pytest.raises(Refusal, match="does not run"):  # the news is still being shown
            room.give_more_time(anna.id, 0)
        room.shown(0, room.table.version)
        version, journal = room.table.version, len(room.told)
        for _ in range(3):
            room.clocks._owed[0].starts -= 50  # most of the time has passed
            left, _ = clock_of(room, 0)
            assert left is not None and left < 11
            assert room.give_more_time(anna.id, 0) == version
            assert ear.plain[-1]["type"] == "clock" and ear.plain[-1]["deadline"] > 59
        assert (room.table.version, len(room.told)) == (version, journal)  # nothing that a replay could tell
        hurried(room, 0.3)
        room.clocks.seconds = 60
        room.give_more_time(anna.id, 0)
        await asyncio.sleep(0.6)
        assert not room.seats[0].away  # the timer knows of it too

    in_house(tmp_path, test)


def test_more_time_is_refused_where_other_people_wait(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben, clock=60)
        ear = Ear(anna, 0)
        room.enter(ear, None)
        assert not ear.state["more_time"]
        room.shown(0, room.table.version)
        with pytest.raises(Refusal, match="other people"):
            room.give_more_time(anna.id, 0)
        with pytest.raises(Refusal, match="not yours"):
            room.give_more_time(anna.id, 1)

    in_house(tmp_path, test)


def test_more_time_is_refused_without_a_clock_and_after_it_has_run_out(tmp_path: Path, at_once: None) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        free = await house.table(anna, "charioteer", "me", "competent")
        with pytest.raises(Refusal):
            free.give_more_time(anna.id, 0)
        room = await house.table(anna, "charioteer", "me", "competent", clock=60)
        room.shown(0, room.table.version)
        await room.change(lambda room: room.note("away", 0, seats=[room.with_changes(0, away=True)]))
        with pytest.raises(Refusal, match="does not run"):
            room.give_more_time(anna.id, 0)

    in_house(tmp_path, test)


def test_a_page_asks_for_more_time_over_its_socket(server: Server) -> None:
    anna = server.visitor("Anna")
    table = anna.create("charioteer", "me", "competent", clock=60)
    with anna.open(table) as page:
        state = page.hear_of("welcome")["state"]
        assert state["more_time"]
        page.send(type="shown", seat=0, version=state["version"])
        page.hear_of("clock")
        page.send(type="more-time", key="more-time-1", seat=0)
        assert page.hear_of("clock")["deadline"] > 59
        assert page.hear_of("done")["key"] == "more-time-1"
