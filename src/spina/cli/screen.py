"""Standard output as somebody looks at it: a terminal whose picture can be drawn anew, or a stream of lines."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

WIDEST = 100
"""Most columns of text: longer lines are hard to read."""
COLUMNS = 80
"""Of text where nobody can tell how many there are."""
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class Screen:
    """A story that grows, and below it a picture that always stands last.

    On a terminal that is large enough the picture is replaced in its place, so that the story above it can be
    read without gaps; elsewhere story and pictures follow each other.
    """

    def __init__(self) -> None:
        self.paced = sys.stdout.isatty()
        """Whether somebody looks on, and wants time between turns."""
        self._movable = self.paced and os.environ.get("TERM") != "dumb"
        self.colour = self._movable and not os.environ.get("NO_COLOR")
        """Colours are for terminals, and not for those who set NO_COLOR."""
        self._picture: list[str] = []  # that is to be replaced
        self._size = shutil.get_terminal_size()

    @property
    def width(self) -> int:
        """Columns for text."""
        return min(shutil.get_terminal_size().columns, WIDEST) if self.paced else COLUMNS

    def show(self, story: list[str], picture: str = "") -> None:
        """Add to the story, and replace the picture."""
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
        """Whether both can be seen at the same time."""
        return not self.paced or len(story) + len(picture.splitlines()) < shutil.get_terminal_size().lines

    def keep(self, lines: list[str]) -> None:
        """Write below the picture, which stays where it is."""
        self._picture = []
        self.show(lines)

    def _fits(self, lines: list[str]) -> bool:
        """Whether a picture can be found again in its place."""
        widest = max((len(_ESCAPES.sub("", line)) for line in lines), default=0)
        return self._movable and len(lines) < self._size.lines and widest <= self._size.columns


@contextmanager
def progress(text: str) -> Iterator[None]:
    """One line on a terminal's standard error, while something takes its time."""
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
    """Let people look."""
    if seconds > 0:
        time.sleep(seconds)
