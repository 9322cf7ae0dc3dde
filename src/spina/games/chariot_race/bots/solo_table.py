"""Tables of the solution for a plain chariot alone on the track of the reference edition, for the competent driver.

They are in parts of a round, by lap, space, speed, condition and fate. The compiled driver contains the tables, so
this source names the components they were made for and the digest of their file.
`python -m spina.games.chariot_race.bots.solo` writes all three.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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


def _read() -> NDArray[np.int16]:
    if digest() != DIGEST:
        raise ImportError(f"{FILE} is not the file that {__name__} was written for: install Spina anew")
    with np.load(FILE) as planes:
        tables: NDArray[np.int16] = (planes["high"].astype(np.uint16) << 8 | planes["low"]).astype(np.int16)
    return tables


TABLES = _read()
"""By board, in the order AA, AB, BA, BB."""
TABLE_AA, TABLE_AB, TABLE_BA, TABLE_BB = (table.ravel() for table in TABLES)
"""Separate arrays, as Numba does not cache code that contains an array of more than a megabyte."""
