"""Answers in JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response

from spina.errors import SpinaError, StoreError
from spina.table.refusals import Refusal

AWAY = "the database does not answer: ask again in a moment"
"""What strangers are told of the database's errors, which may name hosts and users; the log has the rest."""
RETRY_AFTER = 5
"""Seconds after which those should ask again whom the server could not answer."""


class Failure(msgspec.Struct):
    """What went wrong: a code for programs and a reason for people."""

    error: str
    reason: str


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Something as JSON."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def refusal_of(error: SpinaError) -> Refusal:
    """Any error as a refusal: of the database nothing is told, everything else was wrong with what was asked for."""
    if isinstance(error, Refusal):
        return error
    return Refusal("failed", AWAY) if isinstance(error, StoreError) else Refusal("wrong", str(error))


def refused(refusal: Refusal) -> Response:
    """A refusal as JSON."""
    return failure(refusal.status, refusal.code, refusal.reason, refusal.retry)


def failure(status: int, code: str, reason: str, retry: int | None = None) -> Response:
    """What went wrong as JSON; `retry`: after how many seconds it may be asked for again, where that is known."""
    return answer(Failure(code, reason), status, retry_later(status, retry))


def retry_later(status: int, retry: int | None = None) -> dict[str, str]:
    """The headers that tell when to ask again, where that may help."""
    if retry is None and status == 503:
        retry = RETRY_AFTER
    return {} if retry is None else {"retry-after": str(retry)}
