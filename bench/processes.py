"""What a process uses, and a free port for a server."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

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
