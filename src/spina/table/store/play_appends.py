"""Appending choices of many tables by one statement, which is a transaction by itself. For PostgreSQL.

Nearly all writes are choices that change nothing but their table's journal, version and turn. In a transaction of
several statements each of them waits for an answer of the database; one statement appends all of a batch and signals
them to the other servers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from spina.table.store.signals import CHANNEL, Signal, notifications

SETTINGS = (
    "enable_seqscan = off",
    "enable_hashjoin = off",
    "enable_mergejoin = off",
    "plan_cache_mode = force_generic_plan",
)
"""The statement is planned once and finds each table by its key, however few tables there were at that time."""

_APPEND = f"""
WITH given AS (
    SELECT * FROM json_to_recordset(%(rows)s::json) AS rows (
        table_id text, version bigint, kind text, seat integer, actions text, key text, hash text, at double precision,
        turn integer, signal text, part integer
    )
), changed AS (
    UPDATE tables SET version = given.version, turn = given.turn
    FROM given WHERE tables.id = given.table_id AND tables.version = given.version - 1
    RETURNING tables.id
), kept AS (
    INSERT INTO journal (table_id, version, kind, seat, actions, key, hash, at)
    SELECT given.table_id, given.version, kind, seat, actions, key, hash, at
    FROM changed JOIN given ON given.table_id = changed.id
    RETURNING table_id
)
SELECT string_agg(given.table_id, ' '), pg_notify('{CHANNEL}', '[' || string_agg(signal, ',') || ']')
FROM kept JOIN given ON given.table_id = kept.table_id
GROUP BY part
"""


class PlayRow(msgspec.Struct, frozen=True):
    """A choice to append: the row of its entry, the turn of the race after it, and the signal for other servers."""

    line: dict[str, Any]
    turn: int
    signal: Signal

    @property
    def table(self) -> str:
        return str(self.line["table_id"])


def prepare(connection: Connection) -> None:
    """Prepare a connection, which commits each statement by itself, for `append`."""
    for setting in SETTINGS:
        connection.exec_driver_sql(f"SET {setting}")


def append(connection: Connection, plays: Sequence[PlayRow]) -> set[str] | None:
    """Append choices of different tables. Returns the tables whose journals stood at the version before.

    None, if one of the journals has its choice's key already: then nothing was appended.
    """
    # Rows are locked in the same order by all servers, so that none waits for one that waits for it.
    ordered = sorted(plays, key=lambda play: play.table)
    rows, at = [], 0
    for part, together in enumerate(notifications([play.signal for play in ordered])):
        for signal in together:
            play = ordered[at]
            rows.append({**play.line, "turn": play.turn, "signal": signal.decode(), "part": part})
            at += 1
    try:
        found = connection.exec_driver_sql(_APPEND, {"rows": msgspec.json.encode(rows).decode()}).all()
    except IntegrityError:
        return None
    return {table for row in found for table in row[0].split()}
