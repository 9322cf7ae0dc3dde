"""Types of the records, made by tools/record_types.py from `record.py`: for editors and mypy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class EditionRecord:
    """The components of a race, as kernels see it."""

    key: int
    """first eight bytes of the edition's hash"""
    least: NDArray[np.int64]
    """[3] minimum distance, units"""
    most: NDArray[np.int64]
    """[3] maximum distance, units; the 10 token's is the chariot's own"""
    pivot: NDArray[np.int64]
    """[3] greatest pivot, tenths of a degree"""
    test: NDArray[np.int64]
    """[3] modifier of the sub-move test"""
    grab: NDArray[np.int64]
    """[3] modifier of the grab test"""
    value_driver: int
    value_horse: int
    value_wreck: int
    value_body: NDArray[np.int64]
    """[3] below the first limit, from it on, from the second on"""
    body_limit: NDArray[np.int64]
    """[2] structure points"""
    value_wall: int
    ram_bonus: int
    hit_from: int
    """least face that hits"""
    bounce_back: int
    """units: initiator thrown back, target pushed, target thrown, initiator following"""
    bounce_push: int
    bounce_throw: int
    bounce_follow: int
    effects: NDArray[np.int64]
    """[8,8]"""
    scenarios: int
    closed: NDArray[np.int64]
    """[6]"""
    segments: NDArray[np.int64]
    """[6]"""
    length: NDArray[np.int64]
    """[6] of the centre line"""
    half_width: NDArray[np.int64]
    """[6]"""
    line: NDArray[np.int64]
    """[6] the starting line, from the beginning of the first segment"""
    lap: NDArray[np.int64]
    """[6] from line to finish: one lap, or the open course"""
    inside: NDArray[np.int64]
    """[6] +1: the innermost lane is on the left, -1: on the right"""
    half_long: NDArray[np.int64]
    """[6] base of a chariot; everything else follows from its width"""
    half_wide: NDArray[np.int64]
    """[6]"""
    seg_s: NDArray[np.int64]
    """[6,49] where each segment begins; the last entry is the length"""
    seg_x: NDArray[np.int64]
    """[6,48] its first point"""
    seg_y: NDArray[np.int64]
    """[6,48]"""
    seg_heading: NDArray[np.int64]
    """[6,48] at its first point"""
    seg_radius: NDArray[np.int64]
    """[6,48] 0 straight, > 0 turning left, < 0 turning right"""
    seg_angle: NDArray[np.int64]
    """[6,48] turned over the whole arc, positive"""
    seg_cx: NDArray[np.int64]
    """[6,48] centre of an arc"""
    seg_cy: NDArray[np.int64]
    """[6,48]"""
    obstacles: NDArray[np.int64]
    """[6]"""
    ob_x: NDArray[np.int64]
    """[6,12]"""
    ob_y: NDArray[np.int64]
    """[6,12]"""
    ob_heading: NDArray[np.int64]
    """[6,12]"""
    ob_half_long: NDArray[np.int64]
    """[6,12]"""
    ob_half_wide: NDArray[np.int64]
    """[6,12]"""
    ob_value: NDArray[np.int64]
    """[6,12] collision value"""
    ob_low: NDArray[np.int64]
    """[6,12] 1: at most half as high as horses, so that one may run over it"""
    ob_fixed: NDArray[np.int64]
    """[6,12] 1: never moves"""

    def __getitem__(self, field: str) -> Any: ...


