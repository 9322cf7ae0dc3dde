"""A counter that several threads share inside a kernel."""

from __future__ import annotations

import threading
from typing import Any

from spina.kernel.compiler import instruction

_lock = threading.Lock()


@instruction
def claim(counter: Any, count: Any) -> Any:
    """Add `count` to the only number of an array, at once for all threads; returns what it was before.

    Compiled callers get one atomic instruction (`kernel/instructions.py`).
    """
    with _lock:
        before = counter[0]
        counter[0] = before + count
    return before
