"""Child processes for work that would block the event loop. They end with the server."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from spina.child_process import (
    LENGTH_BYTES,
    NICENESS,
    command,
    end_with_parent,
    environment,
    framed,
    hear,
    set_niceness,
    stand_back,
)

__all__ = [
    "LARGEST",
    "NICENESS",
    "end",
    "end_with_parent",
    "framed",
    "hear",
    "receive",
    "set_niceness",
    "stand_back",
    "start",
]

LARGEST = 16 * 1024 * 1024
"""Maximum size in bytes of a message between the server and a child."""
_PARTING = 1.0
"""Seconds that a child has to end after its pipe was closed, before it is killed."""


async def start(module: str, *arguments: str) -> Process:
    """Run a module of Spina in a new process, with a pipe to it and one from it.

    It inherits no open files, so that a port is free again as soon as the server has ended. It has its own session,
    so that Ctrl+C in a terminal reaches the server only. It never imports from the current folder.
    """
    return await asyncio.create_subprocess_exec(
        *command(module, *arguments),
        stdin=PIPE,
        stdout=PIPE,
        close_fds=True,
        start_new_session=True,
        env=environment(),
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


async def receive(reader: asyncio.StreamReader) -> bytes:
    """The next message from a child. Raises EOFError when it has ended."""
    length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
    if length > LARGEST:
        raise EOFError("a message that no child sends")
    return await reader.readexactly(length)
