"""Standard output: a terminal on which a picture is redrawn in place, or a plain stream of lines."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

WIDEST = 100
"""Maximum width of text in columns: longer lines are hard to read."""
COLUMNS = 80
"""Default width of text where standard output is not a terminal."""
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class Screen:
    """Prints a growing story with a picture below it.

    On a terminal that is large enough the picture is redrawn in place, so that the story above it has no gaps.
    Elsewhere stories and pictures are printed one after the other.
    """

    def __init__(self) -> None:
        self.paced = sys.stdout.isatty()
        """Whether to pause between turns: standard output is a terminal."""
        self._movable = self.paced and os.environ.get("TERM") != "dumb"
        self.colour = self._movable and not os.environ.get("NO_COLOR")
        """Whether to use colours: on a terminal, unless NO_COLOR is set."""
        self._picture: list[str] = []  # lines that the next call of `show` replaces
        self._size = shutil.get_terminal_size()

    @property
    def width(self) -> int:
        """Width of text in columns."""
        return min(shutil.get_terminal_size().columns, WIDEST) if self.paced else COLUMNS

    def show(self, story: list[str], picture: str = "") -> None:
        """Print more of the story, and replace the picture."""
        size = shutil.get_terminal_size()
        text = ""
        if self._picture and size == self._size:
            text = f"\x1b[{len(self._picture)}F\x1b[J"
        lines = picture.splitlines()
        self._size, self._picture = size, lines if self._fits(lines) else []
        if lines and not self._picture:
            lines.append("")
        sys.stdout.write(text + "".join(f"{line}\n" for line in [*story, *lines]))
        sys.stdout.flush()

    def has_room(self, story: list[str], picture: str) -> bool:
        """Whether story and picture fit on the terminal together."""
        return not self.paced or len(story) + len(picture.splitlines()) < shutil.get_terminal_size().lines

    def keep(self, lines: list[str]) -> None:
        """Print lines below the picture, which is not replaced afterwards."""
        self._picture = []
        self.show(lines)

    def _fits(self, lines: list[str]) -> bool:
        """Whether a picture can be redrawn in place: it must not wrap or scroll."""
        widest = max((len(_ESCAPES.sub("", line)) for line in lines), default=0)
        return self._movable and len(lines) < self._size.lines and widest <= self._size.columns


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Show a line on standard error while the body runs, if that is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    try:
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()
        yield
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def wait(seconds: float) -> None:
    """Pause for this many seconds."""
    if seconds > 0:
        time.sleep(seconds)
