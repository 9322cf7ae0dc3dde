"""A progress bar for studies on the terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

WIDTH = 24
EVERY = 0.2
"""Seconds between two updates on a terminal."""
PLAIN_EVERY = 30.0
"""Seconds between two lines if standard error is no terminal."""


class Progress:
    """Shows progress as one line on standard error that is rewritten; if that is no terminal, as a line now and then.

    with Progress("races") as bar:
        bar(0, 4000)  # the first call gives what was done before
        bar(25, 4000)

    It can be passed to `executor.run` as `progress`.
    """

    def __init__(self, word: str, stream: TextIO | None = None) -> None:
        self.word = word
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._before: int | None = None
        self._begun = self._said = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Reports progress as done and total."""
        now = time.monotonic()
        first = self._before is None
        if self._before is None:
            self._before, self._begun, self._said = done, now, now
        if now - self._said >= (EVERY if self._live else PLAIN_EVERY) or (first and self._live):
            self._said = now
            line = self.line(done, total, now - self._begun)
            self._write(f"\r{line}\x1b[K" if self._live else f"{line}\n")

    def line(self, done: int, total: int, seconds: float) -> str:
        """The bar with the rate and the time left, as soon as they are known."""
        filled = WIDTH * done // max(1, total)
        text = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {done:,} of {total:,} {self.word}"
        played = done - (self._before or 0)
        if played > 0 and seconds > 0:
            text += f", {_rate(played / seconds)}, {_span((total - done) * seconds / played)} left"
        return text

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live and self._before is not None:
            self._write("\r\x1b[K")


def _rate(by_second: float) -> str:
    """A rate by the second, or by the minute if it is low."""
    if by_second < 1:
        return f"{60 * by_second:.1f} a minute"
    return f"{by_second:,.0f} a second" if by_second >= 10 else f"{by_second:.1f} a second"


def _span(seconds: float) -> str:
    """A duration in few characters."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
