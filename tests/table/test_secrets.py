"""Nothing hidden reaches whoever may not see it: every byte that is sent is searched for it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house_helpers import Ear, House, in_house, legal, play_on
from serving_helpers import Client, Server

import spina
from spina.race import Race
from spina.table.bots.win_chances import WinChances
from spina.table.live import replay_steps
from spina.table.store.journal_store import Store
from spina.table.store.records import Entry, Table

TURNS = 4


def secrets_of(race: Race, seat: int) -> list[str]:
    """How a seat's hand and its hidden tokens would look in a message."""
    view = race.view(seat)
    hand = json.dumps(view["hand"], separators=(",", ":"))
    cards = ",".join(f'"{card}"' for card in view["hand"].values())
    found = [hand, cards] if view["hand"] else []
    if view["tokens"] != view["chariots"][seat]["player_tokens"]:  # a fan token is hidden among them
        found.append(json.dumps(view["tokens"], separators=(",", ":")))
    return found


def choices_of(page: Any) -> str:
    moves = [move for move in page["state"]["offer"]["moves"] if move["best"]]  # not every move can be paid for
    return str(moves[len(moves) // 2]["best"]["choice"])


def kept(database: str, id: str) -> tuple[Table, list[Entry]]:
    async def read() -> tuple[Table, list[Entry]]:
        store = await Store.open(database)
        try:
            table = await store.table(id)
            assert table is not None
            return table, await store.journal(id)
        finally:
            await store.close()

    return asyncio.run(read())


def test_no_byte_of_a_running_race_tells_what_is_hidden(server: Server) -> None:
    anna, ben, spectator = server.visitor("Anna"), server.visitor("Ben"), server.visitor("Carla")
    table = anna.create("charioteer", "me", "open")
    ben.post(f"/api/tables/{table}/sit")
    people: list[tuple[int | None, Client]] = [(0, anna), (1, ben), (None, spectator)]
    sent: dict[int | None, list[str]] = {viewer: [] for viewer, _ in people}
    checked = 0

    def look_around(viewer: int | None, who: Client) -> None:
        """Ask for everything that can be asked for, also for what is refused."""
        own = {} if viewer is None else {"seat": viewer}
        asked = [who.get(f"/api/tables/{table}", **own), who.get(f"/api/tables/{table}/moments", **own)]
        for seat in (0, 1):
            if seat != viewer:
                asked += [
                    who.get(f"/api/tables/{table}", seat=seat),
                    who.get(f"/api/tables/{table}/moments", seat=seat),
                ]
                asked += [who.play(table, seat, "no token"), who.play(table, seat, "black-1: a b c")]
                asked.append(who.post(f"/api/tables/{table}/consider", {"seat": seat, "action": "no token"}))
        browser = who.cookie() | {"accept": "text/html"}
        for path in ("/", f"/t/{table}", f"/t/{table}/replay", f"/t/{table}/file", f"/t/{table}?seat=0"):
            asked.append(server.ask("GET", path, None, browser))
        asked += [who.get("/api/tables"), who.get("/api/games")]
        sent[viewer] += [answer.text for answer in asked]

    with anna.open(table) as first, ben.open(table) as second, spectator.open(table) as third:
        pages = {0: first, 1: second, None: third}
        for page in pages.values():
            page.hear_of("welcome")
        for _ in range(TURNS):
            for seat, who in ((0, anna), (1, ben)):
                action = choices_of(who.see(table, seat=seat))
                offered = str(ben.see(table, seat=1))
                answered, heard = len(sent[1]), len(second.raw)
                version = who.play(table, seat, action).json["version"]
                if seat == 0:
                    for viewer, other in people:
                        look_around(viewer, other)
                for page in pages.values():
                    page.hear_until(version)
                if seat == 0 and action not in offered:  # two hands may allow the same short choice
                    pending = "\n".join(sent[1][answered:] + second.raw[heard:])
                    assert '"waiting":[1]' in pending and action not in pending
                    checked += 1
        record, journal = kept(server.database, table)
        race = spina.new("charioteer", seats=2, seed=record.seed, **record.options)
        hidden: dict[int, set[str]] = {0: set(secrets_of(race, 0)), 1: set(secrets_of(race, 1))}
        for entry in journal:
            for action in entry.actions:
                race.play(entry.seat or 0, action)
                for seat in (0, 1):
                    hidden[seat] |= set(secrets_of(race, seat))
        alike = hidden[0] & hidden[1]  # such as the same tokens in both hands: each is told its own
        hidden = {seat: found - alike for seat, found in hidden.items()}
        for viewer, page in pages.items():
            sent[viewer] += page.raw
        for viewer, texts in sent.items():
            everything = "\n".join(texts).replace('": ', '":').replace(", ", ",")
            assert str(record.seed) not in everything and record.salt not in everything
            assert record.host not in everything and record.commitment in everything
            for seat in (0, 1):
                seen = [secret for secret in hidden[seat] if secret.replace(", ", ",") in everything]
                assert bool(seen) is (seat == viewer), (seat, viewer, seen[:1])  # its own it has been told
        assert checked
        log = server.log.read_text()
        assert str(record.seed) not in log and record.salt not in log and anna.token not in log


@pytest.mark.slow
def test_everything_is_revealed_when_the_race_is_over(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await house.together("charioteer", *people)
        ear = Ear("spectator")
        room.enter(ear, None)
        await play_on(room, dict(enumerate(people)), 6)
        assert ear.state["seed"] is None and ear.state["salt"] is None
        await play_on(room, dict(enumerate(people)))
        assert (ear.state["seed"], ear.state["salt"]) == (str(room.table.seed), room.table.salt)

    in_house(tmp_path, test)


@pytest.mark.parametrize("viewer", [0, None])
@pytest.mark.parametrize("game", ["charioteer", "chariotmaster"])
def test_races_that_differ_only_in_what_is_hidden_sound_the_same(game: str, viewer: int | None, tmp_path: Path) -> None:
    """Byte for byte, but for the commitment and the time."""

    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "ABC"]
        heard = []
        for number in (1, 2):
            room = await house.together(game, *people)
            start = spina.new(game, seats=3, seed=77, **room.table.options)
            data = start.determinized_state(viewer, number)
            room.race = Race(start.game, start.edition, 3, start.options, 0, data)
            room._win_chances = WinChances()
            room.table.commitment = "the same"
            ear = Ear("spectator" if viewer is None else people[viewer], viewer)
            room.enter(ear, None)
            if viewer is not None:
                await room.play(people[viewer].id, viewer, [legal(room, viewer)])
            await room.play(people[1].id, 1, [legal(room, 1, number)])
            await room.retract(people[1].id, 1)
            await room.play(people[1].id, 1, [legal(room, 1, number + 1)])
            assert 2 in room.waiting()  # nothing has been shown yet
            texts = [msgspec.json.decode(msgspec.json.encode(message)) for message in ear.heard]
            for text in texts:
                for moment in text["moments"]:
                    moment["at"] = 0
            heard.append((texts, data.tobytes()))
        assert heard[0][1] != heard[1][1]
        assert heard[0][0] == heard[1][0]

    in_house(tmp_path, test)


def test_a_replay_of_a_running_race_shows_what_its_viewer_knew(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        people = [await house.visitor(name) for name in "AB"]
        room = await house.together("charioteer", *people)
        await play_on(room, dict(enumerate(people)), 7)
        for viewer in (0, 1, None):
            part = await house.services.replays.part(room, viewer, 0, 40)
            assert isinstance(part, replay_steps.Replay)
            assert part.total == len(part.standings) and not part.over
            for standing in part.standings:
                assert standing.view["seat"] == viewer
                assert ("hand" in standing.view and bool(standing.view["hand"])) is (viewer is not None)
            assert room.race is not None
            assert part.standings[-1].view == room.race.view(viewer)

    in_house(tmp_path, test)
