"""What the tests of the table share: databases, and servers that are started once per process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from postgres_server import PostgresServer
from serving_helpers import FREELY, Server, serving

from spina.table.bots import bot_pool
from spina.table.store.journal_store import Store


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL server. Fails, rather than skips, where none can be had."""
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server that lets tests ask as often as they like. Whatever they ask, it never stumbles."""
    with serving(tmp_path_factory.mktemp("server"), **FREELY) as running:
        yield running
        running.stop()
        assert "Traceback" not in running.log.read_text()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of an SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path / 'data' / 'spina.db'}"


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    url = postgres.new_database()
    yield url
    postgres.drop_database(url)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, of each kind in turn."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store on each kind of database. It may be used from any event loop: asyncio.run(store.table("a"))."""
    opened = asyncio.run(Store.open(database))
    yield opened
    asyncio.run(opened.close())


@pytest.fixture
def moods(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have workers that misbehave."""

    def set_moods(text: str) -> None:
        monkeypatch.setattr(bot_pool, "WORKER", "odd_worker")
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
        monkeypatch.setenv("SPINA_TEST_MOODS", text)

    return set_moods
