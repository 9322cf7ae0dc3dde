"""Names of chariots and other pieces of Chariotmaster in notation, messages and views."""

from __future__ import annotations

from spina.errors import NotationError
from spina.games.chariotmaster.play.refusals import say
from spina.games.chariotmaster.rules.record import CHARIOTS, DRIVER_OF, OBSTACLE, OBSTACLES, PIECES, WALL, WRECK_OF
from spina.games.factions import FACTIONS
from spina.games.notation import shortened

COLOURS = tuple(f.name for f in FACTIONS) + tuple(f"{f.name}-2" for f in FACTIONS)
"""Names of the chariots, by number."""


def piece_name(piece: int) -> str:
    """The name of a piece: "red", "wreck of red", "driver of red", "obstacle 1", "the wall"."""
    if 0 <= piece < CHARIOTS:
        return COLOURS[piece]
    if WRECK_OF <= piece < DRIVER_OF:
        return f"wreck of {COLOURS[piece - WRECK_OF]}"
    if DRIVER_OF <= piece < OBSTACLE:
        return f"driver of {COLOURS[piece - DRIVER_OF]}"
    if OBSTACLE <= piece < PIECES:
        return f"obstacle {piece - OBSTACLE + 1}"
    if piece == WALL:
        return "the wall"
    raise ValueError(f"there is no piece {piece}: they are numbered 0 to {WALL}")


PIECE_NAMES = tuple(piece_name(piece) for piece in range(PIECES))
"""By number; the wall is not one of them."""


def piece_number(name: str) -> int:
    """The number of the piece with this name. Raises NotationError."""
    if name not in PIECE_NAMES:
        raise NotationError(
            say("chariotmaster.no-piece", name=shortened(name), colours=", ".join(COLOURS), obstacles=OBSTACLES)
        )
    return PIECE_NAMES.index(name)
