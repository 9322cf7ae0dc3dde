"""Commands that games add to the command line, and when the games are asked for them."""

from __future__ import annotations

import pytest

from spina import cli
from spina.games import find, names


def test_games_are_asked_only_where_one_of_their_commands_may_be_meant() -> None:
    own = cli._parser(["watch", "charioteer"]).format_help()
    every = cli._parser(["track", "check"]).format_help()
    assert "track" not in own
    assert "track" in every
    assert "track" in cli._parser(["--help"]).format_help()


def test_examples_of_their_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["commands"]) == 0
    said = capsys.readouterr().out
    for name in names():
        for words, what in find(name).command_examples.items():
            assert f"spina {words}" in said and what in said
    assert "spina track new my-track.toml    a track of your own for Chariotmaster" in said
