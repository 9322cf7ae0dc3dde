"""Bots that are Python classes of other packages: how they are found, and that they see only what their seat sees."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import spina
from spina.bots import Bot, ClassBot, class_bot, installed, isolated, make
from spina.cli import main
from spina.errors import OptionError
from spina.games.game import Action, Game
from spina.race import Race

MODULE = """
from spina.bots import Bot, Search

class First(Bot):
    def choose(self, race, seat):
        return race.legal(seat)[0]

class Notation(Bot):
    def choose(self, race, seat):
        return str(race.legal(seat)[0])

class Explains(Search):
    def __init__(self, game, seed=None):
        super().__init__(game, iterations=8, seed=seed)

class WithoutGame(Bot):
    def __init__(self):
        pass
    def choose(self, race, seat):
        return race.legal(seat)[0]

class WithoutInit(Bot):
    def __init__(self, game, seed=None):
        pass
    def choose(self, race, seat):
        return race.legal(seat)[0]

class NotABot:
    pass

number = 7
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package with bots, one of them registered as an entry point."""
    (tmp_path / "some_bots.py").write_text(MODULE)
    info = tmp_path / "some_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[spina.bots]\nfirst = some_bots:First\nbroken = some_bots:Nobody\n")
    monkeypatch.syspath_prepend(tmp_path)
    class_bot._entry_points.cache_clear()
    yield
    class_bot._entry_points.cache_clear()


@pytest.mark.parametrize("name", ["first", "some_bots:First", "some_bots:Notation"])
def test_a_class_is_named_like_any_bot(package: None, name: str) -> None:
    race = spina.new("charioteer", seats=2, seed=3)
    bot = make(name, game="charioteer", seed=1)
    assert bot.name == name and name in repr(bot)
    assert bot.choose(race, 0) == race.legal(0)[0]
    assert "first" in installed() and "first" not in spina.bots.names("charioteer")


def test_a_class_may_explain_itself(package: None) -> None:
    race = spina.new("charioteer", seats=2, seed=3)
    advice = make("some_bots:Explains", game="charioteer", seed=1).advise(race, 0, 2)
    assert race.check(0, advice.candidates[0].action) is None
    with pytest.raises(OptionError, match="does not say what it thinks"):
        make("some_bots:First", game="charioteer").advise(race, 0)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_such_package:Bot", 'the bot "no_such_package:Bot" cannot be imported'),
        ("some_bots:Nobody", "the module some_bots has no class Nobody"),
        ("broken", "the module some_bots has no class Nobody"),
        ("some_bots:NotABot", "must be a class derived from spina.bots.Bot"),
        ("some_bots:number", "must be a class derived from spina.bots.Bot"),
        ("some_bots:WithoutGame", "cannot be made with a game and a seed"),
        ("some_bots:WithoutInit", "must call super"),
        ("os.system:echo hello", 'there is no bot "os.system:echo hello"'),
        ("some_bots:", 'there is no bot "some_bots:"'),
    ],
)
def test_what_is_no_bot_is_refused(package: None, name: str, said: str) -> None:
    with pytest.raises(OptionError, match=said.replace("(", r"\(")):
        make(name, game="charioteer")


class Spy(Bot):
    """Keeps what it is given."""

    name = "spy"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        super().__init__(game, seed)
        self.seen: list[Race] = []

    def choose(self, race: Race, seat: int) -> Action:
        self.seen.append(race)
        return race.legal(seat)[0]


def test_a_class_sees_only_what_its_seat_sees() -> None:
    race = spina.new("charioteer", seats=3, seed=3)
    chance = random.Random(1)
    while race.turn < 3:
        seat = chance.choice(race.to_act)
        race.play(seat, chance.choice(race.legal(seat)))
    while 0 not in race.to_act or race.choosing(0):
        seat = race.to_act[0]
        race.play(seat, race.legal(seat)[0])
    while race.to_act != (0,):  # the others choose in secret
        seat = next(each for each in race.to_act if each != 0)
        race.play(seat, race.legal(seat)[0])
    before = race.hash()
    spy = Spy(race.game, 1)
    bot = ClassBot(spy, seed=5)
    for _ in range(8):
        bot.choose(race, 0)
    assert race.hash() == before
    for seen in spy.seen:
        assert seen is not race and seen.hash() != before
        assert seen.view(0)["hand"] == race.view(0)["hand"]
        assert seen.log == () and seen.origin == 0 and not any(seen.told(seat) for seat in range(3))
    for rival in (1, 2):
        hands = {str(seen.view(rival)["hand"]) for seen in spy.seen}
        assert len(hands) > 1, "the hands of rivals are random"
    assert len({seen.chance for seen in spy.seen}) == 8, "the dice to come are random"
    again = Spy(race.game, 1)
    other = ClassBot(again, seed=5)
    for _ in range(8):
        other.choose(race, 0)
    assert [seen.hash() for seen in again.seen] == [seen.hash() for seen in spy.seen]
    spy.seen[0].play(0, spy.seen[0].legal(0)[0])  # it may try things out
    assert race.hash() == before


def test_a_class_sees_the_steps_of_its_own_choice() -> None:
    race = spina.new("charioteer", seats=2, seed=3)
    race.play(0, race.legal(0)[0])
    race.play(1, race.legal(1)[0])
    assert race.choosing(0) and race.choosing(1)
    spy = Spy(race.game)
    ClassBot(spy, seed=5).choose(race, 0)
    assert spy.seen[0].choosing(0) == race.choosing(0) and spy.seen[0].choosing(1) == ()
    assert spy.seen[0].legal(0) == race.legal(0)


def test_bots_of_spina_are_not_wrapped() -> None:
    own = make("competent", game="charioteer")
    assert isolated(own) is own
    spy = Spy(own.game)
    assert isinstance(isolated(spy), ClassBot)


def test_classes_race_in_an_arena(package: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "arena.parquet")
    command = ["lab", "arena", "chariot-race", "--bots", "some_bots:First,random", "--seats", "2", "--races", "4"]
    assert main([*command, "--out", out, "--processes", "1"]) == 0
    assert "some_bots:First" in capsys.readouterr().out
