"""A server that is killed at any moment and started again goes on with every race, and loses no acknowledged choice."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import threading
import time
from pathlib import Path

import pytest
from serving_helpers import FREELY, PATIENCE, Client, Server, new_key, serving

from spina.table.store.journal_store import Store
from spina.table.store.verification import Verified, verify

pytestmark = pytest.mark.server

GAMES = ("charioteer", "chariot-race", "chariotmaster")
KILLS = 2


class Player(threading.Thread):
    """Somebody who races on whatever happens to the server, asking again under the same key."""

    def __init__(self, client: Client, table: str, seat: int) -> None:
        super().__init__(daemon=True)
        self.client, self.table, self.seat = client, table, seat
        self.kept: dict[str, int] = {}
        """Keys of choices that the server has acknowledged, with the version that it named."""
        self.chosen = threading.Event()
        self.enough = threading.Event()
        self.problem: BaseException | None = None

    def go_on(self) -> None:
        """Wait for the next choice of this player, or for the end of the race."""
        until = time.monotonic() + PATIENCE
        while self.is_alive() and not self.chosen.wait(0.05):
            assert time.monotonic() < until

    def run(self) -> None:
        try:
            self._race(random.Random(self.seat))
        except BaseException as error:
            self.problem = error
            raise

    def _race(self, chance: random.Random) -> None:
        while not self.enough.is_set():
            seen = self._insist(lambda: self.client.get(f"/api/tables/{self.table}", seat=self.seat).json)
            if seen["state"]["status"] == "over":
                return
            if not seen["legal"]:
                time.sleep(0.01)
                continue
            key, version = new_key(), seen["state"]["version"]
            action = chance.choice(seen["legal"])
            answer = self._insist(
                lambda: self.client.play(self.table, self.seat, action, key=key, version=version)  # noqa: B023
            )
            if answer.status == 200:
                self.kept[key] = answer.json["version"]
                self.chosen.set()
            else:
                assert answer.status in (409, 503), answer.text

    def _insist(self, ask):  # type: ignore[no-untyped-def]
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return ask()
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                assert time.monotonic() < until
                time.sleep(0.02)


def verified(server: Server) -> Verified:
    store = asyncio.run(Store.open(server.database))
    try:
        return verify(store)
    finally:
        asyncio.run(store.close())


def test_no_acknowledged_choice_is_lost_however_often_the_server_is_killed(tmp_path: Path) -> None:
    chance = random.Random(20)
    with serving(tmp_path / "killed", **FREELY) as server:
        players = []
        for game in GAMES:
            anna, ben = server.visitor("Anna"), server.visitor("Ben")
            table = anna.create(game, "me", "open", {"charioteer": "longest"}.get(game, "competent"))
            ben.post(f"/api/tables/{table}/sit")
            players += [Player(anna, table, 0), Player(ben, table, 1)]
        for player in players:
            player.start()
        for _ in range(KILLS):
            for player in players:
                player.chosen.clear()
            players[chance.randrange(len(players))].go_on()
            time.sleep(chance.uniform(0.0, 0.4))  # at any moment, not only right after an answer
            server.kill()
            server.start()
        for player in players:
            player.chosen.clear()
        for player in players:  # every race goes on
            player.go_on()
        for player in players:
            player.enough.set()
        for player in players:
            player.join(PATIENCE)
            assert player.problem is None and not player.is_alive()
            assert player.kept

        store = asyncio.run(Store.open(server.database))
        for player in players:
            for key, version in player.kept.items():
                kept = asyncio.run(store.version_of_key(player.table, f"{player.client.id}:{key}"))
                assert kept == version
        asyncio.run(store.close())
        server.stop()
        checked = verified(server)
        assert checked.findings == [] and checked.races == len(GAMES)


def test_bots_go_on_after_a_restart_without_any_page_open(tmp_path: Path) -> None:
    with serving(tmp_path / "bots", **FREELY) as server:
        anna = server.visitor("Anna")
        table = anna.create("charioteer", "longest", "longest", "longest")
        server.kill()
        server.start()
        until = time.monotonic() + PATIENCE
        while server.visitor("Ben").get("/api/tables").json["finished"] == []:  # the lists open no room
            assert time.monotonic() < until
            time.sleep(0.1)
        assert anna.see(table)["state"]["status"] == "over"
        server.stop()
        assert verified(server).findings == []


@pytest.mark.parametrize("way", ["kill", "stop"])
def test_chat_seats_and_links_are_there_after_a_restart(way: str, tmp_path: Path) -> None:
    with serving(tmp_path / way, **FREELY) as server:
        anna, ben = server.visitor("Anna"), server.visitor("Ben")
        table = anna.create("charioteer", "me", "open", "open")
        path = anna.post(f"/api/tables/{table}/links", {"kind": "seat", "seat": 2}).json["path"]
        anna.post(f"/api/tables/{table}/chat", {"key": new_key(), "text": "Salve"})
        getattr(server, way)()
        server.start()
        assert ben.post("/api/links", {"secret": path.removeprefix("/l/")}).json == {"id": table}
        with ben.open(table) as page:
            welcome = page.hear_of("welcome")
        assert welcome["state"]["own"] == [2] and welcome["chat"][0]["text"] == "Salve"
