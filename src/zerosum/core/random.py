"""Random numbers from an explicit state: one uint64 word, so the same seed gives the same game everywhere.

The generator is SplitMix64 (Steele, Lea and Flood, 2014).
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, UINT, Word, Words, helper

GOLDEN = UINT(0x9E3779B97F4A7C15)
FIRST_MIX = UINT(0xBF58476D1CE4E5B9)
SECOND_MIX = UINT(0x94D049BB133111EB)


@helper
def mix(word: Word) -> Word:
    """A bijection on 64-bit words that spreads every bit over all others."""
    word = (word ^ (word >> UINT(30))) * FIRST_MIX
    word = (word ^ (word >> UINT(27))) * SECOND_MIX
    return word ^ (word >> UINT(31))


@helper
def random_word(rng: Words) -> Word:
    """The next 64 random bits."""
    rng[0] += GOLDEN
    return mix(rng[0])


@helper
def random_below(rng: Words, limit: int) -> int:
    """A random integer from 0 up to, not including, a limit below 2^32."""
    return INT(((random_word(rng) >> UINT(32)) * UINT(limit)) >> UINT(32))


@helper
def random_unit(rng: Words) -> float:
    """A random float from 0 up to, not including, 1."""
    return float(random_word(rng) >> UINT(11)) * (1.0 / 9007199254740992.0)


@helper
def hash_key(position: Words) -> Word:
    """A 64-bit key of a position's words."""
    key = GOLDEN
    for word in position:
        key = mix(key ^ word) + GOLDEN
    return key


def make_rng(*seeds: int | str) -> NDArray[np.uint64]:
    """A generator for kernels; different seeds, or the same in another order, are unrelated streams."""
    digest = hashlib.blake2b(repr(seeds).encode(), digest_size=8).digest()
    return np.frombuffer(digest, dtype=np.uint64).copy()
