"""Records for the tests of the store, with everything filled in that a test does not speak of."""

from __future__ import annotations

from typing import Any

from spina.table.store.records import Entry, Link, Said, Seat, Table, Visitor


def a_table(id: str = "roma", **values: Any) -> Table:
    given: dict[str, Any] = {
        "game": "charioteer",
        "rules": 1,
        "seats": 2,
        "options": {},
        "edition": "0123456789abcdef",
        "seed": 7,
        "salt": "5a17",
        "commitment": "c0de",
        "host": "gaius",
        "created": 100.0,
    }
    return Table(id=id, **{**given, **values})


def some_seats(table: str = "roma", *visitors: str | None) -> list[Seat]:
    return [
        Seat(table=table, seat=seat, kind="person" if visitor else "open", visitor=visitor, name=visitor or "")
        for seat, visitor in enumerate(visitors or (None, None))
    ]


def an_entry(version: int, table: str = "roma", **values: Any) -> Entry:
    given: dict[str, Any] = {"kind": "play", "seat": 0, "actions": ["red-5"], "at": 200.0 + version}
    return Entry(table=table, version=version, **{**given, **values})


def a_visitor(id: str = "gaius", **values: Any) -> Visitor:
    given: dict[str, Any] = {"token_hash": f"hash of {id}", "name": id, "colour": 3, "created": 1.0, "seen": 2.0}
    return Visitor(id=id, **{**given, **values})


def a_line(text: str, table: str = "roma", **values: Any) -> Said:
    given: dict[str, Any] = {"number": 0, "visitor": "gaius", "name": "Gaius", "at": 300.0}
    return Said(table=table, text=text, **{**given, **values})


def a_link(secret_hash: str = "secret", **values: Any) -> Link:
    given: dict[str, Any] = {"kind": "seat", "table": "roma", "seat": 1, "created": 50.0}
    return Link(secret_hash=secret_hash, **{**given, **values})
