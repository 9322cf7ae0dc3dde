"""Two domains of seeds: one for tuning, training and comparisons, one for proofs. No race belongs to both.

The seed of race n of a study is a bijection (SplitMix64's output function) of `seed + STEP * (n + 1)` modulo 2**64.
STEP is odd, so all studies walk along one cycle of 2**64 positions: position p is the counter `STEP * p`, and the study
with a seed has the positions after the one of its seed. The positions from FIRST on are kept for proofs, in RANGES
ranges of RANGE positions each. Different positions are different race seeds: a study of another seed has no race of a
proof, and two proof ranges have no race in common.
"""

from __future__ import annotations

from spina.errors import OptionError
from spina.games.editions import shown

STEP = 0x9E3779B97F4A7C15
"""SplitMix64's increment, as in `spina.kernel.random`."""
WORDS = 2**64
FIRST = 2**63
"""The position before the first of the proofs."""
RANGE = 2**20
"""Positions of one proof range, and so the most races of a proof."""
RANGES = 2**20
_INVERSE = pow(STEP, -1, WORDS)


def position(seed: int) -> int:
    """The position of a study's seed on the cycle; its race n has the position n + 1 further on."""
    return seed * _INVERSE % WORDS


def seed_of(proof: int) -> int:
    """The seed of a proof range. Raises OptionError."""
    if isinstance(proof, bool) or not isinstance(proof, int) or not 1 <= proof <= RANGES:
        raise OptionError(f"proof ranges have the numbers 1 to {RANGES:,}, not {shown(proof)}")
    return STEP * (FIRST + (proof - 1) * RANGE) % WORDS


def positions(proof: int, races: int) -> tuple[int, int]:
    """The first and the last position of a proof with this many races. Raises OptionError."""
    if races > RANGE:
        raise OptionError(f"a proof has at most {RANGE:,} races, not {races:,}")
    begin = position(seed_of(proof))
    return begin + 1, begin + races


def proof_with(seed: int, races: int) -> int | None:
    """The first proof range that has some of these races; None if none has."""
    ahead = (position(seed) - FIRST) % WORDS
    if ahead < RANGE * RANGES:
        return 1 + ahead // RANGE
    return 1 if ahead + races > WORDS else None


def check_free(seed: int, races: int) -> None:
    """Raises OptionError if races that choose something (tuning, training, comparisons) would be races of a proof."""
    found = proof_with(seed, races)
    if found is not None:
        raise OptionError(
            f"seed {seed} belongs to proof range {found}, whose races must choose nothing: tuning, training and "
            "comparisons take another seed, such as 1; a proof is raced with --proof"
        )
