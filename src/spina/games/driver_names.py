"""Names for drivers whom nobody has named: men who won fame in the circus."""

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
    """A name for each seat: always the same, so that a race is told the same when it is replayed."""
    return list(CHARIOTEERS[:seats])
