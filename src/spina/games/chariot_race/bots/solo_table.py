"""Tables of the solution for a plain chariot alone on the track of the reference edition, for the competent driver.

They are in parts of a round, by lap, space, speed, condition and fate. This source names the components they were
made for, which compiled drivers compare, and the digest of their file.
`python -m spina.games.chariot_race.bots.solo` writes all three.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spina.kernel.outside_tables import outside_table

FILE = Path(__file__).parent / "solo.npz"
PARTS = 500.0
"""Parts of a round."""
KNOWN = 3568444058360877207
"""Key of the edition without its individual chariots."""
DIGEST = "aa29e98bb237795542c5fe362a157332"
"""BLAKE2b digest of the file."""


def digest() -> str:
    """Digest of the file."""
    return hashlib.blake2b(FILE.read_bytes(), digest_size=16).hexdigest()


@outside_table
def solo_tables() -> NDArray[np.int16]:
    """The tables by board, in the order AA, AB, BA, BB, each as one row."""
    if digest() != DIGEST:
        raise ImportError(f"{FILE} is not the file that {__name__} was written for: install Spina anew")
    with np.load(FILE) as planes:
        tables: NDArray[np.int16] = (planes["high"].astype(np.uint16) << 8 | planes["low"]).astype(np.int16)
    return np.ascontiguousarray(tables.reshape(len(tables), -1))
