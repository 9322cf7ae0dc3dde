"""Ctrl-C on the command line: the process ends without a traceback, at any time.

Python turns SIGINT into a KeyboardInterrupt wherever the program is: in the middle of an import, in a destructor, while
the interpreter shuts down. The command line handles the exception only while a command runs; before and after, the
signal has the system's default action, which ends the process at once and silently. Importing Spina as a library
changes nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

COMMANDS = ("spina", "spina.exe", "spina-script.py")
"""File names of the installed command."""


def is_command() -> bool:
    """Whether this process was started as `spina` or `python -m spina`."""
    program = sys.argv[0] if sys.argv else ""
    if program == "-m":  # what Python has there while it imports the package of the module that it will run
        return "spina" in sys.orig_argv
    return os.path.basename(program) in COMMANDS


def end_silently() -> None:
    """Give Ctrl-C the system's default action, unless the process ignores it (as one in the background does)."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) not in (
        signal.SIG_IGN,
        None,
    ):
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def as_exceptions() -> Iterator[None]:
    """Have Ctrl-C raise KeyboardInterrupt while a command runs, and end the process silently afterwards.

    Python prints and forgets an exception in a destructor or a callback. A KeyboardInterrupt in one is raised again.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = sys.unraisablehook

    def again(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
        else:
            before(unraisable)

    sys.unraisablehook = again
    try:
        yield
    finally:
        end_silently()
        sys.unraisablehook = before


@contextmanager
def deferred() -> Iterator[None]:
    """Hold Ctrl-C back until the block has ended; only the main thread can, in others nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def note(*_: object) -> None:
        nonlocal pressed
        pressed = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Have SIGTERM raise KeyboardInterrupt as well, in a command that saves what it has when it is stopped."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


if is_command():
    end_silently()
