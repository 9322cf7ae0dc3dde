"""Answers in JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response

from spina.errors import SpinaError, StoreError
from spina.sentences import Sentence
from spina.table.refusals import Coded, Refusal, say, sentence_code

AWAY = say("table.away")
"""What strangers are told of the database's errors, which may name hosts and users; the log has the rest."""
RETRY_AFTER = 5
"""Seconds after which those should ask again whom the server could not answer."""


class Failure(msgspec.Struct, omit_defaults=True):
    """What went wrong: its kind, and the sentence as a code with parameters; for programs in English too."""

    error: str
    refusal: Coded
    reason: str | None = None


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Something as JSON."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def refusal_of(error: SpinaError) -> Refusal:
    """Any error as a refusal: of the database nothing is told, everything else was wrong with what was asked for."""
    if isinstance(error, Refusal):
        return error
    return Refusal("failed", AWAY) if isinstance(error, StoreError) else Refusal.of("wrong", error)


def from_page(headers: Headers) -> bool:
    """Whether a page asks. It shows a cookie, a program its token; a page is sent no sentence of the server's."""
    return "cookie" in headers and "authorization" not in headers


def refused(refusal: Refusal, headers: Headers) -> Response:
    """A refusal as JSON, for who sent a request with these headers."""
    return failure(refusal.status, refusal.code, refusal.said, headers, refusal.retry)


def failure(status: int, error: str, sentence: Sentence, headers: Headers, retry: int | None = None) -> Response:
    """What went wrong as JSON; `retry`: after how many seconds it may be asked for again, where that is known."""
    reason = None if from_page(headers) else str(sentence)
    return answer(Failure(error, sentence_code(sentence), reason), status, retry_later(status, retry))


def retry_later(status: int, retry: int | None = None) -> dict[str, str]:
    """The headers that tell when to ask again, where that may help."""
    if retry is None and status == 503:
        retry = RETRY_AFTER
    return {} if retry is None else {"retry-after": str(retry)}
