"""Questions of servers that have no bot workers, in the database they share with servers that have.

A question carries only what its seat may know (`worker_messages`). It is taken by one server at a time; one that does
not answer in time loses it to another.
"""

from __future__ import annotations

import base64
import secrets

import msgspec
from sqlalchemy import Connection, text

from spina.table.store.databases import NOW
from spina.table.store.journal_store import Store
from spina.table.store.signals import Signal, notify

TAKEN = 90.0
"""Seconds after which a question that was taken and not answered may be taken by another server."""
FORGOTTEN = 300.0
"""Seconds after which a question is deleted: its asker is gone."""


class Waiting(msgspec.Struct, frozen=True):
    """A question that this server has taken."""

    id: str
    table: str
    leisurely: bool
    body: bytes
    address: str | None
    """The address that it is charged to, if that is known."""


class QuestionStore:
    """The questions in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def ask(self, table: str, body: bytes, *, leisurely: bool, address: str | None = None) -> str:
        """Put a question, which is charged to an address. Returns its id."""
        row = {
            "id": secrets.token_hex(12),
            "table": table,
            "leisurely": leisurely,
            "body": base64.b64encode(body).decode(),
            "address": address,
        }

        def work(connection: Connection) -> None:
            connection.execute(text(f"DELETE FROM questions WHERE asked < {NOW} - :old"), {"old": FORGOTTEN})
            connection.execute(
                text(
                    "INSERT INTO questions (id, table_id, leisurely, body, asked, address) "
                    f"VALUES (:id, :table, :leisurely, :body, {NOW}, :address)"
                ),
                row,
            )
            notify(connection, Signal("asked", self._store.server))

        await self._store.write(work)
        return str(row["id"])

    async def take(self, most: int) -> list[Waiting]:
        """Take at most this many questions to answer: those that can wait last, and addresses in turn."""

        def work(connection: Connection) -> list[Waiting]:
            statement = text(
                "WITH turns AS ("
                "  SELECT id, row_number() OVER (PARTITION BY address, leisurely ORDER BY asked) AS turn"
                "  FROM questions WHERE answer IS NULL) "
                f"UPDATE questions SET taken = {NOW} WHERE id IN ("
                "  SELECT q.id FROM questions q JOIN turns USING (id)"
                f"  WHERE q.answer IS NULL AND (q.taken IS NULL OR q.taken < {NOW} - :taken)"
                "  ORDER BY q.leisurely, turns.turn, q.asked LIMIT :most FOR UPDATE OF q SKIP LOCKED) "
                "RETURNING id, table_id, leisurely, body, address"
            )
            found = connection.execute(statement, {"taken": TAKEN, "most": most})
            return [
                Waiting(id, table, leisurely, base64.b64decode(body), address)
                for id, table, leisurely, body, address in found
            ]

        return await self._store.write(work)

    async def answer(self, id: str, answer: bytes) -> None:
        """Store the answer to a question, and tell its asker."""
        row = {"id": id, "answer": base64.b64encode(answer).decode()}

        def work(connection: Connection) -> None:
            connection.execute(text("UPDATE questions SET answer = :answer WHERE id = :id"), row)
            notify(connection, Signal("answered", self._store.server, id))

        await self._store.write(work)

    async def collect(self, id: str) -> bytes | None:
        """The answer to a question, which is deleted then; None if there is none yet."""

        def work(connection: Connection) -> bytes | None:
            statement = text("DELETE FROM questions WHERE id = :id AND answer IS NOT NULL RETURNING answer")
            answer = connection.scalar(statement, {"id": id})
            return None if answer is None else base64.b64decode(answer)

        return await self._store.write(work)

    async def withdraw(self, id: str) -> None:
        """Delete a question whose answer is not wanted any more."""
        await self._store.write(
            lambda connection: connection.execute(text("DELETE FROM questions WHERE id = :id"), {"id": id}) and None
        )
