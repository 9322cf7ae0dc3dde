"""Setting up tables, sitting down, links, leaving, racing again, and race files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house_helpers import Ear, House, in_house, legal, play_on

import spina
from spina.errors import OptionError, SaveError, SpinaError
from spina.games import find
from spina.table.live.commitment import commit
from spina.table.live.lobby import Place, Setup
from spina.table.refusals import Refusal
from spina.table.store.verification import verify


def refusal(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda error: error.code == code)


# --- setting up -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        (Setup("ludo", [Place("me")]), "ludo"),
        (Setup("charioteer", []), "seats"),
        (Setup("charioteer", [Place("me")] * 99), "seats"),
        (Setup("charioteer", [Place("me"), Place("me"), Place("open")]), "one seat is yours"),
        (Setup("charioteer", [Place("me"), Place("bot"), Place("open")]), "no bot"),
        (Setup("charioteer", [Place("me"), Place("bot", bot="deep blue"), Place("open")]), "deep blue"),
        (Setup("charioteer", [Place("me"), Place("open"), Place("open")], clock=1), "clock"),
        (Setup("charioteer", [Place("me"), Place("open"), Place("open")], clock=10**9), "clock"),
        (Setup("charioteer", [Place("me"), Place("open"), Place("open")], {"cheating": True}), "cheating"),
        (Setup("charioteer", [Place("me"), Place("open"), Place("open")], edition="no = "), "edition"),
        (Setup("charioteer", [Place("me"), Place("screen", name="x" * 25), Place("open")]), "24 letters"),
    ],
)
def test_a_race_that_cannot_be_says_why(setup: Setup, reason: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        with pytest.raises(SpinaError, match=reason):
            await house.lobby.check(setup)
        with pytest.raises(SpinaError, match=reason):
            await house.lobby.create(anna, setup)
        assert await house.lists.own(anna) == []

    in_house(tmp_path, test)


def test_a_visitor_may_set_up_so_many_tables_a_day(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        for _ in range(2):
            await house.table(anna, "charioteer", "me", "open", "open")
        with refusal("too-many"):
            await house.table(anna, "charioteer", "me", "open", "open")
        await house.table(ben, "charioteer", "me", "open", "open")

    in_house(tmp_path, test, tables_per_day=2)


def test_whoever_shows_no_token_can_do_nothing_that_must_be_remembered(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        from spina.table.live.lobby import anonymous_visitor

        room = await house.table(await house.visitor("Anna"), "charioteer", "me", "open", "open")
        with refusal("no-visitor"):
            await house.table(anonymous_visitor(), "charioteer", "me", "open", "open")
        with refusal("no-visitor"):
            await house.lobby.sit(anonymous_visitor(), room.table.id)

    in_house(tmp_path, test)


# --- sitting down -----------------------------------------------------------------------------------------------------


def test_the_race_starts_when_the_last_seat_is_taken(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        room = await house.table(people[0], "charioteer", "me", "open", "open")
        ear = Ear("spectator")
        room.enter(ear, None)
        assert await house.lobby.sit(people[1], room.table.id, 2) == 2
        assert ear.state["status"] == "open" and ear.state["view"] is None
        with refusal("not-started"):
            await room.play(people[0].id, 0, ["no token"])
        assert await house.lobby.sit(people[2], room.table.id) == 1
        assert ear.state["status"] == "running" and ear.state["waiting"] == [0, 1, 2]
        assert ear.state["seed"] is None and ear.state["salt"] is None
        assert ear.state["commitment"] == commit(room.table.seed, room.table.salt)
        assert room.table.seed.bit_length() > 64  # dice are public as they fall: nobody may find it by trying seeds

    in_house(tmp_path, test)


def test_a_seat_is_given_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "open", "longest")
        others = [await house.visitor(f"Other {number}") for number in range(5)]
        came = await asyncio.gather(
            *(house.lobby.sit(other, room.table.id, 1) for other in others), return_exceptions=True
        )
        assert came.count(1) == 1
        assert all(isinstance(one, Refusal) and one.code == "full" for one in came if one != 1)
        with refusal("full"):
            await house.lobby.sit(await house.visitor("Late"), room.table.id)

    in_house(tmp_path, test)


def test_nobody_sits_twice_and_nobody_sits_where_there_is_no_seat(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.table(anna, "charioteer", "me", "open", "open")
        with refusal("seated"):
            await house.lobby.sit(anna, room.table.id)
        with refusal("full"):
            await house.lobby.sit(ben, room.table.id, 7)
        with refusal("unknown"):
            await house.lobby.sit(ben, "nowhere")
        with refusal("unknown"):
            await house.lobby.sit(ben, "no\x00where")

    in_house(tmp_path, test)


def test_the_host_and_nobody_else_may_start_with_bots(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        house.bot_pool.allowed.clear()
        room = await house.table(anna, "charioteer", "me", "open", "open")
        with refusal("not-yours"):
            await house.lobby.fill(ben, room.table.id)
        with pytest.raises(OptionError):
            await house.lobby.fill(anna, room.table.id, "deep blue")
        await house.lobby.fill(anna, room.table.id, "longest")
        assert room.table.status == "running" and [seat.kind for seat in room.seats] == ["person", "bot", "bot"]
        with refusal("full"):
            await house.lobby.fill(anna, room.table.id)

    in_house(tmp_path, test)


def test_a_table_that_is_full_but_was_not_started_starts_when_the_server_does(tmp_path: Path) -> None:
    """The server may be killed between the last seat and the start."""

    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        game = find("charioteer")
        table = house.lobby._table(anna, game, game.reference(), 2, game.check_options(2, {}, game.reference()))
        seats = [house.lobby._seat(table.id, anna, number, Place("screen")) for number in range(2)]
        await house.store.add_table(table, seats)  # and here the server was killed
        room = await house.rooms.room(table.id)
        assert room.table.status == "running" and room.waiting() == [0, 1]

    in_house(tmp_path, test)


# --- links ------------------------------------------------------------------------------------------------------------


def test_a_link_to_a_seat_works_once(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben, carla = [await house.visitor(name) for name in ("Anna", "Ben", "Carla")]
        room = await house.table(anna, "charioteer", "me", "open", "open")
        secret = await house.invitations.link(anna, "seat", room.table.id, 2)
        assert await house.invitations.use(ben, secret) == room.table.id
        assert room.own_seats(ben.id) == [2]
        with refusal("used"):
            await house.invitations.use(carla, secret)
        with refusal("used"):
            await house.invitations.followed(secret)
        assert room.own_seats(carla.id) == []

    in_house(tmp_path, test)


def test_an_open_link_seats_everybody_until_the_table_is_full(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABCD"]
        room = await house.table(people[0], "charioteer", "me", "open", "open", watching="none")
        secret = await house.invitations.link(people[0], "join", room.table.id)
        for person in (people[1], people[1], people[2]):  # the second one comes twice
            assert await house.invitations.use(person, secret) == room.table.id
        assert [len(room.own_seats(person.id)) for person in people] == [1, 1, 1, 0]
        with refusal("full"):
            await house.invitations.use(people[3], secret)

    in_house(tmp_path, test)


def test_a_personal_link_moves_a_seat_to_another_device(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben, phone, thief = [await house.visitor(name) for name in ("Anna", "Ben", "Phone", "Thief")]
        room = await house.together("charioteer", anna, ben)
        secret = await house.invitations.link(anna, "seat", room.table.id, 0)
        spare = await house.invitations.link(anna, "seat", room.table.id, 0)
        await house.invitations.use(phone, secret)
        assert room.own_seats(anna.id) == [] and room.own_seats(phone.id) == [0]
        assert room.seats[0].name == "Anna"
        with refusal("not-yours"):
            await room.play(anna.id, 0, [legal(room, 0)])
        await room.play(phone.id, 0, [legal(room, 0)])
        for used in (secret, spare):  # the other one was Anna's to give, and the seat is no longer hers
            with refusal("used"):
                await house.invitations.use(thief, used)
        again = await house.reopened(room)
        assert again.own_seats(phone.id) == [0]

    in_house(tmp_path, test)


def test_links_cannot_be_forged_and_are_not_for_everybody_to_give(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.table(anna, "charioteer", "me", "open", "open")
        for forged in ("", "x", "a" * 24, "../../etc/passwd", "ünïcode", room.table.id, anna.id):
            with refusal("unknown"):
                await house.invitations.use(ben, forged)
        with refusal("not-yours"):
            await house.invitations.link(ben, "seat", room.table.id, 1)
        with refusal("not-yours"):
            await house.invitations.link(ben, "seat", room.table.id, 0)
        with refusal("not-yours"):
            await house.invitations.link(ben, "join", room.table.id)
        for seat in (None, 3, -1):
            with refusal("malformed"):
                await house.invitations.link(anna, "seat", room.table.id, seat)
        secret = await house.invitations.link(anna, "join", room.table.id)
        kept = (tmp_path / "table.db").read_bytes() + (tmp_path / "table.db-wal").read_bytes()
        assert secret.encode() not in kept  # only its hash is

    in_house(tmp_path, test)


# --- leaving, and racing again ----------------------------------------------------------------------------------------


def test_whoever_leaves_is_replaced_by_a_bot_and_the_last_one_ends_the_race(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        house.bot_pool.allowed.clear()
        room = await house.together("charioteer", anna, ben)
        await house.lobby.leave(anna, room.table.id)
        assert room.seats[0].kind == "bot" and room.table.status == "running"
        with refusal("not-yours"):
            await house.lobby.leave(anna, room.table.id)
        await house.lobby.leave(ben, room.table.id)
        assert room.table.status == "left" and room.waiting() == []
        with refusal("over"):
            await room.play(ben.id, 1, ["no token"])

    in_house(tmp_path, test)


def test_before_the_start_a_guest_frees_the_seat_and_the_host_ends_the_table(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben, carla = [await house.visitor(name) for name in ("Anna", "Ben", "Carla")]
        room = await house.table(anna, "charioteer", "me", "open", "open")
        await house.lobby.sit(ben, room.table.id)
        await house.lobby.leave(ben, room.table.id)
        assert [seat.kind for seat in room.seats] == ["person", "open", "open"]
        await house.lobby.sit(carla, room.table.id)
        await house.lobby.leave(anna, room.table.id)
        assert room.table.status == "left"
        with refusal("full"):
            await house.lobby.sit(ben, room.table.id)
        assert await house.lists.open_tables() == []

    in_house(tmp_path, test)


# --- lists ------------------------------------------------------------------------------------------------------------


def test_the_lists_show_what_each_may_see(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        seen = await house.table(anna, "charioteer", "me", "open", "open")
        await house.table(anna, "charioteer", "me", "open", "open", watching="link")
        await house.table(anna, "charioteer", "me", "open", "open", watching="none")
        running = await house.together("chariot-race", anna, ben)
        assert [table.id for table in await house.lists.open_tables(ben)] == [seen.table.id]
        assert len(await house.lists.own(anna)) == 4
        [mine] = await house.lists.own(ben)
        assert (mine.id, mine.waiting_for_me) == (running.table.id, 1 in running.waiting())
        running.close()  # nobody has looked for long
        [mine] = await house.lists.own(ben)
        assert mine.waiting_for_me == (1 in running.waiting())

    in_house(tmp_path, test)


# --- race files -------------------------------------------------------------------------------------------------------


def finished(game: str, seats: int = 2) -> dict[str, Any]:
    """The file of a race that is over."""
    race, number = spina.new(game, seats=seats, seed=11), 0
    while not race.over:
        seat = race.to_act[0]
        actions = race.legal(seat)
        race.play(seat, actions[number % len(actions)])
        number += 1
    return dict(msgspec.json.decode(msgspec.json.encode(race.saved())))


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_a_race_file_comes_back_as_it_went(game: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        file = finished(game)
        room = await house.rooms.room(await house.lobby.import_race(anna, msgspec.json.encode(file)))
        assert room.table.status == "over" and room.waiting() == []
        assert msgspec.json.decode(await house.lobby.export(room.table.id)) == file
        assert room.table.commitment == commit(room.table.seed, room.table.salt)
        checked = await asyncio.to_thread(verify, house.store)
        assert checked.findings == [] and checked.races == 1
        with refusal("not-yours"):
            await house.lobby.rematch(anna, room.table.id)

    in_house(tmp_path, test)


def test_a_race_file_keeps_the_names_of_those_who_raced(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        await play_on(room, {0: anna, 1: ben})
        data = await house.lobby.export(room.table.id)
        copy = await house.rooms.room(await house.lobby.import_race(ben, data))
        assert copy.names() == ["Anna", "Ben"] and await house.lobby.export(copy.table.id) == data
        assert [seat.kind for seat in copy.seats] == ["raced", "raced"]  # people, so none is called a bot
        assert (await house.store.visitor(ben.id) or anna).name == "Ben"
        file = msgspec.json.decode(data)
        for names, first in (
            ([" A\u0000nna ", "x" * 500], None),
            (["Anna"], "Anna"),
            ([], None),
            (["A", "B", "C"], "A"),
        ):
            copied = await house.lobby.import_race(ben, msgspec.json.encode({**file, "names": names}))
            found = (await house.rooms.room(copied)).names()
            assert len(found) == 2 and all(found) and all(len(name) < 50 and "\0" not in name for name in found)
            assert first is None or found[0] == first

    in_house(tmp_path, test)


def test_a_race_file_that_is_not_what_it_says_is_refused(tmp_path: Path) -> None:
    good = finished("charioteer")
    running = spina.new("charioteer", seats=2, seed=3)
    bad: dict[str, bytes] = {
        "nothing": b"",
        "no JSON": b"\x00\xff\xfe",
        "half of it": msgspec.json.encode(good)[: len(msgspec.json.encode(good)) // 2],
        "deep": b"[" * 100_000,
        "running": msgspec.json.encode(running.saved()),
    }
    changed: dict[str, dict[str, Any]] = {
        "another game": {"game": "ludo"},
        "another of our games": {"game": "chariot-race"},
        "other rules": {"rules": 999},
        "another edition": {"edition": "0" * 16},
        "an edition of its own": {"edition_text": "x = 1"},
        "no race": {"race": None},
        "an option": {"options": {"seats": 3}},
        "seats": {"seats": 3},
        "not over": {"over": False},
        "a position": {"race": {**good["race"], "origin": {"seats": 2}}},
        "a huge seed": {"race": {**good["race"], "origin": 2**70}},
        "a seed": {"race": {**good["race"], "origin": good["race"]["origin"] + 1}},
        "fewer actions": {"race": {**good["race"], "actions": good["race"]["actions"][:-1]}},
        "more actions": {"race": {**good["race"], "actions": good["race"]["actions"] * 2}},
        "pending": {"race": {**good["race"], "pending": [[0, "no token"]]}},
        "hashes": {"race": {**good["race"], "hashes": [[1, "0" * 16], *good["race"]["hashes"]]}},
        "very many actions": {"race": {**good["race"], "actions": [[0, "no token"]] * 100_001}},
    }
    bad |= {name: msgspec.json.encode({**good, **change}) for name, change in changed.items()}

    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        for name, data in bad.items():
            with pytest.raises(SaveError):
                print(name, await house.lobby.import_race(anna, data))  # shown when it fails
        assert await house.lists.own(anna) == []

    in_house(tmp_path, test)


def test_only_a_finished_race_can_be_taken_away(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna, ben = await house.visitor("Anna"), await house.visitor("Ben")
        room = await house.together("charioteer", anna, ben)
        with refusal("not-started"):
            await house.lobby.export(room.table.id)
        await play_on(room, {0: anna, 1: ben})
        async with asyncio.timeout(30):
            assert await house.lobby.export(room.table.id)

    in_house(tmp_path, test)
