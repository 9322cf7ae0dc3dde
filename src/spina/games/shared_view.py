"""The part of a view that all games share."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from spina.games.mapping_struct import MappingStruct

_SET_BY_RACE: Any = UNSET
"""`Race.view` fills these fields in; the view that `Game.view` returns does not have them."""


class SharedView(MappingStruct, kw_only=True):
    """What a seat may know of a race of any game. A game's `View` derives from it and adds what is the game's own."""

    game: str = _SET_BY_RACE
    """The name of the game."""
    rules: int = _SET_BY_RACE
    """The version of the game's rules that the race uses."""
    edition: str = _SET_BY_RACE
    """The name of the edition."""
    seats: int = _SET_BY_RACE
    """How many seats the race has."""
    seat: int | None = _SET_BY_RACE
    """The seat that sees this; None: a spectator."""
    options: dict[str, Any] = _SET_BY_RACE
    """The options of the race, as `spina.new` completed them."""
    to_act: list[int] = _SET_BY_RACE
    """Seats that owe a choice now."""
    over: bool = _SET_BY_RACE
    """Whether the race has ended."""
    ranking: list[list[int]] = _SET_BY_RACE
    """Seats in the order of their places, ties together; before the end, the present standings."""


def completed(view: SharedView | dict[str, Any], shared: dict[str, Any]) -> Any:
    """A game's view with the fields that `Race.view` fills in."""
    if not isinstance(view, SharedView):
        return shared | view
    for name, value in shared.items():
        setattr(view, name, value)
    return view
