"""The random number generator: the same numbers everywhere, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.core.random import hash_key, make_rng, random_below, random_unit, random_word

pytestmark = pytest.mark.plain_python


def splitmix(state: int, count: int) -> list[int]:
    """SplitMix64 in whole numbers of any size, from the authors' description."""
    words = []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        word = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
        words.append(word ^ (word >> 31))
    return words


@pytest.mark.parametrize("seed", [0, 1, 1234567, 2**63, 2**64 - 1])
def test_the_words_are_those_of_splitmix64(seed: int) -> None:
    rng = np.array([seed], dtype=np.uint64)
    assert [int(random_word(rng)) for _ in range(100)] == splitmix(seed, 100)


@pytest.mark.parametrize("limit", [1, 2, 7, 225, 13729])
def test_numbers_below_a_limit_are_the_top_bits_scaled(limit: int) -> None:
    rng = np.array([5], dtype=np.uint64)
    assert [int(random_below(rng, limit)) for _ in range(100)] == [
        (word >> 32) * limit >> 32 for word in splitmix(5, 100)
    ]


def test_unit_numbers_fill_the_range_evenly() -> None:
    rng = make_rng("unit", 1)
    drawn = np.array([random_unit(rng) for _ in range(4000)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    counts = np.histogram(drawn, bins=10, range=(0.0, 1.0))[0]
    assert np.abs(counts - 400).max() < 5 * np.sqrt(400)


def test_seeds_and_their_order_give_unrelated_streams() -> None:
    seeds: list[tuple[int | str, ...]] = [(0,), (1,), (0, 1), (1, 0), ("0",), ("a", 0)]
    streams = {int(random_word(make_rng(*seed))) for seed in seeds}
    assert len(streams) == len(seeds)
    assert np.array_equal(make_rng("a", 0), make_rng("a", 0))


def test_a_key_depends_on_every_word_and_its_place() -> None:
    positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [2**63, 0, 0], [0, 0]]
    keys = {int(hash_key(np.array(words, dtype=np.uint64))) for words in positions}
    assert len(keys) == len(positions)
