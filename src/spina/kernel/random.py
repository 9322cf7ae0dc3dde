"""The random number generator of a race, kept in the race's record.

The generator is xoshiro256** by David Blackman and Sebastiano Vigna, seeded by their SplitMix64: four 64-bit
words, as the `dice` field of a race's record. Copying a race copies its future; `seed_dice` gives it another.

A seed of more than 64 bits, as tables have them, fills the four words through a cryptographic hash instead, so that
a player cannot find the seed by trying seeds against the dice rolled so far.
"""

from __future__ import annotations

import hashlib

import numpy as np

from spina.kernel.compiler import compiled_as, kernel, numba_forms
from spina.kernel.record import whole

SEED_BITS = 256
"""The longest seed of a race has as many bits as the generator's state."""
LARGEST_SEED = 2**SEED_BITS - 1
SHORT_SEED_BITS = 64
"""SplitMix64 expands seeds of at most this many bits. All seeds of simulations and studies are this short."""
LARGEST_SHORT_SEED = 2**SHORT_SEED_BITS - 1

_WORD = 0xFFFFFFFFFFFFFFFF
_GAMMA, _MIX_1, _MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_LOW_32, _TWO_32 = 0xFFFFFFFF, 1 << 32


@compiled_as(lambda: numba_forms().number_class(np.uint64))
def word(number):
    """A number modulo 2**64: unsigned 64 bits when compiled, an integer of Python when interpreted.

    Every product and every shift to the left goes through it, and every constant on the way: Numba would make a
    floating-point number of a word and a signed integer.
    """
    return int(number) & _WORD


@kernel
def mix(seed):
    """SplitMix64's output function: a one-to-one scramble of 64 bits."""
    scrambled = word(seed)
    scrambled = word((scrambled ^ (scrambled >> 30)) * word(_MIX_1))
    scrambled = word((scrambled ^ (scrambled >> 27)) * word(_MIX_2))
    return scrambled ^ (scrambled >> 31)


@kernel
def nth_seed(seed, n):
    """The n-th number (from 0) that SplitMix64 gives for this seed: an independent seed for each of many races."""
    return mix(word(seed) + word(word(_GAMMA) * (word(n) + word(1))))


@kernel
def seed_dice(dice, seed):
    """Set the generator as its authors recommend: from four numbers of SplitMix64."""
    for i in range(4):
        dice[i] = nth_seed(seed, i)


@kernel
def copy_dice(dice, source):
    """Set the generator to where another one stands."""
    for i in range(4):
        dice[i] = source[i]


@kernel
def next_word(dice):
    """The next 64 random bits."""
    a, b, c, d = word(dice[0]), word(dice[1]), word(dice[2]), word(dice[3])
    scaled = word(b * word(5))
    result = word((word(scaled << 7) | (scaled >> 57)) * word(9))
    shifted = word(b << 17)
    c ^= a
    d ^= b
    dice[0] = a ^ d
    dice[1] = b ^ c
    dice[2] = c ^ shifted
    dice[3] = word(d << 45) | (d >> 19)
    return result


@kernel
def below(dice, bound):
    """A number from 0 to bound - 1, each exactly as likely (Lemire's rejection method on 32 bits)."""
    limit = word(bound)
    product = (next_word(dice) >> 32) * limit
    low = product & word(_LOW_32)
    if low < limit:
        threshold = (word(_TWO_32) - limit) % limit
        while low < threshold:
            product = (next_word(dice) >> 32) * limit
            low = product & word(_LOW_32)
    return whole(product >> 32)


@kernel
def shuffle(dice, items, count):
    """Put the first `count` items into a random order, every order exactly as likely (Fisher and Yates)."""
    for i in range(count - 1, 0, -1):
        j = below(dice, i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


@kernel
def draw(dice, counts, kinds):
    """Take one thing at random out of a bag that is given as a count per kind. The bag must not be empty."""
    total = 0
    for kind in range(kinds):
        total += counts[kind]
    left = below(dice, total)
    for kind in range(kinds):
        left -= counts[kind]
        if left < 0:
            counts[kind] -= 1
            return kind
    return kinds


def nth_seeds(seed, numbers):
    """`nth_seed` for a whole array, from Python."""
    words = (numbers + np.uint64(1)) * np.uint64(_GAMMA) + np.uint64(seed)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(_MIX_1)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(_MIX_2)
    return words ^ (words >> np.uint64(31))


def new_dice(seed):
    """Fresh dice from a seed of up to 256 bits, from Python."""
    if seed > LARGEST_SHORT_SEED:
        return np.frombuffer(_hashed(seed, 32), np.dtype("<u8")).astype(np.uint64)
    return nth_seeds(seed, np.arange(4, dtype=np.uint64))


def short_seed(seed):
    """A seed of 64 bits made from a longer one: for dice that are not the race's, such as those of its drivers."""
    return int.from_bytes(_hashed(seed, 8), "little") if seed > LARGEST_SHORT_SEED else seed


def _hashed(seed, size):
    return hashlib.blake2b(seed.to_bytes(SEED_BITS // 8, "little"), digest_size=size, person=b"spina seed").digest()
