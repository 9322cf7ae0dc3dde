"""The server with seeds that a test decides, so that a faulty race can be raced again, and room for all tests.

A server must never be started like this for people: whoever knows the text knows the dice.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from spina.cli import main
from spina.table import server
from spina.table.live import lobby, starts
from spina.table.settings import Settings

LUCK = "luck.txt"
"""The file in the server's data folder with the text that all seeds and salts are made of."""


ALL_TESTS = 100_000
"""More tables and visitors than the tests of one server have. They all come from one address."""


class Luck:
    """Seeds and salts from the text in a file: after each change of it, the same ones in the same order."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._text, self._drawn = "", 0

    def randbits(self, bits: int) -> int:
        text = self._file.read_text() if self._file.exists() else ""
        if text != self._text:
            self._text, self._drawn = text, 0
        self._drawn += 1
        return int.from_bytes(hashlib.shake_256(f"{self._drawn}:{text}".encode()).digest(32)) >> (256 - bits)

    def token_hex(self, size: int) -> str:
        return f"{self.randbits(8 * size):0{2 * size}x}"


if __name__ == "__main__":
    luck = Luck(Path(os.environ["SPINA_DATA_DIR"]) / LUCK)
    for module in (lobby, starts):
        drawn = SimpleNamespace(randbits=luck.randbits, token_hex=luck.token_hex, choice=secrets.choice)
        module.secrets = drawn  # type: ignore[attr-defined]
    server.Settings = partial(  # type: ignore[assignment, misc]
        Settings, tables_at_once_per_address=ALL_TESTS, visitors_at_once_per_address=ALL_TESTS
    )
    sys.exit(main())
