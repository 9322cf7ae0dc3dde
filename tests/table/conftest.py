"""Databases for the tests: a file of SQLite, and a real PostgreSQL server that is started once per process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import PostgresServer

from spina.table.store import Store


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL server. Fails, rather than skips, where none can be had."""
    server = PostgresServer()
    yield server
    server.close()


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
