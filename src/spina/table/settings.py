"""Settings of a table server. The defaults suit a person at home."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from spina import seal

MOST_WORKERS = 8
"""Maximum of the default number of workers."""


def default_database() -> str:
    """An SQLite file in the user's data folder."""
    return sqlite_url(seal.data_folder() / "table.db")


def sqlite_url(path: Path) -> str:
    """The database URL of an SQLite file."""
    return f"sqlite:///{path.absolute()}"


def default_workers() -> int:
    """The default number of workers: one per processor, less one for the server."""
    try:
        processors = len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        processors = os.cpu_count() or 1
    return max(1, min(MOST_WORKERS, processors - 1))


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Configuration of a server."""

    database: str = msgspec.field(default_factory=default_database)
    """URL of the database: sqlite:///… or postgresql://…"""
    database_wait: float = 60.0
    """Seconds that a starting server waits for a PostgreSQL server that is starting or cannot be reached."""
    workers: int = msgspec.field(default_factory=default_workers)
    """Size of the worker pool for bots."""
    bots: tuple[str, ...] = ()
    """Bots of installed packages (entry points of the group "spina.bots") that may sit at tables."""
    origins: tuple[str, ...] = ()
    """Addresses under which people reach the server, such as https://races.example; loopback always works."""
    network: tuple[str, ...] | None = None
    """Addresses on the local network that a person at this machine may open the table to with a click; empty: those of
    this machine in private networks; None: it cannot be opened."""
    metrics_elsewhere: bool = False
    """Whether metrics have an address of their own: then this server's own port has none, not even for this machine."""
    secure: bool = False
    """Whether every visitor uses https: cookies then have the Secure attribute."""

    largest_request: int = 64 * 1024
    """Most bytes of a request."""
    largest_file: int = 2 * 1024 * 1024
    """Most bytes of a race file that is imported."""
    largest_message: int = 64 * 1024
    """Most bytes of a message over a WebSocket."""
    largest_head: int = 32 * 1024
    """Most bytes of the request line and the headers of a request."""
    head_seconds: float = 10.0
    """Time for the head of a request to arrive, from the opening of the connection or the first byte."""
    body_seconds: float = 20.0
    """Time for the body of a request to arrive, and a second more for each `slowest_body` bytes."""
    slowest_body: int = 1024
    """Minimum bytes per second at which a client sends a body and reads a response."""
    connections: int = 2000
    """Most open connections; fewer if the system allows fewer open files."""
    connections_per_address: int = 300
    """The same for each address except trusted proxies."""

    requests_per_second: float = 5.0
    """Requests that change something, for each visitor, in the long run; ten times as many for each address."""
    requests_at_once: float = 40.0
    """The same in a burst."""
    messages_per_second: float = 20.0
    """Messages of one open page, in the long run."""
    messages_at_once: float = 100.0
    """The same in a burst."""
    sockets_per_visitor: int = 12
    """Open pages of a visitor; a new one replaces the one that has been silent for longest."""
    sockets_per_address: int = 200
    """The same for each address."""
    unread_bytes: int = 1024 * 1024
    """Bytes of unread messages for a page, besides a single larger message."""
    unread_seconds: float = 30.0
    """Time in which a page must read a message."""
    unread_per_address: int = 32 * 1024 * 1024
    """The same for all pages of an address together."""
    socket_work_per_second: float = 0.15
    """Seconds of processor time for the messages of all pages of an address, in the long run."""
    socket_work_at_once: float = 2.0
    """The same in a burst."""
    tables_per_day: int = 200
    """Tables that a visitor may set up, imported races included."""
    tables_per_day_per_address: int = 2000
    """The same for each address (of IPv6 for each /64)."""
    tables_at_once_per_address: int = 120
    """The same in a burst."""
    visitors_per_day_per_address: int = 2000
    """New visitors that are stored for each address."""
    visitors_at_once_per_address: int = 200
    """The same in a burst."""
    work_per_second: float = 0.1
    """Seconds of processor time, for each address, for reading editions and race files and replaying races."""
    work_at_once: float = 2.0
    """The same in a burst."""
    work_waiting: int = 128
    """Maximum queue length of such work."""
    work_waiting_of_address: int = 40
    """The same for each address."""
    replay_bytes: int = 16 * 1024 * 1024
    """Memory for the cache of replayed races."""
    bots_per_second: float = 0.15
    """Seconds of processor time for recording and publishing bots' choices, for each address, in the long run."""
    bots_at_once: float = 2.0
    """The same in a burst."""
    races_without_people: int = 16
    """Races without people in which bots choose at the same time; the others wait."""
    races_without_people_per_address: int = 4
    """The same for tables that were set up from one address (of IPv6 from one /64)."""
