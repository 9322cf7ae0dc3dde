"""Child processes for work that would block the event loop. They end with the server."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import spina

NICENESS = 5
"""Niceness of the child processes, so that the server itself has priority."""
LENGTH_BYTES = 4
LARGEST = 16 * 1024 * 1024
"""Maximum size in bytes of a message between the server and a child."""
_PARTING = 1.0
"""Seconds that a child has to end after its pipe was closed, before it is killed."""


async def start(module: str, *arguments: str) -> Process:
    """Run a module of Spina in a new process, with a pipe to it and one from it.

    It inherits no open files, so that a port is free again as soon as the server has ended. It has its own session, so
    that Ctrl+C in a terminal reaches the server only. It never imports from the current folder.
    """
    source = str(Path(spina.__file__).parents[1])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *arguments),
        stdin=PIPE,
        stdout=PIPE,
        close_fds=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )


async def end(process: Process, *, at_once: bool = False) -> None:
    """End a child: close its pipe, then kill it."""
    if process.stdin is not None:
        process.stdin.close()
    if not at_once:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(process.wait(), _PARTING)
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    await process.wait()


def framed(message: bytes) -> bytes:
    """A message with a length prefix."""
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


async def receive(reader: asyncio.StreamReader) -> bytes:
    """The next message from a child. Raises EOFError when it has ended."""
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    if length > LARGEST:
        raise EOFError("a message that no child sends")
    return await reader.readexactly(length)


# --- in the child ---------------------------------------------------------------------------------------------------


def stand_back() -> BinaryIO:
    """Lower the priority of this child process, and return the stream that the server reads.

    Standard output is redirected to standard error, so that prints cannot be taken for messages.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    speak = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return speak


def hear() -> bytes | None:
    """The next message from the server; None when it has closed the pipe."""
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
    """End this process as soon as the server has ended."""

    def watch() -> None:
        _read(1)
        os._exit(0)

    threading.Thread(target=watch, name="spina-parent", daemon=True).start()
