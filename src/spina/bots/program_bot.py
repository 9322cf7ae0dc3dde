"""Bots that are programs in any language: they read questions and write answers, one line of JSON each.

`docs/programs.md` describes the protocol. A program sees only what its seat can see.
"""

from __future__ import annotations

import contextlib
import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Callable
from typing import IO, Any

import msgspec

from spina.bots.bot import Bot
from spina.errors import OptionError, SpinaError
from spina.games.game import Action, Game
from spina.race import Race

PREFIX = "program:"
"""The prefix of such a bot's name; the command follows."""
PROTOCOL = 1
PATIENCE = 60.0
"""Seconds that a program has for an answer."""
TRIES = 3
"""How often it is asked for one choice if its answers cannot be used."""
LONGEST_LINE = 1 << 20
"""Most characters of an answer that are read."""


class ProgramError(SpinaError):
    """A program could not be started, ended early, did not answer in time, or gave answers that cannot be used."""


class Program:
    """A bot program. It is started by `greet` and ended by `close`."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"the command of a program cannot be read: {error}") from None
        if not self._command:
            raise OptionError(f'a bot that is a program needs its command: "{PREFIX}python my_bot.py"')
        self.name = f"{PREFIX}{command}"
        self._patience = patience
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    @property
    def running(self) -> bool:
        return self._process is not None

    def greet(self, **about: Any) -> None:
        """Start it, and send it the description of the race."""
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                bufsize=1,
                start_new_session=True,  # Ctrl-C in a terminal is for Spina, which ends the program
            )
        except OSError as error:
            raise ProgramError(f"{self.name} cannot be started: {error}") from None
        self._lines = queue.Queue()
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()
        answer = self._ask({"type": "hello", "protocol": PROTOCOL, **about})
        if answer.get("type") != "ready":
            self.close()
            raise ProgramError(f'{self.name} did not answer "hello" with {{"type": "ready"}}, but with {answer}')

    def choose(self, why_not: Callable[[str], str | None], **question: Any) -> str:
        """Its choice in notation. It is asked again if `why_not` returns a reason against the choice."""
        asked: dict[str, Any] = {"type": "choose", **question}
        for _ in range(TRIES):
            answer = self._ask(asked)
            problem = _problem(answer, why_not)
            if problem is None:
                return str(answer["action"])
            asked = {"type": "wrong", "reason": problem}
        raise ProgramError(f"{self.name} gave {TRIES} answers that cannot be used; the last: {problem}")

    def close(self) -> None:
        """Ask it to end; after a second, end it by force."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            process.stdin.write('{"type": "end"}\n')
        with contextlib.suppress(OSError):  # it has gone already
            process.stdin.close()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(msgspec.json.encode(question).decode() + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=self._patience)
        except OSError:
            line = None
        except queue.Empty:
            self._process.kill()
            self.close()
            raise ProgramError(f"{self.name} did not answer within {self._patience:g} seconds") from None
        if line is None:
            code = self._process.wait()
            self.close()
            raise ProgramError(f"{self.name} has ended by itself (exit code {code})")
        try:
            answer = json.loads(line)
        except ValueError:
            return {"problem": f"not a line of JSON: {line[:200].strip()!r}"}
        return answer if isinstance(answer, dict) else {"problem": "an object is needed"}


class ProgramBot(Bot):
    """A bot that asks an external program."""

    def __init__(self, game: Game, command: str, seed: int | None = None, patience: float = PATIENCE) -> None:
        super().__init__(game, seed)
        self._program = Program(command, patience)
        self.name = self._program.name

    def choose(self, race: Race, seat: int) -> Action:
        self._check(race, seat)
        if not self._program.running:
            self._program.greet(
                game=self.game.name,
                rules=race.rules,
                seats=race.seats,
                seat=seat,
                options=race.options,
                edition=race.edition.name,
                seed=int(self._dice[0]) >> 11,  # fits a double, which is what many languages read numbers into
            )
        action = self._program.choose(
            lambda said: race.check(seat, said),
            seat=seat,
            turn=race.turn,
            view=race.view(seat),
            legal=[str(action) for action in race.legal(seat)],
            complete=self.game.lists_all,
        )
        return self.game.read(race.edition, action)

    def close(self) -> None:
        self._program.close()

    def __enter__(self) -> ProgramBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def _problem(answer: dict[str, Any], why_not: Callable[[str], str | None]) -> str | None:
    """The problem of an answer; None if it can be played."""
    if "problem" in answer:
        return str(answer["problem"])
    action = answer.get("action")
    if not isinstance(action, str):
        return 'an answer looks like {"action": "..."}, with one of "legal" or another action in notation'
    return why_not(action)


def _read(stream: IO[str] | None, lines: queue.Queue[str | None]) -> None:
    """Put the lines that the program writes into a queue, and None when it has ended."""
    assert stream is not None
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(LONGEST_LINE):
            if line.strip():
                lines.put(line)
    lines.put(None)
