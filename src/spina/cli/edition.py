"""`spina edition` and `spina board`: component files and the board they make."""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from pathlib import Path

from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.errors import EditionError, SpinaError
from spina.games import find
from spina.games import names as game_names
from spina.games.command_line import MISTAKES
from spina.games.editions import SOURCES, Edition, Lines, Sheet, listed, quoted, read_text, shown
from spina.games.game import Game
from spina.race import find_edition


def add_commands(commands: Commands) -> None:
    edition = commands.add_parser(
        "edition",
        help="component files: write one, check one",
        description="Component files (editions): write one to fill in from a printed game, check one.",
    )
    actions = edition.add_subparsers(title="commands", metavar="COMMAND", required=True)
    check = actions.add_parser("check", help="what is wrong with a file", description="Say what is wrong with a file.")
    check.add_argument("file", type=Path, help="an edition file")
    check.set_defaults(run=_check)
    fresh = actions.add_parser(
        "new",
        help="a commented file to fill in",
        description="Write the reference edition with its comments, to fill in from a printed game.",
    )
    fresh.add_argument("game", help="such as charioteer")
    fresh.add_argument("--output", type=Path, metavar="FILE", help="instead of standard output")
    fresh.add_argument("--force", action="store_true", help="overwrite the file")
    fresh.set_defaults(run=_new)
    board = commands.add_parser("board", help="the board as a picture", description="Write the empty board as SVG.")
    board.add_argument("game", help="such as charioteer")
    board.add_argument("--edition", metavar="FILE", help="components of your own")
    board.add_argument("--scenario", metavar="NAME", help="which track, where a game has several, such as trial")
    board.add_argument("--output", type=Path, metavar="FILE", help="instead of standard output")
    board.set_defaults(run=_board)


def _check(args: argparse.Namespace) -> int:
    name = str(args.file)
    try:
        text = read_text(args.file)
        game = _game_of(text, name)
        edition = game.parse_edition(text, name)
    except EditionError as error:
        print(error)
        return MISTAKES
    print(f"{name}: OK")
    for line in _summary(game, edition):
        print(f"  {line}")
    return 0


def _game_of(text: str, name: str) -> Game:
    """The game that an edition file says it is for. Raises EditionError."""
    Sheet(text, name)  # raises for invalid TOML, and for files that are too large to parse
    written = tomllib.loads(text).get("game")
    known = listed([quoted(game) for game in game_names()])
    if written is None:
        raise EditionError(name, [(1, f"game is missing: write game = ... at the top; the games are {known}")])
    if written not in game_names():
        raise EditionError(name, [(Lines(text).of("game"), f"game is {shown(written)}: the games are {known}")])
    return find(written)


def _summary(game: Game, edition: Edition) -> list[str]:
    sources = Counter(edition.provenance.values())
    known = ", ".join(f"{sources[source]} {source}" for source in SOURCES if sources[source])
    lines = [
        f'"{edition.name}", an edition of {game.title}',
        game.components(edition),
        f"{sources.total()} values: {known}",
    ]
    if edition.hash == game.reference().hash:
        lines.append("The components are those of the reference edition.")
    return lines


def _new(args: argparse.Namespace) -> int:
    text = find(args.game).reference().text
    if args.output is None:
        print(text, end="")
        return 0
    if args.output.exists() and not args.force:
        raise SpinaError(f"{args.output} exists already: choose another name, or overwrite it with --force")
    arguments.write(args.output, text)
    print(f"Written to {args.output}. Fill it in, then: spina edition check {args.output}")
    return 0


def _board(args: argparse.Namespace) -> int:
    game = find(args.game)
    picture = game.board(find_edition(game, args.edition), args.scenario)
    if args.output is None:
        print(picture)
    else:
        arguments.write(args.output, picture)
        print(f"Picture: {args.output}")
    return 0
