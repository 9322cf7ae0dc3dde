"""Hash commitment to the seed: published before the first choice, opened after the race."""

from __future__ import annotations

import hashlib

SEED_BITS = 128
"""Length of a table's seed: too long for a brute-force search against the dice rolled so far."""


def commit(seed: int, salt: str, start: str | None = None) -> str:
    """The hash of a seed and its salt, and of the fingerprint of where the race begins, if that is not the start.

    Seeds of 64 bits, which older races and those from a position have, could be found by brute force; the salt prevents
    that.
    """
    parts = [str(seed), salt] if start is None else [str(seed), salt, start]
    return hashlib.sha256(":".join(parts).encode()).hexdigest()