class RaceRecord:
    """The running race, as kernels see it."""

    dice_to_come: NDArray[np.uint64]
    """[4] hidden from all: the random generator, and so the future"""
    seats: int
    chariots: int
    scenario: int
    laps: int
    must_leave: int
    """1: a driver on foot may not stay where others must avoid him (F5)"""
    turns: int
    """game turns; 1 is the first"""
    limit: int
    """the last game turn there can be (E1)"""
    starters: int
    finishers: int
    """how many have crossed the line so far"""
    over: int
    choices: int
    ask: int
    asked: int
    """seats that owe an answer, as bits"""
    ask_chariot: int
    """the chariot it is about"""
    ask_about: int
    """the other side: attacker, or what a roll is for"""
    reply: int
    first_die: int
    """dice that may be modified: from this one"""
    last_die: int
    """up to but not including this one"""
    die: NDArray[np.int64]
    """[16]"""
    passed: int
    """the last test"""
    stopped: int
    """a run-through came to a violent stop"""
    chain: int
    """collisions since the last voluntary action (M8)"""
    active: int
    """whose turn it is, NOTHING between turns"""
    moved: int
    """distance so far"""
    delta: int
    """sum of brakes, spurs and whips"""
    submoves: int
    """begun so far"""
    last_direction: int
    """of the last sub-move's translation"""
    spurred: int
    whipped: int
    attacks: int
    """announced so far"""
    attacks_on: NDArray[np.int16]
    """[12]"""
    may_attack: int
    """1: a sub-move has just been completed"""
    may_pivot: int
    """1: the run-through allows it"""
    announced: int
    """1: a test was passed for the sub-move to come. Only state hashes depend on it"""
    ended: int
    """1: the chariot turn is over but for its end"""
    seat: NDArray[np.int16]
    """[12]"""
    side: NDArray[np.int16]
    """[12] the team that its seat belongs to"""
    points: NDArray[np.int16]
    """[12,4]"""
    worn: NDArray[np.int16]
    """[12,8] modifiers of the tables; health has one, kept under OUT_HEALTH_ABOARD"""
    horses: NDArray[np.int16]
    """[12] alive"""
    dead: NDArray[np.int16]
    """[12] dead horses still attached"""
    cap: NDArray[np.int16]
    """[12] highest token still owned"""
    token: NDArray[np.int16]
    """[12] in the mug, or drawn; NOTHING before it is chosen. Secret until drawn"""
    drawn: NDArray[np.int16]
    """[12] 1: had its turn, or has it now"""
    locked: NDArray[np.int16]
    """[12] token last drawn: what a runaway goes on with (T7)"""
    top: NDArray[np.int16]
    """[12] units of its 10 token"""
    place: NDArray[np.int16]
    """[12] where the driver is"""
    reins: NDArray[np.int16]
    """[12] 1: held"""
    turned: NDArray[np.int16]
    """[12] chariot turns begun"""
    confused: NDArray[np.int16]
    """[12] out of control until the end of this turn of its own; 0: not"""
    stunned: NDArray[np.int16]
    """[12] the same for an unconscious driver"""
    climbed: NDArray[np.int16]
    """[12] the turn of its own in which he climbed on to the haft"""
    exhausted: NDArray[np.int16]
    """[12]"""
    wheel: NDArray[np.int16]
    """[12]"""
    whip: NDArray[np.int16]
    """[12]"""
    knife: NDArray[np.int16]
    """[12]"""
    luck: NDArray[np.int16]
    """[12] modifies left"""
    body: NDArray[np.int16]
    """[12] 1: it still has its chariot-body"""
    beast: NDArray[np.int16]
    """[12]"""
    bite: NDArray[np.int16]
    """[12]"""
    fright: NDArray[np.int16]
    """[12]"""
    home: NDArray[np.int16]
    """[12] crossed the line as the n-th; 0: not yet"""
    out: NDArray[np.int16]
    """[12] 1: eliminated"""
    progress: NDArray[np.int64]
    """[12] from the starting line, unwrapped; of an eliminated one: at that moment"""
    kind: NDArray[np.int16]
    """[48]"""
    x: NDArray[np.int64]
    """[48]"""
    y: NDArray[np.int64]
    """[48]"""
    heading: NDArray[np.int64]
    """[48]"""
    half_long: NDArray[np.int16]
    """[48]"""
    half_wide: NDArray[np.int16]
    """[48]"""
    way: NDArray[np.int64]
    """[48] progress of its centre, unwrapped: where to look for it on the track"""
    stack: NDArray[np.int16]
    """[161,10] see kernel/stack.py"""
    revision: int
    """the version of the rules it goes by, less 1. Known to all"""

    def __getitem__(self, field: str) -> Any: ...
