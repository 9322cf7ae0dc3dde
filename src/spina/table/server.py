"""Runs the table server: listening socket, database lock, graceful shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import logging
import os
import re
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from spina.bots import installed
from spina.errors import OptionError, SpinaError
from spina.table import structured_logs
from spina.table.app import create
from spina.table.bots.warm_up import WarmUp
from spina.table.garbage import collecting, no_automatic_collections
from spina.table.http.addresses import Trusted
from spina.table.http.connections import Connection, Connections, Quieter, Socket
from spina.table.http.health import METRICS, Monitoring
from spina.table.http.local_network import is_loopback, private_addresses
from spina.table.http.request_log import TrustedRequestIds
from spina.table.settings import Settings
from spina.table.store.sqlite_lock import SqliteLock, Taken, locked

log = logging.getLogger("spina.table")

HOST = "127.0.0.1"
PORT = 8000
NEARBY = 50
"""Ports after the default one to try when it is in use."""
PARTING = 3
"""Seconds that open connections have to close at shutdown."""
SLICE = 0.0002
"""Python's thread switch interval in seconds."""
KEPT_ALIVE = 75
"""Keep-alive seconds: longer than proxies use, so that a proxy never sends a request on a closed connection."""
COMPILING = "Compiling the games, once on this machine; races begin without it:"
READY = "The games are ready."
NOT_COMPILED = "not all of them can be compiled: those are raced without it, slowly"
OPEN_IT = "No browser can be opened from here: open this address in yours."
SCRAPERS = 64
"""Open connections on the address for metrics."""
LAST_PORT = 65535
PROGRESS_EVERY = 0.5
"""Seconds between two reports on a terminal."""
LOOPBACK = ("127.0.0.1", "::1")

WARNING = """\
Warning: other machines can reach this table, and nothing is encrypted. Beyond a network that you trust, let it listen
on {loopback} and put a TLS proxy in front of it, with --origin https://… (docs/hosting.md).
"""


def serve(
    host: str = HOST,
    port: int | None = None,
    database: str | None = None,
    *,
    open_browser: bool = False,
    ask_to_open: bool = False,
    join: bool = False,
    workers: int | None = None,
    origins: Sequence[str] = (),
    proxies: Sequence[str] = (),
    bots: Sequence[str] = (),
    network: Sequence[str] = (),
    metrics: str | None = None,
    drain: float = 0.0,
    json_logs: bool = False,
    settings: Settings | None = None,
    say: Callable[[str], object] = print,
) -> None:
    """Run a table server until it is interrupted.

    Without a port it takes the default one or, if that is in use, the next free one. `ask_to_open`: say that the person
    has to open the page. `join`: if a server with the same database runs already, open that one. `proxies` are trusted:
    X-Forwarded-For is honoured from these addresses, and with `origins` from this machine too. `bots` are those of
    installed packages that may sit at tables. `network`: the addresses to which a click opens a server for this machine
    alone; without them, its own in private networks. `metrics`: an address and a port for metrics and health checks,
    such as 10.0.0.5:9100. `drain`: seconds for which it still serves after SIGTERM, while `/readyz` says that it is
    closing, so that a load balancer sends nothing more to it when its port closes. `json_logs`: write structured logs,
    and what would be said with `say` among them. `settings` has the limits; the other arguments override it. Raises
    SpinaError.
    """
    if json_logs:
        structured_logs.configure()
        say = _inform
    known = tuple(_origin(origin) for origin in origins)
    monitored = None if metrics is None else _address(metrics)
    settings = _settings(settings or Settings(), database, workers, bots)
    try:
        with contextlib.ExitStack() as stack:
            lock = stack.enter_context(_locked(settings.database))
            listening = stack.enter_context(contextlib.closing(listen(host, port)))
            monitoring = None
            if monitored is not None:
                monitoring = stack.enter_context(contextlib.closing(listen(*monitored, option="--metrics")))
            addresses = _addresses(host, listening)
            settings = msgspec.structs.replace(
                settings,
                origins=(*known, *addresses),
                secure=bool(known) and all(origin.startswith("https://") for origin in known),
                metrics_elsewhere=monitoring is not None,
                # others reach a server with a public address already, and behind a proxy everybody seems to be here
                network=tuple(network) if is_loopback(host) and not known and not proxies else None,
            )

            def opened() -> None:
                if lock:
                    lock.announce(addresses[0])
                say(f"The table is open: {known[0] if known else addresses[0]}")
                for address in addresses[1:]:
                    say(f"From other devices on this network: {address}")
                if monitoring is not None:
                    say(f"Metrics: {_url(*monitoring.getsockname()[:2])}{METRICS}")
                if ask_to_open:
                    say(OPEN_IT)
                if not is_loopback(host):
                    say(WARNING.format(loopback=HOST))
                say("Ctrl+C closes it; races go on when it is opened again.")
                if open_browser:
                    show(addresses[0])

            trusted = ",".join((*LOOPBACK, *proxies)) if known or proxies else None
            _run(settings, listening, trusted, opened, say, monitoring=monitoring, drain=drain, json_logs=json_logs)
            say("The table is closed. Races go on when it is opened again.")
    except Taken as error:
        if not join or error.running is None:
            raise
        say(f"The table is open already: {error.running.url}")
        if ask_to_open:
            say(OPEN_IT)
        if open_browser:
            show(error.running.url)


