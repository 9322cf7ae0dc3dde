"""Files that only one process may write at a time."""

from __future__ import annotations

import os
import sys
import time

BEYOND = 1 << 40
"""Offset of the byte that Windows locks: beyond all data, because a lock there also keeps readers out."""
LOOK_AGAIN = 0.1
"""Seconds between two attempts to get a lock."""

if sys.platform == "win32":
    import msvcrt

    def lock(file: int) -> bool:
        """Lock an open file until it is closed. False if another process has it."""
        os.lseek(file, BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def lock(file: int) -> bool:
        """Lock an open file until it is closed. False if another process has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def wait_for_lock(file: int) -> None:
    """Lock an open file until it is closed, as soon as no other process has it."""
    while not lock(file):
        time.sleep(LOOK_AGAIN)
