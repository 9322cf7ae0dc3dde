"""Array arguments of kernels: no references are counted where none are needed, and none are missing where they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spina.kernel import compiler as switch

pytestmark = pytest.mark.skipif(switch.INTERPRETED, reason="nothing is compiled when interpreting")

MODULE = '''
import re
from pathlib import Path
from typing import NamedTuple
import numpy as np
from numba.core.runtime import rtsys
from spina.kernel import linker
from spina.kernel.compiler import entry, kernel, ready
from spina.kernel.signatures import INT, NUMBERS

SIZE = 1000

class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray

@kernel
def total(numbers, skipped):
    found = 0
    for i in range(len(numbers)):
        held = numbers
        if held[i] != skipped:
            found += held[i]
    return found

@kernel
def total_of(pair, skipped):
    """Swaps variables that hold arguments."""
    one, other = pair
    for _ in range(skipped):
        one, other = other, one
    return total(one, skipped) - total(other, skipped) + total(pair.first, 0)

@kernel
def tail(numbers):
    return numbers[1:]

@kernel
def swapped(pair):
    return Pair(pair.second, tail(pair.first))

@kernel
def last_of(numbers):
    """Gives an argument's variable an array of its own, and keeps a part of that."""
    numbers = tail(numbers + 1)
    overwrite()
    return numbers[len(numbers) - 1]

@kernel
def overwrite():
    """Takes memory of the size that was freed last, if any was, and writes to it."""
    found = 0
    for i in range(20):
        found += np.full(SIZE, i)[i]
    return found

@entry(INT(NUMBERS, INT))
def borrow(numbers, skipped):
    return total_of(Pair(numbers, numbers), skipped) + total(numbers, skipped)

@entry(INT(INT))
def keep(count):
    """The only references to three arrays are those that kernels return."""
    found = 0
    for i in range(count):
        kept = tail(np.full(SIZE, i))
        pair = swapped(Pair(np.full(SIZE, i + 1), np.full(SIZE, i + 2)))
        overwrite()
        found += total(kept, -1) + total_of(pair, 1) + last_of(np.full(SIZE, i))
        found += total(pair.second, -1)
    return found

link, counting = linker.LinkedLibrary.link, {}

def watched(library, entries):
    code = link(library, entries)
    for function in library._final_module.functions:
        if function.name in code.symbols and "cpython" not in function.name:
            changes = re.findall("atomicrmw|@NRT_(?:inc|dec)ref", str(function))
            counting["borrow" if "borrow" in function.name else "keep"] = len(changes)
    return code

linker.LinkedLibrary.link = watched
ready(Path(__file__).parent)
numbers = np.arange(SIZE)
before = rtsys.get_allocation_stats()
print(borrow(numbers, 3) == borrow.py_func(numbers, 3), keep(50) == keep.py_func(50))
after = rtsys.get_allocation_stats()
print(after.alloc - before.alloc == after.free - before.free, after.alloc > before.alloc)
print(counting["borrow"] == 0, counting["keep"] > 0)
'''


@pytest.mark.slow
def test_references_are_counted_where_an_array_outlives_its_call_and_nowhere_else(tmp_path: Path) -> None:
    """A returned part of an argument keeps its memory, all memory is freed, and borrowed arrays are not counted."""
    folder = tmp_path / "borrowing_game"
    folder.mkdir()
    (folder / "rules.py").write_text(MODULE)
    environment = {**os.environ, "SPINA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_NRT_STATS": "1"}
    process = subprocess.run(
        [sys.executable, str(folder / "rules.py")], env=environment, capture_output=True, text=True, check=True
    )
    assert process.stdout.split() == ["True"] * 6
