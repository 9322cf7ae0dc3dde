"""Typed records that also read like the JSON objects they become: the base of views and offers."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET


class MappingStruct(msgspec.Struct, repr_omit_defaults=True):
    """A struct whose fields can be read as attributes and as keys: `view.chariots` is `view["chariots"]`.

    A field that is UNSET is absent: it is no key, and it is left out of the JSON. A struct equals a dict with the same
    keys and values. `dict(view)` copies the outermost level, `view.as_dict()` all of them.

    Examples:
        >>> class Point(MappingStruct):
        ...     x: int
        ...     y: int
        >>> point = Point(3, 4)
        >>> point.x, point["y"], dict(point), point == {"x": 3, "y": 4}
        (3, 4, {'x': 3, 'y': 4}, True)
    """

    def __getitem__(self, key: str) -> Any:
        value = getattr(self, _attributes(type(self)).get(key, ""), UNSET)
        if value is UNSET:
            raise KeyError(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a field, or the default if it is absent."""
        return self[key] if key in self else default  # noqa: SIM401, this is what it stands for

    def __contains__(self, key: object) -> bool:
        name = _attributes(type(self)).get(key, "") if isinstance(key, str) else ""
        return getattr(self, name, UNSET) is not UNSET

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self._pairs())

    def __len__(self) -> int:
        return sum(1 for _ in self._pairs())

    def keys(self) -> KeysView[str]:
        """The names of the fields that are present."""
        return dict(self._pairs()).keys()

    def values(self) -> ValuesView[Any]:
        """The values of the fields that are present."""
        return dict(self._pairs()).values()

    def items(self) -> ItemsView[str, Any]:
        """Names and values of the fields that are present."""
        return dict(self._pairs()).items()

    def _pairs(self) -> Iterator[tuple[str, Any]]:
        for key, name in _attributes(type(self)).items():
            value = getattr(self, name)
            if value is not UNSET:
                yield key, value

    def as_dict(self) -> dict[str, Any]:
        """A copy made of dicts, lists, texts and numbers, for `json.dumps` and the like."""
        copied: dict[str, Any] = msgspec.to_builtins(self)
        return copied

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MappingStruct):
            other = dict(other._pairs())
        if isinstance(other, Mapping):
            return dict(self._pairs()) == other
        return NotImplemented


@cache
def _attributes(kind: type[MappingStruct]) -> dict[str, str]:
    """The attribute that holds each key; they differ where a key is a Python keyword."""
    return dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))


Mapping.register(MappingStruct)  # so that functions which take any mapping take it too

Fields: TypeAlias = Mapping[str, Any] | MappingStruct
"""A typed record, or a mapping with the same keys."""
