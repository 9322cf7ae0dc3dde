"""`spina join`: a program takes a seat at a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from serving_helpers import Server, race_on

PROGRAM = f"{sys.executable} -I {Path(__file__).parents[2] / 'examples' / 'program_bot.py'}"


def join(address: str, program: str = PROGRAM) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "spina", "join", address, "--program", program, "--name", "Machine"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("game", ["charioteer", "chariot-race"])
def test_a_program_races_to_the_end(server: Server, game: str) -> None:
    anna = server.visitor("Anna")
    table = anna.create(game, "me", "open")
    address = f"http://127.0.0.1:{server.port}"
    link = f"/t/{table}"
    if game == "charioteer":
        link = anna.post(f"/api/tables/{table}/links", {"kind": "seat", "seat": 1}).json["path"]
    with join(address + link) as process:
        try:
            end = race_on(anna, table, 0, against=process)
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert end["status"] == "over"
    assert process.returncode == 0, said
    assert "Sitting on seat 1" in said and "The race is over: place" in said
    assert anna.see(table)["state"]["seats"][1]["name"] == "Machine"


@pytest.mark.parametrize(
    ("address", "program", "said"),
    [
        ("127.0.0.1", PROGRAM, "begins with http://"),
        ("http://127.0.0.1:{port}/t/nowhere", PROGRAM, "there is no table"),
        ("http://127.0.0.1:{port}/", PROGRAM, "say which table"),
        ("http://127.0.0.1:{port}/t/nowhere", "", "needs its command"),
    ],
)
def test_it_says_what_is_wrong(server: Server, address: str, program: str, said: str) -> None:
    with join(address.format(port=server.port), program) as process:
        words, _ = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said in words and "Traceback" not in words
