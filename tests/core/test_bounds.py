"""Kernels with bounds checks: ``./zerosum test --bounds`` runs all of them so, this a sample."""

from __future__ import annotations

import os
import subprocess
import sys

from zerosum.core.compiling.cache import PACKAGE

# A kernel that reads past the end must be noticed, or the rest of the program would show nothing.
PROGRAM = """
import numpy as np
from zerosum.core.compiling.compile import int_type, kernel, words_type
from zerosum.games import make_game
from zerosum.search.enumerate.count import perft
from zerosum.core.running.watch import Watch

@kernel(int_type(words_type, int_type))
def read_word(words, place):
    return words[place]

try:
    read_word(np.zeros(3, np.uint64), 3)
    print("unnoticed")
except IndexError:
    print("noticed")
for spec, depth in (("connect4", 5), ("brick:random", 3), ("othello:6x6", 5)):
    game = make_game(spec)
    print(perft(game, game.new().position, depth, Watch()))
"""


def run(**environment: str) -> list[str]:
    here = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **environment}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_sample_of_kernels_stays_within_bounds() -> None:
    noticed, *counts = run(NUMBA_BOUNDSCHECK="1")
    assert noticed == "noticed"
    assert counts == ["16807", "103776", "1364"]
