"""`spina track`: files with tracks for Chariotmaster."""

from __future__ import annotations

import argparse
from pathlib import Path

from spina.errors import EditionError, SpinaError
from spina.games.chariotmaster.components.edition import load, track_template
from spina.games.chariotmaster.components.scenarios import summary
from spina.games.command_line import MISTAKES, Commands, check_writable, write
from spina.games.game import Game


def add_commands(commands: Commands, game: Game) -> None:
    """Adds `spina track`; the game draws the pictures."""
    track = commands.add_parser(
        "track",
        help="tracks of your own for Chariotmaster: write one, check one, draw one",
        description="Files with tracks for Chariotmaster: write one to change, check one, draw one.",
    )
    actions = track.add_subparsers(title="commands", metavar="COMMAND", required=True)
    check = actions.add_parser(
        "check",
        help="what is wrong with a track, or what it comes to",
        description="Say what is wrong with the tracks in a file, or what they come to.",
    )
    check.add_argument("file", type=Path, help="a track file, or an edition of Chariotmaster")
    check.set_defaults(run=_check)
    fresh = actions.add_parser(
        "new", help="a commented track to change", description="Write a track with comments, to change."
    )
    fresh.add_argument("file", type=Path, help="the file to write")
    fresh.add_argument("--force", action="store_true", help="overwrite the file")
    fresh.set_defaults(run=_new)
    picture = actions.add_parser(
        "picture", help="a track as a picture", description="Write a track from a file as SVG."
    )
    picture.add_argument("file", type=Path, help="a track file, or an edition of Chariotmaster")
    picture.add_argument("--scenario", metavar="NAME", help="which track of the file; left out: the first")
    picture.add_argument("-o", "--output", type=Path, metavar="FILE", help="instead of standard output")
    picture.set_defaults(run=_picture, game=game)


def _check(args: argparse.Namespace) -> int:
    try:
        edition = load(args.file)
    except EditionError as error:
        print(error)
        return MISTAKES
    print(f"{args.file}: OK")
    for scenario in edition.scenarios:
        for line in summary(scenario):
            print(f"  {line}")
    return 0


def _new(args: argparse.Namespace) -> int:
    if args.file.exists() and not args.force:
        raise SpinaError(f"{args.file} exists already: choose another name, or overwrite it with --force")
    write(args.file, track_template())
    print(f"Written to {args.file}. Change it, then: spina track check {args.file}")
    return 0


def _picture(args: argparse.Namespace) -> int:
    check_writable(args.output)
    picture = args.game.board(load(args.file), args.scenario)
    if args.output is None:
        print(picture)
    else:
        write(args.output, picture)
        print(f"Picture: {args.output}")
    return 0
