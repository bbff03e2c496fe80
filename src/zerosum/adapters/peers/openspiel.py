"""OpenSpiel, as a peer to be measured against. The only file that imports it."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from zerosum.core.errors import ZerosumError


def load_pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise ZerosumError("OpenSpiel is not installed; pip install open_spiel") from None
    return pyspiel


def uct_rate(game_name: str, simulations: int, exploration: float, seed: int) -> float:
    """Simulations a second of OpenSpiel's C++ MCTSBot with random rollouts, from the start position."""
    pyspiel = load_pyspiel()
    game = pyspiel.load_game(game_name)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        exploration,
        simulations,
        1000,  # MB of memory
        False,  # no solver: plain UCT on both sides
        seed,
        False,  # not verbose
    )
    state = game.new_initial_state()
    start = perf_counter()
    bot.mcts_search(state)
    return simulations / (perf_counter() - start)
