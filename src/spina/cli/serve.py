"""`spina` itself, `spina serve` and `spina verify`: the table in the browser."""

from __future__ import annotations

import argparse
import asyncio
import logging

from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.errors import SpinaError

DIFFERENT = 1
"""Exit code of `spina verify` when the replay of a race differs from the database."""
NOT_SERVED = 2
"""Exit code of `spina serve --log json` when the server cannot start, the same as without that option."""
DATABASE = "where races are kept: sqlite:////path/file.db or postgresql://… (default: a file in your data folder)"


def add_main(parser: argparse.ArgumentParser) -> None:
    """Add the options of `spina` without a command, which serves a table on this machine."""
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.add_argument("--port", type=port, metavar="N", help="the port of the page (default: a free one from 8000)")
    parser.set_defaults(run=_play)


def add_commands(commands: Commands) -> None:
    serve = commands.add_parser(
        "serve",
        help="keep a table open for others",
        description="Keep a table open for others. docs/hosting.md says how to run it for a club.",
    )
    serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="to listen on (default: loopback only)")
    serve.add_argument("--port", dest="at", type=port, default=8000, metavar="N", help="to listen on (default: 8000)")
    serve.add_argument("--database", metavar="URL", help=DATABASE)
    serve.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="address under which people come, such as https://races.example; may be given more than once",
    )
    serve.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="of a proxy on another machine, which is believed when it says whom it speaks for",
    )
    serve.add_argument(
        "--workers",
        type=arguments.natural,
        metavar="N",
        help="processes in which bots think; 0, with PostgreSQL: other servers or `spina think` think for this one",
    )
    serve.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="NAME",
        help="a bot of an installed package that may sit at tables (docs/bots.md); may be given more than once",
    )
    serve.add_argument(
        "--network",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="of this machine, which a click on a page may open the table to (default: those in private networks)",
    )
    serve.add_argument(
        "--metrics",
        metavar="ADDRESS:PORT",
        help="to serve metrics and health checks on for other machines (default: on the port of the table, to this"
        " machine only)",
    )
    serve.add_argument(
        "--drain",
        type=arguments.delay,
        default=0.0,
        metavar="SECONDS",
        help="to go on serving after SIGTERM, while /readyz sends a load balancer elsewhere (default: 0)",
    )
    serve.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="form of the log: text (default), or a JSON object a line",
    )
    serve.set_defaults(run=_serve)
    think = commands.add_parser(
        "think",
        help="think for the bots of other servers",
        description="Run bots and clocks for servers that share a PostgreSQL database. People cannot reach it.",
    )
    think.add_argument("--database", metavar="URL", required=True, help="that the servers share: postgresql://…")
    think.add_argument("--workers", type=arguments.positive, metavar="N", help="processes in which bots think")
    think.add_argument(
        "--bot", action="append", default=[], metavar="NAME", help="a bot of an installed package, as for the servers"
    )
    think.add_argument(
        "--metrics", metavar="ADDRESS:PORT", help="to serve metrics and health checks on (default: none)"
    )
    think.set_defaults(run=_think)
    verify = commands.add_parser(
        "verify",
        help="replay all races of a database",
        description="Play every race of a database again, and report the first difference of each.",
    )
    verify.add_argument("--database", metavar="URL", help=DATABASE)
    verify.set_defaults(run=_verify)


def port(text: str) -> int:
    """An argument type: a port, or 0 for any free port."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _say(line: str) -> None:
    print(line, flush=True)


def _play(args: argparse.Namespace) -> int:
    from spina.table.server import can_show, serve  # imported late: the server's packages are slow to import

    opens, shows = not args.no_browser, can_show()
    serve(port=args.port, open_browser=opens and shows, ask_to_open=opens and not shows, join=True, say=_say)
    return 0


def _serve(args: argparse.Namespace) -> int:
    from spina.table.server import serve

    try:
        serve(
            args.host,
            args.at,
            args.database,
            workers=args.workers,
            origins=args.origin,
            proxies=args.proxy,
            bots=args.bot,
            network=args.network,
            metrics=args.metrics,
            drain=args.drain,
            json_logs=args.log == "json",
            say=_say,
        )
    except SpinaError as error:
        if args.log != "json":
            raise
        logging.getLogger("spina.table").critical("%s", error)
        return NOT_SERVED
    return 0


def _think(args: argparse.Namespace) -> int:
    from spina.table.server import think

    think(args.database, workers=args.workers, bots=args.bot, metrics=args.metrics, say=_say)
    return 0


def _verify(args: argparse.Namespace) -> int:
    from spina.table.settings import default_database
    from spina.table.store.journal_store import Store
    from spina.table.store.verification import verify

    store = asyncio.run(Store.open(args.database or default_database()))
    try:
        verified = verify(store, lambda finding: _say(str(finding)))
    finally:
        asyncio.run(store.close())
    different = len(verified.differences)
    unknown = len(verified.findings) - different
    notes = [_count(different, "differs", "differ") if different else "no differences"]
    if unknown:
        notes.append(f"{unknown} cannot be replayed by this version")
    races, actions = _count(verified.races, "race", "races"), _count(verified.actions, "action", "actions")
    print(f"{races}, {actions}: {', '.join(notes)}")
    return DIFFERENT if different else 0


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