def think(
    database: str,
    *,
    workers: int | None = None,
    bots: Sequence[str] = (),
    metrics: str | None = None,
    say: Callable[[str], object] = print,
) -> None:
    """Run bots and clocks for the servers that share a PostgreSQL database, until it is interrupted.

    `metrics`: an address and a port for metrics and health checks. Raises SpinaError.
    """
    settings = _settings(Settings(), database, workers, bots)
    monitored = None if metrics is None else _address(metrics)
    if not database.startswith("postgres"):
        raise OptionError("bots think for other servers only if these share a PostgreSQL database: postgresql://…")

    async def run(monitoring: socket.socket | None) -> None:
        leaving = asyncio.Event()
        with _signals(lambda number: leaving.set()):
            opening = asyncio.ensure_future(_until(leaving, settings, monitoring, say))
            await asyncio.wait({opening, asyncio.ensure_future(leaving.wait())}, return_when=asyncio.FIRST_COMPLETED)
            if leaving.is_set() and not opening.done():
                await asyncio.wait({opening}, timeout=PARTING)
                opening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await opening

    with contextlib.ExitStack() as stack:
        monitoring = None
        if monitored is not None:
            monitoring = stack.enter_context(contextlib.closing(listen(*monitored, option="--metrics")))
        stack.enter_context(_short_slices())
        stack.enter_context(no_automatic_collections())
        asyncio.run(run(monitoring))
    say("Other servers think now.")


async def _until(
    leaving: asyncio.Event, settings: Settings, monitoring: socket.socket | None, say: Callable[[str], object]
) -> None:
    app = create(settings)  # it listens on no port; its services run, and report to its metrics
    async with collecting(), _monitored(app, settings, monitoring), app.router.lifespan_context(app):
        if monitoring is not None:
            say(f"Metrics: {_url(*monitoring.getsockname()[:2])}{METRICS}")
        say("Thinking for the servers of this database. Ctrl+C ends it; others go on with its races.")
        await leaving.wait()


# --- before ---------------------------------------------------------------------------------------------------------


def _settings(settings: Settings, database: str | None, workers: int | None, bots: Sequence[str]) -> Settings:
    for name in bots:
        if name not in installed():
            known = ", ".join(installed()) or "none"
            raise OptionError(f'no installed package has a bot "{name}" (entry points "spina.bots"): there are {known}')
    chosen: dict[str, Any] = {"database": database, "workers": workers, "bots": tuple(bots) or None}
    return msgspec.structs.replace(settings, **{name: value for name, value in chosen.items() if value is not None})


def _origin(text: str) -> str:
    """A public address of the server, normalized as browsers send it in Origin. Raises OptionError."""
    try:
        parts = urlsplit(text.strip().lower())
        plain = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        plain = None
    if not plain or parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None:
        raise OptionError(f"an origin is an address such as https://races.example, not {text!r}")
    usual = {"http": ":80", "https": ":443"}[parts.scheme]
    return f"{parts.scheme}://{parts.netloc.removesuffix(usual)}"


def _address(text: str) -> tuple[str, int]:
    """An address and a port, such as 10.0.0.5:9100 or [::1]:9100. Raises OptionError."""
    found = re.fullmatch(r"(?:\[([^\[\]\s]+)\]|([^\[\]:\s]+)):([0-9]{1,5})", text.strip())
    if not found or int(found[3]) > LAST_PORT:
        raise OptionError(f"metrics need an address and a port, such as {HOST}:9100, not {text!r}")
    return found[1] or found[2], int(found[3])


def _inform(line: str) -> None:
    """Write a line for people to the log."""
    log.info("%s", line.strip())


@contextlib.contextmanager
def _locked(database: str) -> Iterator[SqliteLock | None]:
    """Hold the lock of an SQLite file. Servers may share a PostgreSQL database."""
    scheme, _, path = database.partition(":///")
    if not scheme.startswith("sqlite") or not path:
        yield None
        return
    with locked(Path(path)) as lock:
        yield lock


