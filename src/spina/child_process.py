"""Child processes that run a module of Spina beside this one, and end with it."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

NICENESS = 5
"""Niceness of the child processes, so that the process that a person waits for has priority."""
LENGTH_BYTES = 4
"""Size of the length prefix of a message."""


def command(module: str, *arguments: str) -> tuple[str, ...]:
    """The command line that runs a module of Spina. It never imports from the current folder."""
    return (sys.executable, "-P", "-m", module, *arguments)


def environment() -> dict[str, str]:
    """The environment in which a child finds the same Spina."""
    source = str(Path(__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))}


def set_niceness(process: int, niceness: int) -> None:
    """Set the niceness of a process and, on Linux, of its session. It may take a second.

    Linux shares the processors between sessions before it looks at the niceness of their processes (autogroups), and
    accepts ten changes a second.
    """
    if not hasattr(os, "setpriority"):
        return
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, niceness)
    for _ in range(10):
        try:
            Path(f"/proc/{process}/autogroup").write_text(str(niceness))
        except BlockingIOError:
            time.sleep(0.11)
            continue
        except OSError:  # not on this system, or the process has ended
            pass
        return


def framed(message: bytes) -> bytes:
    """A message with a length prefix."""
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


# --- in the child ---------------------------------------------------------------------------------------------------


def stand_back() -> BinaryIO:
    """Lower the priority of this child process, and return the stream that its parent reads.

    Standard output is redirected to standard error, so that prints cannot be taken for messages.
    """
    if hasattr(os, "getpriority"):
        set_niceness(os.getpid(), max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))  # its parent may have set more
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
