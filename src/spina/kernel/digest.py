"""State hashes: two races are equal when their records are."""

from __future__ import annotations

import numpy as np

from spina.kernel.compiler import kernel
from spina.kernel.random import mix, word

_START = 0x5350494E41  # "SPINA"
_PRIME = 0x100000001B3


@kernel
def digest(data):
    """A 64-bit hash of a record's bytes, the same on every machine with the same byte order."""
    words = data.view(np.uint64)
    state = word(_START)
    for i in range(len(words)):
        state = word(mix(state ^ word(words[i])) * word(_PRIME))
    return state
