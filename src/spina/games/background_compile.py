"""Compiling in the background of a plain script that races interpreted.

The first race of a game that is not compiled starts a thread. If the script still runs `PATIENCE` later, a child
process at low priority (`compile_child`) compiles the game, and this process changes over to what is finished.
The child ends with the script; what it has finished stays in the cache, and the next script goes on from there.

The table's server and workers load and compile by themselves, and call `disable`.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from spina import child_process
from spina.kernel import compiler

log = logging.getLogger("spina")

PATIENCE = 1.0
"""Seconds from the first race to the start of the child: a script that ends before has no use for it."""
CHILD = "spina.games.compile_child"

NUMBER_BYTES = 4
"""Size of what the child reports after each entry: how many are left, most significant byte first."""
REPORT_BYTES = child_process.LENGTH_BYTES + NUMBER_BYTES

_enabled = True
_lock = threading.Lock()
_compiling: dict[str, _Compiling] = {}


def disable() -> None:
    """Start no child in this process: something else sees to loading and compiling."""
    global _enabled
    _enabled = False


def is_enabled() -> bool:
    """Whether races in this process load and compile their game when they begin."""
    return _enabled


def begin(game: str, folders: tuple[Path, ...]) -> None:
    """Have the entries in these folders of a game compiled, and use them as soon as they are."""
    with _lock:
        if not _enabled or game in _compiling:
            return
        _compiling[game] = _Compiling(game, folders)
        _compiling[game].start()


class _Compiling(threading.Thread):
    """Waits, then starts the child, and loads what it has finished."""

    def __init__(self, game: str, folders: tuple[Path, ...]) -> None:
        super().__init__(name=f"spina-compile-{game}", daemon=True)
        self.game, self.folders = game, folders
        self.child: subprocess.Popen[bytes] | None = None
        self.closing = threading.Event()
        self.process = os.getpid()
        atexit.register(self.close)

    def run(self) -> None:
        while True:
            if self.closing.wait(PATIENCE) or compiler.load(*self.folders):
                return
            if not compiler.is_compiling(*self.folders):
                break
        with _lock:  # one child at a time is started or ended
            if self.closing.is_set():
                return
            self.child = subprocess.Popen(
                child_process.command(CHILD, self.game),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=child_process.environment(),
            )
        assert self.child.stdout is not None
        while self.child.stdout.read(REPORT_BYTES):
            self.load_finished()
            if compiler.is_compiling(*self.folders):  # the script has come to something that waits: it compiles here
                self.child.kill()
        code = self.child.wait()
        self.load_finished()
        if code and not (self.closing.is_set() or compiler.is_compiling(*self.folders)):
            log.warning("%s stays interpreted: compiling it in the background ended with code %s", self.game, code)

    def load_finished(self) -> None:
        """Change over, folder by folder, to what is in the cache."""
        for folder in self.folders:
            if not self.closing.is_set():
                compiler.load(folder)

    def close(self) -> None:
        """End the child when the script ends. A thread must not be inside LLVM when the process is torn down."""
        if self.process != os.getpid():
            return  # a fork of the script, which has neither the thread nor the child
        self.closing.set()
        with _lock:
            if self.child is not None:
                with suppress(ProcessLookupError):
                    self.child.kill()
                self.child.wait()
        self.join(timeout=10.0)
