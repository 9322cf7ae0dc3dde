"""Ctrl-C shows no traceback: in every kind of command, while it is still importing, and while it compiles."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import spina
from spina import simulation

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals and pseudo-terminals")]

SOURCES = Path(spina.__file__).parents[1]
PATIENCE = 120.0
CTRL_C = b"\x03"
PROGRAM = f"{sys.executable} -I {Path(__file__).parents[1] / 'examples' / 'program_bot.py'}"


class Terminal:
    """A command on a terminal, in the foreground, as a person starts it."""

    def __init__(self, command: list[str], folder: Path, **environment: str) -> None:
        import fcntl
        import pty
        import termios

        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": str(SOURCES),
                "SPINA_DATA_DIR": str(folder),
                "TERM": "xterm",
                **environment,
            },
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C is for the terminal's foreground group
        )
        os.close(theirs)
        self.text = ""

    def read_until(self, wanted: str) -> None:
        """Read until the command has written `wanted`."""
        until = time.monotonic() + PATIENCE
        while wanted not in self.text:
            assert self._read(until - time.monotonic()), self.text

    def press_ctrl_c(self) -> None:
        os.write(self._ours, CTRL_C)

    def read_to_the_end(self) -> int:
        """Read until the command has ended. Returns its exit code, negative for a signal."""
        until = time.monotonic() + PATIENCE
        while self._read(until - time.monotonic()):
            pass
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0.0, seconds))
        assert ready, f"silent for too long after: {self.text}"
        try:
            part = os.read(self._ours, 65536)
        except OSError:  # every process has closed the terminal
            return False
        self.text += part.decode(errors="replace")
        return bool(part)


@contextmanager
def terminal(command: list[str], folder: Path, **environment: str) -> Iterator[Terminal]:
    opened = Terminal(command, folder, **environment)
    try:
        yield opened
    finally:
        opened.close()


def module(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "spina", *arguments]


ARENA = ["lab", "arena", "charioteer", "--bots"]
COMMANDS = {
    "play": (["--no-browser", "--port", "0"], "http://", 0),
    "serve": (["serve", "--port", "0"], "http://", 0),
    "watch": (["watch", "charioteer", "--delay", "60"], "lap", 130),
    "simulate": (["simulate", "charioteer", "--races", "100000000"], "races …", 130),
    "arena": ([*ARENA, "competent,longest", "--races", "900000"], "races", 130),
    "programs": (
        ["lab", "arena", "charioteer", "--bots", f"program:{PROGRAM},longest", "--races", "9000"],
        "races",
        130,
    ),
    "balance": (["lab", "balance", "charioteer", "--races", "1000000"], " of ", 130),
    "join": (["join", "http://127.0.0.1:9/t/table", "--program", "cat"], "cannot be reached", 130),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_traceback_while_a_command_works(name: str, tmp_path: Path) -> None:
    arguments, first, code = COMMANDS[name]
    with terminal(module(*arguments), tmp_path) as window:
        window.read_until(first)
        window.press_ctrl_c()
        assert window.read_to_the_end() == code, window.text
        assert "Traceback" not in window.text and "Exception" not in window.text


@pytest.mark.parametrize("twice", [False, True])
def test_no_traceback_while_verifying(twice: bool, tmp_path: Path) -> None:
    """The database does not answer, so `spina verify` waits."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://spina@127.0.0.1:{silent.getsockname()[1]}/spina?connect_timeout=2"
        with terminal(module("verify", "--database", url), tmp_path) as window:
            silent.settimeout(PATIENCE)
            connection, _ = silent.accept()
            with connection:
                window.press_ctrl_c()
                if twice:
                    window.press_ctrl_c()
                code = window.read_to_the_end()
    assert code in (130, -signal.SIGINT), window.text
    assert "Traceback" not in window.text


INSTALLED = "import sys\nfrom spina.cli import main\nsys.exit(main())\n"
"""What pip writes as the command `spina`."""


@pytest.mark.parametrize("kind", ["module", "installed"])
def test_no_traceback_while_importing(kind: str, tmp_path: Path) -> None:
    """Here the import of NumPy never ends."""
    slow = tmp_path / "slow"
    (slow / "numpy").mkdir(parents=True)
    (slow / "numpy" / "__init__.py").write_text("import time\nprint('importing', flush=True)\ntime.sleep(3600)\n")
    script = tmp_path / "spina"
    script.write_text(INSTALLED)
    command = module("games") if kind == "module" else [sys.executable, str(script), "games"]
    with terminal(command, tmp_path, PYTHONPATH=f"{slow}{os.pathsep}{SOURCES}") as window:
        window.read_until("importing")
        window.press_ctrl_c()
        assert window.read_to_the_end() == -signal.SIGINT
        assert "Traceback" not in window.text


def test_no_traceback_while_compiling(tmp_path: Path) -> None:
    with terminal(module("watch", "charioteer"), tmp_path, SPINA_CACHE_DIR=str(tmp_path / "cache")) as window:
        window.read_until("Compiling")
        window.press_ctrl_c()
        assert window.read_to_the_end() == 130
        assert "Traceback" not in window.text


def test_importing_the_library_leaves_ctrl_c_as_it_was(tmp_path: Path) -> None:
    code = "import signal, spina; assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(SOURCES)}, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0


def test_a_simulation_begins_no_more_blocks_after_ctrl_c() -> None:
    """Each of the two threads ends the block that it is playing, and no more."""
    begun: list[int] = []
    interrupted = threading.Event()

    def play(start: int, _: int) -> None:
        begun.append(start)
        if not interrupted.is_set():
            interrupted.set()
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.02)

    with pytest.raises(KeyboardInterrupt):
        simulation._in_blocks(play, 1_000_000, threads=2)
    assert 1 <= len(begun) < 100
