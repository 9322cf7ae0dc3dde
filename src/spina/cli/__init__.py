"""The command line: `spina`, one module for each group of commands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from spina import __version__, interrupts
from spina.cli import arguments, bot_list, clip, edition, join, lab, serve, simulate, watch
from spina.errors import EditionError, SpinaError
from spina.games import find
from spina.games import names as game_names

PROBLEM = 2
"""Exit code for invalid input, the same as argparse uses for invalid arguments."""
INTERRUPTED = 130
PIPE_CLOSED = 141
"""Exit codes that shells use for a process ended by SIGINT and by SIGPIPE."""

DESCRIPTION = "Chariot-racing board games. Without a command: race in the browser, on this machine."

WELCOME = """\
Spina {version}: chariot-racing board games.

  spina                            race in the browser, alone or with friends
  spina serve                      keep a table open for a club
  spina verify                     replay all races of the table's database
  spina join LINK --program CMD    let a program of yours take a seat at a table
  spina watch charioteer           a race between bots, in the terminal
  spina watch charioteer --seats competent,longest,random --seed 7
  spina replay race.json           a saved race once more
  spina clip race.json -o race.gif a saved race as an animated picture
  spina simulate charioteer        many races at once: who wins how often
  spina lab arena charioteer --bots competent,longest    compare bots
  spina board charioteer           the board as a picture (SVG)
  spina edition new charioteer     a file to fill in from your printed copy
  spina edition check my.toml      what is wrong with it
{examples}  spina games                      the games
  spina bots charioteer            its bots, and how each of them races

`spina COMMAND --help` explains a command. In Python, begin with `import spina`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name. Returns the exit code.

    Without arguments it is the process's own command line, and Ctrl-C is handled until the process has ended.
    """
    if argv is not None:
        return _run(argv)
    with interrupts.as_exceptions():
        try:
            return _run(sys.argv[1:])
        except KeyboardInterrupt:  # a second Ctrl-C while the first is handled
            return INTERRUPTED


def _run(argv: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # characters that the terminal's encoding lacks are shown as "?"
    try:
        words = sys.argv[1:] if argv is None else argv
        parsed = _parser(words).parse_args(words)
        code: int = parsed.run(parsed)
        sys.stdout.flush()
        return code
    except SpinaError as error:
        print(f"spina: {_line(error)}", file=sys.stderr)
        return PROBLEM
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser for these arguments."""
    parser = argparse.ArgumentParser(prog="spina", description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"spina {__version__}")
    serve.add_main(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    serve.add_commands(commands)
    join.add_commands(commands)
    watch.add_commands(commands)
    clip.add_commands(commands)
    simulate.add_commands(commands)
    lab.add_commands(commands)
    edition.add_commands(commands)
    bot_list.add_commands(commands)
    games = commands.add_parser("games", help="list the games", description="List the games.")
    games.set_defaults(run=_games)
    overview = commands.add_parser("commands", help="what one can do, with examples", description="List the commands.")
    overview.set_defaults(run=_overview)
    if next((word for word in words if not word.startswith("-")), None) not in commands.choices:
        _add_commands_of_games(commands)
    return parser


def _add_commands_of_games(commands: arguments.Commands) -> None:
    """Add the games' own commands. This loads every game, so it is done only if the arguments may name one of them."""
    for name in game_names():
        for add in find(name).commands:
            add(commands)


def _overview(_: argparse.Namespace) -> int:
    examples = {words: what for name in game_names() for words, what in find(name).command_examples.items()}
    lines = "".join(f"  spina {words:26} {what}\n" for words, what in examples.items())
    print(WELCOME.format(version=__version__, examples=lines), end="")
    return 0


def _games(_: argparse.Namespace) -> int:
    longest = max(map(len, game_names()))
    for name in game_names():
        print(f"{name:{longest}}  {find(name).summary}")
    return 0


def _line(error: SpinaError) -> str:
    """An error as one line. For an edition with several problems: the first."""
    text = str(error)
    if isinstance(error, EditionError) and len(error.problems) > 1:
        more = len(error.problems) - 1
        text = f"{text.splitlines()[0]} (and {more} more: `spina edition check` lists them)"
    return " ".join(text.splitlines())


def _forget_output() -> None:
    """Redirect standard output to the null device, so that the flush at exit does not fail on a closed pipe again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
