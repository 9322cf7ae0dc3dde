"""The request and the table that log lines are about, for each task.

The id of a table is not written to structured logs: who knows it can watch the table, if a link is enough for that.
Lines carry a digest of it instead, which tells tables apart and can be computed from a known id:
`printf %s ID | b2sum | cut -c1-10`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from contextvars import ContextVar

DIGEST_LENGTH = 10
"""Hexadecimal digits of a table's digest."""
REQUEST_ID_BYTES = 8

_TABLE = re.compile(r"/(?:t|api/tables)/([a-z0-9]{8,32})(?=/|$)")
"""The paths that name a table."""
_ACCEPTED = re.compile(r"[A-Za-z0-9-]{1,64}")
"""The form of a request id that is accepted from a trusted proxy."""

_request: ContextVar[str] = ContextVar("log_request", default="")
_table: ContextVar[str] = ContextVar("log_table", default="")


def begin_request(request_id: str, path: str) -> None:
    """Let this task's lines be about a request, and about the table that its path names."""
    found = _TABLE.match(path)
    _request.set(request_id)
    _table.set(found[1] if found else "")


def begin_work_on(table_id: str) -> None:
    """Let this task's lines be about a table and no request. Tasks inherit the request that happened to start them."""
    _request.set("")
    _table.set(table_id)


def request() -> str:
    """The id of the request that this task answers; empty if it answers none."""
    return _request.get()


def table() -> str:
    """The digest of the table that this task works on; empty if it works on none."""
    found = _table.get()
    return digest(found) if found else ""


def without_table_id(text: str) -> str:
    """A text with the digest of this task's table in place of its id."""
    found = _table.get()
    return text.replace(found, digest(found)) if found else text


def digest(table_id: str) -> str:
    """The name of a table in structured logs: the first digits of its BLAKE2b hash."""
    return hashlib.blake2b(table_id.encode()).hexdigest()[:DIGEST_LENGTH]


def new_request_id() -> str:
    return secrets.token_hex(REQUEST_ID_BYTES)


def accepted_request_id(text: str) -> str | None:
    """A request id that a trusted proxy sent, unless it contains more than letters, digits and hyphens."""
    return text if _ACCEPTED.fullmatch(text) else None
