"""The exact solution for a chariot alone on the track: the expected rounds with the best choices.

    solution = solve(spina.games.get("chariot-race").reference(), "AA")
    solution.starts          # expected rounds from each starting space
    solution.rounds(...)     # and from any other state at the start of a turn

A wrecked chariot never finishes, and a wreck can never be ruled out, as all dice may show sprints. So a wreck counts as
a number of further rounds that the caller chooses, and `chances_of_wreck` gives its probability. Run as a program, this
module writes the tables that the competent driver uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError
from spina.games.chariot_race.bots import solo_kernel, solo_table
from spina.games.chariot_race.components.edition import CHARIOT_NAMES, ChariotRaceEdition, reference
from spina.games.chariot_race.components.options import check
from spina.games.chariot_race.rules.record import EDITION, RACE
from spina.kernel.compiler import folder_of, ready
from spina.kernel.record import blank, look

WRECK = 20.0
"""Rounds that a wreck counts for by default: more than twice a race."""
CREDIT = 0.11
"""Rounds that a space beyond the line is worth to the competent driver: about the rounds that it takes."""
BOARDS = ("AA", "AB", "BA", "BB")


@dataclass(frozen=True)
class Solution:
    """Expected rounds to the finish for every state at the start of a turn."""

    edition: ChariotRaceEdition = field(repr=False)
    board: str
    kind: int
    wreck: float
    credit: float
    values: NDArray[np.float64] = field(repr=False, compare=False)
    """By lap + 1, space, speed, condition and fate; 0 for impossible states, such as condition 0."""
    residual: float
    """The greatest change of a value in the last iteration."""

    def rounds(self, space: str, *, lap: int, speed: int, condition: int, fate: int) -> float:
        """Expected rounds from one state. Before the line, in lap -1, only states from the grid on are solved."""
        return float(self.values[lap + 1, self.edition.space_numbers[space], speed, condition, fate])

    @property
    def starts(self) -> dict[str, float]:
        """Expected rounds from each starting space, with the starting values of the chariot."""
        return _at_starts(self.values, self.edition, self.kind)


def solve(
    edition: ChariotRaceEdition, board: str = "AA", *, kind: int = 0, wreck: float = WRECK, credit: float = 0.0
) -> Solution:
    """The exact solution for one kind of chariot (0 is the plain one). Raises OptionError.

    `wreck`: rounds that a wreck counts for. `credit`: rounds that each space beyond the line at the finish takes off, a
    lap being 32 spaces long, as the aim is not only to need few rounds but also to be far ahead in the last one.
    """
    board = str(check({"board": board})["board"])
    if kind not in range(len(CHARIOT_NAMES)):
        raise OptionError(f"a kind of chariot is a number from 0 to {len(CHARIOT_NAMES) - 1}, not {kind!r}")
    if not 0.0 <= wreck <= 1e6:
        raise OptionError(f"a wreck can count for 0 to 1,000,000 rounds, not {wreck!r}")
    if not 0.0 <= credit <= 1.0:
        raise OptionError(f"a space beyond the line can be worth 0 to 1 round, not {credit!r}")
    figures = look(edition.data, EDITION)
    shortest = int(figures["count"][: edition.lanes].min())
    if edition.most_speed[kind] >= shortest:
        raise OptionError(f"a lane of {shortest} spaces is too short for speed {edition.most_speed[kind]}")
    ready(folder_of(solo_kernel.solve))
    ends = edition.most_speed[kind], edition.most_condition[kind], edition.most_fate[kind]
    values = np.zeros((edition.laps + 1, edition.spaces, *(end + 1 for end in ends)))
    residual = solo_kernel.solve(edition.data, kind, _sides(board), float(wreck), float(credit), values)
    return Solution(edition, board, kind, float(wreck), float(credit), values, float(residual))


def chances_of_wreck(solution: Solution, step: float = 0.01) -> dict[str, float]:
    """The probability of a wreck from each starting space, with the choices of the solution.

    Expected rounds are the minimum over all policies of (rounds + probability of a wreck * rounds it counts for), so
    their derivative by the rounds that a wreck counts for is that probability.
    """
    edition, kind = solution.edition, solution.kind
    more, less = (
        solve(edition, solution.board, kind=kind, wreck=solution.wreck + change, credit=solution.credit).starts
        for change in (step, -step)
    )
    return {space: (more[space] - less[space]) / (2.0 * step) for space in more}


def race_alone(solution: Solution, races: int, *, seed: int = 0, place: int = 0) -> NDArray[np.int64]:
    """Race by the rules with the choices of the solution: rounds from a place of the grid, negative for a wreck."""
    ready(folder_of(solo_kernel.solve))
    rounds, table = np.zeros(races, np.int64), _in_parts(solution).ravel()
    sides = _sides(solution.board)
    solo_kernel.play(
        blank(RACE), solution.edition.data, place, sides, table, solution.wreck, np.uint64(seed), rounds
    )  # fmt: skip
    return rounds


def _sides(board: str) -> NDArray[np.int64]:
    return np.array([side == "B" for side in board], np.int64)


def _at_starts(values: NDArray[np.float64], edition: ChariotRaceEdition, kind: int) -> dict[str, float]:
    figures = look(edition.data, EDITION)
    first = tuple(int(figures[f"first_{track}"][kind]) for track in ("speed", "condition", "fate"))
    return {edition.space_names[space]: float(values[(0, space, *first)]) for space in edition.grid}


def _in_parts(solution: Solution) -> NDArray[np.int16]:
    """The table that drivers use, without the lap before the line."""
    return np.round(np.minimum(solo_table.PARTS * solution.values[1:], 2.0**15 - 1.0)).astype(np.int16)


# --- the file of the competent driver -------------------------------------------------------------------------------


def write_tables() -> Mapping[str, str]:
    """Solve the reference edition on all boards and write the file; return the constants for `solo_table.py`."""
    edition = reference()
    tables = np.stack([_in_parts(solve(edition, board, credit=CREDIT)) for board in BOARDS]).astype(np.uint16)
    np.savez_compressed(solo_table.FILE, high=(tables >> 8).astype(np.uint8), low=(tables & 0xFF).astype(np.uint8))
    return {"KNOWN": str(int(look(edition.data, EDITION).plain_key)), "DIGEST": f'"{solo_table.digest()}"'}


def main() -> None:
    """Write the file, and its edition and digest into the source, so that the drivers are recompiled."""
    source = Path(solo_table.__file__)
    text = source.read_text(encoding="utf-8")
    for name, value in write_tables().items():
        text = re.sub(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
    source.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
