"""The database schema for queries, and conversion between records and rows.

`migrations.py` creates the tables; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, MetaData, RowMapping, Text
from sqlalchemy import Table as SqlTable

from spina.errors import StoreError
from spina.table.store.records import Entry, Link, Said, Seat, StartedClock, Table, Visitor

R = TypeVar("R", bound=msgspec.Struct)

metadata = MetaData()

meta = SqlTable(
    "meta",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

visitors = SqlTable(
    "visitors",
    metadata,
    Column("id", Text, primary_key=True),
    Column("token_hash", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("colour", Integer, nullable=False),
    Column("language", Text),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),
)

tables = SqlTable(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("edition_text", Text),
    Column("seed", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("clock", Integer),
    Column("watching", Text, nullable=False),
    Column("first", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("ended", Double),
    Column("version", BigInteger, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("ranking", Text),
    Column("rematch", Text),
    Column("hints", Boolean, nullable=False),
    Column("start", Text),
    Column("lesson", Boolean, nullable=False),
)

seats = SqlTable(
    "seats",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("visitor", Text),
    Column("name", Text, nullable=False),
    Column("bot", Text),
    Column("away", Boolean, nullable=False),
    Column("colour", Integer),
    Column("left_by", Text),
)

journal = SqlTable(
    "journal",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("actions", Text, nullable=False),
    Column("key", Text),
    Column("hash", Text),
    Column("at", Double, nullable=False),
)

chat = SqlTable(
    "chat",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("visitor", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("seat", Integer),
    Column("text", Text, nullable=False),
    Column("key", Text),
    Column("at", Double, nullable=False),
)

links = SqlTable(
    "links",
    metadata,
    Column("secret_hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("table_id", Text),
    Column("seat", Integer),
    Column("visitor", Text),
    Column("created", Double, nullable=False),
    Column("used", Double),
)

servers = SqlTable(
    "servers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("url", Text),
    Column("thinks", Boolean, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("since", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Column("load", Integer, nullable=False),
)

leases = SqlTable(
    "leases",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("holder", Text, nullable=False),
)

clocks = SqlTable(
    "clocks",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("starts", Double, nullable=False),
)

questions = SqlTable(
    "questions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("leisurely", Boolean, nullable=False),
    Column("body", Text, nullable=False),
    Column("asked", Double, nullable=False),
    Column("taken", Double),
    Column("answer", Text),
    Column("address", Text),
)

_JSON = {"options", "ranking", "actions", "start"}
"""Columns that contain JSON as text."""
_KINDS: dict[type[msgspec.Struct], SqlTable] = {
    Visitor: visitors,
    Table: tables,
    Seat: seats,
    Entry: journal,
    Said: chat,
    Link: links,
    StartedClock: clocks,
}


def to_row(values: msgspec.Struct | Mapping[str, Any]) -> dict[str, Any]:
    """A record, or some of its fields by name, as the columns of a row."""
    if isinstance(values, msgspec.Struct):
        values = {name: getattr(values, name) for name in values.__struct_fields__}
    return {_column(name): _kept(name, value) for name, value in values.items()}


def from_row(kind: type[R], row: RowMapping) -> R:
    """A row as a record."""
    return kind(**{name: _read(name, row[_column(name)]) for name in kind.__struct_fields__})


def sql_table(kind: type[msgspec.Struct]) -> SqlTable:
    """The SQL table of this type of record."""
    return _KINDS[kind]


def _column(name: str) -> str:
    # TABLE is a reserved word of SQL.
    return "table_id" if name == "table" else name


def _kept(name: str, value: Any) -> Any:
    if name in _JSON and value is not None:
        value = msgspec.json.encode(value).decode()
    elif name == "seed":
        # Seeds have up to 256 bits, the largest integers of both databases 64.
        value = str(value)
    if isinstance(value, str):
        _check_text(name, value)
    return value


def _check_text(name: str, text: str) -> None:
    """Refuse NUL characters, which PostgreSQL does not store, and lone surrogates, which have no encoding."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise StoreError(f"{name}: this text cannot be kept, it has no UTF-8 encoding") from None
    if "\0" in text:
        raise StoreError(f"{name}: a text with a zero character in it cannot be kept")


def _read(name: str, value: Any) -> Any:
    if name in _JSON and value is not None:
        return msgspec.json.decode(value)
    return int(value) if name == "seed" else value
