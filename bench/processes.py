"""The processes of this machine, as /proc shows them: what each uses, and its family. And a free port for a server."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def cpu_seconds(process: int) -> float:
    """CPU time of a process with its threads so far, without its children; 0 if it has ended."""
    with contextlib.suppress(OSError):
        numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(int(ticks) for ticks in numbers[11:13]) / _TICKS
    return 0.0


def memory(process: int) -> float:
    """Megabytes that a process holds."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ValueError(f"there is no process {process}")


class Process(NamedTuple):
    """A process, as /proc shows it."""

    parent: int
    session: int
    seconds: float
    """CPU time so far."""
    name: str
    """The command line, or what the process calls itself."""


def family(root: int) -> dict[int, Process]:
    """The process `root`, all that descend from it, and those of its session, whose parents may have died.

    Zombies are left out.
    """
    every = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            stat = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            name = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            if stat[0] != "Z":
                seconds = (int(stat[11]) + int(stat[12])) / _TICKS
                every[int(folder.name)] = Process(int(stat[1]), int(stat[3]), seconds, name)
    found = {number: one for number, one in every.items() if number == root or one.session == root}
    while more := {number: one for number, one in every.items() if number not in found and one.parent in found}:
        found |= more
    return found


def kill(numbers: Iterable[int]) -> None:
    """Kills processes; those that have ended already are left out."""
    for number in numbers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
