"""Prove all 49 bricks of Brick Tic-Tac-Toe, and the plain boards beside them.

Run: python benchmarks/bricks.py
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from zerosum.core.running.watch import NODES, Watch
from zerosum.games import make_game
from zerosum.search.exact.lines.solver import LineSolver, solve_lines
from zerosum.search.exact.solution import VALUE_NAMES, WIN

PLAIN = ("mnk:7x7x4", "mnk:6x6x4", "mnk:6x5x4", "mnk:5x5x4", "tictactoe:4x4", "tictactoe:4x4x3")


def prove_bricks() -> None:
    """One solver for all: a brick that mirrors an earlier one is recognised by its key."""
    game = make_game("brick:random")
    rows, columns = game.shape
    solver = LineSolver(game)
    watch = Watch()
    winning = []
    begin = perf_counter()
    print("brick  result  move  seconds    nodes")
    for cell in range(game.num_cells):
        position = np.zeros(game.position_words, dtype=np.uint64)
        position[2] = 1 << cell
        started = perf_counter()
        solution = solver.solve(position, watch)
        seconds = perf_counter() - started
        move = game.notation.name(solution.best[0])
        winning.append(move if solution.value == WIN else VALUE_NAMES[solution.value])
        name = game.notation.name(cell)
        print(f"{name:5}  {VALUE_NAMES[solution.value]:6}  {move:4}  {seconds:7.2f}  {solution.nodes:7,}")
    total = perf_counter() - begin
    print("\nA winning first move for a brick on each cell:")
    for row in range(rows):
        print("  " + " ".join(winning[row * columns : (row + 1) * columns]))
    proven = sum(len(move) == 2 for move in winning)
    print(f"\n{proven} of {game.num_cells} proven wins in {total:.1f} s, {watch.counters[NODES]:,} nodes\n")


def prove_plain_boards() -> None:
    for spec in PLAIN:
        game = make_game(spec)
        started = perf_counter()
        solution = solve_lines(game, game.new().position, Watch())
        seconds = perf_counter() - started
        best = " ".join(game.notation.name(action) for action in solution.best)
        print(f"{spec:15} {VALUE_NAMES[solution.value]:5} {seconds:6.2f} s {solution.nodes:8,} nodes  {best}")


if __name__ == "__main__":
    prove_bricks()
    prove_plain_boards()
