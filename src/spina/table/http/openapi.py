"""The OpenAPI description of the JSON interface, generated from the operations."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spina import __version__
from spina.games import find
from spina.games import names as game_names
from spina.games.schemas import GameSchemas, schemas_of, sent_schemas
from spina.table.http.api import OPERATIONS, Operation
from spina.table.http.responses import Failure, answer
from spina.table.live.protocol import OF_GAME

_REFERENCE = "#/components/schemas/{name}"
_PROBLEMS = {
    "400": "The request cannot be read",
    "401": "No session: send a token",
    "403": "Not allowed for this visitor, or sent from another site",
    "404": "Not found",
    "409": "Not possible now",
    "410": "The link has been used",
    "413": "Too large",
    "421": "The server does not have this host name",
    "422": "Invalid option value",
    "429": "Rate limit exceeded",
    "503": "The database or the bots do not answer",
}


_PATTERNS = {"id": "^[a-z0-9]{1,32}$", "game": "^[a-z0-9-]{1,32}$"}
"""The form of each parameter in a path."""


@cache
def description() -> dict[str, Any]:
    """The OpenAPI document. Loads every game, which takes seconds the first time."""
    bodies = [operation.body for operation in OPERATIONS if operation.body is not None]
    results = [operation.result for operation in OPERATIONS if operation.result is not None]
    taken, components = msgspec.json.schema_components(bodies, ref_template=_REFERENCE)
    sent, others = sent_schemas([*results, Failure], _REFERENCE)
    schemas = dict(zip(map(repr, [*bodies, *results, Failure]), [*taken, *sent], strict=True))
    games = [_of_game(name) for name in game_names()]
    components |= others
    for game in games:
        components |= game.components
    schemas, components = _with_games(schemas, games), _with_games(components, games)
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Spina",
            "version": __version__,
            "description": "Chariot-racing board games: set up tables, take seats, race.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _of_game(name: str) -> GameSchemas:
    """The schemas of a game, with its name before the names of its components."""
    found = schemas_of(find(name), _REFERENCE.replace("{name}", f"{name}.{{name}}"))
    return found._replace(components={f"{name}.{kind}": schema for kind, schema in found.components.items()})


def _with_games(schema: Any, games: list[GameSchemas]) -> Any:
    """A schema with the types of all games in place of the parts marked as game-specific."""
    if isinstance(schema, list):
        return [_with_games(part, games) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if OF_GAME not in schema:
        return {key: _with_games(part, games) for key, part in schema.items()}
    kept = {key: part for key, part in schema.items() if key != OF_GAME}
    return {**kept, "anyOf": [getattr(game, schema[OF_GAME]) for game in games]}


def _described(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    name = re.sub(r"\W+", "_", f"{operation.method} {operation.path.removeprefix('/api/')}".lower()).strip("_")
    parameters: list[dict[str, Any]] = [
        {"name": found, "in": "path", "required": True, "schema": {"type": "string", "pattern": _PATTERNS[found]}}
        for found in re.findall(r"{(\w+)}", operation.path)
    ]
    parameters += [
        {
            "name": query,
            "in": "query",
            "description": text,
            "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
        }
        for query, text in operation.query
    ]
    described: dict[str, Any] = {
        "operationId": name,
        "summary": operation.summary,
        "responses": {
            "200": {"description": "Done", "content": _json(schemas[repr(operation.result)])},
            **{
                status: {"description": text, "content": _json(schemas[repr(Failure)])}
                for status, text in _PROBLEMS.items()
            },
        },
    }
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": _json(schemas[repr(operation.body)])}
    return described


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


async def _openapi(_: Request) -> Response:
    return answer(description())


def routes() -> list[Route]:
    return [Route("/openapi.json", _openapi)]
