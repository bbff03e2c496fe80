"""Count every position of tic-tac-toe 3x3 and 4x4, beside the published figures.

Run: python benchmarks/positions.py (half a minute, 700 MB)
"""

from __future__ import annotations

from time import perf_counter

from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.search.enumerate.count import reachable

# positions, finished ones, different up to symmetry
PUBLISHED = {"tictactoe": (5_478, 958, 765), "tictactoe:4x4": (9_722_011, 659_392, 1_217_977)}

if __name__ == "__main__":
    for spec, published in PUBLISHED.items():
        started = perf_counter()
        found = reachable(make_game(spec), Watch(), limit=10_000_000)
        counts = (found.positions, found.finished.total, found.up_to_symmetry)
        verdict = "as published" if counts == published else f"published: {published}"
        print(f"{spec:14} {counts} {verdict}, {perf_counter() - started:.1f} s")
