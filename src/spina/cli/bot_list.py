"""`spina bots`: the bots of a game, with what they are like."""

from __future__ import annotations

import argparse
import textwrap

from spina.cli.arguments import Commands
from spina.games import find, get
from spina.games import names as game_names

WIDTH = 100


def add_commands(commands: Commands) -> None:
    command = commands.add_parser(
        "bots", help="list the bots of a game", description="The levels of a game's bots, from weak to strong, and all "
        "other bots that can be named.",
    )  # fmt: skip
    command.add_argument("game", nargs="?", help="such as charioteer (default: all games)")
    command.set_defaults(run=_bots)


def _bots(args: argparse.Namespace) -> int:
    from spina.web.bot_words import bot_words
    from spina.web.messages import DEFAULT

    for number, name in enumerate([get(args.game).name] if args.game else game_names()):
        game = find(name)
        print("\n" * (number > 0) + game.title)
        for level in game.levels:
            words = bot_words(DEFAULT, name, level)
            said = ". ".join(filter(None, (words.character, words.line)))
            begin = f"  {level:10} {words.name:12} "
            print(textwrap.fill(said, WIDTH, initial_indent=begin, subsequent_indent=" " * len(begin)))
        print(f"  also: {', '.join((*game.drivers, *game.frozen_levels))}")
    return 0
