"""Solve files of Connect Four positions, one 'moves score' a line, and compare with the scores given.

    python benchmarks/connect4_solver.py ../shared/data/connect4/*

Each file is solved by a fresh solver that keeps its memory from line to line, with scores alone (no best
moves), as other solvers are measured. Exits with 1 if any score is wrong.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from zerosum.core.running.watch import NODES, Watch
from zerosum.games import make_game
from zerosum.search.exact.connect4.solver import Connect4Solver

COLUMNS = ("file", "positions", "right", "seconds", "mean ms", "mean nodes", "nodes/s")


def measure(path: Path) -> tuple[list[str], bool]:
    """The row of one file, and whether every score was right."""
    game = make_game("connect4")
    solver = Connect4Solver(game)
    watch = Watch()
    lines = path.read_text().split("\n")
    problems = [(moves, int(score)) for moves, score in (line.split() for line in lines if line.strip())]
    right = 0
    seconds = 0.0
    for moves, score in track(problems, path.name, console=Console(stderr=True)):
        state = game.new()
        state.play_moves(moves)
        began = time.perf_counter()
        right += solver.score(state.position, watch) == score
        seconds += time.perf_counter() - began
    count, nodes = len(problems), int(watch.counters[NODES])
    figures = [f"{count:,}", f"{right:,}", f"{seconds:.2f}", f"{1000 * seconds / count:.3f}"]
    return [path.name, *figures, f"{nodes / count:,.0f}", f"{nodes / seconds:,.0f}"], right == count


def main(names: list[str]) -> int:
    if not names:
        print(__doc__)
        return 2
    table = Table(*COLUMNS)
    all_right = True
    for name in names:
        row, right = measure(Path(name))
        table.add_row(*row)
        all_right &= right
    Console(width=110).print(table)
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
