"""`spina join`: connect a program to a seat at a table."""

from __future__ import annotations

import argparse

from spina.cli.arguments import Commands


def add_commands(commands: Commands) -> None:
    join = commands.add_parser(
        "join",
        help="let a program of yours take a seat at a table",
        description="Take a seat at a table, here or elsewhere, and let a program choose. docs/programs.md says how.",
    )
    join.add_argument("address", help="of the table (…/t/ID), or a link to a seat (…/l/SECRET)")
    join.add_argument("--program", required=True, metavar="COMMAND", help='such as "python my_bot.py"')
    join.add_argument("--name", default="Program", help="what it is called at the table")
    join.set_defaults(run=_join)


def _join(args: argparse.Namespace) -> int:
    from spina.bots.program_bot import Program
    from spina.table.client import Guest

    guest, program = Guest(args.address), Program(args.program)
    table, seat = guest.sit(args.name)
    print(f"Sitting on seat {seat} of table {table}.", flush=True)
    try:
        end = guest.race(table, seat, program)
    finally:
        program.close()
    if end["view"] and end["view"]["over"]:
        place = 1 + next(place for place, seats in enumerate(end["view"]["ranking"]) if seat in seats)
        print(f"The race is over: place {place} of {len(end['seats'])}.")
    else:
        print("The table was left before the end.")
    return 0
