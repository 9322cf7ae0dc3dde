"""`spina clip`: a saved race, or a part of it, as an animated picture."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from spina import clips
from spina import replay as saving
from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.clips.film import FPS, WIDTH
from spina.errors import OptionError
from spina.games.driver_names import charioteers

EVERY = 0.2
"""Seconds between two reports of the progress."""


def add_commands(commands: Commands) -> None:
    command = commands.add_parser(
        "clip",
        help="a saved race as an animated picture",
        description="Draw a saved race, or some of its turns, as an animated GIF, as spectators saw it.",
    )
    command.add_argument("file", type=Path, help="a saved race")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="the clip (default: the race's name, .gif)")
    command.add_argument("--from", dest="first", type=arguments.positive, metavar="TURN", help="the first turn shown")
    command.add_argument("--to", dest="last", type=arguments.positive, metavar="TURN", help="the last turn shown")
    command.add_argument("--fps", type=arguments.positive, default=FPS, metavar="N", help=f"frames a second ({FPS})")
    command.add_argument("--size", type=arguments.positive, default=WIDTH, metavar="PIXELS", help=f"width ({WIDTH})")
    command.set_defaults(run=_clip)


def _clip(args: argparse.Namespace) -> int:
    path: Path = args.output or args.file.with_suffix(".gif")
    if path.suffix.lower() != ".gif":
        raise OptionError(f"a clip is an animated GIF: its name must end in .gif, not {path.suffix or 'nothing'}")
    if args.first is not None and args.last is not None and args.first > args.last:
        raise OptionError(f"--from {args.first} comes after --to {args.last}")
    arguments.check_writable(path)
    saved = saving.read(args.file)
    reported = 0.0

    def report(frames: int) -> None:
        nonlocal reported
        if sys.stderr.isatty() and time.monotonic() - reported > EVERY:
            reported = time.monotonic()
            sys.stderr.write(f"\r{frames} frames …\x1b[K")
            sys.stderr.flush()

    clip = clips.make_clip(
        saving.replaying(saved), charioteers(saved.seats), first=args.first, last=args.last,
        fps=args.fps, width=args.size, progress=report,
    )  # fmt: skip
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    path.write_bytes(clip.data)
    print(f"{path}: {clip.seconds:.0f} seconds, {clip.frames} frames, {len(clip.data) / 1e6:.1f} MB")
    return 0
