"""Rate-limited log lines: one per key and interval, with a count of the lines left out."""

from __future__ import annotations

import logging
import threading
import time

INTERVAL = 60.0
"""Seconds between two lines about the same thing."""
MOST_KEYS = 1000


class Repeats:
    """Logs a warning for each key at most once in `interval` seconds. It may be used from any thread."""

    def __init__(self, log: logging.Logger, interval: float | None = None) -> None:
        """`interval` None: INTERVAL, read each time a line is due."""
        self._log, self._interval = log, interval
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[float, int]] = {}
        """For each key, the time of its last line and the number of lines left out since."""

    def warn(self, key: str, message: str) -> bool:
        """Log the message, unless this key was logged less than an interval ago. Returns whether it was logged now."""
        interval = INTERVAL if self._interval is None else self._interval
        now = time.monotonic()
        with self._lock:
            at, left_out = self._seen.pop(key, (-interval, 0))
            if now - at < interval:
                self._seen[key] = (at, left_out + 1)
                return False
            self._seen[key] = (now, 0)
            if len(self._seen) > MOST_KEYS:
                del self._seen[next(iter(self._seen))]
        if left_out:
            message += f" (and {left_out} more since the last such line)"
        self._log.warning("%s", message)
        return True
