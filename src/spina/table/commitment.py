"""The promise that a race's chances were settled before the first choice: a hash that is shown, and revealed later."""

from __future__ import annotations

import hashlib


def commit(seed: int, salt: str) -> str:
    """The hash of a seed and its salt. Without the salt, whoever can count to 2**64 could find the seed."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()
