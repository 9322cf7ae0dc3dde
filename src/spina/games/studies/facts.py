"""Facts: what a study knows of races, in two tables of columns, one row for each race and one for each chariot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spina.errors import OptionError

Column = NDArray[Any]
Columns = dict[str, Column]


@dataclass(frozen=True)
class Facts:
    """Two tables as columns. A chariot's `race` is the row of its race in the other table."""

    races: Columns
    chariots: Columns

    def __len__(self) -> int:
        return len(self.races["turns"])

    def of_races(self, wanted: NDArray[np.bool_]) -> Facts:
        """Only these races, with their chariots."""
        row = np.cumsum(wanted) - 1
        kept = wanted[self.chariots["race"]]
        chariots = {name: column[kept] for name, column in self.chariots.items()}
        chariots["race"] = row[chariots["race"]]
        return Facts({name: column[wanted] for name, column in self.races.items()}, chariots)

    def labelled(self, label: str) -> Facts:
        """The races of the set-up with this label."""
        return self.of_races(self.races["label"] == label)

    def by_race(self, column: Column) -> NDArray[np.float64]:
        """A column of the chariots summed over each race."""
        total = np.zeros(len(self))
        np.add.at(total, self.chariots["race"], column)
        return total


def joined(parts: Sequence[Facts]) -> Facts:
    """All races of several parts. Columns that are not in every part are dropped."""
    if not parts:
        raise OptionError("no races: a study needs at least one")
    shared_races = [name for name in parts[0].races if all(name in part.races for part in parts)]
    shared = [name for name in parts[0].chariots if all(name in part.chariots for part in parts)]
    races = {name: np.concatenate([part.races[name] for part in parts]) for name in shared_races}
    chariots = {name: np.concatenate([part.chariots[name] for part in parts]) for name in shared}
    before = np.cumsum([0, *[len(part) for part in parts[:-1]]])
    rows = [part.chariots["race"] + start for part, start in zip(parts, before, strict=True)]
    chariots["race"] = np.concatenate(rows)
    return Facts(races, chariots)
