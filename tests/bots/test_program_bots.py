"""Bots that are programs of their own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import spina
from spina.bots import ProgramBot, ProgramError, make
from spina.errors import OptionError
from spina.games import get

EXAMPLE = Path(__file__).parents[2] / "examples" / "program_bot.py"
PYTHON = f"{sys.executable} -I"


def program(tmp_path: Path, body: str) -> str:
    """A program that greets, and then does as it is told for every question."""
    path = tmp_path / "program.py"
    path.write_text(
        "import json, sys, time\n"
        "def say(it): print(it if isinstance(it, str) else json.dumps(it), flush=True)\n"
        "for line in sys.stdin:\n"
        "    question = json.loads(line)\n"
        "    if question['type'] == 'hello': say({'type': 'ready'}); continue\n"
        "    if question['type'] == 'end': break\n" + "".join(f"    {line}\n" for line in body.splitlines())
    )
    return f"{PYTHON} {path}"


@pytest.mark.parametrize("game", ["charioteer", "chariot-race", "chariotmaster"])
def test_the_example_races_to_the_end_and_again(game: str) -> None:
    hashes = set()
    for _ in range(2):
        race = spina.new(game, seats=2, seed=4)
        bots = [make(f"program:{PYTHON} {EXAMPLE}", game=game, seed=1), make("random", game=game, seed=2)]
        while not race.over:
            race.play(race.to_act[0], bots[race.to_act[0]].choose(race, race.to_act[0]))
        bots[0].close()
        hashes.add(race.hash())
    assert len(hashes) == 1


def test_a_wrong_answer_is_explained_and_asked_again(tmp_path: Path) -> None:
    body = (
        "if question['type'] == 'choose': legal = question['legal']; say({'action': 'fly'})\n"
        "else: print(question['reason'], file=sys.stderr); say({'action': legal[0]})"
    )
    race = spina.new("charioteer", seed=1)
    with ProgramBot(get("charioteer"), program(tmp_path, body)) as bot:
        assert bot.choose(race, 0) in race.legal(0)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("say({'action': 'fly'})", "3 answers that cannot be used"),
        ("say('no json')", "not a line of JSON"),
        ("say([1])", "an object is needed"),
        ("say({'move': 1})", "an answer looks like"),
        ("sys.exit(7)", "ended by itself .exit code 7"),
        ("time.sleep(30)", "did not answer within 0.5 seconds"),
    ],
)
def test_a_program_that_fails_is_named_with_what_it_did(tmp_path: Path, body: str, said: str) -> None:
    race = spina.new("charioteer", seed=1)
    before = race.hash()
    with (
        ProgramBot(get("charioteer"), program(tmp_path, body), patience=0.5 if "sleep" in body else 20.0) as bot,
        pytest.raises(ProgramError, match=said),
    ):
        bot.choose(race, 0)
    assert race.hash() == before


def test_a_program_that_cannot_be_started_or_does_not_greet(tmp_path: Path) -> None:
    race = spina.new("charioteer", seed=1)
    with pytest.raises(ProgramError, match="cannot be started"):
        make("program:/nowhere/bot", game="charioteer").choose(race, 0)
    with pytest.raises(ProgramError, match=r"did not answer .hello."):
        make(f"program:{PYTHON} -c \"input(); print('[]')\"", game="charioteer").choose(race, 0)
    with pytest.raises(OptionError, match="needs its command"):
        make("program:", game="charioteer")
    with pytest.raises(OptionError, match="cannot be read"):
        make('program:python "bot', game="charioteer")


def test_a_program_is_told_only_what_its_seat_may_know(tmp_path: Path) -> None:
    race = spina.new("charioteer", seats=3, seed=8)
    heard = []
    for deal in range(2):
        other = race.determinized(1, deal)
        out = tmp_path / f"heard-{deal}"
        body = f"open({str(out)!r}, 'w').write(line)\nsay({{'action': question['legal'][0]}})"
        with ProgramBot(get("charioteer"), program(tmp_path, body), seed=1) as bot:
            bot.choose(other, 1)
        heard.append(out.read_text())
    assert heard[0] == heard[1]
