"""Bit tricks on uint64, in plain Python so that they also run with the compiler off.

LLVM recognises both patterns and emits the machine's own instructions (popcnt, tzcnt).
"""

from __future__ import annotations

from zerosum.games.kit.compile import INT, UINT, Word, helper

ONE = UINT(1)
EVERY_2ND = UINT(0x5555555555555555)
EVERY_4TH = UINT(0x3333333333333333)
EVERY_8TH = UINT(0x0F0F0F0F0F0F0F0F)
SUM_BYTES = UINT(0x0101010101010101)


@helper
def popcount(word: Word) -> int:
    """Number of bits set."""
    word = word - ((word >> UINT(1)) & EVERY_2ND)
    word = (word & EVERY_4TH) + ((word >> UINT(2)) & EVERY_4TH)
    word = (word + (word >> UINT(4))) & EVERY_8TH
    return INT((word * SUM_BYTES) >> UINT(56))


@helper
def lowest(word: Word) -> int:
    """Index of the lowest bit set; the word must not be 0."""
    return popcount((word - ONE) & ~word)


@helper
def drop_lowest(word: Word, count: int) -> Word:
    """The word without its lowest ``count`` bits that are set."""
    for _ in range(count):
        word &= word - ONE
    return word
