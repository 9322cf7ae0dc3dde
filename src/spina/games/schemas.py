"""JSON schemas of structs that are sent, and of what each game sends: its views, offers, explanations and events."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from spina.games.game import Game
from spina.games.shared_view import SharedView

Schema = dict[str, Any]


class GameSchemas(NamedTuple):
    """What a game sends, as JSON schemas; references lead to `components`."""

    view: Schema
    offer: Schema
    explanation: Schema
    event: Schema
    components: dict[str, Schema]
    """By name of the struct."""


def schemas_of(game: Game, ref_template: str) -> GameSchemas:
    """The schemas of a game's types; `ref_template` is the form of references, with `{name}` in it."""
    types = [game.view_type, game.offer_type, game.explanation_type]
    found, components = sent_schemas([*types, *game.event_types], ref_template)
    view, offer, explanation, *events = found
    event: Schema = {"anyOf": events} if events else {"type": "object"}
    return GameSchemas(view, offer, explanation, event, components)


def sent_schemas(types: Iterable[Any], ref_template: str) -> tuple[list[Schema], dict[str, Schema]]:
    """The schemas of types that are sent, not received: a field that is never left out is required.

    Returns a schema for each type, and the components that these refer to. Fields have their docstrings.
    """
    wanted = list(types)
    schemas, found = msgspec.json.schema_components(wanted, ref_template=ref_template)
    components = msgspec.json.decode(msgspec.json.encode(found), type=dict[str, Schema])  # defaults as JSON has them
    for struct in _structs(msgspec.inspect.multi_type_info(wanted)):
        component = components[struct.__name__]
        docs = _field_docs(struct)
        for field in msgspec.structs.fields(struct):
            if field.name in docs:
                described = component["properties"][field.encode_name]
                component["properties"][field.encode_name] = {**described, "description": docs[field.name]}
        sent = _always_sent(struct)
        component["required"] = [name for name in component["properties"] if name in sent]
    return list(schemas), components


def _always_sent(struct: type[msgspec.Struct]) -> set[str]:
    """The names in JSON of the fields that are never left out."""
    config = struct.__struct_config__
    found = {config.tag_field} if config.tag_field else set()
    shared = SharedView.__struct_fields__ if issubclass(struct, SharedView) else ()
    for field in msgspec.structs.fields(struct):
        optional = field.default is msgspec.UNSET and field.name not in shared  # `Race.view` sends these
        if field.required or not (optional or config.omit_defaults):
            found.add(field.encode_name)
    return found


def _structs(found: Any) -> Iterator[type[msgspec.Struct]]:
    """The struct types in type information, each once."""
    seen: set[type[msgspec.Struct]] = set()
    waiting = list(found)
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls in seen:
                continue
            seen.add(kind.cls)
            yield kind.cls
            waiting += [field.type for field in kind.fields]
        elif isinstance(kind, msgspec.inspect.Type):
            for name in ("type", "types", "item_type", "item_types", "key_type", "value_type"):
                inner = getattr(kind, name, ())
                waiting += inner if isinstance(inner, tuple) else [inner]


def _field_docs(struct: type) -> dict[str, str]:
    """The docstrings of the fields of a struct, its base classes' among them; none where there is no source."""
    docs: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            docs |= _module_docs(base.__module__).get(base.__qualname__, {})
    return docs


@cache
def _module_docs(module: str) -> dict[str, dict[str, str]]:
    """The docstrings of the fields of every class of a module, by class."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    found: dict[str, dict[str, str]] = {}
    for kind in tree.body:
        if not isinstance(kind, ast.ClassDef):
            continue
        docs = found[kind.name] = {}
        for field, text in zip(kind.body, kind.body[1:], strict=False):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                    docs[name] = " ".join(said.split())
    return found
