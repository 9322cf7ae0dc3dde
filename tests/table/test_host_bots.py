"""Bots of other packages at tables: only those that the host allows by name, and never a class from a request."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from house_helpers import House, in_house
from serving_helpers import FREELY, new_key, serving

import spina
from spina.bots import class_bot
from spina.cli import main
from spina.errors import OptionError
from spina.table.bots.bot_pool import BotError, BotPool, accepted, offered
from spina.table.bots.fallbacks import Fallbacks
from spina.table.bots.worker import choose
from spina.table.bots.worker_messages import Question
from spina.table.http import forms
from spina.table.live.lobby import Place, Setup

CLASS = "table_bots:First"
MODULE = """
from spina.bots import Bot

class First(Bot):
    def choose(self, race, seat):
        return race.legal(seat)[0]

class Fails(Bot):
    def choose(self, race, seat):
        raise ZeroDivisionError("a mistake in the bot")
"""


@pytest.fixture(autouse=True)
def package(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package with two bots, for this process and its children."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "table_bots.py").write_text(MODULE)
    info = folder / "table_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: table-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[spina.bots]\nfirst = table_bots:First\nfails = table_bots:Fails\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
    class_bot._entry_points.cache_clear()
    yield
    class_bot._entry_points.cache_clear()


def test_a_request_may_name_what_the_host_allows() -> None:
    assert "first" not in accepted("charioteer") and "first" not in offered("charioteer")
    assert accepted("charioteer", ("first",))[-1] == offered("charioteer", ("first",))[-1] == "first"
    assert forms.set_up("charioteer", "bots", ("first",))["bots"][-1] == "first"
    assert "first" not in forms.set_up("charioteer", "bots")["bots"]


def test_tables_seat_only_the_bots_that_the_host_allows(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.visitor("Anna")
        room = await house.table(anna, "charioteer", "me", "first")
        assert room.seats[1].bot == "first"
        for name in ("fails", CLASS, "table_bots:Fails", "program:cat"):
            with pytest.raises(OptionError, match="there is no bot"):
                await house.lobby.create(anna, Setup("charioteer", [Place("me"), Place("bot", bot=name)]))
        waiting = await house.table(anna, "charioteer", "me", "open")
        for name in ("fails", CLASS):
            with pytest.raises(OptionError, match="there is no bot"):
                await house.lobby.fill(anna, waiting.table.id, name)
        await house.lobby.fill(anna, waiting.table.id, "first")
        assert waiting.seats[1].bot == "first"

    in_house(tmp_path, test, bots=("first",))


def test_it_thinks_in_a_worker_and_its_failures_stop_no_race() -> None:
    race = spina.new("chariot-race", seats=2, seed=1)
    seat = race.to_act[0]

    async def work() -> tuple[str, str]:
        pool = BotPool(1, allowed=("first", "fails"))
        try:
            chosen = await pool.choose(Question.of(race, seat, "first", 5))
            with pytest.raises(BotError, match="a mistake in the bot"):
                await pool.choose(Question.of(race, seat, "fails", 5))
            for name in ("unknown", CLASS, "program:cat"):
                with pytest.raises(BotError, match="there is no bot"):
                    await pool.choose(Question.of(race, seat, name, 5))
            return chosen, await Fallbacks("t").choose(pool.choose, race, seat, "fails", 5)
        finally:
            await pool.close()

    chosen, instead = asyncio.run(work())
    assert chosen == str(race.legal(seat)[0])
    assert race.check(seat, instead) is None


@pytest.mark.parametrize("name", [CLASS, "program:cat"])
def test_a_worker_makes_no_class_or_program_that_a_table_names(name: str) -> None:
    race = spina.new("charioteer", seats=2, seed=1)
    with pytest.raises(OptionError, match="cannot sit at a table"):
        choose(Question.of(race, 0, name, 5))


def test_a_host_can_allow_only_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("unknown", CLASS):
        assert main(["serve", "--port", "0", "--bot", name]) == 2
        assert f'no installed package has a bot "{name}"' in capsys.readouterr().err


def test_a_server_refuses_a_class_from_a_request(tmp_path: Path) -> None:
    with serving(tmp_path / "server", bots=["first"], **FREELY) as server:
        games = server.ask("GET", "/api/games").json
        assert all(game["bots"][-1] == "first" for game in games)
        anna = server.visitor("Anna")
        for name in (CLASS, "fails", "os:system"):
            setup = {"game": "chariot-race", "seats": [{"kind": "me"}, {"kind": "bot", "bot": name}]}
            assert anna.post("/api/check", setup).json["ok"] is False
            refused = anna.post("/api/tables", setup)
            assert refused.status == 422 and "there is no bot" in refused.text
        table = anna.create("chariot-race", "me", "open")
        assert anna.post(f"/api/tables/{table}/fill", {"bot": CLASS}).status == 422
        with anna.open(table) as page:
            for message in ({"type": "fill", "bot": CLASS}, {"type": "back", "seat": 1, "bot": CLASS}):
                page.send(key=new_key(), **message)
                page.hear_of("refused")
        assert anna.see(table)["state"]["status"] == "open"
        assert anna.post(f"/api/tables/{table}/fill", {"bot": "first"}).status == 200
        raced = anna.create("chariot-race", "first", "first")
        version = 0
        while version < 12:
            version = anna.see(raced, after=version, wait=5)["state"]["version"]
        assert "Traceback" not in server.log.read_text()
