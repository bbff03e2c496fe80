"""Bit tricks on uint64, in plain Python so that they also run with the compiler off.

LLVM recognises both patterns and emits the machine's own instructions (popcnt, tzcnt).
"""

from __future__ import annotations

from zerosum.core.compiling.compile import INT, UINT, Word, Words, helper, part

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


@part
def copy_words(source: Words, target: Words) -> None:
    """Make the target hold the same words, without the memory that ``target[:] = source`` may ask for."""
    for word in range(len(source)):
        target[word] = source[word]


@helper
def has_bit(words: Words, first_word: int, bit: int) -> bool:
    """Whether a bit is set in the board of any size that begins at a word."""
    return (words[first_word + (bit >> 6)] >> UINT(bit & 63)) & ONE != UINT(0)


@helper
def set_bit(words: Words, first_word: int, bit: int) -> None:
    """Set a bit in the board that begins at a word."""
    words[first_word + (bit >> 6)] |= ONE << UINT(bit & 63)


@helper
def list_free(words: Words, first_board: int, second_board: int, size: int, found: Words) -> int:
    """List the bits below ``size`` that are set on neither of two boards, ascending; returns how many."""
    count = 0
    for word in range((size + 63) >> 6):
        free = ~(words[first_board + word] | words[second_board + word])
        for bit in range(64 * word, min(64 * word + 64, size)):
            found[count] = bit  # overwritten unless the bit is free: no branch to guess wrong
            count += INT(free & ONE)
            free >>= ONE
    return count
