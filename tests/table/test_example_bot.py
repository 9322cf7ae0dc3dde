"""The example client takes a seat at a real server and races to the end."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving_helpers import Server, race_on

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


@contextlib.contextmanager
def bot(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-I", str(BOT), *arguments, "--seed", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_it_races_to_the_end(server: Server, game: str) -> None:
    anna = server.visitor("Anna")
    table = anna.create(game, "me", "open")
    address = f"http://127.0.0.1:{server.port}"
    if game == "charioteer":  # by a link to a seat
        link = anna.post(f"/api/tables/{table}/links", {"kind": "seat", "seat": 1}).json["path"]
        started = bot(address + link)
    else:
        started = bot(address, "--table", table)
    with started as process:
        end = race_on(anna, table, 0, against=process)
        said, _ = process.communicate(timeout=60)
    assert end["status"] == "over"
    assert process.returncode == 0, said
    assert "sitting on seat 1" in said and "the race is over: place" in said
    assert anna.see(table)["state"]["seats"][1]["name"] == "Example bot"


def test_it_says_what_is_wrong(server: Server) -> None:
    with bot(f"http://127.0.0.1:{server.port}", "--table", "nowhere") as process:
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "there is no table" in said and "Traceback" not in said
