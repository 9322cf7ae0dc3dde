"""Answers in JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response


class Failure(msgspec.Struct):
    """What went wrong: a code for programs and a reason for people."""

    error: str
    reason: str


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Something as JSON."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def failure(status: int, code: str, reason: str) -> Response:
    """What went wrong as JSON."""
    return answer(Failure(code, reason), status)
