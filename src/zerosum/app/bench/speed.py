"""What ``zerosum bench`` measures: each function gives rows of name, ours, peer and ratio.

Rates are the best of several rounds, ours and the peer's in turn, one core each, so that a noisy
moment of the machine hits both alike.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from time import perf_counter

from zerosum.app.bench.figures import Row
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.players.common.registry import make_player
from zerosum.search.exact.solve import solve_with
from zerosum.search.tree.uct import TreeSearch

ROUNDS = 5
EXPLORATION = math.sqrt(2)

# Our game, OpenSpiel's, simulations of ours and of theirs (each takes a few tenths of a second), and how many
# times as fast ours is to be.
PEERS = (
    ("tictactoe", "tic_tac_toe", 300_000, 200_000, 2.0),
    ("connect4", "connect_four", 300_000, 30_000, 10.0),
    ("mnk:7x7x4", "mnk(m=7,n=7,k=4)", 200_000, 2_000, 10.0),
    ("othello", "othello", 50_000, 1_000, 10.0),
)
ALONE = (("othello:6x6", 50_000), ("qubic", 100_000), ("gomoku", 10_000), ("blokus", 2_000))

# BRICK, Table 5: seconds a move from the start, on an NVIDIA 2080 RTX.
BRICK_TABLE_5 = (("random", 0.000006), ("mcts:1000", 1.88), ("mcts:10000", 18.8), ("minimax:2", 0.97))
MOVES_TIMED = 100

# Solver, game, and how many random moves to play first, so that it is busy for about a second.
SOLVED_ROUNDS = 3
SOLVED = (
    ("connect4", "connect4", 9),
    ("othello", "othello", 42),
    ("lines", "brick:D4", 0),
    ("exhaustive", "tictactoe:4x4", 0),
)


def our_uct_rate(game: Game, simulations: int, seed: int) -> float:
    """Simulations a second of our UCT with random rollouts, from the start position."""
    search = TreeSearch(game, EXPLORATION)
    position = game.new(seed).position
    search.run(position, simulations // 10, make_rng("warm", seed))  # memory is touched, code is loaded
    search.forget()
    start = perf_counter()
    search.run(position, simulations, make_rng("bench", seed))
    return simulations / (perf_counter() - start)


def uct_beside_openspiel(peer_rate: Callable[[str, int, float, int], float], seed: int) -> Iterator[Row]:
    """Ours and OpenSpiel's in turn; ``peer_rate`` is that of its adapter."""
    for ours, theirs, our_simulations, their_simulations, times in PEERS:
        game = make_game(ours)
        rates = [
            (
                our_uct_rate(game, our_simulations, seed),
                peer_rate(theirs, their_simulations, EXPLORATION, seed),
            )
            for _ in range(ROUNDS)
        ]
        best_ours, best_theirs = (max(rate) for rate in zip(*rates, strict=True))
        yield Row(f"UCT {ours}", "simulations/s", best_ours, best_theirs, "OpenSpiel C++", times)


def uct_alone(seed: int) -> Iterator[Row]:
    for spec, simulations in ALONE:
        game = make_game(spec)
        yield Row(
            f"UCT {spec}", "simulations/s", max(our_uct_rate(game, simulations, seed) for _ in range(ROUNDS))
        )


def seconds_a_move(seed: int) -> Iterator[Row]:
    """BRICK's runtime analysis: mean time of a move from the start, over 100 moves."""
    game = make_game("brick:D4")
    view = game.new(seed).view()
    for spec, published in BRICK_TABLE_5:
        player = make_player(spec, game)
        player.choose(view)
        spent = 0.0
        for number in range(MOVES_TIMED):
            player.new_game(number)
            start = perf_counter()
            player.choose(view)
            spent += perf_counter() - start
        yield Row(f"{spec} on brick:D4", "s/move", spent / MOVES_TIMED, published, "BRICK, Table 5")


def solver_rates(seed: int) -> Iterator[Row]:
    """Positions a second of each exact solver, memory empty and code compiled."""
    for solver, spec, plies in SOLVED:
        game = make_game(spec)
        state = game.new(seed)
        player = make_player("random", game)
        player.new_game(seed)
        for _ in range(plies):
            state.play(player.choose(state.view()).action)
        solve_with(solver, game, state.position, Watch())  # compiles it
        rates = []
        for _ in range(SOLVED_ROUNDS):
            fresh = make_game(spec)  # solvers remember what they found out about a game
            start = perf_counter()
            solution = solve_with(solver, fresh, state.position, Watch())
            rates.append(solution.nodes / (perf_counter() - start))
        yield Row(f"{solver} solver", "positions/s", max(rates))


def start_times() -> Iterator[Row]:
    """Seconds from nothing to a move of mcts on Connect Four: first process ever, and later ones."""
    code = (
        "import zerosum; game = zerosum.make_game('connect4');"
        "zerosum.make_player('mcts:10', game).choose(game.new().view())"
    )
    with tempfile.TemporaryDirectory() as cache:
        for name in ("first start, compiling", "later starts"):
            start = perf_counter()
            subprocess.run(
                [sys.executable, "-c", code], check=True, env={**os.environ, "ZEROSUM_CACHE": cache}
            )
            yield Row(name, "s/start", perf_counter() - start)
