"""The levels of bots in words: a name, a character and a line in every language, in lists, pages and the API."""

from __future__ import annotations

import pytest

import spina
from spina.cli import main
from spina.games import find
from spina.web.bot_words import bot_words
from spina.web.messages import messages

GAMES = ("charioteer", "chariot-race", "chariotmaster")


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_each_level_has_a_name_a_character_and_a_line_of_its_own(game: str, language: str) -> None:
    found = [bot_words(language, game, level) for level in find(game).levels]
    for said in found:
        for level, words in ((one.bot, (one.name, one.character, one.line)) for one in found):
            assert all(words), (level, words)
        assert len(said.name) <= 12 and len(said.character) <= 26 and len(said.line) <= 120, said
    for part in ("name", "character", "line"):
        assert len({getattr(one, part) for one in found}) == len(found)
    assert set(messages().areas(language)[f"{game}.bots"]) == {
        f"bot.{game}.{level}{part}" for level in find(game).levels for part in ("", ".character", ".line")
    }


def test_the_words_are_in_the_asked_language() -> None:
    english, spanish = (bot_words(language, "charioteer", "easy") for language in ("en", "es"))
    assert english.name == spanish.name and english.line != spanish.line


def test_a_bot_without_words_of_its_own_has_those_that_all_games_share_or_its_name() -> None:
    assert bot_words("en", "a-game", "easy").name == messages().text("en", "bot.easy")
    assert bot_words("en", "a-game", "easy").line == messages().text("en", "bot.easy.line")
    assert bot_words("en", "charioteer", "my-bot").name == "my-bot"
    assert bot_words("en", "charioteer", "my-bot").line == bot_words("en", "charioteer", "my-bot").character == ""


def test_the_command_lists_every_bot_with_what_it_is_like(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "chariot-race"]) == 0
    out = capsys.readouterr().out
    assert all(len(line) <= 100 for line in out.splitlines())
    said = " ".join(out.split())
    for level in find("chariot-race").levels:
        words = bot_words("en", "chariot-race", level)
        assert f"{level} {words.name} {words.character}. {words.line}" in said
    assert "also: random, fastest, careful, headlong, steady, competent, keen, learned, expert-1" in out
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    assert all(find(name).title in out for name in spina.game_names())
    assert main(["bots", "ludo"]) == 2
