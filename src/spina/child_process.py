"""Child processes that run a module of Spina beside this one, and end with it."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import BinaryIO

NICENESS = 5
"""Niceness of the child processes, so that the process that a person waits for has priority."""
OWN_GROUP = 0
"""Argument `process_group` of a child that Ctrl+C in a terminal does not reach. Not a session of its own: Linux shares
the processors between sessions first, whatever the niceness of their processes (`sched_autogroup_enabled`)."""
LENGTH_BYTES = 4
"""Size of the length prefix of a message."""


def command(module: str, *arguments: str) -> tuple[str, ...]:
    """The command line that runs a module of Spina. It never imports from the current folder."""
    return (sys.executable, "-P", "-m", module, *arguments)


def environment() -> dict[str, str]:
    """The environment in which a child finds the same Spina."""
    source = str(Path(__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))}


def framed(message: bytes) -> bytes:
    """A message with a length prefix."""
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


# --- in the child ---------------------------------------------------------------------------------------------------


def stand_back() -> BinaryIO:
    """Lower the priority of this child process, and return the stream that its parent reads.

    Standard output is redirected to standard error, so that prints cannot be taken for messages.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    speak = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return speak


def hear() -> bytes | None:
    """The next message from the parent; None when it has closed the pipe."""
    head = _read(LENGTH_BYTES)
    return None if head is None else _read(int.from_bytes(head, "big"))


def _read(count: int) -> bytes | None:
    # Not through sys.stdin: a thread blocked in it keeps the interpreter from exiting.
    read = b""
    while len(read) < count:
        part = os.read(0, count - len(read))
        if not part:
            return None
        read += part
    return read


def end_with_parent() -> None:
    """End this process as soon as its parent has ended."""

    def watch() -> None:
        _read(1)
        os._exit(0)

    threading.Thread(target=watch, name="spina-parent", daemon=True).start()
