"""JSON responses."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response

from spina.errors import SpinaError, StoreError
from spina.sentences import Sentence
from spina.table.refusals import Coded, Refusal, say, sentence_code

AWAY = say("table.away")
"""The reply to errors of the database. Their own text may name hosts and users, so it goes to the log only."""
RETRY_AFTER = 5
"""Default of the Retry-After header of a 503, in seconds."""


class Failure(msgspec.Struct, omit_defaults=True):
    """An error: its kind, and its sentence as a code with parameters; for programs in English too."""

    error: str
    refusal: Coded
    reason: str | None = None


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def refusal_of(error: SpinaError) -> Refusal:
    """Any error as a refusal: errors of the database without details, all others as invalid requests."""
    if isinstance(error, Refusal):
        return error
    return Refusal("failed", AWAY) if isinstance(error, StoreError) else Refusal.of("wrong", error)


def from_page(headers: Headers) -> bool:
    """Whether a page sent the request: it has a cookie and no token. Pages are sent codes without English sentences."""
    return "cookie" in headers and "authorization" not in headers


def refused(refusal: Refusal, headers: Headers) -> Response:
    """A refusal as JSON. `headers` are those of the request."""
    return failure(refusal.status, refusal.code, refusal.said, headers, refusal.retry)


def failure(status: int, error: str, sentence: Sentence, headers: Headers, retry: int | None = None) -> Response:
    """An error as JSON; `retry`: seconds for the Retry-After header, where they are known."""
    reason = None if from_page(headers) else str(sentence)
    return answer(Failure(error, sentence_code(sentence), reason), status, retry_later(status, retry))


def retry_later(status: int, retry: int | None = None) -> dict[str, str]:
    """The Retry-After header, where a retry may help."""
    if retry is None and status == 503:
        retry = RETRY_AFTER
    return {} if retry is None else {"retry-after": str(retry)}
