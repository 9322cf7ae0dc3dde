"""What a table refuses to do, and why."""

from __future__ import annotations

from spina.errors import SpinaError


class Refusal(SpinaError):
    """Something that a table does not do. `code` is for programs, the text for people."""

    def __init__(self, code: str, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)
