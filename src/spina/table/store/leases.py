"""Leases: which server thinks for a table, of those that share a PostgreSQL database.

Bots' choices, clocks and stand-ins of a table are the work of one server, the holder of the table's lease. Each server
renews one row of its own (`servers`), and a lease is valid while its holder's row has not expired: renewing costs one
small write a server, however many tables it holds. A holder that was only slow can do no harm, since the journal takes
each version once.

Times are those of the database server, so that clocks of servers need not agree.
"""

from __future__ import annotations

import os
import socket
from typing import Any

import msgspec
from sqlalchemy import Connection, text

from spina.table.store.databases import NOW
from spina.table.store.journal_store import Store
from spina.table.store.migrations import MIGRATIONS
from spina.table.store.signals import Signal, notify

SECONDS = 5.0
"""Time after which a server that has not renewed its row counts as gone."""
FORGOTTEN = 3600.0
"""Seconds after which the row of a server that is gone is deleted."""

_WORK = """
    t.lesson IS FALSE AND (t.status = 'running' OR (t.status = 'open'
        AND EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.away)))
"""
"""Tables with work for a holder: running races, and rematches that wait to be accepted. Lessons need no holder."""


class Standing(msgspec.Struct, frozen=True):
    """How a server stands among the others."""

    thinkers: int
    """Number of servers that think, this one included if it does."""
    leases: int
    """Number of leases of all of them."""
    free: int
    """Number of tables whose lease is free; 0 for a server that takes none."""
    expired: bool
    """Whether this server's row had expired: others may have taken its leases."""


class Leases:
    """The leases of one server."""

    def __init__(self, store: Store, *, thinks: bool, url: str | None = None) -> None:
        """`thinks`: whether this server takes leases. `url`: its public address."""
        self._store, self._thinks, self._url = store, thinks, url
        self.me = store.server

    async def enter(self) -> None:
        """Register this server."""
        row = {
            "id": self.me,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "url": self._url,
            "thinks": self._thinks,
            "schema": len(MIGRATIONS),
            "seconds": SECONDS,
        }

        def work(connection: Connection) -> None:
            connection.execute(text(f"DELETE FROM servers WHERE expires < {NOW} - :old"), {"old": FORGOTTEN})
            connection.execute(
                text(
                    "INSERT INTO servers (id, host, pid, url, thinks, schema, since, expires, load) "
                    f"VALUES (:id, :host, :pid, :url, :thinks, :schema, {NOW}, {NOW} + :seconds, 0) "
                    f"ON CONFLICT (id) DO UPDATE SET expires = {NOW} + :seconds"
                ),
                row,
            )

        await self._store.write(work)

    async def renew(self, load: int) -> Standing:
        """Renew this server's row. `load`: number of leases that it holds."""

        def work(connection: Connection) -> Standing:
            values = {"me": self.me, "seconds": SECONDS, "load": load}
            late = connection.scalar(text(f"SELECT expires < {NOW} FROM servers WHERE id = :me FOR UPDATE"), values)
            connection.execute(
                text(f"UPDATE servers SET expires = {NOW} + :seconds, load = :load WHERE id = :me"), values
            )
            thinkers, leases = connection.execute(
                text(f"SELECT count(*), coalesce(sum(load), 0) FROM servers WHERE thinks AND expires > {NOW}")
            ).one()
            free = connection.scalar(_FREE) if self._thinks else 0
            return Standing(int(thinkers), int(leases), int(free or 0), late is None or bool(late))

        return await self._store.write(work)

    async def take(self, most: int) -> list[str]:
        """Take the leases of at most this many tables that no living server holds. Returns their ids."""

        def work(connection: Connection) -> list[str]:
            statement = text(
                "WITH found AS ("
                f"  SELECT t.id FROM tables t WHERE {_WORK} AND {_unheld('t.id')}"
                "  ORDER BY t.created LIMIT :most FOR UPDATE OF t SKIP LOCKED) "
                "INSERT INTO leases (table_id, holder) SELECT id, :me FROM found "
                "ON CONFLICT (table_id) DO UPDATE SET holder = excluded.holder "
                f"WHERE {_unheld('leases.table_id')} RETURNING table_id"
            )
            return [str(row[0]) for row in connection.execute(statement, {"me": self.me, "most": most})]

        return await self._store.write(work)

    async def held(self) -> set[str]:
        """The tables whose lease this server holds."""

        def work(connection: Connection) -> set[str]:
            query = text("SELECT table_id FROM leases WHERE holder = :me")
            return {str(row[0]) for row in connection.execute(query, {"me": self.me})}

        return await self._store.write(work)

    async def release(self, tables: list[str]) -> None:
        """Give leases back, and tell the others that they are free."""

        def work(connection: Connection) -> None:
            values: dict[str, Any] = {"me": self.me, "tables": tables}
            connection.execute(text("DELETE FROM leases WHERE holder = :me AND table_id = ANY(:tables)"), values)
            notify(connection, Signal("free", self.me))

        await self._store.write(work)

    async def leave(self) -> None:
        """Give all leases back and remove this server's row."""

        def work(connection: Connection) -> None:
            connection.execute(text("DELETE FROM leases WHERE holder = :me"), {"me": self.me})
            connection.execute(text("DELETE FROM servers WHERE id = :me"), {"me": self.me})
            notify(connection, Signal("free", self.me))

        await self._store.write(work)


def _unheld(table: str) -> str:
    """SQL: no living server holds the lease of this table."""
    return (
        "NOT EXISTS (SELECT 1 FROM leases l JOIN servers h ON h.id = l.holder "
        f"WHERE l.table_id = {table} AND h.expires > {NOW})"
    )


_FREE = text(f"SELECT count(*) FROM tables t WHERE {_WORK} AND {_unheld('t.id')}")
