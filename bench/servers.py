"""Servers and thinkers as processes that share a PostgreSQL database, for campaigns. They listen on loopback only."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import httpx

from bench.processes import free_port, memory
from bench.proxy import Proxy

STARTING = 300.0
"""Seconds for a server to become ready, with its games compiled."""
SHOWN, SHOWN_LINES = 3, 40
"""Tracebacks that are printed, and lines of each."""


class Database(Protocol):
    """A PostgreSQL server that can be killed, as the tests have it."""

    folder: Path

    def pids(self) -> list[int]: ...

    def new_database(self) -> str: ...

    def drop_database(self, url: str) -> None: ...

    def kill(self) -> None: ...

    def start(self) -> None: ...


@contextlib.contextmanager
def postgres() -> Iterator[Database]:
    """The PostgreSQL server of the tests."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "table"))
    from postgres_server import PostgresServer

    server = PostgresServer()
    try:
        yield server
    finally:
        server.close()


class Process:
    """A server (with a port) or a thinker (without one). It can be started again after its end."""

    def __init__(
        self, folder: Path, database: str, port: int | None, *options: str, program: Sequence[str] = ("spina",)
    ) -> None:
        """`program`: the module to run instead of Spina itself, with its first arguments."""
        self.port, self.log = port, folder / f"log-{port or 'thinker'}"
        command = [sys.executable, "-m", *program]
        if port is None:
            command += ["think", "--workers", "1"]
        else:
            command += ["serve", "--port", str(port), "--origin", self.url]  # believes X-Forwarded-For then
        self._command = [*command, "--database", database, *options]
        self._environment = {**os.environ, "SPINA_DATA_DIR": str(folder / "data")}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.DEVNULL, stderr=log, env=self._environment
            )

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Ask it to end, and wait until it has."""
        self.ask_to_stop(number)
        if self._process is not None:
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def ask_to_stop(self, number: int = signal.SIGINT) -> None:
        """Ask it to end: with SIGTERM it drains before, with SIGINT it does not."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def is_ready(self, *, compiled: bool = False) -> bool:
        """Whether a load balancer would send requests to the server; `compiled`: whether bots can search, too."""
        with contextlib.suppress(httpx.HTTPError):
            answer = httpx.get(f"{self.url}/readyz", timeout=3)
            return answer.status_code == 200 and (not compiled or set(answer.json()["games"].values()) == {"compiled"})
        return False

    def wait_until_ready(self, *, compiled: bool = False) -> None:
        """Wait until the server is ready; `compiled`: until its games are compiled, too."""
        until = time.monotonic() + STARTING
        while time.monotonic() < until:
            if self.is_ready(compiled=compiled):
                return
            assert self._process is not None and self._process.poll() is None, self.log.read_text(errors="replace")
            time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def memory(self) -> float:
        """Megabytes that the process holds."""
        return memory(self.pid)

    def descriptors(self) -> int:
        """Number of open file descriptors."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))


class Cluster:
    """Servers and thinkers with a database of their own. `cut`: the first server reaches it through a proxy."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        *,
        servers: int = 2,
        thinkers: int = 1,
        cut: bool = False,
        drain: float = 0,
        program: Sequence[str] = ("spina",),
    ) -> None:
        """`program`: the module that servers run instead of Spina itself."""
        self.database, self.folder = database, folder
        self.url = database.new_database()
        self.cut: Proxy | None = None
        """Between the first server and PostgreSQL."""
        options = ["--workers", "1", "--drain", f"{drain:g}"]
        urls = [self.url] * servers
        if cut:
            socket = str(database.folder / ".s.PGSQL.5432")
            self.cut = Proxy(lambda: [socket])
            user, _, rest = self.url.partition("@/")
            urls[0] = f"{user}@127.0.0.1:{self.cut.port}/{rest.partition('?')[0]}"
        self.servers = [Process(folder, url, free_port(), *options, program=program) for url in urls]
        self.thinkers = [Process(folder, self.url, None) for _ in range(thinkers)]

    @property
    def processes(self) -> list[Process]:
        return [*self.servers, *self.thinkers]

    @property
    def ports(self) -> list[int]:
        return [server.port for server in self.servers if server.port is not None]

    def __enter__(self) -> Cluster:
        for process in self.processes:
            process.start()
        try:
            for server in self.servers:
                server.wait_until_ready(compiled=True)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self.cut is not None:
            self.cut.heal()
        for process in self.processes:
            process.ask_to_stop()
        for process in self.processes:
            process.stop(signal.SIGINT)
        if self.cut is not None:
            self.cut.close()

    def tracebacks(self) -> int:
        """Number of tracebacks in all logs. The first ones are printed: the logs are deleted at the end."""
        found = []
        for path in self.folder.glob("log-*"):
            lines = path.read_text(errors="replace").splitlines()
            found += [lines[at : at + SHOWN_LINES] for at, line in enumerate(lines) if "Traceback" in line]
        for lines in found[:SHOWN]:
            print("\n".join(lines))
        return len(found)


@contextlib.contextmanager
def cluster(
    *,
    servers: int = 2,
    thinkers: int = 1,
    cut: bool = False,
    drain: float = 0,
    program: Sequence[str] = ("spina",),
) -> Iterator[Cluster]:
    """A running cluster with a PostgreSQL server of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="spina-bench-") as folder,
        postgres() as database,
        Cluster(
            database, Path(folder), servers=servers, thinkers=thinkers, cut=cut, drain=drain, program=program
        ) as running,
    ):
        yield running
