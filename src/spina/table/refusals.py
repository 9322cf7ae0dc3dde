"""What a table refuses to do, and why."""

from __future__ import annotations

from spina.errors import SpinaError

STATUS = {
    "malformed": 400,
    "no-visitor": 401,
    "not-yours": 403,
    "wrong-origin": 403,
    "unknown": 404,
    "full": 409,
    "illegal": 409,
    "no-hints": 409,
    "not-now": 409,
    "not-started": 409,
    "other-rules": 409,
    "over": 409,
    "seated": 409,
    "stale": 409,
    "too-late": 409,
    "used": 410,
    "too-large": 413,
    "unknown-host": 421,
    "wrong": 422,
    "too-fast": 429,
    "too-many": 429,
    "failed": 503,
}
"""Every code of a refusal with its HTTP status, the same for pages and programs."""


class Refusal(SpinaError):
    """Something that a table does not do. `code` is for programs, the text for people.

    `retry`: after how many seconds it may be asked for again, where that is known.
    """

    def __init__(self, code: str, reason: str, *, retry: int | None = None) -> None:
        self.code, self.reason, self.retry = code, reason, retry
        super().__init__(reason)

    @property
    def status(self) -> int:
        return STATUS[self.code]
