"""Hash commitment to the seed: published before the first choice, opened after the race."""

from __future__ import annotations

import hashlib

SEED_BITS = 128
"""Length of a table's seed: too long for a brute-force search against the dice rolled so far."""


def commit(seed: int, salt: str) -> str:
    """The hash of a seed and its salt. Seeds of 64 bits, which older races have, could be found by brute force; the
    salt prevents that."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()
