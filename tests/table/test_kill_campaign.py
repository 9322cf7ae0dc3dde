"""A small kill campaign (`bench.kills` is the large one): servers and PostgreSQL are killed while people race."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from postgres_server import PostgresServer

from bench import kills

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.close()


@pytest.mark.skipif(sys.platform != "linux", reason="kills processes by /proc")
def test_nothing_acknowledged_is_lost_whatever_is_killed(own_postgres: PostgresServer) -> None:
    kept = kills.run(own_postgres, kills=5, tables=2, seed=20)
    assert kept.contradictions == []
    assert kept.acknowledged and kept.finished
