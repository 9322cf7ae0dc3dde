"""The promise that a race's chances were settled before the first choice: a hash that is shown, and revealed later."""

from __future__ import annotations

import hashlib

SEED_BITS = 128
"""Length of a table's seed: too long to be found by trying seeds against the dice that have fallen."""


def commit(seed: int, salt: str) -> str:
    """The hash of a seed and its salt. Seeds of 64 bits, as races had them before, can be found by counting; the
    salt keeps that from the hash."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()
