"""Events of Chariotmaster from the rows that the kernels report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spina.games.chariotmaster.play import events as e
from spina.games.chariotmaster.play.actions import SIDES
from spina.games.chariotmaster.rules import event_kinds as t
from spina.games.chariotmaster.rules.record import (
    CHARIOTS,
    NOTHING,
    OBSTACLE,
    PACKED,
    PART_NAMES,
    POINT_NAMES,
    POINT_OF_PIVOT,
    TABLE_NAMES,
    TOKEN_NAMES,
)
from spina.games.game import Event


def _owner(chariot: int) -> int | None:
    return None if chariot == NOTHING else chariot


def _owner_of(piece: int) -> int | None:
    """The chariot that a piece is, or was a part of."""
    return piece % CHARIOTS if piece < OBSTACLE else None


def _tenths(units: int) -> float:
    """Millimetres, or degrees."""
    return units / 10


def _part(part: int) -> str:
    """The name of a part; the wall has none."""
    return PART_NAMES[part] if part != NOTHING else "object"


def _attacked(chariot: int, how: int, target: int, part: int, side: int) -> e.Attacked:
    """The event of an attack. Only an attack by boars has a side."""
    return e.Attacked(chariot, t.ATTACKS[how], target, _part(part), SIDES[side] if how == t.AT_BOARS else "")


def _dice(packed: int, count: int) -> tuple[int, ...]:
    return tuple(packed // PACKED**die % PACKED for die in range(count))


def _pose(facts: Sequence[int]) -> tuple[float, float, float]:
    x, y, heading = facts
    return _tenths(x), _tenths(y), _tenths(heading)


_Decoder = Callable[[int, Sequence[int]], Event]

_DECODERS: dict[int, _Decoder] = {
    t.GAME_TURN: lambda c, f: e.GameTurn(f[0]),
    t.CHOSE: lambda c, f: e.Chose(c, TOKEN_NAMES[f[0]], f[1]),
    t.DRAWN: lambda c, f: e.Drawn(c, TOKEN_NAMES[f[0]], bool(f[1]), bool(f[2])),
    t.ROLLED: lambda c, f: e.Rolled(c, t.ROLLS[f[0]], _dice(f[1], f[2])),
    t.ROLLED_BOTH: lambda c, f: e.RolledBoth(
        _owner(c), t.ROLLS[f[0]], _dice(f[1], f[2]), _owner(f[3]), _dice(f[4], f[5])
    ),
    t.MODIFIED: lambda c, f: e.Modified(c, f[0] + 1, f[1]),
    t.PAID: lambda c, f: e.Paid(c, f[0], t.PAYMENTS[f[1]]),
    t.LOST: lambda c, f: e.Lost(c, POINT_NAMES[f[0]], f[1]),
    t.OUT_OF: lambda c, f: e.OutOf(c, TABLE_NAMES[f[0]], f[1], f[2], f[3]),
    t.CHANGED: lambda c, f: e.Changed(c, t.ADJUSTMENTS[f[0]], _tenths(f[1]), _tenths(f[2]), _tenths(f[3])),
    t.TESTED: lambda c, f: e.Tested(c, t.TESTS[f[0]], f[1], f[2], f[3], bool(f[4])),
    t.MOVED: lambda c, f: e.Moved(_owner_of(f[0]), f[0], t.MOVES[f[1]], _tenths(f[2]), *_pose(f[3:6])),
    t.PIVOTED: lambda c, f: e.Pivoted(_owner_of(f[0]), f[0], _tenths(f[1]), *_pose(f[2:5])),
    t.TURNED_ROUND: lambda c, f: e.TurnedRound(c, POINT_OF_PIVOT[f[0]], float(f[1]), *_pose(f[2:5])),
    t.SKIDS: lambda c, f: e.Skids(c, _tenths(f[0])),
    t.COLLIDED: lambda c, f: e.Collided(
        _owner_of(f[0]), f[0], _part(f[1]), f[2], _part(f[3]), e.COLLISIONS[f[4]], f[5]
    ),
    t.HITS: lambda c, f: e.Hits(_owner(c), f[0], f[1], f[2], f[3]),
    t.BOUNCED: lambda c, f: e.Bounced(_owner_of(f[1]), f[0], f[1], f[2]),
    t.RAN_THROUGH: lambda c, f: e.RanThrough(_owner(c), f[0], f[1]),
    t.ATTACKED: lambda c, f: _attacked(c, *f[:4]),
    t.DEFENDED: lambda c, f: e.Defended(c, t.DEFENCES[f[0]], f[1]),
    t.VOID: lambda c, f: e.Void(c, f[0]),
    t.DUELLED: lambda c, f: e.Duelled(c, f[0], f[1], f[2]),
    t.BITTEN: lambda c, f: e.Bitten(c, f[0], f[1], f[2]),
    t.HORSE_DIED: lambda c, f: e.HorseDied(c, f[0]),
    t.LOST_TOKEN: lambda c, f: e.LostToken(c, TOKEN_NAMES[f[0]]),
    t.HURLED: lambda c, f: e.Hurled(c, _tenths(f[0])),
    t.PLACED: lambda c, f: e.Placed(c, _tenths(f[0]), _tenths(f[1])),
    t.FELL: lambda c, f: e.Fell(c, e.FALLS[f[0]]),
    t.CLIMBED: lambda c, f: e.Climbed(c, e.PURPOSES[f[0]]),
    t.DESTROYED: lambda c, f: e.Destroyed(_owner_of(f[0]), f[0]),
    t.ALIGNED: lambda c, f: e.Aligned(_owner_of(f[0]), f[0], _tenths(f[1]), *_pose(f[2:5])),
    t.CROSSED: lambda c, f: e.Crossed(c, f[0]),
    t.TURN_ENDS: lambda c, f: e.TurnEnds(c, _tenths(f[0])),
    t.FINISHED: lambda c, f: e.Finished(c, f[0]),
}
_BARE: dict[int, type[e.Of]] = {
    t.KEPT: e.Kept,
    t.LOST_CONTROL: e.LostControl,
    t.LOST_REINS: e.LostReins,
    t.STUNNED_NOW: e.StunnedNow,
    t.IS_EXHAUSTED: e.IsExhausted,
    t.WHEEL_LOOSE: e.WheelLoose,
    t.LOST_WHIP: e.LostWhip,
    t.LOST_KNIFE: e.LostKnife,
    t.CRASHED: e.Crashed,
    t.ENTANGLED: e.Entangled,
    t.DRIVER_DIED: e.DriverDied,
    t.GRABBED: e.Grabbed,
    t.CUT_FREE: e.CutFree,
    t.CUT_LOOSE: e.CutLoose,
    t.CLINGS: e.Clings,
    t.LEFT_TRACK: e.LeftTrack,
    t.RAN_OFF: e.RanOff,
    t.TEAM_GONE: e.TeamGone,
    t.STRUCK_OUT: e.StruckOut,
    t.ELIMINATED: e.Eliminated,
    t.STANDS: e.Stands,
    t.CONTROL_BACK: e.ControlBack,
    t.AWAKE: e.Awake,
    t.REMOVED: e.Removed,
}
"""Events that have no fields besides the chariot or piece."""


def event(row: Sequence[int]) -> Event:
    """The typed form of one row of a story."""
    kind, chariot, *facts = row
    return _BARE[kind](chariot) if kind in _BARE else _DECODERS[kind](chariot, facts)
