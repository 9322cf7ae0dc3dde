"""Shared by tests of collisions and attacks: obstacles and other targets, and short ways to run into them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spina.games.chariotmaster.components.edition import ChariotmasterEdition, parse, template
from spina.games.chariotmaster.rules.record import RACE, WALL
from spina.kernel.record import look

if TYPE_CHECKING:
    from conftest import Table

WRECK, FOOT, OBSTACLE = 12, 24, 36
"""Numbers of pieces: add the chariot's, or the obstacle's."""
THE_WALL = WALL
FAR_AWAY = {"progress": 1150, "offset": 50}
"""On the other straight, where a wreck is out of the way."""
FIRST = {"progress": 100, "offset": 0}
"""Where chariot 0 stands: x is 200 mm, y 0, its front at progress 120."""
RACES = {"points": 4, "fantasy": True}
SIXES, ONES = (6, 6, 6, 6), (1, 1, 1, 1)

# --- things ---------------------------------------------------------------------------------------------------------


def wreck(progress: float, offset: float = 0, **rest: Any) -> dict[str, Any]:
    """A chariot of which only the wreck is left."""
    spot = {"progress": progress, "offset": offset, "heading": rest.pop("heading", 0)}
    return {"driver": "dead", "horses": 0, "gone": True, "wreck": spot, **rest}


def walker(progress: float, offset: float = 0, **rest: Any) -> dict[str, Any]:
    """A chariot of which only the driver is left, on foot, and a wreck far away."""
    spot = {"progress": progress, "offset": offset}
    return {"driver": "on foot", "on_foot": spot, "horses": 0, "gone": True, "wreck": FAR_AWAY, "drawn": True, **rest}


def team(progress: float, offset: float = 0, **rest: Any) -> dict[str, Any]:
    """A team without a body and a driver, and a wreck far away."""
    return {"progress": progress, "offset": offset, "driver": "dead", "wreck": FAR_AWAY, "drawn": True, **rest}


def dragging(progress: float, offset: float = 0, **rest: Any) -> dict[str, Any]:
    """A team that drags its driver, and a wreck far away."""
    return team(progress, offset, **{"driver": "dragged", **rest})


@cache
def edition_with(*obstacles: str, wall: int = 4) -> ChariotmasterEdition:
    """The reference edition with obstacles on the Circus, and walls of this value."""
    text = template().replace("wall = { value = 4", f"wall = {{ value = {wall}")
    if obstacles:
        listed = "".join(f'  "{obstacle}",\n' for obstacle in obstacles)
        text = text.replace("[scenario.maximus]", f"obstacles = [\n{listed}]\n\n[scenario.maximus]")
    return parse(text, "with obstacles")


def obstacle(progress: float, offset: float, value: int, kind: str) -> str:
    """A square of 2 cm on the Circus, such as "low, fixed"."""
    return f"stone at {progress / 10 + 10:g}, offset {offset / 10:g}, 2 x 2, heading 0, value {value}, {kind}"


# --- many dice at once ----------------------------------------------------------------------------------------------

CANDIDATES = 1 << 18
_NINTH, _FIFTH = (np.uint64(pow(factor, -1, 1 << 64)) for factor in (9, 5))


def _turned(words: Any, left: int) -> Any:
    return (words << np.uint64(left)) | (words >> np.uint64(64 - left))


def _words(raw: NDArray[np.uint64], bound: int, wanted: int) -> Any:
    """Outputs of the generator that give this number below this bound."""
    first, last = -(-(wanted << 32) // bound) + 1, ((wanted + 1) << 32) // bound
    high = np.uint64(first) + (raw >> np.uint64(32)) % np.uint64(last - first)
    return (high << np.uint64(32)) | (raw & np.uint64(0xFFFFFFFF))


@cache
def generator_for(lots: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """A state of the generator that gives these numbers below these bounds: the first four words can be chosen."""
    source = np.random.default_rng(1)
    for _ in range(2000):
        with np.errstate(over="ignore"):
            raw = source.integers(0, 1 << 64, size=(4, CANDIDATES), dtype=np.uint64)
            words = [_words(raw[i], *lots[i]) if i < len(lots) else raw[i] for i in range(4)]
            one, two, three, four = (_turned(word * _NINTH, 57) * _FIFTH for word in words)
            shift = np.uint64(17)
            both = three ^ (one << shift)
            s3 = _turned(four ^ (two << shift) ^ both ^ one, 19) ^ one
            state = [both ^ s3, one, one ^ two ^ both ^ s3, s3]
            begun = [word.copy() for word in state]
            fits = np.ones(CANDIDATES, bool)
            for bound, wanted in lots:
                word = _turned(state[1] * np.uint64(5), 7) * np.uint64(9)
                shifted = state[1] << shift
                state[2] = state[2] ^ state[0]
                state[3] = state[3] ^ state[1]
                state[1] = state[1] ^ state[2]
                state[0] = state[0] ^ state[3]
                state[2] = state[2] ^ shifted
                state[3] = _turned(state[3], 45)
                product = (word >> np.uint64(32)) * np.uint64(bound)
                fits &= ((product >> np.uint64(32)) == wanted) & ((product & np.uint64(0xFFFFFFFF)) >= bound)
        if fits.any():
            found = int(np.argmax(fits))
            return tuple(int(word[found]) for word in begun)
    raise AssertionError(f"no generator gives {lots}")


def faces(count: int, sixes: int) -> tuple[int, ...]:
    """This many dice, of which `sixes` are sixes."""
    return SIXES[:sixes] + ONES[: count - sixes]


def let_fall(t: Table, *faces: Any) -> Table:
    """Like `Table.dice`, but for up to a dozen dice."""
    if faces:
        look(t.race._bytes, RACE).dice_to_come[:] = generator_for(t._lots(faces))
    return t


# --- running into them ----------------------------------------------------------------------------------------------


def slide(table: type[Table], *chariots: dict[str, Any], dice: tuple[Any, ...] = (), **rest: Any) -> Table:
    """Chariot 0 fails the test for its second sub-move and is about to skid, 50 mm ahead unless said otherwise.

    The dice are those that fall once it slides.
    """
    driving = {"submoves": 1, "moved": 50, "direction": 0, **rest.pop("driving", {})}
    t = let_fall(table(*chariots, driving=driving, **rest), 6, *dice).play("announce")
    while t.question == "modify":
        t.play("pass")
    assert t.question == "skid"
    return t


def crash(table: type[Table], *chariots: dict[str, Any], dice: tuple[Any, ...] = (), **rest: Any) -> Table:
    """The same, and it slides."""
    return slide(table, *chariots, dice=dice, **rest).play("go")


def strike(table: type[Table], *chariots: dict[str, Any], dice: tuple[Any, ...] = (), **rest: Any) -> Table:
    """Chariot 0 has just completed a sub-move of 50 mm and is asked whether to attack."""
    driving = {"submoves": 1, "moved": 50, "may_attack": True, **rest.pop("driving", {})}
    return let_fall(table(*chariots, driving=driving, **rest), *dice)


def poke(t: Table, **values: Any) -> None:
    """Change the record directly, for states that no position can describe."""
    state = look(t.race._bytes, RACE)
    for name, value in values.items():
        if isinstance(value, dict):
            for key, number in value.items():
                state[name][key] = number
        else:
            state[name] = value


# --- looking --------------------------------------------------------------------------------------------------------


def pose(t: Table, piece: int) -> tuple[float, float, float]:
    """Millimetres and degrees of a piece."""
    found = t.piece(piece)
    assert found is not None, f"piece {piece} is gone"
    return found["x"] / 10, found["y"] / 10, found["heading"] / 10
