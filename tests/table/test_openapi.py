"""The description of the JSON interface, and whether a real server keeps to it whatever it is asked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from serving_helpers import Client, Server

from spina.table.http.api import OPERATIONS
from spina.table.http.openapi import description

EXAMPLES = 25


@pytest.fixture(scope="module")
def anna(server: Server) -> Client:
    return server.visitor("Anna")


@pytest.fixture(scope="module")
def tables(anna: Client) -> list[str]:
    """One that waits for people and one that runs."""
    return [anna.create("charioteer", "me", "open", "open"), anna.create("charioteer", "screen", "screen")]


@pytest.fixture(scope="module")
def schema() -> Any:
    import schemathesis  # here, and not in every process that collects tests: it takes seconds

    return schemathesis.openapi.from_dict(description())


NAMES = [f"{operation.method} {operation.path}" for operation in OPERATIONS]


def test_the_server_describes_itself(server: Server) -> None:
    answer = server.ask("GET", "/openapi.json")
    assert answer.status == 200 and answer.json == description()


@pytest.mark.parametrize("name", NAMES)
def test_every_operation_answers_as_it_is_described(
    server: Server, anna: Client, tables: list[str], schema: Any, name: str
) -> None:
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    method, path = name.split()
    operation = schema[path][method]

    @given(
        case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
        table=st.sampled_from([*tables, None]),
    )
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any, table: str | None) -> None:
        # what is wrong stays wrong; what could be right becomes a table that there is, and is not waited for
        if table is not None and re.fullmatch("[a-z0-9]{1,32}", str((case.path_parameters or {}).get("id"))):
            case.path_parameters["id"] = table
        if isinstance(case.query, dict) and re.fullmatch("[0-9]{1,9}", str(case.query.get("wait"))):
            case.query["wait"] = 0
        case.call_and_validate(
            base_url=f"http://127.0.0.1:{server.port}",
            headers=anna.headers,
            excluded_checks=[positive_data_acceptance],  # what a race allows is more than a schema can say
        )

    check()