def listen(host: str, port: int | None, option: str = "--port") -> socket.socket:
    """A listening socket on this port or, without one, on the default port or the next free one. Raises SpinaError."""
    wanted = [port] if port is not None else [*range(PORT, PORT + NEARBY), 0]
    for number in wanted:
        try:
            return _bind(host, number)
        except OverflowError:
            raise OptionError(f"a port is a number from 0 to 65535, not {number}") from None
        except socket.gaierror:
            raise OptionError(f"there is no host {host!r}: give an address of this machine, such as {HOST}") from None
        except PermissionError:
            raise SpinaError(f"port {number} may not be used: choose one from 1024, with {option}") from None
        except OSError as error:
            problem = error
            if number not in range(PORT, PORT + NEARBY) or port is not None:
                break
    if port:
        raise SpinaError(f"{host} port {port} cannot be used: {os.strerror(problem.errno or 0)}; choose another one")
    raise SpinaError(f"{host} cannot be listened on: {os.strerror(problem.errno or 0)}")


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    sock = socket.socket(family, kind, protocol)
    try:
        if sys.platform == "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(2048)
    except OSError:
        sock.close()
        raise
    return sock


def _addresses(host: str, listening: socket.socket) -> list[str]:
    """Where the table can be reached: from this machine first, then from others."""
    name, port = listening.getsockname()[:2]
    if not ipaddress.ip_address(name).is_unspecified:
        return [_url(host if host == "localhost" else name, port)]
    found = [_url(HOST if listening.family == socket.AF_INET else "::1", port)]
    return [*found, *(_url(other, port) for other in private_addresses()[:1])]


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


# --- meanwhile ------------------------------------------------------------------------------------------------------


def _nothing() -> None:
    pass


