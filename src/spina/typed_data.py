"""Types that several threads convert data to.

msgspec builds what it knows of a type when the type is first used. A thread that uses the type while another one still
builds it ends the process with a segmentation fault (seen with msgspec 0.22).
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_ready: set[Any] = set()
_building = threading.Lock()


def ready(kind: type[T]) -> type[T]:
    """The type itself, once msgspec has built all that it needs to know of it. Safe in threads."""
    if kind not in _ready:
        with _building:
            msgspec.json.Decoder(kind)
            _ready.add(kind)
    return kind
