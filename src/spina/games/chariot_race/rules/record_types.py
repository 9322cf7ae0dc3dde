"""Types of the records, made by tools/record_types.py from `record.py`: for editors and mypy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class EditionRecord:
    """The components of a race, as kernels see it."""

    key: int
    """first eight bytes of the edition's hash"""
    plain_key: int
    """the same without the individual chariots"""
    laps: int
    caltrops: int
    """markers in the supply"""
    repair_cost: int
    """fate for a repair, and the condition it mends at most"""
    repair_points: int
    fortune_cost: int
    """fate for a bought re-roll or a turned die"""
    ram_damage: int
    caltrop_damage: int
    javelin_damage: int
    javelin_range: int
    sprint_speed: int
    """speed that a sprint adds, and the damage it costs"""
    sprint_damage: int
    dice: int
    """dice in the box"""
    die: NDArray[np.int64]
    """[6] the side on each face"""
    length: int
    """units of one lap"""
    lanes: int
    first: NDArray[np.int16]
    """[6] number of the first space of each lane"""
    count: NDArray[np.int16]
    """[6] spaces in each lane"""
    spaces: int
    """spaces in all"""
    lane: NDArray[np.int16]
    """[160] lane of each space"""
    front: NDArray[np.int32]
    """[160] front border"""
    half: NDArray[np.int16]
    """[160] 0 or 1: the half board it lies on"""
    number: NDArray[np.int16]
    """[160] greatest safe speed, 0 where there is none"""
    heap: NDArray[np.int16]
    """[160] 1: a stone heap when its half board shows side B"""
    next: NDArray[np.int16]
    """[160,3] space entered straight ahead, inward, outward; NOTHING beyond the edge"""
    near: NDArray[np.int8]
    """[160,160] steps between two spaces over touching borders, up to javelin_range; else 0"""
    grid: NDArray[np.int16]
    """[6] starting spaces: front row from outside to inside, then the rear row"""
    most_speed: NDArray[np.int16]
    """[7]"""
    most_condition: NDArray[np.int16]
    """[7]"""
    most_fate: NDArray[np.int16]
    """[7]"""
    first_speed: NDArray[np.int16]
    """[7]"""
    first_condition: NDArray[np.int16]
    """[7]"""
    first_fate: NDArray[np.int16]
    """[7]"""
    dice_at: NDArray[np.int16]
    """[7,16] dice rolled at each speed"""
    speed_limit: NDArray[np.int16]
    """[7,16] greatest initial speed at each condition"""

    def __getitem__(self, field: str) -> Any: ...


class RaceRecord:
    """The running race, as kernels see it."""

    dice_to_come: NDArray[np.uint64]
    """[4] hidden from all: the random generator, and so the future"""
    seats: int
    chariots: int
    safe_finish: int
    """1: no damage to a chariot that has finished and completed its turn (R20)"""
    side: NDArray[np.int64]
    """[2] 1: the half board shows side B, with its heaps"""
    individual: int
    """1: the six individual chariots, drafted"""
    rounds: int
    """number of the round, from 1; 0 while chariots and starting spaces are chosen"""
    over: int
    choices: int
    """choices made so far"""
    order: NDArray[np.int16]
    """[6] chariots in the order of this round (or of the draft), NOTHING at the end"""
    revision: int
    """the rules that the race is run by: see REVISION"""
    at: int
    """index in `order` of the current turn"""
    chariot: int
    """the chariot whose turn it is"""
    stage: int
    die: NDArray[np.int16]
    """[5] sides that the dice show, sorted; NOTHING beyond the rolled ones"""
    rolled: int
    """dice rolled this turn"""
    steers: int
    """lane changes left"""
    points: int
    """steps left"""
    attacks: int
    """attack dice left"""
    began: int
    """space the turn began on"""
    entered: NDArray[np.int8]
    """[160] 1: entered in this turn"""
    seat: NDArray[np.int16]
    """[6] who drives it"""
    kind: NDArray[np.int16]
    """[6] 0 plain, 1 to 6 individual, NOTHING not drafted yet"""
    space: NDArray[np.int16]
    """[6] where it stands, NOTHING when not placed yet; a wreck: where it was destroyed"""
    lap: NDArray[np.int16]
    """[6] -1 on the grid; crossing the line adds one"""
    condition: NDArray[np.int16]
    """[6] 0: wrecked"""
    speed: NDArray[np.int16]
    """[6]"""
    fate: NDArray[np.int16]
    """[6]"""
    wrecked: NDArray[np.int16]
    """[6] 1: out of the race"""
    home: NDArray[np.int16]
    """[6] 1: has finished and completed that turn"""
    caltrop: NDArray[np.int8]
    """[160] 1: a marker lies there"""
    supply: int
    """markers left"""

    def __getitem__(self, field: str) -> Any: ...