class _Server(uvicorn.Server):
    """Uvicorn with a callback for when it listens, and without its signal handlers.

    Uvicorn raises the signal again after its shutdown, which would interrupt the closing of the database.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        opened: Callable[[], None] = _nothing,
        leaving: Callable[[], None] = _nothing,
        drain: float = 0.0,
    ) -> None:
        """`leaving` is called when it begins to shut down. `drain`: seconds from SIGTERM until the port closes."""
        super().__init__(config)
        self._opened, self._leaving, self._drain = opened, leaving, drain
        self._draining = False

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._opened()

    @property
    def port(self) -> int:
        """The port that it listens on, on every address."""
        return int(self.servers[0].sockets[0].getsockname()[1])

    async def listen_on(self, address: str) -> None:
        """Accept connections on this address too. Raises OSError."""
        config, loop = self.config, asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            return config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=self.server_state, app_state=self.lifespan.state, _loop=loop
            )

        self.servers.append(await loop.create_server(protocol, sock=_bind(address, self.port), backlog=config.backlog))

    async def stop_listening_on(self, address: str) -> None:
        """Accept no more connections on this address, and close those that came in there."""
        for server in [each for each in self.servers if _is_on(address, each.sockets[0])]:
            server.close()
            self.servers.remove(server)
        for connection in list(self.server_state.connections):
            transport = connection.transport
            if transport is not None and transport.get_extra_info("sockname")[0] == address:
                transport.abort()

    def leave(self, number: int) -> None:
        """Shut down gracefully; at the second call while it drains, without waiting; at the next, at once."""
        if not self.should_exit and not self._draining:
            self._leaving()
            if self._drain and number == signal.SIGTERM:
                self._draining = True
                asyncio.get_running_loop().call_later(self._drain, self._drained, number)
                return
        self.handle_exit(number, None)

    def _drained(self, number: int) -> None:
        if not self.should_exit:
            self.handle_exit(number, None)


def _is_on(address: str, listening: Any) -> bool:
    return bool(listening.getsockname()[0] == address)


def _run(
    settings: Settings,
    listening: socket.socket,
    trusted: str | None,
    opened: Callable[[], None],
    say: Callable[[str], object] = print,
    *,
    monitoring: socket.socket | None = None,
    drain: float = 0.0,
    json_logs: bool = False,
) -> None:
    app, proxies = create(settings), Trusted(trusted.split(",") if trusted else ())
    logs: dict[str, Any] = {"log_config": None} if json_logs else {}
    connections = Connections(settings, proxies, KEPT_ALIVE)
    config = uvicorn.Config(
        _behind(proxies, trusted, app),
        lifespan="off",  # entered below, so that its errors reach the caller
        http=functools.partial(Connection, connections=connections),  # type: ignore[arg-type]
        ws=functools.partial(Socket, connections=connections),  # type: ignore[arg-type]
        ws_max_size=settings.largest_message,
        ws_per_message_deflate=False,  # costs more time and memory than it saves at this message size
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,  # `_behind` evaluates them
        timeout_keep_alive=KEPT_ALIVE,
        timeout_graceful_shutdown=PARTING,
        **logs,
    )
    server = _Server(config, opened, app.state.health.close, drain)
    app.state.network.attach(server)
    logging.getLogger("uvicorn.error").addFilter(Quieter())

    async def run() -> None:
        running, opening = asyncio.current_task(), True
        assert running is not None

        def leave(number: int) -> None:
            if opening:  # still waiting for its database
                running.cancel()
            else:
                server.leave(number)

        with _signals(leave):
            try:
                async with (
                    collecting(),
                    _monitored(app, settings, monitoring),
                    app.router.lifespan_context(app),
                ):
                    opening = False
                    live = sys.stderr.isatty() and not json_logs
                    progress = _tell_progress(app.state.services.warm_up, say, live=live)
                    tasks = [asyncio.create_task(each) for each in (connections.watch(), progress)]
                    try:
                        await server.serve(sockets=[listening])
                    finally:
                        for task in tasks:
                            task.cancel()
            except asyncio.CancelledError:
                if not opening:
                    raise

    with (
        _short_slices(),
        no_automatic_collections(),
        asyncio.Runner(loop_factory=config.get_loop_factory()) as runner,
    ):
        runner.run(run())


def _behind(proxies: Trusted, trusted: str | None, app: ASGIApp) -> ASGIApp:
    """The application behind trusted proxies, if there are any."""
    if trusted is None:
        return app
    forwarded: Any = ProxyHeadersMiddleware(app, trusted_hosts=trusted)  # type: ignore[arg-type]
    return TrustedRequestIds(forwarded, proxies)


@contextlib.asynccontextmanager
async def _monitored(app: Starlette, settings: Settings, listening: socket.socket | None) -> AsyncIterator[None]:
    """Answer health checks and give metrics on an address of their own while the body runs."""
    if listening is None:
        yield
        return
    few = msgspec.structs.replace(settings, connections=SCRAPERS, connections_per_address=SCRAPERS)
    connections = Connections(few, Trusted(()), KEPT_ALIVE)
    config = uvicorn.Config(
        Monitoring(app.state.health, app.state.metrics),
        lifespan="off",
        http=functools.partial(Connection, connections=connections),  # type: ignore[arg-type]
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEPT_ALIVE,
        timeout_graceful_shutdown=1,
        log_config=None,  # the table's own configuration holds
    )
    server = _Server(config)
    serving, watching = asyncio.create_task(server.serve([listening])), asyncio.create_task(connections.watch())
    try:
        yield
    finally:
        server.should_exit = True
        watching.cancel()
        await serving


async def _tell_progress(warm_up: WarmUp, say: Callable[[str], object], *, live: bool) -> None:
    """Report in one line how far the games are compiled, and that they are ready. `live`: the line changes."""
    begun, over = time.monotonic(), asyncio.create_task(warm_up.wait_for_all())
    while not over.done():
        if live and warm_up.compiles:
            sys.stderr.write(f"\r{COMPILING} {warm_up.share or 0:.0%}")
            sys.stderr.flush()
        await asyncio.wait([over], timeout=PROGRESS_EVERY)
    if warm_up.compiles:
        end = "ready" if warm_up.share is None else NOT_COMPILED
        say(f"{chr(13) if live else ''}{COMPILING} {time.monotonic() - begun:.0f} s, {end}")
    else:
        say(READY)


@contextlib.contextmanager
def _short_slices() -> Iterator[None]:
    """Let threads switch often while the body runs.

    Kernels release the interpreter's lock, and the loop gets it back from the writer thread only when that thread's
    time slice ends: with the default of five milliseconds one choice waited for that a dozen times.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SLICE)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextlib.contextmanager
def _signals(leave: Callable[[int], None]) -> Iterator[None]:
    """Shut the server down gracefully on SIGINT and SIGTERM."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    numbers = [signal.SIGINT, signal.SIGTERM]
    numbers += [getattr(signal, name) for name in ("SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        signal.signal(number, lambda number, _: loop.call_soon_threadsafe(leave, number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- a browser ------------------------------------------------------------------------------------------------------


def can_show() -> bool:
    """Whether this machine has a screen on which a browser can open."""
    if os.environ.get("CI") or not sys.stdout.isatty():
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    # Without a screen, a text browser would take over the terminal that the server writes to.
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show(url: str) -> None:
    """Open a page in the browser, in a thread, since that may be slow."""
    threading.Thread(target=webbrowser.open, args=(url,), name="spina-browser", daemon=True).start()
