"""Default names of drivers: famous charioteers of antiquity."""

from __future__ import annotations

CHARIOTEERS = (
    "Felix",
    "Diocles",
    "Crescens",
    "Scorpus",
    "Porphyrius",
    "Polynices",
    "Fuscus",
    "Calpurnianus",
    "Teres",
    "Musclosus",
    "Epaphroditus",
    "Thallus",
)


def charioteers(seats: int) -> list[str]:
    """A name for each seat, always the same, so that a replay tells the same story."""
    return list(CHARIOTEERS[:seats])
